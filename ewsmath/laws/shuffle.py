"""The shuffle identity, for a function of anyone's and a shuffle product of anyone's."""

from collections.abc import Callable, Mapping
from itertools import product as pairs
from math import comb
from typing import Any

from flint import fmpq

from ewsmath import words as _words
from ewsmath.laws.level_one import ON_LEVEL_ONE, check_level_one
from ewsmath.laws.tolerance import Disagreement, check, differ, written
from ewsmath.laws.trial import Trial
from ewsmath.tensor import Tensor
from ewsmath.words import Word


def shuffle(
    signature: Callable[..., Any],
    path: Any,
    *,
    lift: Any = None,
    product: Callable[[Word, Word], Mapping[Word, int]] | None = None,
    dtheta: Any = None,
    generator: Any = None,
    depth: int | None = None,
    dtype: Any = None,
    level_one: bool = True,
    ulps: int = 2,
) -> None:
    r"""The shuffle identity: products of coordinates are sums of coordinates, and level 0 is 1.

    .. math:: S^u S^w = \sum_v (u ⧢ w)_v\, S^v \quad\text{for}\quad |u| + |w| ≤ N

    Refutes a missing 1/n!, pieces of which only the first order is kept, and all that is not group-like.

    Args:
        signature: The function under test; takes a path, and clock increments where they are given.
        path: A :class:`PiecewiseLinearPath`, or an array of floats of shape (points, d) with two points at least.
        lift: The m x d lift B that the function applies, or its rows; None for the identity.
        product: A shuffle product of two words that is under test, too: a map from words to multiplicities; None for
            the exact one.
        dtheta: The clock increments of the pieces, together with the generator, for an EWS.
        generator: The generator A: one of this package, or its matrix as an array.
        depth: The depth N; needed over one letter.
        dtype: The dtype in which the function computes; None for the coarser of those of path and result.
        level_one: Whether level one is held against that of the lifted path, too, see
            :func:`~ewsmath.laws.level_one.level_one`.
        ulps: The factor of the tolerance; see :class:`~ewsmath.laws.tolerance.Tolerance`.

    Raises:
        AssertionError: The law fails; the text shows words, both values, error and tolerance.
        ValueError: The path is a single point, the lift has not d columns, or a result has not the size of levels.

    Paper: Lemma 9; Theorem 3.

    >>> from ewsmath import PiecewiseLinearPath, signature
    >>> X = PiecewiseLinearPath(None, [[0, 0], [1, 2], [3, -1]])
    >>> shuffle(lambda path: signature(path, depth=3), X)

    A level 2 without its factor 1/2 is refuted:

    >>> try:
    ...     shuffle(lambda path: [[1], [3, -1], [9, -3, -3, 1]], X)
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    shuffle fails at word 1 and word 1 (3 of 4 comparisons fail)
    """
    trial = Trial("shuffle", signature, path, dtheta, generator, depth, dtype, ulps, lift)
    S = trial.value(trial.drive)
    tolerance = trial.tolerance()
    ring = S.algebra.ring
    shuffles = _words.shuffle if product is None else product
    found, compared = [], 0
    for u, w in _pairs_of_words(S):
        total: Any = ring.zero
        for v, n in shuffles(u, w).items():
            total = total + ring.coerce(n) * S[v]
        x: Any = S[u]
        x = x * S[w]
        # Both factors have errors, so that those of a product are as many as there are shuffles.
        bound = fmpq(0) if tolerance is None else tolerance.at(len(u) + len(w)) * comb(len(u) + len(w), len(u))
        compared += 1
        if differ(ring, x, total, bound):
            words = f"{written(u)} and {written(w)}"
            found.append(Disagreement.between(words, x, total, bound))
    check("shuffle", ("S^u S^w", "Σ (u ⧢ w)_v S^v"), found, compared, f"shuffles · {tolerance}")
    if level_one:
        check_level_one(trial, S, ON_LEVEL_ONE)


def _pairs_of_words(S: Tensor[Any]) -> list[tuple[Word, Word]]:
    """Every unordered pair of words with at most N letters together; first of all the empty one with itself."""
    algebra, found = S.algebra, [((), ())]
    for n in range(1, algebra.depth // 2 + 1):
        for k in range(n, algebra.depth - n + 1):
            found += [(u, w) for u, w in pairs(algebra.words(n), algebra.words(k)) if n < k or u <= w]
    return found
