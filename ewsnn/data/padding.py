"""Series of unequal length as one array, and cases cut into batches of one size."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["batches", "pad"]

Array = npt.NDArray[Any]


def pad(series: Sequence[Array]) -> tuple[Array, Array]:
    """Series stacked along a first axis of cases, shorter ones continued by their last observation.

    Args:
        series: Arrays (observations, …) that agree in all but their first axis.

    Returns:
        The array (cases, longest, …), and the length (cases,) of each series. What stands beyond a length
        is no data: the layer is told the lengths.

    >>> values, lengths = pad([np.array([1.0, 2.0, 3.0]), np.array([7.0])])
    >>> values.tolist(), lengths.tolist()
    ([[1.0, 2.0, 3.0], [7.0, 7.0, 7.0]], [3, 1])
    """
    lengths = np.array([len(x) for x in series])
    longest = int(lengths.max())
    return np.stack([np.concatenate([x, np.repeat(x[-1:], longest - len(x), axis=0)]) for x in series]), lengths


def batches(cases: int, size: int) -> Iterator[tuple[Array, int]]:
    """Places of the cases in batches of one size, so that one traced function serves them all.

    Args:
        cases: How many there are.
        size: How many go into a batch.

    Yields:
        Places (size,), and how many of them count: the last batch is filled up with its last case.

    >>> [(places.tolist(), count) for places, count in batches(5, 3)]
    [([0, 1, 2], 3), ([3, 4, 4], 2)]
    """
    for start in range(0, cases, size):
        yield np.minimum(np.arange(start, start + size), cases - 1), min(size, cases - start)
