"""Reparametrisations: monotonicity is decided, and X∘φ has the points of X."""

from itertools import pairwise
from typing import Any

import pytest
from flint import fmpq, fmpq_poly
from hypothesis import assume, given
from hypothesis import strategies as st

from ewsmath import EE, QQ, ExpPolyPath, ExpPolys, PiecewiseLinearPath, signature
from ewsmath.paths.time_change import is_increasing, preimage
from ewsmath.strategies import curves, paths, rationals

F = ExpPolys(QQ)
u = F.variable
SQUARE = ExpPolyPath.from_functions([0, 1], [u * u], QQ)


@given(st.lists(rationals(), min_size=2, max_size=5))
def test_a_polynomial_that_is_said_to_increase_does_on_a_grid(coefficients: list[fmpq]) -> None:
    p = fmpq_poly(coefficients)
    values = [p(fmpq(j, 20)) for j in range(21)]
    rises = all(x < y for x, y in pairwise(values))
    if is_increasing(p):
        assert rises
    elif rises:  # it falls between two points of the grid only: the derivative is negative somewhere
        assert any(p.derivative()(fmpq(j, 2000)) <= 0 for j in range(2001))


@pytest.mark.parametrize(
    ("coefficients", "expected"),
    [
        ([0, 1], True),
        ([5, 0, 0, 1], True),  # u³: a flat point at the end
        ([0, 3, -6, 4], True),  # derivative 3(1 − 2u)²: a flat point inside
        ([0, 3, -6, fmpq(7, 2)], False),  # two turns inside
        ([0, 0, 0, 0, 1], True),
        ([0, 0, 1, -1], False),
        ([0, 2, -2], False),  # back where it started
        ([0, -1], False),
        ([1], False),
        ([0, 1, 1, 1, 1], True),
        # Turns at irrational points: derivative 8u² − 8u + 1.
        ([0, 1, -4, fmpq(8, 3)], False),
        ([0, 3, -4, fmpq(8, 3)], True),  # derivative 8u² − 8u + 3 has no real root
        # The derivative (1 − 2u)(1 − 3u) has the rational roots 1/2 and 1/3.
        ([0, 1, fmpq(-5, 2), 2], False),
    ],
)
def test_known_polynomials(coefficients: list[Any], expected: bool) -> None:
    assert is_increasing(fmpq_poly(coefficients)) is expected


def test_rational_preimages() -> None:
    assert preimage(fmpq_poly([0, 0, 1]), fmpq(1, 4)) == fmpq(1, 2)
    with pytest.raises(ValueError, match=r"the knot at time 1/2 comes at an irrational time under x\^2"):
        preimage(fmpq_poly([0, 0, 1]), fmpq(1, 2))


@given(paths(2, min_steps=1), st.lists(st.integers(1, 5), min_size=1, max_size=3), st.data())
def test_a_piecewise_linear_reparametrisation_keeps_points_and_signature(
    X: PiecewiseLinearPath, waits: list[int], data: st.DataObject
) -> None:
    start, end = X.times[0], X.times[-1]
    assume(start < end)
    times = [fmpq(0)]
    for wait in waits:
        times.append(times[-1] + wait)
    heights = sorted(data.draw(st.sets(st.integers(1, 19), min_size=len(waits) - 1, max_size=len(waits) - 1)))
    images = [start, *(start + (end - start) * fmpq(h, 20) for h in heights), end]
    phi = PiecewiseLinearPath(times, [[x] for x in images])
    found = X.compose(phi)
    assert isinstance(found, PiecewiseLinearPath)
    assert signature(found, 2) == signature(X, 2)
    assert (found.times[0], found.times[-1]) == (phi.times[0], phi.times[-1])
    for j in range(1, 40):
        t = times[-1] * fmpq(j, 40)
        assert found(t) == X(phi(t)[0])


@given(curves(1, max_steps=1))
def test_an_affine_reparametrisation_of_a_curve_keeps_points_and_signature(X: ExpPolyPath) -> None:
    (gap,) = X.gaps
    assume(gap)
    phi = PiecewiseLinearPath([0, 1, 4], [[0], [gap * fmpq(2, 3)], [gap]])
    found = X.compose(phi)
    assert signature(found, 2) == signature(X, 2)
    for t in (fmpq(1, 2), fmpq(1), fmpq(3)):
        assert found(t) == X(phi(t)[0])


def test_a_polynomial_reparametrisation() -> None:
    # Knots of X at 0, 1/4, 1 come at 0, 1/2, 1 under u².
    X = PiecewiseLinearPath([0, fmpq(1, 4), 1], [[0, 0], [1, 2], [4, -1]])
    found = X.compose(SQUARE)
    assert found.times == (0, fmpq(1, 2), 1)
    assert signature(found, 3) == signature(X, 3)
    for j in range(9):
        assert found(fmpq(j, 8)) == X(fmpq(j * j, 64))
    # A jump stays one, and a piece under an affine piece of φ stays a line.
    jump = PiecewiseLinearPath([0, fmpq(1, 4), fmpq(1, 4), 1], [[0], [1], [5], [6]])
    assert jump.compose(SQUARE).times == (0, fmpq(1, 2), fmpq(1, 2), 1)
    assert signature(jump.compose(SQUARE), 2) == signature(jump, 2)
    # A polynomial path under a polynomial is one of the product degree.
    assert ExpPolyPath.from_functions([0, 1], [u * u * u], QQ).compose(SQUARE) == ExpPolyPath.from_functions(
        [0, 1], [u * u * u * u * u * u], QQ
    )


def test_joined_polynomials_reparametrise() -> None:
    phi = SQUARE.then(PiecewiseLinearPath([0, 2], [[0], [3]]).curved())  # u² to 1, then linearly to 4
    X = PiecewiseLinearPath([0, 2, 4], [[0], [6], [0]])
    found = X.compose(phi)
    assert found.times == (0, 1, fmpq(5, 3), 3)
    assert signature(found, 2) == signature(X, 2)
    for t in (fmpq(1, 2), fmpq(4, 3), fmpq(5, 2)):
        assert found(t) == X(phi(t)[0])


def test_one_point_is_reparametrised_by_one_point() -> None:
    X = PiecewiseLinearPath([5], [[1]])
    assert X.compose(PiecewiseLinearPath([2], [[5]])) == PiecewiseLinearPath([2], [[1]])


LINE = PiecewiseLinearPath([0, 1], [[0], [1]])


@pytest.mark.parametrize(
    ("phi", "error", "message"),
    [
        (lambda: 5, TypeError, "is a path in R.1, got 5 of type int"),
        (lambda: PiecewiseLinearPath([0, 1], [[0, 0], [1, 1]]), ValueError, r"got one in R\^2"),
        (lambda: PiecewiseLinearPath([0, 1, 2], [[0], [0], [1]]), ValueError, "piece 0 of .* does not"),
        (lambda: PiecewiseLinearPath([0, 1, 2], [[0], [2], [1]]), ValueError, "piece 1 of .* does not"),
        (lambda: PiecewiseLinearPath([0, 0, 2], [[0], [fmpq(1, 2)], [1]]), ValueError, "does not jump, piece 0"),
        (lambda: PiecewiseLinearPath([0, 1], [[0], [2]]), ValueError, "times of the path, 0 to 1, got one from 0 to 2"),
        (lambda: ExpPolyPath.from_functions([0, 1], [ExpPolys(EE).exponential(1)]), ValueError, "rational coeff"),
        (lambda: ExpPolyPath.from_functions([0, 1], [u.scaled(fmpq(2)) - u * u], QQ), None, ""),
        (
            lambda: ExpPolyPath.from_functions([0, 1], [u.scaled(fmpq(3)) - (u * u).scaled(fmpq(2))], QQ),
            ValueError,
            "increases strictly",
        ),
    ],
)
def test_what_is_no_homeomorphism_is_refused(phi: Any, error: type[Exception] | None, message: str) -> None:
    if error is None:
        assert signature(LINE.compose(phi()), 3) == signature(LINE, 3)
        return
    with pytest.raises(error, match=message):
        LINE.compose(phi())


def test_exponentials_under_a_polynomial_are_refused() -> None:
    X = ExpPolyPath.from_functions([0, 1], [ExpPolys(EE).exponential(-1)])
    with pytest.raises(ValueError, match="for u it is no exponential polynomial: put in an affine"):
        X.compose(SQUARE)
