"""What the engine has to reach, and whether it did: the bars, read off the rows of one run."""

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ewsnn.benchmarks.cases import DEEP, SIGNATURE, UEA

Row = dict[str, Any]

JAX_PEERS = ("signax", "tensordev", "keras-sig")


@dataclasses.dataclass(frozen=True)
class Bar:
    """One thing to reach.

    Args:
        group: The table that it is read off.
        claim: What is to hold.
        reached: The number that was reached; NaN where a row that it needs is missing or failed.
        least: The least that it may be, or None.
        most: The most that it may be, or None.
    """

    group: str
    claim: str
    reached: float
    least: float | None = None
    most: float | None = None

    @property
    def is_met(self) -> bool:
        """Whether the number was measured and lies within the bar.

        >>> [Bar("deep", "twice as fast", reached, least=2.0).is_met for reached in (2.5, 1.5, math.nan)]
        [True, False, False]
        """
        return (
            not math.isnan(self.reached)
            and (self.least is None or self.reached >= self.least)
            and (self.most is None or self.reached <= self.most)
        )

    @property
    def verdict(self) -> str:
        """The same in words, with "not measured" where there is no number."""
        return "met" if self.is_met else "not measured" if math.isnan(self.reached) else "**missed**"


def bars(rows: Iterable[Row], accuracy: Iterable[Row] = ()) -> list[Bar]:
    """The bars of all groups that have rows.

    Args:
        rows: Rows of cases.
        accuracy: Rows of the checks of accuracy.
    """
    every = list(rows)
    groups = {row["group"] for row in every}
    by_group: dict[str, Callable[[list[Row]], list[Bar]]] = {
        "deep": _deep,
        "uea": _uea,
        "length": _length,
        "depth-one": _depth_one,
        "signature": _signature,
    }
    found = [bar for name, of in by_group.items() if name in groups for bar in of(_of(every, group=name))]
    compiled = [row["compile_seconds"] for row in every if row["method"] == "auto" and "compile_seconds" in row]
    if compiled:
        found.append(Bar("all", "seconds to compile, the longest with engine auto", max(compiled), most=10.0))
    return found + _accuracy(list(accuracy))


def exponent(rows: Sequence[Row]) -> float:
    """The slope of log(seconds) over log(steps), by least squares; NaN for fewer than two rows."""
    points = [(row["problem"]["steps"], row["seconds"]) for row in rows if "failed" not in row]
    if len(points) < 2:
        return math.nan
    steps, seconds = np.log(np.array(points)).T
    return float(np.polyfit(steps, seconds, 1)[0])


def value(rows: Iterable[Row], field: str, **wanted: Any) -> float:
    """A number of the one row that is wanted; NaN where it is missing or failed."""
    for row in _of(rows, **wanted):
        if "failed" not in row and row.get(field) is not None:
            return float(max(row[field]) if isinstance(row[field], list) else row[field])
    return math.nan


def _of(rows: Iterable[Row], **wanted: Any) -> list[Row]:
    return [
        row
        for row in rows
        if all((row["problem"]["name"] if key == "problem" else row[key]) == x for key, x in wanted.items())
    ]


def _ratio(rows: list[Row], field: str, over: str, under: str, **wanted: Any) -> float:
    return value(rows, field, method=over, **wanted) / value(rows, field, method=under, **wanted)


def _deep(rows: list[Row]) -> list[Bar]:
    found = []
    for problem, least in zip(DEEP, (50.0, 20.0, 30.0, 5.0), strict=True):
        name = problem.name
        found.append(
            Bar("deep", f"{name}: times faster than the plain scan",
                _ratio(rows, "seconds", "plain_scan", "auto", problem=name), least=least)
        )  # fmt: skip
        if name in ("fine", "mean"):
            found.append(
                # Without compilation, whose memory is the compiler's and does not grow with the data.
                Bar("deep", f"{name}: part of the plain scan's memory, in steps alone",
                    _ratio(rows, "step_peak_bytes", "auto", "plain_scan", problem=name), most=0.1)
            )  # fmt: skip
        found += [
            Bar("deep", f"{name}: error", value(rows, "level_errors", method="auto", problem=name), most=2e-6),
            Bar("deep", f"{name}: time of engine scan, of the plain scan's",
                _ratio(rows, "seconds", "scan", "plain_scan", problem=name), most=1.0),
        ]  # fmt: skip
    return found


def _uea(rows: list[Row]) -> list[Bar]:
    found = [
        Bar("uea", f"{problem.name}: seconds of a step (it runs)", value(rows, "seconds", problem=problem.name))
        for problem in UEA
    ]
    gibibytes = value(rows, "peak_bytes", problem="MotorImagery") / 2**30
    return [*found, Bar("uea", "MotorImagery: GiB of memory", gibibytes, most=1.0)]


def _length(rows: list[Row]) -> list[Bar]:
    return [Bar("length", "exponent of the time in the length", exponent(_of(rows, method="auto")), most=1.05)]


def _depth_one(rows: list[Row]) -> list[Bar]:
    claim = "time, of that of the diagonal recurrence"
    return [Bar("depth-one", claim, _ratio(rows, "seconds", "auto", "diagonal_scan"), most=1.0)]


def _signature(rows: list[Row]) -> list[Bar]:
    """The first two problems are short: there calling costs as much as computing, and the bars are lower."""
    found = []
    for place, problem in enumerate(SIGNATURE):
        for threads in (1, 2):
            for dtype in ("float32", "float64"):
                of = {"problem": problem.name, "threads": threads, "dtype": dtype}
                told = f"{problem.name}, {dtype}, {threads} cores"
                gradients, forwards = _of(rows, mode="gradient", **of), _of(rows, mode="forward", **of)
                fastest = _fastest(gradients, set(map(str, {row["method"] for row in gradients})) - {"auto"})
                found += [
                    Bar("signature", f"{told}: gradient, times faster than the fastest other",
                        fastest / value(gradients, "seconds", method="auto"), least=2.0 if place >= 2 else 1.0),
                    Bar("signature", f"{told}: forward, times faster than the fastest JAX library",
                        _fastest(forwards, set(JAX_PEERS)) / value(forwards, "seconds", method="auto"), least=1.0),
                    Bar("signature", f"{told}: forward, time over that of pysiglib",
                        _ratio(forwards, "seconds", "auto", "pysiglib"), most=2.0 if place >= 2 else 3.0),
                ]  # fmt: skip
    return found


def _fastest(rows: list[Row], methods: set[str]) -> float:
    seconds = [row["seconds"] for row in rows if row["method"] in methods and "failed" not in row]
    return min(seconds, default=math.nan)


def _accuracy(rows: list[Row]) -> list[Bar]:
    """One bar for each kind, engine and precision: the worst error over its own bar."""
    worst: dict[tuple[str, str, str], float] = {}
    for row in rows:
        if "failed" in row:
            worst["checks that failed", "", ""] = math.nan
            continue
        key = (row["kind"], row.get("engine", "auto"), row["dtype"])
        worst[key] = max(worst.get(key, 0.0), max(row["errors"]) / row["bar"])
    return [
        Bar("accuracy", " ".join(filter(None, key)) + ": largest error over its bar", ratio, most=1.0)
        for key, ratio in worst.items()
    ]
