"""Words: order, place, shuffles counted by another method."""

from collections import Counter
from itertools import combinations
from math import comb

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import strategies
from ewsmath.words import Word, place, shuffle, size, words


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
