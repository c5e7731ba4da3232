"""A run as a document: rows, and where they come from."""

import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from ewsnn.benchmarks import provenance
from ewsnn.benchmarks.case import Case
from ewsnn.benchmarks.collect import LIMIT, answer, collect, collect_accuracy

Report = dict[str, Any]


def check_clean(*, allow_dirty: bool) -> None:
    """Refuses to measure code that no commit has, so that every number can be traced.

    Args:
        allow_dirty: Whether it is allowed all the same; the report then says so.

    Raises:
        ValueError: If files of the code differ from the commit.
    """
    if provenance.commit()["dirty"] and not allow_dirty:
        raise ValueError(
            f"files of {', '.join(provenance.CODE)} differ from the commit, so the numbers would be of no commit. "
            "Commit first, or say --allow-dirty: the results are then marked."
        )


def run(
    cases: Sequence[Case],
    checks: Sequence[str],
    *,
    repeats: int,
    quick: bool,
    peers: Path,
    data: Path | None,
    tell: Callable[[dict[str, Any]], None],
    limit: float = LIMIT,
    deadline: float = math.inf,
) -> Report:
    """Measures cases and judges accuracy, and says where and with what.

    Args:
        cases: What to measure.
        checks: Names of checks of accuracy.
        repeats: As for :func:`ewsnn.benchmarks.stopwatch.timed`.
        quick: Whether the cases are the small ones.
        peers: Folder of the environments of other libraries.
        data: Folder of the data of Table 8, or None.
        tell: What to call with each row as it comes.
        limit: Seconds that one case may take.
        deadline: When the cases have to be done, by ``time.perf_counter``.

    Returns:
        The report.
    """
    origin = {
        "quick": quick,
        **provenance.commit(),
        "versions": provenance.versions(),
        "device": provenance.device(),
        "limits": answer([sys.executable, "-m", "ewsnn.benchmarks.limits", *(["--quick"] if quick else [])]),
    }
    rows = collect(cases, repeats=repeats, quick=quick, peers=peers, tell=tell, limit=limit, deadline=deadline)
    accuracy = collect_accuracy(checks, quick=quick, data=data, tell=tell, limit=limit)
    return {**origin, "rows": rows, "accuracy": accuracy}


def write(report: Report, file: Path) -> None:
    """Writes a report as JSON, one row a line: what changes between two runs is then easy to see."""

    def lines(rows: Sequence[dict[str, Any]]) -> str:
        return "[\n" + ",\n".join("    " + json.dumps(row) for row in rows) + "\n  ]" if rows else "[]"

    parts = [
        f"  {json.dumps(key)}: {lines(value) if key in ('rows', 'accuracy') else json.dumps(value)}"
        for key, value in report.items()
    ]
    file.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


def read(file: Path) -> Report | None:
    """The report in a file; None where there is no file, that is where the run was not made, and for a quick run."""
    if not file.exists():
        return None
    report = json.loads(file.read_text(encoding="utf-8"))
    return None if report["quick"] else report


def find(folder: Path, group: str) -> Report | None:
    """The report of a group among those of the engine.

    Args:
        folder: Where the files ``engine*.json`` are.
        group: A group of cases, or "accuracy".

    Returns:
        The report, or None where no file has rows of the group.

    Raises:
        ValueError: If two files have.
    """
    found = {}
    for file in sorted(folder.glob("engine*.json")):
        report = read(file)
        if report and (report["accuracy"] if group == "accuracy" else any(r["group"] == group for r in report["rows"])):
            found[file.name] = report
    if len(found) > 1:
        raise ValueError(f"{' and '.join(found)} both have rows of {group!r}: keep the one whose numbers count.")
    return next(iter(found.values()), None)
