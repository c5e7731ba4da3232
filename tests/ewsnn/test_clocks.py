"""Clocks: the formulas of the table, their gradients at rest, padding. Oracle: loops in NumPy."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments, clocks
from ewsnn.clocks import norm
from tests.conftest import CLOCKS, ClockCase

EPS = 2.0**-52
D = 3
W, U = np.array([0.5, -1.0, 2.0]), np.array([[0.5, -1.0, 2.0], [1.0, 1.0, 0.25]])

# f(v, Δt) as in the table, for one step.
FORMULAS = {
    "Time": (clocks.Time(), lambda v, dt: dt),
    "Observation": (clocks.Observation(), lambda v, dt: 1.0),
    "Variation": (clocks.Variation(), lambda v, dt: np.sqrt(v @ v)),
    "Blended": (clocks.Blended(0.7), lambda v, dt: dt + 0.7 * np.sqrt(v @ v)),
    "Blended, learned": (clocks.Blended(jnp.asarray(0.7)), lambda v, dt: dt + 0.7 * np.sqrt(v @ v)),
    "Gated": (clocks.Gated(W, 0.3), lambda v, dt: max(W @ v + 0.3 * dt, 0)),
    "Gated, invariant": (clocks.Gated(W), lambda v, dt: max(W @ v, 0)),
    "Clamped": (
        clocks.Clamped(U, [0.3, -0.1]),
        lambda v, dt: sum(min(max(u @ v + b * dt, 0), 1) for u, b in zip(U, [0.3, -0.1], strict=True)),
    ),
}


def path(seed: int = 0) -> Increments:
    rng = np.random.default_rng(seed)
    times = np.cumsum(rng.uniform(0, 2, size=(2, 6)), axis=-1)
    return Increments.from_values(rng.normal(size=(2, 6, D)), times, lengths=[6, 4])


@pytest.mark.parametrize("name", FORMULAS)
def test_clocks_follow_their_formulas_and_stand_still_over_padding(name):
    clock, f = FORMULAS[name]
    read = path()
    found = clock(read)
    for i, j in np.ndindex(2, 5):
        expected = f(np.asarray(read.dx[i, j]), float(read.dt[i, j])) if read.valid[i, j] else 0.0
        assert abs(found[i, j] - expected) <= 8 * EPS * max(1, abs(expected))


@pytest.mark.parametrize("name", FORMULAS)
def test_padding_is_worth_nothing_to_any_gradient(name):
    clock, _ = FORMULAS[name]

    def total(clock, values, times):
        return jnp.sum(clock(Increments.from_values(values, times, lengths=np.array([2]))))

    values = jnp.array([[[1.0, 0, 0], [0, 1.0, 0], [jnp.nan, jnp.inf, 0], [0, 0, 0]]])
    times = jnp.array([[0.0, 1.0, jnp.nan, 7.0]])
    assert jnp.isfinite(total(clock, values, times))
    gradients = eqx.filter_jit(eqx.filter_grad(lambda args: total(*args)))((clock, values, times))
    assert all(jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(gradients))
    assert (gradients[1][:, 2:] == 0).all()
    assert (gradients[2][:, 2:] == 0).all()


@pytest.mark.parametrize("name", FORMULAS)
def test_gradients_are_finite_where_nothing_moves(name):
    clock, _ = FORMULAS[name]
    read = Increments(jnp.zeros((3, D)), jnp.zeros(3), jnp.ones(3, bool))
    gradient = jax.grad(lambda dx, dt: jnp.sum(clock(Increments(dx, dt, read.valid)) ** 2), argnums=(0, 1))
    assert all(jnp.isfinite(leaf).all() for leaf in gradient(read.dx, read.dt))


@pytest.mark.parametrize("case", [case for case in CLOCKS if case.name != "Given"], ids=str)
def test_clocks_said_to_be_invariant_are_homogeneous_and_blind_to_time(case: ClockCase):
    clock = case.fast(case.arguments(1, D))
    read = path()
    # A piece passed at four times the speed: half of it has half of the increment, in another time.
    half = Increments(read.dx / 2, read.dt * 3, read.valid)
    invariant = np.allclose(2 * clock(half), clock(read), rtol=4 * EPS, atol=0)
    assert invariant == clock.invariant


@pytest.mark.parametrize("case", CLOCKS, ids=str)
def test_clocks_said_to_stop_can_stop(case: ClockCase):
    clock = case.fast(case.arguments(1, D))
    # Steps of all directions: a gate closes for some, the others close for none.
    v = np.random.default_rng(0).normal(size=(500, D))
    read = Increments(jnp.asarray(v), jnp.full(500, 0.1), jnp.ones(500, bool), elapsed=jnp.zeros(500))
    assert bool((clock(read) == 0).any()) == clock.can_stop


def test_given_needs_and_returns_what_comes_with_the_path():
    read = path()
    with pytest.raises(ValueError, match=r"reads increments.elapsed, which is None"):
        clocks.Given()(read)
    elapsed = np.arange(10.0).reshape(2, 5)
    elapsed[1, 3:] = np.nan
    assert clocks.Given()(read.with_elapsed(elapsed)).tolist() == [[0, 1, 2, 3, 4], [5, 6, 7, 0, 0]]


def test_norm_neither_overflows_nor_underflows():
    v = jnp.array([[3e200, 4e200], [3e-200, 4e-200], [0.0, 0.0]])
    np.testing.assert_allclose(norm(v), [5e200, 5e-200, 0.0], rtol=2 * EPS)
    gradient = jax.grad(lambda v: jnp.sum(norm(v)))(v)
    np.testing.assert_allclose(gradient, [[0.6, 0.8], [0.6, 0.8], [0, 0]], rtol=4 * EPS)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: clocks.Blended(0.0), "beta must be above 0 and finite, got 0.0"),
        (lambda: clocks.Blended(jnp.asarray(-1.0)), "beta must be above 0"),
        (lambda: clocks.Blended([1.0, 2.0]), r"beta must be one number, got shape \(2,\)"),
        (lambda: clocks.Gated([[1.0]], 0.0), r"a weight \(d,\) and a bias \(\), got shapes \(1, 1\) and \(\)"),
        (lambda: clocks.Clamped([[1.0]], [0.0, 1.0]), r"got shapes \(1, 1\) and \(2,\)"),
        (lambda: clocks.Gated([1.0], 0.0)(path()), "the clock's weight is for 1 channels, the path has 3"),
        (lambda: clocks.Clamped([[1.0]], [0.0])(path()), "for 1 channels, the path has 3"),
    ],
)
def test_bad_arguments_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@pytest.mark.parametrize("family", [clocks.Blended, clocks.Gated, clocks.Clamped])
def test_learned_clocks_start_close_to_time_and_have_as_many_parameters_as_the_table_says(family):
    clock = family.init(jax.random.key(0), D)
    leaves = jax.tree.leaves(eqx.filter(clock, eqx.is_inexact_array))
    assert sum(leaf.size for leaf in leaves) == {"Blended": 1, "Gated": D + 1, "Clamped": 4 * (D + 1)}[family.__name__]
    still = Increments(jnp.zeros((2, D)), jnp.array([0.5, 1.0]), jnp.ones(2, bool))
    np.testing.assert_allclose(clock(still), [0.5, 1.0], rtol=4 * EPS)
