"""Bases of the free Lie algebra, as lists of brackets: Lyndon and Hall."""

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ewsmath.lie.bracket import Bracket
from ewsmath.lie.lyndon import check_lie_size, lyndon_words, standard_factorisation
from ewsmath.rings.door import whole
from ewsmath.words import Word


@lru_cache(maxsize=1 << 16)
def lyndon_bracket(word: Word) -> Bracket:
    r"""The bracket of a Lyndon word, along its standard factorisation.

    .. math:: P_i = i, \qquad P_{uv} = [P_u, P_v] \quad (v \text{ the longest proper Lyndon suffix})

    As a combination of words it is w plus larger words with the same letters.

    Args:
        word: A Lyndon word.

    Returns:
        The bracket.

    Raises:
        ValueError: The word is not Lyndon.

    >>> lyndon_bracket((1, 2, 3)), lyndon_bracket((1, 3, 2))
    ([1,[2,3]], [[1,3],2])
    """
    if len(word) == 1:
        return Bracket(word[0])
    u, v = standard_factorisation(word)
    return Bracket((lyndon_bracket(u), lyndon_bracket(v)))


def lyndon_basis(dim: int, depth: int) -> tuple[Bracket, ...]:
    """The Lyndon basis of the free Lie algebra, truncated at a depth.

    Args:
        dim: Number of letters m.
        depth: Truncation depth N.

    Returns:
        The brackets of the Lyndon words, by length, then in lexicographic order of the words.

    Raises:
        ValueError: ``dim`` or ``depth`` is below 1, or there are too many brackets.

    >>> lyndon_basis(2, 4)
    (1, 2, [1,2], [1,[1,2]], [[1,2],2], [1,[1,[1,2]]], [1,[[1,2],2]], [[[1,2],2],2])
    """
    check_lie_size(dim, depth, "lyndon_basis")
    return tuple(lyndon_bracket(word) for word in sorted(lyndon_words(dim, depth), key=_by_length))


def hall_basis(dim: int, depth: int, order: str) -> tuple[Bracket, ...]:
    r"""The Hall basis of the free Lie algebra for one order of brackets, truncated at a depth.

    .. math:: [a, b] ∈ H \iff a, b ∈ H, \quad a < b, \quad b \text{ a letter or } b = [x, y] \text{ with } x ≤ a

    The classical bases of M. Hall, and for other orders of brackets those of Širšov and Viennot.

    The orders, both with a < [a, b] as a Hall basis needs:

    * ``"degree"``: by number of letters, then by the left side, then by the right; letters by number. It is
      M. Hall's basis: 1, 2, [1,2], [1,[1,2]], [2,[1,2]], ….
    * ``"foliage"``: in lexicographic order of the letters from left to right. They spell the Lyndon words, bracketed at
      the longest proper Lyndon *prefix*; :func:`lyndon_basis` brackets at the longest suffix.

    Args:
        dim: Number of letters m.
        depth: Truncation depth N.
        order: ``"degree"`` or ``"foliage"``.

    Returns:
        The brackets by length, then in the order.

    Raises:
        ValueError: There is no such order; ``dim`` or ``depth`` is below 1; there are too many brackets.

    >>> hall_basis(2, 4, order="degree")
    (1, 2, [1,2], [1,[1,2]], [2,[1,2]], [1,[1,[1,2]]], [2,[1,[1,2]]], [2,[2,[1,2]]])
    >>> hall_basis(2, 4, order="foliage")[-3:]
    ([1,[1,[1,2]]], [[1,[1,2]],2], [[[1,2],2],2])
    """
    if order not in ORDERS:
        raise ValueError(f"unknown Hall order {order!r}: choose one of {', '.join(map(repr, ORDERS))}")
    key = ORDERS[order]
    dim, depth = whole(dim, "hall_basis: dim"), whole(depth, "hall_basis: depth")
    check_lie_size(dim, depth, "hall_basis")
    levels = [[(key(b), b) for b in map(Bracket, range(1, dim + 1))]]
    for n in range(2, depth + 1):
        found = [
            Bracket((a, b))
            for k in range(1, n)
            for place, a in levels[k - 1]
            for other, b in levels[n - k - 1]
            if place < other and (b.parts is None or key(b.parts[0]) <= place)
        ]
        levels.append(sorted(((key(b), b) for b in found), key=lambda pair: pair[0]))
    return tuple(b for level in levels for _, b in level)


@lru_cache(maxsize=1 << 16)
def _by_degree(bracket: Bracket) -> tuple[Any, ...]:
    return (len(bracket), *(map(_by_degree, bracket.parts) if bracket.parts else bracket.word))


def _by_foliage(bracket: Bracket) -> Word:
    return bracket.word


def _by_length(word: Word) -> tuple[int, Word]:
    return len(word), word


ORDERS: MappingProxyType[str, Callable[[Bracket], Any]] = MappingProxyType(
    {"degree": _by_degree, "foliage": _by_foliage}
)
"""The orders of brackets that :func:`hall_basis` knows, by name, each as a sort key."""
