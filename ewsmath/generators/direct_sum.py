"""Direct sums of generators: block-diagonal matrices of several families."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ewsmath.generators.generator import AbstractGenerator, common_ring
from ewsmath.jordan_form import JordanForm, direct_sum
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring, complexification


class DirectSum(AbstractGenerator):
    """The direct sum of generators, block by block.

    Args:
        parts: The summands. Exact parts join over the largest of QQ, QQ_I, EE and SR among them; parts in balls or MP
            need one ring of that kind, into which exact parts are taken.
        ring: The ring, where it is not to follow from the parts.

    Raises:
        ValueError: There are no parts, or parts in balls of several rings.
        TypeError: A part is no generator.

    Paper: Table 1; Section 2.2.

    >>> from ewsmath.generators import Diagonal, Jordan
    >>> DirectSum(Diagonal(1), Jordan(0, 2)).matrix
    Matrix(EE, [[1, 0, 0], [0, 0, 1], [0, 0, 0]])
    """

    parts: tuple[AbstractGenerator, ...]

    def __init__(self, *parts: AbstractGenerator, ring: Ring[Any] | None = None) -> None:
        if not parts:
            raise ValueError("DirectSum: give at least one generator")
        for part in parts:
            if not isinstance(part, AbstractGenerator):
                raise TypeError(f"DirectSum takes generators, got {part!r} of type {type(part).__name__}")
        common = common_ring((part.ring for part in parts), "DirectSum: parts") if ring is None else ring
        self._set(parts=tuple(part.over(common) for part in parts))
        super().__init__(Matrix.block_diagonal(common, [part.matrix for part in self.parts]), common)

    def _eigenvalues(self) -> Iterable[Any]:
        return (z for part in self.parts for z in part.eigenvalues)

    def jordan_form(self) -> JordanForm:
        """The Jordan form, block by block that of the parts.

        Returns:
            The bases side by side, and the blocks of all parts in their order.

        >>> from ewsmath.generators import Diagonal, Jordan
        >>> DirectSum(Diagonal(1), Jordan(1, 2)).jordan_form().blocks
        ((1, 1), (1, 2))
        """
        return direct_sum(complexification(self.ring), [part.jordan_form() for part in self.parts])

    def over(self, ring: Ring[Any]) -> DirectSum:
        """The same generator over another ring.

        Args:
            ring: The ring.

        Returns:
            The direct sum of the parts there.

        >>> from ewsmath.generators import Diagonal, Zero
        >>> from ewsmath.rings import Balls
        >>> [part.ring for part in DirectSum(Diagonal(1), Zero(2)).over(Balls(prec=64)).parts]
        [Balls(prec=64), Balls(prec=64)]
        """
        return DirectSum(*self.parts, ring=ring)
