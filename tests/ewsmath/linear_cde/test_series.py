"""The solution series: exact where matrices are nilpotent, else within its remainder, which is not vacuous."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, Matrix, PiecewiseLinearPath
from ewsmath.linear_cde import LinearCDE, exponential_tail, nilpotency_index, series_remainder, solution_series
from ewsmath.matrix_norms import row_norm
from ewsmath.strategies import paths, square_matrices

STRICT = st.lists(st.integers(-2, 2), min_size=3, max_size=3).map(
    lambda x: Matrix(QQ, [[0, 0, 0], [x[0], 0, 0], [x[1], x[2], 0]])
)


@given(STRICT, STRICT, paths(2, max_steps=2))
def test_it_ends_where_products_vanish(M: Matrix[Any], N: Matrix[Any], path: Any) -> None:
    cde = LinearCDE([M, N])
    index = nilpotency_index(cde.matrices)
    assert index is not None
    assert solution_series(cde, path, max(index - 1, 1)) == cde.propagator(path)


@given(st.lists(square_matrices(2), min_size=2, max_size=2), paths(2, max_steps=2), st.integers(1, 4))
def test_the_remainder_bounds_what_is_left_out(found: list, path: Any, depth: int) -> None:
    cde, balls = LinearCDE(found), Balls(256)
    error = cde.over(balls).propagator(path.over(balls)) - Matrix.over(balls, solution_series(cde, path, depth))
    bound = series_remainder(cde, path, depth)
    for row in error.rows:
        total = balls.zero
        for x in row:
            total = total + balls.maximum(x, -x)
        # A ball may reach above the bound that its centre keeps: only what is certainly above refutes.
        assert not total.value > balls.coerce(bound).value
    assert row_norm(cde.over(balls).propagator(path.over(balls))) <= series_remainder(cde, path, -1) + QQ.ratio(
        1, 2**60
    )


@pytest.mark.parametrize("depth", [1, 4, 9])
def test_it_is_attained_by_one_growing_exponential(depth: int) -> None:
    cde = LinearCDE([Matrix(EE, [[1]])])
    path = PiecewiseLinearPath(None, [[0], [2]])
    left_out = EE.exp(EE.coerce(2)) - solution_series(cde, path, depth)[0, 0]
    bound = series_remainder(cde, path, depth)
    assert EE.maximum(left_out, EE.coerce(bound)) == bound
    assert EE.maximum(left_out * QQ.ratio(1001, 1000), EE.coerce(bound)) != bound


def test_the_tail_of_the_exponential_series() -> None:
    assert exponential_tail(QQ.zero, 1) == 0
    assert 1 <= exponential_tail(QQ.zero, 0) <= 2
    for x, start in [(QQ.ratio(1, 2), 0), (QQ.coerce(1), 3), (QQ.coerce(20), 2)]:
        true = EE.exp(EE.coerce(x))
        term = QQ.one
        for n in range(start):
            true, term = true - term, term * x / (n + 1)
        bound = exponential_tail(x, start)
        assert EE.maximum(true, EE.coerce(bound)) == bound
        assert EE.maximum(true * QQ.ratio(2**20 + 1, 2**20), EE.coerce(bound)) != bound
