"""Generators in another basis: P A P^{-1}."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ewsmath.generators.generator import (
    AbstractGenerator,
    check_generator,
    common_ring,
    given_rows,
    parameter_ring,
    sequence,
)
from ewsmath.jordan_form import JordanForm
from ewsmath.matrix import Matrix
from ewsmath.rings import MatrixExponentialRing, Ring, check_ring, complexification, exponent_field, supports


class Conjugated(AbstractGenerator):
    r"""The generator of P A P^{-1}, for a generator A in closed form and a basis P.

    With a direct sum of Jordan blocks for A it is the generator whose Jordan form is given, so that nothing is left to
    be found: this also works in balls and MP, where no Jordan form can be found.

    .. math:: e^{-r P A P^{-1}} = P e^{-rA} P^{-1}

    Args:
        basis: The matrix P, as a :class:`Matrix` or as rows; over QQ, QQ_I and EE its entries are Gaussian rationals,
            over SR rational functions of parameters.
        inner: The generator A.
        ring: The ring, where it is not to follow from the two.

    Attributes:
        rows: The rows of P, as they were given.
        inner: The generator A.

    Raises:
        ValueError: P is not square, of another size than A, or has entries with exponentials; the two are in balls of
            several rings.
        ZeroDivisionError: P is singular, or in balls not certainly regular.
        TypeError: ``inner`` is no generator.

    Paper: Table 1.

    >>> from ewsmath.generators import Jordan
    >>> A = Conjugated([[1, 0], [1, 1]], Jordan(2, 2))
    >>> A.matrix, A.exponential(1)
    (Matrix(EE, [[1, 1], [-1, 3]]), Matrix(EE, [[2*e^(-2), -e^(-2)], [e^(-2), 0]]))
    """

    rows: tuple[tuple[Any, ...], ...]
    inner: AbstractGenerator
    _there: Matrix[Any]
    _back: Matrix[Any]

    def __init__(
        self,
        basis: Matrix[Any] | Sequence[Sequence[Any]],
        inner: AbstractGenerator,
        *,
        ring: Ring[Any] | None = None,
    ) -> None:
        check_generator(inner, "Conjugated")
        rows = basis.rows if isinstance(basis, Matrix) else basis
        entries = (x for row in sequence(rows) for x in sequence(row))
        common = (
            common_ring([parameter_ring(entries, ring), inner.ring], "Conjugated: P and A") if ring is None else ring
        )
        # P^{-1} is found in a field: EE and SR are none, and hold that of the rational numbers or functions.
        field: Any = common if supports(check_ring(common), MatrixExponentialRing) else exponent_field(common)
        P = Matrix(field, rows)
        if P.check_square("Conjugated: the basis P") != inner.dim:
            raise ValueError(f"Conjugated: a basis of R^{P.shape[0]} does not fit a generator of R^{inner.dim}")
        there, back = Matrix.over(common, P), Matrix.over(common, P.inverse())
        self._set(rows=given_rows(rows), inner=inner.over(common), _there=there, _back=back)
        super().__init__(there @ self.inner.matrix @ back, ring)

    def _eigenvalues(self) -> Iterable[Any]:
        return self.inner.eigenvalues

    def jordan_form(self) -> JordanForm:
        """The Jordan form: that of A in the basis P.

        Returns:
            P times the basis of the Jordan form of A, its inverse, and the same blocks.

        >>> from ewsmath.generators import Jordan
        >>> form = Conjugated([[1, 0], [1, 1]], Jordan(2, 2)).jordan_form()
        >>> form.blocks, form.basis
        (((2, 2),), Matrix(EE, [[1, 0], [1, 1]]))
        """
        field = complexification(self.ring)
        return self.inner.jordan_form().conjugated(Matrix.over(field, self._there), Matrix.over(field, self._back))

    def over(self, ring: Ring[Any]) -> Conjugated:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The generator, made from the parameters as they were given.

        >>> from ewsmath.generators import Jordan
        >>> from ewsmath.rings import Balls
        >>> A = Conjugated([[1, 0], [1, 1]], Jordan(2, 2)).over(Balls(prec=64))
        >>> [size for _, size in A.jordan_form().blocks]  # given, and so known in balls too
        [2]
        """
        return Conjugated(self.rows, self.inner, ring=ring)
