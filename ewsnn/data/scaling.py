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

        Raises:
            ValueError: If a value is missing, or the data have been scaled already.
        """
        reduced, exponent = cls._reduced(train)
        mean = reduced.mean(axis=0)
        width = (reduced - mean).std(axis=0)
        # A constant channel keeps a spread of round-off; dividing by that would make noise of it.
        constant = width <= 8 * np.finfo(np.float64).eps * np.abs(mean)
        return cls(mean=np.ldexp(mean, exponent), width=np.where(constant, 1.0, np.ldexp(width, exponent)))

    @classmethod
    def to_range(cls, train: Dataset, low: float = -1.0, high: float = 1.0) -> "Scaling":
        """The scaling that brings the observations of a training set to a fixed range, channel by channel.

        Those of other data may leave the range: they are neither looked at nor cut off.

        Args:
            train: The training set, without missing values.
            low: What the smallest observation of a channel becomes; the middle, for a channel that is constant.
            high: What the largest one becomes.

        Raises:
            ValueError: If the range is none, a value is missing or too large, or the data have been scaled already.

        >>> scaling = Scaling.to_range(Dataset("d", (np.array([[0.0], [4.0]]), np.array([[1.0]]))))
        >>> scaling(np.array([[0.0], [1.0], [4.0]])).tolist()
        [[-1.0], [-0.5], [1.0]]
        """
        if not -np.inf < low < high < np.inf:
            raise ValueError(f"a range must be two finite numbers low < high, got {low} and {high}.")
        reduced, exponent = cls._reduced(train)
        least, most = reduced.min(axis=0), reduced.max(axis=0)
        constant = least == most
        width = np.where(constant, 1.0, (most - least) / (high - low))
        mean = least - np.where(constant, (low + high) / 2, low) * width
        with np.errstate(over="ignore"):
            found = cls(mean=np.ldexp(mean, exponent), width=np.ldexp(width, exponent))
        if not (np.isfinite(found.mean).all() and np.isfinite(found.width).all()):
            raise ValueError(f"{train.name}: the values are too large to be brought to a range from {low} to {high}.")
        return found

    @staticmethod
    def _reduced(train: Dataset) -> tuple[Array, Array]:
        """All observations, each channel over a power of two of its own, and the exponents of those."""
        observations = np.concatenate(train.raw().complete().series)
        # Powers of two change no digit, and keep the squares of very large and very small numbers in range.
        _, exponent = np.frexp(np.abs(observations).max(axis=0))
        return np.ldexp(observations, -exponent), exponent

    def dataset(self, data: Dataset) -> Dataset:
        """All of a data set on the common scale.

        Args:
            data: The training set, or any other data with the same channels.

        Raises:
            ValueError: If the data have been scaled already, or a series does not fit.
        """
        return dataclasses.replace(data.raw(), series=tuple(self.all(data.series)), scaled=True)

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
