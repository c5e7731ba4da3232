"""The layer and the gains. Oracle: the front door, and values by hand."""

import inspect

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import EWSLayer, Increments, LevelGain, clocks, ews, generators

EPS = 2.0**-52
X = np.random.default_rng(0).normal(size=(2, 6, 3))


def test_the_layer_is_the_front_door_with_parameters():
    layer = EWSLayer.init(jax.random.key(0), d=3, m=4, depth=2)
    read = Increments.from_values(X, lengths=[6, 3])
    for output in ("mean", "all"):
        found = eqx.filter_jit(layer)(read, output=output)
        expected = ews(X, layer.generator, depth=2, lift=layer.lift, lengths=[6, 3], output=output)
        # The same program, compiled apart.
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=0, atol=20 * EPS * float(jnp.abs(other).max()))


def test_size_is_the_number_of_entries():
    layer = EWSLayer.init(jax.random.key(0), d=3, m=4, depth=3)
    assert layer.size == 4 + 16 + 64


@pytest.mark.parametrize("clock", [clocks.Gated.init(jax.random.key(1), 3), clocks.Clamped.init(jax.random.key(1), 3)])
def test_every_parameter_of_a_learned_layer_gets_a_gradient(clock):
    layer = EWSLayer.init(jax.random.key(0), d=3, m=2, depth=2, clock=clock)
    read = Increments.from_values(X)
    gradient = eqx.filter_jit(eqx.filter_grad(lambda layer: jnp.sum(layer(read)[1] ** 2)))(layer)
    leaves = jax.tree.leaves(gradient)
    assert len(leaves) == 5
    assert all(jnp.isfinite(leaf).all() for leaf in leaves)
    assert all((leaf != 0).any() for leaf in leaves)


def test_a_closed_gate_keeps_the_state():
    # The gate sees the first channel only; the second moves where it is closed.
    gate = clocks.Gated([1.0, 0.0])
    layer = EWSLayer(np.eye(2), generators.Diagonal([1.0, 1.0]), gate, depth=1)
    read = Increments.from_values([[0.0, 0.0], [2.0, 0.0], [-1.0, 0.0], [-1.0, 5.0]])
    (states,) = eqx.filter_jit(layer)(read, output="all")
    # The weights of the nodes add up to 1 within two eps, and so does what a step of 5 adds to its level one.
    assert float(states[1, 0]) == pytest.approx(float(states[0, 0]) - 3, rel=0, abs=6 * EPS)
    assert states[2, 0] == states[1, 0]
    assert float(states[2, 1]) == pytest.approx(5, rel=2 * EPS, abs=0)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: EWSLayer(np.eye(2), generators.Zero(3), clocks.Time(), 2), ValueError, r"with m = 3, .* got \(2, 2\)"),
        (lambda: EWSLayer(np.eye(2), generators.Zero(2), clocks.Time(), 0), ValueError, "depth must be an integer"),
        (
            lambda: EWSLayer(np.eye(2, dtype=np.float32), generators.Diagonal([1.0, 2.0]), clocks.Time(), 2),
            ValueError,
            "the lift is float32, but the generator or clock has a parameter of float64",
        ),
        (lambda: EWSLayer(np.eye(2000), generators.Zero(2000), clocks.Time(), 2), ValueError, "4,002,000 features"),
    ],
)
def test_bad_layers_are_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_a_class_in_place_of_an_object_is_refused_by_name():
    # Without the type checker of the tests, as users call it.
    init = inspect.unwrap(EWSLayer.__init__)
    with pytest.raises(TypeError, match=r"generator must be an object, got the class Zero: make one by Zero\(…\)"):
        init(None, np.eye(2), generators.Zero, clocks.Time(), 2)
    with pytest.raises(TypeError, match="clock must be an object, got the class Time"):
        init(None, np.eye(2), generators.Zero(2), clocks.Time, 2)


def test_bad_paths_are_refused():
    layer = EWSLayer.init(jax.random.key(0), d=3, m=2, depth=2)
    with pytest.raises(ValueError, match="the lift is for 3 channels, the path has 2"):
        layer(Increments.from_values(X[..., :2]))
    with pytest.raises(ValueError, match="the path is float32, the layer float64"):
        layer(Increments.from_values(X, dtype=np.float32))
    with pytest.raises(ValueError, match="output must be one of"):
        layer(Increments.from_values(X), output="last")


def test_larger_states_are_let_through_on_request():
    layer = EWSLayer(np.eye(1300), generators.Zero(1300), clocks.Time(), 2, max_features=2_000_000)
    assert layer.size == 1300 * 1301


def test_gains_multiply_their_levels():
    levels = (jnp.ones(2), jnp.ones((2, 2)))
    assert [level.tolist() for level in LevelGain([2.0, -0.5])(levels)] == [[2, 2], [[-0.5] * 2] * 2]
    assert [level.tolist() for level in LevelGain.init(jax.random.key(0), 2)(levels)] == [[1, 1], [[1] * 2] * 2]
    with pytest.raises(ValueError, match="there are 2 gains for 1 levels"):
        LevelGain([2.0, 3.0])(levels[:1])
    with pytest.raises(ValueError, match=r"one entry for each level, got shape \(\)"):
        LevelGain(2.0)
