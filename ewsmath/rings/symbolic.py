"""Formulas in named parameters: sums Σ c e^q with c and q rational functions, whose equality is decided."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar

from ewsmath.rings.arithmetic import Number
from ewsmath.rings.ball import Ball
from ewsmath.rings.exponential import Exponential
from ewsmath.rings.gaussian import Gaussian
from ewsmath.rings.rational_function import RationalFunction, substitution
from ewsmath.rings.rational_function_field import RF
from ewsmath.rings.real_form import real_form
from ewsmath.rings.ring import ExponentialRing
from ewsmath.rings.sympy_door import is_sympy, sympy_form


class Symbolic(Number):
    r"""The formula that a finite map q ↦ c stands for: a function of its parameters. Immutable.

    .. math:: \sum_q c_q e^q, \qquad c_q ≠ 0, \quad q, c_q ∈ \mathbb{Q}(i)(x, y, …)

    The exponentials of distinct rational functions are linearly independent over the rational functions: where
    two exponents differ by more than a constant, since e^q is no rational function for q not constant; where they
    differ by constants in Q(i), by Lindemann and Weierstrass at rational points. So two formulas are equal exactly when
    their maps are, whatever the parameters are called, and zero is the empty map. Roots, powers with a parameter above,
    π and exponentials of exponentials are not in the ring, and are refused.

    Parameters stand for real numbers where conjugates and real forms are taken; nothing else is assumed of them. A
    formula holds wherever its denominators do not vanish.

    Args:
        terms: The map q ↦ c of elements of RF; zeros are left out.

    >>> from ewsmath.rings import SR
    >>> a, w, r = SR.symbols("a w r")
    >>> f = SR.exp(-a * r) * (SR.exp(SR.i * w * r) + SR.exp(-SR.i * w * r)) / 2
    >>> f, f * SR.exp(a * r) == f / SR.exp(-a * r)
    (exp(-a*r)*cos(r*w), True)
    >>> f.derivative("r") + a * f
    -w*exp(-a*r)*sin(r*w)
    """

    __slots__ = ("_terms",)
    _takes = ("SR", "elements of QQ, QQ_I, EE, RF and SR")
    _op_priority: ClassVar[float] = 100.0  # SymPy's own word for who decides x + y: here x stays in the ring
    _ring: ClassVar[Any]  # SR, which makes such formulas: its module stands above this one, and sets it
    _terms: dict[RationalFunction, RationalFunction]

    def __init__(self, terms: Mapping[RationalFunction, RationalFunction]) -> None:
        self._set(_terms={q: c for q, c in terms.items() if c})

    @property
    def ring(self) -> ExponentialRing[Symbolic]:
        """SR."""
        return self._ring

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
        """The complex conjugate, the parameters being real.

        Returns:
            The conjugate, with -i for i.

        >>> from ewsmath.rings import SR
        >>> SR.exp(SR.i * SR.symbol("w")).conjugate() == SR.exp(-SR.i * SR.symbol("w"))
        True
        """
        return Symbolic({q.conjugate(): c.conjugate() for q, c in self._terms.items()})

    def at(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Symbolic:
        """The formula with values put in for parameters, all at once.

        Args:
            values: Names and what stands for them: numbers, parameters, or rational functions of them. There may be
                names among them that do not occur, so that one mapping serves all entries of a matrix.
            named: The same as keywords, for names that Python takes and that occur: ``f.at(a=2)``.

        Returns:
            The formula of what is left.

        Raises:
            ZeroDivisionError: A denominator vanishes there.
            ValueError: A keyword is the name of no parameter.

        >>> from ewsmath.rings import SR
        >>> a, r = SR.symbols("a r")
        >>> SR.exp(-a * r).at({"a": 2, "r": r / 2}), SR.exp(-a * r).at({"a": 2, "r": 3}).as_exponential()
        (exp(-r), e^(-6))
        """
        values, total = substitution(self, values, named), Symbolic({})
        for q, c in self._terms.items():
            total = total + Symbolic({q.at(values): c.at(values)})
        return total

    def derivative(self, symbol: str) -> Symbolic:
        """The partial derivative with respect to a parameter.

        Args:
            symbol: The name of the parameter.

        Returns:
            The derivative; 0 for a parameter that does not occur.

        >>> from ewsmath.rings import SR
        >>> a, r = SR.symbols("a r")
        >>> SR.exp(-a * r).derivative("a")
        -r*exp(-a*r)
        """
        total = Symbolic({})
        for q, c in self._terms.items():
            total = total + Symbolic({q: c.derivative(symbol) + c * q.derivative(symbol)})
        return total

    def inverse(self) -> Symbolic:
        """The inverse 1/f of a unit f = c e^q.

        Returns:
            The unit e^{-q}/c.

        Raises:
            ZeroDivisionError: f is 0.
            ValueError: f is a sum of several terms, whose inverse is not in SR.

        >>> from ewsmath.rings import SR
        >>> a, r = SR.symbols("a r")
        >>> (a * SR.exp(-a * r)).inverse()
        exp(a*r)/a
        """
        if not self._terms:
            raise ZeroDivisionError("SR: 0 has no inverse")
        if len(self._terms) > 1:
            raise ValueError(f"SR: 1/({self}) is not in SR, which divides by rational functions and exponentials only")
        ((q, c),) = self._terms.items()
        return Symbolic({-q: c.inverse()})

    def as_rational_function(self) -> RationalFunction:
        """The same function in RF.

        Returns:
            The rational function.

        Raises:
            ValueError: An exponential is left in it.

        >>> from ewsmath.rings import SR
        >>> a, r = SR.symbols("a r")
        >>> (SR.exp(a * r) * SR.exp(-a * r) / a).as_rational_function()
        1/a
        """
        if any(self._terms):
            raise ValueError(f"RF: {self} is no rational function. Keep it in SR")
        return self._terms.get(RF.zero, RF.zero)

    def as_exponential(self) -> Exponential:
        """The same number in EE.

        Returns:
            The number.

        Raises:
            ValueError: A parameter is left in it.

        >>> from ewsmath.rings import SR
        >>> SR.exp(-SR.symbol("r")).at(r=2).as_exponential()
        e^(-2)
        """
        return Exponential({q.as_gaussian(): c.as_gaussian() for q, c in self._terms.items()})

    def as_gaussian(self) -> Gaussian:
        """The same number in QQ_I.

        Returns:
            The Gaussian rational.

        Raises:
            ValueError: A parameter or an exponential is left in it.

        >>> from ewsmath.rings import SR
        >>> (SR.exp(-SR.symbol("r")) + SR.i).at(r=0).as_gaussian()
        1+i
        """
        return self.as_exponential().as_gaussian()

    def ball(self, prec: int) -> Ball:
        """A complex ball that contains the number.

        Args:
            prec: Working precision in bits.

        Returns:
            An element of ``ComplexBalls(prec)``.

        Raises:
            ValueError: A parameter is left in it.

        >>> from ewsmath.rings import SR
        >>> SR.exp(-SR.symbol("r")).at(r=2).ball(53).real
        [0.135335283236613 +/- 3.54e-16]
        """
        return self.as_exponential().ball(prec)

    @staticmethod
    def _number(x: object) -> Symbolic | None:
        return formula(x)

    def __add__(self, other: Any) -> Symbolic:
        x = formula(other)
        if x is None:
            return self._unknown(other)
        terms = dict(self._terms)
        for q, c in x._terms.items():
            terms[q] = terms[q] + c if q in terms else c
        return Symbolic(terms)

    def __neg__(self) -> Symbolic:
        return Symbolic({q: -c for q, c in self._terms.items()})

    def __mul__(self, other: Any) -> Symbolic:
        x = formula(other)
        if x is None:
            return self._unknown(other)
        terms: dict[RationalFunction, RationalFunction] = {}
        for q1, c1 in self._terms.items():
            for q2, c2 in x._terms.items():
                q, c = q1 + q2, c1 * c2
                terms[q] = terms[q] + c if q in terms else c
        return Symbolic(terms)

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __eq__(self, other: object) -> bool:
        x = formula(other)
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


def formula(x: object) -> Symbolic | None:
    """The formula that x is, or None when SR does not take it.

    Args:
        x: Any object.

    Returns:
        The formula, or None.

    Raises:
        TypeError: x is a SymPy expression with something that has no place in SR.
        ValueError: The same, for an exponential in an exponent or under a line.

    >>> formula(3), formula(0.5)
    (3, None)
    """
    if isinstance(x, Symbolic):
        return x
    if isinstance(x, Exponential):
        return Symbolic({RF.coerce(q): RF.coerce(c) for q, c in x.terms.items()})
    try:
        return sympy_form().from_sympy(x, Symbolic._ring) if is_sympy(x) else Symbolic({RF.zero: RF.coerce(x)})
    except TypeError:
        return None
