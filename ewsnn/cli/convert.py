"""``ewsnn convert``: the parameters of a trained state-space model as an EWS of depth one."""

import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import click
import numpy as np

from ewsnn.cli.console import console
from ewsnn.cli.place import PLACE
from ewsnn.convert import KINDS, AbstractConverted, LinearConverted, part, read
from ewsnn.convert import convert as converted
from ewsnn.convert.selective import Selective
from ewsnn.train.checkpoint import write_atomically

__all__ = ["convert"]


@click.command()
@click.argument("file", type=PLACE)
@click.option("--kind", required=True, type=click.Choice(list(KINDS)), help="What model the parameters are of.")
@click.option(
    "--option",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option of the kind, such as discretisation=zoh or headdim=64; values are read as JSON, else as text.",
)
@click.option("--prefix", metavar="LAYER", help="The layer of a whole model: only names below it are read.")
@click.option(
    "--rename",
    "renamed",
    multiple=True,
    metavar="NAME=STORED",
    help="Under what name a parameter is stored; the arrays of an .eqx file are stored as 0, 1, ….",
)
@click.option("--leave-out", "left_out", multiple=True, metavar="NAME", help="A name that is no parameter.")
@click.option("--out", type=PLACE, help="Write generator, lift and read-out here, as .npz.")
def convert(
    file: Path,
    kind: str,
    options: tuple[str, ...],
    prefix: str | None,
    renamed: tuple[str, ...],
    left_out: tuple[str, ...],
    out: Path | None,
) -> None:
    """Convert the parameters in FILE (.safetensors, .npz, .eqx; .pt with PyTorch) to an EWS of depth one.

    A selective model is held against its own recurrence on random inputs, and the difference is printed. The archive
    has the arrays kind, generator (heads, m, m) and lift (heads, m, d); of a time-invariant model readout.matrix
    (outputs, heads, m) and readout.skip, of a selective one the parameters from which it is computed.
    """
    if out is not None and (out.is_dir() or not out.absolute().parent.is_dir()):
        raise ValueError(f"{out}: wanted the name of a file in a folder that exists.")
    try:
        parameters: dict[str, Any] = dict(read(file))
    except ImportError as error:
        raise click.ClickException(str(error)) from error
    if prefix is not None:
        parameters = part(parameters, prefix)
    for name in left_out:
        parameters.pop(_stored(parameters, name, file))
    for word in renamed:
        name, stored = _pair(word, "--rename")
        parameters[name] = parameters.pop(_stored(parameters, stored, file))
    given = dict(_pair(word, "--option") for word in options)
    try:
        found = converted(kind, parameters, **{name: _value(text) for name, text in given.items()})
    except TypeError as error:  # what is stored under the name is no array of numbers
        raise click.ClickException(f"{file}: {error}") from error
    console.print(f"{kind}: {found.heads} heads of {found.m} letters, paths of {found.d} channels")
    console.print(f"Spectrum of the generators: {spectrum(found)}")
    if isinstance(found, Selective):
        console.print(f"Largest difference from the model's own recurrence: {found.error():.1e} of its largest state")
    if out is not None:
        write_atomically(out, archive(found))
        console.print(f"Written: {out}")


def spectrum(found: AbstractConverted) -> str:
    """The ranges of the eigenvalues of all heads, in words.

    Args:
        found: The model.
    """
    eigenvalues = np.linalg.eigvals(found.generator.matrix())
    decay, turn = eigenvalues.real, np.abs(eigenvalues.imag)
    return (
        f"rates {decay.min():.4g} to {decay.max():.4g}, frequencies {turn.min():.4g} to {turn.max():.4g} "
        "for one unit of the clock"
    )


def archive(found: AbstractConverted) -> bytes:
    """Generator, lift and read-out as the content of an .npz file.

    Args:
        found: The model.
    """
    arrays = {"kind": np.array(found.kind), "generator": found.generator.matrix(), "lift": found.lift}
    if isinstance(found, LinearConverted):
        arrays["readout.matrix"] = np.asarray(found.readout.matrix)
        if found.readout.skip is not None:
            arrays["readout.skip"] = np.asarray(found.readout.skip)
    if isinstance(found, Selective):
        model = found.selection
        parameters = {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}
        arrays |= {f"readout.{name}": np.asarray(value) for name, value in parameters.items() if value is not None}
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    return content.getvalue()


def _pair(word: str, option: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    if not (name and equals and value):
        raise click.BadParameter(f"wanted name=value, got {word!r}.", param_hint=f"'{option}'")
    return name, value


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _stored(parameters: dict[str, Any], name: str, file: Path) -> str:
    if name not in parameters:
        raise ValueError(f"{file}: no {name!r} in it, but {', '.join(sorted(parameters))}.")
    return name
