"""Piecewise-linear paths with time stamps: increments, restriction, concatenation, stopping."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Generic, NamedTuple, TypeVar

from flint import fmpq

from ewsmath.matrix import Matrix
from ewsmath.norms import Norm, check_norm, norm
from ewsmath.rings import QQ, Ring, RingElement, check_ring
from ewsmath.rings.door import entries, named, of_kind
from ewsmath.rings.immutable import Immutable

R = TypeVar("R", bound=RingElement)


class Portion(NamedTuple):
    """The part of one piece of a path that an interval covers.

    Attributes:
        piece: Number of the piece, from 0.
        start: Fraction of the piece at which the part begins.
        end: Fraction of the piece at which the part ends.
    """

    piece: int
    start: fmpq
    end: fmpq


class PiecewiseLinearPath(Immutable, Generic[R]):
    """A path in R^d, linear between its knots. Immutable.

    Times are the time stamps as they came: they are not moved to start at 0. They may repeat: a repeated
    time is a jump, a piece with Δt = 0. Outside its times the path is constant and no clock runs.

    Args:
        times: The time stamps, weakly increasing rationals; None for 0, 1, …, J.
        values: The J+1 points, each a sequence of d numbers.
        ring: The ring of the values.

    Attributes:
        times: The time stamps.
        values: The points, tuples of ring elements.
        ring: The ring of the values.

    Raises:
        ValueError: A time is less than the one before; points and times differ in number; points differ in
            length.
        TypeError: A time is no rational, or a point no sequence of numbers of the ring; both are named.

    Paper: Section 2.

    >>> X = PiecewiseLinearPath([3, 5, 6], [[0, 0], [2, 4], [2, 1]])
    >>> X.increments, X.gaps, X(4)
    ([(2, 4), (0, -3)], [2, 1], (1, 2))
    """

    __slots__ = ("ring", "times", "values")
    times: tuple[fmpq, ...]
    values: tuple[tuple[R, ...], ...]
    ring: Ring[R]

    def __init__(self, times: Sequence[Any] | None, values: Sequence[Sequence[Any]], ring: Ring[R] = QQ) -> None:
        check_ring(ring)
        points = tuple(_point(ring, j, point) for j, point in enumerate(entries(values, "a path takes values")))
        if not points or not points[0]:
            raise ValueError("a path needs at least one point, with at least one coordinate")
        for j, point in enumerate(points):
            if len(point) != len(points[0]):
                raise ValueError(f"point {j} has {len(point)} coordinates, point 0 has {len(points[0])}")
        given = range(len(points)) if times is None else entries(times, "a path takes times")
        stamps = tuple(_stamp(j, t) for j, t in enumerate(given))
        if len(stamps) != len(points):
            raise ValueError(f"{len(stamps)} times for {len(points)} points: give one time for each point")
        for j, (earlier, later) in enumerate(pairwise(stamps), start=1):
            if later < earlier:
                raise ValueError(
                    f"times[{j}] = {later} is less than times[{j - 1}] = {earlier}: times may repeat, not decrease"
                )
        self._set(times=stamps, values=points, ring=ring)

    @classmethod
    def from_increments(
        cls, increments: Sequence[Sequence[Any]], times: Sequence[Any] | None = None, ring: Ring[R] = QQ
    ) -> PiecewiseLinearPath[R]:
        """The path that starts at 0 and moves by these increments.

        Args:
            increments: The J ≥ 1 increments, each a sequence of d numbers.
            times: The J+1 time stamps; None for 0, 1, …, J.
            ring: The ring of the values.

        Returns:
            The path.
        """
        check_ring(ring)
        moves = [entries(dx, "from_increments takes each") for dx in entries(increments, "from_increments takes them")]
        if not moves:
            raise ValueError("from_increments needs at least one increment; a path of one point is given by its value")
        points: list[list[Any]] = [[ring.zero for _ in moves[0]]]
        for j, dx in enumerate(moves):
            if len(dx) != len(points[0]):
                raise ValueError(f"increment {j} has {len(dx)} coordinates, increment 0 has {len(points[0])}")
            points.append([x + ring.coerce(y) for x, y in zip(points[-1], dx, strict=True)])
        return cls(times, points, ring)

    @property
    def dim(self) -> int:
        """Number of channels d."""
        return len(self.values[0])

    @property
    def steps(self) -> int:
        """Number of pieces J."""
        return len(self.values) - 1

    @property
    def increments(self) -> list[tuple[R, ...]]:
        """The increments ΔX_j of the pieces."""
        return [tuple(y - x for x, y in zip(before, after, strict=True)) for before, after in pairwise(self.values)]

    @property
    def gaps(self) -> list[fmpq]:
        """The differences Δt_j of the time stamps; 0 for a jump."""
        return [after - before for before, after in pairwise(self.times)]

    def over(self, ring: Ring[Any]) -> PiecewiseLinearPath[Any]:
        """The same path with values in another ring."""
        return self if ring == self.ring else PiecewiseLinearPath(self.times, self.values, ring)

    def __call__(self, t: Any) -> tuple[R, ...]:
        """The point at a time; at a jump the point after it, outside the times the first or last point."""
        t = QQ.coerce(t)
        j = bisect_right(self.times, t)
        if j == 0 or j == len(self.times):
            return self.values[max(j - 1, 0)]
        return self._inside(j - 1, (t - self.times[j - 1]) / (self.times[j] - self.times[j - 1]))

    def _inside(self, piece: int, fraction: fmpq) -> tuple[R, ...]:
        c: Any = self.ring.coerce(fraction)
        pairs = zip(self.values[piece], self.values[piece + 1], strict=True)
        return tuple(x + c * (y - x) for x, y in pairs)

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
        """
        if s is None and t is None:
            return [Portion(j, fmpq(0), fmpq(1)) for j in range(self.steps)]
        start, end = self.times[0], self.times[-1]
        t = max(QQ.coerce(s), end + 1) if t is None else QQ.coerce(t)
        s = min(start, t) if s is None else QQ.coerce(s)
        if t < s:
            raise ValueError(f"an interval runs forward: got s = {s} and t = {t}")
        found = []
        for j, (before, after) in enumerate(pairwise(self.times)):
            if before < after:
                low, high = max(s, before), min(t, after)
                if low < high:
                    found.append(Portion(j, (low - before) / (after - before), (high - before) / (after - before)))
            elif (s < before <= t) if start < before == end else (s <= before < t):
                found.append(Portion(j, fmpq(0), fmpq(1)))
        return found

    def restrict(self, s: Any = None, t: Any = None) -> PiecewiseLinearPath[R]:
        """The path on [s, t], at its own times; one point where nothing of the path lies in the interval.

        Args:
            s: Start; None for the first time.
            t: End; None for the last time.

        Returns:
            The restriction; see :meth:`portions` for jumps at its ends.

        Raises:
            ValueError: t < s.

        >>> X = PiecewiseLinearPath([3, 5, 6], [[0], [2], [3]])
        >>> X.restrict(4, 6).values, X.restrict(0, 2).increments
        (((1,), (2,), (3,)), [])
        """
        times, values = [], []
        for piece, a, b in self.portions(s, t):
            gap = self.times[piece + 1] - self.times[piece]
            if not values:
                times.append(self.times[piece] + a * gap)
                values.append(self._inside(piece, a))
            times.append(self.times[piece] + b * gap)
            values.append(self._inside(piece, b))
        if not values:
            start = self.times[0] if s is None else QQ.coerce(s)
            times, values = [min(max(start, self.times[0]), self.times[-1])], [self(start)]
        return PiecewiseLinearPath(times, values, self.ring)

    def then(self, other: PiecewiseLinearPath[R]) -> PiecewiseLinearPath[R]:
        """The concatenation: the other path is moved, in space and time, to begin where this one ends.

        Args:
            other: A path over the same ring with as many channels.

        Returns:
            The path that runs through both.

        Raises:
            ValueError: Rings or numbers of channels differ.
        """
        check_path(other, "a path that goes on")
        if other.ring != self.ring or other.dim != self.dim:
            raise ValueError(
                f"a path in R^{self.dim} over {self.ring.name} is not continued by one in "
                f"R^{other.dim} over {other.ring.name}"
            )
        delay = self.times[-1] - other.times[0]
        points = [list(self.values[-1])]
        for dx in other.increments:
            points.append([x + y for x, y in zip(points[-1], dx, strict=True)])
        times = self.times + tuple(t + delay for t in other.times[1:])
        return PiecewiseLinearPath(times, [*self.values, *points[1:]], self.ring)

    def reparametrise(self, phi: Callable[[fmpq], Any]) -> PiecewiseLinearPath[R]:
        """The same points at other times: the path X∘φ^{-1} when φ is linear on each piece.

        Args:
            phi: A weakly increasing map that takes each old time to its new one.

        Returns:
            The path with the time stamps φ(t_j).

        Raises:
            ValueError: The new times decrease.

        Paper: Prop. 4.
        """
        return PiecewiseLinearPath([phi(t) for t in self.times], self.values, self.ring)

    def lift(self, B: Matrix[Any] | Sequence[Sequence[Any]]) -> PiecewiseLinearPath[R]:
        """The path BX in R^m.

        Args:
            B: An m x d matrix, or its rows.

        Returns:
            The lifted path at the same times.

        Raises:
            ValueError: B has not d columns.
        """
        B = Matrix.over(self.ring, B)
        if B.shape[1] != self.dim:
            raise ValueError(
                f"a lift of shape {B.shape} does not take a path in R^{self.dim}: it needs {self.dim} columns"
            )
        return PiecewiseLinearPath(self.times, [B.apply(point) for point in self.values], self.ring)

    def stopped(self, t: Any) -> PiecewiseLinearPath[R]:
        """The path that is frozen from a time on: the same knots, and one at t, with a constant rest.

        Args:
            t: The time at which it stops.

        Returns:
            A path on the same interval of times.
        """
        t = QQ.coerce(t)
        if t >= self.times[-1]:
            return self
        known = bisect_right(self.times, t)
        times = [*self.times[:known], t, *self.times[known:]]
        values = [*self.values[:known], *[self(t)] * (len(times) - known)]
        return PiecewiseLinearPath(times[0 if known else 1 :], values[0 if known else 1 :], self.ring)

    def variation(self, kind: Norm = "l1") -> R:
        """The total variation, the sum of the norms of the increments.

        Args:
            kind: The norm, ``"l1"`` or ``"l2"``.

        Returns:
            An element of the ring.

        Raises:
            ValueError: The norm is unknown, or the ring does not contain it.
        """
        kind = check_norm(kind)
        total: Any = self.ring.zero
        for dx in self.increments:
            total = total + norm(self.ring, dx, kind)
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PiecewiseLinearPath) or other.ring != self.ring:
            return NotImplemented
        if self.times != other.times or self.dim != other.dim:
            return False
        pairs = zip(self.values, other.values, strict=True)
        return all(self.ring.equal(x, y) for mine, theirs in pairs for x, y in zip(mine, theirs, strict=True))

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        times = ", ".join(map(str, self.times))
        values = ", ".join("[" + ", ".join(map(str, point)) + "]" for point in self.values)
        return f"PiecewiseLinearPath([{times}], [{values}], ring={self.ring.name})"


def check_path(path: object, use: str) -> PiecewiseLinearPath[Any]:
    """The path, if it is one; else TypeError that names the use."""
    return of_kind(path, PiecewiseLinearPath, f"{use} reads a path", "give PiecewiseLinearPath(times, values)")


def _point(ring: Ring[R], j: int, point: Any) -> tuple[R, ...]:
    try:
        return tuple(ring.coerce(x) for x in point)
    except TypeError as error:
        if isinstance(point, Iterable):
            raise TypeError(f"point {j}: {error}") from None
        raise TypeError(
            f"point {j} of a path is a sequence of d numbers, got {named(point)}: in one channel write [x]"
        ) from None


def _stamp(j: int, t: Any) -> fmpq:
    try:
        return QQ.coerce(t)
    except TypeError as error:
        raise TypeError(f"times[{j}]: {error}") from None
