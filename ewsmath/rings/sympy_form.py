"""SymPy at the door of the symbolic rings: expressions come in by their structure, and go out for printing.

Nothing is computed in SymPy, and nothing is simplified there: an expression is walked from the outside in, each sum,
product, power and exponential is done in the ring, and what has no place in the ring is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy
from flint import fmpq

from ewsmath.rings.door import refusal

_FUNCTIONS = "+ - * /, whole powers, I, exp, sin, cos, sinh and cosh"


def from_sympy(expression: Any, ring: Any) -> Any:
    """The element of a symbolic ring that a SymPy expression is.

    A symbol becomes the parameter of its name; its assumptions are left behind.

    Args:
        expression: The expression.
        ring: A ring with ``symbol``, ``i``, ``inverse``, and ``exp`` where it has exponentials.

    Returns:
        The element.

    Raises:
        TypeError: A number is a float; a symbol does not commute (the order of words lives in tensors, not in
            coefficients) or is a dummy; there is another function or constant, such as a root or pi.
        ValueError: Two symbols of one name have different assumptions, and so are not the same.

    >>> from ewsmath.rings import SR
    >>> x = sympy.Symbol("x")
    >>> from_sympy((1 + x) * sympy.exp(-x), SR) == (1 + SR.symbol("x")) * SR.exp(-SR.symbol("x"))
    True
    """
    symbols = expression.free_symbols
    if len({x.name for x in symbols}) < len(symbols):
        raise ValueError(f"{ring.name}: {expression} holds two symbols of one name: rename one of them")
    return _walked(expression, ring)


def _walked(x: Any, ring: Any) -> Any:
    if isinstance(x, sympy.Rational):
        return ring.coerce(fmpq(int(x.p), int(x.q)))
    if isinstance(x, sympy.Float):
        raise refusal(ring.name, "exact numbers", float(x))
    if x is sympy.I:
        return ring.i
    if isinstance(x, sympy.Symbol) and not isinstance(x, sympy.Dummy):
        if not x.is_commutative:
            raise TypeError(
                f"{ring.name}: {x} does not commute. Coefficients do: put the order of letters into words, "
                f"TensorAlgebra(SR, …)"
            )
        return ring.symbol(x.name)
    if isinstance(x, sympy.Add):
        return _folded((_walked(y, ring) for y in x.args), ring.zero, lambda total, y: total + y)
    if isinstance(x, sympy.Mul):
        return _folded((_walked(y, ring) for y in x.args), ring.one, lambda total, y: total * y)
    if isinstance(x, sympy.Pow) and isinstance(x.exp, sympy.Integer):
        base, power = _walked(x.base, ring), int(x.exp)
        return (base if power >= 0 else ring.inverse(base)) ** abs(power)
    exponential = getattr(ring, "exp", None)
    if exponential is not None:
        if x is sympy.E:
            return exponential(ring.one)
        if isinstance(x, sympy.exp):
            return exponential(_walked(x.exp, ring))
        for kind, unit, sign in _CIRCULAR:
            if isinstance(x, kind):
                q = _walked(x.args[0], ring) * (ring.i if unit else ring.one)
                scale = (-ring.i if unit and sign < 0 else ring.one) * ring.ratio(1, 2)
                return scale * (exponential(q) + sign * exponential(-q))
    allowed = _FUNCTIONS if exponential is not None else "+ - * /, whole powers and I"
    raise TypeError(
        f"{ring.name} takes SymPy expressions with {allowed}, in which equality is decided; got {x} of type "
        f"{type(x).__name__}. Give it a name of its own, {ring.name}.symbol('c'), or work in balls, Balls(prec=128)"
    )


_CIRCULAR = ((sympy.cos, True, 1), (sympy.sin, True, -1), (sympy.cosh, False, 1), (sympy.sinh, False, -1))


def _folded(items: Iterable[Any], start: Any, operation: Any) -> Any:
    for item in items:
        start = operation(start, item)
    return start


def rational_function_to_sympy(
    symbols: tuple[str, ...],
    p: Mapping[tuple[int, ...], fmpq],
    q: Mapping[tuple[int, ...], fmpq],
    factors: Iterable[tuple[Mapping[tuple[int, ...], fmpq], int]],
) -> Any:
    """The SymPy expression (p + i q)/Π f^k of polynomials, each a map of monomials to coefficients.

    Args:
        symbols: The names of the parameters.
        p: The real part of the numerator.
        q: Its imaginary part.
        factors: The factors f of the denominator, with their powers k.

    Returns:
        The expression.

    >>> rational_function_to_sympy(("x",), {(1,): fmpq(2)}, {(0,): fmpq(1)}, [({(1,): fmpq(1), (0,): fmpq(3)}, 2)])
    (2*x + I)/(x + 3)**2
    """
    generators = [sympy.Symbol(name) for name in symbols]

    def terms(f: Mapping[tuple[int, ...], fmpq], unit: Any) -> list[Any]:
        found = []
        for monomial, c in f.items():
            powers = (x ** int(k) for x, k in zip(generators, monomial, strict=True))
            found.append(sympy.Mul(sympy.Rational(int(c.p), int(c.q)), unit, *powers))
        return found

    numerator = sympy.Add(*terms(p, sympy.S.One), *terms(q, sympy.I))
    denominators = (sympy.Add(*terms(f, sympy.S.One)) ** -k for f, k in factors)
    return sympy.Mul(numerator, *denominators)


def exponential_sum_to_sympy(terms: Iterable[tuple[Any, Any, Any, Any]]) -> Any:
    """The SymPy expression Σ e^x (A cos y + B sin y) of quadruples (x, y, A, B) of rational functions.

    Args:
        terms: The quadruples.

    Returns:
        The expression.

    >>> from ewsmath.rings import RF
    >>> exponential_sum_to_sympy([(-RF.symbol("a"), RF.symbol("w"), RF.coerce(2), RF.zero)])
    2*exp(-a)*cos(w)
    """
    found = []
    for x, y, cosine, sine in terms:
        growth = sympy.exp(x._sympy_())
        angle = y._sympy_()
        found += [growth * cosine._sympy_() * sympy.cos(angle), growth * sine._sympy_() * sympy.sin(angle)]
    return sympy.Add(*found)


def sympy_latex(x: Any) -> str:
    r"""The LaTeX that SymPy writes for an element with ``_sympy_``.

    Args:
        x: The element.

    Returns:
        The LaTeX, without dollars.

    >>> from ewsmath.rings import SR
    >>> print(sympy_latex(SR.symbol("omega_1") / 2))
    \frac{\omega_{1}}{2}
    """
    return sympy.latex(x._sympy_())
