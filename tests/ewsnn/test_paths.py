"""Increments: three readings, base point, time, padding, stamps. Oracle: loops in NumPy, and the stated rules."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments
from ewsnn.clocks import Variation

X = np.array([[1.0, 2.0], [2.0, 0.0], [3.0, 3.0], [7.0, -1.0]])
T = np.array([10.0, 10.5, 10.5, 13.0])


def test_values_become_their_differences():
    read = Increments.from_values(X, T)
    assert read.dx.tolist() == [[1, -2], [1, 3], [4, -4]]
    assert read.dt.tolist() == [0.5, 0.0, 2.5]
    assert read.valid.all()


def test_time_is_one_for_each_step_where_there_are_no_stamps():
    assert Increments.from_values(X).dt.tolist() == [1, 1, 1]


def test_an_integral_has_the_observations_as_its_increments():
    read = Increments.integral(X, T, start_time=9.0)
    assert read.dx.tolist() == X.tolist()
    assert read.dt.tolist() == [1.0, 0.5, 0.0, 2.5]
    assert Increments.integral(X, T).dt.tolist() == [0.0, 0.5, 0.0, 2.5]
    assert Increments.integral(X).dt.tolist() == [1, 1, 1, 1]


def test_a_derivative_has_the_differences_of_the_slopes_as_its_increments():
    times = np.array([0.0, 1.0, 3.0, 3.5])
    read = Increments.derivative(X, times)
    slopes = np.diff(X, axis=0) / np.diff(times)[:, None]
    assert read.dx.tolist() == np.diff(slopes, axis=0).tolist()
    assert read.dt.tolist() == [2.0, 0.5]
    based = read.with_base_point()
    assert based.dx[0].tolist() == slopes[0].tolist()


def test_a_base_point_is_one_more_step_from_zero():
    read = Increments.from_values(X, T).with_base_point()
    assert read.dx.tolist() == [[1, 2], [1, -2], [1, 3], [4, -4]]
    assert read.dt.tolist() == [0, 0.5, 0, 2.5]
    assert Increments.from_values(X, T, start_time=9.5).with_base_point().dt[0] == 0.5
    assert Increments.from_values(X).with_base_point().dt[0] == 1


def test_a_time_channel_comes_last_and_moves_by_the_steps_of_time():
    read = Increments.from_values(X, T).with_base_point().with_time()
    assert read.dx[:, -1].tolist() == [0, 0.5, 0, 2.5]
    assert read.dx[:, :-1].tolist() == [[1, 2], [1, -2], [1, 3], [4, -4]]


def test_a_clock_channel_comes_last_and_moves_by_the_clock():
    read = Increments.from_values(np.stack([X, X]), lengths=[4, 3])
    moved = Variation()(read)
    found = read.with_time().with_clock(moved)
    assert (found.dx[..., :2] == read.dx).all()
    assert (found.dx[..., 2] == read.dt).all()
    assert (found.dx[..., 3] == moved).all()
    assert found.dx[1, 2].tolist() == [0, 0, 0, 0]
    # Clocks may go back; what one is said to do in padding is not read.
    assert read.with_clock([1.0, -2.0, 5.0]).dx[..., 2].tolist() == [[1, -2, 5], [1, -2, 0]]


def test_paths_stand_side_by_side():
    values = Increments.from_values(X).with_base_point()
    both = values.beside(Increments.integral(X)).with_time()
    assert both.dx.tolist() == np.concatenate([np.diff(X, axis=0, prepend=0), X, np.ones((4, 1))], axis=1).tolist()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda p: p.with_time().with_time(), "has a time channel already"),
        (lambda p: p.with_base_point().with_base_point(), "has a base point already"),
        (lambda p: Increments.integral(X).with_base_point(), "has a base point already"),
        (lambda p: p.with_time().with_base_point(), "base point before the time channel"),
        (lambda p: p.with_elapsed([1, 2, 3]).with_base_point(), "base point before with_elapsed"),
        (lambda p: p.with_time().beside(p.with_time()), "has a time channel already"),
        (lambda p: p.with_clock([1, 2, 3]).with_clock([1, 2, 3]), "has a clock channel already"),
        (lambda p: p.with_clock([1, 2, 3]).with_base_point(), "base point before the clock channel"),
        (lambda p: p.with_clock([1, 2, 3]).beside(p.with_clock([1, 2, 3])), "has a clock channel already"),
        (lambda p: p.with_clock([1, np.nan, 3]), r"elapsed must be finite, got nan at index \(1,\)"),
        (lambda p: p.beside(Increments.integral(X)), "add a base point to the values first"),
        (lambda p: Increments(p.dx, p.dt, p.valid).with_base_point(), "have no first point"),
        (lambda p: p.with_elapsed([1.0, np.inf, 2.0]), r"elapsed must be finite, got inf at index \(1,\)"),
        (lambda p: p.with_elapsed([1.0, 2.0]), r"elapsed must have shape \(3,\) .* got \(2,\)"),
    ],
)
def test_what_would_change_the_letters_unseen_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make(Increments.from_values(X))


@pytest.mark.parametrize("reading", ["from_values", "integral", "derivative"])
def test_a_reading_of_increments_is_refused(reading):
    with pytest.raises(TypeError):
        getattr(Increments, reading)(Increments.from_values(X))


@pytest.mark.parametrize("reading", ["from_values", "integral", "derivative"])
@pytest.mark.parametrize("traced", [False, True])
def test_padding_is_never_read(reading, traced):
    read = getattr(Increments, reading)
    times = np.array([0.0, 1.0, 1.5, 3.0, np.nan, 2.0])
    padded = np.concatenate([X, [[np.nan, np.inf], [1e300, 5.0]]])
    exact = read(X, times[:4]).with_time()
    if traced:
        found = jax.jit(lambda x, t, n: read(x, t, n).with_time())(padded, times, np.array(4))
    else:
        found = read(padded, times, np.array(4)).with_time()
    steps = exact.dx.shape[0]
    assert (found.dx[:steps] == exact.dx).all()
    assert (found.dt[:steps] == exact.dt).all()
    assert (found.dx[steps:] == 0).all()
    assert (found.dt[steps:] == 0).all()
    assert found.valid.tolist() == [True] * steps + [False] * 2


@pytest.mark.parametrize("reading", ["from_values", "integral", "derivative"])
def test_padding_has_no_part_in_the_gradient(reading):
    padded = jnp.concatenate([X, jnp.full((2, 2), jnp.nan)])
    times = jnp.array([0.0, 1.0, 1.5, 3.0, 3.0, 3.0])

    def total(x, t):
        read = getattr(Increments, reading)(x, t, np.array(4))
        return jnp.sum(read.dx**2) + jnp.sum(read.dt**2)

    by_values, by_times = jax.grad(total, argnums=(0, 1))(padded, times)
    assert jnp.isfinite(by_values).all()
    assert jnp.isfinite(by_times).all()
    assert (by_values[4:] == 0).all()
    assert (by_times[4:] == 0).all()


def test_one_point_is_a_path_without_steps():
    read = Increments.from_values(X[:1], T[:1])
    assert read.dx.shape == (0, 2)
    assert read.with_base_point().dx.tolist() == [[1, 2]]
    batch = Increments.from_values(np.stack([X, X]), lengths=[1, 4])
    assert batch.valid.tolist() == [[False] * 3, [True] * 3]


@pytest.mark.parametrize("times", [[1, 1, 1, 2], [0, 1, 2, 2]])
def test_repeated_stamps_are_steps_without_time(times):
    assert Increments.from_values(X, times).dt.tolist() == np.diff(times).tolist()


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([0, 2, 1, 3], r"weakly increasing, got 1.0 after 2.0 at index \(2,\)"),
        ([0, np.nan, 1, 3], r"finite and weakly increasing, got nan after 0.0 at index \(1,\)"),
        ([np.inf, np.inf, np.inf, np.inf], r"got inf at index \(0,\)"),
        ([0, 1, 2], r"times must have shape \(4,\), one for each point, got \(3,\)"),
    ],
)
def test_bad_stamps_are_refused_with_their_place(times, message):
    with pytest.raises(ValueError, match=message):
        Increments.from_values(X, times)


def test_bad_stamps_of_one_path_of_a_batch_are_refused_unless_they_are_padding():
    times = np.array([[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.5, 0.0]])
    batch = np.stack([X, X])
    with pytest.raises(ValueError, match=r"got 0.5 after 1.0 at index \(1, 2\)"):
        Increments.from_values(batch, times)
    assert Increments.from_values(batch, times, lengths=[4, 2]).dt.tolist() == [[1, 1, 1], [1, 0, 0]]


def test_a_derivative_refuses_repeated_stamps():
    with pytest.raises(ValueError, match=r"strictly increasing, got 10.5 after 10.5 at index \(2,\)"):
        Increments.derivative(X, T)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"path": X[0]}, ValueError, r"must be \(…, points, channels\) .* got shape \(2,\)"),
        ({"path": [[0, 1], [2]]}, ValueError, "path must be numbers nested in lists of equal lengths"),
        ({"path": X, "times": [0, [1], 2, 3]}, ValueError, "times must be numbers nested in lists of equal lengths"),
        ({"path": X[:0]}, ValueError, r"at least one point"),
        ({"path": X, "lengths": 5}, ValueError, r"lengths must lie from 1 to 4, got 5 at index \(\)"),
        ({"path": X[None], "lengths": [0]}, ValueError, r"lengths must lie from 1 to 4, got 0 at index \(0,\)"),
        ({"path": [[0.0, 1.0], [np.nan, 0.0]]}, ValueError, r"path must be finite, got nan at index \(1, 0\)"),
        ({"path": jnp.array([[0.0], [-jnp.inf]])}, ValueError, r"path must be finite, got -inf at index \(1, 0\)"),
        ({"path": [[0.0], [np.inf], [np.nan]], "lengths": 2}, ValueError, r"finite, got inf at index \(1, 0\)"),
        ({"path": X[None], "lengths": 4}, ValueError, r"one entry for each path, shape \(1,\), got \(\)"),
        ({"path": X, "lengths": 4.0}, TypeError, "lengths must be integers, got an array of float64"),
        ({"path": X + 0j}, TypeError, "path must be real numbers, got an array of complex128"),
        ({"path": X, "start_time": 0.0}, ValueError, "only together with times"),
        ({"path": X, "times": T, "start_time": 11.0}, ValueError, "start_time must not be after the first time"),
        ({"path": X.astype(np.float16)}, TypeError, "path must be float32 or float64, got float16"),
        ({"path": jnp.ones((3, 1), jnp.bfloat16)}, TypeError, "path must be float32 or float64, got bfloat16"),
        ({"path": X, "dtype": np.int32}, TypeError, "dtype must be float32 or float64, got int32"),
        ({"path": X, "dtype": np.float16}, TypeError, "dtype must be float32 or float64, got float16"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Increments.from_values(**arguments)


def test_a_float64_path_keeps_the_digits_of_its_increments_without_x64():
    path = 1e4 + np.array([[0.0], [0.0015], [0.003]])
    times = 1.7e9 + np.array([0.0, 0.25, 1.0])
    with jax.enable_x64(False):
        with pytest.warns(UserWarning, match="path is float64, but JAX's x64 flag is off"):
            read = Increments.from_values(path, times, start_time=1.7e9 - 0.5)
        quiet = Increments.from_values(path, times, dtype=np.float32)
        with pytest.raises(ValueError, match="float64 needs JAX's x64 flag"):
            Increments.from_values(path, dtype=np.float64)
    for found in (read, quiet):
        assert found.dx.dtype == np.float32
        np.testing.assert_allclose(found.dx[:, 0], [0.0015, 0.0015], rtol=1e-6)
        assert found.dt.tolist() == [0.25, 0.75]
    assert read.lead == 0.5


def test_integers_of_every_kind_are_read_as_floats():
    exact = Increments.from_values([[3.0], [1.0]]).dx.tolist()
    for kind in (np.uint8, np.int8, np.int64):
        assert Increments.from_values(np.array([[3], [1]], kind)).dx.tolist() == exact == [[-2.0]]
    assert Increments.from_values(jnp.array([[3], [1]])).dx.tolist() == exact


def test_constants_may_be_checked_inside_jit():
    def read(scale):
        return scale * Increments.from_values(X, T, np.array(3)).dx

    assert jax.jit(read)(2.0).tolist() == [[2, -4], [2, 6], [0, 0]]
