"""``python -m ewsmath.benchmarks``: time all cases, print a table, write JSON."""

from __future__ import annotations

import argparse
import cProfile
import io
import json
import os
import platform
import pstats
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import process_time
from typing import Any

import flint

from ewsmath.benchmarks.cases import cases
from ewsmath.benchmarks.timing import Case, Row, measured

PACKAGES = ("ews", "python-flint", "sympy", "mpmath", "roughpy")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmarks.

    Args:
        arguments: What stands on the command line; None for that of the process.

    Returns:
        0 when all bars are met, else 1.
    """
    parser = argparse.ArgumentParser(prog="python -m ewsmath.benchmarks", description="Time the exact side.")
    parser.add_argument("--repeats", type=int, default=7, help="times that each case is run; medians are shown (7)")
    parser.add_argument("--small", action="store_true", help="small sizes, one repeat: a check, no measurement")
    parser.add_argument("--profile", action="store_true", help="also say where each case spends its time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the rows and all versions to a file")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error(f"--repeats must be at least 1, got {options.repeats}")
    rows: list[Row] = []
    for case in cases(small=options.small):
        found = measured(case, 1 if options.small else options.repeats)
        sys.stdout.write(table(found, judged=not options.small))
        if options.profile:
            sys.stdout.write(profile(case))
        sys.stdout.flush()
        rows += found
    if options.json is not None:
        report = {"versions": versions(), "machine": machine(), "rows": [row.as_dict() for row in rows]}
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return int(not (options.small or all(row.is_met for row in rows)))


def table(rows: Sequence[Row], *, judged: bool = True) -> str:
    """The lines of one case.

    Args:
        rows: Its rows.
        judged: Whether the bars are told, and whether they are met.

    Returns:
        The case and its time on one line, and one line for each opponent.

    >>> print(table([Row("a sum", 0.002, None, "a slower sum", 0.01, 4, 7)]), end="")
    a sum: 2.00 ms
            10.00 ms      5.0 x   a slower sum (bar 4 x: met)
    """

    def verdict(row: Row, bar: str) -> str:
        return f" (bar {bar}: {'met' if row.is_met else 'MISSED'})" if judged else ""

    first = rows[0]
    told = "" if first.bar is None else verdict(first, f"{1000 * first.bar:.0f} ms")
    lines = [f"{first.case}: {1000 * first.seconds:.2f} ms{told}"]
    for row in rows:
        if row.opponent_seconds is not None:
            told = "" if row.ratio_bar is None else verdict(row, f"{row.ratio_bar} x")
            lines.append(f"{1000 * row.opponent_seconds:>13.2f} ms {row.ratio:>8.1f} x   {row.opponent}{told}")
    return "".join(f"{line}\n" for line in lines)


def profile(case: Case) -> str:
    """Where a case and the plain way to it spend their own time: the five functions that take most."""
    told = []
    for name, run in [(case.name, case.run), *((o.name, o.run) for o in case.opponents)]:
        profiler = cProfile.Profile(process_time)
        profiler.runcall(run)
        written = io.StringIO()
        pstats.Stats(profiler, stream=written).strip_dirs().sort_stats("tottime").print_stats(5)
        functions = written.getvalue().partition("ncalls")[2].strip().splitlines()[1:]
        told += [f"    {name}, by calls, own time and function", *(_brief(f) for f in functions if f)]
    return "".join(f"{line}\n" for line in told)


def _brief(line: str) -> str:
    calls, own, _, _, _, function = line.split(maxsplit=5)
    return f"{calls:>14} {1000 * float(own):>8.0f} ms   {function}"


def versions() -> dict[str, str | None]:
    """The versions of Python, of flint and of the packages, None for those that are not installed."""
    found: dict[str, str | None] = {"python": platform.python_version(), "flint": flint.__FLINT_VERSION__}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def machine() -> dict[str, Any]:
    """What the machine says of itself."""
    return {"system": platform.system(), "processor": platform.machine(), "cores": os.cpu_count()}


if __name__ == "__main__":
    sys.exit(main())
