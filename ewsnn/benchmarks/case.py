"""A case: one problem, solved by one method."""

import dataclasses
from typing import Any

from ewsnn.benchmarks.problems import Problem

OPPONENTS = ("plain_scan", "diagonal_scan")
"""Opponents that are ours, in :mod:`ewsnn.benchmarks.opponents`."""


@dataclasses.dataclass(frozen=True)
class Case:
    """What is measured in one process.

    Args:
        group: The table that it belongs to.
        problem: What is computed.
        method: An engine of :func:`ewsnn.engine.states`, one of ``OPPONENTS``, or another library.
        dtype: "float32" or "float64".
        mode: "gradient" for value and gradient, "forward" for the value alone.
        threads: On how many cores; None for all.
    """

    group: str
    problem: Problem
    method: str
    dtype: str = "float32"
    mode: str = "gradient"
    threads: int | None = None

    @property
    def name(self) -> str:
        """What the case is called on the command line and in results; the number of cores stands last.

        >>> Case("deep", Problem("fine", 2, 10, 3, 4, 2), "auto").name
        'deep/fine/auto/float32/gradient'
        """
        parts = [self.group, self.problem.name, self.method, self.dtype, self.mode]
        return "/".join(parts if self.threads is None else [*parts, f"{self.threads}"])

    def as_dict(self) -> dict[str, Any]:
        """The case as JSON takes it."""
        return {"name": self.name, **dataclasses.asdict(self)}
