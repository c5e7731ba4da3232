"""Clocks that read the stamps of a path alone, or its number of pieces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from ewsmath.clocks.clock import AbstractIncrementClock
from ewsmath.rings import Ring


@dataclass(frozen=True)
class Time(AbstractIncrementClock):
    """The time clock, f = Δt.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Time()(PiecewiseLinearPath([3, 5, 6], [[0], [1], [1]]))
    [0, 2, 3]
    """

    invariant = False
    can_stop = False
    additive = True

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.coerce(gap)


@dataclass(frozen=True)
class Observation(AbstractIncrementClock):
    """The observation clock, f = 1: it counts the pieces.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Observation()(PiecewiseLinearPath([0, 5, 7], [[0], [3], [3]]))
    [0, 1, 2]
    """

    invariant = False
    can_stop = False
    additive = False

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.one
