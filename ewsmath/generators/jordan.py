"""Generators with gamma kernels r^ℓ e^{-λr}: Jordan blocks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ewsmath.capacity import check_matrix
from ewsmath.generators.generator import AbstractGenerator, given, parameter_ring, sequence
from ewsmath.jordan_form import JordanForm, nilpotent
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring, complexification
from ewsmath.rings.door import whole


class Jordan(AbstractGenerator):
    r"""The generator of Jordan blocks λI + N with one size, ones on the superdiagonal.

    .. math:: e^{-r(λI+N)} = e^{-λr} \sum_ℓ \frac{(-r)^ℓ}{ℓ!} N^ℓ

    Args:
        rate: The rate λ of each block; one number for one block.
        size: Number of rows of each block.
        ring: The ring, where it is not to follow from the rates.

    Raises:
        ValueError: ``size`` is below 1, or the matrix is too large to be held.
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
        check_matrix(size * len(rates), size * len(rates), type(self).__name__)
        entries = parameter_ring(rates, ring)
        self._set(rate=tuple(map(given, rates)), size=size)
        N, identity = Matrix(entries, nilpotent(size)), Matrix.identity(entries, size)
        super().__init__(Matrix.block_diagonal(entries, [identity * rate + N for rate in rates]), ring)

    def _eigenvalues(self) -> Iterable[Any]:
        return (self._exponents.coerce(rate) for rate in self.rate for _ in range(self.size))

    def jordan_form(self) -> JordanForm:
        """The Jordan form: the matrix itself.

        Returns:
            The identity as the basis, and a block for each rate.

        >>> Jordan([1, 1], 2).jordan_form().blocks  # two blocks, though of one eigenvalue
        ((1, 2), (1, 2))
        """
        identity = Matrix.identity(complexification(self.ring), self.dim)
        return JordanForm(identity, identity, tuple((self._exponents.coerce(rate), self.size) for rate in self.rate))

    def over(self, ring: Ring[Any]) -> Jordan:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The generator, made from the parameters as they were given.

        >>> from ewsmath.rings import EE
        >>> Jordan(0, 2).ring, Jordan(0, 2).over(EE).ring  # nilpotent, so with exponentials in QQ already
        (QQ, EE)
        """
        return Jordan(self.rate, self.size, ring=ring)


def block_size(family: str, size: int) -> int:
    """The size of a Jordan block; TypeError when it is no whole number, ValueError when it is below 1.

    Args:
        family: The name of the generator, for the message.
        size: What came.

    Returns:
        The size.

    >>> block_size("Jordan", 2)
    2
    """
    return whole(size, f"{family}: the size of a block")
