"""The time of one computation, and the memory of this process.

Only the standard library: the module also runs in the environments of other libraries (:mod:`ewsnn.benchmarks.peer`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

WARM_UP = 2
BUDGET = 20.0
"""Seconds after which no further repeat is begun; three are always made."""


def timed(step: Callable[[], Any], repeats: int, *, budget: float = BUDGET) -> dict[str, float]:
    """The seconds of a computation that is compiled already; warming up is left out.

    Args:
        step: Computes it, and returns when all is done.
        repeats: How often, at least; short steps are repeated for a second.
        budget: The most seconds, but for three repeats.

    Returns:
        The median and the least of the seconds on the wall, the median of the seconds of all threads of the process,
        and how often it was repeated.
    """
    for _ in range(WARM_UP):
        step()
    wall: list[float] = []
    cpu: list[float] = []
    enough = min(1.0, budget)
    while len(wall) < min(repeats, 3) or (sum(wall) < budget and (len(wall) < repeats or sum(wall) < enough)):
        began, began_cpu = perf_counter(), process_time()
        step()
        wall.append(perf_counter() - began)
        cpu.append(process_time() - began_cpu)
    return {"seconds": median(wall), "fastest": min(wall), "cpu_seconds": median(cpu), "repeats": len(wall)}


def resident() -> int | None:
    """Bytes of memory that the process holds now; None where the system does not say."""
    return _status("VmRSS")


def peak() -> int | None:
    """The most bytes that the process has held, since its start or :func:`forget_peak`; None where unknown."""
    return _status("VmHWM")


def forget_peak() -> bool:
    """Gives freed memory back and makes the peak start anew from what is held now; whether the system lets us."""
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError, TypeError):  # another system, or another C library
        return False
    try:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    except OSError:
        return False
    return True


def _status(field: str) -> int | None:
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith(field + ":")), None)
