"""The truncated tensor algebra. Oracle: sums over words, written out."""

import itertools
import math

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsnn import tensor


def draw(seed: int, m: int, depth: int, batch: tuple[int, ...] = ()) -> tuple:
    # Small integers, so that products are exact and compared with ==.
    rng = np.random.default_rng(seed)
    return tuple(jnp.asarray(rng.integers(-3, 4, (*batch, *n * (m,))), float) for n in range(1, depth + 1))


def entry(levels, word):
    return 1.0 if not word else float(levels[len(word) - 1][word])


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 4))
def test_product_is_the_sum_over_all_cuts_of_a_word(seed, m, depth):
    a, b = draw(seed, m, depth), draw(seed + 1, m, depth)
    product = tensor.group_product(a, b)
    for n in range(1, depth + 1):
        for word in itertools.product(range(m), repeat=n):
            cuts = sum(entry(a, word[:k]) * entry(b, word[k:]) for k in range(n + 1))
            assert entry(product, word) == cuts


@given(st.integers(0, 10**6))
def test_product_is_associative(seed):
    a, b, c = (draw(seed + k, 2, 3) for k in range(3))
    left = tensor.group_product(tensor.group_product(a, b), c)
    right = tensor.group_product(a, tensor.group_product(b, c))
    assert all((x == y).all() for x, y in zip(left, right, strict=True))


def test_product_of_a_batch_is_the_batch_of_products():
    a, b = draw(0, 2, 3, (4, 3)), draw(1, 2, 3, (4, 3))
    product = tensor.group_product(a, b)
    for i, j in np.ndindex(4, 3):
        one = tensor.group_product(tuple(x[i, j] for x in a), tuple(x[i, j] for x in b))
        assert all((x[i, j] == y).all() for x, y in zip(product, one, strict=True))


@pytest.mark.parametrize("v", [[0.0, 0.0], [2.0, -1.0]])
def test_exponential_has_powers_over_factorials(v):
    levels = tensor.exp(jnp.array(v), 4)
    for n in range(1, 5):
        for word in itertools.product(range(2), repeat=n):
            expected = math.prod(v[letter] for letter in word) / math.factorial(n)
            # Two or three roundings on the way.
            assert abs(entry(levels, word) - expected) <= 4 * 2.0**-52 * abs(expected)


def test_dilation_multiplies_level_n_by_the_nth_power():
    assert [x.tolist() for x in tensor.dilate((jnp.ones(1), jnp.ones((1, 1))), 0.5)] == [[0.5], [[0.25]]]


def test_words_are_flattened_in_row_major_order_with_level_zero_first():
    levels = draw(3, 3, 3)
    words = [w for n in range(1, 4) for w in itertools.product(range(3), repeat=n)]
    assert tensor.flatten(levels).tolist() == [entry(levels, word) for word in words]
    assert tensor.features(levels).tolist() == [1.0] + [entry(levels, word) for word in words]


@pytest.mark.parametrize(("m", "depth"), [(1, 1), (1, 5), (3, 4), (10, 3)])
def test_size_counts_all_words(m, depth):
    assert tensor.size(m, depth) == sum(1 for n in range(1, depth + 1) for _ in itertools.product(range(m), repeat=n))


def test_too_many_features_are_refused_with_the_arithmetic():
    with pytest.raises(ValueError, match=r"1345 letters at depth 2 = 1,810,370 features \(× 538 states × 4 bytes"):
        tensor.check_size(1345, 2, 538, 4)
    with pytest.raises(ValueError, match=r"3000 letters at depth 3 = 27,009,003,000 features .* axes swapped"):
        tensor.check_size(3000, 3, 1, 4)


@pytest.mark.parametrize("depth", [0, -1, 2.5, True, np.True_, "2", np.int64(0)])
def test_depth_must_be_a_positive_integer(depth):
    with pytest.raises(ValueError, match="depth must be an integer of at least 1, got"):
        tensor.check_depth(depth)


def test_integers_of_other_types_become_plain_ones():
    assert type(tensor.check_depth(np.int64(2))) is int
