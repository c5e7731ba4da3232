"""Front ends. Oracle: NumPy, and the stated rules for padding and hidden values."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import front_ends
from ewsnn.affine import Affine

EPS = 2.0**-52
X = np.random.default_rng(0).normal(size=(2, 5, 3))
embedding = front_ends.Embedding.init(jax.random.key(0), 4, 3)
linear = front_ends.Linear.init(jax.random.key(1), 3, 2)
calendar = front_ends.Calendar.init(jax.random.key(2), 3, 2, 2)
slope = eqx.filter_jit(
    eqx.filter_grad(lambda front, inputs, lengths: jnp.sum(front(inputs, None, lengths).values ** 2))
)


def window(hidden_value: float = np.nan) -> front_ends.Window:
    hidden = np.array([[False, False, False, True, True]] * 2)
    marks = np.random.default_rng(1).normal(size=(2, 5, 2))
    return front_ends.Window(np.where(hidden[..., None], hidden_value, X), marks, hidden)


def test_tokens_become_their_vectors_and_padding_zero():
    tokens = np.array([[3, 0, 1], [2, -7, 99]])
    read = embedding(tokens, [0.0, 0.5, 2.0], lengths=[3, 1])
    weight = np.asarray(embedding.weight)
    assert (np.asarray(read.values[0]) == weight[[3, 0, 1]]).all()
    assert (np.asarray(read.values[1, 0]) == weight[2]).all()
    assert (read.values[1, 1:] == 0).all()
    assert read.dt.tolist() == [[0, 0.5, 1.5], [0, 0, 0]]
    assert embedding(tokens.astype(np.int8), lengths=[3, 1]).values.tolist() == read.values.tolist()


def test_what_is_no_token_is_refused_or_not_a_number():
    with pytest.raises(ValueError, match=r"from 0 to 3, got 4 at index \(1, 0\)"):
        embedding(np.array([[0, 1], [4, 0]]))
    with pytest.raises(ValueError, match="got -1"):
        embedding(np.array([0, -1]))
    with pytest.raises(TypeError, match="tokens must be integers"):
        embedding(np.array([0.0, 1.0]))
    found = jax.jit(lambda t: embedding(t).values)(jnp.array([0, 4, -1]))
    assert jnp.isfinite(found[0]).all()
    assert jnp.isnan(found[1:]).all()


def test_a_linear_front_end_is_an_affine_map_of_the_valid_steps():
    padded = X.copy()
    padded[1, 3:] = np.nan
    read = linear(padded, lengths=[5, 3])
    expected = X @ np.asarray(linear.map.weight).T + np.asarray(linear.map.bias)
    expected[1, 3:] = 0
    np.testing.assert_allclose(read.values, expected, rtol=0, atol=10 * EPS)
    with pytest.raises(ValueError, match="takes 3 inputs, got 2"):
        linear(X[..., :2])


def test_hidden_values_are_never_read_and_the_mask_says_so():
    read = calendar(window())
    given = window(0.0)
    joined = np.concatenate([given.values, given.marks, given.hidden[..., None]], axis=-1)
    expected = joined @ np.asarray(calendar.map.weight).T + np.asarray(calendar.map.bias)
    np.testing.assert_allclose(read.values, expected, rtol=0, atol=10 * EPS)
    assert (calendar.features(given) == read.values).all()


@pytest.mark.parametrize("name", ["linear", "calendar"])
def test_gradients_are_finite_beside_padding_and_hidden_values_that_are_nan(name):
    padded = X.copy()
    padded[1, 3:] = np.nan
    front, inputs = (linear, padded) if name == "linear" else (calendar, window())
    leaves = jax.tree.leaves(slope(front, inputs, jnp.array([5, 3])))
    assert all(jnp.isfinite(leaf).all() and (leaf != 0).any() for leaf in leaves)


def test_a_front_end_keeps_its_own_precision():
    single = front_ends.Linear(Affine(np.ones((2, 3), np.float32), np.zeros(2, np.float32)))
    assert single(X).values.dtype == np.float32
    assert single(X).dt.dtype == np.float32


def test_bad_windows_are_refused():
    with pytest.raises(TypeError, match="takes a Window"):
        calendar(X)
    good = window()
    with pytest.raises(TypeError, match="hidden must be booleans"):
        calendar(good._replace(hidden=np.zeros((2, 5))))
    with pytest.raises(ValueError, match=r"got shapes \(2, 5, 3\), \(2, 4, 2\) and \(2, 5\)"):
        calendar(good._replace(marks=good.marks[:, :4]))
    with pytest.raises(ValueError, match=r"weight must be \(vocabulary, H\)"):
        front_ends.Embedding([1.0])
