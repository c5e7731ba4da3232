"""Quotients of elements of EE, with their arithmetic and decidable equality."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from ewsmath.rings import EE, Ball, ComplexBalls, Exponential, Gaussian
from ewsmath.rings.arithmetic import Arithmetic
from ewsmath.rings.door import rational

_ONE = EE.one


class Quotient(Arithmetic):
    """A quotient p/q of two elements of EE, q ≠ 0. Immutable.

    Two are equal when p1 q2 = p2 q1 in EE, which is decided.

    Args:
        numerator: The element p of EE.
        denominator: The element q of EE.

    Attributes:
        numerator: The element p of EE.
        denominator: The element q of EE; 1 where the quotient is known to be an element of EE.

    Raises:
        ZeroDivisionError: q is 0.

    >>> e = Quotient(EE.exp(EE.one))
    >>> (e * e - 1) / (e - 1) == e + 1
    True
    """

    __slots__ = ("denominator", "numerator")
    _takes = ("FRACTIONS", "elements of QQ, QQ_I, EE and FRACTIONS")
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
        """The complex conjugate.

        Returns:
            The quotient of the conjugates.

        >>> from ewsmath.rings import QQ_I
        >>> Quotient(EE.exp(EE.coerce(1 + QQ_I.i))).conjugate()
        e^(1-i)
        """
        return Quotient(self.numerator.conjugate(), self.denominator.conjugate())

    def as_gaussian(self) -> Gaussian:
        """The same number in QQ_I.

        Returns:
            The number.

        Raises:
            ValueError: It is not a Gaussian rational in plain sight.

        >>> from ewsmath.rings import QQ_I
        >>> (Quotient(EE.coerce(QQ_I.i)) / 2).as_gaussian()
        1/2i
        """
        if self.denominator != _ONE:
            raise ValueError(f"QQ_I: {self} is no Gaussian rational. Keep it in Frac(EE), or work in balls")
        return self.numerator.as_gaussian()

    def as_rational(self) -> fmpq:
        """The same number in QQ.

        Returns:
            The number.

        Raises:
            ValueError: It is not rational in plain sight.

        >>> e = Quotient(EE.exp(EE.one))
        >>> (e / e / 3).as_rational()
        1/3
        """
        return self.as_gaussian().as_rational()

    def ball(self, prec: int) -> Ball:
        """A complex ball that contains the number.

        Args:
            prec: The precision in bits.

        Returns:
            A ball of ``ComplexBalls(prec)``.

        >>> (1 / (Quotient(EE.exp(EE.one)) - 1)).ball(64).value.real.str(10, radius=False)
        '0.5819767069'
        """
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

    @staticmethod
    def _number(x: object) -> Quotient | None:
        return as_quotient(x)

    def __add__(self, other: Any) -> Quotient:
        x = as_quotient(other)
        if x is None:
            return self._unknown(other)
        if self.denominator is x.denominator or self.denominator == x.denominator:
            return _raw(self.numerator + x.numerator, self.denominator)
        numerator = self.numerator * x.denominator + x.numerator * self.denominator
        return _raw(numerator, _joint(self.denominator, x.denominator))

    def __neg__(self) -> Quotient:
        return _raw(-self.numerator, self.denominator)

    def __mul__(self, other: Any) -> Quotient:
        x = as_quotient(other)
        if x is None:
            return self._unknown(other)
        if not (self and x):
            return _raw(EE.zero, _ONE)
        if self.numerator == x.denominator:
            return _raw(x.numerator, self.denominator)
        if self.denominator == x.numerator:
            return _raw(self.numerator, x.denominator)
        return _raw(self.numerator * x.numerator, _joint(self.denominator, x.denominator))

    def inverse(self) -> Quotient:
        """1/x.

        Returns:
            The quotient turned over.

        Raises:
            ZeroDivisionError: x is 0.

        >>> (Quotient(EE.exp(EE.one)) - 1).inverse()
        (1)/(-1 + e^(1))
        """
        return Quotient(self.denominator, self.numerator)

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __eq__(self, other: object) -> bool:
        x = as_quotient(other)
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


def as_quotient(x: object) -> Quotient | None:
    """The quotient that a number is, if it is one.

    Args:
        x: Anything.

    Returns:
        The quotient for an element of QQ, QQ_I, EE or Frac(EE), or a whole number; else None.

    >>> as_quotient(EE.exp(EE.one)) * 2, as_quotient(0.5)
    (2*e^(1), None)
    """
    if isinstance(x, Quotient):
        return x
    if isinstance(x, Exponential | Gaussian) or rational(x) is not None:
        return _raw(EE.coerce(x), _ONE)
    return None
