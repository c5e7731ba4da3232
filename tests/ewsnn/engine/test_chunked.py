"""The chunked engine against the step-by-step one, which the oracle judges. Kind: equality of engines.

Tolerance: both engines round at most 50 eps for each step (``ewsnn.oracle.EPS_PER_STEP``).
"""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments
from ewsnn.arrays import Levels
from ewsnn.clocks import Gated, Given
from ewsnn.engine import chunked, mean, states
from ewsnn.engine.bound import error_bound, ladder, rung
from ewsnn.engine.local import local_segments
from ewsnn.engine.nodes import signature_at_nodes
from ewsnn.engine.scan import reduce_sequential
from ewsnn.generators import AbstractGenerator, Dense, Diagonal, Rotation, Zero

EPS = 2.0**-52
M, D = 4, 3
KEY = jax.random.key(0)
LIFT = jax.random.normal(KEY, (M, D))
ROTATION = Rotation(jnp.array([0.1, 0.0]), jnp.array([3.0, 1.0]))

run = eqx.filter_jit(states)


def clock_of(steps: int, size: float, *, batch: tuple[int, ...] = (2,), seed: int = 0) -> jax.Array:
    return jnp.asarray(size * np.random.default_rng(seed + 1).uniform(0.2, 1, size=(*batch, steps)))


def path(steps: int, size: float = 0.1, *, batch: tuple[int, ...] = (2,), seed: int = 0) -> Increments:
    rng = np.random.default_rng(seed)
    shape = (*batch, steps)
    return Increments(
        dx=jnp.asarray(rng.normal(size=(*shape, D)) / np.sqrt(max(steps, 1))),
        dt=jnp.ones(shape),
        valid=jnp.ones(shape, bool),
        elapsed=clock_of(steps, size, batch=batch, seed=seed),
    )


def close(found: Levels, expected: Levels, steps: int) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert a.shape == b.shape
        assert a.dtype == b.dtype
        error = np.max(np.abs(a - b), initial=0.0)
        # Relative to the largest entry along the path, which is not below that at the end.
        assert error <= 50 * EPS * max(steps, 1) * max(np.max(np.abs(b), initial=0.0), np.finfo(np.float64).tiny)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spans so short that a path of eleven steps has several, the last of them not full."""
    monkeypatch.setattr(chunked, "_SPAN", 4)
    monkeypatch.setattr(chunked, "_STEPS", 3)
    monkeypatch.setattr(mean, "_STEPS", 3)


# Sizes, not shapes, are what varies: each test function compiles once for all its cases.
@pytest.mark.parametrize("output", ["terminal", "mean", "all"])
@pytest.mark.parametrize("size", [0.02, 0.3, 1.0, 9.0])
def test_spans_and_their_remainders(short: None, output: str, size: float) -> None:
    increments = path(11, size)
    found, expected = (
        run(increments, LIFT, ROTATION, Given(), depth=2, output=output, engine=engine)
        for engine in ("chunked", "sequential")
    )
    close(found, expected, 11)


@pytest.mark.parametrize("size", [0.02, 0.3, 9.0])
def test_a_depth_with_a_prefix_above_level_one(size: float) -> None:
    increments = path(7, size)
    found = run(increments, LIFT, ROTATION, Given(), depth=5, engine="chunked")
    close(found, run(increments, LIFT, ROTATION, Given(), depth=5, engine="sequential"), 7)


@pytest.mark.parametrize("output", ["terminal", "mean", "all"])
@pytest.mark.parametrize("steps", [0, 1])
def test_no_step_and_one(steps: int, output: str) -> None:
    increments = path(steps, 0.3)
    found = run(increments, LIFT, ROTATION, Given(), depth=2, output=output, engine="chunked")
    close(found, run(increments, LIFT, ROTATION, Given(), depth=2, output=output, engine="sequential"), steps)


@pytest.mark.parametrize("batch", [(), (2, 3)])
def test_batches_and_more_than_one_block_of_nodes(batch: tuple[int, ...]) -> None:
    increments = path(33, batch=batch)
    found = run(increments, LIFT, ROTATION, Given(), depth=3, engine="chunked")
    close(found, run(increments, LIFT, ROTATION, Given(), depth=3, engine="sequential"), 33)


@pytest.mark.parametrize("output", ["terminal", "mean"])
def test_padding_adds_nothing(output: str) -> None:
    values = np.random.default_rng(1).normal(size=(2, 9, D))
    values[1, 6:] = np.nan
    clock = Gated(jnp.full((D,), 0.2), jnp.asarray(0.3))
    padded = Increments.from_values(values, lengths=[9, 6])
    found = run(padded, LIFT, ROTATION, clock, depth=2, output=output, engine="chunked")
    alone = Increments.from_values(values[1, :6])
    expected = run(alone, LIFT, ROTATION, clock, depth=2, output=output, engine="sequential")
    close(tuple(level[1] for level in found), expected, 9)


def slopes(engine: str, output: str = "terminal", depth: int = 2) -> Callable[..., jax.Array]:
    def total(moved: tuple[AbstractGenerator, jax.Array, jax.Array, jax.Array]) -> jax.Array:
        generator, lift, dx, elapsed = moved
        increments = Increments(dx=dx, dt=elapsed, valid=jnp.ones(elapsed.shape, bool), elapsed=elapsed)
        levels = states(increments, lift, generator, Given(), depth=depth, output=output, engine=engine)
        return sum((jnp.sum(jnp.cos(jnp.arange(level.size)) * level.ravel()) for level in levels), jnp.zeros(()))

    return total


def arguments(generator: AbstractGenerator, increments: Increments) -> tuple:
    return generator, LIFT, increments.dx, increments.elapsed


def near(found: object, expected: object, tolerance: float) -> None:
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(expected), strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(1.0, float(np.max(np.abs(b), initial=0.0))))


@pytest.mark.parametrize("size", [0.05, 0.5, 9.0])
def test_gradients_by_nodes_and_step_by_step(size: float) -> None:
    increments = path(7, size)
    # A step that does not move while the clock stands still, and one that does.
    increments = eqx.tree_at(
        lambda i: (i.dx, i.elapsed),
        increments,
        (increments.dx.at[:, 2].set(0), clock_of(7, size).at[:, 2:4].set(0)),
    )
    moved = arguments(ROTATION, increments)
    # Round-off of the states, times the steps that a parameter acts in.
    near(GRADIENT["chunked"](moved), GRADIENT["sequential"](moved), 50 * 7 * 7 * EPS)


GRADIENT = {engine: eqx.filter_jit(jax.grad(slopes(engine))) for engine in ("chunked", "sequential")}


def test_gradients_of_a_mean() -> None:
    moved = arguments(ROTATION, path(7))
    found, expected = (eqx.filter_jit(jax.grad(slopes(engine, "mean")))(moved) for engine in ("chunked", "sequential"))
    near(found, expected, 50 * 7 * 7 * EPS)


def test_forward_mode_and_second_derivatives() -> None:
    moved = arguments(Diagonal(jnp.array([0.2, 0.5, 1.0, 1.5])), path(4, 0.3, batch=()))
    way = jax.tree.map(lambda leaf: jnp.cos(jnp.arange(leaf.size, dtype=leaf.dtype)).reshape(leaf.shape), moved)

    def along(engine: str) -> tuple[jax.Array, object]:
        total = slopes(engine)
        first = jax.jvp(total, (moved,), (way,))[1]
        return first, jax.jvp(jax.grad(total), (moved,), (way,))[1]

    found, expected = (eqx.filter_jit(along)(engine) for engine in ("chunked", "sequential"))
    near(found, expected, 1e4 * EPS)


def test_under_vmap_one_choice_serves_all() -> None:
    increments = path(5, 0.3, batch=(3,))
    clock = clock_of(5, 0.3, batch=(3,)) * jnp.array([[0.01], [1.0], [40.0]])
    increments = eqx.tree_at(lambda i: i.elapsed, increments, clock)

    def one(increments: Increments) -> Levels:
        return states(increments, LIFT, ROTATION, Given(), depth=2, engine="chunked")

    found = jax.jit(jax.vmap(one))(increments)
    close(found, run(increments, LIFT, ROTATION, Given(), depth=2, engine="sequential"), 5)
    # A choice for each sample would have turned the branches into one computation of all of them.
    assert "branches" in str(jax.make_jaxpr(jax.vmap(one))(increments))


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5])
def test_the_plain_signature_by_every_number_of_nodes(depth: int) -> None:
    steps = 37
    v = jnp.asarray(np.random.default_rng(3).normal(size=(2, steps, M))) / np.sqrt(steps)
    expected = reduce_signature(v, depth)
    for q in range((depth + 1) // 2, (depth + 1) // 2 + 2):
        found = jax.jit(signature_at_nodes, static_argnums=1)(jnp.repeat(v[:, :, None], q, axis=2), depth)
        close(found, expected, steps)


def reduce_signature(v: jax.Array, depth: int) -> Levels:
    segments = local_segments(Zero(M), jnp.zeros(v.shape[:-1]), v, depth)
    return jax.jit(reduce_sequential)(segments)


def test_too_few_nodes_are_seen() -> None:
    v = jnp.asarray(np.random.default_rng(3).normal(size=(1, 9, M)))
    found, expected = signature_at_nodes(v[:, :, None], 3), reduce_signature(v, 3)
    assert np.max(np.abs(found[2] - expected[2])) > 1e-3


@pytest.mark.parametrize("output", ["terminal", "mean"])
def test_memory_does_not_grow_like_the_states(output: str) -> None:
    """The temporary memory of a gradient over a long path."""
    steps = 32768
    moved = arguments(Diagonal(jnp.array([0.2, 0.5, 1.0, 1.5])), path(steps, batch=()))
    analysis = jax.jit(jax.grad(slopes("chunked", output, depth=3))).lower(moved).compile().memory_analysis()
    assert analysis is not None
    # Of what a step keeps, a state would be 4 + 16 + 64.
    assert analysis.temp_size_in_bytes < steps * (4 + 16 + 64) * 8


def test_the_choice_of_nodes() -> None:
    rungs = ladder(3, np.dtype(np.float64))
    rotation = Dense(jnp.array([[0.0, -1.0], [1.0, 0.0]]))
    for place, (_, reach) in enumerate(rungs):
        assert rung(rotation, jnp.array([-reach, 0.0]), 3) == place
        assert rung(rotation, jnp.array([0.0, reach * 1.01]), 3) == place + 1
    assert rung(rotation, jnp.array([jnp.nan]), 3) == len(rungs)
    assert ladder(6, np.dtype(np.float64)) == ()


def test_the_bound_grows_with_the_step_up_to_the_next_rung() -> None:
    generator = Diagonal(jnp.array([1.0]))
    (_, lower), (_, reach), *_ = ladder(2, np.dtype(np.float32))
    sizes = np.linspace(lower * 1.01, reach * 0.99, 5)
    bounds = [float(error_bound(generator, jnp.array([x]), 2, np.float32)) for x in sizes]
    assert bounds == sorted(bounds)
    eps = float(jnp.finfo(np.float32).eps)
    assert bounds[-1] - 2 * eps * (4 * (1 + sizes[-1]) + sizes[-1]) == pytest.approx(8 * eps, rel=0.3)
