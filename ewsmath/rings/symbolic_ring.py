"""SR, the ring of formulas in named parameters: sums Σ c e^q with c and q rational functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ewsmath.rings.door import refusal
from ewsmath.rings.exact import AbstractExactRing
from ewsmath.rings.rational_function_field import RF, RationalFunctionField
from ewsmath.rings.symbolic import Symbolic, formula
from ewsmath.rings.sympy_door import is_sympy, sympy_form


@dataclass(frozen=True, repr=False)
class SymbolicRing(AbstractExactRing[Symbolic]):
    """The ring SR; its elements are :class:`Symbolic`. An integral domain; its units are the c e^q.

    Attributes:
        exponents: The field of the exponents, RF.

    >>> a, r = SR.symbols("a r")
    >>> SR.exp(a * r) * SR.exp(-a * r), SR.exp(-a * r).derivative("r") == -a * SR.exp(-a * r)
    (1, True)
    """

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
            name: As in :meth:`RationalFunctionField.symbol`. LaTeX of it is as SymPy writes it, ``omega`` as ω, ``x_1``
                with a subscript.

        Returns:
            The parameter as a formula.

        Raises:
            TypeError: The name is no string.
            ValueError: It is empty, or would be read as something else.

        >>> SR.symbol("r") - SR.symbol("r"), SR.symbol("omega")._repr_latex_()
        (0, '$\\displaystyle \\omega$')
        """
        return Symbolic({RF.zero: RF.symbol(name)})

    def symbols(self, names: str) -> tuple[Symbolic, ...]:
        """The parameters of these names, which blanks or commas part.

        Args:
            names: The names.

        Returns:
            A parameter for each.

        >>> SR.symbols("a, w r")
        (a, w, r)
        """
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
        value = formula(x)
        if value is None:
            raise refusal(self.name, "elements of QQ, QQ_I, EE or RF, or SymPy expressions", x)
        return value

    def exp(self, x: Symbolic) -> Symbolic:
        """The exponential of a rational function.

        Args:
            x: A formula without exponentials.

        Returns:
            e^x.

        Raises:
            ValueError: x itself holds an exponential: e^(e^q) is not in SR.
            TypeError: x is nothing that SR takes.

        >>> a, r = SR.symbols("a r")
        >>> SR.exp(r / (1 + a))
        exp(r/(a + 1))
        """
        x = self.coerce(x)
        try:
            return Symbolic({x.as_rational_function(): RF.one})
        except ValueError:
            raise ValueError(
                f"SR.exp takes a rational function, got {x}: its exponential is not in SR. Use balls, Balls(prec=128)"
            ) from None

    def inverse(self, x: Symbolic) -> Symbolic:
        """The inverse 1/f of a unit f = c e^q.

        Args:
            x: The formula f.

        Returns:
            The unit e^{-q}/c.

        Raises:
            ZeroDivisionError: f is 0.
            ValueError: f is a sum of several terms, whose inverse is not in SR.

        >>> SR.inverse(2 * SR.exp(SR.symbol("r")))
        exp(-r)/2
        """
        return x.inverse()


SR = SymbolicRing()
Symbolic._ring = SR
