"""Differences, quotients and powers, from sums, negatives, products and inverses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from ewsmath.rings.door import foreign, inexact, integer, named
from ewsmath.rings.immutable import Immutable
from ewsmath.rings.power import repeated


class Arithmetic(Immutable):
    """What the elements of QQ_I, EE, RF and SR, and functions over them, share: the operations that follow from others.

    A class brings ``+`` and ``*`` with all that it takes for a number, unary ``-`` and ``inverse``. What it does not
    take is asked in its turn; a float, which would know no answer, and an operand that has been asked are refused.

    >>> from ewsmath.rings import QQ_I, RF
    >>> x = RF.symbol("x")
    >>> 1 - x, 2 / x, x**-2, (1 - QQ_I.i) ** 4
    (1 - x, 2/x, x**(-2), -4)
    """

    __slots__ = ()
    _number: Callable[[Any], Any]  # the element that an object is; None where it is no number
    _takes: tuple[str, str]  # the name of the ring, and what goes together with its elements

    def _unknown(self, other: Any) -> Any:
        """What an operation answers where the right operand is no number here."""
        if inexact(other):
            raise self._foreign(other)
        return NotImplemented

    def _known(self, other: Any) -> Any:
        """The element that a left operand is, which did not know the answer itself."""
        x = self._number(other)
        if x is None:
            raise self._foreign(other)
        return x

    def _foreign(self, other: Any) -> TypeError:
        return foreign(*self._takes, other)

    def __radd__(self: Any, other: Any) -> Any:
        return self + self._known(other)

    def __rmul__(self: Any, other: Any) -> Any:
        return self * self._known(other)

    def __sub__(self: Any, other: Any) -> Any:
        x = self._number(other)
        return self._unknown(other) if x is None else self + -x

    def __rsub__(self: Any, other: Any) -> Any:
        return -self + self._known(other)

    def __truediv__(self: Any, other: Any) -> Any:
        x = self._number(other)
        return self._unknown(other) if x is None else self * x.inverse()

    def __rtruediv__(self: Any, other: Any) -> Any:
        x = self._known(other)
        return self.inverse() * x

    def __pow__(self: Any, power: int) -> Any:
        n = integer(power)
        if n is None:
            raise TypeError(f"a power x ** n needs a whole number n, got {named(power)}: e^q is EE.exp(q) or SR.exp(q)")
        return repeated(self if n >= 0 else self.inverse(), abs(n), self._number(1))


class Number(Arithmetic):
    """What the elements of EE, RF and SR share beyond their arithmetic: they are rationals where they can be.

    A class brings ``as_gaussian``.

    >>> from ewsmath.rings import SR
    >>> isinstance(SR.symbol("a"), Number), isinstance(1, Number)
    (True, False)
    """

    __slots__ = ()

    def as_rational(self: Any) -> fmpq:
        """The same number in QQ.

        Returns:
            The rational.

        Raises:
            ValueError: The number is irrational, or depends on a parameter.

        >>> from ewsmath.rings import EE
        >>> e = EE.exp(EE.one)
        >>> ((e + 1) * (1 / e) - 1 / e + EE.ratio(1, 2)).as_rational()
        3/2
        """
        return self.as_gaussian().as_rational()
