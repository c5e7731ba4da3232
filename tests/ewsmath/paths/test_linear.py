"""Paths: knots, restriction, concatenation, stopping; values by ==."""

import math
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Balls, PiecewiseLinearPath, signature
from ewsmath import paths as paths_module
from ewsmath.generators import Diagonal
from ewsmath.strategies import paths, rationals


@given(paths(2), rationals(), rationals(), rationals())
def test_intervals_side_by_side_lose_and_share_nothing(X: PiecewiseLinearPath, a: fmpq, b: fmpq, c: fmpq) -> None:
    s, u, t = sorted([a + 3, b + 3, c + 3])

    def length(low: fmpq, high: fmpq) -> fmpq:
        return X.restrict(low, high).variation("l1")

    assert length(s, u) + length(u, t) == length(s, t)
    whole = X.times[0] - 1, X.times[-1] + 1
    assert length(*whole) == X.variation("l1")


@given(paths(2), rationals())
def test_a_path_is_its_restrictions_joined(X: PiecewiseLinearPath, at: fmpq) -> None:
    start, end = X.times[0] - 1, X.times[-1] + 1
    u = min(max(X.times[0] + at, start), end)
    first, second = X.restrict(start, u), X.restrict(u, end)
    joined = first.then(second)
    assert joined.values[-1] == X.values[-1]
    for t in (*X.times[:-1], u):
        assert joined(t) == X(t)


@given(paths(2), st.lists(rationals(), min_size=2, max_size=2))
def test_lift_is_linear_in_the_increments(X: PiecewiseLinearPath, w: list[fmpq]) -> None:
    lifted = X.lift([w, [0, 1], [1, 1]])
    for v, u in zip(X.increments, lifted.increments, strict=True):
        assert u == (w[0] * v[0] + w[1] * v[1], v[1], v[0] + v[1])
    assert lifted.times == X.times


@given(paths(2), rationals())
def test_a_stopped_path_agrees_until_it_stops(X: PiecewiseLinearPath, at: fmpq) -> None:
    t = X.times[0] + at
    stopped = X.stopped(t)
    assert stopped.times[0] == X.times[0]
    assert stopped.times[-1] == X.times[-1]
    assert stopped.values[-1] == X(t)
    for s in X.times:
        assert stopped(s) == (X(s) if s <= t else X(t))


@given(paths(1), paths(1))
def test_concatenation_adds_durations_and_increments(X: PiecewiseLinearPath, Y: PiecewiseLinearPath) -> None:
    joined = X.then(Y)
    assert joined.increments == X.increments + Y.increments
    assert joined.gaps == X.gaps + Y.gaps
    assert joined.values[0] == X.values[0]


def test_evaluation_between_outside_and_at_a_jump() -> None:
    X = PiecewiseLinearPath([1, 2, 2, 4], [[0], [1], [5], [7]])
    assert [X(t) for t in (0, 1, fmpq(3, 2), 2, 3, 4, 9)] == [(0,), (0,), (fmpq(1, 2),), (5,), (6,), (7,), (7,)]


def test_a_jump_belongs_to_the_interval_that_it_starts() -> None:
    X = PiecewiseLinearPath([1, 2, 2, 4], [[0], [1], [5], [7]])
    assert X.restrict(1, 2).values == ((0,), (1,))
    assert X.restrict(2, 4).values == ((1,), (5,), (7,))
    last = PiecewiseLinearPath([1, 2, 2], [[0], [1], [5]])
    assert last.restrict(1, 2).values == ((0,), (1,), (5,))
    assert last.restrict(2, 3).increments == []
    at_once = PiecewiseLinearPath([2, 2], [[0], [3]])
    assert at_once.restrict(1, 2).increments == []
    assert at_once.restrict(2, 3).values == ((0,), (3,))
    assert at_once.portions() == [(0, 0, 1)]


def test_time_stamps_are_kept_as_they_came() -> None:
    X = PiecewiseLinearPath([3, 5, 6], [[0], [2], [3]])
    assert X.restrict(0, 2).values == ((0,),)
    assert X.restrict(0, 2).times == (3,)
    assert X.restrict(3, 5).increments == [(2,)]
    assert X.restrict(5, 6).increments == [(1,)]
    assert X.restrict(4, 6).times == (4, 5, 6)
    assert X.portions(4) == [(0, fmpq(1, 2), 1), (1, 0, 1)]
    assert X.portions(None, 4) == [(0, 0, fmpq(1, 2))]


def test_repeated_times_are_jumps_and_decreasing_ones_are_refused() -> None:
    assert PiecewiseLinearPath([1, 1, 1, 2, 3], [[0], [0], [4], [4], [5]]).gaps == [0, 0, 1, 1]
    with pytest.raises(ValueError, match=r"times\[2\] = 1 is less than times\[1\] = 2"):
        PiecewiseLinearPath([0, 2, 1], [[0], [1], [2]])
    with pytest.raises(TypeError, match="A float is not exact"):
        PiecewiseLinearPath([0, 0.5], [[0], [1]])


def test_the_default_times_count_the_points() -> None:
    assert PiecewiseLinearPath(None, [[0], [1], [2]]).times == (0, 1, 2)
    X = PiecewiseLinearPath.from_increments([[1, 2], [3, 4]], [0, 1, 5])
    assert X.values == ((0, 0), (1, 2), (4, 6))
    assert X.steps == 2
    assert X.dim == 2


def test_variation_in_both_norms() -> None:
    X = PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, 8]])
    assert X.variation("l1") == 19
    assert X.variation("l2") == 17
    with pytest.raises(ValueError, match="unknown norm"):
        X.variation("max")  # type: ignore[arg-type]


def test_new_times_move_the_knots() -> None:
    X = PiecewiseLinearPath(None, [[0], [1], [3]])
    assert X.reparametrise(lambda t: t * t + 100).times == (100, 101, 104)
    with pytest.raises(ValueError, match="times may repeat, not decrease"):
        X.reparametrise(lambda t: -t)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: PiecewiseLinearPath([], []), "at least one point"),
        (lambda: PiecewiseLinearPath([0], [[]]), "at least one coordinate"),
        (lambda: PiecewiseLinearPath(None, [[1], [1, 2]]), "point 1 has 2 coordinates, point 0 has 1"),
        (lambda: PiecewiseLinearPath([0], [[1], [2]]), "1 times for 2 points"),
        (lambda: PiecewiseLinearPath.from_increments([]), "at least one increment"),
        (lambda: PiecewiseLinearPath.from_increments([[1], [1, 2]]), "increment 1 has 2 coordinates"),
        (lambda: PiecewiseLinearPath(None, [[1]]).lift([[1, 2]]), "it needs 1 columns"),
        (lambda: PiecewiseLinearPath(None, [[1]]).then(PiecewiseLinearPath(None, [[1, 2]])), "is not continued by"),
        (lambda: PiecewiseLinearPath(None, [[1]]).restrict(2, 1), "runs forward"),
    ],
)
def test_bad_arguments_are_refused(build, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build()


@pytest.mark.parametrize(
    ("times", "values", "message"),
    [
        ([0, 1, math.nan], [[0], [1], [2]], r"times\[2\]: QQ takes .* got nan"),
        (["a", 1], [[0], [1]], r"times\[0\]: QQ takes .* got a of type str"),
        (5, [[0], [1]], "takes times as a sequence, got 5"),
        (None, 5, "takes values as a sequence, got 5"),
        (None, [1, 2], r"point 0 of a path is a sequence of d numbers, got 1 of type int: in one channel write \[x\]"),
        (None, [[0], [math.nan]], "point 1: QQ takes .* got nan"),
    ],
)
def test_what_is_no_number_is_refused_by_its_place(times: Any, values: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        PiecewiseLinearPath(times, values)


def test_a_restriction_without_ends_is_the_path() -> None:
    for X in (PiecewiseLinearPath([1], [[5]]), PiecewiseLinearPath([1, 2, 2], [[5], [1], [3]])):
        assert X.restrict() == X
        assert X.restrict(None, X.times[-1]) == X
        assert X.restrict(X.times[0]) == X


def test_other_rings_and_equality() -> None:
    X = PiecewiseLinearPath(None, [[0], [fmpq(1, 3)]])
    assert X.over(EE).values[1] == (EE.ratio(1, 3),)
    assert X.over(QQ) is X
    assert X.over(Balls(64)) == PiecewiseLinearPath(None, [[0], [fmpq(1, 3)]], Balls(64))
    assert X.over(EE) != X
    assert X.reparametrise(lambda t: t + 1) != X
    assert PiecewiseLinearPath(None, [[0], [1]]) != X
    assert str(X) == "PiecewiseLinearPath([0, 1], [[0], [1/3]], ring=QQ)"
    with pytest.raises(AttributeError):
        X.times = ()


@given(paths(2))
def test_lead_lag_holds_the_quadratic_covariation(X: PiecewiseLinearPath) -> None:
    S = signature(X.lead_lag(), 2)
    for i in (1, 2):
        for j in (1, 2):
            covariation = sum((dx[i - 1] * dx[j - 1] for dx in X.increments), QQ.zero)
            assert S[i, 2 + j] - S[2 + i, j] == covariation


def test_lead_lag_by_hand() -> None:
    found = PiecewiseLinearPath([0, 2, 3], [[1], [4], [0]]).lead_lag()
    assert found.times == (0, 1, 2, fmpq(5, 2), 3)
    assert found.values == ((1, 1), (4, 1), (4, 4), (0, 4), (0, 0))
    assert PiecewiseLinearPath([7], [[5]]).lead_lag() == PiecewiseLinearPath([7], [[5, 5]])


def test_iterated_sums_are_no_iterated_integrals() -> None:
    # On the line from (0, 0) to (1, 1) the sum over i < j of increments is empty, the integral is 1/2.
    assert signature(PiecewiseLinearPath(None, [[0, 0], [1, 1]]), 2)[1, 1] == fmpq(1, 2)


def test_padding_by_zeros_is_data_and_padding_by_the_last_point_is_none() -> None:
    X = PiecewiseLinearPath(None, [[1, 2], [2, 0], [3, 3]])
    assert signature(X, 2).level(2) == [2, fmpq(7, 2), fmpq(-3, 2), fmpq(1, 2)]
    zeros = PiecewiseLinearPath(None, [*X.values, (0, 0)])
    assert signature(zeros, 2).level(1) == [-1, -2]
    assert signature(zeros, 2).level(2) == [fmpq(1, 2), 2, 0, 2]
    assert signature(PiecewiseLinearPath(None, [*X.values, X.values[-1]]), 2) == signature(X, 2)
    # With the time clock the padded time decays on, unless the last time is repeated too.
    ews = EWS(Diagonal([1, 1]), depth=2)
    assert ews(PiecewiseLinearPath(None, [*X.values, X.values[-1]])) != ews(X)
    assert ews(PiecewiseLinearPath([0, 1, 2, 2], [*X.values, X.values[-1]])) == ews(X)


@pytest.mark.parametrize("times", [[1, 1, 1, 2, 3], [0, 1, 2, 2, 2], [0, 1, 1, 1, 2]])
def test_repeated_times_are_jumps_wherever_they_stand(times: list[int]) -> None:
    ews = EWS(Diagonal(1), depth=2)
    still = PiecewiseLinearPath(times, [[x] for x in times])  # rests over each repeated time
    known = sorted(set(times))
    assert ews(still) == ews(PiecewiseLinearPath(known, [[x] for x in known]))
    jumping = PiecewiseLinearPath(times, [[0], [1], [3], [4], [8]])
    for elapsed, gap in zip((g.elapsed for g in ews.segments(jumping)), jumping.gaps, strict=True):
        assert elapsed == gap
    assert ews(jumping).is_group_like()


def test_a_reader_of_lines_refuses_a_curve() -> None:
    X = PiecewiseLinearPath(None, [[0], [1]])
    assert paths_module.check_path(X, "this") is X
    with pytest.raises(TypeError, match=r"this reads a path, got ExpPolyPath\(.*give PiecewiseLinearPath\("):
        paths_module.check_path(X.curved(), "this")


def test_a_missing_value_is_refused_by_its_place() -> None:
    with pytest.raises(TypeError, match=r"point 1: QQ takes .* got nan"):
        PiecewiseLinearPath(None, [[0, 0], [1, math.nan]])
    with pytest.raises(TypeError, match=r"point 1: QQ takes .* got None"):
        PiecewiseLinearPath(None, [[0, 0], [1, None]])
