"""Sums Σ c u^k e^{αu} as maps (k, α) ↦ c: what they hold, how they are added and multiplied, and how they are read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

from ewsmath.exppoly.notation import written, written_in_latex
from ewsmath.latex import displayed
from ewsmath.rings import (
    QQ_I,
    Gaussian,
    MatrixExponentialRing,
    Ring,
    RingElement,
    check_ring,
    exponent_field,
    supports,
)
from ewsmath.rings.arithmetic import Arithmetic
from ewsmath.rings.door import foreign, integer, named, operand

R = TypeVar("R", bound=RingElement)

_ZERO = QQ_I.zero


class ExponentialSum(Arithmetic, Generic[R]):
    """What :class:`~ewsmath.exppoly.function.ExpPoly` is as an element of a ring, before its calculus.

    Args:
        ring: The ring of the coefficients.
        terms: The map (k, α) ↦ c, with whole numbers k ≥ 0, and numbers α and c that their rings take.

    Raises:
        TypeError: A number is none of its ring, a key is no pair (k, α), or there is no ring.
        ValueError: A power is no whole number from 0 up, or the zero of the ring is not decidable.

    >>> from ewsmath.exppoly import ExpPolys
    >>> from ewsmath.rings import QQ
    >>> u = ExpPolys(QQ).variable
    >>> isinstance(u, ExponentialSum), 1 - u / 2, (u + 1) ** 2
    (True, 1 - 1/2*u, 1 + 2*u + u^2)
    """

    __slots__ = ("_terms", "ring")
    ring: Ring[R]
    _terms: dict[tuple[int, Gaussian], R]

    def __init__(self, ring: Ring[R], terms: Mapping[tuple[int, Any], Any]) -> None:
        exponents = exponent_field(check_base(ring))
        total: dict[tuple[int, Gaussian], Any] = {}
        for key, c in terms.items():
            if not (isinstance(key, tuple) and len(key) == 2):
                raise TypeError(f"a term of an exponential polynomial is a pair (k, α) ↦ c, got {named(key)}")
            power = integer(key[0])
            if power is None or power < 0:
                raise ValueError(f"a power u^k has a whole number k ≥ 0, got {named(key[0])}")
            accumulate(total, (power, exponents.coerce(key[1])), ring.coerce(c))
        self._set(ring=ring, _terms={key: c for key, c in total.items() if c})

    @classmethod
    def _of(cls, ring: Ring[Any], terms: Mapping[tuple[int, Any], Any]) -> Self:
        """What was computed: exponents of their field and elements of the ring, which are not looked at again."""
        made = cls.__new__(cls)
        made._set(ring=ring, _terms={key: c for key, c in terms.items() if c})
        return made

    @property
    def terms(self) -> Mapping[tuple[int, Gaussian], R]:
        """The map (k, α) ↦ c, without zeros."""
        return MappingProxyType(self._terms)

    def __add__(self, other: Any) -> Self:
        right = self._number(other)
        if right is None:
            return self._unknown(other)
        total: dict[tuple[int, Gaussian], Any] = dict(self._terms)
        for key, c in right._terms.items():
            accumulate(total, key, c)
        return self._like(total)

    def __neg__(self) -> Self:
        return self._like({key: -c for key, c in self._terms.items()})

    def __mul__(self, other: Any) -> Self:
        right = self._number(other)
        if right is None:
            return self._unknown(other)
        total: dict[tuple[int, Gaussian], Any] = {}
        for (k, alpha), a in self._terms.items():
            for (n, beta), b in right._terms.items():
                accumulate(total, (k + n, alpha + beta), a * b)
        return self._like(total)

    def scaled(self, c: Any) -> Self:
        """The multiple by an element of the ring.

        Args:
            c: The element, or a number that the ring takes.

        Returns:
            The function c f.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE
        >>> ExpPolys(EE).variable.scaled(EE.exp(EE.one))
        e^(1)*u
        """
        factor = self.ring.coerce(c)
        return self._like({key: factor * x for key, x in self._terms.items()})

    def inverse(self) -> Self:
        """The inverse of a unit c e^{αu}.

        Returns:
            The function e^{-αu}/c.

        Raises:
            ZeroDivisionError: The function is 0.
            ValueError: It is no such term, and its inverse is no exponential polynomial.
            TypeError: The ring does not contain 1/c.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE
        >>> ExpPolys(EE).exponential(3).scaled(EE.coerce(2)).inverse()
        1/2*e^(-3u)
        """
        if not self:
            raise ZeroDivisionError("exponential polynomials: 0 has no inverse")
        ((k, alpha), c), *rest = self._terms.items()
        if k or rest:
            raise ValueError(f"1/({self}) is no exponential polynomial: numbers and single terms c*e^(αu) divide")
        one: Any = self.ring.one
        return self._like({(0, -alpha): one / c})

    def _like(self, terms: Mapping[tuple[int, Gaussian], R]) -> Self:
        return self._of(self.ring, terms)

    def _number(self, x: Any) -> Self | None:
        """The function that x is, or stands for as a constant; None where it is neither."""
        if isinstance(x, ExponentialSum):
            return operand(self, x, "exponential polynomials", "a number enters by ExpPolys(ring).coerce(c)")
        try:
            return self._like({(0, _ZERO): self.ring.coerce(x)})
        except TypeError:
            return None

    def _foreign(self, other: Any) -> TypeError:
        return foreign(
            f"ExpPolys({self.ring.name})", f"functions over {self.ring.name} and numbers that it takes", other
        )

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExponentialSum) or other.ring != self.ring:
            return NotImplemented
        return self._terms == other._terms  # the functions u^k e^{αu} are linearly independent

    def __hash__(self) -> int:
        return hash(frozenset(self._terms.items()))

    def __repr__(self) -> str:
        return written(self._terms)

    def _latex(self) -> str:
        return written_in_latex(self._terms)

    def _repr_latex_(self) -> str:
        return displayed(self._latex())


def check_base(ring: Any) -> Ring[Any]:
    """The ring, if it can be that of the coefficients: balls and MP cannot, since with them nothing is known to be 0.

    Args:
        ring: What came.

    Returns:
        The ring itself.

    Raises:
        TypeError: It is no ring.
        ValueError: Its zero is not decidable.

    >>> from ewsmath.rings import QQ, Balls
    >>> check_base(QQ)
    QQ
    >>> check_base(Balls(prec=64))
    Traceback (most recent call last):
    ValueError: exponential polynomials need a decidable zero, which Balls(prec=64) has not: use EE
    """
    if supports(check_ring(ring), MatrixExponentialRing):
        raise ValueError(f"exponential polynomials need a decidable zero, which {ring.name} has not: use EE")
    return ring


def accumulate(total: dict[tuple[int, Gaussian], Any], key: tuple[int, Gaussian], c: Any) -> None:
    """Add c at a key of a map of terms.

    Args:
        total: The map, which is changed.
        key: The pair (k, α).
        c: The coefficient to add.

    >>> total = {(1, _ZERO): 2}
    >>> accumulate(total, (1, _ZERO), 3)
    >>> total
    {(1, 0): 5}
    """
    total[key] = total[key] + c if key in total else c
