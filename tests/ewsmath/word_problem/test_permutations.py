"""Permutations and their groups: orders, signs, cycles, and running products by hand."""

from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath.word_problem import (
    alternating_group,
    compose,
    cycles,
    cyclic_group,
    generated,
    inverse,
    is_even,
    permutation,
    running_products,
)

PERMUTATIONS = st.permutations(range(5)).map(tuple)


@given(PERMUTATIONS, PERMUTATIONS, PERMUTATIONS)
def test_they_form_a_group(p: tuple, q: tuple, r: tuple) -> None:
    assert compose(compose(p, q), r) == compose(p, compose(q, r))
    assert compose(p, inverse(p)) == compose(inverse(p), p) == (0, 1, 2, 3, 4)
    assert is_even(compose(p, q)) == (is_even(p) == is_even(q))
    assert running_products([p, q, r]) == [p, compose(p, q), compose(p, compose(q, r))]


@given(PERMUTATIONS)
def test_signs_count_inversions_and_cycles_cover_all_points(p: tuple) -> None:
    inversions = sum(p[i] > p[j] for i in range(5) for j in range(i + 1, 5))
    assert is_even(p) == (inversions % 2 == 0)
    found = cycles(p)
    assert sorted(i for cycle in found for i in cycle) == list(range(5))
    assert all(p[i] == cycle[(k + 1) % len(cycle)] for cycle in found for k, i in enumerate(cycle))


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_alternating_groups(n: int) -> None:
    group = alternating_group(n)
    assert len(group) == factorial(n) // 2
    assert group[0] == tuple(range(n))
    assert group == sorted(group)
    assert generated(group) == group


def test_groups_from_generators() -> None:
    assert generated([(1, 2, 3, 4, 0), (1, 2, 0, 3, 4)]) == alternating_group(5)
    assert generated([(1, 2, 3, 4, 0)]) == cyclic_group(5)
    assert len(generated([(1, 0, 2), (0, 2, 1)])) == 6
    assert generated([(0,)]) == [(0,)]


def test_the_factor_on_the_right_acts_first() -> None:
    assert compose((1, 2, 0), (1, 0, 2)) == (2, 1, 0)  # 0 → 1 → 2


@pytest.mark.parametrize("images", [[0, 0], [1, 2], [0, 1.0], []])
def test_what_is_no_permutation_is_refused(images: list) -> None:
    with pytest.raises(ValueError, match="is no permutation"):
        permutation(images)
