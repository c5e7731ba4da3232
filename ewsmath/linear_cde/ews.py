"""The EWS as a linear CDE on R^K: the structured matrices L and ρ(v), and M_0, …, M_d."""

from collections.abc import Sequence
from typing import Any, TypeVar

from ewsmath.capacity import check_matrix
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring, RingElement
from ewsmath.words import size

R = TypeVar("R", bound=RingElement)


def level_generator(A: Matrix[R], n: int) -> Matrix[R]:
    r"""The generator of level n, a Kronecker sum of n copies of A.

    .. math:: L^{(n)} = \sum_{k=1}^n I_{m^{k-1}} ⊗ A ⊗ I_{m^{n-k}}

    Args:
        A: The m x m generator.
        n: The level; 0 gives the 1 x 1 zero matrix.

    Returns:
        An m^n x m^n matrix, Λ_A on level n in the order of the words.

    Raises:
        ValueError: A is not square, or the matrix is too large to be held.

    Paper: Appendix C.3.

    >>> from ewsmath.rings import QQ
    >>> level_generator(Matrix(QQ, [[1, 2], [3, 4]]), 2)
    Matrix(QQ, [[2, 2, 2, 0], [3, 5, 0, 2], [3, 0, 5, 2], [0, 3, 3, 8]])
    """
    K = A.check_square("level_generator") ** n
    check_matrix(K, K, "level_generator")
    L = Matrix.zeros(A.ring, 1, 1)
    for _ in range(n):
        L = L.kronecker_sum(A)
    return L


def generator_matrix(A: Matrix[R], depth: int) -> Matrix[R]:
    r"""The matrix of the derivation Λ_A on R^K.

    .. math:: L = \bigoplus_{n=0}^N L^{(n)}

    Args:
        A: The m x m generator.
        depth: Truncation depth N.

    Returns:
        A K x K matrix.

    Raises:
        ValueError: A is not square, or the matrix is too large to be held.

    Paper: Appendix C.3.

    >>> from ewsmath.rings import QQ
    >>> L = generator_matrix(Matrix(QQ, [[1, 2], [0, 3]]), 2)
    >>> L.shape, [L[i, i] for i in range(7)]
    ((7, 7), [0, 1, 3, 2, 4, 4, 6])
    """
    K = size(A.check_square("generator_matrix"), depth)
    check_matrix(K, K, "generator_matrix")
    return Matrix.block_diagonal(A.ring, [level_generator(A, n) for n in range(depth + 1)])


def lift_matrix(ring: Ring[R], v: Sequence[Any], depth: int) -> Matrix[R]:
    r"""The matrix of right multiplication by a vector, S ↦ S ⊗ v, on R^K.

    Strictly block-lower: its block from level n-1 to level n is the column I_{m^{n-1}} ⊗ v.

    Args:
        ring: The ring.
        v: The vector, m entries.
        depth: Truncation depth N.

    Returns:
        The K x K matrix ρ(v).

    Raises:
        ValueError: The matrix is too large to be held.

    Paper: Appendix C.3.

    >>> from ewsmath.rings import QQ
    >>> [(i, j) for i in range(7) for j in range(7) if lift_matrix(QQ, [1, 0], 2)[i, j]]
    [(1, 0), (3, 1), (5, 2)]
    """
    m = len(v)
    column = Matrix.column(ring, v)
    K = size(m, depth)
    check_matrix(K, K, "lift_matrix")
    rows = [[ring.zero] * K for _ in range(K)]
    for n in range(1, depth + 1):
        below, left = size(m, n - 1), size(m, n - 1) - m ** (n - 1)
        block = Matrix.identity(ring, m ** (n - 1)).kronecker(column)
        for i, row in enumerate(block.rows):
            rows[below + i][left : left + len(row)] = row
    return Matrix(ring, rows)


def matrices(A: Matrix[R], B: Matrix[R], depth: int) -> tuple[Matrix[R], ...]:
    r"""The matrices of the linear CDE that the EWS solves.

    .. math:: dS = \Big(M_0\, dθ + \sum_{i=1}^d M_i\, dX^i\Big) S, \qquad M_0 = -L, \quad M_i = ρ(B e_i)

    Args:
        A: The m x m generator.
        B: The m x d lift.
        depth: Truncation depth N.

    Returns:
        The d+1 matrices M_0, M_1, …, M_d, each K x K.

    Raises:
        ValueError: A is not square, or the matrices are too large to be held.

    Paper: Prop. 1; Appendix C.3.

    >>> from ewsmath.rings import QQ
    >>> for M in matrices(Matrix(QQ, [[2]]), Matrix(QQ, [[3]]), depth=2):
    ...     print(M)
    Matrix(QQ, [[0, 0, 0], [0, -2, 0], [0, 0, -4]])
    Matrix(QQ, [[0, 0, 0], [3, 0, 0], [0, 3, 0]])
    """
    lifts = (lift_matrix(A.ring, column, depth) for column in B.transpose().rows)
    return (-generator_matrix(A, depth), *lifts)
