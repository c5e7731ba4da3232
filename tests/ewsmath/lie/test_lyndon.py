"""Lyndon words: Duval's algorithms against the definition by rotations, counts against Witt's formula."""

from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import strategies
from ewsmath.lie import is_lyndon, lie_size, lyndon_factorisation, lyndon_words, standard_factorisation, witt
from ewsmath.words import Word, words

SIZES = pytest.mark.parametrize(("dim", "depth"), [(1, 5), (2, 7), (3, 5), (4, 4), (7, 2)])


def least_of_its_rotations(word: Word) -> bool:
    """The definition: strictly less than each of its proper rotations."""
    return bool(word) and all(word < word[k:] + word[:k] for k in range(1, len(word)))


@SIZES
def test_they_are_the_words_less_than_their_rotations(dim: int, depth: int) -> None:
    everything = [word for n in range(depth + 1) for word in words(dim, n)]
    assert list(lyndon_words(dim, depth)) == sorted(filter(least_of_its_rotations, everything))
    assert [is_lyndon(word) for word in everything] == [least_of_its_rotations(word) for word in everything]


@SIZES
def test_witts_formula_counts_them(dim: int, depth: int) -> None:
    found = list(lyndon_words(dim, depth))
    assert [witt(dim, n) for n in range(1, depth + 1)] == [
        sum(len(word) == n for word in found) for n in range(1, depth + 1)
    ]
    assert lie_size(dim, depth) == len(found)


def test_known_numbers() -> None:
    # Necklaces of two and of three colours, and the sizes that log-signatures have.
    assert [witt(2, n) for n in range(1, 13)] == [2, 1, 2, 3, 6, 9, 18, 30, 56, 99, 186, 335]
    assert [witt(3, n) for n in range(1, 8)] == [3, 3, 8, 18, 48, 116, 312]
    assert [lie_size(2, 10), lie_size(5, 4), lie_size(1345, 2)] == [226, 205, 905185]


@given(strategies.words(3, max_length=9))
def test_a_word_is_one_product_of_lyndon_words_that_do_not_increase(word: Word) -> None:
    factors = lyndon_factorisation(word)
    assert sum(factors, ()) == word
    assert all(map(least_of_its_rotations, factors))
    assert factors == sorted(factors, reverse=True)


@given(st.integers(2, 7))
def test_words_of_different_letters_are_lyndon_as_often_as_the_first_is_least(n: int) -> None:
    # The other route to the number: of the n! orders of n letters, (n-1)! begin with the least.
    if n <= 6:
        found = [word for word in words(n, n) if len(set(word)) == n and is_lyndon(word)]
        assert len(found) == factorial(n - 1) == prod(range(1, n))


@SIZES
def test_the_standard_factorisation_has_the_longest_lyndon_suffix(dim: int, depth: int) -> None:
    for word in lyndon_words(dim, depth):
        if len(word) > 1:
            u, v = standard_factorisation(word)
            longest = next(word[k:] for k in range(1, len(word)) if least_of_its_rotations(word[k:]))
            assert (u + v, v) == (word, longest)
            assert least_of_its_rotations(u)
            assert u < word < v


@pytest.mark.parametrize("word", [(), (1,), (2, 1), (1, 1), (1, 2, 1, 2)])
def test_other_words_have_no_standard_factorisation(word: Word) -> None:
    with pytest.raises(ValueError, match="it needs a Lyndon word of at least two letters"):
        standard_factorisation(word)


def test_letters_and_sizes_are_checked() -> None:
    for wrong in [lambda: is_lyndon((0, 1)), lambda: lyndon_factorisation((1, 2.0))]:  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="letters are the whole numbers from 1 up"):
            wrong()
    for wrong in [
        lambda: lyndon_words(0, 2),
        lambda: lyndon_words(2, 0),
        lambda: witt(2, 0),
        lambda: witt(-1, 2),
        lambda: lie_size(2, 0),
    ]:
        with pytest.raises(ValueError, match="must be at least 1"):
            wrong()
