"""Packed levels: the iterated sums that the signature of an integer path is, counted in another way."""

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath.tensor.packed import integer_signature

LARGE = st.one_of(st.integers(-3, 3), st.integers(-(2**70), 2**70))


def expanded(increments: list[list[int]], word: tuple[int, ...]) -> Fraction:
    """The coefficient of a word: over all non-decreasing choices of pieces, products over factorials of their runs."""
    total = Fraction(0)
    for pieces in combinations_with_replacement(range(len(increments)), len(word)):
        runs = prod(factorial(pieces.count(j)) for j in set(pieces))
        total += Fraction(prod(increments[j][i] for i, j in zip(word, pieces, strict=True)), runs)
    return total


@given(st.integers(1, 3), st.integers(1, 3), st.data())
def test_levels_are_the_sums_over_all_choices_of_pieces(m: int, depth: int, data: st.DataObject) -> None:
    vectors = st.lists(LARGE, min_size=m, max_size=m)
    increments = data.draw(st.lists(vectors, min_size=1, max_size=4))
    levels = integer_signature(increments, depth)
    assert len(levels) == depth + 1
    for n, level in enumerate(levels):
        words = product(range(m), repeat=n)
        assert level == [factorial(n) * expanded(increments, word) for word in words]


@pytest.mark.parametrize("x", [0, 1, -1, 127, 128, -128, 255, -256, 2**64 - 1, -(2**64)])
def test_digits_at_the_ends_of_their_range_come_out(x: int) -> None:
    assert integer_signature([[x, -x]], 2) == [[1], [x, -x], [x * x, -x * x, -x * x, x * x]]
    assert integer_signature([[x]], 5) == [[x**n] for n in range(6)]
