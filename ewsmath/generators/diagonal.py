"""Generators with real exponential kernels: zero and diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators.generator import AbstractGenerator, given, parameter_ring, sequence
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, QQ_I, Ring
from ewsmath.rings.door import whole


class Zero(AbstractGenerator):
    """The zero generator, which forgets nothing: the EWS is the signature.

    Args:
        m: The width.
        ring: The ring, QQ unless said otherwise.

    Paper: Table 1.

    >>> Zero(2).exponential(5)
    Matrix(QQ, [[1, 0], [0, 1]])
    """

    def __init__(self, m: int, *, ring: Ring[Any] = QQ) -> None:
        m = whole(m, "Zero: the width m")
        super().__init__(Matrix.zeros(ring, m, m), ring)

    def _closed_form(self) -> Matrix[ExpPoly[Any]]:
        return Matrix.identity(ExpPolys(self.ring), self.dim)

    def over(self, ring: Ring[Any]) -> Zero:
        """The same generator over another ring."""
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

    def _closed_form(self) -> Matrix[ExpPoly[Any]]:
        functions = ExpPolys(self.ring)
        rates = (QQ_I.coerce(self.matrix[i, i]) for i in range(self.dim))
        return Matrix.diagonal(functions, [functions.exponential(-z) for z in rates])

    def over(self, ring: Ring[Any]) -> Diagonal:
        """The same generator over another ring."""
        return Diagonal(self.rate, ring=ring)
