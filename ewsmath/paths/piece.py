"""Pieces of paths over the fraction u of the piece, from 0 to 1: straight lines, and curves in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from flint import fmpq

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.matrix import Matrix
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
        """The ring of the speed, when the piece is taken over a ring: that ring."""
        return ring

    def number(self, x: R) -> R:
        """What is made of the speed, as an element of the ring."""
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
        """The point at a fraction of the piece."""
        c: Any = self.ring.coerce(u)
        return tuple(x + c * v for x, v in zip(self.start, self.speed, strict=True))

    def between(self, a: fmpq, b: fmpq) -> Line[R]:
        """The part between two fractions, as a piece; from a later to an earlier one it runs backwards."""
        return Line(self.ring, self.at(a), self.at(b))

    def moved(self, by: tuple[R, ...]) -> Line[R]:
        """The piece translated by a vector."""
        return Line(self.ring, _sum(self.start, by), _sum(self.end, by))

    def lifted(self, B: Matrix[R]) -> Line[R]:
        """The piece under a linear map over its ring."""
        return Line(self.ring, tuple(B.apply(self.start)), tuple(B.apply(self.end)))

    def beside(self, other: Line[R]) -> Line[R]:
        """The piece with the channels of another one after its own."""
        return Line(self.ring, self.start + other.start, self.end + other.end)

    def over(self, ring: Ring[Any]) -> Line[Any]:
        """The same piece over another ring."""
        return Line(ring, tuple(map(ring.coerce, self.start)), tuple(map(ring.coerce, self.end)))

    def composed(self, fraction: ExpPoly[fmpq]) -> Line[R] | Curve[R]:
        """The piece at a polynomial fraction w(u): a line where w is affine, else a curve."""
        if len(fraction.coefficients()) <= 2:
            return self.between(fraction(0), fraction(1))
        return Curve(self.ring, self.functions).composed(fraction)

    def equals(self, other: Line[R]) -> bool:
        """Whether the ring takes the ends for the same."""
        pairs = zip(self.start + self.end, other.start + other.end, strict=True)
        return all(self.ring.equal(x, y) for x, y in pairs)


@dataclass(frozen=True, slots=True)
class Curve(Generic[R]):
    """A piece in R^d whose channels are exponential polynomials of u.

    Attributes:
        ring: The ring of the coefficients and of the points.
        functions: The d channels.

    >>> from ewsmath.rings import QQ
    >>> u = ExpPolys(QQ).variable
    >>> Curve(QQ, (u * u,)).at(QQ.ratio(1, 2))
    (1/4,)
    """

    ring: Ring[R]
    functions: tuple[ExpPoly[R], ...]

    def numbers(self, ring: Ring[Any]) -> Ring[Any]:
        """The ring of the speed, when the piece is taken over a ring: functions of u over that ring."""
        return ExpPolys(ring)

    def number(self, x: ExpPoly[R]) -> R:
        """What is made of the speed, as an element of the ring; NotConstant, a ValueError, where it varies with u."""
        return x.constant()

    @property
    def speed(self) -> tuple[ExpPoly[R], ...]:
        """The derivative by u."""
        return tuple(f.derivative() for f in self.functions)

    @property
    def start(self) -> tuple[R, ...]:
        """The point at u = 0."""
        return self.at(fmpq(0))

    @property
    def end(self) -> tuple[R, ...]:
        """The point at u = 1."""
        return self.at(fmpq(1))

    def at(self, u: fmpq) -> tuple[R, ...]:
        """The point at a fraction of the piece."""
        return tuple(f(u) for f in self.functions)

    def between(self, a: fmpq, b: fmpq) -> Curve[R]:
        """The part between two fractions, as a piece; from a later to an earlier one it runs backwards."""
        return Curve(self.ring, tuple(f.substituted(a, b - a) for f in self.functions))

    def moved(self, by: tuple[R, ...]) -> Curve[R]:
        """The piece translated by a vector."""
        return Curve(self.ring, _sum(self.functions, tuple(map(ExpPolys(self.ring).coerce, by))))

    def lifted(self, B: Matrix[R]) -> Curve[R]:
        """The piece under a linear map over its ring."""
        return Curve(self.ring, tuple(Matrix.over(ExpPolys(self.ring), B).apply(self.functions)))

    def beside(self, other: Line[R] | Curve[R]) -> Curve[R]:
        """The piece with the channels of another one after its own."""
        return Curve(self.ring, self.functions + other.functions)

    def over(self, ring: Ring[Any]) -> Curve[Any]:
        """The same piece over another ring."""
        return Curve(ring, tuple(map(ExpPolys(ring).coerce, self.functions)))

    def composed(self, fraction: ExpPoly[fmpq]) -> Curve[R]:
        """The piece at a polynomial fraction w(u)."""
        return Curve(self.ring, tuple(f.composed(fraction) for f in self.functions))

    def equals(self, other: Curve[R]) -> bool:
        """Whether all channels are the same functions."""
        return self.functions == other.functions


Piece = Line[Any] | Curve[Any]


def _sum(x: tuple[Any, ...], y: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(a + b for a, b in zip(x, y, strict=True))
