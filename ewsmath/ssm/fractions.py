"""Frac(EE), the fractions of the ring EE: a field of transcendental numbers with decidable equality and order.

The transitions of most state-space models lie in it when their stored parameters are rational: exp, the
logistic function, bilinear transforms and the steady states of both.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ewsmath.rings import EE, QQ
from ewsmath.rings.door import rational, refusal
from ewsmath.ssm.quotient import Quotient, as_quotient

_FIRST_BITS = 64


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
        return Quotient(EE.one)

    def coerce(self, x: Any) -> Quotient:
        """The element that x is.

        Args:
            x: An element of QQ, QQ_I, EE or Frac(EE), or a whole number.

        Returns:
            The element.

        Raises:
            TypeError: x is none of these, such as a float.

        >>> FRACTIONS.coerce(EE.exp(EE.one)) - 1
        -1 + e^(1)
        """
        value = as_quotient(x)
        if value is None:
            raise refusal(self.name, "int, fmpq, Fraction, Gaussian, or elements of EE and Frac(EE)", x, "QQ")
        return value

    def ratio(self, p: int, q: int) -> Quotient:
        """The rational p/q.

        Args:
            p: The numerator.
            q: The denominator, not 0.

        Returns:
            The element.

        >>> FRACTIONS.ratio(6, 4)
        3/2
        """
        return Quotient(EE.ratio(p, q))

    def equal(self, x: Quotient, y: Quotient) -> bool:
        """Whether x = y, decided (Lindemann–Weierstrass).

        Args:
            x: An element.
            y: Another one.

        Returns:
            Whether they are the same number, however they are written.

        >>> e = FRACTIONS.exp(FRACTIONS.one)
        >>> FRACTIONS.equal((e * e - 1) / (e - 1), e + 1), FRACTIONS.equal(e, FRACTIONS.ratio(27183, 10000))
        (True, False)
        """
        return x == y

    def inverse(self, x: Quotient) -> Quotient:
        """1/x.

        Args:
            x: An element.

        Returns:
            Its inverse.

        Raises:
            ZeroDivisionError: x is 0.

        >>> FRACTIONS.inverse(2 * FRACTIONS.exp(FRACTIONS.one))
        1/2*e^(-1)
        """
        return x.inverse()

    def exp(self, x: Any) -> Quotient:
        """The exponential of a Gaussian rational.

        Args:
            x: The exponent.

        Returns:
            e^x.

        Raises:
            ValueError: x is no Gaussian rational: its exponential is not in the field.

        >>> from ewsmath.rings import QQ_I
        >>> FRACTIONS.exp(QQ_I.i) * FRACTIONS.exp(1 - QQ_I.i)
        e^(1)
        """
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
