"""Cases held out of a training set."""

import numpy as np

from ewsnn.data.dataset import Dataset

__all__ = ["hold_out"]


def hold_out(data: Dataset, share: float, seed: int) -> tuple[Dataset, Dataset | None]:
    """The cases to train on, and those held out: the same share of each class, and of each at least one on both sides.

    Args:
        data: Labelled cases.
        share: The share to hold out, at least 0 and less than 1; with 0 all cases are trained on.
        seed: Chooses the cases.

    Raises:
        ValueError: If a class has one case only; the message names it.

    >>> data = Dataset("d", (np.zeros((1, 1)),) * 5, ("a", "b"), np.array([0, 0, 0, 1, 1]))
    >>> [part.targets.tolist() for part in hold_out(data, 0.99, seed=0) if part]
    [[0, 1], [0, 0, 1]]
    """
    if not share:
        return data, None
    order = np.random.default_rng(seed).permutation(len(data))
    held = np.zeros(len(data), bool)
    for label in np.unique(data.targets):
        cases = order[data.targets[order] == label]
        if len(cases) == 1:
            raise ValueError(
                f"{data.name}: class {data.classes[label]!r} has 1 case, too few to hold one out (holdout={share:g}) "
                "and train on another. Give it more cases, or hold none out: --holdout 0."
            )
        held[cases[: min(max(1, round(share * len(cases))), len(cases) - 1)]] = True
    return data.subset(np.flatnonzero(~held)), data.subset(np.flatnonzero(held))
