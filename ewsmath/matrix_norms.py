"""Norms of matrices as certified bounds: row sums, the spectral norm, and the ends of the numerical range."""

from math import isqrt
from typing import Any

from flint import arb, fmpq

from ewsmath.matrix import Matrix
from ewsmath.rings import Ball, Balls, ComplexBalls, WorkingPrecision
from ewsmath.rings.door import rational

_PREC = 128
"""Bits in which definiteness is certified."""

_HALVINGS = 24
"""A bisection ends when its bracket is 2^-24 of what it was."""

_ROOT_BITS = 64


def magnitude(x: Any) -> fmpq:
    """A rational that is not below the absolute value: it itself for a rational, else from a ball around x.

    Args:
        x: A number of any ring of this package.

    Returns:
        The bound; the slack for a number that is not rational is about 2^-64 of it.

    Raises:
        ValueError: x is an unbounded ball.

    >>> from ewsmath.rings import QQ, QQ_I
    >>> magnitude(QQ.ratio(-3, 2)), 5 <= magnitude(QQ_I.number(3, -4)) < QQ.ratio(5000001, 1000000)
    (3/2, True)
    """
    value = rational(x)
    if value is not None:
        return abs(value)
    return (x if isinstance(x, Ball) else ComplexBalls(_PREC).coerce(x)).abs_upper()


def upper(x: Any) -> fmpq:
    """A rational that is not below a real number: x itself for a rational, else from a ball around it.

    Args:
        x: A real number of any ring of this package.

    Returns:
        The bound.

    Raises:
        ValueError: x is not real, or an unbounded ball.

    >>> from ewsmath.rings import QQ
    >>> upper(QQ.ratio(-3, 2))
    -3/2
    """
    value = rational(x)
    if value is not None:
        return value
    ball = Balls(_PREC).coerce(x)
    return ball.mid + ball.radius


def row_norm(M: Matrix[Any]) -> fmpq:
    r"""The largest row sum, an upper bound of the operator norm that belongs to the maximum norm.

    .. math:: ‖M‖_∞ = \max_i \sum_j |M_{ij}|

    Args:
        M: A matrix over any ring.

    Returns:
        A rational; ‖M‖_∞ itself when all entries are rational.

    >>> from ewsmath.rings import QQ
    >>> row_norm(Matrix(QQ, [[1, -2], [0, 1]]))
    3
    """
    largest = fmpq(0)
    for row in M.rows:
        total = fmpq(0)
        for x in row:
            total += magnitude(x)
        largest = max(largest, total)
    return largest


def is_positive_definite(M: Matrix[Any], prec: int = _PREC) -> bool:
    """Whether a real symmetric matrix is certainly positive definite, by elimination in balls.

    Args:
        M: A symmetric matrix with real entries; only its lower triangle is read.
        prec: Working precision in bits.

    Returns:
        True when all pivots of M = LDLᵀ are certainly positive. False otherwise: also for a matrix so close to
        a singular one that the precision does not tell.

    Raises:
        ValueError: M is not square, or an entry is not real.

    >>> from ewsmath.rings import QQ
    >>> is_positive_definite(Matrix(QQ, [[2, 1], [1, 1]])), is_positive_definite(Matrix(QQ, [[1, 1], [1, 1]]))
    (True, False)
    """
    M.check_square("definiteness")
    return _has_positive_pivots(_lower_triangle(M, prec), prec)


def _lower_triangle(M: Matrix[Any], prec: int) -> list[list[arb]]:
    return [[x.value for x in row[: i + 1]] for i, row in enumerate(Matrix.over(Balls(prec), M).rows)]


def _has_positive_pivots(rows: list[list[arb]], prec: int) -> bool:
    with WorkingPrecision(prec):
        for k, pivot_row in enumerate(rows):
            pivot = pivot_row[k]
            if not pivot > 0:
                return False
            for i in range(k + 1, len(rows)):
                factor = rows[i][k] / pivot
                for j in range(k + 1, i + 1):
                    rows[i][j] = rows[i][j] - factor * rows[j][k]
    return True


def largest_eigenvalue(M: Matrix[Any]) -> fmpq:
    """A rational that no eigenvalue of a real symmetric matrix exceeds.

    The largest diagonal entry is at most the largest eigenvalue, and a row sum bounds it (Gershgorin). Between the
    two a bisection certifies where tI - M is positive definite.

    Args:
        M: A symmetric matrix with real entries.

    Returns:
        The bound. It is the largest eigenvalue where M is diagonal and rational; else it is above it by at most
        2^-24 of the largest sum of absolute values off the diagonal of a row.

    Raises:
        ValueError: M is not symmetric, or an entry is not real.

    >>> from ewsmath.rings import QQ
    >>> t = largest_eigenvalue(Matrix(QQ, [[0, 1], [1, 0]]))
    >>> t >= 1, t < QQ.ratio(1000001, 1000000)
    (True, True)
    """
    size = M.check_square("the largest eigenvalue")
    if M.transpose() != M:
        raise ValueError(f"eigenvalues are bounded for symmetric matrices only, got {M}: take (M + Mᵀ)/2")
    diagonal = [upper(M[i, i]) for i in range(size)]
    low, high = max(diagonal), max(x + row_norm(_off_diagonal(M, i)) for i, x in enumerate(diagonal))
    negated = _lower_triangle(-M, _PREC)
    for _ in range(_HALVINGS if high > low else 0):
        t = (low + high) / 2
        shifted = [[*row[:-1], row[-1] + t] for row in negated]
        if _has_positive_pivots(shifted, _PREC):
            high = t
        else:
            low = t
    return high


def _off_diagonal(M: Matrix[Any], i: int) -> Matrix[Any]:
    return Matrix.flat(M.ring, [x for j, x in enumerate(M.rows[i]) if j != i], M.shape[1] - 1)


def numerical_range(A: Matrix[Any]) -> tuple[fmpq, fmpq]:
    r"""Bounds of the real numerical range: of the eigenvalues of the symmetric part of a matrix.

    .. math:: μ_- ‖x‖^2 ≤ ⟨x, Ax⟩ ≤ μ_+ ‖x‖^2, \qquad e^{-μ_+ r} ≤ \frac{‖e^{-rA} x‖}{‖x‖} ≤ e^{-μ_- r} \quad (r ≥ 0)

    Args:
        A: A square matrix with real entries.

    Returns:
        The certified bounds, the lower one first. Both are sharp where A + Aᵀ is diagonal, as for a skew matrix.

    Raises:
        ValueError: A is not square, or an entry is not real.

    >>> from ewsmath.rings import QQ
    >>> numerical_range(Matrix(QQ, [[1, 5], [-5, 2]]))
    (1, 2)
    """
    A.check_square("the numerical range")
    S = (A + A.transpose()) * A.ring.ratio(1, 2)
    return -largest_eigenvalue(-S), largest_eigenvalue(S)


def spectral_norm(M: Matrix[Any]) -> fmpq:
    r"""An upper bound of the operator norm that belongs to the Euclidean norm.

    .. math:: ‖M‖_2 = \sqrt{λ_{\max}(M^{\mathsf T} M)}

    Args:
        M: A matrix with real entries.

    Returns:
        A rational; ‖M‖_2 itself where MᵀM or MMᵀ is diagonal and rational and the root is rational, else close above.

    Raises:
        ValueError: An entry is not real.

    >>> from ewsmath.rings import QQ
    >>> spectral_norm(Matrix(QQ, [[3], [4]]))
    5
    """
    rows, columns = M.shape
    return _root(largest_eigenvalue(M @ M.transpose() if rows < columns else M.transpose() @ M))


def _root(x: fmpq) -> fmpq:
    """A rational not below √x, x ≥ 0: the root itself where it is rational."""
    scale = 2**_ROOT_BITS
    square = int(x.p) * int(x.q) * scale**2
    root = isqrt(square)
    return fmpq(root if root * root == square else root + 1, int(x.q) * scale)
