"""Generators given by all their entries: dense, and skew-symmetric."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt
from typing import Any

from ewsmath import spectrum
from ewsmath.generators.generator import AbstractGenerator, given_rows, parameter_ring, sequence
from ewsmath.jordan_form import JordanForm, jordan_form
from ewsmath.matrix import Matrix
from ewsmath.rings import EE, Ring, complexification


class Dense(AbstractGenerator):
    """The generator with any matrix.

    Exact where the characteristic polynomial splits over Q(i), over SR with the parameters: then its Jordan form is
    found. Otherwise the matrix is refused with the way out, ``ring=Balls(prec)``.

    Args:
        matrix: The matrix A, as a :class:`Matrix` or as rows.
        ring: The ring, where it is not to follow from the entries.

    Raises:
        ValueError: The matrix is not square, or is exact and its spectrum leaves Q(i).

    Paper: Table 1.

    >>> Dense([[0, 1], [-2, 3]]).exponential(1)
    Matrix(EE, [[-e^(-2) + 2*e^(-1), e^(-2) - e^(-1)], [-2*e^(-2) + 2*e^(-1), 2*e^(-2) - e^(-1)]])
    """

    rows: tuple[tuple[Any, ...], ...]

    def __init__(self, matrix: Matrix[Any] | Sequence[Sequence[Any]], *, ring: Ring[Any] | None = None) -> None:
        rows = matrix.rows if isinstance(matrix, Matrix) else matrix
        entries = (x for row in sequence(rows) for x in sequence(row))
        A = Matrix(parameter_ring(entries, ring), rows)  # refuses what are no rows
        self._set(rows=given_rows(rows))
        super().__init__(A, ring)

    def _eigenvalues(self) -> Iterable[Any]:
        return spectrum.eigenvalues(self.matrix)

    def jordan_form(self) -> JordanForm:
        """The Jordan form, found in the field of the eigenvalues; in balls and MP that of the exact matrix given.

        Returns:
            The form P J P^{-1}.

        Raises:
            ValueError: In balls or MP: the matrix was not given exactly, or its spectrum leaves Q(i).

        >>> Dense([[0, 1], [-1, 2]]).jordan_form().blocks, Dense([[0, 1], [-2, 3]]).jordan_form().blocks
        (((1, 2),), ((1, 1), (2, 1)))
        """
        if self._spectrum is None:
            try:
                form = self.over(EE).jordan_form()
            except (TypeError, ValueError):
                raise ValueError(
                    f"{type(self).__name__}: in {self.ring.name} no Jordan form is found, for close eigenvalues cannot "
                    "be told from equal ones: give an exact matrix with its spectrum in Q(i), or Conjugated(P, J)"
                ) from None
            field = complexification(self.ring)
            blocks = tuple((field.coerce(z), size) for z, size in form.blocks)
            return JordanForm(Matrix.over(field, form.basis), Matrix.over(field, form.inverse), blocks)
        form = jordan_form(self.matrix.map(self._exponents, self._exponents.coerce), self._spectrum)
        field = complexification(self.ring)
        return JordanForm(Matrix.over(field, form.basis), Matrix.over(field, form.inverse), form.blocks)

    def over(self, ring: Ring[Any]) -> Dense:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The generator, made from the parameters as they were given.

        >>> from ewsmath.rings import Balls
        >>> A, balls = Dense([[0, 1], [-2, 3]]), Balls(prec=64)
        >>> A.over(balls).exponential(1)[0, 1] == balls.coerce(A.exponential(1)[0, 1])
        True
        """
        return Dense(self.rows, ring=ring)


class Skew(Dense):
    """The generator with a skew-symmetric matrix Q, Qᵀ = -Q: mixtures of undamped rotations.

    **A matrix is not Q itself but W, and Q = W - Wᵀ**: if W is skew already, all entries come out doubled, so that
    ``Skew([[0, 2], [-2, 0]])`` has the matrix [[0, 4], [-4, 0]]. To give Q itself, give its entries above the diagonal,
    ``Skew([2])``, or its upper triangle as W, ``Skew([[0, 2], [0, 0]])``, or take ``Dense(Q)``.

    Args:
        entries: The m(m-1)/2 entries above the diagonal, row by row (for m = 2 one number); or an m x m
            matrix W, read as W - Wᵀ, also where W is skew.
        ring: The ring, where it is not to follow from the entries.

    Raises:
        ValueError: The number of entries is no m(m-1)/2; W is not square; it is exact and its spectrum
            leaves Q(i).

    Paper: Table 1.

    >>> Skew([3]).matrix, Skew([[0, 3], [0, 0]]).matrix
    (Matrix(EE, [[0, 3], [-3, 0]]), Matrix(EE, [[0, 3], [-3, 0]]))
    >>> Skew([[0, 2], [-2, 0]]).matrix, Dense([[0, 2], [-2, 0]]).exponential(1) == Skew([2]).exponential(1)
    (Matrix(EE, [[0, 4], [-4, 0]]), True)
    """

    def __init__(self, entries: Matrix[Any] | Sequence[Any] | Any, *, ring: Ring[Any] | None = None) -> None:
        rows = list(entries.rows if isinstance(entries, Matrix) else sequence(entries))
        if not (rows and hasattr(rows[0], "__len__")):
            rows = _upper_triangle(rows)
        W = Matrix(parameter_ring((x for row in rows for x in row), ring), rows)
        W.check_square("Skew")
        super().__init__(W - W.transpose(), ring=ring)
        self._set(rows=given_rows(rows))

    def over(self, ring: Ring[Any]) -> Skew:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The generator, made from the parameters as they were given.

        >>> from ewsmath.rings import Balls
        >>> Skew([[0, 2], [-2, 0]]).over(Balls(prec=64)).matrix[0, 1].mid  # W - Wᵀ once, not twice
        4
        """
        return Skew(self.rows, ring=ring)


def _upper_triangle(entries: list[Any]) -> list[list[Any]]:
    m = (1 + isqrt(1 + 8 * len(entries))) // 2
    if m * (m - 1) != 2 * len(entries):
        raise ValueError(
            f"Skew: {len(entries)} entries are no triangle; an m x m matrix takes m(m-1)/2, so 1, 3, 6, 10, …"
        )
    rest = iter(entries)
    return [[next(rest) if j > i else 0 for j in range(m)] for i in range(m)]
