"""The structures made of square blocks along the diagonal: DE, D, BD and D-DE. They are closed under products."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any, Self

from ewsmath import spectrum
from ewsmath.linear_cde.span import square_matrices
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.rings.door import entries
from ewsmath.structures.structure import AbstractStructure, vector


class AbstractBlocks(AbstractStructure):
    r"""A direct sum of square blocks. Sums, products and exponentials go block by block.

    .. math:: (A_1 ⊕ ⋯ ⊕ A_k)(B_1 ⊕ ⋯ ⊕ B_k) = A_1 B_1 ⊕ ⋯ ⊕ A_k B_k

    Attributes:
        blocks: The blocks, from the top left on.

    >>> from ewsmath.rings import QQ
    >>> A = DiagonalDense([2], Matrix(QQ, [[0, 1], [0, 0]]))
    >>> A.blocks, A.plus_identity().blocks
    ((Matrix(QQ, [[2]]), Matrix(QQ, [[0, 1], [0, 0]])), (Matrix(QQ, [[3]]), Matrix(QQ, [[1, 1], [0, 1]])))
    """

    __slots__ = ("blocks", "ring", "size")
    is_closed = True
    blocks: tuple[Matrix[Any], ...]

    def _fill(self, blocks: Iterable[Matrix[Any]]) -> Self:
        found = tuple(blocks)
        for block in found:
            block.check_square(type(self).__name__)
            if block.ring != found[0].ring:
                raise ValueError(f"blocks over {found[0].ring.name} and {block.ring.name} are not mixed: use one ring")
        self._set(blocks=found, ring=found[0].ring, size=sum(block.shape[0] for block in found))
        return self

    def _like(self, blocks: Iterable[Matrix[Any]]) -> Self:
        kind = type(self)
        return kind.__new__(kind)._fill(blocks)

    @property
    def parameters(self) -> int:
        """The sum of b² over the sizes b of the blocks."""
        return sum(block.shape[0] ** 2 for block in self.blocks)

    @property
    def matrix(self) -> Matrix[Any]:
        """The matrix with all its entries."""
        return Matrix.block_diagonal(self.ring, self.blocks)

    def apply(self, h: Sequence[Any]) -> list[Any]:
        """The product with a column vector, block by block.

        Args:
            h: The vector, h elements of the ring.

        Returns:
            Its image.

        >>> from ewsmath.rings import QQ
        >>> turn = Matrix(QQ, [[0, -1], [1, 0]])
        >>> BlockDiagonal([turn, turn]).apply([QQ.coerce(x) for x in (1, 2, 3, 4)])
        [-2, 1, -4, 3]
        """
        ends = accumulate(block.shape[0] for block in self.blocks)
        return [x for end, A in zip(ends, self.blocks, strict=True) for x in A.apply(h[end - A.shape[0] : end])]

    def check_same(self, other: object) -> AbstractStructure:
        """The other matrix, if it goes together with this one; else an error that says why it does not.

        Args:
            other: What came.

        Returns:
            The other matrix.

        Raises:
            TypeError: It is of another structure.
            ValueError: Size, ring or the sizes of the blocks differ.

        >>> from ewsmath.rings import QQ
        >>> one, turn = Matrix(QQ, [[1]]), Matrix(QQ, [[0, -1], [1, 0]])
        >>> BlockDiagonal([one, turn]).check_same(BlockDiagonal([turn, one]))
        Traceback (most recent call last):
            ...
        ValueError: direct sums go together when their blocks have the same sizes, in the same order
        """
        found: Any = super().check_same(other)
        if [A.shape for A in found.blocks] != [A.shape for A in self.blocks]:
            raise ValueError("direct sums go together when their blocks have the same sizes, in the same order")
        return found

    def _sum(self, other: Any) -> Self:
        return self._like(A + B for A, B in zip(self.blocks, other.blocks, strict=True))

    def _product(self, other: Any) -> Self:
        return self._like(A @ B for A, B in zip(self.blocks, other.blocks, strict=True))

    def scaled(self, c: Any) -> Self:
        """The multiple by an element of the ring.

        Args:
            c: The element.

        Returns:
            A direct sum of blocks of the same sizes.

        >>> from ewsmath.rings import QQ
        >>> DiagonalDense([2], Matrix(QQ, [[0, 1], [1, 0]])).scaled(QQ.coerce(3)).blocks
        (Matrix(QQ, [[6]]), Matrix(QQ, [[0, 3], [3, 0]]))
        """
        return self._like(A.scaled(c) for A in self.blocks)

    def plus_identity(self) -> Self:
        """I + A, of the same structure.

        Returns:
            The direct sum of the I + A_k.

        >>> from ewsmath.rings import QQ
        >>> Diagonal(QQ, [2, -1]).plus_identity()
        Diagonal(Matrix(QQ, [[3, 0], [0, 0]]))
        """
        return self._like(A + Matrix.identity(self.ring, A.shape[0]) for A in self.blocks)

    def structured_exponential(self) -> Self:
        """The exponential e^A, of the same structure.

        Returns:
            The direct sum of the e^{A_k}.

        Raises:
            ValueError: The ring does not contain it.

        >>> from ewsmath.rings import EE
        >>> DiagonalDense([2], Matrix(EE, [[1, 1], [0, 1]])).structured_exponential().blocks
        (Matrix(EE, [[e^(2)]]), Matrix(EE, [[e^(1), e^(1)], [0, e^(1)]]))
        """
        return self._like(map(spectrum.exponential, self.blocks))

    def exponential(self) -> Matrix[Any]:
        """The exponential e^A with all its entries.

        Returns:
            The h x h matrix.

        Raises:
            ValueError: The ring does not contain it.

        >>> from ewsmath.rings import EE
        >>> DiagonalDense([2], Matrix(EE, [[1, 1], [0, 1]])).exponential()
        Matrix(EE, [[e^(2), 0, 0], [0, e^(1), e^(1)], [0, 0, e^(1)]])
        """
        return self.structured_exponential().matrix

    @abstractmethod
    def __init__(self, *arguments: Any) -> None: ...


class Dense(AbstractBlocks):
    """DE: a matrix without structure, h² numbers.

    Args:
        matrix: The h x h matrix.

    >>> from ewsmath.rings import QQ
    >>> Dense(Matrix(QQ, [[1, 2], [3, 4]])).parameters
    4
    """

    __slots__ = ()

    def __init__(self, matrix: Matrix[Any]) -> None:
        self._fill(square_matrices([matrix], "Dense"))


class Diagonal(AbstractBlocks):
    """D: a diagonal matrix, h numbers. Its products are those of the entries, and all commute.

    Args:
        ring: The ring.
        entries: The h diagonal entries.

    >>> from ewsmath.rings import QQ
    >>> (Diagonal(QQ, [2, 3]) @ Diagonal(QQ, [5, 7])).matrix
    Matrix(QQ, [[10, 0], [0, 21]])
    """

    __slots__ = ()

    def __init__(self, ring: Ring[Any], entries: Sequence[Any]) -> None:
        self._fill(_scalars(ring, vector(ring, entries, "Diagonal")))


class BlockDiagonal(AbstractBlocks):
    """BD: square blocks along the diagonal, h·b numbers for blocks of one size b.

    Args:
        blocks: The blocks; their sizes may differ.

    Raises:
        TypeError: A block is no matrix.
        ValueError: There is none, or a block is not square.

    >>> from ewsmath.rings import QQ
    >>> A = BlockDiagonal([Matrix(QQ, [[0, 1], [1, 0]]), Matrix(QQ, [[2, 0], [0, 3]])])
    >>> A.parameters, A.apply([QQ.coerce(x) for x in (1, 2, 3, 4)])
    (8, [2, 1, 6, 12])
    """

    __slots__ = ()

    def __init__(self, blocks: Sequence[Matrix[Any]]) -> None:
        found = entries(blocks, "BlockDiagonal takes its blocks")
        if not found:
            raise ValueError("BlockDiagonal needs at least one block, got none")
        self._fill(square_matrices([block], "BlockDiagonal")[0] for block in found)


class DiagonalDense(AbstractBlocks):
    """D-DE: diagonal but for one dense block, which stands last; h - b + b² numbers.

    A product is the pair of the products, of the diagonals entry by entry and of the blocks.

    Args:
        entries: The h - b diagonal entries, at least one.
        block: The b x b block.

    >>> from ewsmath.rings import QQ
    >>> DiagonalDense([2], Matrix(QQ, [[0, 1], [1, 0]])).matrix
    Matrix(QQ, [[2, 0, 0], [0, 0, 1], [0, 1, 0]])
    """

    __slots__ = ()

    def __init__(self, entries: Sequence[Any], block: Matrix[Any]) -> None:
        [last] = square_matrices([block], "DiagonalDense")
        self._fill([*_scalars(last.ring, vector(last.ring, entries, "DiagonalDense")), last])


def _scalars(ring: Ring[Any], numbers: Iterable[Any]) -> list[Matrix[Any]]:
    return [Matrix.flat(ring, [x], 1) for x in numbers]
