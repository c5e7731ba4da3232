"""Batch normalisation of levels. Oracle: NumPy."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import BatchNorm

EPS = 2.0**-52
RNG = np.random.default_rng(0)
LEVELS = (RNG.normal(size=(6, 2)), 1e-8 * RNG.normal(size=(6, 2, 2)) + 1e-7)
GAIN, BIAS = np.array([2.0, -3.0]), np.array([0.5, 1.0])
START = BatchNorm.init(jax.random.key(0), 2, 2)
NORM = BatchNorm(GAIN, BIAS, START.mean, START.deviation, rate=0.25)
levels = tuple(map(jnp.asarray, LEVELS))


def standard(x: np.ndarray, n: int) -> np.ndarray:
    return GAIN[n] * (x - x.mean(axis=0)) / x.std(axis=0) + BIAS[n]


def close(found, expected) -> None:
    # Centring loses the digits that mean and deviation differ by: one here.
    np.testing.assert_allclose(found, expected, rtol=0, atol=500 * EPS * np.abs(expected).max())


def test_at_the_start_nothing_is_changed():
    assert all((a == b).all() for a, b in zip(START(levels), levels, strict=True))


def test_calibrated_statistics_are_those_of_the_training_set():
    norm = NORM.calibrated(levels)
    for n, (found, level) in enumerate(zip(norm(levels), LEVELS, strict=True)):
        close(found, standard(level, n))
        assert norm(tuple(x[:1] for x in levels))[n].tolist() == found[:1].tolist()


def test_more_than_one_axis_of_cases_are_cases_all_the_same():
    apart = NORM.calibrated(tuple(x.reshape(2, 3, *x.shape[1:]) for x in levels))
    for one, other in zip(apart.deviation, NORM.calibrated(levels).deviation, strict=True):
        close(one, np.asarray(other))


def test_in_training_a_batch_is_brought_to_its_own_scale_and_the_running_statistics_move():
    found, updated = eqx.filter_jit(NORM.of_batch)(levels)
    for n, level in enumerate(LEVELS):
        close(found[n], standard(level, n))
        close(updated.mean[n], 0.25 * level.mean(axis=0))
        close(updated.deviation[n], 0.75 + 0.25 * level.std(axis=0))
    assert updated.rate == 0.25


def test_the_gradient_goes_through_the_statistics_of_a_batch_and_not_through_stored_ones():
    def total(level, of_batch):
        norm = BatchNorm([1.0], [0.0], (jnp.zeros(2),), (jnp.full(2, 2.0),))
        (found,) = norm.of_batch((level,))[0] if of_batch else norm((level,))
        return jnp.sum(found[0])

    slope = eqx.filter_jit(jax.grad(total))
    # Standardised numbers do not change when all are shifted: the slopes of a batch sum to zero.
    np.testing.assert_allclose(slope(levels[0], True).sum(axis=0), 0, atol=50 * EPS)
    assert slope(levels[0], False).tolist() == [[0.5, 0.5]] + [[0, 0]] * 5


def test_entries_that_do_not_vary_are_centred_and_give_finite_gradients():
    still = (jnp.full((4, 2), 0.1),)
    norm = BatchNorm([2.0], [0.5], (jnp.zeros(2),), (jnp.ones(2),))
    np.testing.assert_allclose(norm.calibrated(still)(still)[0], 0.5, rtol=4 * EPS)
    slope = jax.grad(lambda x: jnp.sum(norm.of_batch((x,))[0][0] ** 2))(still[0])
    assert jnp.isfinite(slope).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BatchNorm([1.0], [1.0, 2.0], START.mean, START.deviation), r"shapes \(1,\) and \(2,\) for 2 and 2"),
        (lambda: BatchNorm(GAIN, BIAS, START.mean, START.deviation, rate=0.0), "rate must be above 0"),
        (lambda: NORM(levels[:1]), "statistics of 2 levels for 1 levels"),
        (lambda: NORM.calibrated((levels[0][0], levels[1][0])), r"level 1 has shape \(2,\)"),
    ],
)
def test_what_does_not_fit_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
