"""The mean of the states by products over blocks, against the states one after the other. Kind: equality of engines.

Tolerance: both round at most 50 eps for each step (``ewsnn.oracle.EPS_PER_STEP``).
"""

import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.arrays import Levels
from ewsnn.engine import mean
from ewsnn.engine.local import local_segments
from ewsnn.engine.mean import chunked_mean
from ewsnn.engine.scan import scan_sequential
from ewsnn.generators import AbstractGenerator, Dense, Jordan, Rotation, Zero

M, STEPS = 4, 11
EPS = 2.0**-52
ROTATION = Rotation(jnp.array([0.1, 0.0]), jnp.array([3.0, 1.0]))
Arguments = tuple[AbstractGenerator, jax.Array, jax.Array, jax.Array]


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so short that eleven steps are several, the last of them not full."""
    monkeypatch.setattr(mean, "_STEPS", 4)


def problem(generator: AbstractGenerator = ROTATION, size: float = 0.01) -> Arguments:
    rng = np.random.default_rng(0)
    dtheta = size * rng.uniform(0.2, 1, (2, STEPS))
    weights = rng.uniform(size=(2, STEPS))
    weights[1, 8:] = 0
    return generator, jnp.asarray(dtheta), jnp.asarray(rng.normal(size=(2, STEPS, M)) / 3), jnp.asarray(weights)


def one_by_one(
    generator: AbstractGenerator, dtheta: jax.Array, v: jax.Array, weights: jax.Array, depth: int,
    start: Levels | None = None,
) -> Levels:  # fmt: skip
    every = scan_sequential(local_segments(generator, dtheta, v, depth), start)
    return tuple(jnp.sum(x * weights.reshape(*weights.shape, *n * (1,)), axis=1) for n, x in enumerate(every, start=1))


def close(found: object, expected: object, tolerance: float = 50 * STEPS * EPS) -> None:
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        assert a.shape == b.shape
        assert np.max(np.abs(a - b)) <= tolerance * max(1.0, float(np.max(np.abs(b))))


by_blocks, by_steps = (eqx.filter_jit(function) for function in (chunked_mean, one_by_one))


@pytest.mark.parametrize("size", [0.003, 0.02, 0.3, 20.0])
def test_clocks_that_move_little_and_far(size: float) -> None:
    arguments = problem(size=size)
    close(by_blocks(*arguments, 3), by_steps(*arguments, 3))


def test_one_jump_a_stopped_clock_and_one_that_goes_back() -> None:
    generator, dtheta, v, weights = problem()
    for moved in (dtheta.at[0, 5].set(2.0), 0 * dtheta, dtheta.at[0].multiply(-1), dtheta.at[0, 5].set(-2.0)):
        close(by_blocks(generator, moved, v, weights, 3), by_steps(generator, moved, v, weights, 3))


@pytest.mark.parametrize("depth", [1, 4, 6])
def test_every_depth(depth: int) -> None:
    generator = Dense(jnp.array([[0.3, 1.0], [-0.5, 0.1]]))
    dtheta, v, weights = problem()[1:]
    arguments = generator, dtheta, v[..., :2], weights
    close(by_blocks(*arguments, depth), by_steps(*arguments, depth))


@pytest.mark.parametrize("generator", [Zero(M), Jordan(jnp.array([0.4]), M)], ids=["zero", "Jordan"])
def test_other_generators(generator: AbstractGenerator) -> None:
    arguments = problem(generator)
    close(by_blocks(*arguments, 3), by_steps(*arguments, 3))


def test_from_a_state() -> None:
    arguments = problem()
    rng = np.random.default_rng(1)
    start = tuple(jnp.asarray(rng.normal(size=(2, *n * (M,)))) for n in (1, 2, 3))
    close(by_blocks(*arguments, 3, start), by_steps(*arguments, 3, start))


def test_gradients_with_a_jump_and_without() -> None:
    def slopes(function: object) -> object:
        def total(arguments: Arguments) -> jax.Array:
            levels = function(*arguments, 3)  # pyright: ignore[reportCallIssue]
            return sum((jnp.sum(jnp.cos(jnp.arange(x.size)) * x.ravel()) for x in levels), jnp.zeros(()))

        return eqx.filter_jit(jax.grad(total))

    generator, dtheta, v, weights = problem()
    v = v.at[:, 2].set(0)
    found, expected = slopes(chunked_mean), slopes(one_by_one)
    for moved in (dtheta.at[:, 2:4].set(0), dtheta.at[0, 5].set(2.0)):
        arguments = generator, moved, v, weights
        # The derivative of the interpolation is exact to an order less than its value.
        close(found(arguments), expected(arguments), 50 * STEPS**2 * EPS)  # pyright: ignore[reportCallIssue]


def test_a_clock_that_is_no_number_spoils_its_own_path_alone() -> None:
    generator, dtheta, v, weights = problem()
    found = by_blocks(generator, dtheta.at[0, 5].set(jnp.nan), v, weights, 3)
    expected = by_steps(generator, dtheta, v, weights, 3)
    close([x[1] for x in found], [x[1] for x in expected])
    assert all(np.isnan(x[0]).any() for x in found)


@pytest.mark.parametrize("itemsize", [4, 8])
def test_the_interpolation_is_exact_to_working_precision(itemsize: int) -> None:
    count, y = mean._POINTS[itemsize]
    bessel = sum((y / 2) ** (k + 2 * j) / math.factorial(j) / math.factorial(k + j)
                 for k in range(count, count + 30) for j in range(20))  # fmt: skip
    assert 4 * math.exp(2 * y) * bessel <= np.finfo(f"f{itemsize}").eps / 2
