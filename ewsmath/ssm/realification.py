"""Real forms of complex vectors and matrices, in interleaved coordinates."""

from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ_I, Ring
from ewsmath.ssm.working_ring import complexified, imag_part, real_part


def realified(matrix: Matrix[Any], ring: Ring[Any]) -> Matrix[Any]:
    r"""The real form of a complex matrix, in interleaved coordinates Re h_1, Im h_1, Re h_2, ….

    .. math:: a ↦ \begin{pmatrix} \operatorname{Re} a & -\operatorname{Im} a \\
        \operatorname{Im} a & \operatorname{Re} a \end{pmatrix}

    Args:
        matrix: An n x k matrix over the complex ring.
        ring: The working ring.

    Returns:
        A 2n x 2k matrix over the working ring.

    >>> from ewsmath.rings import QQ
    >>> realified(Matrix(QQ_I, [[QQ_I.number(1, 2)]]), QQ)
    Matrix(QQ, [[1, -2], [2, 1]])
    """
    rows: list[list[Any]] = []
    for row in matrix.rows:
        parts = [(real_part(z), imag_part(z)) for z in row]
        rows.append([x for a, b in parts for x in (a, -b)])
        rows.append([x for a, b in parts for x in (b, a)])
    return Matrix(ring, rows)


def stacked(matrix: Matrix[Any], ring: Ring[Any]) -> Matrix[Any]:
    """The real form of a complex lift that takes real inputs: rows Re b_1, Im b_1, Re b_2, ….

    Args:
        matrix: An n x d matrix over the complex ring.
        ring: The working ring.

    Returns:
        A 2n x d matrix over the working ring.

    >>> from ewsmath.ssm import FRACTIONS
    >>> stacked(Matrix(FRACTIONS, [[3], [QQ_I.number(1, 2)]]), FRACTIONS)
    Matrix(Frac(EE), [[3], [0], [1], [2]])
    """
    return Matrix(ring, [[part(z) for z in row] for row in matrix.rows for part in (real_part, imag_part)])


def joined(ring: Ring[Any], size: int) -> Matrix[Any]:
    """The coordinates T = I ⊗ (1, i): interleaved real and imaginary parts to complex numbers.

    Args:
        ring: The working ring.
        size: The number n of complex numbers.

    Returns:
        An n x 2n matrix over the complex ring.

    >>> from ewsmath.ssm import FRACTIONS
    >>> joined(FRACTIONS, 2)
    Matrix(Frac(EE), [[1, i, 0, 0], [0, 0, 1, i]])
    """
    C = complexified(ring)
    return Matrix.identity(C, size).kronecker(Matrix(C, [[1, QQ_I.i]]))
