"""Certified norms: never below the true ones, sharp on textbook matrices, and close to an independent route."""

from typing import Any

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, Matrix
from ewsmath.matrix_norms import (
    is_positive_definite,
    largest_eigenvalue,
    magnitude,
    numerical_range,
    row_norm,
    spectral_norm,
)

NEAR = QQ.ratio(1, 2**18)


def matrices(rows: int, columns: int) -> st.SearchStrategy[Matrix[Any]]:
    numbers = st.lists(st.integers(-5, 5), min_size=rows * columns, max_size=rows * columns)
    return numbers.map(lambda x: Matrix.flat(QQ, [fmpq(n, 2) for n in x], columns))


WIDE = st.sampled_from([(1, 3), (2, 3), (3, 2), (3, 3)]).flatmap(lambda shape: matrices(*shape))


def is_above_the_spectrum(t: fmpq, M: Matrix[Any]) -> bool:
    """A second route: all roots of a real-rooted polynomial are ≤ t iff it and its derivatives are ≥ 0 there."""
    polynomial = fmpq_mat(*M.shape, list(M.entries)).charpoly()
    while polynomial.degree() > 0:
        if polynomial(t) < 0:
            return False
        polynomial = polynomial.derivative()
    return True


@given(matrices(3, 3))
def test_the_largest_eigenvalue_is_bounded_closely(A: Matrix[Any]) -> None:
    S = A + A.transpose()
    bound = largest_eigenvalue(S)
    assert is_above_the_spectrum(bound, S)
    assert not is_above_the_spectrum(bound - NEAR * (1 + row_norm(S)), S)


@given(matrices(3, 3), matrices(3, 1))
def test_the_numerical_range_holds_every_quotient(A: Matrix[Any], column: Matrix[Any]) -> None:
    x = list(column.entries)
    low, high = numerical_range(A)
    square = sum((a * a for a in x), QQ.zero)
    value = sum((a * b for a, b in zip(x, A.apply(x), strict=True)), QQ.zero)
    assert low * square <= value <= high * square


@given(WIDE, matrices(3, 1))
def test_the_spectral_norm_bounds_images_and_is_close(M: Matrix[Any], column: Matrix[Any]) -> None:
    x = list(column.entries[: M.shape[1]])
    norm = spectral_norm(M)
    image = sum((y * y for y in M.apply(x)), QQ.zero)
    assert image <= norm * norm * sum((a * a for a in x), QQ.zero)
    gram = M.transpose() @ M
    assert is_above_the_spectrum(norm * norm, gram)
    assert not is_above_the_spectrum(norm * norm - NEAR * (1 + row_norm(gram)), gram)


def test_textbook_matrices_are_sharp() -> None:
    assert spectral_norm(Matrix(QQ, [[0, -3], [3, 0]])) == 3
    assert spectral_norm(Matrix(QQ, [[3, 4]])) == 5
    assert spectral_norm(Matrix.zeros(QQ, 2, 2)) == 0
    golden = spectral_norm(Matrix(QQ, [[1, 1], [0, 1]]))  # (1 + √5)/2
    assert 0 < golden * golden - golden - 1 < QQ.ratio(1, 10**6)
    assert numerical_range(Matrix(QQ, [[1, 7], [-7, 2]])) == (1, 2)
    low, high = numerical_range(Matrix(QQ, [[1, 2], [0, 1]]))
    assert QQ.zero <= high - 2 < QQ.ratio(1, 10**6)
    assert QQ.zero <= -low < QQ.ratio(1, 10**6)
    assert row_norm(Matrix(QQ, [[1, -2], [3, QQ.ratio(1, 2)]])) == QQ.ratio(7, 2)


def test_definiteness_is_only_claimed_with_certainty() -> None:
    assert is_positive_definite(Matrix(QQ, [[2, -1, 0], [-1, 2, -1], [0, -1, 2]]))
    assert not is_positive_definite(Matrix(QQ, [[1, 2], [2, 1]]))
    assert not is_positive_definite(Matrix(QQ, [[1, 1], [1, 1]]))
    tiny = Matrix(QQ, [[1, 1], [1, 1 + QQ.ratio(1, 2**60)]])
    assert is_positive_definite(tiny)
    assert not is_positive_definite(tiny, prec=30)


def test_numbers_of_every_ring_have_a_magnitude() -> None:
    R = Balls(64)
    assert magnitude(QQ.ratio(-3, 2)) == QQ.ratio(3, 2)
    assert 5 <= magnitude(QQ_I.number(3, 4)) < QQ.ratio(5001, 1000)
    assert EE.maximum(EE.exp(EE.one), EE.coerce(magnitude(-EE.exp(EE.one)))) == magnitude(EE.exp(EE.one))
    assert QQ.ratio(1, 3) <= magnitude(R.ratio(-1, 3)) < QQ.ratio(1, 3) + QQ.ratio(1, 2**50)
    half = Matrix(R, [[R.ratio(1, 3), 0], [0, R.ratio(1, 7)]])
    assert QQ.ratio(1, 3) <= spectral_norm(half) < QQ.ratio(1, 3) + NEAR
    assert EE.maximum(EE.exp(EE.one), EE.coerce(largest_eigenvalue(Matrix(EE, [[EE.exp(EE.one)]])))) != EE.exp(EE.one)


def test_what_has_no_such_norm_is_refused() -> None:
    with pytest.raises(ValueError, match="symmetric matrices only"):
        largest_eigenvalue(Matrix(QQ, [[0, 1], [0, 0]]))
    with pytest.raises(ValueError, match="is not real"):
        spectral_norm(Matrix(QQ_I, [[QQ_I.i]]) @ Matrix(QQ_I, [[QQ_I.number(1, 1)]]))
    with pytest.raises(ValueError, match="square"):
        numerical_range(Matrix.zeros(QQ, 1, 2))
