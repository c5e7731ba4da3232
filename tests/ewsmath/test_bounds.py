"""Bounds: never below the true value on draws, attained or nearly so on examples, and refused where they fail."""

from collections.abc import Callable
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, QQ_I, Balls, Matrix, PiecewiseLinearPath
from ewsmath.bounds import factorial_bound, fewest_rates, propagator_bound, uniform_bound
from ewsmath.clocks import Blended, Given, Observation, Time, Variation
from ewsmath.generators import Dense, Diagonal, Jordan, Rotation, Zero
from ewsmath.matrix_norms import spectral_norm
from ewsmath.rings import WorkingPrecision
from ewsmath.strategies import clocks, paths, rationals, vectors

R = Balls(128)


def true_norm(ews: EWS, path: PiecewiseLinearPath[Any], n: int, *interval: Any) -> Any:
    """The Euclidean norm of level n of the EWS as a ball."""
    total = R.zero
    for x in ews(path, *interval).level(n):
        ball = R.coerce(x)
        total = total + ball * ball
    return R.square_root(total)


def is_above(bound: fmpq, value: Any) -> bool:
    return not value.value > bound


def within(bound: fmpq, value: Any, factor: fmpq) -> bool:
    """Whether the bound holds and exceeds the true value by no more than a factor."""
    return is_above(bound, value) and bool((value * factor).value > bound)


SMALL = st.lists(st.integers(-1, 1), min_size=4, max_size=4).map(lambda x: Matrix(QQ, [x[:2], x[2:]]))


@given(SMALL, SMALL, paths(2, max_steps=2), st.data())
def test_factorial_decay_bounds_every_level(A: Matrix[Any], B: Matrix[Any], X: Any, data: st.DataObject) -> None:
    ews = EWS(Dense(A, ring=R), B, data.draw(clocks(2, X.steps)), depth=2)
    for n in (1, 2):
        assert is_above(factorial_bound(ews, X, n), true_norm(ews, X, n))


DISSIPATIVE = st.one_of(
    st.builds(lambda a, b: Matrix(QQ, [[1 + a, b], [-b, 1]]), st.sampled_from([QQ.zero, QQ.one]), rationals()),
    st.builds(lambda a, b: Matrix(QQ, [[2, a], [b, 3]]), st.integers(-1, 1), st.integers(-2, 2)),
)


@given(DISSIPATIVE, paths(2, max_steps=2), vectors(QQ, 2), st.sampled_from([Variation("l1"), Blended(1, "l1")]))
def test_the_uniform_bound_holds_for_every_level(A: Any, X: Any, b: list[Any], clock: Any) -> None:
    ews = EWS(Dense(A, ring=R), [b, b[::-1]], clock, depth=2)
    for n in (1, 2):
        sharp, plain = uniform_bound(ews, X, n), uniform_bound(ews, X, n, sharp=False)
        assert is_above(sharp, true_norm(ews, X, n))
        assert sharp <= plain


@given(rationals(max_numerator=3), rationals(max_numerator=3), st.lists(rationals(), min_size=1, max_size=3))
def test_the_propagator_bound_is_sharp_in_one_dimension(rate: Any, x: Any, steps: list[Any]) -> None:
    ews = EWS(Diagonal(rate), clock=Given(steps))
    X = PiecewiseLinearPath.from_increments([[x]] * len(steps))
    theta = ews.clock(X)
    largest = R.zero
    for value in theta:
        largest = R.maximum(largest, R.exp(R.coerce(-rate * (theta[-1] - value))))
    assert within(propagator_bound(ews, X), largest, 1 + QQ.ratio(1, 10**6))


def test_a_propagator_that_grows_before_it_decays() -> None:
    ews, X = EWS(Dense([[1, 10], [0, 1]])), PiecewiseLinearPath([0, 2], [[0, 0], [1, 1]])
    samples = [spectral_norm(Matrix.over(R, ews.generator.exponential(QQ.ratio(k, 8)))) for k in range(17)]
    C = propagator_bound(ews, X)
    assert 1 < max(samples) <= C < max(samples) * QQ.ratio(6, 5)


def test_undamped_rotations_and_resting_paths_have_propagators_of_norm_one() -> None:
    X = PiecewiseLinearPath([0, 5], [[0, 0], [1, 1]])
    assert 1 <= propagator_bound(EWS(Rotation(None, 7)), X) < 1 + QQ.ratio(1, 10**6)
    assert 1 <= propagator_bound(EWS(Jordan(1, 2)), PiecewiseLinearPath(None, [[0, 0]])) < 1 + QQ.ratio(1, 10**6)


def test_the_bound_reads_the_interval_and_the_clock_of_the_whole_path() -> None:
    ews, X = EWS(Diagonal(1), clock=Given([1, -3])), PiecewiseLinearPath(None, [[0], [1], [3]])
    at = QQ.ratio(3, 2)  # half of the second piece: the clock goes back by 3/2
    assert within(propagator_bound(ews, X, 0, at), R.exp(R.ratio(3, 2)), 1 + QQ.ratio(1, 10**6))
    assert within(propagator_bound(ews, X, 0, 1), R.one, 1 + QQ.ratio(1, 10**6))
    assert is_above(factorial_bound(ews, X, 1, 0, at), true_norm(ews, X, 1, 0, at))


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_factorial_decay_is_attained_by_the_signature_of_a_line(n: int) -> None:
    X = PiecewiseLinearPath(None, [[0], [3]])
    ews = EWS(Zero(1), [[2]], depth=5)
    assert factorial_bound(ews, X, n) == ews(X).level(n)[0]


@pytest.mark.parametrize("n", [1, 2, 4])
def test_the_uniform_bound_is_attained_by_one_rate(n: int) -> None:
    X = PiecewiseLinearPath([0, 2], [[0], [2]])
    ews = EWS(Diagonal(QQ.ratio(3, 2)), [[5]], Time(), depth=4)
    assert within(uniform_bound(ews, X, n), true_norm(ews, X, n), 1 + QQ.ratio(1, 10**12))
    forever = PiecewiseLinearPath([0, 40], [[0], [40]])  # and the plain one in the limit of long intervals
    assert within(uniform_bound(ews, forever, n, sharp=False), true_norm(ews, forever, n), 1 + QQ.ratio(1, 10**12))


def test_a_level_beyond_the_depth_has_a_bound_too() -> None:
    X = PiecewiseLinearPath(None, [[0], [1]])
    assert factorial_bound(EWS(Zero(1), depth=1), X, 4) == QQ.ratio(1, 24)


def kernel(a: Any, w: Any, r: arb) -> arb:
    return (-(r * a)).exp() * (r * w).cos()


@given(st.data())
def test_fewer_rates_miss_the_kernel_at_a_turn(data: st.DataObject) -> None:
    a, w = (fmpq(data.draw(st.integers(1, 4)), 2) for _ in range(2))
    error = fmpq(1, data.draw(st.sampled_from([2, 10, 1000])))
    m = data.draw(st.integers(1, 3))
    rates = data.draw(st.lists(rationals(), min_size=m, max_size=m, unique=True))
    weights = data.draw(st.lists(rationals(), min_size=m, max_size=m))
    if m >= fewest_rates(a, w, error):
        return
    with WorkingPrecision(128):
        gaps = []
        for n in range(m + 1):
            r = arb.pi() * n / arb(w)
            total = arb(0)
            for c, rate in zip(weights, rates, strict=True):
                total += arb(c) * (-(r * arb(rate))).exp()
            gaps.append(abs(total - (-1) ** n * (-(r * arb(a))).exp()))
    assert not all(gap < error for gap in gaps)


def test_one_rate_comes_within_a_factor_of_five_halves_of_the_bound() -> None:
    """For e^{-r} cos r the bound asks one rate for an error of e^{-π} or more; 1.09 e^{-1.8 r} is within 2.5 e^{-π}."""
    assert fewest_rates(1, 1, fmpq(43, 1000)) == 2  # just below e^{-π}
    assert fewest_rates(1, 1, fmpq(44, 1000)) == 1
    with WorkingPrecision(64):
        error, step = (-arb.pi()).exp() * 5 / 2, fmpq(1, 400)
        slope = arb(4)  # |(e^{-r} cos r)'| ≤ √2 and |(1.09 e^{-1.8 r})'| ≤ 1.97
        for k in range(1600):  # r in [0, 4]; from there on both are below e^{-4} < e^{-π}
            r = arb(step * k)
            assert abs(kernel(1, 1, r) - (-(r * fmpq(9, 5))).exp() * fmpq(109, 100)) + slope * arb(step) < error


def test_the_width_against_a_second_route() -> None:
    # Floors and ceilings by hand: 10/π log 100 = 14.658…, 1/(2π) log 8 = 0.3309…
    assert fewest_rates(1, 10, QQ.ratio(1, 100)) == fewest_rates(1, -10, QQ.ratio(1, 100)) == 15
    assert fewest_rates(2, 1, QQ.ratio(1, 8)) == 1
    assert fewest_rates(1, 10, 1) == fewest_rates(1, 0, QQ.ratio(1, 2)) == 0
    assert fewest_rates(1, 10**9, 1 - QQ.ratio(1, 10**9)) == 1  # 0.3183…
    # Close above an integer: 64 bits do not tell the ceiling.
    with WorkingPrecision(400):
        near = Balls(400).coerce(arb.pi() / arb(2).log()).mid
    shift = QQ.ratio(1, 2**200)
    assert fewest_rates(1, near + shift, QQ.ratio(1, 2)) == 2
    assert fewest_rates(1, near - shift, QQ.ratio(1, 2)) == 1


X1 = PiecewiseLinearPath([0, 1, 1], [[0], [1], [2]])
REFUSED: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: fewest_rates(1, 1, 0), ValueError, r"in \(0, 1\], got 0: no number of rates gives less"),
    (lambda: fewest_rates(1, 1, 2), ValueError, r"got 2: above 1 no rate is needed"),
    (lambda: uniform_bound(EWS(Zero(1)), X1, 1), ValueError, "certified is μ = 0"),
    (lambda: uniform_bound(EWS(Diagonal(1)), X1, 1), ValueError, "over piece 1 the path moves, the clock may not"),
    (
        lambda: uniform_bound(EWS(Diagonal(1), clock=Given([1, -1])), X1, 1),
        ValueError,
        "does not decrease; over piece 1",
    ),
    (lambda: factorial_bound(EWS(Zero(1)), X1, -1), ValueError, "not below 0, got -1"),
    (lambda: factorial_bound(EWS(Zero(1)), X1, 0.5), TypeError, "whole number, got 0.5"),  # type: ignore[arg-type]
    (lambda: factorial_bound(EWS(Zero(2)), X1, 1), ValueError, r"path in R\^1 does not fit"),
    (lambda: factorial_bound(1, X1, 1), TypeError, "a bound is one of an EWS"),  # type: ignore[arg-type]
    (lambda: factorial_bound(EWS(Diagonal([QQ_I.i])), X1, 1), ValueError, "not real"),
    (lambda: fewest_rates(0, 1, 1), ValueError, "damping above 0"),
    (lambda: fewest_rates(1, 1, 2), ValueError, r"in \(0, 1\], got 2"),
    (lambda: fewest_rates(1, 1, 0), ValueError, r"in \(0, 1\], got 0"),
    (lambda: fewest_rates(0.5, 1, 1), TypeError, "A float is not exact"),
]


@pytest.mark.parametrize(("ask", "error", "text"), REFUSED)
def test_where_they_fail_bounds_are_refused(ask: Callable[[], Any], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        ask()


def test_exact_and_ball_data_give_the_same_bounds() -> None:
    X = PiecewiseLinearPath(None, [[0, 0], [3, 4], [3, 4]])
    exact = EWS(Jordan(1, 2), clock=Observation(), depth=2)
    balls = EWS(Jordan(1, 2).over(R), clock=Observation(), depth=2)
    assert exact.ring == EE
    for n in (1, 2):
        a, b = factorial_bound(exact, X, n), factorial_bound(balls, X, n)
        assert abs(a - b) < a * QQ.ratio(1, 10**6)
