"""The ring of exponential polynomials over a ring: functions as coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

from ewsmath.exppoly.function import ExpPoly
from ewsmath.exppoly.sum import check_base
from ewsmath.rings import (
    QQ_I,
    AbstractExactRing,
    OrderedRing,
    Ring,
    RingElement,
    exponent_field,
    supports,
)

R = TypeVar("R", bound=RingElement)

_ZERO = QQ_I.zero


@dataclass(frozen=True, repr=False)
class ExpPolys(AbstractExactRing[ExpPoly[R]]):
    """The ring of exponential polynomials over a ring: functions of one variable u as coefficients.

    Attributes:
        base: The ring of the coefficients c: QQ, QQ_I, EE or SR. Balls and MP are refused, since with them no
            exponent is known to be zero.

    >>> from ewsmath.rings import QQ
    >>> functions = ExpPolys(QQ)
    >>> u = functions.variable
    >>> functions.exponential(2) * functions.exponential(-2), (u * u).derivative()
    (1, 2*u)
    """

    base: Ring[R]

    def __post_init__(self) -> None:
        check_base(self.base)

    @property
    def name(self) -> str:
        """The ring with its base."""
        return f"ExpPolys({self.base.name})"

    @property
    def zero(self) -> ExpPoly[R]:
        """The function 0."""
        return ExpPoly._of(self.base, {})

    @property
    def one(self) -> ExpPoly[R]:
        """The function 1."""
        return ExpPoly._of(self.base, {(0, _ZERO): self.base.one})

    @property
    def variable(self) -> ExpPoly[R]:
        """The function u."""
        return ExpPoly._of(self.base, {(1, _ZERO): self.base.one})

    def exponential(self, alpha: Any) -> ExpPoly[R]:
        """The function e^{αu} for α in Q(i), or over SR for a rational function α of the parameters.

        Args:
            alpha: The number α.

        Returns:
            The function.

        >>> from ewsmath.rings import QQ
        >>> ExpPolys(QQ).exponential(-2)
        e^(-2u)
        """
        return ExpPoly._of(self.base, {(0, exponent_field(self.base).coerce(alpha)): self.base.one})

    def cosine(self, w: Any) -> ExpPoly[R]:
        """The function cos(wu) for w in Q(i); the base contains i, as QQ_I and EE do.

        Args:
            w: The number w.

        Returns:
            The function.

        >>> from ewsmath.rings import EE
        >>> f = ExpPolys(EE).cosine(2)
        >>> f.derivative().derivative() == f.scaled(EE.coerce(-4)), f(0)
        (True, 1)
        """
        forward, backward = self.exponential(QQ_I.i * w), self.exponential(-QQ_I.i * w)
        return (forward + backward).scaled(self.base.ratio(1, 2))

    def sine(self, w: Any) -> ExpPoly[R]:
        """The function sin(wu) for w in Q(i); the base contains i, as QQ_I and EE do.

        Args:
            w: The number w.

        Returns:
            The function.

        >>> from ewsmath.rings import EE
        >>> ExpPolys(EE).sine(2).derivative() == ExpPolys(EE).cosine(2).scaled(EE.coerce(2))
        True
        """
        forward, backward = self.exponential(QQ_I.i * w), self.exponential(-QQ_I.i * w)
        return (forward - backward).scaled(self.base.coerce(-QQ_I.i / 2))

    def coerce(self, x: Any) -> ExpPoly[R]:
        """An exponential polynomial over the base, or a constant of the base as a constant function.

        Args:
            x: The function, or the number.

        Returns:
            The function.

        >>> from ewsmath.rings import QQ
        >>> ExpPolys(QQ).coerce(3)(7)
        3
        """
        if isinstance(x, ExpPoly):
            return x if x.ring == self.base else x.over(self.base)
        return ExpPoly._of(self.base, {(0, _ZERO): self.base.coerce(x)})

    def maximum(self, x: ExpPoly[R], y: ExpPoly[R]) -> ExpPoly[R]:
        """The larger of two real functions that differ by a constant.

        Args:
            x: A function.
            y: Another.

        Returns:
            One of the two.

        Raises:
            NotConstant: They differ by more than a constant; a ValueError.
            ValueError: One of them is not real.
            TypeError: The base does not order its elements.

        >>> from ewsmath.rings import QQ
        >>> functions = ExpPolys(QQ)
        >>> functions.maximum(functions.variable, functions.variable - functions.one)
        u
        """
        base = self._ordered_base()
        for f in (x, y):
            if not f.is_real:
                raise ValueError(f"{self.name} orders real functions only, got {f}")
        return y + self.coerce(base.maximum((x - y).constant(), base.zero))

    def square_root(self, x: ExpPoly[R]) -> ExpPoly[R]:
        """The root of a constant function.

        Args:
            x: The function.

        Returns:
            The root that is not negative.

        Raises:
            NotConstant: The function is no constant; a ValueError.
            ValueError: The base has no such root.
            TypeError: The base does not order its elements.

        >>> from ewsmath.rings import EE
        >>> w = ExpPolys(EE)  # the speed on a circle of radius 3/2 varies, its length does not
        >>> x, y = w.cosine(2).scaled(EE.ratio(3, 2)), w.sine(2).scaled(EE.ratio(3, 2))
        >>> w.square_root(x * x + y * y)
        3/2
        """
        return self.coerce(self._ordered_base().square_root(x.constant()))

    def _ordered_base(self) -> Any:
        if not supports(self.base, OrderedRing):
            raise TypeError(f"{self.name} compares no functions, since {self.base.name} does not order its elements")
        return self.base
