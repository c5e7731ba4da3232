"""Pieces of paths over the fraction u of the piece, from 0 to 1: straight lines, or curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flint import fmpq

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.matrix import Matrix
from ewsmath.paths.curve import Curve, sums
from ewsmath.rings import Ring, RingElement

R = TypeVar("R", bound=RingElement)


@dataclass(frozen=True, slots=True)
class Line(Generic[R]):
    """A straight piece in R^d, from one point to another.

    Attributes:
        ring: The ring of the points.
        start: The point at u = 0.
        end: The point at u = 1.

    >>> from ewsmath.rings import QQ
    >>> Line(QQ, (QQ.zero,), (QQ.coerce(4),)).at(QQ.ratio(1, 2))
    (2,)
    """

    ring: Ring[R]
    start: tuple[R, ...]
    end: tuple[R, ...]

    def numbers(self, ring: Ring[Any]) -> Ring[Any]:
        """The ring of the speed, when the piece is taken over a ring: that ring.

        Args:
            ring: The ring.

        Returns:
            It itself; functions over it for a :class:`~ewsmath.paths.curve.Curve`.

        >>> from ewsmath.rings import EE, QQ
        >>> Line(QQ, (QQ.zero,), (QQ.one,)).numbers(EE).name
        'EE'
        """
        return ring

    def number(self, x: R) -> R:
        """What is made of the speed, as an element of the ring.

        Args:
            x: A number made of the speed, which does not change along a line.

        Returns:
            x itself.

        >>> from ewsmath.rings import QQ
        >>> piece = Line(QQ, (QQ.one, QQ.zero), (QQ.coerce(3), QQ.coerce(5)))
        >>> piece.number(piece.speed[0] + piece.speed[1])
        7
        """
        return x

    @property
    def speed(self) -> tuple[R, ...]:
        """The derivative by u, which is the increment."""
        return tuple(y - x for x, y in zip(self.start, self.end, strict=True))

    @property
    def functions(self) -> tuple[ExpPoly[R], ...]:
        """The channels as functions of u; the ring has a decidable zero."""
        functions = ExpPolys(self.ring)
        u = functions.variable
        return tuple(functions.coerce(x) + u.scaled(v) for x, v in zip(self.start, self.speed, strict=True))

    def at(self, u: fmpq) -> tuple[R, ...]:
        """The point at a fraction of the piece.

        Args:
            u: The fraction; outside 0 to 1 the line goes on.

        Returns:
            d elements of the ring.

        >>> from ewsmath.rings import QQ
        >>> piece = Line(QQ, (QQ.one,), (QQ.coerce(4),))
        >>> piece.at(fmpq(1, 3)), piece.at(fmpq(2))
        ((2,), (7,))
        """
        c: Any = self.ring.coerce(u)
        return tuple(x + c * v for x, v in zip(self.start, self.speed, strict=True))

    def between(self, a: fmpq, b: fmpq) -> Line[R]:
        """The part between two fractions, as a piece; from a later to an earlier one it runs backwards.

        Args:
            a: The fraction at which it starts.
            b: The fraction at which it ends.

        Returns:
            The part, with a fraction of its own from 0 to 1.

        >>> from ewsmath.rings import QQ
        >>> Line(QQ, (QQ.one,), (QQ.coerce(5),)).between(fmpq(3, 4), fmpq(1, 4))
        Line(ring=QQ, start=(4,), end=(2,))
        """
        return Line(self.ring, self.at(a), self.at(b))

    def moved(self, by: tuple[R, ...]) -> Line[R]:
        """The piece translated by a vector.

        Args:
            by: The vector, d elements of the ring.

        Returns:
            The piece, with the same speed.

        >>> from ewsmath.rings import QQ
        >>> Line(QQ, (QQ.zero,), (QQ.coerce(4),)).moved((QQ.coerce(10),))
        Line(ring=QQ, start=(10,), end=(14,))
        """
        return Line(self.ring, sums(self.start, by), sums(self.end, by))

    def lifted(self, B: Matrix[R]) -> Line[R]:
        """The piece under a linear map over its ring.

        Args:
            B: An m x d matrix.

        Returns:
            A line in R^m.

        >>> from ewsmath.rings import QQ
        >>> Line(QQ, (QQ.one, QQ.zero), (QQ.one, QQ.coerce(2))).lifted(Matrix(QQ, [[1, 1]]))
        Line(ring=QQ, start=(1,), end=(3,))
        """
        return Line(self.ring, tuple(B.apply(self.start)), tuple(B.apply(self.end)))

    def beside(self, other: Line[R]) -> Line[R]:
        """The piece with the channels of another one after its own.

        Args:
            other: A line over the same ring.

        Returns:
            A line with the channels of both.

        >>> from ewsmath.rings import QQ
        >>> Line(QQ, (QQ.zero,), (QQ.one,)).beside(Line(QQ, (QQ.coerce(5),), (QQ.coerce(7),))).speed
        (1, 2)
        """
        return Line(self.ring, self.start + other.start, self.end + other.end)

    def over(self, ring: Ring[Any]) -> Line[Any]:
        """The same piece over another ring.

        Args:
            ring: A ring that takes the elements of this one.

        Returns:
            The piece over it.

        >>> from ewsmath.rings import EE, QQ
        >>> Line(QQ, (QQ.zero,), (QQ.one,)).over(EE).moved((EE.exp(EE.one),)).end
        (1 + e^(1),)
        """
        return Line(ring, tuple(map(ring.coerce, self.start)), tuple(map(ring.coerce, self.end)))

    def composed(self, fraction: ExpPoly[fmpq]) -> Line[R] | Curve[R]:
        """The piece at a polynomial fraction w(u): a line where w is affine, else a curve.

        Args:
            fraction: The polynomial w.

        Returns:
            The piece u ↦ X at w(u).

        >>> from ewsmath.rings import QQ
        >>> piece, u = Line(QQ, (QQ.zero,), (QQ.coerce(4),)), ExpPolys(QQ).variable
        >>> piece.composed(u.scaled(fmpq(1, 2))).end, piece.composed(u * u).functions
        ((2,), (4*u^2,))
        """
        if len(fraction.coefficients()) <= 2:
            return self.between(fraction(0), fraction(1))
        return Curve(self.ring, self.functions).composed(fraction)

    def equals(self, other: Line[R]) -> bool:
        """Whether the ring takes the ends for the same.

        Args:
            other: A line with as many channels over the same ring.

        Returns:
            Whether both starts and both ends agree; over balls, whether they overlap.

        >>> from ewsmath.rings import QQ
        >>> piece = Line(QQ, (QQ.zero,), (QQ.one,))
        >>> piece.equals(piece.between(fmpq(0), fmpq(1))), piece.equals(piece.between(fmpq(1), fmpq(0)))
        (True, False)
        """
        pairs = zip(self.start + self.end, other.start + other.end, strict=True)
        return all(self.ring.equal(x, y) for x, y in pairs)


Piece = Line[Any] | Curve[Any]
