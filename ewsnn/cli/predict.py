"""``ewsnn predict``: classes and probabilities of new series."""

import csv
import io
from pathlib import Path

import click

from ewsnn.cli.console import device_option, use_device
from ewsnn.cli.place import PLACE
from ewsnn.data import read_ts
from ewsnn.train.checkpoint import write_atomically
from ewsnn.train.predictor import load
from ewsnn.train.run import Run

__all__ = ["predict"]


@click.command()
@click.argument("run", type=PLACE)
@click.argument("file", type=PLACE)
@click.option("--out", type=PLACE, help="Write the table here; else it is printed.")
@device_option
def predict(run: Path, file: Path, out: Path | None, wanted: str) -> None:
    """Name the class of every series in the .ts FILE by the model in the folder RUN; labels are not needed.

    The table is CSV: case (from 1), predicted class, and one probability a class.
    """
    opened = Run.open(run)
    data = read_ts(file).complete(file)
    if out is not None and not out.absolute().parent.is_dir():
        raise ValueError(f"{out}: its folder does not exist.")
    if out is not None and out.is_dir():
        raise ValueError(f"{out} is a folder; wanted the name of a file for the table.")
    use_device(wanted, opened.config.x64)
    model = load(run)
    model.check_channels(data, file)
    odds = model.predict_proba(data)
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["case", "predicted", *(f"p({name})" for name in model.classes)])
    for case, row in enumerate(odds, 1):
        table.writerow([case, model.classes[row.argmax()], *(f"{p:.6f}" for p in row)])
    if out is None:
        click.echo(text.getvalue(), nl=False)
    else:
        write_atomically(out, text.getvalue().encode())
