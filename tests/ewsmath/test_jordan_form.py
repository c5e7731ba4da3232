"""Jordan forms: A = P J P^{-1} by ==, and the block sizes of matrices that are known."""

from typing import Any

import pytest
from hypothesis import given

from ewsmath import EE, QQ_I, SR, Balls, Matrix
from ewsmath.generators import Dense
from ewsmath.jordan_form import direct_sum, jordan_form
from ewsmath.rings import RF
from ewsmath.spectrum import eigenvalues
from ewsmath.strategies import generators

# Matrices whose exponential a computer algebra system got wrong, or hung on; blocks found by hand.
KNOWN = [
    ([[1, 1, 1, 0], [-2, -1, 0, -1], [0, 0, -1, -1], [0, 0, 2, 1]], [(-QQ_I.i, 2), (QQ_I.i, 2)]),
    ([[5, 4, 2, 1], [0, 1, -1, -1], [-1, -1, 3, 0], [1, 1, -1, 2]], [(1, 1), (2, 1), (4, 2)]),
    ([[2, 0, 0], [0, 2, 1], [0, 0, 2]], [(2, 2), (2, 1)]),
    ([[0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], [(0, 2), (0, 2)]),
    ([[0, 0], [0, 0]], [(0, 1), (0, 1)]),
]


@pytest.mark.parametrize(("rows", "blocks"), KNOWN)
def test_known_block_sizes(rows: list[list[int]], blocks: list[tuple[Any, int]]) -> None:
    A = Matrix(QQ_I, rows)
    form = jordan_form(A, eigenvalues(A))
    assert list(form.blocks) == blocks
    assert form.basis @ form.matrix() @ form.inverse == A
    assert form.ring == QQ_I


@given(generators("Dense"))
def test_the_form_gives_the_matrix_back(generator: Dense) -> None:
    form = generator.jordan_form()
    assert form.basis @ form.matrix() @ form.inverse == Matrix.over(form.ring, generator.matrix)
    assert form.basis @ form.inverse == Matrix.identity(form.ring, generator.dim)
    assert sum(size for _, size in form.blocks) == generator.dim


def test_parameters_in_a_matrix() -> None:
    a, b = RF.symbols("a b")
    A = Matrix(SR, [[a, 1, b], [0, a, a * b], [0, 0, b]])
    form = jordan_form(Matrix.over(RF, A), eigenvalues(A))
    assert set(form.blocks) == {(a, 2), (b, 1)}
    assert form.basis @ form.matrix() @ form.inverse == Matrix.over(RF, A)


@pytest.mark.parametrize("wrong", [[1, 1], [2, 3], [2]])
def test_what_are_no_eigenvalues_is_refused(wrong: list[int]) -> None:
    with pytest.raises(ValueError, match=r"needs the eigenvalues|square"):
        jordan_form(Matrix(QQ_I, [[2, 1], [0, 2]]), wrong)


def test_forms_add_up() -> None:
    parts = [Dense([[0, 1], [-2, 3]]), Dense([[0, -2], [2, 0]]), Dense([[3, 1], [-1, 1]])]
    form = direct_sum(EE, [part.jordan_form() for part in parts])
    A: Matrix[Any] = Matrix.block_diagonal(EE, [part.matrix for part in parts])
    assert form.basis @ form.matrix() @ form.inverse == A
    assert [size for _, size in form.blocks] == [1, 1, 1, 1, 2]
    Q = Matrix(QQ_I, [[int(j >= i) for j in range(6)] for i in range(6)])
    there, back = Matrix.over(EE, Q), Matrix.over(EE, Q.inverse())
    moved = form.conjugated(there, back)
    assert moved.basis @ moved.matrix() @ moved.inverse == there @ A @ back


def test_dense_generators_in_balls_take_the_form_of_the_exact_matrix() -> None:
    exact = Dense([[0, 1], [-2, 3]])
    form = exact.over(Balls(96)).jordan_form()
    assert form.basis @ form.matrix() @ form.inverse == Matrix.over(form.ring, exact.matrix)
    with pytest.raises(ValueError, match=r"in Balls\(prec=96\) no Jordan form is found.*Conjugated\(P, J\)"):
        Dense([[1, 2], [2, 2]], ring=Balls(96)).jordan_form()
