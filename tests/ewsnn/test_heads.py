"""Heads. Oracle: NumPy on the valid steps alone."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Signal, heads
from ewsnn.affine import Affine

EPS = 2.0**-52
U = np.random.default_rng(0).normal(size=(2, 7, 3))
LENGTHS = np.array([7, 4])
W, C = np.random.default_rng(1).normal(size=(2, 3)), np.array([0.5, -1.0])
SIGNAL = Signal.of(U, lengths=LENGTHS)
MAP = Affine(W, C)


def close(found, expected) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=20 * EPS * np.abs(expected).max())


def test_outputs_at_every_step_are_zero_in_padding():
    found = heads.PerStep(MAP)(SIGNAL)
    close(found[0], U[0] @ W.T + C)
    close(found[1, :4], U[1, :4] @ W.T + C)
    assert (found[1, 4:] == 0).all()


def test_outputs_at_every_third_step():
    found = heads.PerStep(MAP, 3)(SIGNAL)
    assert found.shape == (2, 2, 2)
    close(found[0], U[0, [2, 5]] @ W.T + C)
    close(found[1, 0], U[1, 2] @ W.T + C)
    assert (found[1, 1] == 0).all()


def test_pools_see_valid_steps_alone():
    means = np.stack([U[0].mean(axis=0), U[1, :4].mean(axis=0)])
    close(heads.Pooled(MAP)(SIGNAL), means @ W.T + C)
    close(heads.Pooled(MAP, "last")(SIGNAL), np.stack([U[0, -1], U[1, 3]]) @ W.T + C)
    assert heads.Pooled(MAP, "last")(Signal.of(U[0])).shape == (2,)


def test_a_horizon_is_the_last_valid_steps():
    found = heads.Horizon(MAP, 2)(SIGNAL)
    close(found, np.stack([U[0, 5:], U[1, 2:4]]) @ W.T + C)
    traced = eqx.filter_jit(heads.Horizon(MAP, 2))(SIGNAL)
    close(traced, found)


def test_signals_shorter_than_the_horizon_are_refused():
    with pytest.raises(ValueError, match="the last 5 valid steps, but a signal has only 4"):
        heads.Horizon(MAP, 5)(SIGNAL)
    with pytest.raises(ValueError, match="the last 8 valid steps, but a signal has only 7"):
        jax.jit(heads.Horizon(MAP, 8).__call__)(Signal.of(U))


def test_heads_are_drawn_to_size():
    for head in (
        heads.PerStep.init(jax.random.key(0), 3, 2, every=2),
        heads.Pooled.init(jax.random.key(0), 3, 2, pool="last"),
        heads.Horizon.init(jax.random.key(0), 3, 2, steps=4),
    ):
        assert head.width == 3
        assert head.map.weight.shape == (2, 3)
        assert (jnp.abs(head.map.weight) <= 1 / np.sqrt(3)).all()
        assert jnp.unique(head.map.weight).size == 6


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: heads.PerStep(MAP, 0), "every must be at least 1"),
        (lambda: heads.Horizon(MAP, 0), "steps must be at least 1"),
    ],
)
def test_bad_heads_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
