"""The structured matrices of the linear CDE form: the worked example, and the operators they stand for."""

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix, derivation
from ewsmath.linear_cde import generator_matrix, level_generator, lift_matrix, matrices
from ewsmath.strategies import algebras, square_matrices, tensors, vectors


def test_the_worked_example() -> None:
    a, b, c, d = 2, 3, 5, 7
    assert level_generator(Matrix(QQ, [[a, b], [c, d]]), 2) == Matrix(
        QQ, [[2 * a, b, b, 0], [c, a + d, 0, b], [c, 0, a + d, b], [0, c, c, 2 * d]]
    )
    ones = [[(i, j) for i in range(7) for j in range(7) if lift_matrix(QQ, e, 2)[i, j]] for e in ([1, 0], [0, 1])]
    assert ones == [[(1, 0), (3, 1), (5, 2)], [(2, 0), (4, 1), (6, 2)]]


@given(st.data())
def test_they_are_the_operators_on_vectors(data: st.DataObject) -> None:
    algebra = data.draw(algebras())
    A, v = data.draw(square_matrices(algebra.dim)), data.draw(vectors(QQ, algebra.dim))
    a = data.draw(tensors(algebra))
    L, rho = generator_matrix(A, algebra.depth), lift_matrix(QQ, v, algebra.depth)
    assert L.apply(a.vector()) == derivation(A, a).vector()
    assert rho.apply(a.vector()) == (a @ algebra.vector(v)).vector()


@given(square_matrices(2), vectors(QQ, 2))
def test_the_lie_bracket_stays_in_the_ideal(A: Matrix, v: list) -> None:
    L, rho = generator_matrix(A, 3), lift_matrix(QQ, v, 3)
    assert rho @ L - L @ rho == -lift_matrix(QQ, A.apply(v), 3)  # [-L, ρ(v)] = -ρ(Av)


@given(square_matrices(2), st.lists(vectors(QQ, 3), min_size=2, max_size=2))
def test_the_vector_fields_are_minus_l_and_the_lifted_axes(A: Matrix, rows: list) -> None:
    B = Matrix(QQ, rows)
    drift, *fields = matrices(A, B, 2)
    assert drift == -generator_matrix(A, 2)
    assert fields == [lift_matrix(QQ, [row[i] for row in rows], 2) for i in range(3)]
