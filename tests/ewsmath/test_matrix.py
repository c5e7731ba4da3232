"""Matrices: algebra by == on draws, each ring's own product against the schoolbook one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, Matrix
from ewsmath.rings import Ring
from ewsmath.strategies import elements, square_matrices


@pytest.mark.parametrize("ring", [QQ, QQ_I, EE, Balls(64), ComplexBalls(64)])
@given(data=st.data())
def test_product_is_the_sum_over_the_middle(ring: Ring, data: st.DataObject) -> None:
    rows, inner, columns = (data.draw(st.integers(1, 3)) for _ in range(3))
    a = [[data.draw(elements(ring)) for _ in range(inner)] for _ in range(rows)]
    b = [[data.draw(elements(ring)) for _ in range(columns)] for _ in range(inner)]
    product = Matrix(ring, a) @ Matrix(ring, b)
    for i in range(rows):
        for j in range(columns):
            total = ring.zero
            for k in range(inner):
                total = total + a[i][k] * b[k][j]
            assert ring.equal(product[i, j], total)


@given(square_matrices(2), square_matrices(2), square_matrices(3), square_matrices(3))
def test_kronecker_product_multiplies_factor_by_factor(A: Matrix, B: Matrix, C: Matrix, D: Matrix) -> None:
    assert A.kronecker(C) @ B.kronecker(D) == (A @ B).kronecker(C @ D)
    assert A.kronecker(C).transpose() == A.transpose().kronecker(C.transpose())


@given(square_matrices(2), square_matrices(3))
def test_summands_of_a_kronecker_sum_commute(A: Matrix, B: Matrix) -> None:
    zero2, zero3 = Matrix.zeros(QQ, 2, 2), Matrix.zeros(QQ, 3, 3)
    left, right = A.kronecker_sum(zero3), zero2.kronecker_sum(B)
    assert left + right == A.kronecker_sum(B)
    assert left @ right == right @ left == A.kronecker(B)


@pytest.mark.parametrize("ring", [QQ, QQ_I, Balls(128)])
@given(data=st.data())
def test_inverse_inverts_or_says_that_there_is_none(ring: Ring, data: st.DataObject) -> None:
    exact = data.draw(square_matrices(3))
    A = Matrix.over(ring, exact)
    try:
        inverse = A.inverse()
    except ZeroDivisionError:
        with pytest.raises(ZeroDivisionError):
            exact.inverse()
    else:
        assert A @ inverse == Matrix.identity(ring, 3)
        assert inverse @ A == Matrix.identity(ring, 3)
        assert inverse == Matrix.over(ring, exact.inverse())


def test_there_is_no_inverse_where_there_is_no_field() -> None:
    with pytest.raises(TypeError, match="EE is no field"):
        Matrix.identity(EE, 2).inverse()
    with pytest.raises(ValueError, match="square"):
        Matrix.zeros(QQ, 1, 2).inverse()


def test_block_diagonal_and_columns() -> None:
    A = Matrix.block_diagonal(QQ, [Matrix(QQ, [[1, 2], [3, 4]]), Matrix(QQ, [[5]])])
    assert Matrix(QQ, [[1, 2, 0], [3, 4, 0], [0, 0, 5]]) == A
    assert A @ Matrix.column(QQ, [1, 1, 1]) == Matrix.column(QQ, [3, 7, 5])
    assert A.apply([QQ.one, QQ.zero, QQ.one]) == [1, 3, 5]
    assert 2 * A - A == A
    assert Matrix.over(EE, A).ring == EE


def test_shapes_that_do_not_fit_are_refused() -> None:
    A, B = Matrix.zeros(QQ, 2, 3), Matrix.zeros(QQ, 2, 2)
    with pytest.raises(ValueError, match="no sum"):
        _ = A + B
    with pytest.raises(ValueError, match="no product"):
        _ = A @ B
    with pytest.raises(ValueError, match="row 1 of a matrix has 1 entries"):
        Matrix(QQ, [[1, 2], [3]])
    with pytest.raises(TypeError, match=r"row 0 of a matrix is a sequence of numbers, got 1 of type int"):
        Matrix(QQ, [1, 2])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"made of rows, got 5 of type int"):
        Matrix(QQ, 5)  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="count from 0"):
        A[2, 0]


def test_it_is_immutable_and_of_one_ring() -> None:
    A = Matrix(QQ, [[1]])
    with pytest.raises(AttributeError):
        A.shape = (2, 2)
    assert Matrix(EE, [[1]]) != A
    assert Matrix(QQ, []).shape == (0, 0)
