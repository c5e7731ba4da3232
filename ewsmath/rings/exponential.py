"""EE, finite sums Σ c e^q with c and q in Q(i): a ring of transcendental numbers with decidable equality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from types import MappingProxyType
from typing import Any

from flint import fmpq

from ewsmath.latex import combination, displayed, latex
from ewsmath.rings.ball import Ball, ComplexBalls
from ewsmath.rings.door import integer, named, refusal
from ewsmath.rings.gaussian import Gaussian, gaussian
from ewsmath.rings.immutable import Immutable
from ewsmath.rings.power import repeated
from ewsmath.rings.rational import QQ

# Inside, an exponent is the three integers of its Gaussian rational, since a plain tuple hashes ten times as
# fast, and a real coefficient is a flint rational, which multiplies and adds in C; only others are Gaussian.
Key = tuple[int, int, int]
Coefficient = fmpq | Gaussian

_ZERO = Gaussian(0)
_ZERO_KEY: Key = (0, 0, 1)
_ORDER_BITS = 64


class Exponential(Immutable):
    r"""The number that a finite map q ↦ c stands for. Immutable.

    .. math:: \sum_q c_q e^q, \qquad c_q ≠ 0, \quad q, c_q ∈ \mathbb{Q}(i)

    By Lindemann and Weierstrass the exponentials of distinct algebraic numbers are linearly independent
    over the algebraic numbers, so two such numbers are equal exactly when their maps are, and zero is the
    empty map. Real numbers are ordered by ``EE.maximum`` and not by ``<``; single terms c e^q divide.

    >>> e = EE.exp(EE.one)
    >>> (2 * e) ** -1, (e + 1) / e
    (1/2*e^(-1), e^(-1) + 1)
    >>> (e + 1) * (e - 1) == e * e - 1
    True
    >>> e * EE.exp(EE.ratio(-1, 2)) + 2
    2 + e^(1/2)
    """

    __slots__ = ("_terms",)
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
        """The complex conjugate Σ c̄ e^q̄."""
        return Exponential({q.conjugate(): c.conjugate() for q, c in self.terms.items()})

    def as_gaussian(self) -> Gaussian:
        """The same number in QQ_I; ValueError when an exponential is left in it."""
        if any(self._terms.keys() - {_ZERO_KEY}):
            raise ValueError(f"QQ_I: {self} is no Gaussian rational. Keep it in EE, or work in balls, Balls(prec=128)")
        return _widened(self._terms.get(_ZERO_KEY, _ZERO))

    def as_rational(self) -> fmpq:
        """The same number in QQ; ValueError when it is irrational."""
        return self.as_gaussian().as_rational()

    def ball(self, prec: int) -> Ball:
        """A complex ball that contains the number.

        Args:
            prec: Working precision in bits.

        Returns:
            An element of ``ComplexBalls(prec)``.
        """
        field = ComplexBalls(prec)
        total = field.zero
        for q, c in self.terms.items():
            total = total + field.coerce(c) * field.exp(field.coerce(q))
        return total

    def __add__(self, other: Any) -> Exponential:
        x = other if type(other) is Exponential else _constant(other)
        if x is None:
            return NotImplemented
        terms = self._terms.copy()
        for q, c in x._terms.items():
            _accumulate(terms, q, c)
        return _of(terms)

    def __neg__(self) -> Exponential:
        return _of({q: -c for q, c in self._terms.items()})

    def __sub__(self, other: Any) -> Exponential:
        x = _constant(other)
        return NotImplemented if x is None else self + -x

    def __rsub__(self, other: Any) -> Exponential:
        return -self + other

    def __mul__(self, other: Any) -> Exponential:
        x = other if type(other) is Exponential else _constant(other)
        if x is None:
            return NotImplemented
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

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Exponential:
        divisor = _constant(other)
        return NotImplemented if divisor is None else self * _inverse(divisor)

    def __rtruediv__(self, other: Any) -> Exponential:
        return _inverse(self) * other

    def __pow__(self, power: int) -> Exponential:
        n = integer(power)
        if n is None:
            raise TypeError(f"a power x ** n in EE needs a whole number n, got {named(power)}: EE.exp(q) is e^q")
        return repeated(self if n >= 0 else _inverse(self), abs(n), EE.one)

    def __lt__(self, other: Any) -> bool:
        raise TypeError(f"{self} and {other} have no order by <: EE.maximum(x, y) decides which real number is larger")

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __eq__(self, other: object) -> bool:
        x = _constant(other)
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


def _inverse(x: Exponential) -> Exponential:
    """The inverse of a unit c e^q; the units of EE are these, since it is an integral domain graded by q."""
    if not x:
        raise ZeroDivisionError("division by zero in EE")
    if len(x._terms) > 1:
        raise TypeError(
            f"{x} has no inverse in EE, where only single terms c*e^q divide: take quotients in ssm.FRACTIONS, its "
            "field of fractions, or in balls, Balls(prec=128)"
        )
    ((q, c),) = x.terms.items()
    return Exponential({-q: c.inverse()})


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


def _constant(x: object) -> Exponential | None:
    if isinstance(x, Exponential):
        return x
    value = gaussian(x)
    return None if value is None else _of({_ZERO_KEY: _narrowed(value)} if value else {})


@dataclass(frozen=True)
class ExponentialField:
    """The ring EE; its elements are :class:`Exponential`. An integral domain, not a field.

    >>> EE.exp(EE.ratio(1, 2)) * EE.exp(EE.ratio(-1, 2)) == EE.one, EE.exp(EE.one) == EE.ratio(19, 7)
    (True, False)
    """

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """EE."""
        return "EE"

    @property
    def zero(self) -> Exponential:
        """0."""
        return _of({})

    @property
    def one(self) -> Exponential:
        """1."""
        return _of({_ZERO_KEY: fmpq(1)})

    def coerce(self, x: Any) -> Exponential:
        """The element that x is.

        Args:
            x: An element of QQ, QQ_I or EE, one of SR without parameters, or any rational that QQ takes.

        Returns:
            The same number.

        Raises:
            TypeError: x is of another kind.
            ValueError: x depends on a parameter.
        """
        value = _constant(x.as_exponential() if hasattr(x, "as_exponential") else x)
        if value is None:
            raise refusal(self.name, "int, fmpq, Fraction, Gaussian or Exponential", x)
        return value

    def ratio(self, p: int, q: int) -> Exponential:
        """The rational p/q."""
        return _of({_ZERO_KEY: fmpq(p, q)} if p else {})

    def exp(self, x: Exponential) -> Exponential:
        """The exponential of a constant.

        Args:
            x: A constant of EE, so a Gaussian rational.

        Returns:
            e^x.

        Raises:
            ValueError: x itself holds an exponential: e^(e^q) is not in EE.
            TypeError: x is no number that EE takes.
        """
        x = self.coerce(x)
        try:
            return Exponential({x.as_gaussian(): Gaussian(1)})
        except ValueError:
            raise ValueError(
                f"EE.exp takes a Gaussian rational, got {x}: its exponential is not in EE. Use Balls(prec=128)"
            ) from None

    def equal(self, x: Exponential, y: Exponential) -> bool:
        """Whether x = y, decided (Lindemann–Weierstrass)."""
        return x == y

    def maximum(self, x: Exponential, y: Exponential) -> Exponential:
        """The larger of two real numbers, decided: a test for zero, else balls refined until they part.

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
        """The rational root of a rational x ≥ 0; ValueError where there is none."""
        return self.coerce(QQ.square_root(x.as_rational()))


EE = ExponentialField()
