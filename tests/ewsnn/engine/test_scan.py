"""Joining segments. Oracle: a Python loop, and integers that cannot round."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.engine import Segment, chen, reduce, reduce_sequential, scan, scan_sequential
from ewsnn.propagators import Dense, Rotation

M = 2
LENGTHS = [1, 2, 3, 5, 9, 16]


def segments(steps: int, batch: tuple[int, ...] = (), seed: int = 0) -> Segment:
    """Segments with small integer matrices and levels: they do not commute, and all products are exact."""
    rng = np.random.default_rng(seed)

    def integers(*shape):
        return jnp.asarray(rng.integers(-1, 2, (*batch, steps, *shape)), float)

    return Segment(Dense(integers(M, M)), (integers(M), integers(M, M), integers(M, M, M)))


def loop(given: Segment) -> list[Segment]:
    """The prefixes, one after the other, for segments without a batch."""
    steps = [jax.tree.map(lambda leaf, k=k: leaf[k], given) for k in range(given.levels[0].shape[0])]
    prefixes = steps[:1]
    for step in steps[1:]:
        P, (a1, a2, a3), (b1, b2, b3) = step.propagator.matrix, prefixes[-1].levels, step.levels
        # D(S) ⊗ S', level by level.
        a1, a2 = P @ a1, P @ a2 @ P.T
        a3 = jnp.einsum("ai,bj,ck,ijk->abc", P, P, P, a3)
        levels = (
            a1 + b1,
            a2 + jnp.einsum("i,j->ij", a1, b1) + b2,
            a3 + jnp.einsum("ij,k->ijk", a2, b1) + jnp.einsum("i,jk->ijk", a1, b2) + b3,
        )
        prefixes.append(Segment(Dense(P @ prefixes[-1].propagator.matrix), levels))
    return prefixes


def equal(one, other) -> bool:
    return all(bool((a == b).all()) for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True))


@pytest.mark.parametrize("steps", LENGTHS)
def test_scan_is_the_loop_exactly_in_path_order(steps):
    given = segments(steps)
    expected = loop(given)
    found = jax.jit(scan)(given)
    for k in range(steps):
        assert equal(jax.tree.map(lambda leaf, k=k: leaf[k], found), expected[k])


@pytest.mark.parametrize("steps", LENGTHS)
def test_every_way_to_join_gives_the_same(steps):
    given = segments(steps, (2, 3))
    prefixes = jax.jit(scan)(given)
    last = jax.tree.map(lambda leaf: leaf[:, :, -1], prefixes)
    assert equal(jax.jit(reduce)(given), last)
    assert equal(jax.jit(scan_sequential)(given), prefixes.levels)
    assert equal(jax.jit(reduce_sequential)(given), last.levels)


def test_a_batch_is_scanned_path_by_path():
    given = segments(5, (2,))
    run = jax.jit(scan)
    found = run(given)
    for k in range(2):
        assert equal(
            jax.tree.map(lambda leaf, k=k: leaf[k], found), run(jax.tree.map(lambda leaf, k=k: leaf[k], given))
        )


def test_chen_is_associative():
    a, b, c = (jax.tree.map(lambda leaf: leaf[0], segments(1, seed=k)) for k in range(3))
    assert equal(chen(chen(a, b), c), chen(a, chen(b, c)))


def test_the_unit_joins_without_a_trace():
    a = jax.tree.map(lambda leaf: leaf[0], segments(1))
    unit = Segment(Dense(jnp.eye(M)), tuple(jnp.zeros_like(level) for level in a.levels))
    assert equal(chen(a, unit), a)
    assert equal(chen(unit, a), a)


def test_no_steps_are_scanned_to_no_states():
    given = segments(0, (2,))
    assert scan(given).levels[1].shape == (2, 0, M, M)


def rotations(steps: int) -> Segment:
    pairs = jnp.ones((steps, 4))
    return Segment(Rotation(pairs, pairs), (jnp.ones((steps, 8)), jnp.ones((steps, 8, 8))))


@pytest.mark.parametrize(("join", "growth"), [(scan, "log"), (reduce, "log"), (scan_sequential, None)])
def test_programs_grow_like_the_logarithm_of_the_length_at_most(join, growth):
    def equations(steps):
        return sum(1 for line in str(jax.make_jaxpr(join)(rotations(steps))).splitlines() if " = " in line)

    few, more, most = (equations(steps) for steps in (128, 1024, 8192))
    if growth == "log":
        # Eight times the length: three levels of the tree more, each time.
        assert most - more == more - few
    else:
        assert few == more == most
