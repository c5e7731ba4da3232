"""All cases."""

import dataclasses
from fnmatch import fnmatchcase

from ewsnn.benchmarks.case import Case
from ewsnn.benchmarks.problems import Problem

# Depth three, m = 16: a damped rotation of norm 3.04.
DEEP = (
    Problem("fine", 2, 1000, 6, 16, 3, elapsed=1e-3, nodes=3),
    Problem("coarse", 2, 1000, 6, 16, 3, elapsed=1.0, nodes=8),
    Problem("gated", 2, 1000, 6, 16, 3, clock="gated", elapsed=0.032, nodes=5),
    Problem("mean", 2, 1000, 6, 16, 3, elapsed=1e-3, output="mean", nodes=3),
)

# The paper's selected configurations (Table 13) at the batch sizes of its timing table (Table 17).
UEA = (
    Problem("EigenWorms", 8, 17983, 7, 8, 2, "jordan", "clamped", output="mean"),
    Problem("EthanolConcentration", 16, 1749, 3, 24, 2, "free rotation", "time"),
    Problem("Heartbeat", 32, 405, 61, 10, 3, "free rotation", "blended", output="mean"),
    Problem("MotorImagery", 32, 2999, 64, 16, 3, "skew", "time"),
    Problem("SelfRegulationSCP1", 32, 895, 6, 17, 2, "skew", "variation", output="mean"),
    Problem("SelfRegulationSCP2", 32, 1151, 7, 14, 3, "skew", "blended"),
)

LENGTHS = (1_000, 10_000, 100_000, 1_000_000)
LENGTH = tuple(Problem(f"{steps}", 1, steps, 6, 16, 3, elapsed=1 / steps, nodes=3) for steps in LENGTHS)

DEPTH_ONE = Problem("weather", 16, 1440, 17, 64, 1, "free rotation", output="all")

SIGNATURE = tuple(
    Problem(f"{batch}-{length}-{d}-{depth}", batch, length - 1, d, d, depth, "zero", "time")
    for batch, length, d, depth in (
        (32, 128, 4, 4),
        (32, 1000, 4, 4),
        (32, 1000, 10, 3),
        (128, 512, 8, 3),
        (1, 10000, 3, 5),
        (16, 3000, 16, 3),
    )
)
PEERS = ("pysiglib", "signax", "tensordev", "keras-sig", "iisignature")
"""Other libraries for the plain signature, by the names that they are installed under."""

ENGINES = ("auto", "chunked", "scan", "sequential")


def cases() -> tuple[Case, ...]:
    """All cases at full size, in the order in which they are run."""
    return (
        *(Case("deep", problem, method) for problem in DEEP for method in (*ENGINES, "plain_scan")),
        *(Case("uea", problem, "auto") for problem in UEA),
        *(Case("length", problem, "auto") for problem in LENGTH),
        *(Case("length", problem, "plain_scan") for problem in LENGTH[:1]),
        *(Case("depth-one", DEPTH_ONE, method) for method in (*ENGINES, "diagonal_scan")),
        *(
            Case("signature", problem, method, dtype, mode, threads)
            for problem in SIGNATURE
            for threads in (1, 2)
            for dtype in ("float32", "float64")
            for mode in ("forward", "gradient")
            for method in ("auto", *PEERS)
        ),
    )


def quick_cases() -> tuple[Case, ...]:
    """Each kind of case once, at a small size: they show that all runs, and never enter a table."""
    kept = [
        *(Case("deep", DEEP[0], method) for method in ("chunked", "sequential", "plain_scan")),
        Case("uea", UEA[4], "auto"),
        *(Case("depth-one", DEPTH_ONE, method) for method in ("auto", "diagonal_scan")),
        *(Case("signature", SIGNATURE[0], method, "float32", "gradient", 1) for method in ("auto", *PEERS)),
    ]
    return tuple(dataclasses.replace(case, problem=case.problem.small()) for case in kept)


def chosen(every: tuple[Case, ...], pattern: str | None) -> tuple[Case, ...]:
    """The cases whose names match a pattern.

    Args:
        every: Cases.
        pattern: With * and ? as in a shell; a group alone stands for all its cases. None for all.

    Raises:
        ValueError: If none does.
    """
    if pattern is None:
        return every
    found = tuple(case for case in every if fnmatchcase(case.name, pattern) or case.group == pattern)
    if not found:
        groups = ", ".join(dict.fromkeys(case.group for case in every))
        raise ValueError(
            f"no case matches {pattern!r}. Groups are {groups} and accuracy; a name is such as {every[0].name!r}."
        )
    return found
