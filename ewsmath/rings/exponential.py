"""Exponentials: finite sums Σ c e^q with c and q in Q(i), transcendental numbers whose equality is decided."""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from types import MappingProxyType
from typing import Any

from flint import fmpq

from ewsmath.latex import combination, displayed, latex
from ewsmath.rings.arithmetic import Number
from ewsmath.rings.ball import Ball
from ewsmath.rings.balls import ComplexBalls
from ewsmath.rings.gaussian import Gaussian, gaussian

# Inside, an exponent is the three integers of its Gaussian rational, since a plain tuple hashes ten times as
# fast, and a real coefficient is a flint rational, which multiplies and adds in C; only others are Gaussian.
Key = tuple[int, int, int]
Coefficient = fmpq | Gaussian

_ZERO = Gaussian(0)
_ZERO_KEY: Key = (0, 0, 1)


class Exponential(Number):
    r"""The number that a finite map q ↦ c stands for. Immutable.

    .. math:: \sum_q c_q e^q, \qquad c_q ≠ 0, \quad q, c_q ∈ \mathbb{Q}(i)

    By Lindemann and Weierstrass the exponentials of distinct algebraic numbers are linearly independent
    over the algebraic numbers, so two such numbers are equal exactly when their maps are, and zero is the
    empty map. Real numbers are ordered by ``EE.maximum`` and not by ``<``; single terms c e^q divide.

    Args:
        terms: The map q ↦ c; zeros are left out.

    >>> from ewsmath.rings import EE
    >>> e = EE.exp(EE.one)
    >>> (2 * e) ** -1, (e + 1) / e
    (1/2*e^(-1), e^(-1) + 1)
    >>> (e + 1) * (e - 1) == e * e - 1
    True
    >>> e * EE.exp(EE.ratio(-1, 2)) + 2
    2 + e^(1/2)
    """

    __slots__ = ("_terms",)
    _takes = ("EE", "elements of QQ, QQ_I and EE")
    _terms: dict[Key, Coefficient]

    def __init__(self, terms: Mapping[Gaussian, Gaussian]) -> None:
        _set_terms(self, {(q.p, q.q, q.n): _narrowed(c) for q, c in terms.items() if c})

    @property
    def terms(self) -> Mapping[Gaussian, Gaussian]:
        """The map q ↦ c, without zeros."""
        return MappingProxyType({Gaussian(*q): _widened(c) for q, c in self._terms.items()})

    @property
    def is_real(self) -> bool:
        """Whether the number is real, decided: it is equal to its conjugate."""
        return self == self.conjugate()

    def conjugate(self) -> Exponential:
        """The complex conjugate Σ c̄ e^q̄.

        Returns:
            The conjugate.

        >>> from ewsmath.rings import EE, QQ_I
        >>> EE.exp(EE.coerce(QQ_I.number(-1, 2))).conjugate()
        e^(-1-2i)
        """
        return Exponential({q.conjugate(): c.conjugate() for q, c in self.terms.items()})

    def as_gaussian(self) -> Gaussian:
        """The same number in QQ_I.

        Returns:
            The Gaussian rational.

        Raises:
            ValueError: An exponential is left in it.

        >>> from ewsmath.rings import EE, QQ_I
        >>> (EE.exp(EE.one) * EE.exp(-EE.one) + QQ_I.i).as_gaussian()
        1+i
        """
        if any(self._terms.keys() - {_ZERO_KEY}):
            raise ValueError(f"QQ_I: {self} is no Gaussian rational. Keep it in EE, or work in balls, Balls(prec=128)")
        return _widened(self._terms.get(_ZERO_KEY, _ZERO))

    def ball(self, prec: int) -> Ball:
        """A complex ball that contains the number.

        Args:
            prec: Working precision in bits.

        Returns:
            An element of ``ComplexBalls(prec)``.

        >>> from ewsmath.rings import EE
        >>> (EE.exp(EE.one) - 3).ball(53).real
        [-0.281718171540955 +/- 5.41e-16]
        """
        field = ComplexBalls(prec)
        total = field.zero
        for q, c in self.terms.items():
            total = total + field.coerce(c) * field.exp(field.coerce(q))
        return total

    def inverse(self) -> Exponential:
        """The inverse of a unit c e^q; the units of EE are these, since it is an integral domain graded by q.

        Returns:
            The unit e^{-q}/c.

        Raises:
            ZeroDivisionError: The number is 0.
            TypeError: It is a sum of several terms, whose inverse is not in EE.

        >>> from ewsmath.rings import EE
        >>> (2 * EE.exp(EE.ratio(1, 3))).inverse()
        1/2*e^(-1/3)
        """
        if not self:
            raise ZeroDivisionError("division by zero in EE")
        if len(self._terms) > 1:
            raise TypeError(
                f"{self} has no inverse in EE, where only single terms c*e^q divide: take quotients in ssm.FRACTIONS, "
                "its field of fractions, or in balls, Balls(prec=128)"
            )
        ((q, c),) = self.terms.items()
        return Exponential({-q: c.inverse()})

    @staticmethod
    def _number(x: object) -> Exponential | None:
        return exponential(x)

    def __add__(self, other: Any) -> Exponential:
        x = other if type(other) is Exponential else exponential(other)
        if x is None:
            return self._unknown(other)
        terms = self._terms.copy()
        for q, c in x._terms.items():
            _accumulate(terms, q, c)
        return _of(terms)

    def __neg__(self) -> Exponential:
        return _of({q: -c for q, c in self._terms.items()})

    def __mul__(self, other: Any) -> Exponential:
        x = other if type(other) is Exponential else exponential(other)
        if x is None:
            return self._unknown(other)
        mine, theirs = self._terms, x._terms
        if len(theirs) == 1:
            mine, theirs = theirs, mine
        if len(mine) == 1:  # most products are by one term: no two terms of the result meet
            ((q1, c1),) = mine.items()
            if q1 == _ZERO_KEY and type(c1) is fmpq:
                return _of({q2: c1 * c2 for q2, c2 in theirs.items()})
            return _of({_sum(q1, q2): _narrowed(c1 * c2) for q2, c2 in theirs.items()})
        terms: dict[Key, Coefficient] = {}
        for q1, c1 in mine.items():
            for q2, c2 in theirs.items():
                _accumulate(terms, _sum(q1, q2), c1 * c2)
        return _of(terms)

    def __lt__(self, other: Any) -> bool:
        raise TypeError(f"{self} and {other} have no order by <: EE.maximum(x, y) decides which real number is larger")

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __eq__(self, other: object) -> bool:
        x = exponential(other)
        return NotImplemented if x is None else self._terms == x._terms

    def __hash__(self) -> int:
        if not self._terms.keys() - {_ZERO_KEY}:
            return hash(self._terms.get(_ZERO_KEY, _ZERO))
        return hash(frozenset(self._terms.items()))

    def __repr__(self) -> str:
        return " + ".join(_term(q, c) for q, c in self._ordered()).replace("+ -", "- ") or "0"

    def _ordered(self) -> list[tuple[Gaussian, Gaussian]]:
        return sorted(self.terms.items(), key=lambda term: (term[0].real, term[0].imag))

    def _latex(self) -> str:
        return combination([(c, "" if not q else "e" if q == 1 else f"e^{{{latex(q)}}}") for q, c in self._ordered()])

    def _repr_latex_(self) -> str:
        return displayed(self._latex())


# The constructor for what is in inner form already: the descriptor itself, past the ban on setting attributes.
_set_terms = Exponential.__dict__["_terms"].__set__
_new = Exponential.__new__


def _of(terms: dict[Key, Coefficient]) -> Exponential:
    number = _new(Exponential)
    _set_terms(number, terms)
    return number


def _narrowed(c: Coefficient) -> Coefficient:
    return c if isinstance(c, fmpq) or c.q else c.real


def _widened(c: Coefficient) -> Gaussian:
    return Gaussian(int(c.p), 0, int(c.q)) if isinstance(c, fmpq) else c


def _accumulate(terms: dict[Key, Coefficient], q: Key, c: Coefficient) -> None:
    """Add c e^q, c not zero, to a sum in inner form."""
    if q in terms:
        c = terms[q] + c
        if not c:
            del terms[q]
            return
    terms[q] = c if type(c) is fmpq else _narrowed(c)


def _sum(x: Key, y: Key) -> Key:
    (p, q, n), (r, s, m) = x, y
    if n == m == 1:
        return p + r, q + s, 1
    p, q, n = p * m + r * n, q * m + s * n, n * m
    common = gcd(p, q, n)
    return p // common, q // common, n // common


def _term(q: Gaussian, c: Gaussian) -> str:
    if not q:
        return str(c)
    power = f"e^({q})"
    if c in (1, -1):
        return power if c == 1 else "-" + power
    return f"{c}*{power}" if c.is_real else f"({c})*{power}"


def exponential(x: object) -> Exponential | None:
    """The element of EE that x is, or None when it is neither that nor a Gaussian rational.

    Args:
        x: Any object.

    Returns:
        The number, or None.

    >>> exponential(fmpq(1, 2)), exponential(0.5)
    (1/2, None)
    """
    if isinstance(x, Exponential):
        return x
    if type(x) is fmpq:  # most numbers that come; the way around by a Gaussian rational takes five times as long
        return _of({_ZERO_KEY: x} if x else {})
    value = gaussian(x)
    return None if value is None else _of({_ZERO_KEY: _narrowed(value)} if value else {})
