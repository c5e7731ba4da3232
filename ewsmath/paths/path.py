"""What every path in pieces is: time stamps, points at the knots, and what is made of them piece by piece."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Generic, Self, TypeVar

from flint import fmpq

from ewsmath.matrix import Matrix
from ewsmath.norms import Norm, check_norm, norm
from ewsmath.paths.piece import Line, Piece
from ewsmath.paths.stamps import Portion, portions
from ewsmath.rings import QQ, Ring, RingElement, check_ring
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable

R = TypeVar("R", bound=RingElement)


class AbstractPath(Immutable, ABC, Generic[R]):
    """A path in R^d that is given piece by piece between its knots. Immutable.

    Times are the time stamps as they came: they are not moved to start at 0. They may repeat: a repeated
    time is a jump, a piece with Δt = 0. Outside its times the path is constant and no clock runs.

    Attributes:
        times: The time stamps of the knots.
        values: The points at the knots, tuples of ring elements.
        ring: The ring of the values.

    Paper: Section 2.
    """

    __slots__ = ("ring", "times", "values")
    times: tuple[fmpq, ...]
    values: tuple[tuple[R, ...], ...]
    ring: Ring[R]

    @abstractmethod
    def piece(self, j: int) -> Piece:
        """Piece j, from 0, as a function of its fraction u."""

    @abstractmethod
    def _made(
        self, times: Sequence[fmpq], start: tuple[Any, ...], pieces: Sequence[Piece], ring: Ring[Any] | None = None
    ) -> Self:
        """A path of the same kind, over the same ring unless another one is said; ``start`` is its first point."""

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
        """The same path with values in another ring."""
        if check_ring(ring) == self.ring:
            return self
        start = tuple(map(ring.coerce, self.values[0]))
        return self._made(self.times, start, [piece.over(ring) for piece in self.pieces], ring)

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

    def then(self, other: Self) -> Self:
        """The concatenation: the other path is moved, in space and time, to begin where this one ends.

        Args:
            other: A path of the same kind over the same ring, with as many channels.

        Returns:
            The path that runs through both.

        Raises:
            ValueError: Rings or numbers of channels differ.
            TypeError: The other is no path of this kind.
        """
        of_kind(other, type(self), "a path that goes on reads a path", f"give a {type(self).__name__}(times, …)")
        if other.ring != self.ring or other.dim != self.dim:
            raise ValueError(
                f"a path in R^{self.dim} over {self.ring.name} is not continued by one in "
                f"R^{other.dim} over {other.ring.name}"
            )
        delay = self.times[-1] - other.times[0]
        offset = tuple(y - x for x, y in zip(other.values[0], self.values[-1], strict=True))
        times = self.times + tuple(t + delay for t in other.times[1:])
        return self._made(times, self.values[0], [*self.pieces, *(piece.moved(offset) for piece in other.pieces)])

    def reversed(self) -> Self:
        """The path run backwards over the same interval of times, t ↦ X at (first + last time - t).

        Its signature is the inverse. The inverse of an EWS belongs to it with the clock run backwards too.

        Returns:
            The reversed path.
        """
        both = self.times[0] + self.times[-1]
        pieces = [piece.between(fmpq(1), fmpq(0)) for piece in self.pieces[::-1]]
        return self._made([both - t for t in self.times[::-1]], self.values[-1], pieces)

    def reparametrise(self, phi: Callable[[fmpq], Any]) -> Self:
        """The same pieces at other times: the path X∘φ^{-1} when φ is linear on each piece.

        Args:
            phi: A weakly increasing map that takes each old time to its new one.

        Returns:
            The path with the time stamps φ(t_j); see :meth:`compose` for X∘φ.

        Raises:
            ValueError: The new times decrease.

        Paper: Prop. 4.
        """
        return self._made([phi(t) for t in self.times], self.values[0], self.pieces)

    @abstractmethod
    def compose(self, phi: AbstractPath[Any]) -> AbstractPath[R]:
        """The reparametrised path X∘φ, exact.

        Args:
            phi: The homeomorphism φ, itself a path in R^1 over QQ from the first to the last time of this path:
                piecewise linear, or with polynomial pieces. That it increases strictly is decided.

        Returns:
            The path on the times of φ. A piece under an affine piece of φ stays of its kind.

        Raises:
            ValueError: φ has several channels, jumps, rests or falls, is no polynomial, or ends elsewhere; a knot
                of the path comes at an irrational time; or a piece with exponentials meets a φ that is not affine.

        Paper: Prop. 4.
        """

    def lift(self, B: Matrix[Any] | Sequence[Sequence[Any]]) -> Self:
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
        return self._made(self.times, tuple(B.apply(self.values[0])), [piece.lifted(B) for piece in self.pieces])

    def stopped(self, t: Any) -> Self:
        """The path that is frozen from a time on: the same knots, and one at t, with a constant rest.

        Args:
            t: The time at which it stops.

        Returns:
            A path on the same interval of times.
        """
        t = QQ.coerce(t)
        if t >= self.times[-1]:
            return self
        times, moving = self.times, list[Piece]()
        j = bisect_right(times, t) - 1
        if j >= 0:
            times = (*times[: j + 1], t, *times[j + 1 :])
            cut = (t - times[j]) / (self.times[j + 1] - times[j])
            moving = [*self.pieces[:j], self.piece(j).between(fmpq(0), cut)]
        end = moving[-1].end if moving else self.values[0]
        rest = Line(self.ring, end, end)
        return self._made(times, self.values[0], [*moving, *[rest] * (len(times) - 1 - len(moving))])

    def with_time(self) -> Self:
        """The path (X, t), with its time stamps as one more channel at the end.

        Returns:
            A path in R^(d+1).

        Raises:
            ValueError: A channel is the time already: it moves as the stamps do, or, over several pieces, in
                proportion to them. It would be there twice.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath([3, 5], [[0], [1]]).with_time().values
        ((0, 3), (1, 5))
        """
        self._refuse_second_time()
        pieces = []
        for piece, (before, after) in zip(self.pieces, pairwise(self.times), strict=True):
            time: Any = Line(self.ring, (self.ring.coerce(before),), (self.ring.coerce(after),))
            pieces.append(piece.beside(time))
        return self._made(self.times, (*self.values[0], self.ring.coerce(self.times[0])), pieces)

    def _refuse_second_time(self) -> None:
        duration, ring = self.times[-1] - self.times[0], self.ring
        if not duration:
            return
        several = sum(1 for gap in self.gaps if gap) > 1
        for i, (first, last) in enumerate(zip(self.values[0], self.values[-1], strict=True)):
            slope: Any = ring.coerce(1 / duration) * (last - first)
            if ring.equal(slope, ring.zero) or not (several or ring.equal(slope, ring.one)):
                continue
            steady = (slope * ring.coerce(gap) for gap in self.gaps)
            kinds = [(piece, piece.numbers(ring)) for piece in self.pieces]
            if all(
                numbers.equal(piece.speed[i], numbers.coerce(x))
                for (piece, numbers), x in zip(kinds, steady, strict=True)
            ):
                raise ValueError(
                    f"channel {i} (from 0) runs with the time already, at slope {slope}: a second time channel would "
                    "say nothing new; leave with_time() out, or take the channel away by lift(…) first"
                )

    def with_base_point(self, point: Sequence[Any] | None = None, start: Any = None) -> Self:
        """The path with a base point before it, from which a line leads to its first point.

        A translated path then has another signature: the first point counts as an increment.

        Args:
            point: The base point, d numbers; None for 0.
            start: Its time; None for the first time of the path, so that the line is a jump and no clock of time
                runs on it. For a path that counts observations give the first time less 1.

        Returns:
            A path with one more piece.

        Raises:
            ValueError: The point has not d entries, or its time is after the first.
        """
        base = tuple(map(self.ring.coerce, [0] * self.dim if point is None else entries(point, "a path takes a point")))
        if len(base) != self.dim:
            raise ValueError(f"a base point with {len(base)} entries does not stand before a path in R^{self.dim}")
        begin = self.times[0] if start is None else QQ.coerce(start)
        if begin > self.times[0]:
            raise ValueError(f"a base point stands before the path: its time {begin} is after {self.times[0]}")
        return self._made((begin, *self.times), base, [Line(self.ring, base, self.values[0]), *self.pieces])

    def with_excursion(self, excursion: Self, at: Any) -> Self:
        """The path with a tree-like excursion: at one time it runs along another path and back again.

        All of it happens at that time, Δt = 0, so that no clock of time runs. An excursion that takes time is
        ``X.restrict(None, t).then(W).then(W.reversed()).then(X.restrict(t))``.

        Args:
            excursion: The path W to run along, moved to begin where this path is.
            at: The time.

        Returns:
            A path with the same signature, and with the same EWS for every clock that stands still on W.

        Raises:
            ValueError: The time is outside the path, or rings or numbers of channels differ.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath([0, 1], [[0], [2]])
        >>> X.with_excursion(PiecewiseLinearPath([0, 1], [[0], [5]]), QQ.ratio(1, 2)).values
        ((0,), (1,), (6,), (1,), (2,))
        """
        t = QQ.coerce(at)
        if not self.times[0] <= t <= self.times[-1]:
            raise ValueError(f"an excursion starts on the path, from {self.times[0]} to {self.times[-1]}, got {t}")
        of_kind(excursion, type(self), "an excursion runs along a path", f"give a {type(self).__name__}(times, …)")
        away = excursion.reparametrise(lambda _: t)
        return self.restrict(None, t).then(away).then(away.reversed()).then(self.restrict(t))

    def variation(self, kind: Norm = "l1") -> R:
        """The total variation, the integral of the norm of the speed.

        Args:
            kind: The norm, ``"l1"`` or ``"l2"``.

        Returns:
            An element of the ring.

        Raises:
            ValueError: The norm is unknown, the ring does not contain it, or on a curve it is not constant.
        """
        kind = check_norm(kind)
        total: Any = self.ring.zero
        for piece in self.pieces:
            total = total + piece.number(norm(piece.numbers(self.ring), piece.speed, kind))
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)) or other.ring != self.ring:
            return NotImplemented
        if self.times != other.times or self.dim != other.dim:
            return False
        mine, theirs = [Line(self.ring, X.values[0], X.values[0]) for X in (self, other)]
        pairs: Any = zip([mine, *self.pieces], [theirs, *other.pieces], strict=True)
        return all(piece.equals(twin) for piece, twin in pairs)

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap
