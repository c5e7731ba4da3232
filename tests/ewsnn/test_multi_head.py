"""Heads side by side: against the same layers one after the other. Kind: twin.

One computation for all heads adds in another order than one for each: a few eps of states of size one.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.clocks import Gated, Given, Time
from ewsnn.generators import Diagonal, Rotation
from ewsnn.layers import EWSLayer
from ewsnn.multi_head import MultiHead, shared
from ewsnn.paths import Increments

HEADS, BATCH, STEPS, D, M, CLOSE = 3, 2, 5, 2, 2, 1e-14
RNG = np.random.default_rng(0)
VALUES = RNG.normal(size=(BATCH, HEADS, STEPS + 1, D))
TIMES = np.cumsum(RNG.uniform(0.1, 1, (BATCH, HEADS, STEPS + 1)), axis=-1)


def layers(clock: str) -> list[EWSLayer]:
    found = []
    for head in range(HEADS):
        rng = np.random.default_rng(head)
        generator = Rotation(rng.uniform(0.1, 1, 1), rng.normal(size=1))
        chosen = {"given": Given(), "gated": Gated(rng.normal(size=D), rng.normal(size=()))}[clock]
        found.append(EWSLayer(rng.normal(size=(M, D)), generator, chosen, depth=2))
    return found


def close(found: Any, wanted: Any) -> None:
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found, wanted, atol=CLOSE * float(np.abs(wanted).max()), rtol=0)


@eqx.filter_jit
def run(layer: Any, path: Increments, output: str = "terminal") -> Any:
    return layer(path, output=output)


def head_of(increments: Increments, head: int) -> Increments:
    return jax.tree.map(lambda leaf: leaf[:, head], increments)


PATHS = Increments.from_values(VALUES, TIMES, lengths=[[6, 4, 5], [3, 6, 6]]).with_base_point()


@pytest.mark.parametrize("output", ["terminal", "all"])
def test_heads_are_their_layers(output: str) -> None:
    ours = layers("gated")
    found = run(MultiHead.of(ours), PATHS, output)
    for head, layer in enumerate(ours):
        for level, wanted in zip(found, run(layer, head_of(PATHS, head), output), strict=True):
            close(jnp.take(level, head, axis=2 if output == "all" else 1), wanted)


def test_one_path_for_all_heads() -> None:
    ours, path = layers("gated"), head_of(PATHS, 0)
    found = run(MultiHead.of(ours), shared(path))
    for head, layer in enumerate(ours):
        for level, wanted in zip(found, run(layer, path), strict=True):
            close(level[:, head], wanted)


def test_streams_are_the_whole_path() -> None:
    both = MultiHead.of(layers("gated"))
    whole = run(both, PATHS, "all")
    feed = eqx.filter_jit(lambda both, state, chunk: both.feed(state, chunk, output="all"))
    state = both.start((BATCH,))
    assert state.levels[0].shape == (HEADS, BATCH, M)
    for start in (0, 3):
        dx, dt, valid = (leaf[:, :, start : start + 3] for leaf in (PATHS.dx, PATHS.dt, PATHS.valid))
        state, seen = feed(both, state, Increments(dx, dt, valid))
        for level, part in zip(whole, seen, strict=True):
            close(part, level[:, start : start + 3])


def test_steps_are_the_whole_path() -> None:
    both = MultiHead.of(layers("given"))
    dx, elapsed = RNG.normal(size=(3, BATCH, HEADS, D)), RNG.uniform(0, 1, (3, BATCH, HEADS))
    state, levels = both.start((BATCH,)), ()
    for k in range(3):
        state, levels = both.step(state, dx[k], elapsed=elapsed[k])
    every = jnp.moveaxis(jnp.asarray(dx), 0, 2), jnp.moveaxis(jnp.asarray(elapsed), 0, 2)
    path = Increments(every[0], jnp.ones_like(every[1]), jnp.ones(every[1].shape, bool), elapsed=every[1])
    for level, wanted in zip(levels, run(both, path), strict=True):
        close(level, wanted)
    # One increment for all heads.
    for one, level in zip(
        both.step(both.start((BATCH,)), dx[0, :, :1], elapsed=elapsed[0])[1],
        both.step(both.start((BATCH,)), np.repeat(dx[0, :, :1], HEADS, axis=1), elapsed=elapsed[0])[1],
        strict=True,
    ):
        close(one, level)


def test_stacked_arrays_are_heads_and_all_of_them_learn() -> None:
    ours = layers("gated")
    lift = jnp.stack([layer.lift for layer in ours])
    generator = jax.tree.map(lambda *leaves: jnp.stack(leaves), *(layer.generator for layer in ours))
    both = MultiHead.build(lift, generator, Gated(np.ones(D)), depth=2)
    assert (both.heads, both.m, both.d, both.depth) == (HEADS, M, D, 2)
    assert isinstance(both.layer.clock, Gated)
    assert both.layer.clock.weight.shape == (HEADS, D)

    @eqx.filter_jit
    @eqx.filter_grad
    def slope(both: MultiHead) -> jax.Array:
        return jnp.sum(both(shared(head_of(PATHS, 0)))[1] ** 2)

    for leaf in jax.tree.leaves(slope(both)):
        assert leaf.shape[0] == HEADS
        assert bool(jnp.isfinite(leaf).all())
        assert bool((leaf != 0).any(axis=tuple(range(1, leaf.ndim))).all())


def test_what_does_not_fit_is_refused() -> None:
    both = MultiHead.of(layers("gated"))
    with pytest.raises(ValueError, match=r"a path for 3 heads is \(…, heads, steps, d\)"):
        both(jax.tree.map(lambda leaf: leaf[:, :2], PATHS))
    with pytest.raises(ValueError, match="a path for 3 heads"):
        both(jax.tree.map(lambda leaf: leaf[0, 0], PATHS))
    with pytest.raises(ValueError, match=r"dx must be \(…, heads, d\) with 3 heads, or 1 for all, got \(2, 2\)"):
        both.step(both.start(), np.ones((2, D)))
    with pytest.raises(ValueError, match="at least one layer"):
        MultiHead.of([])
    other = EWSLayer(np.ones((1, D)), Diagonal([1.0]), Time(), depth=1)
    with pytest.raises(ValueError, match="layers of one shape, but head 1 is"):
        MultiHead.of([layers("gated")[0], other])
    with pytest.raises(ValueError, match="output must be one of"):
        both(PATHS, output="last")
