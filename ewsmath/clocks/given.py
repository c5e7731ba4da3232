"""Clocks of one's own: by a formula for one piece, or by all increments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq

from ewsmath.clocks.clock import AbstractClock, AbstractIncrementClock
from ewsmath.paths import AbstractPath
from ewsmath.rings import Ring, taken
from ewsmath.rings.door import entries, exact_number, named


@dataclass(frozen=True)
class Increment(AbstractIncrementClock):
    r"""The clock with a formula of one's own.

    .. math:: θ_{t_j} = \sum_{i ≤ j} f(ΔX_i, Δt_i)

    Args:
        f: The function (v, gap) ↦ Δθ: v is the increment, a tuple of d elements of the ring, gap the rational Δt.
            It returns an element of the ring, or a rational.
        invariant: Whether f(cv) = c f(v) for c > 0 and f does not use Δt, where that is known.
        can_stop: Whether f can be 0 while v and Δt are not, where that is known.
        additive: Whether f is unchanged when a piece is subdivided, where that is known.

    Raises:
        TypeError: f is no function.

    Paper: Prop. 5.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Increment(lambda v, gap: v[0] * v[0] + gap)(PiecewiseLinearPath(None, [[0], [3], [1]]))
    [0, 10, 15]
    """

    f: Callable[[tuple[Any, ...], fmpq], Any]
    invariant: bool | None = None
    can_stop: bool | None = None
    additive: bool | None = None

    def __post_init__(self) -> None:
        if not callable(self.f):
            raise TypeError(f"Increment takes a function (v, gap) ↦ Δθ, got {named(self.f)}")

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ring.coerce(self.f(v, gap))


@dataclass(frozen=True)
class Given(AbstractClock):
    """The clock whose increments are given: accumulated steps of a selective model, or any numbers.

    Args:
        values: The increments Δθ_j, of any sign, one for each piece.

    Raises:
        TypeError: They are no sequence, or one is a float.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Given([1, 0, -2])(PiecewiseLinearPath(None, [[0], [1], [2], [3]]))
    [0, 1, 1, -1]
    """

    values: Sequence[Any]
    invariant = None
    can_stop = None
    additive = None
    causal = None

    def __post_init__(self) -> None:
        increments = entries(self.values, "Given takes its increments")
        self._set(values=tuple(exact_number(x, "Given") for x in increments))

    def increment(self, path: AbstractPath[Any], j: int, ring: Ring[Any]) -> Any:
        """The increment as it was given, in a ring.

        Args:
            path: The path.
            j: The number of the piece, from 0.
            ring: A ring that takes the path, in which the increment is wanted.

        Returns:
            An element of the ring.

        Raises:
            ValueError: The path has another number of pieces than there are increments.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath(None, [[0], [1], [2]])
        >>> Given([7, -2]).increment(X, 1, X.ring)
        -2
        """
        if len(self.values) != path.steps:
            raise ValueError(
                f"Given: {len(self.values)} increments for a path of {path.steps} pieces; give one for each"
            )
        return taken(ring, self.values[j], "the path or the generator")
