"""Affine CDEs as linear ones of one more entry, and the composition of affine maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.linear_cde.cde import LinearCDE
from ewsmath.linear_cde.span import square_matrices
from ewsmath.matrix import Matrix
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable


class AffineMap(Immutable):
    r"""The map h ↦ M h + b, a flow with an additive term. Immutable.

    Args:
        matrix: The h x h matrix M.
        vector: The h numbers b.

    Attributes:
        matrix: M.
        vector: b, as a tuple of ring elements.

    Raises:
        TypeError: M is no matrix.
        ValueError: M is not square, or b has not as many entries.

    >>> from ewsmath.rings import QQ
    >>> f = AffineMap(Matrix(QQ, [[2]]), [1])
    >>> f.then(f), f([5])
    (AffineMap(Matrix(QQ, [[4]]), [3]), (11,))
    """

    __slots__ = ("matrix", "vector")
    matrix: Matrix[Any]
    vector: tuple[Any, ...]

    def __init__(self, matrix: Matrix[Any], vector: Sequence[Any]) -> None:
        [M], b = square_matrices([matrix], "an affine map"), entries(vector, "an affine map takes its vector")
        if len(b) != M.shape[0]:
            raise ValueError(
                f"an affine map with a matrix of shape {M.shape} does not take a vector of {len(b)} entries"
            )
        self._set(matrix=M, vector=tuple(M.ring.coerce(x) for x in b))

    def __call__(self, h: Sequence[Any]) -> tuple[Any, ...]:
        """The image M h + b of a state."""
        image = self.matrix.apply([self.matrix.ring.coerce(x) for x in h])
        return tuple(x + y for x, y in zip(image, self.vector, strict=True))

    def then(self, later: AffineMap) -> AffineMap:
        r"""The composition with a later map, the associative product of a scan.

        .. math:: (M_1, b_1) ⋆ (M_2, b_2) = (M_2 M_1,\; M_2 b_1 + b_2)

        Args:
            later: The map (M_2, b_2) that acts after this one.

        Returns:
            Both together.

        >>> from ewsmath.rings import QQ
        >>> f = AffineMap(Matrix(QQ, [[2]]), [1])
        >>> f.then(AffineMap(Matrix(QQ, [[3]]), [0]))
        AffineMap(Matrix(QQ, [[6]]), [3])
        """
        of_kind(later, AffineMap, "affine maps go together with affine maps", "give AffineMap(matrix, vector)")
        return AffineMap(later.matrix @ self.matrix, later(self.vector))

    def homogeneous(self) -> Matrix[Any]:
        """The matrix of h + 1 rows that acts on (h, 1).

        Returns:
            A matrix over the same ring.

        >>> from ewsmath.rings import QQ
        >>> f = AffineMap(Matrix(QQ, [[2]]), [1])
        >>> f.homogeneous()
        Matrix(QQ, [[2, 1], [0, 1]])
        """
        return _bordered(self.matrix, self.vector, self.matrix.ring.one)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AffineMap):
            return NotImplemented
        return self.homogeneous() == other.homogeneous()

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        return f"AffineMap({self.matrix}, [{', '.join(map(str, self.vector))}])"


def affine_cde(matrices: Sequence[Matrix[Any]], vectors: Sequence[Sequence[Any]]) -> LinearCDE:
    r"""The affine CDE dh = Σ (M_i h + b_i) dω^i, as a linear one for (h, 1).

    .. math:: \begin{pmatrix} M_i & b_i \\ 0 & 0 \end{pmatrix}

    The classical homogeneous coordinates: the last entry of the state is the constant 1.

    Args:
        matrices: The d matrices M_i, h x h.
        vectors: The d vectors b_i, h entries each.

    Returns:
        A linear CDE of size h + 1.

    Raises:
        ValueError: Matrices and vectors differ in number or in size.

    >>> from ewsmath.rings import QQ
    >>> cde = affine_cde([Matrix(QQ, [[0]])], [[3]])
    >>> cde, cde.flow([2]).apply([QQ.coerce(5), QQ.one])
    (LinearCDE([Matrix(QQ, [[0, 3], [0, 0]])]), [11, 1])
    """
    found = square_matrices(matrices, "an affine CDE")
    columns = entries(vectors, "an affine CDE takes its vectors")
    if len(columns) != len(found):
        raise ValueError(f"an affine CDE needs a vector for each matrix, got {len(found)} and {len(columns)}")
    pairs = (AffineMap(M, b) for M, b in zip(found, columns, strict=True))
    return LinearCDE([_bordered(f.matrix, f.vector, f.matrix.ring.zero) for f in pairs])


def state_space(A: Matrix[Any], B: Matrix[Any]) -> LinearCDE:
    r"""The state-space model dh = -A h dθ + B dX, as a linear CDE for (h, 1) driven by (θ, X).

    .. math:: M_0 = \begin{pmatrix} -A & 0 \\ 0 & 0 \end{pmatrix}, \qquad
        M_i = \begin{pmatrix} 0 & B e_i \\ 0 & 0 \end{pmatrix}

    Args:
        A: The m x m generator.
        B: The m x d lift.

    Returns:
        A linear CDE with 1 + d matrices of size m + 1.

    Raises:
        ValueError: A is not square, or B has not m rows.

    Paper: Section 2.

    >>> from ewsmath.rings import QQ
    >>> [M.rows for M in state_space(Matrix(QQ, [[2]]), Matrix(QQ, [[3]])).matrices]
    [[(-2, 0), (0, 0)], [(0, 3), (0, 0)]]
    """
    m = A.check_square("a state-space model")
    columns = B.transpose().rows
    still = Matrix.zeros(A.ring, m, m)
    return affine_cde([-A, *(still for _ in columns)], [[A.ring.zero] * m, *columns])


def _bordered(M: Matrix[Any], b: Sequence[Any], corner: Any) -> Matrix[Any]:
    rows = [[*row, x] for row, x in zip(M.rows, b, strict=True)]
    return Matrix(M.ring, [*rows, [M.ring.zero] * len(b) + [corner]])
