"""Heads: from the signal behind the last block to outputs, by an affine map."""

import abc
from typing import Literal

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.affine import Affine
from ewsnn.arrays import is_traced
from ewsnn.paths import Signal
from ewsnn.paths.observations import zero_unless


class AbstractHead(eqx.Module):
    """An affine map of some of the vectors of a signal."""

    map: eqx.AbstractVar[Affine]

    @property
    def width(self) -> int:
        """The width H of the signal."""
        return self.map.weight.shape[1]

    @abc.abstractmethod
    def __call__(self, signal: Signal) -> Float[Array, "*outputs"]:
        """The outputs."""


class PerStep(AbstractHead):
    """Outputs at every step, or at every k-th one.

    Args:
        map: The map from H inputs.
        every: k: outputs are given at the last of each k steps, from the first step on.

    Raises:
        ValueError: If k is not positive.
    """

    map: Affine
    every: int = eqx.field(static=True, default=1)

    def __check_init__(self) -> None:
        if self.every < 1:
            raise ValueError(f"every must be at least 1, got {self.every}.")

    @classmethod
    def init(cls, key: Key[Array, ""], width: int, outputs: int, *, every: int = 1) -> "PerStep":
        """A map drawn as :meth:`ewsnn.affine.Affine.init` does.

        Args:
            key: A JAX random key.
            width: The width H of the signal.
            outputs: The number of outputs at a step.
            every: At how many steps there is one output.
        """
        return cls(Affine.init(key, width, outputs), every)

    def __call__(self, signal: Signal) -> Float[Array, "*batch places outputs"]:
        """The outputs, (…, steps // every, outputs); zero where there is padding."""
        places = slice(self.every - 1, None, self.every)
        return zero_unless(signal.valid[..., places, None], self.map(signal.values[..., places, :]))


class Pooled(AbstractHead):
    """Outputs of the mean over all valid steps, or of the last valid one.

    Args:
        map: The map from H inputs.
        pool: "mean" or "last".

    Raises:
        ValueError: If the pool is none of the two.
    """

    map: Affine
    pool: Literal["mean", "last"] = eqx.field(static=True, default="mean")

    def __check_init__(self) -> None:
        if self.pool not in ("mean", "last"):
            raise ValueError(f"pool must be 'mean' or 'last', got {self.pool!r}.")

    @classmethod
    def init(cls, key: Key[Array, ""], width: int, outputs: int, *, pool: Literal["mean", "last"] = "mean") -> "Pooled":
        """A map drawn as :meth:`ewsnn.affine.Affine.init` does.

        Args:
            key: A JAX random key.
            width: The width H of the signal.
            outputs: The number of outputs.
            pool: "mean" or "last".
        """
        return cls(Affine.init(key, width, outputs), pool)

    def __call__(self, signal: Signal) -> Float[Array, "*batch outputs"]:
        """The outputs, (…, outputs); those of a vector of zeros where no step is valid."""
        return self.map(_last(signal, 1)[..., 0, :] if self.pool == "last" else signal.mean())


class Horizon(AbstractHead):
    """Outputs at the last valid steps: those that a forecast was asked for.

    Args:
        map: The map from H inputs.
        steps: The number of steps.

    Raises:
        ValueError: If the number is not positive.
    """

    map: Affine
    steps: int = eqx.field(static=True)

    def __check_init__(self) -> None:
        if self.steps < 1:
            raise ValueError(f"steps must be at least 1, got {self.steps}.")

    @classmethod
    def init(cls, key: Key[Array, ""], width: int, outputs: int, steps: int) -> "Horizon":
        """A map drawn as :meth:`ewsnn.affine.Affine.init` does.

        Args:
            key: A JAX random key.
            width: The width H of the signal.
            outputs: The number of outputs at a step.
            steps: The number of steps that are forecast.
        """
        return cls(Affine.init(key, width, outputs), steps)

    def __call__(self, signal: Signal) -> Float[Array, "*batch horizon outputs"]:
        """The outputs, (…, horizon, outputs).

        Raises:
            ValueError: If a signal has fewer valid steps (looked for, beyond its axis, outside transformations only).
        """
        return self.map(_last(signal, self.steps))


def _last(signal: Signal, steps: int) -> Float[Array, "*batch horizon width"]:
    """The vectors at the last valid steps."""
    counts = jnp.sum(signal.valid, axis=-1, dtype=np.int32)
    least = signal.valid.shape[-1] if is_traced(counts) else int(np.min(np.asarray(counts), initial=steps))
    if min(signal.valid.shape[-1], least) < steps:
        raise ValueError(f"the head reads the last {steps} valid steps, but a signal has only {least}.")
    places = counts[..., None] - steps + jnp.broadcast_to(jnp.arange(steps, dtype=np.int32), (*counts.shape, steps))
    return jnp.take_along_axis(signal.values, jnp.maximum(places, 0)[..., None], axis=-2)
