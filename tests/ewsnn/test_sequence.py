"""Deep models. Oracles: the paper's parameter counts, and the same model on sequences that are not padded."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import EWSBlock, SequenceModel, clocks, front_ends, generators, heads

EPS = 2.0**-52
KEYS = jax.random.split(jax.random.key(0), 8)
run = eqx.filter_jit(SequenceModel.__call__)


def language(
    vocabulary: int, first: generators.AbstractGenerator, clock: clocks.AbstractClock, second
) -> SequenceModel:
    """A model of formal languages: two blocks of width 128, m = 64 and then 24, depth one."""
    return SequenceModel(
        front_ends.Embedding.init(KEYS[0], vocabulary, 128),
        [
            EWSBlock.init(KEYS[1], 128, 64, 1, generator=first, clock=clock),
            EWSBlock.init(KEYS[2], 128, 24, 1, generator=second, clock=clocks.Variation()),
        ],
        heads.PerStep.init(KEYS[3], 128, vocabulary),
    )


def turn(m: int) -> generators.Rotation:
    return generators.Rotation.init(KEYS[4], m, damping=None)


def gate() -> clocks.Gated:
    return clocks.Gated.init(KEYS[5], 128)


def cycle_navigation() -> SequenceModel:
    return language(9, turn(64), clocks.Clamped.init(KEYS[5], 128), turn(24))


def even_pairs() -> SequenceModel:
    return language(3, turn(64), gate(), turn(24))


def parity() -> SequenceModel:
    return language(3, turn(64), gate(), generators.Skew.init(KEYS[6], 24))


def modular_arithmetic() -> SequenceModel:
    full = generators.Skew(jax.random.normal(KEYS[4], (64, 64)) / 8)
    return language(10, full, gate(), generators.Rotation.init(KEYS[6], 24))


def weather() -> SequenceModel:
    generator = generators.ComplexJordan.init(KEYS[4], 64, size=2)
    return SequenceModel(
        front_ends.Calendar.init(KEYS[0], channels=12, marks=4, width=64),
        [EWSBlock.init(KEYS[1], 64, 64, 1, generator=generator)],
        heads.Horizon.init(KEYS[2], 64, 12, steps=720),
    )


def heart_rate() -> SequenceModel:
    def block(key: jax.Array) -> EWSBlock:
        generator = generators.ComplexJordan.init(key, 64, size=2)
        return EWSBlock.init(key, 16, 64, 1, generator=generator, clock=clocks.Clamped.init(key, 16))

    return SequenceModel(
        front_ends.Linear.init(KEYS[0], 7, 16),
        [block(key) for key in KEYS[1:5]],
        heads.PerStep.init(KEYS[5], 16, 1, every=128),
    )


@pytest.mark.parametrize(
    ("make", "count"),
    [
        (cycle_navigation, 92_219),
        (even_pairs, 90_290),
        (parity, 90_554),
        (modular_arithmetic, 96_165),
        (weather, 18_669),
        (heart_rate, 11_109),
    ],
)
def test_models_have_as_many_parameters_as_the_papers(make, count):
    # All of the model but the numbers themselves, which nobody has to draw to count them.
    leaves = jax.tree.leaves(eqx.filter_eval_shape(make))
    assert sum(leaf.size for leaf in leaves if jnp.issubdtype(leaf.dtype, jnp.inexact)) == count


@pytest.fixture(scope="module")
def model() -> SequenceModel:
    return eqx.filter_jit(small)()


def small() -> SequenceModel:
    return SequenceModel(
        front_ends.Embedding.init(KEYS[0], 4, 6),
        [
            EWSBlock.init(KEYS[1], 6, 2, 2, generator=generators.Zero(2), clock=clocks.Observation()),
            EWSBlock.init(KEYS[3], 6, 2, 1, generator=generators.Skew([0.7]), clock=clocks.Variation()),
        ],
        heads.PerStep.init(KEYS[4], 6, 3),
        dropout=0.25,
    )


TOKENS = np.random.default_rng(0).integers(0, 4, (2, 7))


def test_padded_and_unpadded_sequences_agree(model):
    tokens = TOKENS.copy()
    tokens[1, 5:] = -1
    found = run(model, tokens, None, jnp.array([7, 5]))
    alone = run(model, TOKENS[1:, :5])
    np.testing.assert_allclose(found[1:, :5], alone, rtol=0, atol=200 * EPS)
    assert (found[1, 5:] == 0).all()
    assert jnp.isfinite(found).all()


def test_a_stack_looks_at_no_later_step(model):
    other = TOKENS.copy()
    other[:, 5:] = (other[:, 5:] + 1) % 4
    one, two = (run(model, tokens, None, jnp.array([7, 7])) for tokens in (TOKENS, other))
    np.testing.assert_allclose(one[:, :5], two[:, :5], rtol=0, atol=200 * EPS)
    assert (jnp.abs(one[:, 5:] - two[:, 5:]) > 1e-6).any(axis=-1).all()


def test_a_stack_is_its_parts_in_a_row(model):
    signal = model.front_end(TOKENS)
    for block in model.blocks:
        signal = eqx.filter_jit(EWSBlock.__call__)(block, signal)
    expected = np.asarray(signal.values) @ np.asarray(model.head.map.weight).T + np.asarray(model.head.map.bias)
    np.testing.assert_allclose(run(model, TOKENS, None, jnp.array([7, 7])), expected, rtol=0, atol=200 * EPS)


def test_dropout_needs_a_key_and_repeats_with_it():
    front, head = front_ends.Linear.init(KEYS[0], 2, 32), heads.Pooled.init(KEYS[1], 32, 1)
    model = SequenceModel(front, [], head, dropout=0.5)
    values = np.ones((1, 3, 2))
    plain = run(model, values)
    np.testing.assert_allclose(plain, head.map(front.map(jnp.ones((1, 2)))), rtol=0, atol=50 * EPS)
    one, same, other = (run(model, values, key=jax.random.key(k)) for k in (1, 1, 2))
    assert one == same
    assert one not in (plain, other)


def test_parts_of_different_widths_are_refused():
    front, head = front_ends.Linear.init(KEYS[0], 2, 4), heads.Pooled.init(KEYS[1], 6, 1)
    with pytest.raises(ValueError, match="front end has width 4, the blocks 5, the head 6"):
        eqx.filter_eval_shape(lambda: SequenceModel(front, [EWSBlock.init(KEYS[2], 5, 2, 1)], head))
    with pytest.raises(ValueError, match=r"less than 1, got 1\.5"):
        SequenceModel(front, [], heads.Pooled.init(KEYS[1], 4, 1), dropout=1.5)
