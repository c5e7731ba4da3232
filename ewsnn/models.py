"""Models: a layer with a linear read-out of its features."""

from typing import Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key, PyTree

from ewsnn import tensor
from ewsnn.arrays import PRECISION, Numbers, default_float
from ewsnn.clocks import AbstractClock
from ewsnn.generators import AbstractGenerator
from ewsnn.layers import EWSLayer
from ewsnn.paths import Increments

_READINGS = {
    "values": Increments.from_values,
    "integral": Increments.integral,
    "derivative": Increments.derivative,
}


class Reading(eqx.Module):
    """How observations are read as a path.

    Args:
        channels: Which paths are put side by side: "values", "integral", "derivative". The integral has a step for the
            first observation, so beside it values need their base point; a derivative stands alone.
        base_point: Whether values or derivative start at a base point zero.
        time: Whether the time is a last channel.

    Raises:
        ValueError: If a reading is unknown, or some cannot be joined.

    >>> Reading(("values", "integral")).channels_of(3)
    6
    """

    channels: tuple[str, ...] = eqx.field(static=True)
    base_point: bool = eqx.field(static=True)
    time: bool = eqx.field(static=True)

    def __init__(self, channels: tuple[str, ...] = ("values",), *, base_point: bool = True, time: bool = False) -> None:
        unknown = [name for name in channels if name not in _READINGS]
        if unknown or not channels or len(set(channels)) < len(channels):
            raise ValueError(
                f"channels must be one or more, each once, of {', '.join(map(repr, _READINGS))}, got {channels!r}."
            )
        if "derivative" in channels and len(channels) > 1:
            raise ValueError("a derivative has fewer steps than values or integral: it cannot stand beside them.")
        if set(channels) == {"values", "integral"} and not base_point:
            raise ValueError("values beside their integral need base_point=True: else they have one step fewer.")
        self.channels, self.base_point, self.time = tuple(channels), base_point, time

    def channels_of(self, d: int) -> int:
        """The number of channels of the path read from observations of d channels."""
        return d * len(self.channels) + self.time

    def __call__(
        self,
        observations: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
        dtype: np.dtype | type | None = None,
    ) -> Increments:
        """The path, as increments.

        Args:
            observations: (…, points, channels).
            times: As for :meth:`ewsnn.paths.Increments.from_values`.
            lengths: As for :meth:`ewsnn.paths.Increments.from_values`.
            start_time: As for :meth:`ewsnn.paths.Increments.from_values`.
            dtype: As for :meth:`ewsnn.paths.Increments.from_values`.
        """
        joined = None
        for name in self.channels:
            read = _READINGS[name](observations, times, lengths, start_time=start_time, dtype=dtype)
            if self.base_point and name != "integral":
                read = read.with_base_point()
            joined = read if joined is None else joined.beside(read)
        if joined is None:
            raise ValueError("a reading without channels reads nothing.")
        return joined.with_time() if self.time else joined


class EWSClassifier(eqx.Module):
    r"""An EWS layer with a linear read-out, :math:`y = W \, \frac{S - μ}{ς} + c`.

    S are all K entries of the state, the constant 1 of level 0 among them. The shift μ and the scale ς are set once
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

    Paper: Section 2.2; Theorem 1(iii).
    """

    layer: EWSLayer
    weight: Float[Array, "classes features"]
    bias: Float[Array, " classes"]
    shift: Float[Array, " features"]
    scale: Float[Array, " features"]
    reading: Reading
    output: Literal["terminal", "mean"] = eqx.field(static=True)

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

        Raises:
            ValueError: If an option is unknown.
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
        )

    def features(self, increments: Increments, *, engine: str = "auto") -> Float[Array, "*batch features"]:
        """The K entries of the state that is read, level 0 first, as the layer gives them."""
        return tensor.features(self.layer(increments, output=self.output, engine=engine))

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

    def calibrated(self, increments: Increments) -> "EWSClassifier":
        """The classifier with shift and scale from these paths: mean and standard deviation of each feature.

        Args:
            increments: Training paths, (cases, steps, channels).

        Returns:
            A classifier whose features have mean 0 and deviation 1 over these paths. Features that do not vary,
            like the constant, keep shift 0 and scale 1.

        Raises:
            ValueError: If the paths have no batch axis.
        """
        if increments.dx.ndim != 3:
            raise ValueError(f"calibration needs paths (cases, steps, channels), got {increments.dx.shape}.")
        found = eqx.filter_jit(type(self).features)(self, increments)
        mean, deviation = jnp.mean(found, axis=0), jnp.std(found, axis=0)
        # Round-off alone must not be taken for variation and blown up.
        eps = jnp.finfo(found.dtype).eps
        varies = deviation > 100 * eps * jnp.max(jnp.abs(found), axis=0)
        return eqx.tree_at(
            lambda model: (model.shift, model.scale),
            self,
            (jnp.where(varies, mean, 0), jnp.where(varies, deviation, 1)),
        )

    def trainable(self) -> PyTree[bool]:
        """Which leaves are trained: all arrays of floats but shift and scale. For ``equinox.partition``."""
        spec = jax.tree.map(eqx.is_inexact_array, self)
        return eqx.tree_at(lambda model: (model.shift, model.scale), spec, (False, False))
