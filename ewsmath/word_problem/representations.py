"""Representations of groups of permutations by exact matrices."""

from collections.abc import Callable
from typing import Any

from flint import fmpz_poly

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ring
from ewsmath.rings.door import whole
from ewsmath.word_problem.permutations import Permutation

Representation = Callable[[Permutation], Matrix[Any]]


def permutation_matrix(p: Permutation, ring: Ring[Any] = QQ) -> Matrix[Any]:
    r"""The matrix that permutes the basis vectors, so that products of permutations become products of matrices.

    .. math:: P_p\, e_i = e_{p(i)}, \qquad P_{p∘q} = P_p P_q

    Args:
        p: The permutation of n points.
        ring: The ring.

    Returns:
        An n x n matrix.

    >>> permutation_matrix((1, 2, 0))
    Matrix(QQ, [[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    """
    return Matrix(ring, [[int(p[j] == i) for j in range(len(p))] for i in range(len(p))])


def standard_representation(p: Permutation, ring: Ring[Any] = QQ) -> Matrix[Any]:
    r"""The permutation matrix on the vectors with sum zero, in the basis e_i - e_{n-1}.

    It has one dimension less and is faithful for n ≥ 3; for A5 it is irreducible of dimension 4.

    Args:
        p: The permutation of n ≥ 2 points.
        ring: The ring.

    Returns:
        An (n-1) x (n-1) matrix.

    >>> standard_representation((1, 2, 0))
    Matrix(QQ, [[-1, -1], [1, 0]])
    """
    n = len(p)
    # e_j - e_{n-1} goes to e_{p(j)} - e_{p(n-1)}, whose coordinate at i < n-1 is [i = p(j)] - [i = p(n-1)].
    return Matrix(ring, [[int(p[j] == i) - int(p[n - 1] == i) for j in range(n - 1)] for i in range(n - 1)])


def cyclotomic_representation(n: int, ring: Ring[Any] = QQ) -> Representation:
    r"""The cyclic group of order n by powers of the companion matrix of its cyclotomic polynomial.

    The matrix has integer entries and order n, and φ(n) rows: the fewest that a faithful rational representation
    whose eigenvalues are all of order n has. Over the real numbers it is a sum of rotations by 2πk/n.

    Args:
        n: The order of the group.
        ring: The ring.

    Returns:
        What takes the shift by k to the k-th power of the companion matrix.

    >>> C = cyclotomic_representation(5)((1, 2, 3, 4, 0))
    >>> C
    Matrix(QQ, [[0, 0, 0, -1], [1, 0, 0, -1], [0, 1, 0, -1], [0, 0, 1, -1]])
    >>> C @ C @ C @ C @ C == Matrix.identity(QQ, 4)
    True
    """
    coefficients = fmpz_poly.cyclotomic(whole(n, "the order of a cyclic group")).coeffs()
    size = len(coefficients) - 1
    companion = Matrix(ring, [[int(i == j + 1) for j in range(size - 1)] + [-coefficients[i]] for i in range(size)])

    def represent(p: Permutation) -> Matrix[Any]:
        power = Matrix.identity(ring, size)
        for _ in range(p[0]):
            power = companion @ power
        return power

    return represent
