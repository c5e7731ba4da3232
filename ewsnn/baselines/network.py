"""Networks of baselines: a classifier of series, and a regression at every k-th step."""

from collections.abc import Callable
from typing import TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key, PyTree

from ewsnn.affine import Affine
from ewsnn.arrays import Numbers
from ewsnn.baselines.block import Stack
from ewsnn.baselines.channel_norm import ChannelNorm
from ewsnn.baselines.layer import AbstractLayer
from ewsnn.heads import PerStep
from ewsnn.models import AbstractClassifier
from ewsnn.paths import Increments, Signal

MakeLayer = Callable[[Key[Array, ""]], AbstractLayer]
Model = TypeVar("Model", bound=eqx.Module)


def read(observations: Numbers, lengths: Numbers | None = None) -> Increments:
    """Series as the baselines read them: observations, each the increment of their integral.

    Time is a channel like all others: put it among the observations if the model is to see it.

    Args:
        observations: (…, steps, channels).
        lengths: Number of valid observations of each series, (…,); what comes after them is never read.

    Raises:
        TypeError: If an argument is of the wrong kind.
        ValueError: If shapes do not fit, or a value that is known is not allowed.

    >>> read([[1.0], [4.0], [9.0]], 2).dx.tolist()
    [[1.0], [4.0], [0.0]]
    """
    return Increments.integral(observations, lengths=lengths)


class Classifier(AbstractClassifier):
    r"""Encoder, blocks, the mean over all valid steps, and an affine map to logits.

    It is trained by :func:`ewsnn.train.fit.epochs`, on cases that :func:`read` has read.

    Args:
        stack: Encoder and blocks.
        weight: The weight of the affine map, (classes, H).
        bias: Its bias, (classes,).

    Raises:
        ValueError: If widths differ.

    >>> from ewsnn.baselines import LinOSSIM
    >>> model = Classifier.init(jax.random.key(0), lambda key: LinOSSIM.init(key, 8, 4), channels=3, classes=5)
    >>> model(read(jnp.ones((2, 7, 3)))).shape
    (2, 5)
    """

    stack: Stack
    weight: Float[Array, "classes width"]
    bias: Float[Array, " classes"]

    def __check_init__(self) -> None:
        _check_width(self.stack, self.weight.shape[1])

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        layer: MakeLayer,
        channels: int,
        classes: int,
        *,
        blocks: int = 2,
        dropout: float = 0.05,
    ) -> "Classifier":
        """A classifier to be trained.

        Args:
            key: A JAX random key.
            layer: Draws the layer of a block from a key.
            channels: The number of channels of an observation.
            classes: The number of classes.
            blocks: The number of blocks.
            dropout: The share of entries in a block that training does not see.

        Raises:
            ValueError: If there is no block, or dropout is not in [0, 1).
        """
        for_stack, for_head = jax.random.split(key)
        stack = Stack.init(for_stack, layer, channels, blocks=blocks, dropout=dropout)
        head = Affine.init(for_head, stack.encoder.width, classes)
        return cls(stack=stack, weight=head.weight, bias=head.bias)

    def __call__(self, increments: Increments) -> Float[Array, "*batch classes"]:
        """The logits, by the stored statistics.

        Args:
            increments: What :func:`read` made of the observations.
        """
        return self.read_out(self.standardised(increments))

    def standardised(self, increments: Increments) -> Float[Array, "*batch width"]:
        """The mean vector behind the last block, by the stored statistics."""
        return self.stack(_signal(increments)).mean()

    def in_training(
        self, increments: Increments, weights: Float[Array, " batch"], key: Key[Array, ""]
    ) -> tuple[Float[Array, "batch width"], "Classifier"]:
        """The mean vector by the statistics of the batch, and the classifier whose own have moved towards them."""
        signal = _signal(increments)
        # What only fills the batch up is in no statistic.
        counts = signal.valid & (weights > 0)[:, None]
        behind, stack = self.stack.of_batch(Signal(signal.values, signal.dt, counts), key)
        return behind.mean(), Classifier(stack=stack, weight=self.weight, bias=self.bias)

    def read_out(self, standardised: Float[Array, "*batch width"]) -> Float[Array, "*batch classes"]:
        """The logits of mean vectors."""
        return Affine(self.weight, self.bias)(standardised)

    def calibrated(self, increments: Increments) -> "Classifier":
        """The classifier whose blocks have the statistics of these paths.

        Args:
            increments: Training paths, (cases, steps, channels).
        """
        stack = eqx.filter_jit(Stack.calibrated)(self.stack, _signal(increments))
        return Classifier(stack=stack, weight=self.weight, bias=self.bias)

    def trainable(self) -> PyTree[bool]:
        """Which leaves are trained: all arrays of floats but the statistics."""
        return trainable(self)


class Regressor(eqx.Module):
    r"""Encoder, blocks, and the hyperbolic tangent of an affine map at every k-th step.

    Args:
        stack: Encoder and blocks.
        head: The head, which knows k.

    Raises:
        ValueError: If widths differ.

    >>> from ewsnn.baselines import LinOSSIM
    >>> model = Regressor.init(jax.random.key(0), lambda key: LinOSSIM.init(key, 8, 4), 3, outputs=1, every=2)
    >>> model(read(jnp.ones((2, 7, 3)))).shape
    (2, 3, 1)
    """

    stack: Stack
    head: PerStep

    def __check_init__(self) -> None:
        _check_width(self.stack, self.head.width)

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        layer: MakeLayer,
        channels: int,
        outputs: int,
        *,
        every: int = 1,
        blocks: int = 2,
        dropout: float = 0.05,
    ) -> "Regressor":
        """A regression to be trained.

        Args:
            key: A JAX random key.
            layer: Draws the layer of a block from a key.
            channels: The number of channels of an observation.
            outputs: The number of outputs at a step.
            every: k: outputs are given at the last of each k steps.
            blocks: The number of blocks.
            dropout: The share of entries in a block that training does not see.

        Raises:
            ValueError: If there is no block, k is not positive, or dropout is not in [0, 1).
        """
        for_stack, for_head = jax.random.split(key)
        stack = Stack.init(for_stack, layer, channels, blocks=blocks, dropout=dropout)
        return cls(stack, PerStep.init(for_head, stack.encoder.width, outputs, every=every))

    def __call__(self, increments: Increments) -> Float[Array, "*batch places outputs"]:
        """The outputs in [-1, 1], by the stored statistics; zero where there is padding.

        Args:
            increments: What :func:`read` made of the observations.
        """
        return jnp.tanh(self.head(self.stack(_signal(increments))))

    def of_batch(
        self, increments: Increments, key: Key[Array, ""]
    ) -> tuple[Float[Array, "*batch places outputs"], "Regressor"]:
        """The outputs as in training, and the regression whose statistics have seen the batch.

        Args:
            increments: The paths of a batch.
            key: Chooses what dropout leaves out.
        """
        behind, stack = self.stack.of_batch(_signal(increments), key)
        return jnp.tanh(self.head(behind)), Regressor(stack, self.head)

    def calibrated(self, increments: Increments) -> "Regressor":
        """The regression whose blocks have the statistics of these paths.

        Args:
            increments: Training paths, (cases, steps, channels).
        """
        return Regressor(eqx.filter_jit(Stack.calibrated)(self.stack, _signal(increments)), self.head)

    def trainable(self) -> PyTree[bool]:
        """Which leaves are trained: all arrays of floats but the statistics."""
        return trainable(self)


def trainable(model: Model) -> Model:
    """The tree of a model with True for what is trained and False for the rest."""

    def spec(node: object) -> object:
        fixed = isinstance(node, ChannelNorm)
        return jax.tree.map(lambda leaf: not fixed and eqx.is_inexact_array(leaf), node)

    return jax.tree.map(spec, model, is_leaf=lambda node: isinstance(node, ChannelNorm))


def _signal(increments: Increments) -> Signal:
    return Signal(increments.dx, increments.dt, increments.valid)


def _check_width(stack: Stack, width: int) -> None:
    if stack.encoder.width != width:
        raise ValueError(f"the encoder has width {stack.encoder.width}, the head {width}: they must be equal.")
