"""``python -m ewsnn.benchmarks.gpu``: the tests and the benchmarks on a GPU, in under eight minutes.

A plain checkout is enough: ``PYTHONPATH=. python -m ewsnn.benchmarks.gpu`` where JAX finds a GPU. Without one it says
so, and writes nothing.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter

import jax

from ewsnn.benchmarks import report
from ewsnn.benchmarks.case import OPPONENTS, Case
from ewsnn.benchmarks.cases import cases
from ewsnn.benchmarks.provenance import ROOT
from ewsnn.benchmarks.tables import line

SECONDS = 470.0
"""The most that a run takes: a case that does not end in time has failed."""
MARK = "pytest.mark.gpu"
FOR_TESTS = 170.0
FOR_ONE_CASE = 90.0


def gpu_cases() -> list[Case]:
    """The cases that are measured on a GPU."""
    kept = [case for case in cases() if case.method == "auto" and case.group in ("deep", "depth-one", "uea", "length")]
    against = [case for case in cases() if case.method in OPPONENTS and case.group != "length"]
    # The plain scan compiles slowly: once is what the time allows.
    return [*against[:1], *against[-1:], *kept]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the tests that are marked ``gpu``, then the cases, and writes a report.

    Args:
        arguments: What stands on the command line; None for that of the process.

    Returns:
        0 when tests pass and every case was measured; 1 without a GPU, or when something fails.
    """
    parser = argparse.ArgumentParser(prog="python -m ewsnn.benchmarks.gpu", description="Test and measure on a GPU.")
    parser.add_argument("--json", type=Path, default=ROOT / "docs" / "results" / "gpu.json", metavar="FILE")
    parser.add_argument("--allow-dirty", action="store_true", help="measure code that is not committed; it is marked")
    options = parser.parse_args(arguments)
    began = perf_counter()
    # This process computes nothing: the memory is for those of the cases.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    if jax.default_backend() != "gpu":
        _say(f"JAX finds no GPU here (it has {jax.default_backend()}): nothing was run, and nothing is written.")
        return 1
    try:
        report.check_clean(allow_dirty=options.allow_dirty)
    except ValueError as error:
        _say(str(error))
        return 1
    passed = _tests()
    found = report.run(
        gpu_cases(),
        (),
        repeats=9,
        quick=False,
        peers=Path(),
        data=None,
        tell=lambda row: _say(line(row)),
        limit=FOR_ONE_CASE,
        deadline=began + SECONDS,
    )
    report.write({**found, "tests": passed}, options.json)
    failed = [row["name"] for row in found["rows"] if "failed" in row]
    _say(
        f"{options.json} is written after {perf_counter() - began:.0f} s; tests: {passed}; failed: {failed or 'none'}."
    )
    return int(bool(failed) or not passed.startswith("passed"))


def _tests() -> str:
    """Runs the tests marked gpu; how that went.

    Only the files that have such tests are read, and no conftest: others need ewsmath, whose packages a GPU machine may
    not have. What the root conftest says to JAX is said by the environment.
    """
    files = [
        str(file) for file in sorted((ROOT / "tests").rglob("test_*.py")) if MARK in file.read_text(encoding="utf-8")
    ]
    if not files or find_spec("pytest") is None:
        return "not run: " + ("pytest is not installed" if files else "no test is marked gpu")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--noconftest", "-o", "addopts="]
    environment = {
        **os.environ,
        "JAX_ENABLE_X64": "1",
        "JAX_NUMPY_RANK_PROMOTION": "raise",
        "JAX_NUMPY_DTYPE_PROMOTION": "strict",
    }
    words = ["--import-mode=importlib", "-o", "markers=gpu", "-m", "gpu", *files]
    try:
        code = subprocess.run([*command, *words], cwd=ROOT, timeout=FOR_TESTS, env=environment).returncode
    except subprocess.TimeoutExpired:
        return f"stopped after {FOR_TESTS:.0f} s"
    return "passed" if code == 0 else f"failed, exit code {code}"


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
