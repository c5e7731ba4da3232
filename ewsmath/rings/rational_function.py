"""Rational functions of named parameters over Q(i), over ``flint.fmpq_mpoly``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import Any, ClassVar, NamedTuple

from flint import fmpq, fmpq_mpoly

from ewsmath.rings.arithmetic import Number
from ewsmath.rings.gaussian import QQ_I, Gaussian, gaussian
from ewsmath.rings.polynomial import Terms, factors, moved, polynomials
from ewsmath.rings.sympy_door import sympy_form


class RationalFunction(Number):
    """A rational function (p + i q)/n of named parameters, with p, q, n in Q[x, y, …]. Immutable.

    In lowest terms, n with leading coefficient 1, over the parameters that occur and no others: so equal functions
    have equal parts, and equality is decided by comparing them. No float is ever met, and no step guesses.

    Args:
        symbols: The names of the parameters.
        p: The real numerator, a polynomial in them in this order.
        q: The imaginary numerator.
        n: The common denominator.

    Attributes:
        symbols: The names of the parameters that it depends on, in alphabetical order.

    Raises:
        ZeroDivisionError: n is 0.

    >>> from ewsmath.rings import RF
    >>> a, w = RF.symbols("a w")
    >>> 1 / (a + RF.i * w) == (a - RF.i * w) / (a * a + w * w)
    True
    """

    __slots__ = ("_hash", "n", "p", "q", "symbols")
    _takes = ("RF", "elements of QQ, QQ_I and RF")
    _op_priority: ClassVar[float] = 99.0  # SymPy's own word for who decides x + y: here x stays in the field
    _ring: ClassVar[Any]  # RF, which makes such functions: its module stands above this one, and sets it
    _hash: int
    symbols: tuple[str, ...]
    p: fmpq_mpoly
    q: fmpq_mpoly
    n: fmpq_mpoly

    def __init__(self, symbols: tuple[str, ...], p: fmpq_mpoly, q: fmpq_mpoly, n: fmpq_mpoly) -> None:
        if not n.is_one():
            if not n:
                raise ZeroDivisionError("a rational function has no denominator 0")
            common = n.gcd(p).gcd(q)
            p, q, n = p / common, q / common, n / common
            leading = n.leading_coefficient()
            p, q, n = p / leading, q / leading, n / leading
        degrees = zip(p.degrees(), q.degrees(), n.degrees(), strict=True)
        occurring = tuple(name for name, found in zip(symbols, degrees, strict=True) if max(found) > 0)
        if occurring != symbols:
            p, q, n = (moved(f, symbols, occurring) for f in (p, q, n))
        self._set(symbols=occurring, p=p, q=q, n=n)

    def __reduce__(self) -> tuple[Callable[..., RationalFunction], tuple[Any, ...]]:
        parts = (f.to_dict().items() for f in (self.p, self.q, self.n))
        return _restored, (self.symbols, *({tuple(map(int, monomial)): c for monomial, c in part} for part in parts))

    @property
    def real(self) -> RationalFunction:
        """The real part, the parameters being real."""
        return RationalFunction(self.symbols, self.p, 0 * self.q, self.n)

    @property
    def imag(self) -> RationalFunction:
        """The imaginary part, the parameters being real."""
        return RationalFunction(self.symbols, self.q, 0 * self.q, self.n)

    @property
    def is_real(self) -> bool:
        """Whether the imaginary part is 0."""
        return not self.q

    def conjugate(self) -> RationalFunction:
        """The complex conjugate, the parameters being real.

        Returns:
            The conjugate, with -i for i.

        >>> from ewsmath.rings import RF
        >>> f = RF.symbol("a") + RF.i * RF.symbol("w")
        >>> f * f.conjugate()
        a**2 + w**2
        """
        return RationalFunction(self.symbols, self.p, -self.q, self.n)

    def as_gaussian(self) -> Gaussian:
        """The same number in QQ_I.

        Returns:
            The Gaussian rational.

        Raises:
            ValueError: The function depends on a parameter.

        >>> from ewsmath.rings import RF
        >>> a = RF.symbol("a")
        >>> ((2 * a + RF.i * a) / a).as_gaussian()
        2+i
        """
        if self.symbols:
            raise ValueError(f"QQ_I: {self} depends on {', '.join(self.symbols)}. Keep it in SR, or give values: at(…)")
        return QQ_I.number(*(f.to_dict().get((), fmpq(0)) for f in (self.p, self.q)))

    def at(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> RationalFunction:
        """The function with values put in for parameters, all at once.

        Args:
            values: Names and what stands for them: numbers, or rational functions. There may be names among them that
                do not occur, so that one mapping serves all entries of a matrix.
            named: The same as keywords, for names that Python takes and that occur: ``f.at(a=2)``.

        Returns:
            A rational function of what is left.

        Raises:
            ZeroDivisionError: The denominator vanishes there.
            ValueError: A keyword is the name of no parameter.

        >>> from ewsmath.rings import RF
        >>> a, b = RF.symbols("a b")
        >>> (a / (a + b)).at({"a": b, "b": 2 * a})
        b/(2*a + b)
        """
        values = substitution(self, values, named)
        ring = self._ring
        points = [ring.coerce(values[x]) if x in values else ring.symbol(x) for x in self.symbols]
        p, q, n = (_value(f, points, ring) for f in (self.p, self.q, self.n))
        if not n:
            raise ZeroDivisionError(f"{self} has a pole at {values}: take the limit before the values")
        return (p + ring.i * q) / n

    def derivative(self, symbol: str) -> RationalFunction:
        """The partial derivative with respect to a parameter.

        Args:
            symbol: The name of the parameter.

        Returns:
            The derivative; 0 for a parameter that does not occur.

        >>> from ewsmath.rings import RF
        >>> a, b = RF.symbols("a b")
        >>> (a / b).derivative("b"), (a / b).derivative("c")
        (-a/b**2, 0)
        """
        if symbol not in self.symbols:
            return self._ring.zero
        n, place = self.n, self.symbols.index(symbol)
        dp, dq, dn = (f.derivative(place) for f in (self.p, self.q, n))
        return RationalFunction(self.symbols, dp * n - self.p * dn, dq * n - self.q * dn, n * n)

    def inverse(self) -> RationalFunction:
        """The inverse 1/f.

        Returns:
            The inverse.

        Raises:
            ZeroDivisionError: f is 0.

        >>> from ewsmath.rings import RF
        >>> (RF.symbol("a") / 2 + 1).inverse()
        2/(a + 2)
        """
        p, q, n = self.p, self.q, self.n
        if not q:
            return RationalFunction(self.symbols, n, q, p)
        return RationalFunction(self.symbols, p * n, -q * n, p * p + q * q)

    @staticmethod
    def _number(x: object) -> RationalFunction | None:
        return rational_function(x)

    def __add__(self, other: Any) -> RationalFunction:
        f, g = _together(self, other)
        if g is None:
            return self._unknown(other)
        if f.n == g.n:
            return RationalFunction(f.symbols, f.p + g.p, f.q + g.q, f.n)
        return RationalFunction(f.symbols, f.p * g.n + g.p * f.n, f.q * g.n + g.q * f.n, f.n * g.n)

    def __neg__(self) -> RationalFunction:
        return RationalFunction(self.symbols, -self.p, -self.q, self.n)

    def __mul__(self, other: Any) -> RationalFunction:
        f, g = _together(self, other)
        if g is None:
            return self._unknown(other)
        return RationalFunction(f.symbols, f.p * g.p - f.q * g.q, f.p * g.q + f.q * g.p, f.n * g.n)

    def __bool__(self) -> bool:
        return bool(self.p) or bool(self.q)

    def __eq__(self, other: object) -> bool:
        g = rational_function(other)
        if g is None:
            return NotImplemented
        return self.symbols == g.symbols and self.p == g.p and self.q == g.q and self.n == g.n

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:  # found once, when it is first asked for
            parts = (frozenset(f.to_dict().items()) for f in (self.p, self.q, self.n))
            self._set(_hash=hash((self.symbols, *parts)) if self.symbols else hash(self.as_gaussian()))
            return self._hash

    def _sympy_(self) -> Any:
        """The same function in SymPy: numerator expanded, denominator factored."""
        return sympy_form().rational_function_to_sympy(
            self.symbols, self.p.to_dict(), self.q.to_dict(), [(f.to_dict(), k) for f, k in factors(self.n)]
        )

    def __repr__(self) -> str:
        return str(self._sympy_())

    def _latex(self) -> str:
        return sympy_form().sympy_latex(self)


def _restored(symbols: tuple[str, ...], *parts: Terms) -> RationalFunction:
    context = polynomials(len(symbols))
    return RationalFunction(symbols, *(context.from_dict(part) for part in parts))


class _Parts(NamedTuple):
    """The parts of a function over more parameters than occur: no canonical form, but good for sums and products."""

    symbols: tuple[str, ...]
    p: fmpq_mpoly
    q: fmpq_mpoly
    n: fmpq_mpoly


def _together(f: RationalFunction, other: Any) -> tuple[Any, Any]:
    """The parts of both functions over the same parameters; None for the second where it is no function."""
    g = rational_function(other)
    if g is None or f.symbols == g.symbols:
        return f, g
    union = tuple(sorted({*f.symbols, *g.symbols}))
    first, second = (_Parts(union, *(moved(part, h.symbols, union) for part in (h.p, h.q, h.n))) for h in (f, g))
    return first, second


def rational_function(x: object) -> RationalFunction | None:
    """The rational function that x is, or None when it is neither that nor a Gaussian rational.

    Args:
        x: Any object.

    Returns:
        The function, or None.

    >>> rational_function(fmpq(1, 2)), rational_function(0.5)
    (1/2, None)
    """
    if isinstance(x, RationalFunction):
        return x
    value = gaussian(x)
    if value is None:
        return None
    none = polynomials(0)
    return RationalFunction((), *(none.constant(c) for c in (fmpq(value.p), fmpq(value.q), fmpq(value.n))))


def substitution(f: Any, values: Mapping[str, Any] | None, named: Mapping[str, Any]) -> dict[str, Any]:
    """What stands for which parameter.

    Args:
        f: A function or formula, with its ``symbols``.
        values: Names and what stands for them; there may be others than those that occur.
        named: The same, as keywords.

    Returns:
        Both in one.

    Raises:
        ValueError: A keyword is the name of no parameter.

    >>> from ewsmath.rings import RF
    >>> substitution(RF.symbol("a"), {"b": 1}, {"a": 2})
    {'b': 1, 'a': 2}
    """
    unknown = sorted(named.keys() - set(f.symbols))
    if unknown:
        raise ValueError(
            f"{f} has no parameter {', '.join(unknown)}: it has {', '.join(f.symbols) or 'none'}; names that only "
            "other formulas have go in a mapping, at({name: value})"
        )
    return {**(values or {}), **named}


def _value(f: fmpq_mpoly, points: list[RationalFunction], ring: Any) -> RationalFunction:
    total = ring.zero
    for monomial, c in f.to_dict().items():
        powers = (x**k for x, k in zip(points, monomial, strict=True))
        total = total + reduce(lambda x, y: x * y, powers, ring.coerce(c))
    return total
