"""Lie algebras of matrices: textbook ones, and Cartan's criterion as a second route to solvability."""

from typing import Any

import pytest
from flint import fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, Matrix
from ewsmath.linear_cde import MatrixLieAlgebra, commutator, matrices, nilpotency_index
from ewsmath.linear_cde.span import Span
from ewsmath.strategies import square_matrices


def unit(size: int, i: int, j: int) -> Matrix[Any]:
    return Matrix(QQ, [[int((i, j) == (k, n)) for n in range(size)] for k in range(size)])


def upper(size: int, strict: bool) -> list[Matrix[Any]]:
    return [unit(size, i, j) for i in range(size) for j in range(i + strict, size)]


def dimensions(series: list[Span]) -> list[int]:
    return [ideal.dimension for ideal in series]


def trace(X: Matrix[Any]) -> Any:
    total: Any = X.ring.zero
    for i in range(X.shape[0]):
        total = total + X[i, i]
    return total


def cartan(g: MatrixLieAlgebra) -> bool:
    """Cartan: a Lie algebra of matrices is solvable iff tr(xy) = 0 for all x in it and y in its derived algebra."""
    derived = [commutator(X, Y) for X in g.basis for Y in g.basis]
    return not any(trace(X @ Y) for X in g.basis for Y in derived)


SIGNS = st.lists(st.sampled_from([-1, 0, 1]), min_size=15, max_size=15)


@given(SIGNS)
def test_a_span_has_the_rank_of_its_rows_and_holds_their_sums(x: list[int]) -> None:
    rows, weights = [Matrix(QQ, [x[4 * k : 4 * k + 4]]) for k in range(3)], x[12:]
    span = Span(rows)
    assert span.dimension == fmpq_mat(3, 4, x[:12]).rank()
    total = Matrix.zeros(QQ, 1, 4)
    for c, row in zip(weights, rows, strict=True):
        total = total + row * c
    assert total in span


def test_a_span_holds_a_sum_whose_elimination_fills_in() -> None:
    plane = Span([Matrix(QQ, [[1, 0, 1]]), Matrix(QQ, [[1, 1, 0]])])
    assert Matrix(QQ, [[2, 1, 1]]) in plane
    assert Matrix(QQ, [[2, 1, -1]]) not in plane


def test_sl2_is_its_own_derived_algebra() -> None:
    g = MatrixLieAlgebra([unit(2, 0, 1), unit(2, 1, 0)])
    assert g.dimension == 3
    assert dimensions(g.derived_series) == dimensions(g.lower_central_series) == [3]
    assert not g.is_solvable
    assert not g.is_nilpotent
    assert Matrix(QQ, [[3, 1], [5, -3]]) in g
    assert Matrix.identity(QQ, 2) not in g


def test_so3_is_not_solvable() -> None:
    g = MatrixLieAlgebra([unit(3, 0, 1) - unit(3, 1, 0), unit(3, 1, 2) - unit(3, 2, 1)])
    assert (g.dimension, g.is_solvable) == (3, False)


def test_triangular_matrices_are_solvable_and_strictly_triangular_ones_nilpotent() -> None:
    b = MatrixLieAlgebra(upper(4, strict=False))
    assert dimensions(b.derived_series) == [10, 6, 3, 0]
    assert dimensions(b.lower_central_series) == [10, 6]
    assert (b.is_solvable, b.is_nilpotent) == (True, False)
    n = MatrixLieAlgebra(upper(4, strict=True))
    assert dimensions(n.lower_central_series) == [6, 3, 1, 0]
    assert dimensions(n.derived_series) == [6, 3, 0]
    assert n.is_nilpotent
    assert nilpotency_index(n.generators) == 4


def test_diagonal_matrices_are_abelian() -> None:
    d = MatrixLieAlgebra([Matrix.diagonal(QQ, [1, 2]), Matrix.diagonal(QQ, [1, -1]), Matrix.identity(QQ, 2)])
    assert (d.dimension, d.is_abelian, d.is_nilpotent) == (2, True, True)
    assert not MatrixLieAlgebra([unit(2, 0, 1), unit(2, 0, 0)]).is_abelian
    assert dimensions(MatrixLieAlgebra([Matrix.zeros(QQ, 2, 2)]).derived_series) == [0]


def test_complex_entries_take_the_field_along() -> None:
    i = QQ_I.i
    g = MatrixLieAlgebra([Matrix(QQ_I, [[0, 1], [i, 0]]), Matrix(EE, [[1, 0], [0, -1]])])  # sl2 again
    assert (g.dimension, g.is_solvable) == (3, False)
    assert MatrixLieAlgebra([Matrix(QQ_I, [[i, 1], [0, 0]]), Matrix(QQ_I, [[0, i], [0, 0]])]).is_solvable
    assert MatrixLieAlgebra([Matrix(QQ, [[1]]), Matrix(QQ_I, [[i]])]).dimension == 1


@given(st.lists(square_matrices(2), min_size=1, max_size=3))
def test_it_is_closed_and_cartan_agrees(generators: list[Matrix[Any]]) -> None:
    g = MatrixLieAlgebra(generators)
    assert all(X in g for X in generators)
    assert all(commutator(X, Y) in g for X in g.basis for Y in g.basis)
    assert g.is_solvable == cartan(g)


@given(st.lists(st.integers(-3, 3), min_size=15, max_size=15))
def test_conjugate_triangular_matrices_are_solvable(x: list[int]) -> None:
    P = Matrix(QQ, [[1, 0, 0], [x[0], 1, 0], [x[1], x[2], 1]])
    triangles = [Matrix(QQ, [[a, b, c], [0, d, e], [0, 0, f]]) for a, b, c, d, e, f in (x[3:9], x[9:])]
    g = MatrixLieAlgebra([P @ T @ P.inverse() for T in triangles])
    assert g.is_solvable
    assert cartan(g)


@given(square_matrices(2), square_matrices(2))
def test_the_ews_generates_a_solvable_algebra(A: Matrix[Any], B: Matrix[Any]) -> None:
    g = MatrixLieAlgebra(matrices(A, B, 2))
    assert g.is_solvable
    assert g.dimension <= 1 + 3  # L, and right multiplications by Lie elements: 2 + 1 in two letters at depth two


def test_the_ews_of_a_full_lift_has_the_free_nilpotent_ideal() -> None:
    # L, and the free nilpotent algebra in 2 letters of step 3: 2 + 1 + 2.
    g = MatrixLieAlgebra(matrices(Matrix(QQ, [[1, 2], [0, 3]]), Matrix.identity(QQ, 2), 3))
    assert dimensions(g.derived_series) == [6, 5, 3, 0]
    assert dimensions(g.lower_central_series) == [6, 5]
    assert cartan(g)
    signature = MatrixLieAlgebra(matrices(Matrix.zeros(QQ, 2, 2), Matrix.identity(QQ, 2), 3))
    assert signature.is_nilpotent
    assert nilpotency_index(signature.generators) == 4


@given(st.lists(square_matrices(2), min_size=1, max_size=2))
def test_the_nilpotency_index_is_the_length_at_which_products_vanish(found: list[Matrix[Any]]) -> None:
    zero = Matrix.zeros(QQ, 2, 2)
    pairs = all(zero == X @ Y for X in found for Y in found)
    expected = 1 if all(zero == X for X in found) else 2 if pairs else None
    assert nilpotency_index(found) == expected


def test_bad_generators_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one matrix"):
        MatrixLieAlgebra([])
    with pytest.raises(TypeError, match=r"takes matrices, got \[\[1\]\] of type list"):
        MatrixLieAlgebra([[[1]]])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="square"):
        MatrixLieAlgebra([Matrix.zeros(QQ, 1, 2)])
    with pytest.raises(ValueError, match=r"one size, got shapes \(1, 1\) and \(2, 2\)"):
        MatrixLieAlgebra([Matrix.zeros(QQ, 1, 1), Matrix.zeros(QQ, 2, 2)])
    with pytest.raises(ValueError, match="exact fields only"):
        nilpotency_index([Matrix.zeros(Balls(64), 2, 2)])
    with pytest.raises(ValueError, match="no Gaussian rational"):
        MatrixLieAlgebra([Matrix(EE, [[EE.exp(EE.one)]])])
    assert repr(MatrixLieAlgebra([unit(2, 0, 1)])) == "MatrixLieAlgebra(dimension=1, size=2)"
    assert repr(Span()) == "Span(dimension=0)"
