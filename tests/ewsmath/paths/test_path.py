"""What is made of a path of either kind: laws by == on draws, and values by hand."""

import copy
import pickle
from bisect import bisect_right
from typing import Any

import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, Balls, ExpPolyPath, ExpPolys, PiecewiseLinearPath, TensorAlgebra, signature
from ewsmath.clocks import AbstractClock, Clamped, Observation, Time
from ewsmath.generators import Diagonal
from ewsmath.paths import AbstractPath
from ewsmath.strategies import curves, paths, rationals


def arcs(dim: int) -> st.SearchStrategy[ExpPolyPath]:
    """Curves of one piece, which cost least. Shrinks as they do."""
    return curves(dim, max_steps=1)


KINDS = pytest.mark.parametrize("kind", [paths, curves])
SHORT = pytest.mark.parametrize("kind", [paths, arcs])
u = ExpPolys(QQ).variable
PARABOLA = ExpPolyPath.from_functions([0, 2], [u * u], QQ)


def inverse(X: AbstractPath[Any]) -> Any:
    S = signature(X, 2)
    return S.algebra.inverse(S)


@KINDS
@given(data=st.data())
def test_the_signature_of_a_concatenation_is_the_product(kind: Any, data: st.DataObject) -> None:
    X, Y = data.draw(kind(2)), data.draw(kind(2))
    joined = X.then(Y)
    assert signature(joined, 2) == signature(X, 2) @ signature(Y, 2)
    assert joined.gaps == X.gaps + Y.gaps
    assert joined.values[0] == X.values[0]


@KINDS
@given(data=st.data())
def test_intervals_side_by_side_multiply(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(2))
    t = X.times[0] + (X.times[-1] - X.times[0]) * data.draw(st.sampled_from([fmpq(0), fmpq(1, 3), fmpq(1)]))
    first, second = X.restrict(X.times[0] - 1, t), X.restrict(t, X.times[-1] + 1)
    assert signature(first, 2) @ signature(second, 2) == signature(X, 2)
    assert first.times[-1] <= t <= second.times[0]


@SHORT
@given(data=st.data())
def test_the_signature_of_the_reversed_path_is_the_inverse(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(2))
    back = X.reversed()
    assert signature(back, 2) == inverse(X)
    assert back.reversed() == X
    assert (back.times[0], back.times[-1]) == (X.times[0], X.times[-1])
    assert back.values == X.values[::-1]


@SHORT
@given(data=st.data())
def test_a_stopped_path_has_the_signature_until_it_stops(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(1))
    t = X.times[0] + data.draw(rationals())
    stopped = X.stopped(t)
    assert (stopped.times[0], stopped.times[-1]) == (X.times[0], X.times[-1])
    assume(t < X.times[0] or t not in X.times)  # at a jump the path stops after it
    assert signature(stopped, 2) == signature(X.restrict(X.times[0] - 1, max(t, X.times[0] - 1)), 2)


def clocks(X: AbstractPath[Any]) -> list[AbstractClock]:
    """One that is not additive and reads curves too, one that is additive, and on lines a third that is not."""
    line = isinstance(X, PiecewiseLinearPath)
    return [Observation(), Time(), *([Clamped([[fmpq(1, 2)]], [1])] if line else [])]


@KINDS
@given(data=st.data())
def test_every_clock_runs_on_a_path_stopped_at_a_knot_as_on_the_path(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(1))
    t = data.draw(st.sampled_from(X.times))
    stopped, j = X.stopped(t), bisect_right(X.times, t) - 1
    assert stopped.times == X.times
    for clock in clocks(X):
        here, there = clock.increments(X), clock.increments(stopped)
        assert there[:j] == here[:j]
        # What follows a knot is the rest: it has the pieces that were there, and they do not move.
        assert stopped.pieces[j:] == [stopped.piece(j)] * (X.steps - j) if j < X.steps else stopped == X


@pytest.mark.parametrize("X", [PiecewiseLinearPath([0, 1, 3], [[0], [1], [2]]), PARABOLA.restrict(0, 1).then(PARABOLA)])
def test_a_path_stopped_at_a_knot_has_no_more_pieces(X: AbstractPath[Any]) -> None:
    ews = EWS(Diagonal(1), clock=Observation(), depth=2)
    assert X.times == (0, 1, 3)
    assert [X.stopped(t).times for t in (-1, 0, 1, 3, 4)] == [(0, 1, 3)] * 5
    assert X.stopped(2).times == (0, 1, 2, 3)
    assert Observation()(X.stopped(1)) == [0, 1, 2]
    assert [ews(X.stopped(1), 0, 1), ews(X.stopped(3)), ews(X.stopped(0))] == [ews(X, 0, 1), ews(X), ews.algebra.one()]
    # Two units of the clock, of which one forgets all that moved: e^{-1} of the first piece.
    assert ews(X.stopped(1))[1] == EE.exp(-EE.one) * ews(X, 0, 1)[1]


def test_a_path_stopped_at_a_jump_is_stopped_behind_it() -> None:
    X = PiecewiseLinearPath([0, 1, 1, 3], [[0], [2], [5], [9]])
    assert X.stopped(1) == PiecewiseLinearPath([0, 1, 1, 3], [[0], [2], [5], [5]])
    at_once = PiecewiseLinearPath([0, 0, 1], [[0], [2], [5]])
    assert at_once.stopped(0) == PiecewiseLinearPath([0, 0, 1], [[0], [2], [2]])


def test_an_excursion_cuts_a_piece_which_only_additive_clocks_do_not_see() -> None:
    X, W = PiecewiseLinearPath([0, 2, 3], [[0], [4], [5]]), PiecewiseLinearPath([0, 1], [[0], [7]])
    still = Clamped([[0]], [1])  # clip(Δt, 0, 1) does not see the path: it stands still on W
    assert not still.additive
    timed, clamped = (EWS(Diagonal(1), clock=clock, depth=2) for clock in (Time(), still))
    for t in X.times:
        assert timed(X.with_excursion(W, t)) == timed(X)
        assert clamped(X.with_excursion(W, t)) == clamped(X)
    assert timed(X.with_excursion(W, 1)) == timed(X)
    assert clamped(X.with_excursion(W, 1)) != clamped(X)  # two halves that take a unit each


@SHORT
@given(data=st.data())
def test_a_tree_like_excursion_leaves_the_signature_alone(kind: Any, data: st.DataObject) -> None:
    X, W = data.draw(kind(2)), data.draw(kind(2))
    t = X.times[0] + (X.times[-1] - X.times[0]) * data.draw(st.sampled_from([fmpq(0), fmpq(1, 3), fmpq(1)]))
    found = X.with_excursion(W, t)
    assert signature(found, 2) == signature(X, 2)
    assert (found.times[0], found.times[-1]) == (X.times[0], X.times[-1])
    assert sum(found.gaps, fmpq(0)) == sum(X.gaps, fmpq(0))
    assert found.steps >= X.steps + 2 * W.steps


@SHORT
@given(data=st.data())
def test_a_base_point_adds_one_increment(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(2))
    found = X.with_base_point()
    first = TensorAlgebra(X.ring, 2, 2)
    assert signature(found, 2) == first.exp(first.vector(X.values[0])) @ signature(X, 2)
    assert found.times == (X.times[0], *X.times)
    assert X.with_base_point(X.values[0], X.times[0] - 1).times[0] == X.times[0] - 1
    assert signature(X.with_base_point(X.values[0]), 2) == signature(X, 2)


UNSTAMPED = [
    PiecewiseLinearPath(None, [[2], [5], [1]]),
    PiecewiseLinearPath.from_increments([[2], [5]]),
    ExpPolyPath(None, [[u], [ExpPolys(QQ).one + u * u]], QQ),
]


@pytest.mark.parametrize("X", UNSTAMPED)
@pytest.mark.parametrize(
    "made",
    [
        lambda X: X,
        lambda X: X.over(EE),
        lambda X: X.lift([[2], [1]]),
        lambda X: X.reversed(),
        lambda X: X.then(X),
        lambda X: X.restrict(1),
        lambda X: X.restrict(2),
        lambda X: X.stopped(1),
        lambda X: X.with_time(),
        lambda X: X.with_base_point(),
        lambda X: X.with_excursion(X, 1),
        lambda X: X.lead_lag() if isinstance(X, PiecewiseLinearPath) else X,
        lambda X: X.curved() if isinstance(X, PiecewiseLinearPath) else X,
        copy.deepcopy,
        lambda X: pickle.loads(pickle.dumps(X)),
    ],
)
def test_without_stamps_a_base_point_takes_one_step(X: AbstractPath[Any], made: Any) -> None:
    path = made(X)
    based = path.with_base_point()
    assert not path.stamped
    assert not based.stamped
    assert based.times == (path.times[0] - 1, *path.times)
    assert path.with_base_point(start=path.times[0]).times[0] == path.times[0]


@pytest.mark.parametrize("X", UNSTAMPED)
@pytest.mark.parametrize(
    "made",
    [
        lambda X: X.reparametrise(lambda t: t),
        lambda X: X.then(X.reparametrise(lambda t: t)),
        lambda X: X.reparametrise(lambda t: t).then(X),
        lambda X: X.compose(PiecewiseLinearPath(X.times, [[t] for t in X.times])),
        lambda X: X.compose(ExpPolyPath([0, 1, 2], [[u * u], [ExpPolys(QQ).one + u]], QQ)),
    ],
)
def test_with_stamps_a_base_point_is_a_jump(X: AbstractPath[Any], made: Any) -> None:
    path = made(X)
    assert path.stamped
    assert path.with_base_point().times == (0, *path.times)


@SHORT
@given(data=st.data())
def test_the_time_channel_is_there_once(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(1))
    try:
        found = X.with_time()
    except ValueError:
        assert X.times[0] < X.times[-1]
        slope = (X.values[-1][0] - X.values[0][0]) * X.ring.coerce(1 / (X.times[-1] - X.times[0]))
        for i, t in enumerate(X.times):
            assert X.values[i][0] == X.values[0][0] + slope * X.ring.coerce(t - X.times[0])
        return
    assert [value[1] for value in found.values] == list(X.times)
    assert [value[:1] for value in found.values] == list(X.values)
    for level_one, gap in zip(found.pieces, X.gaps, strict=True):
        assert level_one.number(level_one.speed[1]) == gap
    if X.times[0] < X.times[-1]:
        with pytest.raises(ValueError, match=r"channel 1 \(from 0\) runs with the time already, at slope 1"):
            found.with_time()


def test_a_time_channel_that_came_with_the_data_is_seen() -> None:
    # The data of a table whose first column is the time on [0, 1], and whose stamps count.
    X = PiecewiseLinearPath(None, [[fmpq(j, 4), j * j] for j in range(5)])
    with pytest.raises(ValueError, match=r"channel 0 \(from 0\) runs with the time already, at slope 1/4.*lift"):
        X.with_time()
    assert X.lift([[0, 1]]).with_time().dim == 2
    line = PiecewiseLinearPath([0, 2], [[0], [6]])  # one piece: every line is proportional to the time
    assert line.with_time().values == ((0, 0), (6, 2))
    with pytest.raises(ValueError, match="at slope 1"):
        PiecewiseLinearPath([3, 5], [[0], [2]]).with_time()
    with pytest.raises(ValueError, match="at slope 1"):
        ExpPolyPath.from_functions([0, 1, 3], [u], QQ).with_time()
    assert PARABOLA.with_time().values == ((0, 0), (4, 2))
    at_once = PiecewiseLinearPath([2, 2], [[0], [3]])
    assert at_once.with_time().with_time().values == ((0, 2, 2), (3, 2, 2))  # no time passes, so none is there twice
    jump = PiecewiseLinearPath([0, 1, 1, 2], [[0], [1], [5], [6]])
    assert jump.with_time().dim == 2
    assert PiecewiseLinearPath(None, [[5], [5], [5]]).with_time().dim == 2  # a constant channel is no time


def test_over_balls_a_time_channel_is_seen_too() -> None:
    X = PiecewiseLinearPath(None, [[0], [1], [2]], Balls(64))
    with pytest.raises(ValueError, match="runs with the time already"):
        X.with_time()
    assert PiecewiseLinearPath(None, [[0], [1], [3]], Balls(64)).with_time().dim == 2


@SHORT
@given(data=st.data())
def test_a_lift_acts_on_every_point(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(2))
    B = [[1, 2], [0, fmpq(1, 2)], [-1, 0]]
    for t in (*X.times, X.times[0] + fmpq(1, 3)):
        x, y = X(t)
        assert X.lift(B)(t) == (x + y * 2, y * fmpq(1, 2), -x)


@SHORT
@given(data=st.data())
def test_other_rings_and_stamps_change_nothing_else(kind: Any, data: st.DataObject) -> None:
    X = data.draw(kind(2))
    assert X.over(EE).over(X.ring) == X
    assert X.over(X.ring) is X
    assert X.reparametrise(lambda t: 2 * t + 1).reparametrise(lambda t: (t - 1) / 2) == X
    assert X.reparametrise(lambda t: t + 1) != X
    assert X.lift([[1, 0]]) != X
    assert X.with_base_point((7, 7)) != X
    assert X != "a path"


def test_the_variation_of_a_curve_where_it_is_a_number_of_the_ring() -> None:
    functions = ExpPolys(EE)
    circle = ExpPolyPath.from_functions([0, 3], [functions.cosine(2), functions.sine(2)])
    assert circle.variation("l2") == 6
    with pytest.raises(ValueError, match="is no constant"):
        circle.variation("l1")
    assert ExpPolyPath(None, [[u, -u.scaled(QQ.coerce(2))]], QQ).variation() == 3


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: PARABOLA.with_excursion(PARABOLA, 3), ValueError, "starts on the path, from 0 to 2, got 3"),
        (lambda: PARABOLA.with_excursion(5, 1), TypeError, "runs along a path, got 5 of type int"),  # type: ignore[arg-type]
        (lambda: PARABOLA.with_excursion(PARABOLA.over(EE), 1), ValueError, "is not continued by"),
        (lambda: PARABOLA.with_base_point([1, 2]), ValueError, "a base point with 2 entries"),
        (lambda: PARABOLA.with_base_point(5), TypeError, "takes a point as a sequence, got 5"),  # type: ignore[arg-type]
        (lambda: PARABOLA.with_base_point(start=1), ValueError, "its time 1 is after 0"),
        (lambda: PARABOLA.then(PiecewiseLinearPath(None, [[0], [1]])), TypeError, "give a ExpPolyPath"),  # type: ignore[arg-type]
        (lambda: PARABOLA.lift([[1, 2]]), ValueError, "it needs 1 columns"),
        (lambda: PARABOLA.over("EE"), TypeError, "a ring is an object"),  # type: ignore[arg-type]
        (lambda: PARABOLA.variation("max"), ValueError, "unknown norm"),  # type: ignore[arg-type]
    ],
)
def test_bad_arguments_are_refused(use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()
