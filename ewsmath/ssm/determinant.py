"""Determinants without pivots, for rings in which none is certain or division is dear."""

from typing import Any

from ewsmath.matrix import Matrix


def determinant(matrix: Matrix[Any]) -> Any:
    """The determinant by Faddeev and LeVerrier: of quotients only those by whole numbers, so no pivot is sought.

    Args:
        matrix: An n x n matrix over a ring that holds the rationals.

    Returns:
        The determinant, an element of the ring.

    >>> from ewsmath.rings import QQ
    >>> determinant(Matrix(QQ, [[1, 2], [3, 4]]))
    -2
    """
    ring, n = matrix.ring, matrix.shape[0]
    identity = Matrix.identity(ring, n)
    M, c = identity, ring.one
    for k in range(1, n + 1):
        product = matrix @ M
        trace = ring.zero
        for i in range(n):
            trace = trace + product[i, i]
        c = -trace * ring.ratio(1, k)
        M = product + identity.scaled(c)
    return c if n % 2 == 0 else -c
