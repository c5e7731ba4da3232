"""Generators with gamma kernels r^ℓ e^{-λr}: real Jordan blocks, and what both kinds of block share."""

from __future__ import annotations

from collections.abc import Sequence
from math import factorial
from typing import Any

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators.generator import AbstractGenerator, given, parameter_ring, sequence
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ_I, Ring
from ewsmath.rings.door import whole


class Jordan(AbstractGenerator):
    r"""The generator of Jordan blocks λI + N with one size, ones on the superdiagonal.

    .. math:: e^{-r(λI+N)} = e^{-λr} \sum_ℓ \frac{(-r)^ℓ}{ℓ!} N^ℓ

    Args:
        rate: The rate λ of each block; one number for one block.
        size: Number of rows of each block.
        ring: The ring, where it is not to follow from the rates.

    Raises:
        ValueError: ``size`` is below 1.
        TypeError: ``size`` is no whole number.

    Paper: Table 1; Prop. 2.

    >>> Jordan(1, 2).matrix, Jordan(1, 2).exponential(3)
    (Matrix(EE, [[1, 1], [0, 1]]), Matrix(EE, [[e^(-3), -3*e^(-3)], [0, e^(-3)]]))
    """

    rate: tuple[Any, ...]
    size: int

    def __init__(self, rate: Any | Sequence[Any], size: int, *, ring: Ring[Any] | None = None) -> None:
        size = block_size(type(self).__name__, size)
        rates = sequence(rate)
        entries = parameter_ring(rates, ring)
        self._set(rate=tuple(map(given, rates)), size=size)
        N, identity = Matrix(entries, nilpotent(size)), Matrix.identity(entries, size)
        super().__init__(Matrix.block_diagonal(entries, [identity * rate + N for rate in rates]), ring)

    def _closed_form(self) -> Matrix[ExpPoly[Any]]:
        functions = ExpPolys(self.ring)
        chain = jordan_chain(functions, self.size)
        decays = (functions.exponential(-QQ_I.coerce(rate)) for rate in self.rate)
        return Matrix.block_diagonal(functions, [chain * decay for decay in decays])

    def over(self, ring: Ring[Any]) -> Jordan:
        """The same generator over another ring."""
        return Jordan(self.rate, self.size, ring=ring)


def nilpotent(size: int) -> list[list[int]]:
    """The rows of N, with N e_{k+1} = e_k: ones on the superdiagonal."""
    return [[int(j == i + 1) for j in range(size)] for i in range(size)]


def jordan_chain(functions: ExpPolys[Any], size: int) -> Matrix[ExpPoly[Any]]:
    """The function r ↦ e^{-rN} = Σ (-r)^ℓ/ℓ! N^ℓ of the nilpotent N with ones on the superdiagonal."""
    powers = [functions.zero] * size + [
        ExpPoly(functions.base, {(k, QQ_I.zero): functions.base.ratio((-1) ** k, factorial(k))}) for k in range(size)
    ]
    return Matrix(functions, [powers[size - i : 2 * size - i] for i in range(size)])


def block_size(family: str, size: int) -> int:
    """The size of a Jordan block; TypeError when it is no whole number, ValueError when it is below 1."""
    return whole(size, f"{family}: the size of a block")
