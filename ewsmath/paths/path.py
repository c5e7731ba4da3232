"""What every path in pieces can do: go on, turn round, run otherwise, be lifted, stopped and extended."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Self, TypeVar

from flint import fmpq

from ewsmath.matrix import Matrix
from ewsmath.norms import Norm, check_norm, norm
from ewsmath.paths.piece import Line
from ewsmath.paths.piecewise import AbstractPiecewise
from ewsmath.rings import QQ, RingElement
from ewsmath.rings.door import entries, of_kind

R = TypeVar("R", bound=RingElement)


class AbstractPath(AbstractPiecewise[R]):
    """A path in R^d that is given piece by piece between its knots. Immutable.

    Times are the time stamps as they came: they are not moved to start at 0. They may repeat: a repeated
    time is a jump, a piece with Δt = 0. Outside its times the path is constant and no clock runs.

    Attributes:
        times: The time stamps of the knots.
        values: The points at the knots, tuples of ring elements.
        ring: The ring of the values.
        stamped: Whether time stamps were given; without them the times count the observations. Equality does not ask.

    Paper: Section 2.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath(None, [[0], [1]])
    >>> X.then(X).then(X.reversed()).values
    ((0,), (1,), (2,), (1,))
    """

    __slots__ = ()

    def then(self, other: Self) -> Self:
        """The concatenation: the other path is moved, in space and time, to begin where this one ends.

        Args:
            other: A path of the same kind over the same ring, with as many channels.

        Returns:
            The path that runs through both.

        Raises:
            ValueError: Rings or numbers of channels differ.
            TypeError: The other is no path of this kind.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath([0, 1], [[0], [2]]).then(PiecewiseLinearPath([5, 6], [[3], [4]]))
        PiecewiseLinearPath([0, 1, 2], [[0], [2], [3]], ring=QQ)
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
        pieces = [*self.pieces, *(piece.moved(offset) for piece in other.pieces)]
        return self._made(times, self.values[0], pieces, stamped=self.stamped or other.stamped)

    def reversed(self) -> Self:
        """The path run backwards over the same interval of times, t ↦ X at (first + last time - t).

        Its signature is the inverse. The inverse of an EWS belongs to it with the clock run backwards too.

        Returns:
            The reversed path.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath([0, 1, 3], [[0], [2], [5]]).reversed()
        PiecewiseLinearPath([0, 2, 3], [[5], [2], [0]], ring=QQ)
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

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath([0, 1, 2], [[0], [2], [5]]).reparametrise(lambda t: t * t)
        PiecewiseLinearPath([0, 1, 4], [[0], [2], [5]], ring=QQ)
        """
        return self._made([phi(t) for t in self.times], self.values[0], self.pieces, stamped=True)

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

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath([0, 1], [[0], [4]])
        >>> X.compose(PiecewiseLinearPath([0, 1, 5], [[0], [QQ.ratio(1, 2)], [1]]))
        PiecewiseLinearPath([0, 1, 5], [[0], [2], [4]], ring=QQ)
        """

    def lift(self, B: Matrix[Any] | Sequence[Sequence[Any]]) -> Self:
        """The path BX in R^m.

        Args:
            B: An m x d matrix, or its rows.

        Returns:
            The lifted path at the same times.

        Raises:
            ValueError: B has not d columns.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath(None, [[0, 1], [2, 3]]).lift([[1, 1], [0, 2], [1, 0]]).values
        ((1, 2, 0), (5, 6, 2))
        """
        B = Matrix.over(self.ring, B)
        if B.shape[1] != self.dim:
            raise ValueError(
                f"a lift of shape {B.shape} does not take a path in R^{self.dim}: it needs {self.dim} columns"
            )
        return self._made(self.times, tuple(B.apply(self.values[0])), [piece.lifted(B) for piece in self.pieces])

    def stopped(self, t: Any) -> Self:
        """The path that is frozen from a time on: the same knots, one at t where none is there, and a constant rest.

        Args:
            t: The time at which it stops; at a jump, behind it.

        Returns:
            A path on the same interval of times. Where t is a knot it has the pieces of this one, so that every clock
            runs until t as it does here.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath([0, 2, 3], [[0], [4], [7]]).stopped(1)
        PiecewiseLinearPath([0, 1, 2, 3], [[0], [2], [2], [2]], ring=QQ)
        """
        t = QQ.coerce(t)
        if t >= self.times[-1]:
            return self
        times = self.times
        j = bisect_right(times, t) - 1
        moving = self.pieces[: max(j, 0)]
        if j >= 0 and times[j] < t:
            moving.append(self.piece(j).between(fmpq(0), (t - times[j]) / (times[j + 1] - times[j])))
            times = (*times[: j + 1], t, *times[j + 1 :])
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
            start: Its time. None for the first time stamp, so that the line is a jump and no clock of time runs on it;
                and where no stamps were given for the first time less 1, since there every step takes 1.

        Returns:
            A path with one more piece.

        Raises:
            ValueError: The point has not d entries, or its time is after the first.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> PiecewiseLinearPath([3, 4], [[2], [5]]).with_base_point(start=2)
        PiecewiseLinearPath([2, 3, 4], [[0], [2], [5]], ring=QQ)
        >>> PiecewiseLinearPath(None, [[2], [5]]).with_base_point()
        PiecewiseLinearPath([-1, 0, 1], [[0], [2], [5]], ring=QQ)
        """
        base = tuple(map(self.ring.coerce, [0] * self.dim if point is None else entries(point, "a path takes a point")))
        if len(base) != self.dim:
            raise ValueError(f"a base point with {len(base)} entries does not stand before a path in R^{self.dim}")
        default = self.times[0] if self.stamped else self.times[0] - 1
        begin = default if start is None else QQ.coerce(start)
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
            A path with the same signature, and with the same EWS for every clock that stands still on W, if the clock
            is additive (on a piece that is cut in two it runs as far as before), or at a knot, where no piece is cut.

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
        at_once = [t] * len(excursion.times)
        away = excursion._made(at_once, excursion.values[0], excursion.pieces, stamped=self.stamped)
        return self.restrict(None, t).then(away).then(away.reversed()).then(self.restrict(t))

    def variation(self, kind: Norm = "l1") -> R:
        """The total variation, the integral of the norm of the speed.

        Args:
            kind: The norm, ``"l1"`` or ``"l2"``.

        Returns:
            An element of the ring.

        Raises:
            ValueError: The norm is unknown, the ring does not contain it, or on a curve it is not constant.

        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> X = PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, 0]])
        >>> X.variation(), X.variation("l2")
        (11, 9)
        """
        kind = check_norm(kind)
        total: Any = self.ring.zero
        for piece in self.pieces:
            total = total + piece.number(norm(piece.numbers(self.ring), piece.speed, kind))
        return total
