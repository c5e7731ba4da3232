"""Networks of baselines. Oracles: the published parameter counts, NumPy, and the same series without padding."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.baselines import LSTM, S5, S6, Classifier, DLinOSS, LinOSSIM, Regressor, Stack, read
from ewsnn.baselines.layer import AbstractLayer
from ewsnn.paths import Signal

EPS = 2.0**-52
KEY = jax.random.key(0)
MakeLayer = Callable[[jax.Array], AbstractLayer]

# Channels without time, and classes.
DATA = {"EW": (6, 5), "EC": (3, 4), "HB": (61, 2), "MI": (64, 2), "SCP1": (6, 2), "SCP2": (7, 2)}
# Data, blocks, H, states, time, blocks of the state (S5), count.
S5_COUNTS = [
    ("EW", 2, 64, 16, True, 8, 22_007),
    ("EC", 2, 128, 16, True, 8, 76_214),
    ("HB", 4, 128, 16, False, 4, 158_310),
    ("MI", 6, 16, 64, False, 4, 17_496),
    ("SCP1", 6, 128, 16, False, 8, 226_328),
    ("SCP2", 2, 16, 64, True, 2, 5_652),
]
S6_COUNTS = [
    ("EW", 4, 16, 64, False, 15_045),
    ("EC", 4, 16, 16, True, 5_780),
    ("HB", 4, 16, 16, True, 6_674),
    ("MI", 4, 16, 256, True, 52_802),
    ("SCP1", 2, 64, 16, False, 24_898),
    ("SCP2", 2, 16, 256, False, 26_018),
]
LINOSS_COUNTS = [
    ("EW", 2, 128, 64, True, 134_279),
    ("EC", 4, 16, 16, False, 6_728),
    ("HB", 6, 16, 16, True, 10_936),
    ("MI", 2, 128, 16, False, 91_844),
    ("SCP1", 6, 128, 256, True, 991_240),
    ("SCP2", 6, 128, 64, False, 399_112),
]
DLINOSS_COUNTS = [
    ("EW", 2, 128, 64, False, 134_279),
    ("EC", 4, 16, 256, False, 71_112),
    ("HB", 2, 16, 16, False, 4_356),
    ("MI", 4, 16, 64, False, 20_598),
    ("SCP1", 6, 128, 256, True, 992_776),
    ("SCP2", 6, 128, 64, False, 399_496),
]


def numbers(data: str, blocks: int, time: bool, layer: MakeLayer) -> int:
    """All numbers of a network, statistics among them, without drawing one."""
    channels, classes = DATA[data]
    shapes = eqx.filter_eval_shape(lambda: Classifier.init(KEY, layer, channels + time, classes, blocks=blocks))
    return sum(leaf.size for leaf in jax.tree.leaves(eqx.filter(shapes, lambda x: hasattr(x, "size"))))


@pytest.mark.parametrize(("data", "blocks", "width", "states", "time", "parts", "count"), S5_COUNTS)
def test_s5_has_as_many_numbers_as_published(
    data: str, blocks: int, width: int, states: int, time: bool, parts: int, count: int
) -> None:
    # The release counts the statistics of batch norm (2H a block), and a flag of each that says whether they are set.
    assert numbers(data, blocks, time, lambda key: S5.init(key, width, states, blocks=parts)) == count - blocks


@pytest.mark.parametrize(("data", "blocks", "width", "states", "time", "count"), S6_COUNTS)
def test_s6_has_as_many_numbers_as_published(
    data: str, blocks: int, width: int, states: int, time: bool, count: int
) -> None:
    # 2H numbers of each norm are in the count; here these are its statistics.
    assert numbers(data, blocks, time, lambda key: S6.init(key, width, states)) == count


@pytest.mark.parametrize(("data", "blocks", "width", "states", "time", "count"), LINOSS_COUNTS)
def test_linoss_has_as_many_numbers_as_published(
    data: str, blocks: int, width: int, states: int, time: bool, count: int
) -> None:
    """Flags as for S5.

    SCP2 is published with two configurations. The one that is given (6 blocks, H = 64, 256 states, time, IMEX) has
    448 072 numbers, 48 960 more than the count; the count is that of H = 128, 64 states, no time.
    """
    assert numbers(data, blocks, time, lambda key: LinOSSIM.init(key, width, states)) == count - blocks


@pytest.mark.parametrize(("data", "blocks", "width", "states", "time", "count"), DLINOSS_COUNTS)
def test_dlinoss_has_as_many_numbers_as_published(
    data: str, blocks: int, width: int, states: int, time: bool, count: int
) -> None:
    """Flags as for S5. The configurations are read off the counts: none is given."""
    assert numbers(data, blocks, time, lambda key: DLinOSS.init(key, width, states)) == count - blocks


X = np.random.default_rng(0).normal(size=(3, 6, 2))
LENGTHS = np.array([6, 3, 4])


def small(key: jax.Array) -> AbstractLayer:
    return LinOSSIM.init(key, 4, 3)


@pytest.fixture(scope="module")
def model() -> Classifier:
    return Classifier.init(KEY, small, channels=2, classes=3, dropout=0.0)


def test_padding_is_never_read(model: Classifier) -> None:
    wild = np.where(np.arange(6)[None, :, None] < LENGTHS[:, None, None], X, np.nan)
    calibrated = model.calibrated(read(wild, LENGTHS))
    run = eqx.filter_jit(Classifier.__call__)
    among = run(calibrated, read(wild, LENGTHS))
    alone = run(calibrated, read(X[1:2, :3]))
    np.testing.assert_allclose(among[1:2], alone, rtol=0, atol=100 * EPS * float(jnp.abs(alone).max()))
    # The statistics are those of the valid steps of what comes to a block.
    encoder = calibrated.stack.encoder.map
    seen = np.concatenate([x[:n] for x, n in zip(X, LENGTHS, strict=True)]) @ np.asarray(encoder.weight).T
    norm = calibrated.stack.blocks[0].norm
    np.testing.assert_allclose(norm.mean, seen.mean(0) + encoder.bias, rtol=0, atol=20 * EPS)
    np.testing.assert_allclose(norm.deviation, seen.std(0), rtol=0, atol=20 * EPS)


def test_training_sees_the_batch_without_what_fills_it_up(model: Classifier) -> None:
    calibrated = model.calibrated(read(X[:2], LENGTHS[:2]))
    filled = read(np.concatenate([X[:2], 100 * X[2:]]), LENGTHS)
    features, after = eqx.filter_jit(Classifier.in_training)(model, filled, jnp.asarray([1.0, 1.0, 0.0]), KEY)
    expected = eqx.filter_jit(Classifier.standardised)(calibrated, filled)
    np.testing.assert_allclose(features[:2], expected[:2], rtol=0, atol=200 * EPS * float(jnp.abs(expected).max()))
    for block, whole in zip(after.stack.blocks, calibrated.stack.blocks, strict=True):
        np.testing.assert_allclose(block.norm.mean, 0.1 * whole.norm.mean, rtol=0, atol=20 * EPS)
        np.testing.assert_allclose(block.norm.deviation, 0.9 + 0.1 * whole.norm.deviation, rtol=0, atol=20 * EPS)


def test_a_block_is_what_it_is_said_to_be(model: Classifier) -> None:
    block = model.stack.blocks[0]
    signal = Signal.of(np.random.default_rng(1).normal(size=(6, 4)))
    u = np.asarray(signal.values)
    inner = np.asarray(block.layer(jnp.asarray(u)))
    inner = inner * (1 + np.asarray(jax.scipy.special.erf(inner / np.sqrt(2)))) / 2
    values, gates = (inner @ np.asarray(m.weight).T + np.asarray(m.bias) for m in (block.glu.map, block.glu.gate))
    expected = u + values / (1 + np.exp(-gates))
    np.testing.assert_allclose(block(signal).values, expected, rtol=0, atol=100 * EPS * np.abs(expected).max())


def test_statistics_are_not_trained(model: Classifier) -> None:
    spec = model.trainable()
    norm = spec.stack.blocks[1].norm
    assert (norm.mean, norm.deviation) == (False, False)
    assert sum(jax.tree.leaves(spec)) == len(jax.tree.leaves(eqx.filter(model, eqx.is_inexact_array))) - 4


def test_a_regression_gives_every_kth_step() -> None:
    model = Regressor.init(KEY, lambda key: LSTM.init(key, 3), channels=2, outputs=1, every=2, blocks=1, dropout=0.5)
    paths = read(X, LENGTHS)
    found = eqx.filter_jit(Regressor.__call__)(model, paths)
    assert found.shape == (3, 3, 1)
    assert (np.abs(found) <= 1).all()
    assert (np.asarray(found)[1, 1:] == 0).all()  # 3 valid steps hold one place
    assert (np.asarray(found)[1, 0] != 0).all()
    dropped, after = eqx.filter_jit(Regressor.of_batch)(model, paths, KEY)
    assert (dropped != found).any()
    np.testing.assert_allclose(
        after.stack.blocks[0].norm.mean, 0.1 * model.calibrated(paths).stack.blocks[0].norm.mean, rtol=0, atol=20 * EPS
    )


def test_what_does_not_fit_is_refused(model: Classifier) -> None:
    with pytest.raises(ValueError, match="blocks must be at least 1, got 0"):
        Stack.init(KEY, small, 2, blocks=0)
    with pytest.raises(ValueError, match=r"dropout must be at least 0 and less than 1, got 1\.0"):
        Stack.init(KEY, small, 2, dropout=1.0)
    with pytest.raises(ValueError, match="there are 2 blocks, got 1 layers"):
        model.stack.with_layers([small(KEY)])
    with pytest.raises(ValueError, match="the encoder has width 4, the head 5"):
        Classifier(stack=model.stack, weight=jnp.ones((2, 5)), bias=jnp.ones(2))
