"""``ewsnn evaluate``: a trained model on labelled data."""

from pathlib import Path

import click

from ewsnn.cli.console import console, device_option, use_device
from ewsnn.cli.place import PLACE
from ewsnn.data import Dataset, find_test, read_ts
from ewsnn.train.predictor import load
from ewsnn.train.run import Run
from ewsnn.train.scores import accuracy, confusion

__all__ = ["evaluate"]


@click.command()
@click.argument("run", type=PLACE)
@click.argument("data", type=PLACE)
@device_option
def evaluate(run: Path, data: Path, wanted: str) -> None:
    """Score the model in the folder RUN on DATA: a .ts file, or a folder whose *_TEST.ts is taken."""
    opened = Run.open(run)
    file = find_test(data) if data.is_dir() else data
    cases = labelled(file)
    console.print(f"Device: {use_device(wanted, opened.config.x64)}")
    model = load(run)
    model.check_channels(cases, file)
    cases = cases.relabelled(model.classes, file)
    predicted = model.predict_labels(cases)
    counts = confusion(predicted, cases.targets, len(model.classes))
    share = 100 * accuracy(predicted, cases.targets)
    console.print(f"Accuracy on {cases.name}: {share:.2f} % ({counts.trace()} of {len(cases)})")
    for place, name in enumerate(model.classes):
        console.print(f"  {name}: {counts[place, place]} of {counts[place].sum()}")


def labelled(file: Path) -> Dataset:
    """The labelled cases in a file.

    Args:
        file: A .ts file.

    Raises:
        ValueError: If there are none, or a value is missing.
    """
    data = read_ts(file).complete(file)
    if data.labels is None:
        raise ValueError(f"{file}: wanted class labels to score against, found none. Use ewsnn predict instead.")
    return data
