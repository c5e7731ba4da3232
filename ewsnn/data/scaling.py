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
        mean = observations.mean(axis=0)
        width = (observations - mean).std(axis=0)
        # A constant channel keeps a spread of round-off; dividing by that would make noise of it.
        constant = width <= 8 * np.finfo(np.float64).eps * np.abs(mean)
        return cls(mean=mean, width=np.where(constant, 1.0, width))

    def __call__(self, x: Array) -> Array:
        """A series (observations, channels) on the common scale, in float64.

        Raises:
            ValueError: If the series has another number of channels than the training set.
        """
        if x.ndim != 2 or x.shape[1] != len(self.mean):
            raise ValueError(
                f"A series of shape {x.shape}, where (observations, {len(self.mean)}) is wanted: "
                f"{len(self.mean)} channels, as in training, along the last axis."
            )
        return (np.asarray(x, np.float64) - self.mean) / self.width

    def all(self, series: Sequence[Array]) -> list[Array]:
        """Every series on the common scale."""
        return [self(x) for x in series]
