"""SR, formulas in named parameters: sums Σ c e^q with c and q rational functions, with decidable equality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from flint import fmpq

from ewsmath.rings.ball import Ball
from ewsmath.rings.door import refusal
from ewsmath.rings.exponential import EE, Exponential
from ewsmath.rings.gaussian import Gaussian
from ewsmath.rings.immutable import Immutable
from ewsmath.rings.power import repeated
from ewsmath.rings.rational_function import RF, RationalFunction, RationalFunctionField
from ewsmath.rings.real_form import real_form
from ewsmath.rings.sympy_door import is_sympy, sympy_form


class Symbolic(Immutable):
    r"""The formula that a finite map q ↦ c stands for: a function of its parameters. Immutable.

    .. math:: \sum_q c_q e^q, \qquad c_q ≠ 0, \quad q, c_q ∈ \mathbb{Q}(i)(x, y, …)

    The exponentials of distinct rational functions are linearly independent over the rational functions: where
    two exponents differ by more than a constant, since e^q is no rational function for q not constant; where they
    differ by constants in Q(i), by Lindemann and Weierstrass at rational points. So two formulas are equal exactly when
    their maps are, whatever the parameters are called, and zero is the empty map. Roots, powers with a parameter above,
    π and exponentials of exponentials are not in the ring, and are refused.

    Parameters stand for real numbers where conjugates and real forms are taken; nothing else is assumed of them. A
    formula holds wherever its denominators do not vanish.

    >>> a, w, r = SR.symbols("a w r")
    >>> f = SR.exp(-a * r) * (SR.exp(SR.i * w * r) + SR.exp(-SR.i * w * r)) / 2
    >>> f, f * SR.exp(a * r) == f / SR.exp(-a * r)
    (exp(-a*r)*cos(r*w), True)
    >>> f.derivative("r") + a * f
    -w*exp(-a*r)*sin(r*w)
    """

    __slots__ = ("_terms",)
    _op_priority: ClassVar[float] = 100.0  # SymPy's own word for who decides x + y: here x stays in the ring
    _terms: dict[RationalFunction, RationalFunction]

    def __init__(self, terms: Mapping[RationalFunction, RationalFunction]) -> None:
        self._set(_terms={q: c for q, c in terms.items() if c})

    @property
    def ring(self) -> SymbolicRing:
        """SR."""
        return SR

    @property
    def terms(self) -> Mapping[RationalFunction, RationalFunction]:
        """The map q ↦ c, without zeros."""
        return MappingProxyType(self._terms)

    @property
    def symbols(self) -> tuple[str, ...]:
        """The names of the parameters that occur, in alphabetical order."""
        return tuple(sorted({x for term in self._terms.items() for f in term for x in f.symbols}))

    @property
    def is_real(self) -> bool:
        """Whether the formula is real for all real parameters, decided: it is equal to its conjugate."""
        return self == self.conjugate()

    @property
    def real(self) -> Symbolic:
        """The real part, the parameters being real."""
        return (self + self.conjugate()) / 2

    @property
    def imag(self) -> Symbolic:
        """The imaginary part, the parameters being real."""
        return (self.conjugate() - self) * RF.i / 2

    def conjugate(self) -> Symbolic:
        """The complex conjugate, the parameters being real."""
        return Symbolic({q.conjugate(): c.conjugate() for q, c in self._terms.items()})

    def at(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Symbolic:
        """The formula with values put in for parameters, all at once.

        Args:
            values: Names and what stands for them: numbers, parameters, or rational functions of them.
            named: The same as keywords, for names that Python takes: ``f.at(a=2)``.

        Returns:
            The formula of what is left.

        Raises:
            ZeroDivisionError: A denominator vanishes there.

        >>> a, r = SR.symbols("a r")
        >>> SR.exp(-a * r).at({"a": 2, "r": r / 2}), SR.exp(-a * r).at({"a": 2, "r": 3}).as_exponential()
        (exp(-r), e^(-6))
        """
        values, total = {**(values or {}), **named}, SR.zero
        for q, c in self._terms.items():
            total = total + Symbolic({q.at(values): c.at(values)})
        return total

    def derivative(self, symbol: str) -> Symbolic:
        """The partial derivative with respect to a parameter."""
        total = SR.zero
        for q, c in self._terms.items():
            total = total + Symbolic({q: c.derivative(symbol) + c * q.derivative(symbol)})
        return total

    def inverse(self) -> Symbolic:
        """1/f for f = c e^q, the units of the ring; ZeroDivisionError for 0, ValueError for a sum of several."""
        if not self._terms:
            raise ZeroDivisionError("SR: 0 has no inverse")
        if len(self._terms) > 1:
            raise ValueError(f"SR: 1/({self}) is not in SR, which divides by rational functions and exponentials only")
        ((q, c),) = self._terms.items()
        return Symbolic({-q: c.inverse()})

    def as_rational_function(self) -> RationalFunction:
        """The same function in RF; ValueError when an exponential is left in it."""
        if any(self._terms):
            raise ValueError(f"RF: {self} is no rational function. Keep it in SR")
        return self._terms.get(RF.zero, RF.zero)

    def as_exponential(self) -> Exponential:
        """The same number in EE; ValueError when a parameter is left in it."""
        return Exponential({q.as_gaussian(): c.as_gaussian() for q, c in self._terms.items()})

    def as_gaussian(self) -> Gaussian:
        """The same number in QQ_I; ValueError when a parameter or an exponential is left in it."""
        return self.as_exponential().as_gaussian()

    def as_rational(self) -> fmpq:
        """The same number in QQ; ValueError when it is no rational."""
        return self.as_gaussian().as_rational()

    def ball(self, prec: int) -> Ball:
        """A complex ball that contains the number; ValueError when a parameter is left in it."""
        return self.as_exponential().ball(prec)

    def __add__(self, other: Any) -> Symbolic:
        x = _formula(other)
        if x is None:
            return NotImplemented
        terms = dict(self._terms)
        for q, c in x._terms.items():
            terms[q] = terms[q] + c if q in terms else c
        return Symbolic(terms)

    def __neg__(self) -> Symbolic:
        return Symbolic({q: -c for q, c in self._terms.items()})

    def __sub__(self, other: Any) -> Symbolic:
        x = _formula(other)
        return NotImplemented if x is None else self + -x

    def __rsub__(self, other: Any) -> Symbolic:
        return -self + other

    def __mul__(self, other: Any) -> Symbolic:
        x = _formula(other)
        if x is None:
            return NotImplemented
        terms: dict[RationalFunction, RationalFunction] = {}
        for q1, c1 in self._terms.items():
            for q2, c2 in x._terms.items():
                q, c = q1 + q2, c1 * c2
                terms[q] = terms[q] + c if q in terms else c
        return Symbolic(terms)

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Symbolic:
        x = _formula(other)
        return NotImplemented if x is None else self * x.inverse()

    def __rtruediv__(self, other: Any) -> Symbolic:
        return self.inverse() * other

    def __pow__(self, power: int) -> Symbolic:
        if power < 0:
            return self.inverse() ** -power
        return repeated(self, power, SR.one)

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __eq__(self, other: object) -> bool:
        x = _formula(other)
        return NotImplemented if x is None else self._terms == x._terms

    def __hash__(self) -> int:
        if not any(self._terms):
            return hash(self._terms.get(RF.zero, RF.zero))
        return hash(frozenset(self._terms.items()))

    def _sympy_(self) -> Any:
        """The same formula in SymPy, in real form: Σ e^x (A cos y + B sin y)."""
        return sympy_form().exponential_sum_to_sympy(real_form(self._terms))

    def __repr__(self) -> str:
        return str(self._sympy_())

    def _latex(self) -> str:
        return sympy_form().sympy_latex(self)

    def _repr_latex_(self) -> str:
        return rf"$\displaystyle {self._latex()}$"


def _formula(x: object) -> Symbolic | None:
    if isinstance(x, Symbolic):
        return x
    if isinstance(x, Exponential):
        return Symbolic({RF.coerce(q): RF.coerce(c) for q, c in x.terms.items()})
    try:
        return sympy_form().from_sympy(x, SR) if is_sympy(x) else Symbolic({RF.zero: RF.coerce(x)})
    except TypeError:
        return None


@dataclass(frozen=True)
class SymbolicRing:
    """The ring SR; its elements are :class:`Symbolic`. An integral domain; its units are the c e^q.

    Attributes:
        exponents: The field of the exponents, RF.

    >>> a, r = SR.symbols("a r")
    >>> SR.exp(a * r) * SR.exp(-a * r), SR.exp(-a * r).derivative("r") == -a * SR.exp(-a * r)
    (1, True)
    """

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """SR."""
        return "SR"

    @property
    def exponents(self) -> RationalFunctionField:
        """The field in which exponents and eigenvalues lie."""
        return RF

    @property
    def zero(self) -> Symbolic:
        """0."""
        return Symbolic({})

    @property
    def one(self) -> Symbolic:
        """1."""
        return Symbolic({RF.zero: RF.one})

    @property
    def i(self) -> Symbolic:
        """The imaginary unit."""
        return Symbolic({RF.zero: RF.i})

    def symbol(self, name: str) -> Symbolic:
        r"""The parameter of that name; two of one name are one.

        Args:
            name: Any name that is not empty; LaTeX of it is as SymPy writes it, ``omega`` as ω, ``x_1`` with a
                subscript.

        Returns:
            The parameter as a formula.

        Raises:
            TypeError: The name is no string.
            ValueError: It is empty.
        """
        return Symbolic({RF.zero: RF.symbol(name)})

    def symbols(self, names: str) -> tuple[Symbolic, ...]:
        """The parameters of these names, which blanks or commas part."""
        return tuple(map(self.symbol, names.replace(",", " ").split()))

    def coerce(self, x: Any) -> Symbolic:
        """The formula that x is.

        Args:
            x: An element of QQ, QQ_I, EE or RF, or a SymPy expression of symbols and rational numbers with
                ``+ - * /``, whole powers, ``I``, ``exp``, ``sin``, ``cos``, ``sinh`` and ``cosh``. It is walked by its
                structure; nothing is simplified.

        Returns:
            The same formula.

        Raises:
            TypeError: x is of another kind: floats among them, symbols that do not commute, other functions.
            ValueError: An exponential stands in an exponent, or in a denominator a sum with exponentials.

        >>> import sympy
        >>> x = sympy.Symbol("x")
        >>> SR.coerce(sympy.sin(x) ** 2 + sympy.cos(x) ** 2)
        1
        """
        if is_sympy(x):
            return sympy_form().from_sympy(x, self)
        value = _formula(x)
        if value is None:
            raise refusal(self.name, "elements of QQ, QQ_I, EE or RF, or SymPy expressions", x)
        return value

    def ratio(self, p: int, q: int) -> Symbolic:
        """The rational p/q."""
        return self.coerce(EE.ratio(p, q))

    def exp(self, x: Symbolic) -> Symbolic:
        """The exponential of a rational function.

        Args:
            x: A formula without exponentials.

        Returns:
            e^x.

        Raises:
            ValueError: x itself holds an exponential: e^(e^q) is not in SR.
            TypeError: x is nothing that SR takes.
        """
        x = self.coerce(x)
        try:
            return Symbolic({x.as_rational_function(): RF.one})
        except ValueError:
            raise ValueError(
                f"SR.exp takes a rational function, got {x}: its exponential is not in SR. Use balls, Balls(prec=128)"
            ) from None

    def equal(self, x: Symbolic, y: Symbolic) -> bool:
        """Whether x = y, decided."""
        return x == y

    def inverse(self, x: Symbolic) -> Symbolic:
        """1/x for x = c e^q; ZeroDivisionError for 0, ValueError for a sum of several such."""
        return x.inverse()


SR = SymbolicRing()
