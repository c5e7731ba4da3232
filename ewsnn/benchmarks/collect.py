"""Runs cases, each in a fresh process, and gathers what they say."""

import json
import math
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from ewsnn.benchmarks import peer
from ewsnn.benchmarks.case import Case
from ewsnn.benchmarks.cases import PEERS
from ewsnn.benchmarks.environments import NotInstalled, python_of
from ewsnn.benchmarks.problems import Problem

Row = dict[str, Any]

LIMIT = 900.0
"""Seconds after which a case is stopped, and has failed."""

# How far the norms of two methods may differ: single precision through a thousand steps, and double, where one of
# the libraries returns gradients in single.
_AGREEMENT = {"float32": 1e-3, "float64": 1e-6}


def collect(
    cases: Iterable[Case],
    *,
    repeats: int,
    quick: bool,
    peers: Path,
    tell: Callable[[Row], None],
    limit: float = LIMIT,
    deadline: float = math.inf,
) -> list[Row]:
    """Measures cases one after the other.

    Args:
        cases: What to measure.
        repeats: As for :func:`ewsnn.benchmarks.stopwatch.timed`.
        quick: Whether the cases are the small ones, which install nothing.
        peers: Folder of the environments of other libraries.
        tell: What to call with each row as it comes.
        limit: Seconds that one case may take.
        deadline: When all has to be done, by ``time.perf_counter``.

    Returns:
        A row for each case. One that failed has the reason under "failed"; so has one whose result is another than that
        of the first method of the same problem.
    """
    rows: list[Row] = []
    for case in cases:
        left = min(limit, deadline - perf_counter())
        if left <= 0:
            found = {"failed": "not begun: the time for the whole run was over"}
        elif case.method in PEERS:
            found = _by_peer(case, repeats, quick, peers, left)
        else:
            command = [sys.executable, "-m", "ewsnn.benchmarks.worker", case.name, "--repeats", str(repeats)]
            found = answer([*command, "--quick"] if quick else command, left)
        row = {**case.as_dict(), **found}
        _compare(row, rows)
        rows.append(row)
        tell(row)
    return rows


def collect_accuracy(
    names: Iterable[str], *, quick: bool, data: Path | None, tell: Callable[[Row], None], limit: float = LIMIT
) -> list[Row]:
    """Judges the engines by balls, one check after the other.

    Args:
        names: Of :func:`ewsnn.benchmarks.accuracy.checks`.
        quick: Whether sizes are small.
        data: Folder of the data of Table 8; None for synthetic data alone.
        tell: What to call with each row as it comes.
        limit: Seconds that one check may take.

    Returns:
        The rows; one with the reason under "failed" for a check that failed.
    """
    rows: list[Row] = []
    for name in names:
        command = [sys.executable, "-m", "ewsnn.benchmarks.accuracy", name, *(["--quick"] if quick else [])]
        found = answer(command if data is None else [*command, "--data", str(data)], limit)
        for row in found.get("rows", [{"failed": found.get("failed", "it printed no rows")}]):
            rows.append({"name": name, **row})
            tell(rows[-1])
    return rows


def answer(command: Sequence[str], limit: float = LIMIT) -> Row:
    """What a process prints in its last line, as JSON; under "failed" why there is none.

    Args:
        command: The process to run.
        limit: Seconds that it may take.
    """
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"failed": f"stopped after {limit:.0f} s"}
    lines = done.stdout.splitlines()
    if lines and lines[-1].startswith("{"):
        return json.loads(lines[-1])
    last = next((line for line in reversed(done.stderr.splitlines()) if line.strip()), "no word")
    killed = "killed, out of memory perhaps: " if done.returncode < 0 else ""
    return {"failed": f"{killed}exit code {done.returncode}: {last.strip()}"}


def _by_peer(case: Case, repeats: int, quick: bool, peers: Path, limit: float) -> Row:
    try:
        python = python_of(case.method, peers, install=not quick)
    except NotInstalled as reason:
        return {"failed": f"not installed: {reason}"}
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "data.npz")
        _write(case.problem, data)
        words = [
            case.method,
            data,
            case.problem.depth,
            case.dtype,
            case.mode,
            case.threads or 1,
            1 if quick else repeats,
        ]
        return answer([str(python), peer.__file__, *map(str, words)], limit)


def _write(problem: Problem, file: str) -> None:
    np.savez(file, points=problem.points(), cotangents=np.concatenate(problem.cotangents(), axis=-1))


def _compare(row: Row, rows: Sequence[Row]) -> None:
    """Marks a row as failed whose result is not that of the first that has one for the same problem."""
    if "norm" not in row:
        return
    for other in rows:
        same = all(other[key] == row[key] for key in ("group", "problem", "dtype", "mode"))
        if same and "norm" in other and "failed" not in other:
            if not abs(row["norm"] - other["norm"]) <= _AGREEMENT[row["dtype"]] * other["norm"]:
                row["failed"] = f"another result: norm {row['norm']:.6g}, {other['method']} has {other['norm']:.6g}"
            return
