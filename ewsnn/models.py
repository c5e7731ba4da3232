"""Models: a layer with a linear read-out of its features."""

import abc
from typing import Literal

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key, PyTree

from ewsnn import tensor
from ewsnn.arrays import PRECISION, default_float
from ewsnn.batch_norm import BatchNorm, moments
from ewsnn.clocks import AbstractClock
from ewsnn.generators import AbstractGenerator
from ewsnn.layers import EWSLayer
from ewsnn.level_gain import LevelGain
from ewsnn.paths import Increments, Reading


class AbstractClassifier(eqx.Module):
    """Features of a path and an affine map of them to logits: what :mod:`ewsnn.train` trains."""

    weight: eqx.AbstractVar[Float[Array, "classes features"]]

    @abc.abstractmethod
    def standardised(self, increments: Increments) -> Float[Array, "*batch features"]:
        """The features as the read-out sees them.

        Args:
            increments: The paths.
        """

    @abc.abstractmethod
    def in_training(
        self, increments: Increments, weights: Float[Array, " batch"], key: Key[Array, ""]
    ) -> tuple[Float[Array, "batch features"], "AbstractClassifier"]:
        """The features as a step of training sees them.

        Args:
            increments: The paths of a batch.
            weights: How much each case counts; one of weight 0 only fills the batch up.
            key: Chooses what dropout leaves out.

        Returns:
            The features, and the classifier with what it remembers of the batch: all but what is trained is kept.
        """

    @abc.abstractmethod
    def read_out(self, standardised: Float[Array, "*batch features"]) -> Float[Array, "*batch classes"]:
        """The logits of features.

        Args:
            standardised: The features.
        """

    @abc.abstractmethod
    def calibrated(self, increments: Increments) -> "AbstractClassifier":
        """The classifier with the statistics of these paths.

        Args:
            increments: Training paths, (cases, steps, channels).
        """

    @abc.abstractmethod
    def trainable(self) -> PyTree[bool]:
        """Which leaves are trained: all arrays of floats but statistics of data. For ``equinox.partition``."""


class EWSClassifier(AbstractClassifier):
    r"""An EWS layer with a linear read-out, :math:`y = W \, \frac{Γ(S) - μ}{ς} + c`.

    S are all K entries of the state, the constant 1 of level 0 among them. Γ is a norm of levels 1 to N that is
    trained: a :class:`ewsnn.LevelGain`, a :class:`ewsnn.BatchNorm`, or none. The shift μ and the scale ς are set once
    from training data by :meth:`calibrated` and not trained: entries of different levels differ by orders of magnitude,
    and an affine change of them leaves the read-out linear.

    Args:
        layer: The layer.
        weight: W, (classes, K).
        bias: c, (classes,).
        shift: μ, (K,).
        scale: ς, (K,).
        reading: How observations are read as a path.
        output: Which state is read: "terminal" or "mean".
        norm: Γ, or None.

    Paper: Section 2.2; Theorem 1(iii); Appendix F.4.
    """

    layer: EWSLayer
    weight: Float[Array, "classes features"]
    bias: Float[Array, " classes"]
    shift: Float[Array, " features"]
    scale: Float[Array, " features"]
    reading: Reading
    output: Literal["terminal", "mean"] = eqx.field(static=True)
    norm: LevelGain | BatchNorm | None = None

    def __check_init__(self) -> None:
        if self.norm is not None and self.norm.gain.shape != (self.layer.depth,):
            raise ValueError(f"the norm is for {self.norm.gain.shape[0]} levels, the layer has {self.layer.depth}.")

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        d: int,
        m: int,
        classes: int,
        depth: int,
        *,
        reading: Reading | None = None,
        generator: AbstractGenerator | None = None,
        clock: AbstractClock | None = None,
        output: Literal["terminal", "mean"] = "terminal",
        norm: LevelGain | BatchNorm | None = None,
    ) -> "EWSClassifier":
        """A classifier to be trained, with a read-out of zeros: all classes are equally likely at the start.

        Args:
            key: A JAX random key.
            d: Number of channels of the observations.
            m: Number of letters.
            classes: Number of classes.
            depth: The truncation depth.
            reading: How observations are read; None for their values with a base point.
            generator: Another generator than stable damped rotations, of size m.
            clock: Another clock than time.
            output: Which state is read.
            norm: What is done to the levels before the read-out; None for nothing.

        Raises:
            ValueError: If an option is unknown or the norm has another depth.
        """
        if output not in ("terminal", "mean"):
            raise ValueError(f"output must be 'terminal' or 'mean' for a classifier, got {output!r}.")
        read = Reading() if reading is None else reading
        layer = EWSLayer.init(key, read.channels_of(d), m, depth, generator=generator, clock=clock)
        K, dtype = 1 + layer.size, default_float()
        return cls(
            layer=layer,
            weight=jnp.zeros((classes, K), dtype),
            bias=jnp.zeros((classes,), dtype),
            shift=jnp.zeros((K,), dtype),
            scale=jnp.ones((K,), dtype),
            reading=read,
            output=output,
            norm=norm,
        )

    def features(self, increments: Increments, *, engine: str = "auto") -> Float[Array, "*batch features"]:
        """The K entries of the state that is read, level 0 first, behind the norm."""
        levels = self.layer(increments, output=self.output, engine=engine)
        return tensor.features(levels if self.norm is None else self.norm(levels))

    def standardised(self, increments: Increments, *, engine: str = "auto") -> Float[Array, "*batch features"]:
        """The features as the read-out sees them: shifted and scaled."""
        found = self.features(increments, engine=engine)
        # Not trained: no gradient goes this way.
        shift, scale = jax.lax.stop_gradient((self.shift, self.scale))
        return (found - jnp.broadcast_to(shift, found.shape)) / jnp.broadcast_to(scale, found.shape)

    def __call__(self, increments: Increments, *, engine: str = "auto") -> Float[Array, "*batch classes"]:
        """The logits, (classes,) behind the batch.

        Args:
            increments: What :attr:`reading` made of the observations.
            engine: "auto", "scan" or "sequential".

        Raises:
            ValueError: If the path has other channels than the layer.
        """
        return self.read_out(self.standardised(increments, engine=engine))

    def read_out(self, standardised: Float[Array, "*batch features"]) -> Float[Array, "*batch classes"]:
        """The logits from standardised features."""
        logits = jnp.einsum("...k,ck->...c", standardised, self.weight, precision=PRECISION)
        return logits + jnp.broadcast_to(self.bias, logits.shape)

    def in_training(
        self, increments: Increments, weights: Float[Array, " batch"], key: Key[Array, ""]
    ) -> tuple[Float[Array, "batch features"], "EWSClassifier"]:
        """The features by the statistics that stand, and the classifier as it is."""
        del weights, key
        return self.standardised(increments), self

    def of_batch(
        self, increments: Increments, *, engine: str = "auto"
    ) -> tuple[Float[Array, "*batch classes"], "EWSClassifier"]:
        """The logits in training with batch normalisation: by the statistics of this batch.

        Args:
            increments: As for calls, with at least one leading axis.
            engine: As for calls.

        Returns:
            The logits, and the classifier whose running statistics have seen the batch.

        Raises:
            TypeError: If the norm is no batch normalisation.
        """
        if not isinstance(self.norm, BatchNorm):
            raise TypeError(f"only a classifier with a BatchNorm has statistics of a batch, got norm = {self.norm}.")
        levels, norm = self.norm.of_batch(self.layer(increments, output=self.output, engine=engine))
        return self.read_out(tensor.features(levels)), eqx.tree_at(lambda model: model.norm, self, norm)

    def calibrated(self, increments: Increments) -> "EWSClassifier":
        """The classifier with statistics from these paths: mean and standard deviation of each feature.

        Args:
            increments: Training paths, (cases, steps, channels).

        Returns:
            With a batch normalisation: the classifier with these as its statistics. Else one with shift and scale, such
            that features have mean 0 and deviation 1 over these paths; those that do not vary, like the constant, keep
            shift 0 and scale 1.

        Raises:
            ValueError: If the paths have no batch axis.
        """
        if increments.dx.ndim != 3:
            raise ValueError(f"calibration needs paths (cases, steps, channels), got {increments.dx.shape}.")
        if isinstance(self.norm, BatchNorm):
            norm = self.norm.calibrated(eqx.filter_jit(self.layer)(increments, output=self.output))
            return eqx.tree_at(lambda model: model.norm, self, norm)
        found = eqx.filter_jit(type(self).features)(self, increments)
        mean, deviation, varies = moments(found)
        return eqx.tree_at(lambda model: (model.shift, model.scale), self, (jnp.where(varies, mean, 0), deviation))

    def trainable(self) -> PyTree[bool]:
        """Which leaves are trained: all arrays of floats but statistics of data. For ``equinox.partition``."""
        spec = jax.tree.map(eqx.is_inexact_array, self)
        if isinstance(self.norm, BatchNorm):
            fixed = jax.tree.map(lambda _: False, (self.norm.mean, self.norm.deviation))
            spec = eqx.tree_at(lambda model: (model.norm.mean, model.norm.deviation), spec, fixed)
        return eqx.tree_at(lambda model: (model.shift, model.scale), spec, (False, False))
