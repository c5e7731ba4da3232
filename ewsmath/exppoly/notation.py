"""How the functions Σ c u^k e^{αu} are written: as text, and in LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ewsmath.latex import bracketed, combination, power
from ewsmath.rings import QQ_I, Gaussian


def written(terms: Mapping[tuple[int, Any], Any]) -> str:
    """The function as text, by rising powers.

    Args:
        terms: The map (k, α) ↦ c.

    Returns:
        The text; 0 for no terms.

    >>> from ewsmath.rings import QQ_I
    >>> written({(1, QQ_I.coerce(-2)): 3, (0, QQ_I.zero): -1})
    '-1 + 3*u*e^(-2u)'
    """

    def term(k: int, alpha: Any) -> str:
        c = str(terms[k, alpha])
        exponential = f"e^({bracketed(str(alpha))}{'*' if getattr(alpha, 'symbols', ()) else ''}u)" if alpha else ""
        factors = [x for x in ("" if k == 0 else "u" if k == 1 else f"u^{k}", exponential) if x]
        if factors and c in ("1", "-1"):
            return c.replace("1", "*".join(factors))
        return "*".join([bracketed(c) if factors else c, *factors])

    return " + ".join(term(*key) for key in _ordered(terms)).replace("+ -", "- ") or "0"


def written_in_latex(terms: Mapping[tuple[int, Any], Any]) -> str:
    r"""The function in LaTeX, by rising powers; where both of two conjugate exponents occur, by cosines and sines.

    .. math:: c\, e^{(x+iy)u} + d\, e^{(x-iy)u} = e^{xu} \big((c + d) \cos yu + i(c - d) \sin yu\big)

    Args:
        terms: The map (k, α) ↦ c.

    Returns:
        The LaTeX, without dollars.

    >>> from ewsmath.rings import QQ_I
    >>> print(written_in_latex({(2, QQ_I.coerce(-2)): QQ_I.coerce(3)}))
    3 u^{2} e^{-2 u}
    >>> z = QQ_I.number(-1, 3)
    >>> print(written_in_latex({(0, z): QQ_I.coerce(2), (0, z.conjugate()): QQ_I.coerce(2)}))
    4 e^{-u} \cos\left(3 u\right)
    """

    def basis(k: int, alpha: Any, wave: str = "") -> str:
        exponential = f"e^{{{combination([(alpha, 'u')])}}}" if alpha else ""
        return " ".join(factor for factor in (power("u", k), exponential, wave) if factor)

    left, shown = dict(terms), []
    for k, alpha in _ordered(terms):
        if (k, alpha) not in left:
            continue  # written with its conjugate
        c = left.pop((k, alpha))
        d = left.pop((k, alpha.conjugate()), None)
        if d is None:
            shown.append((c, basis(k, alpha)))
            continue
        angle = alpha.imag
        if combination([(angle, "u")]).startswith("-"):  # the sign that is written
            angle, c, d = -angle, d, c
        for factor, name in ((c + d, r"\cos"), (QQ_I.i * (c - d), r"\sin")):
            if factor:
                shown.append((factor, basis(k, alpha.real, rf"{name}\left({combination([(angle, 'u')])}\right)")))
    return combination(shown)


def _ordered(terms: Mapping[tuple[int, Any], Any]) -> list[tuple[int, Any]]:
    if not all(isinstance(alpha, Gaussian) for _, alpha in terms):
        return sorted(terms, key=lambda key: (key[0], str(key[1])))
    return sorted(terms, key=lambda key: (key[0], -key[1].real, key[1].imag))
