"""Curved pieces of paths in closed form, over the fraction u of the piece from 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from flint import fmpq

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring, RingElement

R = TypeVar("R", bound=RingElement)


class HasFunctions(Protocol):
    """A piece whose channels can be had as functions of u: a curve, and a line too.

    >>> from ewsmath.paths import Line
    >>> from ewsmath.rings import QQ
    >>> piece: HasFunctions = Line(QQ, (QQ.one,), (QQ.coerce(4),))
    >>> piece.functions
    (1 + 3*u,)
    """

    @property
    def functions(self) -> tuple[ExpPoly[Any], ...]:
        """The channels as functions of u."""
        ...


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
        """The ring of the speed, when the piece is taken over a ring: functions of u over that ring.

        Args:
            ring: The ring.

        Returns:
            The exponential polynomials over it.

        >>> from ewsmath.rings import QQ
        >>> curve = Curve(QQ, (ExpPolys(QQ).variable,))
        >>> curve.numbers(QQ) == ExpPolys(QQ)
        True
        """
        return ExpPolys(ring)

    def number(self, x: ExpPoly[R]) -> R:
        """What is made of the speed, as an element of the ring.

        Args:
            x: A function made of the speed.

        Returns:
            The number that it is.

        Raises:
            ValueError: It varies with u, a NotConstant.

        A circle has a constant speed, though its coordinates have none:

        >>> from ewsmath.rings import EE, QQ_I
        >>> turn = ExpPolys(EE).exponential(QQ_I.i)
        >>> curve = Curve(EE, (turn, turn.conjugate()))
        >>> curve.number(curve.speed[0] * curve.speed[1])
        1
        """
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
        """The point at a fraction of the piece.

        Args:
            u: The fraction.

        Returns:
            d elements of the ring.

        >>> from ewsmath.rings import EE
        >>> Curve(EE, (ExpPolys(EE).exponential(-1),)).at(fmpq(1, 2))
        (e^(-1/2),)
        """
        return tuple(f(u) for f in self.functions)

    def between(self, a: fmpq, b: fmpq) -> Curve[R]:
        """The part between two fractions, as a piece; from a later to an earlier one it runs backwards.

        Args:
            a: The fraction at which it starts.
            b: The fraction at which it ends.

        Returns:
            The part, with a fraction of its own from 0 to 1.

        >>> from ewsmath.rings import QQ
        >>> u = ExpPolys(QQ).variable
        >>> Curve(QQ, (u * u,)).between(fmpq(1), fmpq(0)).functions
        (1 - 2*u + u^2,)
        """
        return Curve(self.ring, tuple(f.substituted(a, b - a) for f in self.functions))

    def moved(self, by: tuple[R, ...]) -> Curve[R]:
        """The piece translated by a vector.

        Args:
            by: The vector, d elements of the ring.

        Returns:
            The piece, with the same speed.

        >>> from ewsmath.rings import QQ
        >>> u = ExpPolys(QQ).variable
        >>> Curve(QQ, (u * u,)).moved((QQ.coerce(10),)).functions
        (10 + u^2,)
        """
        return Curve(self.ring, sums(self.functions, tuple(map(ExpPolys(self.ring).coerce, by))))

    def lifted(self, B: Matrix[R]) -> Curve[R]:
        """The piece under a linear map over its ring.

        Args:
            B: An m x d matrix.

        Returns:
            A curve in R^m.

        >>> from ewsmath.rings import QQ
        >>> u = ExpPolys(QQ).variable
        >>> Curve(QQ, (u, u * u)).lifted(Matrix(QQ, [[2, -1]])).functions
        (2*u - u^2,)
        """
        return Curve(self.ring, tuple(Matrix.over(ExpPolys(self.ring), B).apply(self.functions)))

    def beside(self, other: HasFunctions) -> Curve[R]:
        """The piece with the channels of another one after its own.

        Args:
            other: A curve, or a line, over the same ring.

        Returns:
            A curve with the channels of both.

        >>> from ewsmath.paths import Line
        >>> from ewsmath.rings import QQ
        >>> u = ExpPolys(QQ).variable
        >>> Curve(QQ, (u * u,)).beside(Line(QQ, (QQ.coerce(3),), (QQ.coerce(5),))).functions
        (u^2, 3 + 2*u)
        """
        return Curve(self.ring, self.functions + other.functions)

    def over(self, ring: Ring[Any]) -> Curve[Any]:
        """The same piece over another ring.

        Args:
            ring: A ring that takes the elements of this one.

        Returns:
            The piece over it.

        >>> from ewsmath.rings import EE, QQ
        >>> u = ExpPolys(QQ).variable
        >>> (Curve(QQ, (u * u,)).over(EE).functions[0] * ExpPolys(EE).exponential(-1))(1)
        e^(-1)
        """
        return Curve(ring, tuple(map(ExpPolys(ring).coerce, self.functions)))

    def composed(self, fraction: ExpPoly[fmpq]) -> Curve[R]:
        """The piece at a polynomial fraction w(u).

        Args:
            fraction: The polynomial w; of degree one at most where a channel holds exponentials.

        Returns:
            The piece u ↦ X at w(u).

        Raises:
            ValueError: w is no polynomial, or is not affine where a channel holds exponentials.

        >>> from ewsmath.rings import QQ
        >>> u = ExpPolys(QQ).variable
        >>> Curve(QQ, (u + u * u,)).composed(u * u).functions
        (u^2 + u^4,)
        """
        return Curve(self.ring, tuple(f.composed(fraction) for f in self.functions))

    def equals(self, other: Curve[R]) -> bool:
        """Whether all channels are the same functions.

        Args:
            other: A curve over the same ring.

        Returns:
            The decision, by coefficients: equal ends do not suffice.

        >>> from ewsmath.rings import QQ
        >>> u = ExpPolys(QQ).variable
        >>> Curve(QQ, (u * u,)).equals(Curve(QQ, (u,))), Curve(QQ, (u * u,)).equals(Curve(QQ, (u * u,)))
        (False, True)
        """
        return self.functions == other.functions


def sums(x: tuple[Any, ...], y: tuple[Any, ...]) -> tuple[Any, ...]:
    """The sum of two points or of two lists of functions, channel by channel.

    Args:
        x: The d summands of one.
        y: The d summands of the other.

    Returns:
        The d sums.

    >>> sums((1, 2), (10, 20))
    (11, 22)
    """
    return tuple(a + b for a, b in zip(x, y, strict=True))
