r"""Lyndon words and their brackets as static arrays of indices, made once in NumPy.

A word of n letters is the number that its letters, counted from 0, spell in base m: its place in level n, stored row
by row. So words of one length are in lexicographic order where their numbers are in order, and cutting and rotating
words is arithmetic on whole arrays.
"""

import functools
from typing import NamedTuple

import numpy as np

# Signed words in all brackets of one length together; beyond, the tables would be hundreds of megabytes.
MAX_TERMS = 1 << 24


class Sparse(NamedTuple):
    """A sparse matrix of whole numbers, sorted by rows: ``values[k]`` stands at ``(rows[k], columns[k])``."""

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    size: int

    @classmethod
    def summed(cls, rows: np.ndarray, columns: np.ndarray, values: np.ndarray, shape: tuple[int, int]) -> "Sparse":
        """The matrix of that shape with these entries, those at the same place added up."""
        places, which = np.unique(rows.astype(np.int64) * shape[1] + columns, return_inverse=True)
        # Exact in float64: the entries are far below 2^53.
        total = np.rint(np.bincount(which.ravel(), weights=values.ravel(), minlength=len(places))).astype(np.int64)
        kept = total != 0
        return cls(places[kept] // shape[1], places[kept] % shape[1], total[kept], shape[0])


class Tables(NamedTuple):
    """What the coordinates of Lie elements are read and written with; features are the entries of levels 1 to N.

    Args:
        places: The places of the Lyndon words among the features.
        expansion: From bracket coordinates to features: column b holds the words of bracket b.
        solution: From the coefficients at the Lyndon words to bracket coordinates.
    """

    places: np.ndarray
    expansion: Sparse
    solution: Sparse


@functools.cache
def numbers(m: int, n: int) -> np.ndarray:
    """The Lyndon words of n letters as numbers, in lexicographic order.

    A word is Lyndon where it is smaller than all its proper rotations.

    >>> numbers(2, 3).tolist()
    [1, 3]
    """
    every = np.arange(m**n)
    smallest = np.ones(m**n, bool)
    for k in range(1, n):
        smallest &= every < every % m ** (n - k) * m**k + every // m ** (n - k)
    return every[smallest]


def letters(words: np.ndarray, m: int, n: int) -> np.ndarray:
    """The letters of words of length n, counted from 0: one row for each word."""
    return words[:, None] // m ** np.arange(n - 1, -1, -1) % m


def places(m: int, depth: int) -> np.ndarray:
    """The places of the Lyndon words among the entries of levels 1 to N, by length, then in lexicographic order."""
    before = np.cumsum([0, *(m**n for n in range(1, depth))])
    return np.concatenate([before[n - 1] + numbers(m, n) for n in range(1, depth + 1)])


def factors(m: int, n: int) -> np.ndarray:
    """The length of the first factor in the standard factorisation of each Lyndon word of n ≥ 2 letters.

    The second factor is the longest proper suffix that is Lyndon.

    >>> factors(2, 3).tolist()
    [1, 2]
    """
    words = numbers(m, n)
    found = np.zeros(len(words), int)
    for k in range(n - 1, 0, -1):
        found[np.isin(words % m ** (n - k), numbers(m, n - k))] = k
    return found


@functools.cache
def tables(m: int, depth: int) -> Tables:
    """The tables for m letters and depth N.

    Raises:
        ValueError: If the brackets have too many words in them.
    """
    terms = max(len(numbers(m, n)) << (n - 1) for n in range(1, depth + 1))
    if terms > MAX_TERMS:
        raise ValueError(
            f"the Lyndon brackets of {m} letters at depth {depth} have {terms:,} words in them, more than the "
            f"{MAX_TERMS:,} allowed. Lower the depth, or take basis='words'."
        )
    brackets, features, expansions, solutions = 0, 0, [], []
    for n, (words, signs) in enumerate(_expanded(m, depth), start=1):
        count = len(words)
        expansion = Sparse.summed(words, np.broadcast_to(np.arange(count)[:, None], words.shape), signs, (m**n, count))
        solution = _solved(expansion, m, n)
        expansions.append((expansion.rows + features, expansion.columns + brackets, expansion.values))
        solutions.append((solution.rows + brackets, solution.columns + brackets, solution.values))
        brackets, features = brackets + count, features + m**n
    return Tables(places(m, depth), _stacked(expansions, features), _stacked(solutions, brackets))


def _stacked(parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]], size: int) -> Sparse:
    rows, columns, values = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Sparse(rows, columns, values, size)


def _expanded(m: int, depth: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each length n the words in the brackets, (brackets, 2^{n-1}), and their signs.

    P_i = i and P_{uv} = P_u P_v - P_v P_u double the number of words each time, so all brackets of one length have
    equally many, some of them more than once.
    """
    found = [(np.arange(m)[:, None], np.ones((m, 1)))]
    for n in range(2, depth + 1):
        lyndon, first = numbers(m, n), factors(m, n)
        words, signs = np.empty((len(lyndon), 1 << (n - 1)), np.int64), np.empty((len(lyndon), 1 << (n - 1)))
        for k in range(1, n):
            here = np.flatnonzero(first == k)
            left, right = lyndon[here] // m ** (n - k), lyndon[here] % m ** (n - k)
            u, u_signs = (array[np.searchsorted(numbers(m, k), left)] for array in found[k - 1])
            v, v_signs = (array[np.searchsorted(numbers(m, n - k), right)] for array in found[n - k - 1])
            u, v = u[:, :, None], v[:, None, :]
            both = (u_signs[:, :, None] * v_signs[:, None, :]).reshape(len(here), 1 << (n - 2))
            words[here] = np.stack([u * m ** (n - k) + v, v * m**k + u], axis=1).reshape(
                both.shape[0], 2 * both.shape[1]
            )
            signs[here] = np.concatenate([both, -both], axis=1)
        found.append((words, signs))
    return found


def _solved(expansion: Sparse, m: int, n: int) -> Sparse:
    """The inverse of the square part of an expansion, its rows at the Lyndon words.

    That part is unit lower triangular, since a bracket is its own word plus larger ones, and it joins words with the
    same letters only. Which letters they are does not matter, only which are equal and in what order: one inverse
    serves for all blocks with the same multiplicities.
    """
    lyndon = numbers(m, n)
    row = np.searchsorted(lyndon, expansion.rows)
    square = (row < len(lyndon)) & (lyndon[np.minimum(row, len(lyndon) - 1)] == expansion.rows)
    rows, columns, values = row[square], expansion.columns[square], expansion.values[square]

    contents = np.sort(letters(lyndon, m, n), axis=1)
    content = contents @ m ** np.arange(n - 1, -1, -1)
    kinds = (contents[:, 1:] != contents[:, :-1]) @ (1 << np.arange(n - 1))
    order = np.lexsort((content, kinds))
    found = [3 * (np.zeros(0, np.int64),)]  # one letter has no bracket but itself
    for kind in np.unique(kinds):
        members = order[kinds[order] == kind]
        size = int(np.sum(content[members] == content[members[0]]))
        blocks = members.reshape(-1, size)
        local = np.full(len(lyndon), -1)
        local[blocks[0]] = np.arange(size)
        inside = local[columns] >= 0
        block = np.zeros((size, size), np.int64)
        block[local[rows[inside]], local[columns[inside]]] = values[inside]
        i, j, x = _inverse(block)
        found.append((blocks[:, i].ravel(), blocks[:, j].ravel(), np.tile(x, len(blocks))))
    rows, columns, values = (np.concatenate(column) for column in zip(*found, strict=True))
    return Sparse.summed(rows, columns, values, (len(lyndon), len(lyndon)))


def _inverse(block: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Forward substitution in whole numbers.
    inverse = np.eye(len(block), dtype=np.int64)
    for i in range(1, len(block)):
        inverse[i, :i] = -(block[i, :i] @ inverse[:i, :i])
    i, j = np.nonzero(inverse)
    return i, j, inverse[i, j]
