"""The SLiCE block and deep models of it. Oracles: the block written out, and the published parameter count."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import SequenceModel, Signal, front_ends, heads
from ewsnn.affine import Affine
from ewsnn.slices import BD, DE, LogODE, SLiCEBlock, SLiCELayer
from ewsnn.slices.block import LayerNorm

EPS = float(np.finfo(np.float64).eps)
WIDTH, STEPS = 4, 10
TIMES = np.cumsum(np.array([0.5, 1.0, 0.25, 0.25, 2.0, 1.0, 0.125, 1.0, 0.5, 0.75]))
KEY = jax.random.key(0)


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape)


def block(flow: str = "first-order", unit: float = 0.25, dropout: float = 0.5) -> SLiCEBlock:
    structure = BD(drawn(WIDTH + 1, 2, 2, 2))
    layer = SLiCELayer(Affine(drawn(WIDTH, WIDTH), drawn(WIDTH)), structure, flow=flow)
    norm = LayerNorm(1 + drawn(WIDTH) / 4, drawn(WIDTH))
    return SLiCEBlock(layer, Affine(drawn(WIDTH, WIDTH) / 2, drawn(WIDTH)), norm, unit=unit, dropout=dropout)


run = eqx.filter_jit(SLiCEBlock.__call__)


def by_hand(block: SLiCEBlock, u: np.ndarray, dt: np.ndarray) -> np.ndarray:
    """First-order flow, step by step: the first vector enters by the start map alone."""
    A = np.asarray(block.layer.structure.matrices())
    start, mixing, norm = block.layer.initial, block.mixing, block.norm
    h, found = np.asarray(start.weight) @ u[0] + np.asarray(start.bias), []
    for k in range(len(u)):
        if k:
            h = h + block.unit * dt[k] * np.einsum("i,iab,b->a", np.append(u[k], 1.0), A, h)
        z = u[k] + h
        z = z + np.tanh(np.asarray(mixing.weight) @ z + np.asarray(mixing.bias))
        z = (z - z.mean()) / np.sqrt(z.var() + norm.epsilon)
        found.append(np.asarray(norm.scale) * z + np.asarray(norm.bias))
    return np.stack(found)


def test_a_block_is_its_formula_on_real_time_stamps() -> None:
    u = drawn(STEPS, WIDTH)
    found = run(block(), Signal.of(u, TIMES)).values
    expected = by_hand(block(), u, np.diff(TIMES, prepend=TIMES[0]))
    assert np.max(np.abs(found - expected)) <= 200 * EPS * np.max(np.abs(expected))


def test_streams_padding_and_batches_give_the_same() -> None:
    u = np.stack([drawn(STEPS, WIDTH), drawn(STEPS, 1, WIDTH)[:, 0]])
    lengths = np.array([STEPS, 4])
    # Without stamps every step takes one unit of time, the first one too: it moves nothing all the same.
    signal = Signal.of(u, None, lengths)
    model = block()
    whole = run(model, signal).values
    alone = by_hand(model, u[1, :4], np.ones(4))
    assert np.max(np.abs(whole[1, :4] - alone)) <= 200 * EPS * np.max(np.abs(alone))
    assert (whole[1, 4:] == 0).all()
    # Chunks: the second path ends in the first of them, and is not begun again by the second.
    state, found = model.start((2,)), []
    for part in (slice(0, 5), slice(5, None)):
        chunk = Signal(signal.values[:, part], signal.dt[:, part], signal.valid[:, part])
        state, out = model.feed(state, chunk)
        found.append(out.values)
    assert np.max(np.abs(np.concatenate(found, axis=1) - whole)) <= 50 * EPS * np.max(np.abs(whole))
    assert state.steps.tolist() == lengths.tolist()


def test_dropout_is_behind_the_norm_and_needs_a_key() -> None:
    signal, model = Signal.of(drawn(STEPS, WIDTH), TIMES), block()
    kept, seen = run(model, signal).values, run(model, signal, key=KEY).values
    dropped = np.asarray(seen == 0)
    assert 0.2 <= dropped.mean() <= 0.8
    assert np.max(np.abs(np.where(dropped, 0, seen - 2 * kept))) <= 4 * EPS * np.max(np.abs(kept))


def language_model(vocabulary: int = 9, width: int = 128) -> SequenceModel:
    keys = jax.random.split(KEY, 4)
    return SequenceModel(
        front_ends.Embedding.init(keys[0], vocabulary, width),
        [SLiCEBlock.init(key, width, flow="first-order") for key in keys[1:3]],
        heads.PerStep.init(keys[3], width, vocabulary),
    )


def test_the_published_model_of_formal_languages_has_its_number_of_parameters() -> None:
    model = eqx.filter_eval_shape(language_model)
    assert sum(leaf.size for leaf in jax.tree.leaves(model)) == 200_969


def test_blocks_stack_and_stream_in_a_sequence_model() -> None:
    keys = jax.random.split(KEY, 3)
    first, second = block(), block(unit=1 / 40)
    tokens = np.random.default_rng(0).integers(0, 3, (2, STEPS))
    model = SequenceModel(
        front_ends.Embedding.init(keys[0], 3, WIDTH), [first, second], heads.PerStep.init(keys[2], WIDTH, 3)
    )
    logits = eqx.filter_jit(model)(tokens)
    assert logits.shape == (2, STEPS, 3)
    state, found = model.start((2,)), []
    for part in (slice(0, 5), slice(5, None)):
        state, signal = model.observe(state, tokens[:, part])
        found.append(model.head(signal))
    assert np.max(np.abs(np.concatenate(found, axis=1) - logits)) <= 200 * EPS * np.max(np.abs(logits))


def test_gradients_are_finite_at_a_signal_of_zeros() -> None:
    @eqx.filter_jit
    @eqx.filter_grad
    def slopes(block: SLiCEBlock, signal: Signal) -> jax.Array:
        return jnp.sum(block(signal).values ** 2)

    signal = Signal.of(np.zeros((STEPS, WIDTH)), TIMES)
    plain = eqx.tree_at(lambda b: (b.layer.initial.bias, b.mixing.bias), block(), 2 * (jnp.zeros(WIDTH),))
    assert all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(slopes(plain, signal)))


def test_what_does_not_fit_is_refused() -> None:
    model = block()
    parts = {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}
    square = SLiCELayer(model.layer.initial, DE(drawn(WIDTH, WIDTH, WIDTH)))
    windows = SLiCELayer(model.layer.initial, LogODE(model.layer.structure, 2, 3))
    for name, wrong, message in [
        ("layer", square, "must have 5 channels, the signal and the time"),
        ("layer", windows, "reads windows of 3 steps"),
        ("mixing", Affine(np.zeros((3, 4)), np.zeros(3)), "mixing and norm must be of width 4"),
        ("norm", LayerNorm.init(3), "mixing and norm must be of width 4"),
        ("unit", 0.0, "unit must be above 0"),
        ("dropout", 1.0, "dropout must be at least 0 and less than 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            SLiCEBlock(**{**parts, name: wrong})
    with pytest.raises(ValueError, match="the block has width 4, the signal 3"):
        model(Signal.of(np.zeros((5, 3))))
    with pytest.raises(ValueError, match="scale and bias must be"):
        LayerNorm([1.0], [0.0, 0.0])
