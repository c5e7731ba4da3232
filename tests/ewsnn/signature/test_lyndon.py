"""Lyndon words and the tables of their brackets. Oracle: the definitions, word by word."""

import itertools

import numpy as np
import pytest

from ewsnn.signature import lyndon
from ewsnn.signature.bases import lyndon_words

Word = tuple[int, ...]
SIZES = [(1, 3), (2, 6), (3, 4), (5, 2)]


def smaller_than_suffixes(word: Word) -> bool:
    return all(word < word[k:] for k in range(1, len(word)))


def by_hand(m: int, depth: int) -> list[Word]:
    every = (word for n in range(1, depth + 1) for word in itertools.product(range(1, m + 1), repeat=n))
    return [word for word in every if smaller_than_suffixes(word)]


def bracket(word: Word) -> dict[Word, int]:
    """The words in the bracket of a Lyndon word."""
    if len(word) == 1:
        return {word: 1}
    k = next(k for k in range(1, len(word)) if smaller_than_suffixes(word[k:]))
    found: dict[Word, int] = {}
    for u, a in bracket(word[:k]).items():
        for v, b in bracket(word[k:]).items():
            found[u + v] = found.get(u + v, 0) + a * b
            found[v + u] = found.get(v + u, 0) - a * b
    return {w: c for w, c in found.items() if c}


def dense(matrix: lyndon.Sparse, columns: int) -> np.ndarray:
    found = np.zeros((matrix.size, columns), int)
    np.add.at(found, (matrix.rows, matrix.columns), matrix.values)
    return found


@pytest.mark.parametrize(("m", "depth"), SIZES)
def test_words_are_those_smaller_than_their_suffixes(m: int, depth: int) -> None:
    assert list(lyndon_words(m, depth)) == by_hand(m, depth)


@pytest.mark.parametrize(("m", "depth"), SIZES)
def test_columns_of_the_expansion_are_the_brackets(m: int, depth: int) -> None:
    words = [w for n in range(1, depth + 1) for w in itertools.product(range(1, m + 1), repeat=n)]
    found = dense(lyndon.tables(m, depth).expansion, len(by_hand(m, depth)))
    for column, word in zip(found.T, by_hand(m, depth), strict=True):
        assert {words[k]: column[k] for k in np.flatnonzero(column)} == bracket(word)


@pytest.mark.parametrize(("m", "depth"), SIZES)
def test_a_bracket_is_its_word_plus_larger_ones_and_the_solution_inverts_that(m: int, depth: int) -> None:
    tables = lyndon.tables(m, depth)
    count = len(tables.places)
    square = dense(tables.expansion, count)[tables.places]
    assert (np.triu(square) == np.eye(count)).all()
    assert (dense(tables.solution, count) @ square == np.eye(count)).all()


def test_brackets_that_are_no_words_are_there() -> None:
    # Depth five is the first where two letters tell brackets and words apart (11122 and 11212; 11222 and 12122).
    assert (lyndon.tables(2, 4).solution.values == 1).all()
    tables = lyndon.tables(2, 5)
    off = tables.solution.rows != tables.solution.columns
    pairs = {
        (lyndon_words(2, 5)[i], lyndon_words(2, 5)[j])
        for i, j in zip(tables.solution.rows[off], tables.solution.columns[off], strict=True)
    }
    assert pairs == {((1, 1, 2, 1, 2), (1, 1, 1, 2, 2)), ((1, 2, 1, 2, 2), (1, 1, 2, 2, 2))}


def test_too_many_terms_are_refused_before_they_are_made() -> None:
    with pytest.raises(ValueError, match=r"2 letters at depth 18 have 1,904,738,304 words .*basis='words'"):
        lyndon.tables(2, 18)
