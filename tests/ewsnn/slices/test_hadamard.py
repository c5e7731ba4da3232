"""The fast Walsh–Hadamard transform. Kind: identity."""

import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.slices.hadamard import sylvester, walsh_hadamard

EPS = float(np.finfo(np.float64).eps)


@pytest.mark.parametrize("size", [1, 2, 128])
def test_the_transform_is_the_product_with_the_matrix(size: int) -> None:
    # 128 takes two factors of unequal size.
    x = np.random.default_rng(size).normal(size=(3, size))
    expected = x @ sylvester(size) / np.sqrt(size)
    found = walsh_hadamard(jnp.asarray(x))
    # A sum of h products, each exact but for its rounding.
    np.testing.assert_allclose(found, expected, rtol=0, atol=8 * EPS * np.abs(x).max() * np.sqrt(size))
    np.testing.assert_allclose(walsh_hadamard(found), x, rtol=0, atol=8 * EPS * np.abs(x).max() * np.sqrt(size))


def test_the_matrix_has_orthogonal_rows_in_the_order_of_sylvester() -> None:
    H = sylvester(8)
    np.testing.assert_array_equal(H @ H.T, 8 * np.eye(8))
    # Entry (i, j) is −1 to the number of bits that i and j share.
    bits = [[bin(i & j).count("1") for j in range(8)] for i in range(8)]
    np.testing.assert_array_equal(H, (-1.0) ** np.array(bits))


def test_single_precision_stays_single() -> None:
    assert walsh_hadamard(jnp.ones(4, np.float32)).dtype == np.float32


@pytest.mark.parametrize("size", [0, 3, 12])
def test_other_sizes_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match=f"got {size}: choose a power of two"):
        walsh_hadamard(jnp.ones(size))
