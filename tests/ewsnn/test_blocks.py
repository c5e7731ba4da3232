"""Blocks and their norms. Oracle: a loop in NumPy from the definition, over states summed in fixed-point integers."""

import inspect
import math

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import clocks, generators
from ewsnn.affine import Affine
from ewsnn.blocks import EWSBlock, FeedForward, LevelNorm, RMSNorm
from ewsnn.paths import Signal
from tests.ewsnn.reference import exact_states

EPS = 2.0**-52
WIDTH, STEPS = 3, 6
U = np.random.default_rng(0).normal(size=(2, STEPS, WIDTH))
TIMES = np.array([0.0, 0.5, 0.5, 1.5, 2.0, 3.25])
run = eqx.filter_jit(EWSBlock.__call__)
# One program for all that is drawn, in place of one for each operation.
init = eqx.filter_jit(EWSBlock.init)

BLOCKS = {
    "rotation, gated, depth 2": (
        2,
        "integral",
        generators.Rotation([0.3, 0.1], [2.0, -0.7]),
        clocks.Gated([0.7, -0.4, 0.2], 0.5),
    ),
    "skew, variation, depth 1": (1, "values", generators.Skew([0.4, -1.0, 0.3, 2.0, 0.1, -0.6]), clocks.Variation()),
    "Jordan, clamped, depth 2": (
        2,
        "integral",
        generators.ComplexJordan([0.5], [1.5], 2),
        clocks.Clamped.init(jax.random.key(3), WIDTH, scale=2.0),
    ),
}


@pytest.fixture(params=BLOCKS)
def block(request) -> EWSBlock:
    depth, reading, generator, clock = BLOCKS[request.param]
    found = init(jax.random.key(0), WIDTH, 4, depth, generator=generator, clock=clock, reading=reading)
    # Gains and scales that are not one, so that each is seen to be used.
    where = (found.level_norm.gain, found.norm.scale)
    new = (jnp.linspace(0.5, 2.0, depth), jnp.linspace(-1.0, 2.0, WIDTH))
    assert jax.tree.map(jnp.shape, where) == jax.tree.map(jnp.shape, new)
    return eqx.tree_at(lambda b: (b.level_norm.gain, b.norm.scale), found, new)


def clock_increment(clock: clocks.AbstractClock, v: np.ndarray, dt: float) -> float:
    match clock:
        case clocks.Gated():
            return max(0.0, float(np.asarray(clock.weight) @ v + np.asarray(clock.bias) * dt))
        case clocks.Clamped():
            return sum(
                min(max(float(w @ v + b * dt), 0.0), 1.0)
                for w, b in zip(np.asarray(clock.weight), np.asarray(clock.bias), strict=True)
            )
    return math.sqrt(float(v @ v))


def by_definition(block: EWSBlock, u: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The block on one signal, step by step."""
    before = np.zeros(WIDTH)
    increments = []
    for x in u:
        increments.append(x if block.reading == "integral" else x - before)
        before = x
    elapsed = [
        clock_increment(block.layer.clock, v, dt)
        for v, dt in zip(increments, np.diff(times, prepend=times[0]), strict=True)
    ]
    lifted = np.array(increments) @ np.asarray(block.layer.lift).T
    states = exact_states(np.asarray(block.layer.generator.matrix()), elapsed, lifted, block.layer.depth)
    C, c = np.asarray(block.read_out.weight), np.asarray(block.read_out.bias)
    out = []
    for x, levels in zip(u, states, strict=True):
        features = [1.0]
        for g, level in zip(np.asarray(block.level_norm.gain), levels, strict=True):
            entries = level.reshape(-1)
            rms = math.sqrt(sum(e * e for e in entries) / len(entries))
            features += [g * e / max(rms, 1e-6) for e in entries]
        z = x + C @ np.array(features) + c
        normed = np.asarray(block.norm.scale) * z / math.sqrt(sum(e * e for e in z) / len(z) + 1e-6)
        hidden = np.asarray(block.feed_forward.first.weight) @ normed + np.asarray(block.feed_forward.first.bias)
        hidden = np.array([h * (1 + math.erf(h / math.sqrt(2))) / 2 for h in hidden])
        out.append(
            z + np.asarray(block.feed_forward.second.weight) @ hidden + np.asarray(block.feed_forward.second.bias)
        )
    return np.array(out)


def test_a_block_is_its_definition(block):
    found = run(block, Signal.of(U, TIMES)).values
    expected = np.array([by_definition(block, u, TIMES) for u in U])
    # The states are good to about 20 eps of their largest entry (tests/ewsnn/engine); Γ divides by the mean entry and
    # the products after it add a few eps each. Measured: 13 eps.
    np.testing.assert_allclose(found, expected, rtol=0, atol=200 * EPS * np.abs(expected).max())


def test_padding_changes_nothing_whatever_it_holds(block):
    whole = run(block, Signal.of(U, TIMES)).values
    padded = U.copy()
    padded[1, 4:] = np.nan
    found = run(block, Signal.of(padded, TIMES, [STEPS, 4])).values
    np.testing.assert_allclose(found[0], whole[0], rtol=0, atol=100 * EPS)
    np.testing.assert_allclose(found[1, :4], whole[1, :4], rtol=0, atol=100 * EPS)
    assert (found[1, 4:] == 0).all()


def test_a_block_looks_at_no_later_step(block):
    changed = U.copy()
    changed[:, 4:] = 7.0
    one, other = (run(block, Signal.of(u, TIMES)).values for u in (U, changed))
    # Equal up to round-off: how often a piece is halved is the same for all pieces, and the largest one changed.
    np.testing.assert_allclose(one[:, :4], other[:, :4], rtol=0, atol=100 * EPS)
    assert (jnp.abs(one[:, 4:] - other[:, 4:]) > 1e-3).any(axis=-1).all()


def test_a_block_is_pointwise_but_for_its_states():
    block = init(jax.random.key(0), WIDTH, 2, 2, generator=generators.Zero(2))
    signal = Signal.of(U, TIMES)
    levels = eqx.filter_jit(lambda b, s: b.layer(b.path(s), output="all"))(block, signal)
    combine = eqx.filter_jit(EWSBlock.combine)
    whole = run(block, signal).values
    for j in (0, STEPS - 1):
        step = combine(block, signal.values[:, j], tuple(level[:, j] for level in levels))
        np.testing.assert_allclose(step, whole[:, j], rtol=0, atol=100 * EPS)


def test_values_continue_where_another_signal_ended():
    signal = Signal.of(U)
    whole = signal.path("values").dx
    rest = Signal(signal.values[:, 2:], signal.dt[:, 2:], signal.valid[:, 2:])
    assert (rest.path("values", before=signal.values[:, 1]).dx == whole[:, 2:]).all()
    assert (whole == np.diff(U, axis=1, prepend=0)).all()


def test_gradients_are_finite_where_nothing_moves():
    block = init(jax.random.key(0), WIDTH, 2, 1, clock=clocks.Variation())
    slope = eqx.filter_jit(eqx.filter_grad(lambda pair: jnp.sum(pair[0](pair[1]).values ** 2)))
    still = np.zeros((1, STEPS, WIDTH))
    for u in (still, np.concatenate([U[:1, :2], still[:, 2:]], axis=1)):
        assert all(jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(slope((block, Signal.of(u)))))
    # In the last case everything moves, and every parameter has a say.
    assert all((leaf != 0).any() for leaf in jax.tree.leaves(slope((block, Signal.of(U[:1])))[0]))


def test_dropout_is_off_without_a_key_and_repeats_with_one():
    block, plain = (init(jax.random.key(0), WIDTH, 2, 1, generator=generators.Zero(2), dropout=p) for p in (0.5, 0.0))
    signal = Signal.of(U)
    assert (run(block, signal).values == run(plain, signal).values).all()
    dropped = run(block, signal, key=jax.random.key(1)).values
    assert (dropped == run(block, signal, key=jax.random.key(1)).values).all()
    assert (dropped != run(block, signal, key=jax.random.key(2)).values).any()
    # On average nothing is added or taken away: a mean over 4096 draws of one entry, within five standard errors.
    draws = jax.jit(jax.vmap(lambda k: block._dropped(jnp.ones(1), k)))(jax.random.split(jax.random.key(3), 4096))
    assert set(np.unique(draws).tolist()) == {0.0, 2.0}
    assert abs(float(draws.mean()) - 1) < 5 / math.sqrt(4096)


def test_a_block_runs_in_single_precision_and_under_vmap():
    block = init(jax.random.key(0), WIDTH, 2, 1, generator=generators.Zero(2))
    single = jax.tree.map(lambda x: x.astype(np.float32), block)
    signal = Signal.of(U, dtype=np.float32)
    found = eqx.filter_jit(jax.vmap(EWSBlock.__call__, in_axes=(None, 0)))(single, signal).values
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, run(block, Signal.of(U)).values, rtol=0, atol=200 * 2.0**-23)


def test_level_norm_divides_by_the_root_mean_square_down_to_a_floor():
    gain = LevelNorm([2.0, 3.0])
    level1, level2 = eqx.filter_jit(gain)((jnp.array([3.0, -4.0]), jnp.full((2, 2), 1e-9)))
    np.testing.assert_allclose(level1, np.array([6.0, -8.0]) / math.sqrt(12.5), rtol=4 * EPS)
    np.testing.assert_allclose(level2, np.full((2, 2), 3e-3), rtol=4 * EPS)
    slope = jax.jit(jax.grad(lambda x: LevelNorm([2.0])((x,))[0][0]))(jnp.zeros(2))
    assert slope.tolist() == [2.0 / 1e-6, 0]
    with pytest.raises(ValueError, match="there are 2 gains for 1 levels"):
        gain((jnp.ones(2),))


def test_feed_forward_is_two_dense_layers():
    network = FeedForward(Affine([[2.0]], [0.5]), Affine([[3.0]], [-1.0]))
    hidden = 2 * 0.25 + 0.5
    assert float(network(jnp.array([0.25]))[0]) == pytest.approx(
        3 * hidden * (1 + math.erf(hidden / math.sqrt(2))) / 2 - 1, rel=8 * EPS
    )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LevelNorm(2.0), r"one entry for each level, got shape \(\)"),
        (lambda: LevelNorm([2.0], 0.0), "floor must be above 0"),
        (lambda: RMSNorm(2.0), "one entry for each channel"),
        (lambda: RMSNorm([2.0], -1.0), "epsilon must be above 0"),
        (lambda: init(jax.random.key(0), 3, 2, 1, reading="derivative"), "'integral', 'values', got 'deriv"),
        (lambda: init(jax.random.key(0), 3, 2, 1, dropout=1.0), r"less than 1, got 1\.0"),
        (lambda: init(jax.random.key(0), 3, 2, 1, clock=clocks.Given()), "no increments for Given"),
        (lambda: run(init(jax.random.key(0), 4, 2, 1), Signal.of(U)), "for 4 channels, the path has 3"),
        (lambda: Affine([[1.0]], [1.0, 2.0]), r"got shapes \(1, 1\) and \(2,\)"),
        (lambda: Affine([[1.0]], [1.0])(jnp.ones(2)), "takes 1 inputs, got 2"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_parts_of_other_sizes_are_refused():
    block = init(jax.random.key(0), 3, 2, 2)
    parts = {name: getattr(block, name) for name in inspect.signature(EWSBlock).parameters}
    for name, other, message in [
        ("read_out", Affine.init(jax.random.key(0), 6, 3), r"must be \(H, K\) = \(3, 7\), got \(3, 6\)"),
        ("norm", RMSNorm([1.0, 1.0]), "must have 3 scales and 2 gains"),
        ("level_norm", LevelNorm([1.0]), "must have 3 scales and 2 gains"),
    ]:
        with pytest.raises(ValueError, match=message):
            EWSBlock(**{**parts, name: other})
