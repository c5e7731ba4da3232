"""The structure DPLR: diagonal plus low rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings.door import of_kind
from ewsmath.structures.structure import AbstractStructure, vector


class DiagonalLowRank(AbstractStructure):
    r"""DPLR: a diagonal matrix plus one of rank at most r; h(1 + 2r) numbers.

    .. math:: A = \operatorname{diag}(d) + U V^{\mathsf T}

    Ranks add up, in sums and in products alike, so no fixed rank is closed:

    .. math:: A_1 A_2 = D_1 D_2 + \begin{pmatrix} U_1 & D_1 U_2 \end{pmatrix}
        \begin{pmatrix} D_2 V_1 + V_2 U_2^{\mathsf T} V_1 & V_2 \end{pmatrix}^{\mathsf T}

    Args:
        diagonal: The h entries d.
        U: An h x r matrix.
        V: An h x r matrix.

    Attributes:
        diagonal: The entries d.
        U: The left factor.
        V: The right factor.

    Raises:
        TypeError: U or V is no matrix.
        ValueError: U, V and d do not fit together.

    >>> from ewsmath.rings import QQ
    >>> u = Matrix.column(QQ, [1, 2])
    >>> A = DiagonalLowRank([1, 0], u, u)
    >>> A.matrix, A.rank, (A @ A).rank
    (Matrix(QQ, [[2, 2], [2, 4]]), 1, 2)
    """

    __slots__ = ("U", "V", "diagonal", "ring", "size")
    is_closed = False
    diagonal: tuple[Any, ...]
    U: Matrix[Any]
    V: Matrix[Any]

    def __init__(self, diagonal: Sequence[Any], U: Matrix[Any], V: Matrix[Any]) -> None:
        for factor in (U, V):
            of_kind(factor, Matrix, "DiagonalLowRank takes its factors", "rows become a matrix by Matrix(ring, rows)")
        d = vector(U.ring, diagonal, "DiagonalLowRank")
        if U.shape != V.shape or U.shape[0] != len(d) or U.ring != V.ring:
            raise ValueError(
                f"DiagonalLowRank: {len(d)} diagonal entries, U {U.shape} over {U.ring.name} and V {V.shape} over "
                f"{V.ring.name} do not fit: U and V are both {len(d)} x r over one ring"
            )
        self._set(ring=U.ring, size=len(d), diagonal=d, U=U, V=V)

    @property
    def rank(self) -> int:
        """The number r of columns of U and V, a bound of the rank of UVᵀ."""
        return self.U.shape[1]

    @property
    def parameters(self) -> int:
        """h(1 + 2r)."""
        return self.size * (1 + 2 * self.rank)

    @property
    def matrix(self) -> Matrix[Any]:
        """The matrix with all its entries."""
        return Matrix.diagonal(self.ring, self.diagonal) + self.U @ self.V.transpose()

    def apply(self, h: Sequence[Any]) -> list[Any]:
        """The product with a column vector, d ∘ h + U(Vᵀh).

        Args:
            h: The vector, h elements of the ring.

        Returns:
            Its image.

        >>> from ewsmath.rings import QQ
        >>> u = Matrix.column(QQ, [1, 2])
        >>> DiagonalLowRank([10, 20], u, u).apply([QQ.one, QQ.one])
        [13, 26]
        """
        low = self.U.apply(self.V.transpose().apply(h))
        return [d * x + y for d, x, y in zip(self.diagonal, h, low, strict=True)]

    def _sum(self, other: DiagonalLowRank) -> DiagonalLowRank:
        pairs = zip(self.diagonal, other.diagonal, strict=True)
        return DiagonalLowRank([x + y for x, y in pairs], _beside(self.U, other.U), _beside(self.V, other.V))

    def scaled(self, c: Any) -> DiagonalLowRank:
        """The multiple by an element of the ring.

        Args:
            c: The element.

        Returns:
            The one with c d, c U and V, of the same rank.

        >>> from ewsmath.rings import QQ
        >>> u = Matrix.column(QQ, [1, 2])
        >>> A = DiagonalLowRank([1, 0], u, u).scaled(QQ.coerce(3))
        >>> A.diagonal, A.U, A.V
        ((3, 0), Matrix(QQ, [[3], [6]]), Matrix(QQ, [[1], [2]]))
        """
        factor = self.ring.coerce(c)
        return DiagonalLowRank([factor * x for x in self.diagonal], self.U.scaled(factor), self.V)

    def plus_identity(self) -> DiagonalLowRank:
        """I + A, of the same rank.

        Returns:
            The one with 1 + d, U and V.

        >>> from ewsmath.rings import QQ
        >>> u = Matrix.column(QQ, [1, 2])
        >>> A = DiagonalLowRank([1, 0], u, u).plus_identity()
        >>> A.diagonal, A.rank
        ((2, 1), 1)
        """
        return DiagonalLowRank([x + self.ring.one for x in self.diagonal], self.U, self.V)

    def _product(self, other: DiagonalLowRank) -> DiagonalLowRank:
        D1, D2 = (Matrix.diagonal(self.ring, d) for d in (self.diagonal, other.diagonal))
        left = _beside(self.U, D1 @ other.U)
        right = _beside(D2 @ self.V + other.V @ (other.U.transpose() @ self.V), other.V)
        return DiagonalLowRank([x * y for x, y in zip(self.diagonal, other.diagonal, strict=True)], left, right)


def _beside(A: Matrix[Any], B: Matrix[Any]) -> Matrix[Any]:
    rows = [x for a, b in zip(A.rows, B.rows, strict=True) for x in (*a, *b)]
    return Matrix.flat(A.ring, rows, A.shape[1] + B.shape[1])
