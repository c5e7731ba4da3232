r"""LaTeX of everything exact: numbers of all rings, matrices, tensors, functionals, exponential polynomials.

An object brings its own LaTeX by a method ``_latex()``, or as SymPy does by ``_repr_latex_()``; rationals of flint
and Python are known here. Nothing else of the package is: its classes build on this module.
"""

from __future__ import annotations

import numbers
import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from flint import arb, fmpq, fmpz

NOTEBOOK_TERMS = 40
"""How many terms of a sum a notebook shows; :func:`latex` itself writes them all."""

_DECIMAL = r"\d+(\.\d*)?(e[+-]?\d+)?"
_NUMBER = re.compile(rf"[+-]?{_DECIMAL}( [+-] {_DECIMAL} i)?")
_COMPLEX = re.compile(r"^\((.+)j\)$")  # as mpmath writes complex numbers
_EXPONENT = re.compile(r"(?<=\d)e([+-]?\d+)")
_SIGN = re.compile(r"\\pm|[+-]")


def latex(x: Any) -> str:
    r"""The LaTeX of an object, without dollar signs.

    Args:
        x: A number of any ring, a matrix, a tensor, a functional, an exponential polynomial; anything with a method
            ``_latex()`` or ``_repr_latex_()``. Of all else, what ``str`` gives, as text.

    Returns:
        The whole of it, however long.

    Raises:
        TypeError: x is a float, or a complex number of floats.

    >>> from ewsmath import EE, QQ, QQ_I, Matrix, TensorAlgebra
    >>> print(latex(QQ.ratio(-1, 2)), latex(QQ_I.number(1, -2)), latex(EE.exp(QQ.ratio(-1, 2)) * 3 + 1))
    -\frac{1}{2} 1 - 2 i 3 e^{-\frac{1}{2}} + 1
    >>> print(latex(TensorAlgebra(QQ, 2, 2).tensor({(): 1, (1, 2): QQ.ratio(-3, 2)})))
    1 - \frac{3}{2} e_{12}
    >>> print(latex(Matrix(QQ, [[1, 0], [0, 1]])))
    \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix}
    """
    if isinstance(x, bool):
        return rf"\text{{{x}}}"
    if isinstance(x, numbers.Complex) and not isinstance(x, numbers.Rational):
        advice = f"a float is not exact: take the number that it is, ewsmath.exact({x!s})"
        raise TypeError(f"latex takes exact numbers and balls, got {x!s} of type {type(x).__name__}; {advice}")
    if isinstance(x, int | fmpz):
        return str(x)
    if isinstance(x, fmpq):
        return _fraction(int(x.p), int(x.q))
    if isinstance(x, Fraction):
        return _fraction(x.numerator, x.denominator)
    if isinstance(x, arb):
        return _ball(str(x))
    for hook in ("_latex", "_repr_latex_"):
        found = getattr(x, hook, lambda: None)()
        if found is not None:
            return found.strip("$").removeprefix(r"\displaystyle").strip()
    text = _COMPLEX.sub(r"\1 i", str(x))
    return scientific(text) if _NUMBER.fullmatch(text) else rf"\text{{{x}}}"


def displayed(text: str) -> str:
    r"""LaTeX as a notebook takes it from ``_repr_latex_``.

    Args:
        text: LaTeX.

    Returns:
        The text with its dollar signs.

    >>> print(displayed("x^{2}"))
    $\displaystyle x^{2}$
    """
    return rf"$\displaystyle {text}$"


def combination(terms: Sequence[tuple[Any, str]], limit: int | None = None) -> str:
    r"""A sum of multiples.

    Args:
        terms: Pairs of a coefficient, which may be any object that :func:`latex` takes, and the LaTeX of what it
            multiplies: "" for the unit.
        limit: The most terms that are written; None for all.

    Returns:
        The sum, 0 when there is no term; coefficients 1 and -1 are left out, and sums stand in parentheses.

    >>> print(combination([(1, ""), (-2, "x"), (1, "y"), (5, "z")], limit=3))
    1 - 2 x + y + \cdots\ (1\ \text{further term})
    """
    shown = terms if limit is None or len(terms) <= limit else terms[:limit]
    text = _joined(_multiple(latex(c), basis) for c, basis in shown) or "0"
    left = len(terms) - len(shown)
    return text + (rf" + \cdots\ ({left}\ \text{{further term{'s' if left > 1 else ''}}})" if left else "")


def power(base: str, exponent: int) -> str:
    """A power of a symbol: "" for exponent 0, the symbol itself for 1.

    Args:
        base: The LaTeX of the symbol.
        exponent: The power, not below 0.

    Returns:
        Its LaTeX.

    >>> power("x", 0), power("x", 1), power("x", 12)
    ('', 'x', 'x^{12}')
    """
    return "" if exponent == 0 else base if exponent == 1 else f"{base}^{{{exponent}}}"


def letters(word: Sequence[int]) -> str:
    """The letters of a word in a row; with commas where one is above 9.

    Args:
        word: The letters.

    Returns:
        The text.

    >>> letters((1, 2)), letters((12, 1)), letters((12,))
    ('12', '12,1', '12,')
    """
    if max(word, default=0) < 10:
        return "".join(map(str, word))
    return ",".join(map(str, word)) + ("," if len(word) == 1 else "")  # the letter 12 is no word 12


def scientific(number: str) -> str:
    r"""A decimal number with its power of ten written out.

    Args:
        number: The decimal number.

    Returns:
        Its LaTeX.

    >>> print(scientific("3.71e-16"))
    3.71 \cdot 10^{-16}
    """
    return _EXPONENT.sub(lambda found: rf" \cdot 10^{{{int(found[1])}}}", number)


def _fraction(p: int, q: int) -> str:
    if q == 1:
        return str(p)
    return rf"{'-' if p < 0 else ''}\frac{{{abs(p)}}}{{{q}}}"


def _ball(text: str) -> str:
    # flint writes [midpoint +/- radius], and an exact or rounded decimal alone where it needs no radius.
    return scientific(text.strip("[]").replace("+/-", r"\pm")).replace(r"\pm", r"0 \pm", text.startswith("[+/-"))


def _multiple(c: str, basis: str) -> str:
    if not basis:
        return c
    if c in ("1", "-1"):
        return c.replace("1", basis)
    return rf"\left({c}\right) {basis}" if _is_sum(c) else f"{c} {basis}"


def _joined(terms: Iterable[str]) -> str:
    text = ""
    for term in terms:
        if text and term.startswith("-"):
            text += f" - {term[1:].lstrip()}"
        else:
            text += f" + {term}" if text else term
    return text


def bracketed(text: str) -> str:
    """The text of a number as a factor: sums in parentheses.

    Args:
        text: The number, or its LaTeX.

    Returns:
        The text, in parentheses where a sign stands outside of all brackets.

    >>> bracketed("1-2i"), bracketed("-2*e^(1+i)")
    ('(1-2i)', '-2*e^(1+i)')
    """
    return f"({text})" if _is_sum(text) else text


def _is_sum(text: str) -> bool:
    """Whether a sign stands outside all braces and brackets, but for one in front."""
    outside, nesting = "", 0
    for character in text:
        nesting += (character in "{([") - (character in "})]")
        outside += character if not nesting else ""
    return _SIGN.search(outside, 1) is not None
