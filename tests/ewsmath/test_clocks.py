"""Clocks: the formulas, and the columns of the clock table as laws on draws."""

from collections.abc import Callable
from typing import Any

import pytest
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, PiecewiseLinearPath
from ewsmath.clocks import AbstractClock, Blended, Clamped, Gated, Given, Observation, Time, Variation
from ewsmath.strategies import clocks, paths

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


@given(st.data())
def test_invariant_clocks_do_not_see_the_time_stamps(data: st.DataObject) -> None:
    X = data.draw(paths(2))
    clock = data.draw(clocks(2, X.steps))
    assume(clock.invariant)
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
    found = {
        type(clock).__name__: (clock.invariant, clock.can_stop, clock.additive)
        for clock in [Time(), Observation(), Variation(), Blended(1), Gated([1], 1), Clamped([[1]]), Given([1])]
    }
    assert found == {
        "Time": (False, False, True),
        "Observation": (False, False, False),
        "Variation": (True, False, True),
        "Blended": (False, False, True),
        "Gated": (False, True, True),
        "Clamped": (False, True, False),
        "Given": (None, None, None),
    }
    assert Gated([1]).invariant


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
        (lambda: Given([1])(X), ValueError, "1 increments for a path of 3 pieces"),
        (lambda: Gated([1])(X), ValueError, r"1 weights does not read a path in R\^2"),
        (lambda: Gated([0.5, 1])(X), TypeError, "A float is not exact"),
    ],
)
def test_bad_arguments_are_refused(use: Callable, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()
