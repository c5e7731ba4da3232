"""The EWS of paths in closed form: two routes, the re-weighted path, and transforms by hand."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, QQ_I, Balls, ExpPoly, ExpPolyPath, ExpPolys, PiecewiseLinearPath, signature
from ewsmath.clocks import Observation, Variation
from ewsmath.ews import unit
from ewsmath.generators import Dense, Diagonal, Jordan, Rotation, Zero
from ewsmath.strategies import clocks, curves, generators, paths, rationals

F = ExpPolys(EE)
u = F.variable


def e(q: Any) -> Any:
    return EE.exp(EE.coerce(q))


@given(st.data())
def test_both_routes_agree_on_curves(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2)).over(EE)
    X = data.draw(curves(generator.dim, max_steps=1))
    ews = EWS(generator, depth=2)
    S = ews(X)
    assert ews(X, route="recursion") == S
    assert S.is_group_like()


@given(st.data())
def test_the_reweighted_path_has_the_ews_as_its_signature(data: st.DataObject) -> None:
    generator = data.draw(generators(max_dim=2)).over(EE)
    ews = EWS(generator, depth=2)
    X = data.draw(st.one_of(curves(generator.dim), paths(generator.dim, min_steps=1, max_steps=2)))
    Z = ews.reweighted(X)
    assert Z.times == X.times
    assert set(Z.values[0]) == {0}
    assert signature(Z, 2) == ews(X)
    assert EWS.signature(generator.dim, 2, EE)(Z, route="recursion") == ews(X)


@given(st.data())
def test_the_reweighted_path_of_a_line_under_any_clock_and_of_an_interval(data: st.DataObject) -> None:
    X = data.draw(paths(2, min_steps=2, max_steps=3))
    ews = EWS(Jordan(1, 2), [[1, 0], [1, 2]], data.draw(clocks(2, X.steps)), depth=2)
    s = X.times[0] + (X.times[-1] - X.times[0]) * data.draw(st.sampled_from([fmpq(0), fmpq(1, 3)]))
    if ews.stretches(X, s, X.times[-1]):
        assert signature(ews.reweighted(X, s, X.times[-1]), 2) == ews(X, s, X.times[-1])


def test_the_reweighted_path_needs_a_path() -> None:
    ews = EWS(Diagonal(1))
    X = PiecewiseLinearPath([0, 1], [[0], [1]])
    with pytest.raises(ValueError, match="nothing of the path lies in the interval"):
        ews.reweighted(X, 5, 6)
    with pytest.raises(ValueError, match="decidable zero"):
        ews.over(Balls(64)).reweighted(X)
    # The weights reach to the end of the interval: S(Z^{[t]}) changes with t as a whole.
    Z, longer = ews.reweighted(X, 0, fmpq(1, 2)), ews.reweighted(X)
    assert longer(fmpq(1, 2))[0] == Z(fmpq(1, 2))[0] * e(fmpq(-1, 2))


@pytest.mark.parametrize("rate", [QQ.ratio(1, 2), QQ_I.number(0, 3), QQ_I.number(1, -2)])
@given(power=st.integers(1, 4), alpha=st.sampled_from([0, 1, -2, QQ_I.i]), T=rationals(max_numerator=4))
def test_depth_one_is_the_laplace_and_the_fourier_transform(rate: Any, power: int, alpha: Any, T: fmpq) -> None:
    # ∫_0^T e^{−λ(T−t)} dX_t with X = t^p e^{αt}; λ = iω gives the Fourier transform on [0, T].
    T = abs(T) + 1
    X = F.exponential(alpha)
    for _ in range(power):
        X = X * u
    transform = e(-rate * T) * (F.exponential(rate) * X.derivative()).integral()(T)
    assert EWS(Diagonal(rate), depth=1)(ExpPolyPath.from_functions([0, T], [X]))[1] == transform


def test_transforms_by_hand() -> None:
    # ∫_0^T e^{−λ(T−t)} d(t²) = 2T/λ − 2/λ² (1 − e^{−λT}).
    rate, T = fmpq(2), fmpq(3)
    S = EWS(Diagonal(rate), depth=1)(ExpPolyPath.from_functions([0, T], [u * u]))
    assert S[1] == 2 * T / rate - 2 / rate**2 * (1 - e(-rate * T))
    # ∫_0^T e^{−(T−t)} d(sin t) = (cos T + sin T − e^{−T})/2.
    S = EWS(Diagonal(1), depth=1)(ExpPolyPath.from_functions([0, T], [F.sine(1)]))
    assert S[1] == (F.cosine(1)(T) + F.sine(1)(T) - e(-T)) / 2
    # Resonance: a rotation of frequency 1 on a cosine of frequency 1 grows like T/2.
    S = EWS(Rotation(0, 1), [[1], [0]], depth=1)(ExpPolyPath.from_functions([0, T], [F.sine(1)]))
    assert S[1] == F.cosine(1)(T) * T / 2 + F.sine(1)(T) / 2  # ∫ cos(T−t) cos t dt


@given(curves(2, max_steps=1))
def test_modified_chen_and_streams_of_curves(X: ExpPolyPath) -> None:
    ews = EWS(Diagonal([1, 2]), depth=2)
    end = X.times[-1] + 1
    total = unit(ews.generator, 2)
    for segment in ews.segments(X, -1, fmpq(1, 3)) + ews.segments(X, fmpq(1, 3), end):
        total = total @ segment
    assert total.ews == ews(X, -1, end)
    assert ews.stream(X)[-1] == ews(X)


@given(curves(1, max_steps=1))
def test_an_affine_change_of_time_is_another_rate(X: ExpPolyPath) -> None:
    slow = X.reparametrise(lambda t: 2 * t)
    assert EWS(Diagonal(1), depth=2)(slow) == EWS(Diagonal(2), depth=2)(X)


def test_a_line_written_as_a_curve_has_the_same_ews() -> None:
    X = PiecewiseLinearPath([3, 5, 5, 6], [[0, 0], [1, 2], [0, 3], [4, 4]])
    for clock in (None, Observation(), Variation("l1")):
        ews = EWS(Jordan(1, 2), clock=clock, depth=3)
        assert ews(X.curved()) == ews(X)
        assert ews(X.curved(), 4, fmpq(11, 2)) == ews(X, 4, fmpq(11, 2))


def test_the_worked_number_of_a_quadratic_change_of_time() -> None:
    # A = B = 1, X_u = u, φ(u) = u²: 1 − 1/e against 2/e.
    X = PiecewiseLinearPath([0, 1], [[0], [1]])
    squared = X.compose(ExpPolyPath.from_functions([0, 1], [ExpPolys(QQ).variable * ExpPolys(QQ).variable], QQ))
    ews = EWS(Diagonal(1), depth=1)
    assert ews(X)[1] == 1 - e(-1)
    assert ews(squared)[1] == 2 * e(-1)
    variation = EWS(Diagonal(1), clock=Variation(), depth=2)
    with pytest.raises(ValueError, match="is not affine on piece 0"):
        variation(squared)


def test_polynomials_stay_rational_under_a_nilpotent_generator() -> None:
    X = ExpPolyPath.from_functions([0, 1], [u, u * u])
    S = EWS(Jordan(0, 2), depth=2)(X)
    assert S.algebra.ring == QQ
    # ∫ d(t²) = 1; ∫ dt − ∫ (1−t) d(t²) = 1 − 1/3.
    assert S.level(1) == [fmpq(2, 3), 1]
    with pytest.raises(ValueError, match=r"EWS over QQ does not read a path with exponentials: .*over\(EE\)"):
        EWS(Zero(1))(ExpPolyPath.from_functions([0, 1], [F.exponential(1)]))


def test_curves_are_refused_where_they_cannot_be_solved() -> None:
    X = ExpPolyPath.from_functions([0, 1], [u * u])
    for route in ("structured", "group"):
        with pytest.raises(ValueError, match=rf"the route '{route}' solves lines.*iterated or recursion"):
            EWS(Diagonal(1))(X, route=route)
    with pytest.raises(ValueError, match="decidable zero"):
        EWS(Dense([[1, 2], [2, 2]], ring=Balls(64)), [[1], [0]])(X)
    assert EWS(Diagonal(1), depth=1).local(1, [u.derivative()]) == EWS(Diagonal(1), depth=1).local(1, [1])
    zero: ExpPoly[Any] = F.zero
    assert EWS(Diagonal(1), depth=2).local(1, [zero]) == EWS(Diagonal(1), depth=2).algebra.one()
