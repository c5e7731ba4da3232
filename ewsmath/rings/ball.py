"""Balls: rigorous real and complex midpoint–radius numbers, over ``flint.arb`` and ``flint.acb``.

flint's working precision is one global of the process. Here it is an argument of the ring: each operation
sets it, works, and puts it back, so that a result never depends on who ran before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from flint import acb, arb, ctx, fmpq

from ewsmath.latex import displayed, latex
from ewsmath.rings.door import foreign, inexact, rational
from ewsmath.rings.endpoints import End, ends, exact_bound, exact_point, from_ends
from ewsmath.rings.gaussian import QQ_I
from ewsmath.rings.immutable import Immutable
from ewsmath.rings.precision import WorkingPrecision
from ewsmath.rings.ring import ExponentialRing, Field, MatrixExponentialRing, OrderedRing

_BOUND_BITS = 64
_TAKES = "rationals and balls of its own"


class Ball(Immutable):
    """An element of ``Balls(prec)`` or ``ComplexBalls(prec)``: a set that contains the number meant.

    ``==`` asks whether two balls may be the same number (they overlap): a ``True`` supports, a ``False``
    disproves.

    Args:
        ring: The ring it belongs to.
        value: The ``flint.arb`` or ``flint.acb``; numbers from outside enter by ``ring.coerce``.

    Attributes:
        ring: The ring it belongs to, which holds the precision.
        value: The ``flint.arb`` or ``flint.acb`` inside.

    >>> from ewsmath.rings import Balls
    >>> third = Balls(prec=64).ratio(1, 3)
    >>> third * 3 == 1, third == Balls(prec=64).ratio(1, 2)
    (True, False)
    """

    __slots__ = ("ring", "value")
    ring: BallRing
    value: Any

    def __init__(self, ring: BallRing, value: Any) -> None:
        object.__setattr__(self, "ring", ring)
        object.__setattr__(self, "value", value)

    def __reduce__(self) -> tuple[Callable[..., Ball], tuple[BallRing, list[tuple[End, End]]]]:
        parts = [self.value] if isinstance(self.value, arb) else [self.value.real, self.value.imag]
        return _restored, (self.ring, [ends(x) for x in parts])

    def _binary(self, other: object, operation: Callable[[Any, Any], Any]) -> Ball:
        ring = self.ring
        if not isinstance(other, Ball):
            number = rational(other)
            if number is None:
                if inexact(other):
                    raise foreign(ring.name, _TAKES, other)
                return NotImplemented
            other = ring.coerce(number)
        elif other.ring != ring:
            raise TypeError(f"{ring.name} and {other.ring.name} are not mixed: coerce one of the two balls first")
        outside = ctx.prec  # WorkingPrecision by hand: this is the innermost loop of every ball computation
        ctx.prec = ring.prec
        try:
            return Ball(ring, operation(self.value, other.value))
        finally:
            ctx.prec = outside

    def _reflected(self, other: object, operation: Callable[[Any, Any], Any]) -> Ball:
        found = self._binary(other, operation)
        if found is NotImplemented:  # by either operand
            raise foreign(self.ring.name, _TAKES, other)
        return found

    def __add__(self, other: Any) -> Ball:
        return self._binary(other, _add)

    def __radd__(self, other: Any) -> Ball:
        return self._reflected(other, _add)

    def __sub__(self, other: Any) -> Ball:
        return self._binary(other, _subtract)

    def __rsub__(self, other: Any) -> Ball:
        return self._reflected(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> Ball:
        return self._binary(other, _multiply)

    def __rmul__(self, other: Any) -> Ball:
        return self._reflected(other, _multiply)

    def __truediv__(self, other: Any) -> Ball:
        return self._binary(other, lambda x, y: x * reciprocal(y))

    def __rtruediv__(self, other: Any) -> Ball:
        return self._reflected(other, lambda x, y: y * reciprocal(x))

    def __neg__(self) -> Ball:
        with WorkingPrecision(self.ring.prec):  # flint rounds a negated ball to its working precision
            return Ball(self.ring, -self.value)

    def __bool__(self) -> bool:
        """False when the ball is the exact number 0 and nothing else."""
        return not (self.value.real.is_zero() and self.value.imag.is_zero())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ball):
            number = rational(other)
            if number is None:
                return NotImplemented
            other = self.ring.coerce(number)
        return self.overlaps(other)

    __hash__ = None  # type: ignore[assignment]  # overlapping is not transitive, so no hash agrees with it

    def overlaps(self, other: Ball) -> bool:
        """Whether the two sets meet.

        Args:
            other: A ball, of any precision.

        Returns:
            False proves that the two numbers meant are different; True proves nothing.

        >>> from ewsmath.rings import Balls
        >>> ring = Balls(prec=64)
        >>> root = ring.square_root(ring.coerce(2))
        >>> (root * root).overlaps(ring.coerce(2)), root.overlaps(ring.ratio(14142135623, 10**10))
        (True, False)
        """
        return bool(self.value.real.overlaps(other.value.real) and self.value.imag.overlaps(other.value.imag))

    @property
    def real(self) -> Ball:
        """The real part, in ``Balls(prec)``."""
        return Ball(self.ring.reals, self.value.real)

    @property
    def imag(self) -> Ball:
        """The imaginary part, in ``Balls(prec)``."""
        return Ball(self.ring.reals, self.value.imag)

    @property
    def mid(self) -> Any:
        """The midpoint, exact: a rational, or a Gaussian rational for a complex ball.

        ValueError when it is not finite, or beyond 2^(±2^24) and so too long to write out.
        """
        if isinstance(self.value, arb):
            return exact_point(self.value.mid())
        return QQ_I.number(exact_point(self.value.real.mid()), exact_point(self.value.imag.mid()))

    @property
    def radius(self) -> fmpq:
        """The radius, exact; for a complex ball (a rectangle) the sum of its half-widths, a bound.

        One too small to be written out is rounded up to about 2^(-2^24); ValueError when the ball is unbounded.
        """
        return exact_bound(self.value.real.rad()) + exact_bound(self.value.imag.rad())

    def abs_upper(self) -> fmpq:
        """A rational that no ``|x|`` in the ball exceeds; the binary logarithm of its slack is about -64.

        Returns:
            The bound.

        Raises:
            ValueError: The ball is unbounded.

        >>> from ewsmath.rings import QQ_I, ComplexBalls
        >>> bound = ComplexBalls(prec=64).coerce(QQ_I.number(3, 4)).abs_upper()
        >>> 5 <= bound < 5 + QQ_I.ratio(1, 10**15).as_rational()
        True
        """
        with WorkingPrecision(_BOUND_BITS):
            return exact_bound(abs(self.value).upper())

    def __repr__(self) -> str:
        with WorkingPrecision(self.ring.prec):
            return str(self.value)

    def _latex(self) -> str:
        with WorkingPrecision(self.ring.prec):
            if self.value.imag.is_zero():
                return latex(self.value.real)
            return rf"{latex(self.value.real)} + \left({latex(self.value.imag)}\right) i"

    def _repr_latex_(self) -> str:
        return displayed(self._latex())


class BallRing(ExponentialRing[Ball], Field[Ball], OrderedRing[Ball], MatrixExponentialRing[Ball], Protocol):
    """What a ball asks of its ring: ``Balls(prec)`` or ``ComplexBalls(prec)``.

    >>> from ewsmath.rings import ComplexBalls
    >>> ring: BallRing = ComplexBalls(prec=53)
    >>> ring.prec, ring.reals
    (53, Balls(prec=53))
    """

    @property
    def prec(self) -> int:
        """Working precision in bits."""
        ...

    @property
    def reals(self) -> BallRing:
        """The real balls of the same precision."""
        ...


def reciprocal(value: Any) -> Any:
    """The reciprocal of a flint ball, at flint's working precision; ZeroDivisionError when the ball may be zero.

    Args:
        value: The ball, ``arb`` or ``acb``.

    Returns:
        A ball that contains the reciprocals.

    Raises:
        ZeroDivisionError: The ball may be zero.

    >>> reciprocal(arb(4))
    0.250000000000000
    """
    if value.real.contains(0) and value.imag.contains(0):
        raise ZeroDivisionError(f"the ball {value} may be zero. Raise the precision of its ring")
    return 1 / value


def _add(x: Any, y: Any) -> Any:
    return x + y


def _subtract(x: Any, y: Any) -> Any:
    return x - y


def _multiply(x: Any, y: Any) -> Any:
    return x * y


def _restored(ring: BallRing, parts: list[tuple[End, End]]) -> Ball:
    values = [from_ends(mid, radius) for mid, radius in parts]
    return Ball(ring, values[0] if len(values) == 1 else acb(*values))
