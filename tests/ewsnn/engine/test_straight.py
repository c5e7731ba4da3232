"""Signatures of piecewise linear paths against those at Gauss–Legendre nodes. Kind: equality of engines.

Tolerances: a running sum in blocks rounds a few eps of the largest sum, and a level is a sum of a dozen products of
these; errors are relative to its largest entry.
"""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments
from ewsnn.arrays import Levels
from ewsnn.clocks import Time
from ewsnn.engine import signature_at_nodes, signature_of_steps, states, straight
from ewsnn.generators import Zero
from ewsnn.signature import signature

M = 3

run = jax.jit(signature_of_steps, static_argnums=1)


def increments(steps: int, *, batch: tuple[int, ...] = (2,), m: int = M, dtype: type = np.float64) -> jax.Array:
    rng = np.random.default_rng(steps)
    return jnp.asarray(rng.normal(size=(*batch, steps, m)) / np.sqrt(steps), dtype)


def by_nodes(v: jax.Array, depth: int) -> Levels:
    return signature_at_nodes(jnp.repeat(v[..., None, :], (depth + 1) // 2, axis=-2), depth)


def close(found: Levels, expected: Levels, tolerance: float) -> None:
    assert len(found) == len(expected)
    for a, b in zip(found, expected, strict=True):
        assert (a.shape, a.dtype) == (b.shape, b.dtype)
        assert np.max(np.abs(a - b)) <= tolerance * np.finfo(b.dtype).eps * np.max(np.abs(b))


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """So little held at once that there are several spans and groups; and of odd depth always the symmetric part."""
    monkeypatch.setattr(straight, "_MOVED", 0)
    monkeypatch.setattr(straight, "_FEWEST", 8)
    monkeypatch.setattr(straight, "_MULTIPLE", 8)
    monkeypatch.setattr(straight, "_HELD", 0)
    monkeypatch.setattr(straight, "_WHOLE", 0)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_every_depth(depth: int) -> None:
    v = increments(37)
    close(run(v, depth), by_nodes(v, depth), 50)


@pytest.mark.parametrize("depth", [3, 5])
def test_symmetric_part_of_a_long_path(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def products(steps: int) -> int:
        jaxpr = jax.make_jaxpr(signature_of_steps, static_argnums=1)(increments(steps), depth)
        return str(jaxpr).count("dot_general")

    # Blocks of running sums are products, too: there has to be the same number of them.
    monkeypatch.setattr(straight, "_MOVED", 2)
    assert products(31) == products(8) - 1
    v = increments(31)
    close(jax.jit(signature_of_steps, static_argnums=1)(v, depth), by_nodes(v, depth), 50)


@pytest.mark.parametrize("depth", [3, 4, 5])
def test_spans_and_groups(small: None, depth: int) -> None:
    v = increments(21, batch=())
    jaxpr = str(jax.make_jaxpr(signature_of_steps, static_argnums=1)(v, depth))
    assert jaxpr.count("scan[") == 2
    close(jax.jit(signature_of_steps, static_argnums=1)(v, depth), by_nodes(v, depth), 50)


def test_groups_that_are_not_full(monkeypatch: pytest.MonkeyPatch) -> None:
    v = increments(5, batch=(5, 1))
    monkeypatch.setattr(straight, "_HELD", 2 * M**2 * 5 * 8)
    monkeypatch.setattr(straight, "_WHOLE", 0)
    close(jax.jit(signature_of_steps, static_argnums=1)(v, 3), by_nodes(v, 3), 50)


@pytest.mark.parametrize("shape", [(1, 1), (0, 4, 2), (2, 1, 1)])
def test_one_step_one_letter_and_no_path(shape: tuple[int, ...]) -> None:
    v = jnp.full(shape, 0.5)
    for n, level in enumerate(run(v, 4), start=1):
        assert level.shape == (*shape[:-2], *n * (shape[-1],))
        np.testing.assert_allclose(level, (0.5 * shape[-2]) ** n / [1, 2, 6, 24][n - 1], rtol=8 * 2.0**-52)


@pytest.mark.parametrize("depth", [3, 4])
def test_single_precision_over_a_long_path(depth: int) -> None:
    v = increments(10_000, batch=(), dtype=np.float32)
    found, expected = run(v, depth), jax.jit(by_nodes, static_argnums=1)(v.astype(np.float64), depth)
    for a, b in zip(found, expected, strict=True):
        assert a.dtype == np.float32
        assert np.max(np.abs(a.astype(np.float64) - b)) <= 2e-6 * np.max(np.abs(b))


@pytest.mark.parametrize("depth", [3, 4])
def test_derivatives_in_every_mode(small: None, depth: int) -> None:
    v = increments(12, batch=(2,)).at[:, 3:5].set(0).at[1].set(0)
    way = jnp.cos(jnp.arange(v.size, dtype=v.dtype)).reshape(v.shape)

    def total(route, v: jax.Array) -> jax.Array:
        levels = route(v, depth)
        return sum((jnp.sum(jnp.cos(jnp.arange(x.size, dtype=x.dtype)) * x.ravel()) for x in levels), jnp.zeros(()))

    def along(route, v: jax.Array) -> tuple[jax.Array, ...]:
        gradient = jax.grad(lambda v: total(route, v))
        first = jax.jvp(lambda v: total(route, v), (v,), (way,))[1]
        return gradient(v), first, jax.jvp(gradient, (v,), (way,))[1]

    found, expected = (jax.jit(along, static_argnums=0)(route, v) for route in (signature_of_steps, by_nodes))
    for a, b in zip(found, expected, strict=True):
        assert np.isfinite(a).all()
        # Sums of a hundred weighted terms.
        assert np.max(np.abs(a - b)) <= 500 * 2.0**-52 * np.max(np.abs(b))


def test_maps_over_a_batch() -> None:
    v = increments(7, batch=(2, 3))
    close(jax.jit(jax.vmap(lambda v: signature_of_steps(v, 3)))(v), run(v, 3), 50)


@pytest.mark.parametrize("engine", ["chunked", "sequential", "scan"])
def test_no_lift_is_the_identity_without_a_product(engine: str) -> None:
    path = Increments.from_values(jnp.cumsum(increments(9), axis=-2))

    def found(lift: jax.Array | None) -> Levels:
        return states(path, lift, Zero(M), Time(), depth=2, engine=engine)

    without, eye = (jax.make_jaxpr(found)(lift) for lift in (None, jnp.eye(M)))
    assert str(without).count("dot_general") == str(eye).count("dot_general") - 1
    close(jax.jit(found)(None), jax.jit(found)(jnp.eye(M)), 8)


def test_it_is_what_the_engines_take_where_nothing_is_forgotten() -> None:
    points = jnp.cumsum(increments(9), axis=-2)
    path = Increments.from_values(points)
    for engine in ("auto", "chunked"):

        def one(lift: jax.Array, engine: str = engine) -> Levels:
            return states(path, lift, Zero(M), Time(), depth=3, engine=engine)

        # No step waits for another, and no node stands beside another.
        text = str(jax.make_jaxpr(one)(jnp.eye(M)))
        assert "scan[" not in text
        assert "switch" not in text
    close(signature(points, 3), signature(points, 3, engine="sequential"), 50)
