"""Words: order, place, shuffles counted by another method."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import strategies
from ewsmath.words import Word, deshuffle, place, quasi_shuffle, shuffle, size, words


@given(st.integers(1, 3), st.integers(0, 4))
def test_places_count_the_words_in_order(dim: int, depth: int) -> None:
    listed = [word for n in range(depth + 1) for word in words(dim, n)]
    assert [place(word, dim) for word in listed] == list(range(size(dim, depth)))


def test_known_sizes() -> None:
    assert [size(2, 3), size(16, 3), size(1345, 2), size(3000, 3)] == [15, 4369, 1810371, 27009003001]


@given(strategies.words(2), strategies.words(3))
def test_shuffle_places_the_letters_of_one_word_among_the_others(u: Word, w: Word) -> None:
    counted: Counter[Word] = Counter()
    for chosen in combinations(range(len(u) + len(w)), len(u)):
        first, second = iter(u), iter(w)
        counted[tuple(next(first if k in chosen else second) for k in range(len(u) + len(w)))] += 1
    assert dict(shuffle(u, w)) == counted


def test_shuffle_of_two_words_of_length_eight() -> None:
    found = shuffle(tuple(range(1, 9)), tuple(range(9, 17)))
    assert len(found) == comb(16, 8) == sum(found.values())


@given(strategies.words(2, max_length=3), strategies.words(2, max_length=3))
def test_deshuffle_counts_what_the_shuffle_counts(u: Word, w: Word) -> None:
    assert {word: deshuffle(word)[u, w] for word in shuffle(u, w)} == dict(shuffle(u, w))


@given(strategies.words(2), strategies.words(3))
def test_without_a_bracket_letters_only_shuffle(u: Word, w: Word) -> None:
    assert dict(quasi_shuffle(u, w, lambda i, j: None)) == dict(shuffle(u, w))


@given(strategies.words(2, max_length=3), strategies.words(2, max_length=3))
def test_quasi_shuffles_are_counted_by_delannoys_numbers(u: Word, w: Word) -> None:
    # Ways across a grid by steps right, up and both at once.
    n, k = len(u), len(w)
    ways = sum(2**j * comb(n, j) * comb(k, j) for j in range(min(n, k) + 1))
    assert sum(quasi_shuffle(u, w, lambda i, j: i + j).values()) == ways


def test_a_bracket_gives_a_letter() -> None:
    assert dict(quasi_shuffle((1,), (2, 1), max)) == {(1, 2, 1): 1, (2, 1, 1): 2, (2, 1): 2}
    for wrong in (0, 1.5, "2"):
        with pytest.raises(ValueError, match="letters are the whole numbers from 1 up"):
            quasi_shuffle((1,), (1,), lambda i, j, wrong=wrong: wrong)  # type: ignore[misc]
