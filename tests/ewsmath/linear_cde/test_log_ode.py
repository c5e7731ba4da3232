"""The Log-ODE: exact where brackets vanish, its order by dilation, and the sign of the bracket."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, ExpPolyPath, ExpPolys, Matrix, PiecewiseLinearPath, TensorAlgebra, signature, spectrum
from ewsmath.linear_cde import LinearCDE, log_ode, log_ode_flow, magnus, solution_series, windows
from ewsmath.log_signature import log_signature
from ewsmath.strategies import paths, square_matrices

CORNER = PiecewiseLinearPath(None, [[0, 0], [1, 0], [1, 1]])


def strict(numbers: list[int]) -> Matrix[Any]:
    """A strictly lower-triangular 4 x 4 matrix: products of four of them vanish."""
    rest = iter(numbers)
    return Matrix(QQ, [[next(rest) if j < i else 0 for j in range(4)] for i in range(4)])


STRICT = st.lists(st.integers(-3, 3), min_size=6, max_size=6).map(strict)


@given(STRICT, STRICT, paths(2, max_steps=2))
def test_it_is_exact_where_longer_products_vanish(M: Matrix[Any], N: Matrix[Any], path: Any) -> None:
    cde = LinearCDE([M, N])
    assert log_ode_flow(cde, path, 3) == log_ode_flow(cde, path, 3, "taylor") == cde.propagator(path)


@given(st.lists(square_matrices(2), min_size=2, max_size=2), paths(2))
def test_depth_two_is_the_increment_and_the_areas_with_the_bracket_turned_round(found: list, path: Any) -> None:
    cde = LinearCDE(found)
    S = signature(path, 2)
    area = (S[1, 2] - S[2, 1]) / 2
    M1, M2 = found
    expected = M1 * S[1] + M2 * S[2] + (M2 @ M1 - M1 @ M2) * area
    assert magnus(cde, path, 2) == expected == cde.field([S[1], S[2]]) + cde.bracket((1, 2)) * area
    assert log_ode_flow(cde, path, 2, "euler") == Matrix.identity(QQ, 2) + expected


@given(st.lists(square_matrices(2), min_size=2, max_size=2), paths(2, max_steps=2), st.integers(1, 2))
def test_orders_of_convergence(found: list, path: Any, depth: int) -> None:
    """Over a window scaled by u, Taylor coefficients in u: exact and taylor steps agree with the true flow to u^N."""
    cde = LinearCDE(found)
    algebra = TensorAlgebra(QQ, 2, 3)
    S = signature(path, 3)

    def level(a: Any, n: int) -> Matrix[Any]:
        return cde.represent(algebra.tensor({w: c for w, c in a.coefficients.items() if len(w) == n}))

    low = algebra.tensor({w: c for w, c in algebra.log(S).coefficients.items() if len(w) <= depth})
    for n in range(depth + 1):
        assert level(algebra.exp(low), n) == level(S, n)
    # Euler: I + Ω lacks ½Ω², so at order two it is wrong by half the square of the increment, at any depth above one.
    if depth == 2:
        total = cde.field([S[1], S[2]])
        assert level(S, 2) - level(low, 2) == total @ total * QQ.ratio(1, 2)


@given(st.lists(square_matrices(2), min_size=3, max_size=3), paths(3, max_steps=2))
def test_any_basis_of_brackets_gives_the_same_field(found: list, path: Any) -> None:
    cde = LinearCDE(found)
    for basis in ("lyndon brackets", "hall brackets by degree"):
        total = Matrix.zeros(QQ, 2, 2)
        for bracket, c in log_signature(path, 3, basis=basis).coefficients.items():
            total = total + cde.bracket(bracket) * c
        assert total == magnus(cde, path, 3)


def test_a_curved_path_drives_too() -> None:
    u = ExpPolys(QQ).variable
    parabola = ExpPolyPath([0, 1], [[u, u * u]], QQ)
    M1, M2 = Matrix(QQ, [[0, 0, 0], [1, 0, 0], [0, 0, 0]]), Matrix(QQ, [[0, 0, 0], [0, 0, 0], [0, 1, 0]])
    cde = LinearCDE([M1, M2])
    # h^2 = ω^1 = u, h^3 = ∫ h^2 dω^2 = ∫ 2u² du = 2/3.
    expected = Matrix(QQ, [[1, 0, 0], [1, 1, 0], [QQ.ratio(2, 3), 1, 1]])
    assert log_ode_flow(cde, parabola, 2) == solution_series(cde, parabola, 2) == expected
    with pytest.raises(TypeError, match="a linear CDE"):
        cde.flows(parabola)  # type: ignore[arg-type]


def test_the_wrong_order_of_the_bracket_is_seen() -> None:
    M1, M2 = Matrix(QQ, [[0, 0, 0], [1, 0, 0], [0, 0, 0]]), Matrix(QQ, [[0, 0, 0], [0, 0, 0], [0, 1, 0]])
    cde, half = LinearCDE([M1, M2]), QQ.ratio(1, 2)
    true = cde.flow([0, 1]) @ cde.flow([1, 0])
    assert spectrum.exponential(M1 + M2 + (M2 @ M1 - M1 @ M2) * half) == true == log_ode_flow(cde, CORNER, 2)
    assert spectrum.exponential(M1 + M2 - (M2 @ M1 - M1 @ M2) * half) != true
    assert log_ode_flow(cde, CORNER, 2, "euler") != true
    assert log_ode_flow(cde, CORNER, 1) != true


@given(paths(2, max_steps=3), st.integers(1, 4))
def test_windows_lose_and_share_nothing(path: Any, window: int) -> None:
    parts = list(windows(path, window))
    assert [dx for part in parts for dx in part.increments] == path.increments
    assert all(part.steps == window for part in parts[:-1])
    cde = LinearCDE([Matrix(QQ, [[0, 0], [1, 0]]), Matrix(QQ, [[0, 0], [2, 0]])])
    total = Matrix.identity(QQ, 2)
    for F in log_ode(cde, path, 1, window):
        total = F @ total
    assert total == cde.propagator(path)
    assert log_ode(cde, path, 2, 1, "euler") == cde.flows(path, cde.euler)  # one piece has no area


def test_one_piece_is_solved_by_depth_one() -> None:
    cde = LinearCDE([Matrix(EE, [[1, 1], [0, 1]])])
    path = PiecewiseLinearPath(None, [[0], [3]])
    assert log_ode_flow(cde, path, 3) == cde.flow([3])


def test_bad_arguments_are_refused() -> None:
    cde = LinearCDE([Matrix(QQ, [[1]])])
    with pytest.raises(ValueError, match="unknown step 'rk4': choose one of exact, taylor, euler"):
        log_ode_flow(cde, PiecewiseLinearPath(None, [[0], [1]]), 2, "rk4")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="number of pieces must be at least 1"):
        log_ode(cde, PiecewiseLinearPath(None, [[0], [1]]), 2, 0)
