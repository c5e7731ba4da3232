"""Polynomials in named parameters over Q, as flint keeps them: known by their number, not by their name."""

from collections.abc import Sequence
from functools import cache

from flint import fmpq, fmpq_mpoly, fmpq_mpoly_ctx

Terms = dict[tuple[int, ...], fmpq]
"""A polynomial as a map of monomials, which are tuples of powers, to coefficients."""


@cache
def polynomials(count: int) -> fmpq_mpoly_ctx:
    """The ring of polynomials in so many parameters.

    What a parameter is called has no influence on the arithmetic.

    >>> x, y = polynomials(2).gens()
    >>> (x + y) * (x - y) == x**2 - y**2
    True
    """
    return fmpq_mpoly_ctx.get(("x", count), "lex")


def moved(f: fmpq_mpoly, symbols: Sequence[str], target: Sequence[str]) -> fmpq_mpoly:
    """The same polynomial over other parameters.

    Args:
        f: The polynomial.
        symbols: The names of its parameters.
        target: The names that are wanted, among them all that occur in f.

    Returns:
        The polynomial over them.

    >>> x, y = polynomials(2).gens()
    >>> moved(x**2 + 1, ["a", "b"], ["c", "a"]).to_dict()
    {(0, 2): 1, (0, 0): 1}
    """
    places = [target.index(name) if name in target else -1 for name in symbols]
    terms = {}
    for monomial, c in f.to_dict().items():
        powers = [0] * len(target)
        for place, power in zip(places, monomial, strict=True):
            if power:
                powers[place] = power
        terms[tuple(powers)] = c
    return polynomials(len(target)).from_dict(terms)


def factors(f: fmpq_mpoly) -> list[tuple[fmpq_mpoly, int]]:
    """The factors of a polynomial with their powers, its constant first.

    >>> x, y = polynomials(2).gens()
    >>> [(g.to_dict(), k) for g, k in factors(2 * x * y**2)]
    [({(0, 0): 2}, 1), ({(1, 0): 1}, 1), ({(0, 1): 1}, 2)]
    """
    c, found = f.factor()
    return [(f.context().constant(c), 1), *((g, int(k)) for g, k in found)]


def square_root(f: fmpq_mpoly) -> fmpq_mpoly | None:
    """The polynomial whose square is f ≠ 0; None where there is none over Q.

    >>> x, y = polynomials(2).gens()
    >>> square_root((x - 2 * y) ** 2 / 9) in ((x - 2 * y) / 3, (2 * y - x) / 3), square_root(x**2 + 1)
    (True, None)
    """
    c, found = f.factor()
    if any(k % 2 for _, k in found) or c < 0 or not (c.p * c.q).is_square():
        return None
    root = f.context().constant(fmpq(c.p.isqrt(), c.q.isqrt()))
    for g, k in found:
        root = root * g ** (k // 2)
    return root
