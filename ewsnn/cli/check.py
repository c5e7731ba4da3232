"""``ewsnn check``: the trained layer on real test series, against the exact oracle."""

import math
import time
from pathlib import Path

import click
import jax
import numpy as np
from rich.table import Table

from ewsnn.cli.console import console, device_option, use_device
from ewsnn.cli.place import PLACE
from ewsnn.cli.source import test_set
from ewsnn.data import Dataset
from ewsnn.oracle import Certificate, certify
from ewsnn.train.predictor import Predictor, load
from ewsnn.train.run import Run

__all__ = ["certify_case", "check"]


@click.command()
@click.argument("run", type=PLACE)
@click.option("--series", default=3, show_default=True, type=click.IntRange(1), help="How many test series.")
@click.option(
    "--seconds",
    default=40.0,
    show_default=True,
    type=click.FloatRange(0),
    help="No further series is begun after that.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Chooses the series.")
@device_option
def check(run: Path, series: int, seconds: float, seed: int, wanted: str) -> None:
    """Certify the trained layer in the folder RUN on test series of its own data.

    The layer's states are compared with the exact EWS of the same binary numbers, computed in balls: the errors
    are upper bounds that hold. The exit code is not 0 if one is over the bound that round-off explains.
    """
    if math.isnan(seconds):  # no comparison refuses it, nor would one ever stop the check
        raise click.BadParameter("wanted a number, found nan.", param_hint="'--seconds'")
    began = time.perf_counter()
    opened = Run.open(run)
    data = test_set(opened)
    console.print(f"Device: {use_device(wanted, opened.config.x64)}")
    model = load(run)
    found: list[Certificate] = []
    for case in np.random.default_rng(seed).permutation(len(data))[:series]:
        if found and time.perf_counter() - began > seconds:
            console.print(f"{seconds:g} seconds have passed: {len(found)} of {series} series were certified.")
            break
        certificate = certify_case(model, data, int(case))
        found.append(certificate)
        verdict = "within" if certificate.ok else "OVER"
        console.print(
            f"{data.name}, test series {case + 1}: {certificate.steps} steps, largest certified error "
            f"{max(certificate.errors):.1e}, {verdict} the bound {certificate.bound:.1e}"
        )
    table = Table("level", "entries", "certified error", "at the end", "bound")
    for level in range(opened.config.depth):
        table.add_row(
            str(level + 1),
            str(opened.config.letters ** (level + 1)),
            f"{max(c.errors[level] for c in found):.1e}",
            f"{max(c.terminal[level] for c in found):.1e}",
            f"{max(c.bound for c in found):.1e}",
        )
    console.print(table)
    console.print(
        f"Largest errors over {len(found)} series, relative to the level's largest entry; "
        f"{found[0].dtype} against balls of {found[0].prec} bits; {time.perf_counter() - began:.1f} s."
    )
    if not all(certificate.ok for certificate in found):
        raise ValueError("A certified error is over the bound that round-off explains: the layer is not exact.")


def certify_case(model: Predictor, data: Dataset, case: int) -> Certificate:
    """The certificate of a model's layer on one case.

    Args:
        model: The model.
        data: The data set.
        case: The place of the case, from 0.
    """
    increments = model.read(data.subset([case]))
    return certify(model.model.layer, jax.tree.map(lambda x: x[0], increments))
