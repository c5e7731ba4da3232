"""``ewsnn train``: a layer, its companions and a baseline on one data set."""

import dataclasses
import shlex
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
from click.core import ParameterSource
from rich.table import Table

from ewsnn.baselines import MeanLogistic
from ewsnn.cli.check import certify_case
from ewsnn.cli.console import console, device_option, progress, use_device
from ewsnn.cli.place import PLACE
from ewsnn.cli.source import described, load_pair, recorded_pair
from ewsnn.data import Dataset, Scaling
from ewsnn.models import EWSClassifier
from ewsnn.train.architecture import parameters
from ewsnn.train.config import Config
from ewsnn.train.document import COUNT, OBJECT
from ewsnn.train.figures import confusion_matrix, learning_curve, require_matplotlib
from ewsnn.train.predictor import Predictor, load
from ewsnn.train.run import Run, check_trainable
from ewsnn.train.scores import accuracy, confusion

__all__ = ["train"]

_DEFAULT = Config()
_COUNT = click.IntRange(1)


class Row(NamedTuple):
    """A line of the table at the end."""

    model: str
    accuracies: tuple[float, ...]
    parameters: int
    seconds: float


def _option(name: str, words: str) -> Callable[[Any], Any]:
    """A choice of the configuration as an option; the configuration itself checks it."""
    default = getattr(_DEFAULT, name)
    if isinstance(default, bool):
        return click.option(f"--{name}", is_flag=True, default=default, help=words)
    return click.option(f"--{name}", type=type(default), default=default, show_default=True, help=words)


@click.command()
@click.option("--data", type=PLACE, help="Folder with *_TRAIN.ts and *_TEST.ts. [default: JapaneseVowels]")
@click.option("--out", type=PLACE, default="runs/latest", show_default=True, help="Folder of the run.")
@click.option("--resume", is_flag=True, help="Take up the run in --out, to the same result.")
@click.option("--seeds", type=_COUNT, default=1, show_default=True, help="So many runs, with seeds that follow.")
@click.option("--certify", type=_COUNT, help="Every so many checkpoints the oracle judges a random test series.")
@_option("seed", "Where all randomness comes from.")
@_option("depth", "Levels of the EWS.")
@_option("letters", "Width of the lift; even.")
@_option("epochs", "Passes over the training set.")
@_option("batch", "Cases a step.")
@_option("rate", "Highest learning rate.")
@_option("warmup", "Share of the steps in which the rate grows.")
@_option("decay", "Weight decay of the read-out.")
@_option("smoothing", "Label smoothing.")
@_option("dropout", "Share of the features that each step does not see.")
@_option("holdout", "Share of the training set held out to choose the best checkpoint.")
@_option("every", "Epochs between checkpoints.")
@_option("x64", "Compute in float64.")
@device_option
@click.pass_context
def train(
    context: click.Context,
    data: Path | None,
    out: Path,
    resume: bool,
    seeds: int,
    certify: int | None,
    wanted: str,
    **choices: Any,
) -> None:
    """Train one EWS layer with a linear read-out, and print it beside two baselines.

    The baselines are the same layer at depth one, and the mean over time with logistic regression. Test accuracy is
    computed once, at the end. The run folder holds configuration, record, metrics, checkpoints and figures.
    """
    began = time.perf_counter()
    if resume:
        _refuse_choices(context)
        run = Run.open(out)
        config, record = run.config, run.record({"data": OBJECT, "seeds": COUNT, "certify": COUNT.or_null()})
        seeds, certify = record["seeds"], record["certify"]
        train_set, test_set = recorded_pair(run)
    else:
        run, config = None, Config(**choices)
        train_set, test_set = load_pair(data)
        if out.exists():
            raise ValueError(f"{out} exists. Choose another folder by --out, or take up its run by --resume.")
        if not (above := next(place for place in out.absolute().parents if place.exists())).is_dir():
            raise ValueError(f"{out}: {above} is a file; wanted a folder. Choose another --out.")
    # Whatever cannot work is to fail here, before there is a folder, or before anything in it is changed.
    dataclasses.replace(config, seed=config.seed + seeds - 1)  # the last seed is checked like the first
    used = use_device(wanted, config.x64)
    require_matplotlib()
    check_trainable(train_set, config)
    baseline = _baseline(train_set, test_set)
    if run is not None:
        run.check(train_set)
        for name, choice in _companions(config, seeds):
            if (run.root / name).exists():
                _take_up(run, name, choice).check(train_set)
    else:
        known = {"command": _command(data, out, seeds, certify, config), "seeds": seeds, "certify": certify}
        run = Run.create(out, config, {"data": described(data, train_set, test_set), **known})
    console.print(f"Data: {train_set.name}, {len(train_set)} training and {len(test_set)} test series, ", end="")
    console.print(f"{train_set.channels} channels, {len(train_set.classes)} classes. Device: {used}.")
    rows, found = [baseline], [_train_one(run, train_set, test_set, certify)]
    for name, choice in _companions(config, seeds):
        companion = _take_up(run, name, choice)
        if choice.depth == config.depth:
            found.append(_train_one(companion, train_set, test_set, certify))
        else:
            rows.insert(0, _train_one(companion, train_set, test_set, None))
    accuracies = tuple(row.accuracies[0] for row in found)
    seconds = float(np.mean([row.seconds for row in found]))
    rows.insert(0, found[0]._replace(accuracies=accuracies, seconds=seconds))
    _print(rows)
    elapsed = time.perf_counter() - began
    run.write("comparison.json", {"rows": [row._asdict() for row in rows], "seconds": elapsed})
    console.print(f"{elapsed:.1f} s in all. Run folder: {run.root}")


def _companions(config: Config, seeds: int) -> Iterator[tuple[str, Config]]:
    """The runs inside the folder of another one: depth one, where it is deeper, and the seeds that follow its own."""
    if config.depth > 1:
        yield "depth_one", dataclasses.replace(config, depth=1)
    for seed in range(config.seed + 1, config.seed + seeds):
        yield f"seed_{seed}", dataclasses.replace(config, seed=seed)


def _take_up(run: Run, name: str, config: Config) -> Run:
    """A run inside the folder of another one, new or as it stands."""
    root = run.root / name
    if not root.exists():
        return Run.create(root, config, {"data": run.record({"data": OBJECT})["data"]})
    found = Run.open(root)
    if found.config != config:
        raise ValueError(f"{root / 'config.json'}: another configuration than that of a companion of {run.root}.")
    return found


def _train_one(run: Run, train_set: Dataset, test_set: Dataset, certify: int | None) -> Row:
    """Trains a run to the end and scores its best model on the test set."""

    def certificate(model: EWSClassifier, scaling: Scaling, epoch: int) -> dict[str, Any]:
        case = int(np.random.default_rng([run.config.seed, epoch]).integers(len(test_set)))
        predictor = Predictor(model, scaling, train_set.classes, run.config)
        found = certify_case(predictor, test_set, case)
        if not found.ok:
            raise ValueError(
                f"Stopped at epoch {epoch}: on test series {case + 1} the layer's certified error "
                f"{max(found.errors):.1e} is over the bound {found.bound:.1e} that round-off in {found.dtype} explains."
            )
        return {"case": case + 1, "errors": found.errors, "bound": found.bound, "seconds": found.seconds}

    title = f"EWS depth {run.config.depth}, seed {run.config.seed}"
    with progress(title, run.config.epochs) as on_epoch:
        run.fit(
            train_set,
            on_epoch=on_epoch,
            certify=None if certify is None else certificate,
            certify_every=certify or 1,
        )
    best = load(run.root)
    predicted = best.predict_labels(test_set)
    counts = confusion(predicted, test_set.targets, len(test_set.classes))
    lines = run.journal.read()
    learning_curve(run.root / "learning_curve.png", lines)
    confusion_matrix(run.root / "confusion_matrix.png", counts, test_set.classes)
    seconds = sum(line["seconds"] for line in lines if line["kind"] == "epoch")
    row = Row(title.partition(",")[0], (accuracy(predicted, test_set.targets),), parameters(best.model), seconds)
    run.write("results.json", row._asdict() | {"classes": test_set.classes, "confusion": counts.tolist()})
    return row


def _baseline(train_set: Dataset, test_set: Dataset) -> Row:
    began = time.perf_counter()
    model = MeanLogistic(train_set)
    elapsed = time.perf_counter() - began
    score = accuracy(model.predict(test_set), test_set.targets)
    return Row("mean + logistic regression", (score,), model.parameters, elapsed)


def _command(data: Path | None, out: Path, seeds: int, certify: int | None, config: Config) -> str:
    """The command that makes this run again, with nothing left to defaults."""
    words = ["ewsnn", "train", *([] if data is None else ["--data", str(data.absolute())])]
    words += ["--out", str(out), "--seeds", str(seeds), *([] if certify is None else ["--certify", str(certify)])]
    for name, value in dataclasses.asdict(config).items():
        words += ([f"--{name}"] if value else []) if isinstance(value, bool) else [f"--{name}", str(value)]
    return shlex.join(words)


def _refuse_choices(context: click.Context) -> None:
    """A run is taken up as it was begun: options that would change it are refused."""
    for name in context.params:
        given = context.get_parameter_source(name) == ParameterSource.COMMANDLINE
        if given and name not in ("out", "resume", "wanted"):
            raise click.UsageError(f"--{name} cannot be given with --resume: the run is taken up as it was begun.")


def _print(rows: list[Row]) -> None:
    table = Table("model", "test accuracy", "parameters", "training time")
    for row in rows:
        shown = f"{100 * np.mean(row.accuracies):.2f} %"
        if len(row.accuracies) > 1:
            shown += f" ± {100 * np.std(row.accuracies, ddof=1):.2f}"
        table.add_row(row.model, shown, f"{row.parameters:,}", f"{row.seconds:.1f} s")
    console.print(table)
    if len(rows[0].accuracies) > 1:
        each = ", ".join(f"{100 * a:.2f}" for a in rows[0].accuracies)
        console.print(f"{rows[0].model}: mean and standard deviation of {len(rows[0].accuracies)} seeds ({each}).")
