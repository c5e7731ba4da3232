"""Scores of a classifier on labelled cases."""

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["accuracy", "confusion"]

Array = npt.NDArray[Any]


def accuracy(predicted: Array, labels: Array) -> float:
    """The share of cases whose label is predicted.

    Args:
        predicted: Predicted labels, one a case.
        labels: True labels, one a case.

    >>> accuracy(np.array([0, 1, 1, 2]), np.array([0, 1, 2, 2]))
    0.75
    """
    if predicted.shape != labels.shape:
        raise ValueError(f"{predicted.shape} predictions for {labels.shape} labels.")
    return float(np.mean(predicted == labels))


def confusion(predicted: Array, labels: Array, classes: int) -> Array:
    """How many cases of each class were given each label.

    Args:
        predicted: Predicted labels, one a case.
        labels: True labels, one a case.
        classes: The number of classes.

    Returns:
        Counts, row the true class, column the predicted one.

    >>> confusion(np.array([0, 1, 1]), np.array([0, 0, 1]), 2).tolist()
    [[1, 1], [0, 1]]
    """
    counts = np.zeros((classes, classes), dtype=np.int64)
    np.add.at(counts, (labels, predicted), 1)
    return counts
