"""RF, the field Q(i)(x, y, …) of rational functions in named parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ewsmath.rings.door import named, refusal
from ewsmath.rings.exact import AbstractExactRing
from ewsmath.rings.gaussian import QQ_I
from ewsmath.rings.polynomial import moved, polynomials
from ewsmath.rings.rational_function import RationalFunction, rational_function
from ewsmath.rings.roots import roots
from ewsmath.rings.sympy_door import is_sympy, sympy_form

# Signs that a formula reads.
_NOT_IN_NAMES = frozenset("+-*/^()=,.")


@dataclass(frozen=True, repr=False)
class RationalFunctionField(AbstractExactRing[RationalFunction]):
    """The field Q(i)(x, y, …); its elements are :class:`RationalFunction`.

    >>> x, y = RF.symbols("x y")
    >>> (x * x - y * y) / (x - y) == x + y
    True
    """

    @property
    def name(self) -> str:
        """RF."""
        return "RF"

    @property
    def zero(self) -> RationalFunction:
        """0."""
        return self.coerce(0)

    @property
    def one(self) -> RationalFunction:
        """1."""
        return self.coerce(1)

    @property
    def i(self) -> RationalFunction:
        """The imaginary unit."""
        return self.coerce(QQ_I.i)

    def symbol(self, name: str) -> RationalFunction:
        """The parameter of that name; two of one name are one.

        Args:
            name: A name that formulas cannot mistake: it begins with no digit, holds no blanks and none of
                ``+ - * / ^ ( ) = , .``, and is neither E nor I, which are numbers.

        Returns:
            The parameter as a function.

        Raises:
            TypeError: The name is no string.
            ValueError: It is empty, or would be read as something else.

        >>> RF.symbol("a") - RF.symbol("a"), RF.symbol("a") - RF.symbol("b")
        (0, a - b)
        """
        if not isinstance(name, str):
            raise TypeError(f"a parameter has a string for a name, got {named(name)}")
        if not name.strip():
            raise ValueError("a parameter has a name that is not empty")
        if name in ("E", "I"):
            number = "Euler's number" if name == "E" else "the imaginary unit"
            raise ValueError(f"a parameter has another name than {name}, which formulas write for {number}")
        if name[0].isdigit() or _NOT_IN_NAMES & set(name) or any(map(str.isspace, name)):
            raise ValueError(
                f"a formula would read {name!r} as something else; the name of a parameter begins with no digit and "
                f"holds no blanks and none of {' '.join(sorted(_NOT_IN_NAMES))}"
            )
        x = polynomials(1).gens()[0]
        return RationalFunction((name,), x, 0 * x, x**0)

    def symbols(self, names: str) -> tuple[RationalFunction, ...]:
        """The parameters of these names, which blanks or commas part.

        Args:
            names: The names.

        Returns:
            A parameter for each.

        >>> RF.symbols("a, b_1 w")
        (a, b_1, w)
        """
        return tuple(map(self.symbol, names.replace(",", " ").split()))

    def coerce(self, x: Any) -> RationalFunction:
        """The rational function that x is.

        Args:
            x: An element of QQ, QQ_I or RF, one of EE or SR without exponentials, or a SymPy expression.

        Returns:
            The same function.

        Raises:
            TypeError: x is of another kind, floats among them.
            ValueError: x holds exponentials.

        >>> import sympy
        >>> RF.coerce(1 / (sympy.Symbol("a") + sympy.I)) == 1 / (RF.symbol("a") + RF.i)
        True
        """
        value = rational_function(x)
        if value is not None:
            return value
        if is_sympy(x):
            return sympy_form().from_sympy(x, self)
        for hook in ("as_rational_function", "as_gaussian"):
            down = getattr(x, hook, None)
            if down is not None:
                return self.coerce(down())
        raise refusal(self.name, "rationals, Gaussian, rational functions or SymPy expressions of them", x)

    def inverse(self, x: RationalFunction) -> RationalFunction:
        """The inverse 1/f.

        Args:
            x: A function f other than 0.

        Returns:
            The inverse.

        Raises:
            ZeroDivisionError: It is 0.

        >>> RF.inverse(RF.symbol("a") + RF.i)
        (a - I)/(a**2 + 1)
        """
        return x.inverse()

    def roots(self, polynomial: list[RationalFunction]) -> list[RationalFunction]:
        """The distinct roots in the field of a polynomial over it, found by factoring over Q.

        Args:
            polynomial: The coefficients from the constant one up.

        Returns:
            Candidates, among them every root; each root once.

        >>> a, b = RF.symbols("a b")
        >>> RF.roots([a * a + b * b, -2 * a, RF.one])
        [a + I*b, a - I*b]
        """
        names = tuple(sorted({x for c in polynomial for x in c.symbols}))
        both = [*names, ""]  # no parameter has an empty name: the last one is the unknown
        coefficients = [
            (moved(c.p, c.symbols, both), moved(c.q, c.symbols, both), moved(c.n, c.symbols, both)) for c in polynomial
        ]
        found = (RationalFunction(names, *root) for root in roots(coefficients, len(names)))
        return list(dict.fromkeys(found))


RF = RationalFunctionField()
RationalFunction._ring = RF
