"""Level one is pinned: zeros, and the signature of another path, are refuted; lifts are told or left out."""

from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import (
    EE,
    EWS,
    QQ,
    Balls,
    PiecewiseLinearPath,
    clocks,
    exact,
    generators,
    laws,
    signature,
    strategies,
    to_numpy,
)

A = generators.Rotation([fmpq(1, 2)], [2])
X = np.array([[0.0, 0.0], [1.0, 2.0], [3.0, -1.0]])


def path_of(x: Any) -> Any:
    return x if isinstance(x, PiecewiseLinearPath) else PiecewiseLinearPath(None, exact(x))


def right(x: Any) -> Any:
    return to_numpy(signature(path_of(x), 3))


def ews(x: Any, dtheta: Any) -> Any:
    return EWS(A, clock=clocks.Given(exact(list(dtheta))), depth=2)(path_of(x))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: [np.zeros(2)],
        lambda x: [np.zeros(2), np.zeros((2, 2))],
        lambda x: right(2 * x),
        lambda x: right(x[:, ::-1]),
    ],
    ids=["zeros", "zeros of depth two", "path doubled", "channels exchanged"],
)
def test_what_products_and_powers_leave_open_is_refuted(wrong: Any) -> None:
    for law in (laws.scaling, laws.reparametrisation, laws.time_reversal):
        law(wrong, X)  # these say nothing of level one
    for law in (laws.chen, laws.shuffle):
        law(wrong, X, level_one=False)
        with pytest.raises(
            AssertionError, match=r"(chen|shuffle) fails at word [12], on level one \(where the function lifts"
        ):
            law(wrong, X)
    with pytest.raises(
        AssertionError, match=r"(?s)level_one fails at word [12] \(2 of 2.*X_t - X_s = .*eps\(float64\)"
    ):
        laws.level_one(wrong, X)


def test_another_kernel_is_refuted() -> None:
    def mirrored(x: Any, dtheta: Any) -> Any:
        other = generators.Rotation([fmpq(1, 2)], [-2])
        return EWS(other, clock=clocks.Given(exact(list(dtheta))), depth=2)(path_of(x))

    increments = [1, fmpq(-1, 2)]
    laws.shuffle(mirrored, path_of(X), dtheta=increments, generator=A, level_one=False)
    with pytest.raises(
        AssertionError, match=r"level_one fails at word [12] \(2 of 2.*\n.*\n *∫ e\^\{-\(θ_t-θ_u\)A\} B dX_u = "
    ):
        laws.level_one(mirrored, path_of(X), dtheta=increments, generator=A)
    with pytest.raises(AssertionError, match=r"modified_chen fails at word [12], on level one"):
        laws.modified_chen(lambda x, dtheta: [0 * x[0]], X, np.ones(2), A)


@given(st.data())
def test_true_code_passes(data: st.DataObject) -> None:
    path = data.draw(strategies.path_arrays(2, dtype=data.draw(st.sampled_from(["float32", "float64"]))))
    laws.level_one(right, path)
    laws.level_one(lambda x: [np.diff(x, axis=0).sum(axis=0)], path)
    Y = data.draw(strategies.paths(2, min_steps=1))
    increments = data.draw(strategies.clock_increments(Y.steps))
    laws.level_one(ews, Y, dtheta=increments, generator=A)


def test_a_lift_is_told() -> None:
    B = np.array([[1.0, -0.5], [0.0, 3.0], [2.0, 2.0]])
    laws.level_one(lambda x: [(x[-1] - x[0]) @ B.T], X, lift=B)
    with pytest.raises(AssertionError, match="level_one fails at word 3"):
        laws.level_one(lambda x: [(x[-1] - x[0]) @ B.T * [1, 1, 2]], X, lift=B)
    C = [[1], [2]]
    Y = PiecewiseLinearPath(None, [[0], [1], [3]])

    def lifted(x: Any, dtheta: Any) -> Any:
        return EWS(A, C, clocks.Given(dtheta), depth=2)(x)

    laws.level_one(lifted, Y, lift=C, dtheta=[1, -1], generator=A)
    laws.modified_chen(lifted, Y, [1, -1], A, lift=C)
    laws.modified_chen(lifted, Y, [1, -1], A, level_one=False)
    message = r"modified_chen: a path in R\^1 with level one in R\^2 needs a lift of 2 rows and 1 columns, got none"
    with pytest.raises(ValueError, match=message):
        laws.modified_chen(lifted, Y, [1, -1], A)
    for law in (laws.scaling, laws.reparametrisation, laws.time_reversal, laws.shuffle, laws.level_one):
        law(lifted, Y, lift=C, dtheta=[1, -1], generator=A)
        with pytest.raises(
            ValueError, match=r"needs a lift of 2 rows and 1 columns, got shape \(2, 2\): give the matrix B"
        ):
            law(lifted, Y, lift=[[1, 0], [0, 1]], dtheta=[1, -1], generator=A)


B = np.array([[90.0, -100.0], [80.0, 30.0], [3.0, 100.0]])
UNCLOCKED = [laws.chen, laws.shuffle, laws.scaling, laws.time_reversal, laws.reparametrisation, laws.level_one]


def single(x: Any, lift: Any = B) -> Any:
    """The signature to depth three of the lifted path, all in float32."""
    one, two, three = np.zeros(3, "f4"), np.zeros((3, 3), "f4"), np.zeros((3, 3, 3), "f4")
    for v in np.diff(x.astype("f4") @ lift.astype("f4").T, axis=0):
        vv = np.multiply.outer(v, v) / np.float32(2)
        three += np.multiply.outer(two, v) + np.multiply.outer(one, vv) + np.multiply.outer(vv, v) / np.float32(3)
        two += np.multiply.outer(one, v) + vv
        one += v
    return [one, two, three]


@pytest.mark.parametrize("law", UNCLOCKED)
@given(path=strategies.path_arrays(2, dtype="float32"))
def test_right_code_with_a_large_lift_passes(law: Any, path: Any) -> None:
    law(single, path, lift=B)


@pytest.mark.parametrize("law", UNCLOCKED)
def test_a_large_lift_that_is_told_leaves_mistakes_refuted(law: Any) -> None:
    path = np.array([[0.1, 0.3], [0.7, -0.2], [0.4, 0.9]], "f4")

    def wrong(x: Any) -> Any:
        one, two, three = single(x)
        return [one + np.float32(0.01 * len(x)), two, three]

    with pytest.raises(AssertionError, match=rf"{law.__name__} fails at word.*\n.*\n.*\n.*eps\(float32\)"):
        law(wrong, path, lift=B)


@given(st.data())
def test_an_ews_with_a_large_lift_passes(data: st.DataObject) -> None:
    rates = np.array([1.0, 0.5])
    lift = np.array([[100.0, 40.0], [-30.0, 70.0]], "f4")
    path = data.draw(strategies.path_arrays(2, dtype="float32", min_points=4, max_points=4))
    dtheta = np.array(data.draw(strategies.clock_increments(3)), float)

    def states(x: Any, increments: Any) -> Any:
        state = np.zeros(2, "f4")
        for v, r in zip(np.diff(x @ lift.T, axis=0), increments, strict=True):
            turned = (r * rates).astype("f4")
            safe = np.where(turned == 0, np.float32(1), turned)
            state = np.exp(-turned) * state + np.where(turned == 0, np.float32(1), -np.expm1(-turned) / safe) * v
        return [state]

    laws.modified_chen(states, path, dtheta, np.diag(rates), lift=lift)
    for law in (laws.scaling, laws.time_reversal, laws.reparametrisation, laws.shuffle, laws.level_one):
        law(states, path, lift=lift, dtheta=dtheta, generator=np.diag(rates))


def test_the_lift_is_in_the_tolerance() -> None:
    # Depth two of 100 X in float32, where level_one=False is the lift of norm 1 that is meant without one.
    path = np.array([[0.1, 0.3], [0.7, -0.2], [0.4, 0.9], [-0.6, 0.45]], "f4")
    lift = np.diag([100.0, 100.0, 1.0])[:, :2]

    def hundredfold(x: Any) -> Any:
        return single(x, lift)

    with pytest.raises(AssertionError, match=r"shuffle fails"):
        laws.shuffle(lambda x: [level[(slice(2),) * level.ndim] for level in hundredfold(x)], path, level_one=False)
    laws.shuffle(hundredfold, path, lift=lift)


def test_rings_are_compared_in_the_larger_one() -> None:
    e = EE.exp(EE.one)
    Y = PiecewiseLinearPath(None, [[EE.zero], [e], [e * e]], EE)
    laws.level_one(lambda x: signature(x, 2), Y)
    laws.level_one(lambda x: [[np.e**2], [np.e**4 / 2]], Y, depth=2)
    with pytest.raises(AssertionError, match=r"S\(X\) *= 7\n.*= e\^\(2\)"):
        laws.level_one(lambda x: [[7]], Y, depth=1)
    in_balls = A.over(Balls(128))
    laws.level_one(
        lambda x, r: EWS(in_balls, clock=clocks.Given(r), depth=1)(x),
        PiecewiseLinearPath(None, [[0, 0], [e, 1]], EE),
        dtheta=[QQ.ratio(1, 3)],
        generator=in_balls,
    )


def test_a_path_in_single_precision_is_judged_by_single_precision() -> None:
    # Increments of float32 numbers, rounded to float32; all else in float64: right code, with the errors of float32.
    path = np.array([[0.1, 1 / 3], [3.7, 0.001], [2.2, 5.1]], np.float32)

    def mixed(x: Any) -> Any:
        level1, level2 = np.zeros(2), np.zeros((2, 2))
        for v in np.diff(x, axis=0).astype("float64" if x.dtype == "float64" else "float32").astype(float):
            level2 = level2 + np.outer(level1, v) + np.outer(v, v) / 2
            level1 = level1 + v
        return [level1, level2]

    def single(x: Any) -> Any:
        return [level.astype("float32").astype(float) for level in mixed(x)]

    for law in (laws.chen, laws.shuffle, laws.reparametrisation, laws.scaling, laws.time_reversal, laws.level_one):
        law(mixed, path)
        law(single, path)
    with pytest.raises(AssertionError, match=r"eps\(float64\)"):
        laws.shuffle(single, path, dtype="float64")
    levels = [np.float32(1), path[0], np.outer(path[0], path[1])]

    def rounded(x: Any) -> Any:
        return [0 * x[0], np.asarray(A32 @ x[1], np.float32).astype(float)]

    A32 = np.array([[0.1, 0.7], [0.3, -0.2]], np.float32)
    laws.derivation(rounded, A32, levels[:2], levels[:2])
    with pytest.raises(AssertionError, match=r"eps\(float64\)"):
        laws.derivation(rounded, A32, levels[:2], levels[:2], dtype="float64")
    third = np.float32(1 / 3)
    laws.group_law(lambda x, y: float(np.float32(x) + np.float32(y)), third, np.float32(0.7), np.float32(5.3))
