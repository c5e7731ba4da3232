"""Spectra in Q(i) or in parameters, and e^M and r ↦ e^{-rA} by interpolation of exp on the spectrum."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from math import factorial
from typing import Any, TypeVar

from flint import fmpq_mat, fmpq_poly

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.matrix import Matrix
from ewsmath.rings import (
    QQ,
    QQ_I,
    ExponentialRing,
    Gaussian,
    MatrixExponentialRing,
    RationalFunction,
    Ring,
    RingElement,
    Symbolic,
    exponent_field,
    exponent_of,
)

R = TypeVar("R", bound=RingElement)
Eigenvalue = Gaussian | RationalFunction | Symbolic


def eigenvalues(matrix: Matrix[Any]) -> list[Any]:
    """The eigenvalues of an exact matrix with multiplicity, equal ones side by side.

    Args:
        matrix: A square matrix whose entries are Gaussian rationals, over QQ, QQ_I or EE; or rational functions of
            parameters, over SR.

    Returns:
        As many Gaussian rationals as the matrix has rows; over SR rational functions.

    Raises:
        ValueError: The matrix is not square, an entry is no Gaussian rational, or the characteristic
            polynomial does not split over Q(i), or over Q(i) and the parameters.

    >>> eigenvalues(Matrix(QQ, [[0, -2], [2, 0]]))
    [-2i, 2i]
    """
    matrix.check_square("the spectrum")
    field: Any = exponent_field(matrix.ring)
    polynomial = _characteristic_polynomial(matrix.map(field, partial(exponent_of, matrix.ring)))
    found: list[Any] = []
    rest = polynomial
    for root in _candidates(polynomial) if field == QQ_I else field.roots(polynomial):
        while len(rest) > 1 and not (divided := _divide_by_root(rest, root))[1]:
            found.append(root)
            rest = divided[0]
    if len(rest) > 1:
        where, over = ("Q(i)", "EE") if field == QQ_I else (field.name, matrix.ring.name)
        instead = "" if field == QQ_I else ", with numbers for its parameters"
        raise ValueError(
            f"the characteristic polynomial of {matrix} does not split over {where}, so the exponential is not in "
            f"{over}: give the matrix over balls, ring=Balls(prec=128){instead}"
        )
    return found


def exponential(matrix: Matrix[R], spectrum: Sequence[Eigenvalue] | None = None) -> Matrix[R]:
    r"""The exponential of a square matrix.

    In balls for every matrix, by flint. Over QQ, QQ_I, EE and SR where the spectrum z_1, …, z_K is in Q(i), over SR
    with the parameters, by the polynomial that interpolates exp there (Newton's form, with confluent divided
    differences)

    .. math:: e^M = \sum_{j=1}^{K} \exp[z_1, …, z_j]\, (M - z_{j-1}) ⋯ (M - z_1)

    Args:
        matrix: The matrix M.
        spectrum: Its eigenvalues with multiplicity, equal ones side by side, where they are known: Gaussian
            rationals, over SR formulas or rational functions of the parameters.

    Returns:
        e^M over the same ring.

    Raises:
        ValueError: The spectrum leaves Q(i) and the parameters, or the ring does not contain the exponentials.

    >>> exponential(Matrix(QQ, [[0, 1, 0], [0, 0, 1], [0, 0, 0]]))
    Matrix(QQ, [[1, 1, 1/2], [0, 1, 1], [0, 0, 1]])
    """
    size = matrix.check_square("the exponential")
    if isinstance(matrix.ring, MatrixExponentialRing):
        return Matrix.flat(matrix.ring, matrix.ring.matrix_exponential(matrix.entries, size), size)
    points = eigenvalues(matrix) if spectrum is None else spectrum
    return _interpolate(matrix, Matrix.identity(matrix.ring, size), points, _exponentials(matrix.ring))


def exponential_times(matrix: Matrix[R], vector: Sequence[R], spectrum: Sequence[Eigenvalue]) -> list[R]:
    """The product e^M x of an exact exponential and a vector, without forming e^M.

    Args:
        matrix: The square matrix M, over QQ, QQ_I or EE.
        vector: The vector x.
        spectrum: The eigenvalues of M with multiplicity, equal ones side by side.

    Returns:
        The entries of e^M x.

    >>> N = Matrix(QQ, [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    >>> exponential_times(N, [QQ.zero, QQ.zero, QQ.one], [QQ_I.zero] * 3)
    [1/2, 1, 1]
    """
    x = Matrix.flat(matrix.ring, vector, 1)
    return list(_interpolate(matrix, x, spectrum, _exponentials(matrix.ring)).entries)


def kernel(matrix: Matrix[R], spectrum: Sequence[Eigenvalue] | None = None) -> Matrix[ExpPoly[R]]:
    """The function r ↦ e^{-rA}, entry by entry an exponential polynomial in r.

    Args:
        matrix: The matrix A, over QQ, QQ_I or EE.
        spectrum: Its eigenvalues with multiplicity, equal ones side by side, where they are known.

    Returns:
        A matrix over ``ExpPolys(ring)``.

    Raises:
        ValueError: The spectrum leaves Q(i).

    >>> kernel(Matrix(QQ, [[0, 1], [0, 0]]))
    Matrix(ExpPolys(QQ), [[1, -u], [0, 1]])
    """
    points = eigenvalues(matrix) if spectrum is None else spectrum
    functions = ExpPolys(matrix.ring)

    def taylor(z: Any, k: int) -> ExpPoly[R]:  # of z ↦ e^{-rz}: the k-th derivative over k! is (-r)^k/k! e^{-rz}
        return ExpPoly(matrix.ring, {(k, -z): matrix.ring.ratio((-1) ** k, factorial(k))})

    A = matrix.map(functions, functions.coerce)
    return _interpolate(A, Matrix.identity(functions, matrix.shape[0]), points, taylor)


def _exponentials(ring: Ring[R]) -> Callable[[Any, int], R]:
    def taylor(z: Any, k: int) -> Any:
        if not z:
            return ring.ratio(1, factorial(k))
        if not isinstance(ring, ExponentialRing):
            raise ValueError(f"{ring.name} does not contain e^({z}): take the matrix over EE")
        return ring.ratio(1, factorial(k)) * ring.exp(ring.coerce(z))

    return taylor


def divided_differences(ring: Ring[R], points: Sequence[Eigenvalue], taylor: Callable[[Any, int], R]) -> list[R]:
    r"""The divided differences f[z_1], f[z_1, z_2], …, f[z_1, …, z_K].

    .. math:: f[z_i, …, z_j] = \frac{f[z_{i+1}, …, z_j] - f[z_i, …, z_{j-1}]}{z_j - z_i},
        \qquad f[z, …, z] = f^{(k)}(z)/k!

    Args:
        ring: The ring of the values of f.
        points: The points, equal ones side by side.
        taylor: (z, k) ↦ f^{(k)}(z)/k!.

    Returns:
        As many values as there are points.

    >>> square = [lambda z: z * z, lambda z: 2 * z, lambda z: QQ_I.one]
    >>> divided_differences(QQ_I, [QQ_I.coerce(z) for z in (1, 1, 4)], lambda z, k: square[k](z))
    [1, 2, 1]
    """
    column: list[Any] = [taylor(z, 0) for z in points]
    result = column[:1]
    for k in range(1, len(points)):
        for i in range(len(points) - k):
            gap = points[i + k] - points[i]
            if gap:
                column[i] = ring.coerce(gap.inverse()) * (column[i + 1] - column[i])
            else:
                column[i] = taylor(points[i], k)
        result.append(column[0])
    return result


def _interpolate(
    M: Matrix[R], x: Matrix[R], points: Sequence[Eigenvalue], taylor: Callable[[Any, int], R]
) -> Matrix[R]:
    ring = M.ring
    total = Matrix.zeros(ring, *x.shape)
    for z, difference in zip(points, divided_differences(ring, points, taylor), strict=True):
        total = total + x.scaled(difference)
        x = M @ x - x.scaled(ring.coerce(z))
    return total


def _characteristic_polynomial(matrix: Matrix[Any]) -> list[Any]:
    """Coefficients from the constant one up; the leading one is 1."""
    size, field = matrix.shape[0], matrix.ring
    if field == QQ_I and all(entry.is_real for entry in matrix.entries):
        rational = fmpq_mat(size, size, [entry.real for entry in matrix.entries])
        return [QQ_I.coerce(c) for c in rational.charpoly().coeffs()]
    # Faddeev and LeVerrier: c_{n-k} = -tr(A M_k)/k, M_{k+1} = A M_k + c_{n-k} I.
    coefficients = [field.one]
    M = Matrix.identity(field, size)
    for k in range(1, size + 1):
        AM = matrix @ M
        c = -sum((AM[i, i] for i in range(size)), field.zero) * field.ratio(1, k)
        coefficients.append(c)
        M = AM + Matrix.identity(field, size) * c
    return coefficients[::-1]


def _candidates(polynomial: list[Gaussian]) -> list[Gaussian]:
    """All Gaussian rationals that may be roots, found by factoring over Q."""
    real = fmpq_poly([c.real for c in polynomial])
    if not all(c.is_real for c in polynomial):
        # The product with the conjugate polynomial is real, and has the roots and their conjugates.
        imag = fmpq_poly([c.imag for c in polynomial])
        real = real * real + imag * imag
    roots: list[Gaussian] = []
    for factor, _ in real.factor()[1]:
        if factor.degree() == 1:
            roots.append(QQ_I.coerce(-factor[0] / factor[1]))
        elif factor.degree() == 2:
            half, c = factor[1] / (2 * factor[2]), factor[0] / factor[2]
            distance = c - half * half
            try:
                w = QQ.square_root(distance)
            except ValueError:  # the two roots are real and irrational, or complex outside Q(i)
                continue
            roots += [QQ_I.number(-half, -w), QQ_I.number(-half, w)]
    ordered = sorted(roots, key=lambda z: (z.real, z.imag))
    return [z for z, _ in groupby(ordered)]


def _divide_by_root(polynomial: list[Any], root: Any) -> tuple[list[Any], Any]:
    """Quotient and remainder by x - root (Horner's rule)."""
    quotient = [polynomial[-1]]
    for c in polynomial[-2::-1]:
        quotient.append(c + root * quotient[-1])
    return quotient[-2::-1], quotient[-1]
