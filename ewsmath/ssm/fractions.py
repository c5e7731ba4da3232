"""Frac(EE), the fractions of the ring EE: a field of transcendental numbers with decidable equality and order.

The transitions of most state-space models lie in it when their stored parameters are rational: exp, the
logistic function, bilinear transforms and the steady states of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from ewsmath.rings import EE, QQ, Ball, ComplexBalls, Exponential, Gaussian
from ewsmath.rings.door import rational, refusal
from ewsmath.rings.immutable import Immutable

_ONE = EE.one
_FIRST_BITS = 64


class Quotient(Immutable):
    """A quotient p/q of two elements of EE, q ≠ 0. Immutable.

    Two are equal when p1 q2 = p2 q1 in EE, which is decided.

    Attributes:
        numerator: The element p of EE.
        denominator: The element q of EE; 1 where the quotient is known to be an element of EE.

    >>> e = FRACTIONS.exp(FRACTIONS.one)
    >>> (e * e - 1) / (e - 1) == e + 1
    True
    """

    __slots__ = ("denominator", "numerator")
    numerator: Exponential
    denominator: Exponential

    def __init__(self, numerator: Exponential, denominator: Exponential = _ONE) -> None:
        if denominator is not _ONE:
            terms = denominator.terms
            if not terms:
                raise ZeroDivisionError(f"{numerator} is divided by 0")
            if len(terms) == 1:  # c e^q is a unit of EE
                ((q, c),) = terms.items()
                numerator, denominator = numerator * Exponential({-q: c.inverse()}), _ONE
        self._set(numerator=numerator, denominator=denominator)

    @property
    def is_real(self) -> bool:
        """Whether the number is real, decided."""
        return self == self.conjugate()

    def conjugate(self) -> Quotient:
        """The complex conjugate."""
        return Quotient(self.numerator.conjugate(), self.denominator.conjugate())

    def as_gaussian(self) -> Gaussian:
        """The same number in QQ_I; ValueError when it is not a Gaussian rational in plain sight."""
        if self.denominator != _ONE:
            raise ValueError(f"QQ_I: {self} is no Gaussian rational. Keep it in Frac(EE), or work in balls")
        return self.numerator.as_gaussian()

    def as_rational(self) -> fmpq:
        """The same number in QQ; ValueError when it is not rational in plain sight."""
        return self.as_gaussian().as_rational()

    def ball(self, prec: int) -> Ball:
        """A complex ball that contains the number, in ``ComplexBalls(prec)``."""
        numerator = self.numerator.ball(prec)
        return numerator if self.denominator == _ONE else numerator / self._nonzero(prec)

    def _nonzero(self, prec: int) -> Ball:
        """A ball around the denominator that does not contain 0, which it is known not to be."""
        bits = prec
        while True:
            ball = self.denominator.ball(bits)
            if not ball.overlaps(ball.ring.zero):
                return ComplexBalls(prec).coerce(ball)
            bits *= 2

    def __add__(self, other: Any) -> Quotient:
        x = _quotient(other)
        if x is None:
            return NotImplemented
        if self.denominator is x.denominator or self.denominator == x.denominator:
            return _raw(self.numerator + x.numerator, self.denominator)
        numerator = self.numerator * x.denominator + x.numerator * self.denominator
        return _raw(numerator, _joint(self.denominator, x.denominator))

    def __neg__(self) -> Quotient:
        return _raw(-self.numerator, self.denominator)

    def __sub__(self, other: Any) -> Quotient:
        x = _quotient(other)
        return NotImplemented if x is None else self + -x

    def __rsub__(self, other: Any) -> Quotient:
        return -self + other

    def __mul__(self, other: Any) -> Quotient:
        x = _quotient(other)
        if x is None:
            return NotImplemented
        if not (self and x):
            return _raw(EE.zero, _ONE)
        if self.numerator == x.denominator:
            return _raw(x.numerator, self.denominator)
        if self.denominator == x.numerator:
            return _raw(self.numerator, x.denominator)
        return _raw(self.numerator * x.numerator, _joint(self.denominator, x.denominator))

    __radd__ = __add__
    __rmul__ = __mul__

    def inverse(self) -> Quotient:
        """1/x; ZeroDivisionError for 0."""
        return Quotient(self.denominator, self.numerator)

    def __truediv__(self, other: Any) -> Quotient:
        x = _quotient(other)
        return NotImplemented if x is None else self * x.inverse()

    def __rtruediv__(self, other: Any) -> Quotient:
        return self.inverse() * other

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __eq__(self, other: object) -> bool:
        x = _quotient(other)
        if x is None:
            return NotImplemented
        if self.denominator is x.denominator:
            return self.numerator == x.numerator
        return self.numerator * x.denominator == x.numerator * self.denominator

    __hash__ = None  # type: ignore[assignment]  # equal numbers may be written in several ways

    def __repr__(self) -> str:
        if self.denominator == _ONE:
            return str(self.numerator)
        return f"({self.numerator})/({self.denominator})"


def _joint(p: Exponential, q: Exponential) -> Exponential:
    if p is _ONE:
        return q
    return p if q is _ONE else p * q


def _raw(numerator: Exponential, denominator: Exponential) -> Quotient:
    # Units of EE are monomials alone, so that no product of other denominators becomes one.
    quotient = Quotient.__new__(Quotient)
    quotient._set(numerator=numerator, denominator=denominator)
    return quotient


def _quotient(x: object) -> Quotient | None:
    if isinstance(x, Quotient):
        return x
    if isinstance(x, Exponential | Gaussian) or rational(x) is not None:
        return _raw(EE.coerce(x), _ONE)
    return None


@dataclass(frozen=True)
class ExponentialFractions:
    """The field Frac(EE); its elements are :class:`Quotient`.

    >>> FRACTIONS.inverse(FRACTIONS.exp(1) - 1), FRACTIONS.ratio(2, 4)
    ((1)/(-1 + e^(1)), 1/2)
    >>> FRACTIONS.equal(FRACTIONS.exp(1) * FRACTIONS.exp(-1), FRACTIONS.one)
    True
    """

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """Frac(EE)."""
        return "Frac(EE)"

    @property
    def zero(self) -> Quotient:
        """0."""
        return Quotient(EE.zero)

    @property
    def one(self) -> Quotient:
        """1."""
        return Quotient(_ONE)

    def coerce(self, x: Any) -> Quotient:
        """The element that x is; TypeError when x is no element of QQ, QQ_I, EE or Frac(EE)."""
        value = _quotient(x)
        if value is None:
            raise refusal(self.name, "int, fmpq, Fraction, Gaussian, or elements of EE and Frac(EE)", x, "QQ")
        return value

    def ratio(self, p: int, q: int) -> Quotient:
        """The rational p/q."""
        return Quotient(EE.ratio(p, q))

    def equal(self, x: Quotient, y: Quotient) -> bool:
        """Whether x = y, decided (Lindemann–Weierstrass)."""
        return x == y

    def inverse(self, x: Quotient) -> Quotient:
        """1/x; ZeroDivisionError for 0."""
        return x.inverse()

    def exp(self, x: Any) -> Quotient:
        """The exponential of a Gaussian rational; ValueError for all else, whose exponential is not in the field."""
        number = self.coerce(x)
        try:
            return Quotient(EE.exp(EE.coerce(number.as_gaussian())))
        except ValueError:
            raise ValueError(
                f"Frac(EE).exp takes a Gaussian rational, got {x}: work in balls, ring=Balls(prec=128)"
            ) from None


FRACTIONS = ExponentialFractions()


def sign(x: Any) -> int:
    """The sign of a real number of Frac(EE), decided: a test for zero, else balls refined until they leave it.

    Args:
        x: A real element of QQ, EE or Frac(EE).

    Returns:
        -1, 0 or 1.

    Raises:
        ValueError: x is not real.

    >>> sign(EE.exp(EE.one) - EE.ratio(27183, 10000))
    -1
    """
    number = rational(x)
    if number is not None:
        return (number > 0) - (number < 0)
    quotient = FRACTIONS.coerce(x)
    if not quotient.is_real:
        raise ValueError(f"only real numbers have a sign, got {x}")
    prec = _FIRST_BITS
    while quotient:
        ball = quotient.ball(prec).real
        if not ball.overlaps(ball.ring.zero):
            return 1 if ball.value > 0 else -1
        prec *= 2
    return 0


def sigmoid(x: Any) -> Quotient:
    """The logistic function of a rational, exact in Frac(EE).

    Args:
        x: A rational.

    Returns:
        e^x/(1 + e^x).

    >>> sigmoid(1), sigmoid(0)
    ((e^(1))/(1 + e^(1)), 1/2)
    """
    power = EE.exp(EE.coerce(QQ.coerce(x)))
    return Quotient(power, power + 1)
