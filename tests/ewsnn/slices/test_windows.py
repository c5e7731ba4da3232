"""Windows of paths and their log-signatures. Oracle: each window by itself, through the front door."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments, signature
from ewsnn.slices.windows import cut, log_signatures

EPS = float(np.finfo(np.float64).eps)
run = eqx.filter_jit(log_signatures)
D, KNOTS, SAMPLES, LENGTHS = 3, 12, 4, (12, 6, 1)


def points(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(len(LENGTHS), KNOTS, D))


def batch(path: np.ndarray) -> Increments:
    return Increments.from_values(path, lengths=np.array(LENGTHS))


def one_by_one(paths: list[np.ndarray], depth: int) -> np.ndarray:
    """The log-signatures of the windows of some paths, each a path of its own, with its own number of points."""
    own = [path[k : k + SAMPLES + 1] for path in paths for k in range(0, len(path) - 1, SAMPLES)]
    lengths = np.array([len(x) for x in own])
    filled = np.stack([np.pad(x, ((0, SAMPLES + 1 - len(x)), (0, 0))) for x in own])
    return np.asarray(signature.log_signature(filled, depth, basis="lyndon brackets", lengths=lengths))


@pytest.mark.parametrize("depth", [2, 3])
def test_each_window_is_the_log_signature_of_its_own_points(depth: int) -> None:
    path = points()
    found = run(batch(path), SAMPLES, depth)
    # The last window takes what is left: 3 steps of 4, in the second path 1, in the third none.
    assert found.valid.tolist() == [[True, True, True], [True, True, False], [False, False, False]]
    expected = one_by_one([path[i, :length] for i, length in enumerate(LENGTHS[:2])], depth)
    assert np.max(np.abs(found.dx[found.valid] - expected)) <= 50 * EPS * np.max(np.abs(expected))
    assert (found.dx[~found.valid] == 0).all()


def test_no_step_is_lost_and_none_is_seen_twice() -> None:
    increments = batch(points())
    windows = cut(increments, SAMPLES)
    flat = windows.dx.reshape(3, -1, D)
    assert (flat[:, :-1] == increments.dx).all()
    assert (flat[:, -1] == 0).all()
    assert (windows.valid.reshape(3, -1)[:, :-1] == increments.valid).all()
    # The increments of the windows add up to that of the path.
    total = jnp.sum(run(increments, SAMPLES, 2).dx[..., :D], axis=-2)
    assert np.max(np.abs(total - jnp.sum(increments.dx, axis=-2))) <= 20 * EPS


def test_a_window_sees_neither_padding_nor_another_path() -> None:
    path = points()
    clean = run(batch(path), SAMPLES, 2)
    poisoned = path.copy()
    # Another path, whose last row stands before the first of the next: its products are infinite.
    poisoned[0] *= 1e300
    poisoned[1, LENGTHS[1] :] = np.inf
    poisoned[2, LENGTHS[2] :] = np.nan
    found = run(batch(poisoned), SAMPLES, 2)
    assert (found.dx[1:] == clean.dx[1:]).all()
    assert not bool(jnp.isfinite(found.dx[0]).all())
    # Padding that came past the door with something in it.
    increments = batch(path)
    dirty = jnp.where(increments.valid[..., None], increments.dx, jnp.full_like(increments.dx, jnp.nan))
    found = run(dataclasses.replace(increments, dx=dirty), SAMPLES, 2)
    assert (found.dx == clean.dx).all()

    @eqx.filter_jit
    def slope(dx: jax.Array) -> jax.Array:
        return jax.grad(lambda x: jnp.sum(log_signatures(dataclasses.replace(increments, dx=x), SAMPLES, 2).dx ** 2))(
            dx
        )

    assert bool(jnp.isfinite(slope(dirty)).all())
    assert (slope(dirty) == slope(increments.dx)).all()


def test_a_path_alone_has_the_windows_that_it_has_in_a_batch() -> None:
    path = points()
    found = run(batch(path), SAMPLES, 2)
    alone = run(Increments.from_values(path[1, : LENGTHS[1]]), SAMPLES, 2)
    # Another shape is added up in another order.
    assert np.max(np.abs(found.dx[1, :2] - alone.dx)) <= 20 * EPS


def test_windows_do_not_ask_how_their_steps_are_spread_in_time() -> None:
    path = points()[0]
    stamps = np.cumsum(np.random.default_rng(1).exponential(size=KNOTS))
    even, uneven = (run(Increments.from_values(path, times), SAMPLES, 2) for times in (None, stamps))
    assert (even.dx == uneven.dx).all()
    assert np.allclose(uneven.dt, [stamps[4] - stamps[0], stamps[8] - stamps[4], stamps[11] - stamps[8]], rtol=8 * EPS)


def test_real_time_stamps_enter_by_the_time_channel() -> None:
    path = points()[0]
    stamps = np.cumsum(np.random.default_rng(1).exponential(size=KNOTS))
    found = run(Increments.from_values(path, stamps).with_time(), SAMPLES, 2)
    with_time = np.concatenate([path, stamps[:, None]], axis=1)
    expected = one_by_one([with_time], 2)
    # The stamps are up to ten times their differences.
    assert np.max(np.abs(found.dx - expected)) <= 200 * EPS * np.max(np.abs(expected))


@pytest.mark.parametrize("samples", [11, 12, 10**9])
def test_a_window_as_long_as_the_path_or_longer_is_the_path(samples: int) -> None:
    path = points()[0]
    increments = Increments.from_values(path)
    windows = cut(increments, samples)
    assert windows.dx.shape == (1, KNOTS - 1, D)
    assert (windows.dx[0] == increments.dx).all()


def test_clock_increments_and_empty_paths_are_windowed_too() -> None:
    increments = Increments.from_values(points()[0]).with_elapsed(np.arange(11.0))
    elapsed = cut(increments, SAMPLES).elapsed
    assert elapsed is not None
    assert elapsed.tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 0]]
    assert log_signatures(Increments.from_values(points()[:, :1]), SAMPLES, 2).dx.shape == (3, 0, 6)


@pytest.mark.parametrize(("samples", "depth", "named"), [(0, 2, "samples"), (-1, 2, "samples"), (2, 0, "depth")])
def test_bad_numbers_are_refused(samples: int, depth: int, named: str) -> None:
    with pytest.raises(ValueError, match=f"{named} must be an integer of at least 1"):
        log_signatures(Increments.from_values(points()[0]), samples, depth)


def test_too_many_brackets_are_refused_before_they_are_made() -> None:
    with pytest.raises(ValueError, match="1300 letters at depth 2 = 1,691,300 features"):
        log_signatures(Increments.from_values(np.zeros((3, 1300))), 2, 2)
