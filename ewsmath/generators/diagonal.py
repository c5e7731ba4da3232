"""Generators with real exponential kernels: zero and diagonal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ewsmath.capacity import check_matrix
from ewsmath.generators.generator import AbstractGenerator, given, parameter_ring, sequence
from ewsmath.jordan_form import JordanForm
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ring, complexification
from ewsmath.rings.door import whole


class Zero(AbstractGenerator):
    """The zero generator, which forgets nothing: the EWS is the signature.

    A generator is its matrix, so that a width is refused here where the matrix is too large to be held. A path with so
    many channels has a signature all the same: ``signature(path, depth)`` needs no generator.

    Args:
        m: The width.
        ring: The ring, QQ unless said otherwise.

    Raises:
        TypeError: ``m`` is no whole number.
        ValueError: ``m`` is below 1, or the matrix is too large to be held.

    Paper: Table 1.

    >>> Zero(2).exponential(5)
    Matrix(QQ, [[1, 0], [0, 1]])
    """

    def __init__(self, m: int, *, ring: Ring[Any] = QQ) -> None:
        m = whole(m, "Zero: the width m")
        check_matrix(m, m, "Zero, which signature(path, depth) does without")
        super().__init__(Matrix.zeros(ring, m, m), ring)

    def _eigenvalues(self) -> Iterable[Any]:
        return [self._exponents.zero] * self.dim

    def jordan_form(self) -> JordanForm:
        """The Jordan form: that of a diagonal matrix.

        Returns:
            The identity as the basis, and m blocks of one row with eigenvalue 0.

        >>> Zero(2).jordan_form().blocks
        ((0, 1), (0, 1))
        """
        return _diagonal(self.ring, [self._exponents.zero] * self.dim)

    def over(self, ring: Ring[Any]) -> Zero:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The zero generator of the same width there.

        >>> from ewsmath.rings import EE
        >>> Zero(2).over(EE).exponential(5)
        Matrix(EE, [[1, 0], [0, 1]])
        """
        return Zero(self.dim, ring=ring)


class Diagonal(AbstractGenerator):
    r"""The diagonal generator, each channel with its own rate.

    .. math:: A = \operatorname{diag}(λ), \qquad (e^{-rA})_{ii} = e^{-λ_i r}

    Args:
        rate: The rates λ, one for each channel; a positive one forgets.
        ring: The ring, where it is not to follow from the rates.

    Paper: Table 1.

    >>> Diagonal([1, 0]).exponential(2)
    Matrix(EE, [[e^(-2), 0], [0, 1]])
    """

    rate: tuple[Any, ...]

    def __init__(self, rate: Any | Sequence[Any], *, ring: Ring[Any] | None = None) -> None:
        rates = sequence(rate)
        self._set(rate=tuple(map(given, rates)))
        super().__init__(Matrix.diagonal(parameter_ring(rates, ring), rates), ring)

    def _eigenvalues(self) -> Iterable[Any]:
        return map(self._exponents.coerce, self.rate)

    def jordan_form(self) -> JordanForm:
        """The Jordan form: the matrix itself.

        Returns:
            The identity as the basis, and a block of one row for each rate.

        >>> Diagonal([3, 1]).jordan_form().blocks
        ((3, 1), (1, 1))
        """
        return _diagonal(self.ring, list(self._eigenvalues()))

    def over(self, ring: Ring[Any]) -> Diagonal:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The generator, made from the parameters as they were given.

        >>> from ewsmath.rings import EE, Balls
        >>> Diagonal(QQ.ratio(1, 3)).over(Balls(prec=8)).over(EE).matrix  # as it was given: the rounding is not kept
        Matrix(EE, [[1/3]])
        """
        return Diagonal(self.rate, ring=ring)


def _diagonal(ring: Ring[Any], eigenvalues: Sequence[Any]) -> JordanForm:
    identity = Matrix.identity(complexification(ring), len(eigenvalues))
    return JordanForm(identity, identity, tuple((z, 1) for z in eigenvalues))
