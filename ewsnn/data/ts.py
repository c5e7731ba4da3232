"""A strict reader of the ``.ts`` files of the UEA and UCR archives.

A file is a header of lines ``@tag value``, the line ``@data``, and one case a line: channels separated by
colons, values by commas, the class name last. With ``@timestamps true`` a channel is a list of pairs
``(stamp,value)``. A missing value is written ``?``.

Lenient readers fill, cut or re-space data that do not fit their header. This one never does: it raises an
error that names the file, the line and the case, and says what was wanted and what was found.
"""

import dataclasses
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ewsnn.data.dataset import Dataset

__all__ = ["read_ts"]

_TAGS = (
    "problemname",
    "timestamps",
    "missing",
    "univariate",
    "dimensions",
    "equallength",
    "serieslength",
    "classlabel",
    "targetlabel",
)
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_COUNT = re.compile(r"0{0,9}[1-9][0-9]{0,17}")
_TAG = re.compile(r"@(\S*)\s*(.*)")
_VALUE = re.compile(rf"\s*(?:({_NUMBER})|\?|[nN][aA][nN])\s*")
_PAIR = re.compile(rf"\s*\(\s*({_NUMBER})\s*,\s*((?:{_NUMBER})|\?|[nN][aA][nN])\s*\)\s*")

Array = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True)
class _Header:
    """What the lines before ``@data`` declare; None where they declare nothing."""

    name: str
    stamped: bool
    classes: tuple[str, ...] | None
    missing: bool | None = None
    channels: int | None = None
    equal: bool | None = None
    length: int | None = None


def read_ts(path: str | os.PathLike[str], *, trust: Literal["header", "data"] = "header") -> Dataset:
    """The data set in a ``.ts`` file.

    Args:
        path: The file, as it is named: no suffix is added.
        trust: "header" refuses data that contradict ``@equalLength``, ``@seriesLength``, ``@dimensions``,
            ``@univariate`` or ``@missing``; "data" ignores what these five declare. Channels of one case
            must have one length in either mode.

    Returns:
        The data set: series (observations, channels) in float64, stamps where the file has them, class names
        in the header's order. Missing values are NaN, to be refused by whoever cannot use them.

    Raises:
        ValueError: If the file is not a well-formed ``.ts`` file of class-labelled series.
        OSError: If the file cannot be read.
    """
    if trust not in ("header", "data"):
        raise ValueError(f"trust={trust!r}. Allowed are 'header' and 'data'.")
    file = Path(path)
    if file.is_dir():
        raise ValueError(f"{file}: wanted a .ts file, got a folder.")
    with file.open(encoding="utf-8", errors="surrogateescape") as text:
        lines = _decoded(file, text)
        header = _read_header(file, lines)
        if trust == "data":
            header = dataclasses.replace(header, missing=None, channels=None, equal=None, length=None)
        cases = list(_read_cases(file, lines, header))
    if not cases:
        raise ValueError(f"{file}: wanted cases after @data, found none: the file is cut off or empty.")
    series, stamps, labels = zip(*cases, strict=True)
    return Dataset(
        name=header.name or file.stem,
        series=series,
        classes=header.classes or (),
        labels=None if header.classes is None else np.array(labels),
        times=stamps if header.stamped else None,
    )


def _decoded(file: Path, text: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yields the numbered lines; bytes that are no UTF-8 are let pass in comments, where old files have them."""
    for number, line in enumerate(text, 1):
        strange = [c for c in line if "\udc80" <= c <= "\udcff"]  # how surrogateescape marks a byte
        if strange and line.strip()[0] not in "#%":
            raise ValueError(
                f"{file}, line {number}: wanted UTF-8 text, found the byte 0x{ord(strange[0]) - 0xDC00:02x}. "
                "Save the file as UTF-8. Is it a .ts file (and not an archive)?"
            )
        yield number, line


def _read_header(file: Path, lines: Iterator[tuple[int, str]]) -> _Header:
    found: dict[str, str] = {}
    for number, line in lines:
        line = line.strip().removeprefix("\ufeff")
        if not line or line[0] in "#%":
            continue
        where = f"{file}, line {number}"
        if not (match := _TAG.fullmatch(line)):
            raise ValueError(
                f"{where}: wanted a header line that begins with @, found {_short(line)}. "
                "Is this a .ts file (and not a web page or an archive)?"
            )
        tag, value = match[1].lower(), match[2]
        tag = "dimensions" if tag == "dimension" else tag  # both are in use
        if tag == "data":
            return _declared(file, found)
        if tag not in _TAGS:
            raise ValueError(f"{where}: unknown tag @{tag}. Known are {', '.join(_TAGS)}, data.")
        # Some archive files carry two names, which does no harm; all else would be ambiguous.
        if found.setdefault(tag, value) != value and tag != "problemname":
            raise ValueError(f"{where}: second @{tag}, {_short(value)} after {_short(found[tag])}.")
    raise ValueError(f"{file}: wanted the line @data, found the end of the file. It is cut off, or no .ts file.")


def _declared(file: Path, found: dict[str, str]) -> _Header:
    def flag(tag: str) -> bool | None:
        if tag not in found:
            return None
        first = found[tag].lower().split()[:1]
        if first not in (["true"], ["false"]):
            raise ValueError(f"{file}, @{tag}: wanted true or false, found {_short(found[tag])}.")
        return first == ["true"]

    def count(tag: str) -> int | None:
        if tag in found and not _COUNT.fullmatch(found[tag]):
            raise ValueError(f"{file}, @{tag}: wanted a positive whole number, found {_short(found[tag])}.")
        return int(found[tag]) if tag in found else None

    if flag("targetlabel"):
        raise ValueError(f"{file}: @targetlabel true. Regression targets are not read, only class labels.")
    classes = tuple(found["classlabel"].split()[1:]) if flag("classlabel") else None
    if classes is not None and (not classes or len(set(classes)) < len(classes)):
        raise ValueError(f"{file}, @classlabel: wanted distinct class names, found {_short(found['classlabel'])}.")
    channels, univariate = count("dimensions"), flag("univariate")
    if univariate and channels not in (None, 1):
        raise ValueError(f"{file}: @univariate true contradicts @dimensions {channels}.")
    return _Header(
        name=found.get("problemname", ""),
        stamped=bool(flag("timestamps")),
        classes=classes,
        missing=flag("missing"),
        channels=1 if univariate else channels,
        equal=flag("equallength"),
        length=count("serieslength"),
    )


def _read_cases(
    file: Path, lines: Iterator[tuple[int, str]], header: _Header
) -> Iterator[tuple[Array, Array | None, int]]:
    """Yields (series, stamps, label) for each case; labels are -1 where the file has none."""
    places = {name: k for k, name in enumerate(header.classes or ())}
    case, first = 0, None
    for number, line in lines:
        if not line.strip() or line.strip()[0] in "#%":
            continue
        case += 1
        where = f"{file}, line {number}, case {case}"
        fields = line.strip().split(":")
        label = -1
        if header.classes is not None:
            name = fields.pop().strip()
            if name not in places or not fields:
                raise ValueError(
                    f"{where}: wanted a class name at the end of the line, "
                    f"one of {' '.join(header.classes)}; found {_short(name)}."
                )
            label = places[name]
        wanted = header.channels or (first.shape[1] if first is not None else None)
        if wanted is not None and len(fields) != wanted:
            raise ValueError(f"{where}: wanted {wanted} channels, found {len(fields)}.")
        read = _read_stamped if header.stamped else _read_plain
        columns, stamps = zip(*(read(where, k, text) for k, text in enumerate(fields, 1)), strict=True)
        for k, column in enumerate(columns, 1):
            if len(column) != len(columns[0]):
                raise ValueError(
                    f"{where}: wanted channels of one length, found {len(columns[0])} values in channel 1 "
                    f"and {len(column)} in channel {k}."
                )
            if header.stamped and not np.array_equal(stamps[k - 1], stamps[0]):
                raise ValueError(f"{where}: wanted the time stamps of channel 1, found others in channel {k}.")
        series = np.stack(columns, axis=1)
        _check(where, header, series, first)
        if first is None:
            first = series
        yield series, stamps[0], label


def _check(where: str, header: _Header, series: Array, first: Array | None) -> None:
    """What the header declares of lengths and missing values."""
    wanted = header.length if header.equal is not False else None
    if wanted is None and header.equal and first is not None:
        wanted = len(first)
    if wanted is not None and len(series) != wanted:
        raise ValueError(f"{where}: wanted {wanted} observations, as the header says, found {len(series)}.")
    if header.missing is False and np.isnan(series).any():
        k, channel = np.argwhere(np.isnan(series))[0]
        raise ValueError(
            f"{where}: wanted a number, as the header says @missing false, found a missing value "
            f"in channel {channel + 1}, observation {k + 1}."
        )


def _read_plain(where: str, channel: int, text: str) -> tuple[Array, None]:
    values = []
    for k, token in enumerate(text.split(","), 1):
        match = _VALUE.fullmatch(token)
        if not match:
            raise ValueError(f"{where}, channel {channel}, value {k}: wanted a number or ?, found {_short(token)}.")
        values.append(float(match[1] or "nan"))
    return _finite(f"{where}, channel {channel}", "value", np.array(values)), None


def _read_stamped(where: str, channel: int, text: str) -> tuple[Array, Array]:
    stamps, values, at = [], [], 0
    while at < len(text) or not values:
        place = f"{where}, channel {channel}, value {len(values) + 1}"
        match = _PAIR.match(text, at)
        if not match or (match.end() < len(text) and text[match.end()] != ","):
            raise ValueError(f"{place}: wanted a pair (number,number) or (number,?), found {_short(text[at:])}.")
        stamps.append(float(match[1]))
        values.append(float("nan") if match[2].lower() in ("?", "nan") else float(match[2]))
        at = match.end() + 1
        if at == len(text):  # a comma with nothing behind it
            raise ValueError(f"{place}: wanted another pair behind the comma, found nothing.")
    times = _finite(f"{where}, channel {channel}", "stamp", np.array(stamps))
    back = np.flatnonzero(times[1:] < times[:-1])
    if back.size:
        k = int(back[0]) + 1
        raise ValueError(
            f"{where}, channel {channel}, value {k + 1}: wanted a stamp of at least {times[k - 1]}, found {times[k]}."
        )
    return _finite(f"{where}, channel {channel}", "value", np.array(values)), times


def _finite(where: str, what: str, values: Array) -> Array:
    if np.isinf(values).any():
        k = int(np.flatnonzero(np.isinf(values))[0])
        raise ValueError(f"{where}, {what} {k + 1}: wanted a finite number, found one too large.")
    return values


def _short(text: str) -> str:
    text = text.strip()
    return repr(text if len(text) <= 40 else text[:37] + "…")
