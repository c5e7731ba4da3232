"""EE, the ring of the finite sums Σ c e^q with c and q in Q(i): transcendental numbers with decidable equality."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from ewsmath.rings.door import refusal
from ewsmath.rings.exact import AbstractExactRing
from ewsmath.rings.exponential import Exponential, exponential
from ewsmath.rings.gaussian import Gaussian
from ewsmath.rings.rational import QQ

_ORDER_BITS = 64


@dataclass(frozen=True, repr=False)
class ExponentialField(AbstractExactRing[Exponential]):
    """The ring EE; its elements are :class:`Exponential`. An integral domain, not a field.

    >>> EE.exp(EE.ratio(1, 2)) * EE.exp(EE.ratio(-1, 2)) == EE.one, EE.exp(EE.one) == EE.ratio(19, 7)
    (True, False)
    """

    @property
    def name(self) -> str:
        """EE."""
        return "EE"

    @property
    def zero(self) -> Exponential:
        """0."""
        return Exponential({})

    @property
    def one(self) -> Exponential:
        """1."""
        return self.coerce(fmpq(1))

    def coerce(self, x: Any) -> Exponential:
        """The element that x is.

        Args:
            x: An element of QQ, QQ_I or EE, one of SR without parameters, or any rational that QQ takes.

        Returns:
            The same number.

        Raises:
            TypeError: x is of another kind.
            ValueError: x depends on a parameter.

        >>> from ewsmath.rings import SR
        >>> EE.coerce(SR.exp(-2 * SR.symbol("r")).at(r=3))
        e^(-6)
        """
        value = exponential(x.as_exponential() if hasattr(x, "as_exponential") else x)
        if value is None:
            raise refusal(self.name, "int, fmpq, Fraction, Gaussian or Exponential", x)
        return value

    def exp(self, x: Exponential) -> Exponential:
        """The exponential of a constant.

        Args:
            x: A constant of EE, so a Gaussian rational.

        Returns:
            e^x.

        Raises:
            ValueError: x itself holds an exponential: e^(e^q) is not in EE.
            TypeError: x is no number that EE takes.

        >>> from ewsmath.rings import QQ_I
        >>> EE.exp(EE.coerce(QQ_I.i)) + EE.exp(EE.coerce(-QQ_I.i))  # 2 cos 1
        e^(-i) + e^(i)
        """
        x = self.coerce(x)
        try:
            return Exponential({x.as_gaussian(): Gaussian(1)})
        except ValueError:
            raise ValueError(
                f"EE.exp takes a Gaussian rational, got {x}: its exponential is not in EE. Use Balls(prec=128)"
            ) from None

    def maximum(self, x: Exponential, y: Exponential) -> Exponential:
        """The larger of two real numbers, decided: a test for zero, else balls refined until they part.

        Args:
            x: A number.
            y: Another.

        Returns:
            One of the two.

        Raises:
            ValueError: One of them is not real.

        >>> EE.maximum(EE.exp(EE.one), EE.ratio(27183, 10000))
        27183/10000
        """
        for number in (x, y):
            if not number.is_real:
                raise ValueError(f"EE.maximum orders real numbers only, got {number}")
        difference = x - y
        prec = _ORDER_BITS
        while difference:
            ball = difference.ball(prec).real
            if not ball.overlaps(ball.ring.zero):
                return x if ball.value > 0 else y
            prec *= 2
        return x

    def square_root(self, x: Exponential) -> Exponential:
        """The rational root of a rational x ≥ 0.

        Args:
            x: The square of a rational.

        Returns:
            The root that is not negative.

        Raises:
            ValueError: x is negative or irrational, or its root is.

        >>> EE.square_root(EE.ratio(9, 4))
        3/2
        """
        return self.coerce(QQ.square_root(x.as_rational()))


EE = ExponentialField()
