"""Blocks and stacks as streams. Oracle: the whole sequence at once."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import EWSBlock, SequenceModel, clocks, front_ends, generators, heads
from ewsnn.paths import Signal
from ewsnn.train import checkpoint

EPS = 2.0**-52
WIDTH, STEPS, CHUNK = 4, 6, 3


def block(seed: int, reading: str = "integral") -> EWSBlock:
    key = jax.random.key(seed)
    # A clock that reads the path, so that it too must not see where the signal is cut.
    return EWSBlock.init(
        key, WIDTH, m=2, depth=2, generator=generators.Diagonal([0.5, 0.25]), clock=clocks.Variation(), reading=reading
    )


def signal(seed: int = 0) -> Signal:
    rng = np.random.default_rng(seed)
    lengths = np.array([STEPS, 4])
    return Signal.of(rng.normal(size=(2, STEPS, WIDTH)), np.cumsum(rng.uniform(size=(2, STEPS)), -1), lengths)


def piece(signal: Signal, start: int) -> Signal:
    return jax.tree.map(lambda leaf: leaf[:, start : start + CHUNK], signal)


def close(found, expected) -> bool:
    # A block brings states to size one, so that its round-off is relative to theirs: 50 eps a step, and layer by layer.
    return float(jnp.max(jnp.abs(found - expected))) <= 1000 * STEPS * EPS * float(jnp.max(jnp.abs(expected)))


@pytest.mark.parametrize("reading", ["integral", "values"])
def test_a_block_streams(reading: str) -> None:
    one, u = block(0, reading), signal()
    whole = eqx.filter_jit(one)(u)
    state = one.start((2,))
    for start in (0, CHUNK):
        # The second chunk of the second signal ends in padding.
        state, y = one.feed(state, piece(u, start))
        assert close(y.values, whole.values[:, start : start + CHUNK])
        assert y.valid.tolist() == whole.valid[:, start : start + CHUNK].tolist()


def test_a_stack_streams_and_goes_on_from_a_file_bit_for_bit(tmp_path) -> None:
    keys = jax.random.split(jax.random.key(1), 2)
    model = SequenceModel(
        front_ends.Linear.init(keys[0], 3, WIDTH),
        [block(2), block(3)],
        heads.PerStep.init(keys[1], WIDTH, outputs=2),
    )
    rng = np.random.default_rng(4)
    x, t = rng.normal(size=(2, STEPS, 3)), 100 + np.cumsum(rng.uniform(size=STEPS))
    whole = eqx.filter_jit(model)(x, t, start_time=99.5)
    state, first = model.observe(model.start((2,), 99.5), x[:, :CHUNK], t[:CHUNK])
    checkpoint.save(tmp_path / "state.npz", state)
    restored = checkpoint.load(tmp_path / "state.npz", like=model.start((2,)))
    state, second = model.observe(state, x[:, CHUNK:], t[CHUNK:])
    found = jnp.concatenate([model.head(first), model.head(second)], axis=1)
    assert close(found, whole)
    assert state.knot.time.value.tolist() == [t[-1], t[-1]]
    _, again = model.observe(restored, x[:, CHUNK:], t[CHUNK:])
    assert jnp.array_equal(second.values, again.values)
    with pytest.raises(ValueError, match="times must not go back"):
        model.observe(state, x[:, :CHUNK], t[:CHUNK])


def test_tokens_stream_without_stamps_and_with_lengths() -> None:
    keys = jax.random.split(jax.random.key(5), 2)
    model = SequenceModel(
        front_ends.Embedding.init(keys[0], 3, WIDTH), [block(6)], heads.Pooled.init(keys[1], WIDTH, 2, pool="last")
    )
    tokens = np.random.default_rng(7).integers(0, 3, (2, STEPS))
    lengths = np.array([STEPS, 4])
    whole = eqx.filter_jit(model)(tokens, lengths=lengths)
    state = model.start((2,))
    for start in (0, CHUNK):
        state, behind = model.observe(
            state, tokens[:, start : start + CHUNK], lengths=np.minimum(lengths - start, CHUNK)
        )
    assert close(model.head(behind), whole)
    assert state.knot.time.value.tolist() == [6, 4]
