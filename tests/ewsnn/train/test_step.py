"""One step of training: the loss by hand, the update against optax, complex parameters, the schedule."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from ewsnn.data import Dataset, Scaling
from ewsnn.train.architecture import build, durations, parameters, read
from ewsnn.train.checkpoint import leaf_names
from ewsnn.train.config import Config
from ewsnn.train.fit import Cases
from ewsnn.train.step import Rates, State, ascent, moments_of, schedule, step
from ewsnn.train.step import loss as eager_loss

EPS = np.finfo(np.float64).eps
CONFIG = Config(depth=1, letters=2, x64=True)  # a step is the same at every depth; this one compiles fast
KEY = jax.random.key(3)
loss = eqx.filter_jit(eager_loss)


def rates(learning: float = 0.02, decay: float = 0.3, smoothing: float = 0.1, dropout: float = 0.0) -> Rates:
    return Rates(*map(jnp.asarray, (learning, decay, smoothing, dropout)))


@pytest.fixture(scope="module")
def cases() -> Cases:
    rng = np.random.default_rng(0)
    data = Dataset("d", tuple(rng.normal(size=(n, 2)) for n in (3, 4, 5)), ("a", "b", "c"), np.array([0, 2, 2]))
    model = build(CONFIG, 2, 3)
    increments = read(model, Scaling.of(data), data.series, None, CONFIG)
    return Cases(increments, jnp.asarray(data.targets))


@pytest.fixture(scope="module")
def state(cases: Cases) -> State:
    model = build(CONFIG, 2, 3).calibrated(cases.increments)
    key = jax.random.key(1)
    weight = jax.random.normal(key, model.weight.shape)
    return State.start(eqx.tree_at(lambda m: (m.weight, m.bias), model, (weight, weight[:, 0])))


def test_loss_is_the_smoothed_cross_entropy_of_the_cases_that_count(cases: Cases, state: State) -> None:
    batch = cases.batch(np.array([2, 0, 0]), 2)
    value, (total, hits) = loss(state.model, batch, rates(smoothing=0.3))
    logits = np.asarray(eqx.filter_jit(state.model)(cases.increments))[[2, 0]]
    logp = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
    target = 0.7 * np.eye(3)[[2, 0]] + 0.1
    by_hand = -(target * logp).sum(axis=1)
    # Ten roundings of numbers of the size of the logits, in either formula.
    bound = 20 * EPS * np.abs(logits).max()
    assert abs(value - by_hand.mean()) <= bound
    assert abs(total - by_hand.sum()) <= 2 * bound
    assert float(hits) == np.sum(logits.argmax(axis=1) == [2, 0])


def test_an_untrained_read_out_loses_the_logarithm_of_the_number_of_classes(cases: Cases) -> None:
    model = build(CONFIG, 2, 3).calibrated(cases.increments)
    value, _ = loss(model, cases.batch(np.arange(3), 3), rates(smoothing=0.0))
    assert abs(value - np.log(3)) <= 4 * EPS


def test_a_step_is_adamw_with_decay_on_the_read_out_alone(cases: Cases, state: State) -> None:
    batch = cases.batch(np.arange(3), 3)
    after, report = step(state, batch, rates(), KEY)
    after, _ = step(after, batch, rates(), KEY)
    trained = eqx.filter(state.model, eqx.is_inexact_array)
    mask = eqx.tree_at(lambda m: m.weight, jax.tree.map(lambda x: False, trained), True)
    theirs = optax.adamw(0.02, weight_decay=0.3, mask=mask)
    gradient_of = eqx.filter_jit(eqx.filter_grad(eager_loss, has_aux=True))
    model, moments = state.model, theirs.init(trained)  # pyright: ignore[reportArgumentType]
    for _ in range(2):
        gradient, _ = gradient_of(model, batch, rates())
        with jax.numpy_dtype_promotion("standard"):
            update, moments = theirs.update(gradient, moments, eqx.filter(model, eqx.is_inexact_array))
        model = eqx.apply_updates(model, update)
    for ours, outside in zip(jax.tree.leaves(after.model), jax.tree.leaves(model), strict=True):
        # Adam divides by the gradient's own size, so round-off of the gradient (some hundred eps of its largest
        # entry) reaches an update of size `rate` in full where an entry of the gradient is small.
        assert np.abs(np.asarray(ours) - np.asarray(outside)).max() <= 1e4 * EPS * 0.02 + 4 * EPS
    assert report.finite.all()
    assert abs(report.loss / 3 - loss(state.model, batch, rates())[0]) <= 10 * EPS


def test_shift_and_scale_are_not_trained(cases: Cases, state: State) -> None:
    after, _ = step(state, cases.batch(np.arange(3), 3), rates(0.5), KEY)
    assert (after.model.shift == state.model.shift).all()
    assert (after.model.scale == state.model.scale).all()
    # lift 2×3, one damping and one frequency, 3 classes × (1 + 2) features, 3 biases
    assert parameters(after.model) == 6 + 2 + 9 + 3


def test_what_is_not_finite_is_told_by_leaf(cases: Cases, state: State) -> None:
    broken = eqx.tree_at(lambda s: s.model.bias, state, state.model.bias.at[0].set(jnp.nan))
    _, report = step(broken, cases.batch(np.arange(3), 3), rates(), KEY)
    assert not np.isfinite(report.loss)
    names = leaf_names(eqx.filter(broken.model, eqx.is_inexact_array))
    good = [name for name, finite in zip(names, report.finite, strict=True) if finite]
    assert good == ["shift", "scale"]  # all that is not trained


def test_dropped_features_are_zero_and_the_others_make_up_for_them(cases: Cases, state: State) -> None:
    # The mean of the logits over many draws is that without dropout; each draw is another one.
    batch = cases.batch(np.zeros(4096, int), 4096)
    features = jnp.broadcast_to(eqx.filter_jit(state.model.standardised)(cases.increments)[:1], (4096, 3))
    model = eqx.tree_at(lambda m: m.weight, state.model, jnp.eye(3))
    seen: list[np.ndarray] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(model), "standardised", lambda self, increments: features)
        patch.setattr(type(model), "read_out", lambda self, x: seen.append(np.asarray(x)) or x[:, :3])
        eager_loss(model, batch, rates(dropout=0.25), KEY)
    (dropped,) = seen
    zero = dropped == 0
    assert abs(zero.mean() - 0.25) <= 4 * np.sqrt(0.25 * 0.75 / zero.size)  # four deviations
    whole = np.asarray(features)
    assert np.abs(np.where(zero, 0, dropped - whole / 0.75)).max() <= 4 * EPS * np.abs(whole).max()


def test_complex_parameters_descend_and_real_ones_stay_real() -> None:
    def distance(p: dict[str, Any]) -> Any:
        return jnp.abs(p["z"] - (1 + 2j)) ** 2 + (p["x"] - 3) ** 2

    point = {"z": jnp.asarray(0j), "x": jnp.asarray(0.0)}
    gradient = jax.grad(distance)(point)
    first, moments = ascent(gradient, moments_of(point))
    # Adam's first direction is the gradient over its modulus: -(1+2j)/√5 and -1, but for its ε of 1e-8.
    assert abs(first["z"] + (1 + 2j) / np.sqrt(5)) <= 1e-8

    def descend(_: Any, carried: Any) -> Any:
        point, moments = carried
        update, moments = ascent(jax.grad(distance)(point), moments)
        return jax.tree.map(lambda p, u: p - 0.05 * u, point, update), moments

    point, _ = jax.lax.fori_loop(0, 600, descend, (point, moments))
    assert abs(point["z"] - (1 + 2j)) <= 1e-3
    assert point["x"].dtype == np.float64


def test_the_rate_rises_to_its_height_and_falls_to_nothing() -> None:
    rates = [float(np.asarray(schedule(100, 0.5, 0.1)(k))) for k in range(100)]
    assert rates[0] > 0
    assert np.all(np.diff(rates[:11]) > 0)
    # optax computes schedules in float32 whatever the flag, hence its eps.
    assert abs(rates[10] - 0.5) <= 4 * np.finfo(np.float32).eps
    assert np.all(np.diff(rates[10:]) < 0)
    assert rates[99] < 0.5 * (1 - np.cos(np.pi / 90)) * 1.01
    assert float(np.asarray(schedule(1, 0.5, 0.0)(0))) == 0.5


def test_stamps_become_shares_of_the_duration() -> None:
    np.testing.assert_allclose(durations(2, np.array([5.0, 7.0])), [0.5, 1.0], rtol=float(EPS))
    # A shift of all stamps changes nothing; equal stamps say nothing.
    assert (durations(3, np.array([0.0, 1.0, 4.0])) == durations(3, np.array([100.0, 101.0, 104.0]))).all()
    assert (durations(2, np.array([3.0, 3.0])) == durations(2, None)).all()
    assert durations(1, None).tolist() == [1.0]
    assert (
        durations(3, np.array([-1e308, 1e308, 1.5e308])).tolist() == durations(3, np.array([-2.0, 2.0, 3.0])).tolist()
    )


def test_the_path_is_the_integral_of_the_scaled_series_over_its_duration() -> None:
    model = build(CONFIG, 1, 2)
    scaling = Scaling(np.array([1.0]), np.array([2.0]))
    series = [np.array([[3.0], [5.0], [1.0], [9.0]]), np.array([[7.0], [1.0]])]
    path = read(model, scaling, series, None, CONFIG)
    assert path.dx[0].tolist() == [[0.25, 0.25], [0.5, 0.25], [0.0, 0.25], [1.0, 0.25]]
    assert path.dx[1].tolist() == [[1.5, 0.5], [0.0, 0.5], [0.0, 0.0], [0.0, 0.0]]
    assert path.dt.sum(axis=1).tolist() == [1.0, 1.0]
