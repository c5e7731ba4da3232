"""Sub-intervals and windows. Oracle: the EWS of the part of the path, computed by the engine as a path of its own."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import EWSLayer, Increments, clocks, ews, generators
from ewsnn.signature import Intervals, signature

EPS = float(np.finfo(np.float64).eps)
STEPS, D = 11, 2
# Every interval between knots, the empty ones included.
PAIRS = np.array([(i, j) for i in range(STEPS + 1) for j in range(i, STEPS + 1)])
LAYER = EWSLayer([[1.0, 0.5], [-0.5, 1.0]], generators.Rotation([0.3], [2.0]), clocks.Blended(0.5), 2)
TIMES = np.array([3.0, 3.5, 3.5, 4.0, 5.0, 5.25, 6.0, 6.0, 6.5, 7.0, 8.0, 8.0])


def points(*batch: int, seed: int = 0, steps: int = STEPS) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(*batch, steps + 1, D))


def close(one, other, rounds: float = 30) -> bool:
    """Equal but for as many roundings relative to the largest entry of each level; NaN is equal to nothing."""
    return all(
        a.shape == b.shape and bool(np.max(np.abs(a - b), initial=0) <= rounds * EPS * np.max(np.abs(b), initial=1e-9))
        for a, b in zip(map(np.asarray, one), map(np.asarray, other), strict=True)
    )


def from_every_start(path: np.ndarray) -> tuple[np.ndarray, ...]:
    """The EWS of the layer between all PAIRS, each from a path that starts there: (pairs, m, …)."""
    run = jax.jit(lambda path, lengths: LAYER(Increments.from_values(path, lengths=lengths), output="all"))
    # All sub-paths at once: moved to the front, padded behind.
    parts = np.stack([np.concatenate([path[i:], np.zeros((i, D))]) for i in range(STEPS + 1)])
    every = run(parts, jnp.asarray([STEPS + 1 - i for i in range(STEPS + 1)]))
    levels = []
    for level in map(np.asarray, every):
        zero = np.zeros(level.shape[2:])
        levels.append(np.stack([level[i, j - i - 1] if j > i else zero for i, j in PAIRS]))
    return tuple(levels)


def test_every_interval_is_the_ews_of_its_part() -> None:
    path = points()
    found = Intervals.from_layer(LAYER, Increments.from_values(path)).between(*PAIRS.T)
    assert close(found, from_every_start(path))


def test_every_interval_of_a_signature_is_the_signature_of_its_part() -> None:
    path, intervals = points(), [(0, 11), (0, 1), (3, 10), (7, 8), (5, 11)]
    parts = np.stack([np.concatenate([path[i : j + 1], np.zeros((STEPS + i - j, D))]) for i, j in intervals])
    expected = signature(parts, 3, lengths=np.array([j - i + 1 for i, j in intervals]))
    assert close(Intervals.from_path(path, 3).between(*np.array(intervals).T), expected)


def test_one_number_has_no_axis_of_queries_and_an_empty_interval_is_one() -> None:
    intervals = Intervals.from_path(points(2), 2)
    assert [level.shape for level in intervals.between(2, 5)] == [(2, D), (2, D, D)]
    assert [level.shape for level in intervals.between(2, [3, 4, 5])] == [(2, 3, D), (2, 3, D, D)]
    assert not any(level.any() for level in intervals.between([0, 4, 11], [0, 4, 11]))
    assert [level.shape for level in intervals.between(np.zeros(0, int), 5)] == [(2, 0, D), (2, 0, D, D)]


def test_each_path_of_a_batch_may_have_intervals_of_its_own() -> None:
    paths = points(2)
    found = Intervals.from_path(paths, 2).between([[0, 1, 2], [3, 4, 5]], [[5, 6, 7], [8, 9, 10]])
    alone = Intervals.from_path(paths[1], 2).between(5, 10)
    assert close([level[1, 2] for level in found], alone)


@pytest.mark.parametrize(("length", "stride"), [(3, 1), (6, 4)])
def test_windows_are_intervals(length: int, stride: int) -> None:
    intervals = Intervals.from_layer(LAYER, Increments.from_values(points()))
    starts = np.arange(0, STEPS - length + 1, stride)
    assert close(intervals.windows(length, stride), intervals.between(starts, starts + length))


@pytest.mark.parametrize(("length", "stride"), [(1, 1), (1, 3), (2, 1), (5, 2), (4, 4), (4, 10), (10, 5), (11, 2)])
def test_windows_of_level_one_are_differences(length: int, stride: int) -> None:
    path = np.random.default_rng(0).integers(-9, 9, (STEPS + 1, D)).astype(float)
    starts = np.arange(0, STEPS - length + 1, stride)
    found = Intervals.from_path(path, 1).windows(length, stride)[0]
    assert (found == path[starts + length] - path[starts]).all()


def test_a_part_of_a_step_is_the_path_cut_there() -> None:
    path, queries = points(seed=3), [(3.25, 7.75), (4.25, 4.5), (4.0, 4.5), (4.25, 5.0), (5.25, 6.5), (3.0, 8.0)]
    parts, lengths = np.zeros((len(queries), STEPS + 3, D + 1)), []
    for row, (s, t) in zip(parts, queries, strict=True):
        # The knots from s to before t (jumps at t are left to what comes after; nothing comes after the last time), and
        # cuts by linear interpolation.
        inside = [np.append(x, time) for x, time in zip(path, TIMES, strict=True) if s <= time < t or t == time == 8.0]
        cuts = [np.append([np.interp(time, TIMES, column) for column in path.T], time) for time in (s, t)]
        first, last = ([] if s in TIMES else cuts[:1]), ([] if t == 8.0 else cuts[1:])
        knots = np.array([*first, *inside, *last])
        lengths.append(len(knots))
        row[: len(knots)] = knots
    cut = Increments.from_values(parts[..., :D], parts[..., D], np.array(lengths))
    intervals = Intervals.from_layer(LAYER, Increments.from_values(path, TIMES), times=TIMES)
    found = intervals.between_times(*np.array(queries).T)
    assert close(found, eqx.filter_jit(LAYER)(cut))


def test_jumps_belong_to_one_interval_each() -> None:
    # Ticks at 3, 5 and 6, each a jump: nothing before 3, and the parts make the whole.
    times, path = np.array([3.0, 3, 5, 5, 6, 6]), np.array([[0.0], [1], [1], [3], [3], [7]])
    intervals = Intervals.from_path(path, 1, times=times)
    level = intervals.between_times([0.0, 0.0, 3.0, 5.0, 3.0, 3.0], [2.0, 3.0, 5.0, 6.0, 6.0, 4.0])[0]
    assert level.ravel().tolist() == [0.0, 0.0, 1.0, 6.0, 7.0, 1.0]


def test_stamps_keep_their_digits_beside_a_path_in_single_precision() -> None:
    seconds = 1.7e9 + np.array([0.0, 1.0, 1.5, 4.0])
    path = np.array([[0.0], [1.0], [2.0], [4.0]], np.float32)
    intervals = Intervals.from_path(path, 1, times=seconds)
    found = intervals.between_times(1.7e9 + 0.25, 1.7e9 + np.array([0.75, 1.25, 2.75]))[0]
    assert found.dtype == jnp.float32
    assert found.ravel().tolist() == [0.5, 1.25, 2.75]


def test_windows_do_not_depend_on_when_things_happen() -> None:
    path = points(steps=3)
    uneven = Intervals.from_path(path, 2, times=np.array([0.0, 1.0, 1.25, 4.25]))
    even = Intervals.from_path(path, 2)
    assert close(uneven.between_times([0.0, 1.0], [1.25, 4.25]), even.between_times([0.0, 1.0], [2.0, 3.0]))
    assert close(uneven.between_times(1.125, 2.75), even.between_times(1.5, 2.5))


def test_padding_adds_nothing_and_is_not_read() -> None:
    path = points(2)
    path[0, 5:] = np.nan
    times = np.broadcast_to(TIMES, (2, STEPS + 1)).copy()
    times[0, 5:] = np.nan
    lengths = np.array([5, STEPS + 1])
    intervals = Intervals.from_path(path, 2, times=times, lengths=lengths)
    short = Intervals.from_path(path[0, :5], 2, times=TIMES[:5])
    assert close([level[0] for level in intervals.between(1, 9)], short.between(1, 4))
    found = intervals.between_times(np.array([[3.75], [3.75]]), np.array([[5.0], [8.0]]))
    assert close([level[0, 0] for level in found], short.between_times(3.75, 5.0))
    assert close([level[0, -1] for level in intervals.windows(5)], [np.zeros(D), np.zeros((D, D))])


def test_a_path_of_one_point_has_one_empty_interval() -> None:
    intervals = Intervals.from_path([[1.0, 2.0]], 2)
    assert not any(level.any() for level in (*intervals.between(0, 0), *intervals.between_times(0.0, 0.0)))
    with pytest.raises(ValueError, match="no window of 1 steps fits on a path of 0"):
        intervals.windows(1)


def test_gradients_reach_only_what_is_inside() -> None:
    @jax.jit
    def gradient(path):
        def loss(path):
            intervals = Intervals.from_path(path, 2)
            inside = sum(jnp.sum(level**2) for level in intervals.between(3, 7))
            return inside + sum(jnp.sum(level**2) for level in intervals.between_times(4.5, 6.5))

        return jax.grad(loss)(path)

    found = gradient(jnp.asarray(points()))
    assert not found[:3].any()
    assert not found[8:].any()
    assert found[3:8].all()
    assert jnp.isfinite(gradient(jnp.ones((STEPS + 1, D)))).all()


def test_the_object_passes_through_jit_and_vmap() -> None:
    paths = points(2)
    starts, stops = np.array([1, 3]), np.array([5, 11])
    one_by_one = jax.jit(jax.vmap(lambda path, s, t: Intervals.from_path(path, 2).between(s, t)))(paths, starts, stops)
    together = Intervals.from_path(paths, 2).between(starts[:, None], stops[:, None])
    assert close(one_by_one, [level[:, 0] for level in together])
    intervals = Intervals.from_path(paths, 2)
    compiled = jax.jit(lambda intervals, s: intervals.between_times(s, 7.5))
    assert close(compiled(intervals, 2.25), intervals.between_times(2.25, 7.5))
    slope = jax.jit(jax.grad(lambda s: jnp.sum(intervals.between_times(s, 7.5)[0])))(2.25)
    # S_{s,t} of level one falls by the speed at s.
    assert float(slope) == pytest.approx(-np.sum(paths[:, 3] - paths[:, 2]), rel=20 * EPS)


def test_what_cannot_be_looked_at_is_no_number_where_it_is_wrong() -> None:
    intervals = Intervals.from_path(points(), 1)
    knots = jax.jit(lambda i, j: intervals.between(i, j))(np.array([0, 5, -1, 3]), np.array([11, 4, 3, 12]))[0]
    assert np.isnan(knots).all(axis=-1).tolist() == [False, True, True, True]
    times = jax.jit(lambda s, t: intervals.between_times(s, t))(np.array([0.0, 5, -1, 3]), np.array([11.0, 4, 3, 12]))[
        0
    ]
    assert np.isnan(times).all(axis=-1).tolist() == [False, True, False, True]


def test_what_is_wrong_is_refused_with_what_is_allowed() -> None:
    intervals = Intervals.from_path(points(2), 1, times=TIMES)
    with pytest.raises(ValueError, match=r"0 ≤ start ≤ stop ≤ 11, .* got start 5 and stop 4 at index \(0, 1\)"):
        intervals.between([0, 5], [11, 4])
    with pytest.raises(ValueError, match="got start 3 and stop 12"):
        intervals.between(3, 12)
    with pytest.raises(TypeError, match=r"start must be knots, that is integers, got 1\.5: .*between_times"):
        intervals.between(1.5, 2)
    with pytest.raises(ValueError, match=r"start ≤ stop ≤ 8\.0, the last time stamp .* got start 4\.0 and stop 9\.0"):
        intervals.between_times(4.0, 9.0)
    with pytest.raises(ValueError, match=r"got start 5\.0 and stop 4\.0"):
        intervals.between_times(5.0, 4.0)
    with pytest.raises(ValueError, match="stop must be finite"):
        intervals.between_times(5.0, np.nan)
    with pytest.raises(ValueError, match=r"one number, \(queries,\) or \(2, 'queries'\), .* \(3, 1\) and \(\)"):
        intervals.between(np.zeros((3, 1), int), 4)
    with pytest.raises(ValueError, match="stride must be an integer of at least 1, got 0"):
        intervals.windows(2, 0)
    with pytest.raises(ValueError, match="no window of 12 steps fits on a path of 11"):
        intervals.windows(12)
    increments = Increments.from_values(points())
    with pytest.raises(ValueError, match="no time stamps: give times=, or ask by knots"):
        Intervals.from_layer(LAYER, increments).between_times(0.0, 1.0)
    with pytest.raises(ValueError, match=r"times must have shape \(12,\)"):
        Intervals.from_layer(LAYER, increments, times=TIMES[1:])
    with pytest.raises(ValueError, match="weakly increasing"):
        Intervals.from_layer(LAYER, increments, times=TIMES[::-1])
    with pytest.raises(ValueError, match="the lift is for 2 channels, the path has 3"):
        Intervals.from_layer(LAYER, Increments.from_values(np.zeros((3, 3))))
    with pytest.raises(ValueError, match="letters at depth 9"):
        Intervals.from_path(np.zeros((3, 8)), 9)


def test_nothing_is_divided_by_what_was_forgotten() -> None:
    # The clock forgets by e^{-1260} in all, and goes back once.
    path = points()
    dtheta = np.full(STEPS, 90.0)
    dtheta[4] = -20.0
    generator = generators.Diagonal([1.0, 2.0])
    layer = EWSLayer(np.eye(2), generator, clocks.Given(), 2)
    found = Intervals.from_layer(layer, Increments.from_values(path).with_elapsed(dtheta)).between(2, 9)
    assert close(found, ews(path[2:10], generator, depth=2, clock=dtheta[2:9]))
