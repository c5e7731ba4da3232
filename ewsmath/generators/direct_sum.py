"""Direct sums of generators: block-diagonal matrices of several families."""

from __future__ import annotations

from typing import Any

from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.generators.generator import AbstractGenerator
from ewsmath.matrix import Matrix
from ewsmath.rings import EE, QQ, QQ_I, Ring


class DirectSum(AbstractGenerator):
    """The direct sum of generators, block by block.

    Args:
        parts: The summands. Exact parts join over the largest of QQ, QQ_I and EE among them; ball parts
            need one ring of balls, into which exact parts are taken.
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
        common = _common_ring([part.ring for part in parts]) if ring is None else ring
        self._set(parts=tuple(part.over(common) for part in parts))
        super().__init__(Matrix.block_diagonal(common, [part.matrix for part in self.parts]), common)

    def _closed_form(self) -> Matrix[ExpPoly[Any]]:
        return Matrix.block_diagonal(ExpPolys(self.ring), [part.kernel() for part in self.parts])

    def over(self, ring: Ring[Any]) -> DirectSum:
        """The same generator over another ring."""
        return DirectSum(*self.parts, ring=ring)


def _common_ring(rings: list[Ring[Any]]) -> Ring[Any]:
    exact = [QQ, QQ_I, EE]  # each contains the one before
    others = [ring for ring in rings if ring not in exact]
    if not others:
        return exact[max(map(exact.index, rings))]
    if any(ring != others[0] for ring in others):
        names = " and ".join(sorted({ring.name for ring in others}))
        raise ValueError(f"DirectSum: parts in {names}: say which is meant, ring=…")
    return others[0]
