"""Scaling of channels and stamps, by statistics of the training set alone."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ewsnn.data.dataset import Dataset

__all__ = ["Scaling"]

Array = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True)
class Scaling:
    r"""Centre and width of each channel, by which every series is brought to a common scale.

    .. math:: x ↦ (x - μ) / σ

    They are taken over the *observations* of the training set, never over padding and never over a test
    set, so that what a series becomes does not depend on the series beside it.

    Args:
        mean: μ, one number a channel.
        width: σ, one positive number a channel; 1 for a channel that is constant.

    >>> scaling = Scaling.of(Dataset("d", (np.array([[1.0, 5.0]]), np.array([[3.0, 5.0]]))))
    >>> scaling.mean.tolist(), scaling.width.tolist()
    ([2.0, 5.0], [1.0, 1.0])
    >>> scaling(np.array([[4.0, 6.0]])).tolist()
    [[2.0, 1.0]]
    """

    mean: Array
    width: Array

    @classmethod
    def of(cls, train: Dataset) -> "Scaling":
        """The scaling that brings the observations of a training set to mean 0 and variance 1 a channel.

        Args:
            train: The training set, without missing values.
        """
        observations = np.concatenate(train.complete().series)
        # Powers of two change no digit, and keep the squares of very large and very small numbers in range.
        _, exponent = np.frexp(np.abs(observations).max(axis=0))
        reduced = np.ldexp(observations, -exponent)
        mean = reduced.mean(axis=0)
        width = (reduced - mean).std(axis=0)
        # A constant channel keeps a spread of round-off; dividing by that would make noise of it.
        constant = width <= 8 * np.finfo(np.float64).eps * np.abs(mean)
        return cls(mean=np.ldexp(mean, exponent), width=np.where(constant, 1.0, np.ldexp(width, exponent)))

    def __call__(self, x: Array) -> Array:
        """A series (observations, channels) on the common scale, in float64.

        Raises:
            ValueError: If the series has another number of channels than the training set, or a value so far from
                the training set's that it overflows.
        """
        if x.ndim != 2 or x.shape[1] != len(self.mean):
            raise ValueError(
                f"A series of shape {x.shape}, where (observations, {len(self.mean)}) is wanted: "
                f"{len(self.mean)} channels, as in training, along the last axis."
            )
        _, exponent = np.frexp(self.width)
        with np.errstate(over="ignore", invalid="ignore"):
            centred = np.ldexp(np.asarray(x, np.float64), -exponent) - np.ldexp(self.mean, -exponent)
            scaled = centred / np.ldexp(self.width, -exponent)
        if not np.isfinite(scaled).all():
            k, channel = np.argwhere(~np.isfinite(scaled))[0]
            raise ValueError(
                f"Channel {channel + 1}, observation {k + 1}: the value {x[k, channel]} is not finite on the scale of "
                f"the training set, with centre {self.mean[channel]:g} and width {self.width[channel]:g}."
            )
        return scaled

    def all(self, series: Sequence[Array]) -> list[Array]:
        """Every series on the common scale."""
        return [self(x) for x in series]
