"""The two figures of a run: learning curve and confusion matrix."""

import importlib.util
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["confusion_matrix", "learning_curve", "require_matplotlib"]


def learning_curve(path: str | os.PathLike[str], lines: Sequence[dict[str, Any]]) -> None:
    """Draws loss and accuracy over the epochs of a journal.

    Args:
        path: The PNG file.
        lines: Lines of the journal; those of epochs are drawn.
    """
    epochs = [line for line in lines if line["kind"] == "epoch"]
    figure = _figure(8.0, 3.2)
    for place, name in enumerate(("loss", "accuracy"), 1):
        axes = figure.add_subplot(1, 2, place)
        for prefix, label in (("train", "training set"), ("holdout", "held out")):
            points = [(line["epoch"], line[f"{prefix}_{name}"]) for line in epochs if f"{prefix}_{name}" in line]
            if points:
                axes.plot(*zip(*points, strict=True), label=label)
        if name == "loss":
            axes.set_yscale("log")
        axes.set_xlabel("epoch")
        axes.set_ylabel(name)
        axes.legend()
    figure.savefig(path, dpi=120)


def confusion_matrix(path: str | os.PathLike[str], counts: npt.NDArray[Any], classes: Sequence[str]) -> None:
    """Draws how many cases of each class were given each label.

    Args:
        path: The PNG file.
        counts: Counts, row the true class, column the predicted one.
        classes: Names of the classes.
    """
    size = max(3.5, 0.45 * len(classes) + 1.5)
    figure = _figure(size, size)
    axes = figure.add_subplot()
    axes.imshow(counts, cmap="Blues")
    axes.set_xticks(range(len(classes)), classes, rotation=45, ha="right")
    axes.set_yticks(range(len(classes)), classes)
    for row, column in np.argwhere(counts):
        dark = counts[row, column] > counts.max() / 2
        axes.text(column, row, counts[row, column], ha="center", va="center", color="white" if dark else "black")
    axes.set_xlabel("predicted")
    axes.set_ylabel("true")
    figure.savefig(path, dpi=120)


def require_matplotlib() -> None:
    """Refuses to go on without what the figures need.

    Raises:
        ValueError: If matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise ValueError("Figures need matplotlib, which is not installed. Install the extra `plot`.")


def _figure(width: float, height: float) -> Any:
    """A figure that draws to files, whatever the user's screen: pyplot and its state are not touched."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure
