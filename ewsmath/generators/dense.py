"""Generators given by all their entries: dense, and skew-symmetric."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from ewsmath import spectrum
from ewsmath.exppoly import ExpPoly
from ewsmath.generators.generator import AbstractGenerator, parameter_ring, sequence
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring


class Dense(AbstractGenerator):
    """The generator with any matrix.

    Exact where the characteristic polynomial splits over Q(i): e^{-rA} is the polynomial in A that
    interpolates z ↦ e^{-rz} on the spectrum, which needs no basis of generalised eigenvectors. Otherwise
    the matrix is refused with the way out, ``ring=Balls(prec)``.

    Args:
        matrix: The matrix A, as a :class:`Matrix` or as rows.
        ring: The ring, where it is not to follow from the entries.

    Raises:
        ValueError: The matrix is not square, or is exact and its spectrum leaves Q(i).

    Paper: Table 1.

    >>> Dense([[0, 1], [-2, 3]]).exponential(1)
    Matrix(EE, [[-e^(-2) + 2*e^(-1), e^(-2) - e^(-1)], [-2*e^(-2) + 2*e^(-1), 2*e^(-2) - e^(-1)]])
    """

    def __init__(self, matrix: Matrix[Any] | Sequence[Sequence[Any]], *, ring: Ring[Any] | None = None) -> None:
        rows = matrix.rows if isinstance(matrix, Matrix) else matrix
        entries = (x for row in sequence(rows) for x in sequence(row))
        super().__init__(Matrix(parameter_ring(entries, ring), rows), ring)

    def _closed_form(self) -> Matrix[ExpPoly[Any]]:
        return spectrum.kernel(self.matrix, self.eigenvalues)

    def over(self, ring: Ring[Any]) -> Dense:
        """The same generator over another ring."""
        return Dense(self.matrix, ring=ring)


class Skew(Dense):
    """The generator with a skew-symmetric matrix Q, Qᵀ = -Q: mixtures of undamped rotations.

    Args:
        entries: The m(m-1)/2 entries above the diagonal, row by row (for m = 2 one number); or an m x m
            matrix W, read as W - Wᵀ.
        ring: The ring, where it is not to follow from the entries.

    Raises:
        ValueError: The number of entries is no m(m-1)/2; W is not square; it is exact and its spectrum
            leaves Q(i).

    Paper: Table 1.

    >>> Skew([3]).matrix, Skew([[0, 3], [0, 0]]).matrix
    (Matrix(EE, [[0, 3], [-3, 0]]), Matrix(EE, [[0, 3], [-3, 0]]))
    """

    def __init__(self, entries: Matrix[Any] | Sequence[Any] | Any, *, ring: Ring[Any] | None = None) -> None:
        if isinstance(entries, Matrix):
            W = Matrix.over(entries.ring if ring is None else ring, entries)
        else:
            W = _upper_triangle(list(sequence(entries)), ring)
        W.check_square("Skew")
        super().__init__(W - W.transpose(), ring=ring)


def _upper_triangle(entries: list[Any], ring: Ring[Any] | None) -> Matrix[Any]:
    if entries and hasattr(entries[0], "__len__"):  # rows of a matrix W
        return Matrix(parameter_ring((x for row in entries for x in row), ring), [list(row) for row in entries])
    m = (1 + isqrt(1 + 8 * len(entries))) // 2
    if m * (m - 1) != 2 * len(entries):
        raise ValueError(
            f"Skew: {len(entries)} entries are no triangle; an m x m matrix takes m(m-1)/2, so 1, 3, 6, 10, …"
        )
    base = parameter_ring(entries, ring)
    rest = iter(entries)
    return Matrix(base, [[next(rest) if j > i else base.zero for j in range(m)] for i in range(m)])
