"""Clocks: the formulas, and the columns of the clock table as laws on draws."""

from collections.abc import Callable
from typing import Any

import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, QQ_I, Balls, ExpPolyPath, ExpPolys, PiecewiseLinearPath
from ewsmath.clocks import AbstractClock, Blended, Clamped, Gated, Given, Increment, Observation, Time, Variation
from ewsmath.generators import Diagonal
from ewsmath.strategies import clocks, paths, vectors

UNKNOWN: Any = "max"
X = PiecewiseLinearPath([0, 2, 2, 5], [[0, 0], [3, -4], [3, -4], [-2, 8]])


@pytest.mark.parametrize(
    ("clock", "increments"),
    [
        (Time(), [2, 0, 3]),
        (Observation(), [1, 1, 1]),
        (Variation(), [5, 0, 13]),
        (Variation("l1"), [7, 0, 17]),
        (Blended(2), [12, 0, 29]),
        (Blended(fmpq(1, 2), "l1"), [fmpq(11, 2), 0, fmpq(23, 2)]),
        (Gated([1, 1]), [0, 0, 7]),
        (Gated([1, 1], 1), [1, 0, 10]),
        (Gated([0, 0], -1), [0, 0, 0]),
        (Clamped([[1, 0], [0, 1]]), [1, 0, 1]),
        (Clamped([[fmpq(1, 6), 0]], [fmpq(1, 8)]), [fmpq(3, 4), 0, 0]),
        (Given([1, -1, fmpq(1, 2)]), [1, -1, fmpq(1, 2)]),
        (Increment(lambda v, gap: v[0] * v[1] + gap), [-10, 0, -57]),
        (Increment(lambda v, gap: gap * gap), [4, 0, 9]),
    ],
)
def test_increments_by_hand(clock: AbstractClock, increments: list) -> None:
    assert clock.increments(X) == increments
    assert clock(X) == [0, increments[0], increments[0] + increments[1], sum(increments, QQ.zero)]
    assert clock.increments(X.over(EE)) == increments
    assert clock.increments(X.over(Balls(64))) == increments


def halved(X: PiecewiseLinearPath) -> PiecewiseLinearPath:
    """The same path with a knot in the middle of each piece."""
    times, values = [X.times[0]], [X.values[0]]
    for j in range(X.steps):
        times += [(X.times[j] + X.times[j + 1]) / 2, X.times[j + 1]]
        middle = tuple((x + y) / 2 for x, y in zip(X.values[j], X.values[j + 1], strict=True))
        values += [middle, X.values[j + 1]]
    return PiecewiseLinearPath(times, values)


@given(st.data())
def test_additive_clocks_are_unchanged_by_subdivision(data: st.DataObject) -> None:
    X = data.draw(paths(2))
    clock = data.draw(clocks(2, X.steps))
    assume(clock.additive)
    assert clock(halved(X))[::2] == clock(X)


@pytest.mark.parametrize("clock", [Observation(), Clamped([[1, 0]])])
def test_the_other_clocks_are_changed_by_subdivision(clock: AbstractClock) -> None:
    assert not clock.additive
    line = PiecewiseLinearPath(None, [[0, 0], [4, 0]])
    assert clock(halved(line))[-1] == 2 * clock(line)[-1]


# Made, not picked among all clocks: too few of them are invariant.
invariant_clocks = st.one_of(st.just(Variation("l1")), vectors(QQ, 2).map(Gated))


@given(paths(2), invariant_clocks)
def test_invariant_clocks_do_not_see_the_time_stamps(X: PiecewiseLinearPath, clock: AbstractClock) -> None:
    assert clock.invariant
    assert clock(X.reparametrise(lambda t: 7 * t + 1)) == clock(X)


MOVES: list[Callable[[PiecewiseLinearPath], PiecewiseLinearPath]] = [
    lambda X: X.reparametrise(lambda t: 7 * t + 1),  # a linear change of time: the same knots at other stamps
    halved,  # a knot that a reparametrisation with a kink in mid-piece would make
]


@pytest.mark.parametrize("clock", [Time(), Observation(), Blended(1, "l1"), Gated([1, 1], 1), Clamped([[1, 0]], [1])])
def test_the_other_clocks_see_a_reparametrisation(clock: AbstractClock) -> None:
    assert not clock.invariant
    line = PiecewiseLinearPath([0, fmpq(1, 4)], [[0, 0], [fmpq(1, 4), 0]])
    assert any(clock(move(line))[-1] != clock(line)[-1] for move in MOVES)


@given(st.data())
def test_clocks_that_cannot_stop_move_with_every_piece(data: st.DataObject) -> None:
    X = data.draw(paths(2))
    clock = data.draw(clocks(2, X.steps))
    assume(clock.can_stop is False)
    for dtheta, gap, v in zip(clock.increments(X), X.gaps, X.increments, strict=True):
        if gap and any(v):
            assert dtheta > 0


def test_the_table_of_properties() -> None:
    mine = Increment(lambda v, gap: gap, invariant=False, can_stop=False, additive=True)
    all_clocks = [Time(), Observation(), Variation(), Blended(1), Gated([1], 1), Clamped([[1]]), Given([1]), mine]
    found = {type(c).__name__: (c.invariant, c.can_stop, c.additive, c.causal) for c in all_clocks}
    assert found == {
        "Time": (False, False, True, True),
        "Observation": (False, False, False, True),
        "Variation": (True, False, True, True),
        "Blended": (False, False, True, True),
        "Gated": (False, True, True, True),
        "Clamped": (False, True, False, True),
        "Given": (None, None, None, None),
        "Increment": (False, False, True, True),
    }
    assert Gated([1]).invariant
    unknown = Increment(lambda v, gap: gap)
    assert (unknown.invariant, unknown.can_stop, unknown.additive, unknown.causal) == (None, None, None, True)


@given(st.data())
def test_what_comes_later_changes_no_earlier_value(data: st.DataObject) -> None:
    X = data.draw(paths(1, min_steps=2))
    clock = data.draw(clocks(1, X.steps))
    assume(clock.causal)
    j = data.draw(st.integers(1, X.steps))
    changed = PiecewiseLinearPath(X.times, [*X.values[:j], *[[data.draw(st.integers(-3, 3))]] * (X.steps + 1 - j)])
    assert clock(changed)[:j] == clock(X)[:j]
    ews = EWS(Diagonal(1), clock=clock, depth=2)
    assert ews.stream(changed)[:j] == ews.stream(X)[:j]


class LooksAhead(AbstractClock):
    """A clock that knows the last point: what no causal clock does."""

    invariant, can_stop, additive, causal = True, None, None, False

    def increment(self, path: Any, j: int, ring: Any) -> Any:
        return ring.coerce(path.values[-1][0])


def test_a_clock_that_looks_ahead_is_seen() -> None:
    X = PiecewiseLinearPath(None, [[0], [1], [2]])
    changed = PiecewiseLinearPath(None, [[0], [1], [3]])
    assert LooksAhead()(changed)[:2] != LooksAhead()(X)[:2]


@pytest.mark.parametrize("clock", [Gated([1, 1]), Gated([1, 1], -3), Clamped([[1, 1]])])
def test_clocks_that_can_stop_do_while_path_and_stamps_move(clock: AbstractClock) -> None:
    assert clock.can_stop
    assert clock.increments(PiecewiseLinearPath(None, [[0, 0], [1, -1], [-1, 0]])) == [0, 0]


@given(st.data())
def test_invariant_clocks_move_with_the_path_under_every_reparametrisation(data: st.DataObject) -> None:
    # θ(X∘φ) = θ(X)∘φ, with knots of φ between those of X.
    X = data.draw(paths(2, min_steps=1, max_steps=2))
    assume(X.times[0] < X.times[-1])
    clock = data.draw(invariant_clocks)
    middle = X.times[0] + (X.times[-1] - X.times[0]) * data.draw(st.sampled_from([fmpq(1, 7), fmpq(1, 2)]))
    phi = PiecewiseLinearPath([0, 1, 5], [[X.times[0]], [middle], [X.times[-1]]])
    assert clock(X.compose(phi))[-1] == clock(X)[-1]
    ews = EWS(Diagonal([1, 2]), clock=clock, depth=2)
    assert ews(X.compose(phi)) == ews(X)
    assert ews(X.compose(phi), 0, 1) == ews(X, X.times[0], middle)


FUNCTIONS = ExpPolys(EE)
CIRCLE = ExpPolyPath.from_functions([0, 1, 3], [FUNCTIONS.cosine(2), FUNCTIONS.sine(2)])


@pytest.mark.parametrize(
    ("clock", "increments"),
    [
        (Time(), [1, 2]),
        (Observation(), [1, 1]),
        (Variation(), [2, 4]),  # radius 1, two radians for a unit of time
        (Blended(fmpq(1, 2)), [2, 4]),
        (Gated([0, 0], 3), [3, 6]),
        (Gated([0, 0], -3), [0, 0]),
        (Clamped([[0, 0]], [fmpq(1, 4)]), [fmpq(1, 4), fmpq(1, 2)]),
        (Given([1, -1]), [1, -1]),
        (Increment(lambda v, gap: v[0] * v[0] + v[1] * v[1]), [4, 16]),
    ],
)
def test_clocks_that_are_affine_on_a_curve(clock: AbstractClock, increments: list) -> None:
    assert clock.increments(CIRCLE) == increments
    assert clock(CIRCLE) == [0, increments[0], increments[0] + increments[1]]


@pytest.mark.parametrize("clock", [Variation("l1"), Gated([1, 0]), Clamped([[1, 0]]), Increment(lambda v, gap: v[0])])
def test_clocks_that_are_not_affine_on_a_curve_are_refused(clock: AbstractClock) -> None:
    with pytest.raises(ValueError, match=r"is not affine on piece 0, a curve .*: take the time clock"):
        clock.increments(CIRCLE)


def test_a_straight_curve_is_read_like_a_line() -> None:
    line = PiecewiseLinearPath([0, 2, 3], [[0, 0], [3, -4], [3, -4]])
    for clock in (Variation(), Variation("l1"), Gated([1, 1], 1), Clamped([[1, 1], [0, -1]]), Blended(2, "l1")):
        assert clock.increments(line.curved()) == clock.increments(line)
    with pytest.raises(ValueError, match="real functions only"):
        Variation().increments(ExpPolyPath(None, [[FUNCTIONS.exponential(QQ_I.i)]]))


def test_irrational_norms_need_another_norm_or_balls() -> None:
    diagonal = PiecewiseLinearPath(None, [[0, 0], [1, 1]])
    with pytest.raises(ValueError, match=r"irrational.*'l1'"):
        Variation()(diagonal)
    found = Variation()(diagonal.over(Balls(64)))[1]
    assert found * found == 2


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: Variation(UNKNOWN), ValueError, "unknown norm"),
        (lambda: Blended(1, UNKNOWN), ValueError, "unknown norm"),
        (lambda: Blended(0), ValueError, r"must be above 0, got 0; .*Time\(\)"),
        (lambda: Blended(-1), ValueError, "must be above 0, got -1"),
        (lambda: Blended(0.5), TypeError, "A float is not exact"),
        (lambda: Clamped([[1]], [1, 2]), ValueError, "1 rows of weights but 2 biases"),
        (lambda: Increment(5), TypeError, r"takes a function \(v, gap\) ↦ Δθ, got 5 of type int"),  # type: ignore[arg-type]
        (lambda: Increment(lambda v, gap: 0.5)(X), TypeError, "A float is not exact"),
        (lambda: Given([1])(X), ValueError, "1 increments for a path of 3 pieces"),
        (lambda: Gated([1])(X), ValueError, r"1 weights does not read a path in R\^2"),
        (lambda: Gated([0.5, 1])(X), TypeError, "A float is not exact"),
    ],
)
def test_bad_arguments_are_refused(use: Callable, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()
