"""Inverse, antipode, logarithm and exponential. Oracle: the group laws, on small integers that cannot round."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.signature import antipode, exp, inverse, log, signature
from ewsnn.tensor import group_product

EPS = float(np.finfo(np.float64).eps)


def integers(m: int, depth: int, batch: tuple[int, ...] = (), seed: int = 0):
    """Levels with small integers: no group-like element, and sums and products of them are exact."""
    rng = np.random.default_rng(seed)
    return tuple(jnp.asarray(rng.integers(-2, 3, (*batch, *n * (m,))), float) for n in range(1, depth + 1))


def walk(*shape: int, seed: int = 0) -> jax.Array:
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape))


def error(one, other) -> float:
    """The largest error of a level relative to its largest entry."""
    return max(float(jnp.max(jnp.abs(a - b)) / jnp.max(jnp.abs(b))) for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_the_inverse_is_one_on_both_sides_exactly(depth: int) -> None:
    x = integers(2, depth, (2, 3))
    for product in (group_product(x, inverse(x)), group_product(inverse(x), x)):
        assert all(level.shape[:2] == (2, 3) and not level.any() for level in product)


def test_the_antipode_is_the_inverse_of_a_signature_and_of_nothing_else() -> None:
    S = signature(walk(3, 6, 2), 3)
    # The sum of four products of levels rounds four times or so.
    assert error(antipode(S), inverse(S)) <= 20 * EPS
    assert error(antipode(S), signature(walk(3, 6, 2)[:, ::-1], 3)) <= 20 * EPS
    x = integers(2, 4)
    assert error(antipode(x), inverse(x)) > 1e-2


def test_the_antipode_reverses_words() -> None:
    _, level2, level3 = antipode(integers(3, 3, (2,)))
    _, given2, given3 = integers(3, 3, (2,))
    assert (level2[:, 0, 1] == given2[:, 1, 0]).all()
    assert (level3[:, 0, 1, 2] == -given3[:, 2, 1, 0]).all()


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_log_and_exp_are_inverse_on_all_tensors(depth: int) -> None:
    x = integers(2, depth, (3,))
    assert error(exp(log(x)), x) <= 100 * EPS  # the terms of the series are up to ten times the result
    assert error(log(exp(x)), x) <= 500 * EPS


def test_log_and_exp_are_their_series() -> None:
    x1, x2, x3 = integers(2, 3)

    def outer(*factors):
        return factors[0] if len(factors) == 1 else jnp.tensordot(factors[0], outer(*factors[1:]), axes=0)

    two, three = outer(x1, x2) + outer(x2, x1), outer(x1, x1, x1)
    assert error(log((x1, x2, x3)), (x1, x2 - outer(x1, x1) / 2, x3 - two / 2 + three / 3)) <= 4 * EPS
    assert error(exp((x1, x2, x3)), (x1, x2 + outer(x1, x1) / 2, x3 + two / 2 + three / 6)) <= 4 * EPS


def test_the_log_of_a_line_is_its_increment() -> None:
    found = log(signature([[1.0, 2.0], [4.0, 0.0]], 4))
    assert found[0].tolist() == [3.0, -2.0]
    # Terms of size 3^n cancel.
    assert all(float(jnp.max(jnp.abs(level))) <= 4 * 3.0**n * EPS for n, level in enumerate(found[1:], start=2))


@pytest.mark.parametrize("map_", [inverse, log, exp, antipode])
def test_maps_pass_through_vmap_and_single_precision(map_) -> None:
    x = tuple(level.astype(jnp.float32) for level in integers(2, 3, (4,)))
    found = map_(x)
    assert all(level.dtype == jnp.float32 for level in found)
    assert error(jax.vmap(map_)(x), found) <= 1e-6  # one rounding of float32
