"""What is given piece by piece between knots: time stamps, values at the knots, and what lies between two times."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Generic, Self, TypeVar

from flint import fmpq

from ewsmath.paths.piece import Line, Piece
from ewsmath.paths.stamps import Portion, portions
from ewsmath.rings import QQ, Ring, RingElement, check_ring
from ewsmath.rings.immutable import Immutable

R = TypeVar("R", bound=RingElement)


class AbstractPiecewise(Immutable, ABC, Generic[R]):
    """A function of time in R^d that is given piece by piece between its knots. Immutable.

    Times are the time stamps as they came: they are not moved to start at 0. They may repeat: a repeated
    time is a jump, a piece with Δt = 0. Outside its times it is constant and no clock runs.

    Attributes:
        times: The time stamps of the knots.
        values: The points at the knots, tuples of ring elements.
        ring: The ring of the values.
        stamped: Whether time stamps were given; without them the times count the observations. Equality does not ask.

    Paper: Section 2.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath([0, 1, 1, 3], [[0], [2], [5], [1]])
    >>> X.dim, X.steps, X.gaps, X(1), X(2), X(9)
    (1, 3, [1, 0, 2], (5,), (3,), (1,))
    """

    __slots__ = ("ring", "stamped", "times", "values")
    times: tuple[fmpq, ...]
    values: tuple[tuple[R, ...], ...]
    ring: Ring[R]
    stamped: bool

    @abstractmethod
    def piece(self, j: int) -> Piece:
        """Piece j, from 0, as a function of its fraction u.

        Args:
            j: The number of the piece.

        Returns:
            A line or a curve.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> piece = PiecewiseLinearPath([3, 5], [[0], [4]]).piece(0)
        >>> piece.start, piece.at(fmpq(1, 2)), piece.speed
        ((0,), (2,), (4,))
        """

    @abstractmethod
    def _built(self, times: Sequence[fmpq], start: tuple[Any, ...], pieces: Sequence[Piece], ring: Ring[Any]) -> Self:
        """A path of the same kind; ``start`` is its first point."""

    def _made(
        self,
        times: Sequence[fmpq],
        start: tuple[Any, ...],
        pieces: Sequence[Piece],
        *,
        ring: Ring[Any] | None = None,
        stamped: bool | None = None,
    ) -> Self:
        """A path of the same kind, over the same ring and with stamps or without as this one unless it is said."""
        path = self._built(times, start, pieces, ring or self.ring)
        path._set(stamped=self.stamped if stamped is None else stamped)
        return path

    @property
    def dim(self) -> int:
        """Number of channels d."""
        return len(self.values[0])

    @property
    def steps(self) -> int:
        """Number of pieces J."""
        return len(self.values) - 1

    @property
    def gaps(self) -> list[fmpq]:
        """The differences Δt_j of the time stamps; 0 for a jump."""
        return [after - before for before, after in pairwise(self.times)]

    @property
    def pieces(self) -> list[Piece]:
        """The pieces, in order."""
        return [self.piece(j) for j in range(self.steps)]

    def over(self, ring: Ring[Any]) -> Self:
        """The same path with values in another ring.

        Args:
            ring: The ring; it takes the elements of this one.

        Returns:
            The path over it.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> from ewsmath.rings import EE
        >>> PiecewiseLinearPath(None, [[0], [1]]).over(EE)
        PiecewiseLinearPath([0, 1], [[0], [1]], ring=EE)
        """
        if check_ring(ring) == self.ring:
            return self
        start = tuple(map(ring.coerce, self.values[0]))
        return self._made(self.times, start, [piece.over(ring) for piece in self.pieces], ring=ring)

    def __call__(self, t: Any) -> tuple[R, ...]:
        """The point at a time; at a jump the point after it, outside the times the first or last point."""
        t = QQ.coerce(t)
        j = bisect_right(self.times, t)
        if j == 0 or j == len(self.times):
            return self.values[max(j - 1, 0)]
        return self.piece(j - 1).at((t - self.times[j - 1]) / (self.times[j] - self.times[j - 1]))

    def portions(self, s: Any = None, t: Any = None) -> list[Portion]:
        """The parts of the pieces that lie between two times, in order.

        A jump belongs to [s, t) — and one at the last time to (s, t] — so that intervals side by side share
        nothing and lose nothing.

        Args:
            s: Start; None for the first time, or for t where that is earlier: nothing lies between.
            t: End; None for the last time.

        Returns:
            The parts of positive length, and the jumps, each with its fractions of the piece.

        Raises:
            ValueError: t < s.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath([0, 2, 3], [[0], [4], [4]])
        >>> [tuple(portion) for portion in X.portions(1, 3)]
        [(0, 1/2, 1), (1, 0, 1)]
        """
        return portions(self.times, s, t)

    def restrict(self, s: Any = None, t: Any = None) -> Self:
        """The path on [s, t], at its own times; one point where nothing of the path lies in the interval.

        Args:
            s: Start; None for the first time.
            t: End; None for the last time.

        Returns:
            The restriction; see :meth:`portions` for jumps at its ends.

        Raises:
            ValueError: t < s.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath([0, 2, 3], [[0], [4], [4]]).restrict(1)
        PiecewiseLinearPath([1, 2, 3], [[2], [4], [4]], ring=QQ)
        """
        parts = self.portions(s, t)
        if not parts:
            start = self.times[0] if s is None else QQ.coerce(s)
            return self._made([min(max(start, self.times[0]), self.times[-1])], self(start), [])
        pieces = [self.piece(j).between(a, b) for j, a, b in parts]
        times = [self._time(parts[0].piece, parts[0].start), *(self._time(j, b) for j, _, b in parts)]
        return self._made(times, pieces[0].start, pieces)

    def _time(self, j: int, u: fmpq) -> fmpq:
        return self.times[j] + u * (self.times[j + 1] - self.times[j])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)) or other.ring != self.ring:
            return NotImplemented
        if self.times != other.times or self.dim != other.dim:
            return False
        mine, theirs = [Line(self.ring, X.values[0], X.values[0]) for X in (self, other)]
        pairs: Any = zip([mine, *self.pieces], [theirs, *other.pieces], strict=True)
        return all(piece.equals(twin) for piece, twin in pairs)

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap
