"""Clocks that read the length of a path, alone or beside its stamps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from ewsmath.clocks.clock import AbstractIncrementClock
from ewsmath.norms import Norm, check_norm, norm
from ewsmath.rings import QQ, Ball, Exponential, Ring


@dataclass(frozen=True)
class Variation(AbstractIncrementClock):
    """The variation clock, f = ‖v‖.

    Args:
        norm: ``"l2"``, the Euclidean norm, exact where it is rational; or ``"l1"``, which is always exact.

    Paper: Prop. 5.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Variation("l1")(PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, -4]]))
    [0, 7, 7]
    """

    norm: Norm = "l2"
    invariant = True
    can_stop = False
    additive = True

    def __post_init__(self) -> None:
        check_norm(self.norm)

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return norm(ring, v, self.norm)


@dataclass(frozen=True)
class Blended(AbstractIncrementClock):
    """The blended clock, f = Δt + β ‖v‖ with β > 0.

    Args:
        beta: The weight β of the variation.
        norm: ``"l2"`` or ``"l1"``.

    Raises:
        ValueError: β is a rational and not above 0, or the norm is unknown.
        TypeError: β is a float.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Blended(QQ.ratio(1, 2))(PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, -4]]))
    [0, 7/2, 9/2]
    """

    beta: Any
    norm: Norm = "l2"
    invariant = False
    can_stop = False
    additive = True

    def __post_init__(self) -> None:
        check_norm(self.norm)
        # A ball or an element of EE is taken as it is: its own ring alone could order it.
        if not isinstance(self.beta, Ball | Exponential) and not QQ.coerce(self.beta) > 0:
            raise ValueError(f"Blended: β must be above 0, got {self.beta}; for β = 0 take the clock Time()")

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.coerce(gap) + ring.coerce(self.beta) * norm(ring, v, self.norm)
