"""Spectra and exponentials of matrices: laws by ==, and flint's exponential in balls as a twin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, ExpPolys, Matrix
from ewsmath.rings import SR, Gaussian
from ewsmath.spectrum import divided_differences, eigenvalues, exponential, exponential_times, kernel
from ewsmath.strategies import gaussians, generators, square_matrices

# The matrices on which a well-known computer algebra system got the Jordan form wrong, or hung.
REPEATED = [[1, 1, 1, 0], [-2, -1, 0, -1], [0, 0, -1, -1], [0, 0, 2, 1]]  # i and -i, twice each
SLOW = [[-3, 1, 2], [1, -1, 0], [1, 0, -2]]  # one rational eigenvalue, two irrational
BLOCKS = [[3, 0, 0, 0], [0, 1, 2, 0], [0, 2, 2, 0], [0, 0, 0, 4]]  # the middle block has (3 ± √17)/2


@given(generators(max_dim=3))
def test_eigenvalues_are_the_zeros_of_the_characteristic_polynomial(generator) -> None:
    A = Matrix.over(QQ_I, generator.matrix)
    found = eigenvalues(A)
    assert len(found) == A.shape[0]
    identity = Matrix.identity(QQ_I, A.shape[0])
    product = identity
    for z in found:
        product = product @ (A - identity * z)
    assert product == Matrix.zeros(QQ_I, *A.shape)  # Cayley and Hamilton
    trace = sum((A[i, i] for i in range(A.shape[0])), QQ_I.zero)
    assert sum(found, QQ_I.zero) == trace


@given(st.lists(gaussians(), min_size=1, max_size=3), st.data())
def test_eigenvalues_of_complex_matrices(diagonal: list[Gaussian], data: st.DataObject) -> None:
    n = len(diagonal)
    above = data.draw(square_matrices(n, QQ_I))
    A = Matrix(QQ_I, [[diagonal[i] if i == j else above[i, j] * int(j > i) for j in range(n)] for i in range(n)])
    assert sorted(map(str, eigenvalues(A))) == sorted(map(str, diagonal))


@given(generators(max_dim=3))
def test_the_kernel_solves_its_differential_equation(generator) -> None:
    A = Matrix.over(EE, generator.matrix)
    E = kernel(A)
    functions = ExpPolys(EE)
    derivative = E.map(functions, lambda f: f.derivative())
    assert derivative == -(A.map(functions, functions.coerce) @ E)
    assert E.map(EE, lambda f: f(0)) == Matrix.identity(EE, A.shape[0])


@given(generators(max_dim=3))
def test_exponential_agrees_with_the_kernel_and_with_balls(generator) -> None:
    A = Matrix.over(EE, generator.matrix)
    E = exponential(-A)
    assert kernel(A).map(EE, lambda f: f(1)) == E
    assert Matrix.over(ComplexBalls(96), E) == exponential(Matrix.over(ComplexBalls(96), -A))
    column = exponential_times(-A, Matrix.identity(EE, A.shape[0]).rows[0], eigenvalues(-A))
    assert column == list(E.transpose().rows[0])


def test_repeated_imaginary_eigenvalues() -> None:
    A = Matrix(EE, REPEATED)
    i = QQ_I.i
    assert eigenvalues(A) == [-i, -i, i, i]
    E = kernel(A)
    functions = ExpPolys(EE)
    assert E.map(functions, lambda f: f.derivative()) == -(A.map(functions, functions.coerce) @ E)
    assert E.shape == (4, 4)
    assert exponential(A) @ exponential(-A) == Matrix.identity(EE, 4)


@pytest.mark.parametrize("rows", [SLOW, BLOCKS])
def test_irrational_spectra_are_refused_and_balls_take_them(rows: list[list[int]]) -> None:
    with pytest.raises(ValueError, match=r"does not split over Q\(i\).*Balls\(prec=128\)"):
        exponential(Matrix(EE, rows))
    ring = Balls(128)
    E = exponential(Matrix(ring, rows))
    half = exponential(Matrix(QQ, rows).map(ring, lambda x: ring.coerce(x / 2)))
    assert half @ half == E
    assert E @ exponential(-Matrix(ring, rows)) == Matrix.identity(ring, len(rows))


def test_spectra_that_are_complex_but_not_gaussian_are_refused() -> None:
    with pytest.raises(ValueError, match="does not split"):
        eigenvalues(Matrix(QQ, [[0, -1], [2, 0]]))  # ±i√2
    with pytest.raises(ValueError, match="does not split"):
        eigenvalues(Matrix(QQ_I, [[0, 1], [QQ_I.i, 0]]))  # ±√i


def test_nilpotent_matrices_stay_rational() -> None:
    N = Matrix(QQ, [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert exponential(N) == Matrix(QQ, [[1, 1, QQ.ratio(1, 2)], [0, 1, 1], [0, 0, 1]])
    assert exponential(Matrix.zeros(QQ, 3, 3)) == Matrix.identity(QQ, 3)
    with pytest.raises(ValueError, match="take the matrix over EE"):
        exponential(Matrix(QQ, [[1]]))


@given(st.lists(gaussians(), min_size=1, max_size=4))
def test_divided_differences_of_powers_are_complete_symmetric_sums(points: list[Gaussian]) -> None:
    points = sorted(points, key=lambda z: (z.real, z.imag))
    k = len(points)
    found = divided_differences(QQ_I, points, lambda z, j: _taylor_of_power(z, k, j))
    assert found[-1] == sum(points, QQ_I.zero)  # of z^k at k points: h_1 = z_1 + … + z_k


def _taylor_of_power(z: Gaussian, power: int, order: int) -> Gaussian:
    binomial = 1
    for j in range(order):
        binomial = binomial * (power - j) // (j + 1)
    return binomial * z ** (power - order)


def test_matrices_that_are_not_square_are_refused() -> None:
    for use in (eigenvalues, exponential):
        with pytest.raises(ValueError, match="square"):
            use(Matrix.zeros(QQ, 1, 2))


def test_the_spectrum_of_a_matrix_of_formulas_is_given_as_formulas() -> None:
    a, b = SR.symbols("a b")
    M = Matrix(SR, [[a, 1], [0, b]])
    E = exponential(M, [a, b])
    assert exponential(M) == E
    assert Matrix(SR, [[SR.exp(a), (SR.exp(a) - SR.exp(b)) / (a - b)], [0, SR.exp(b)]]) == E
