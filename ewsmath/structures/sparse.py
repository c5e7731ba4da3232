"""The structure S: a sparse matrix with a fixed pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import Ring, check_ring
from ewsmath.rings.door import integer, whole
from ewsmath.structures.structure import AbstractStructure


class Sparse(AbstractStructure):
    """S: a matrix with entries at some places and zeros elsewhere; as many numbers as places.

    The pattern is not kept by products: they fill in.

    Args:
        ring: The ring.
        size: Number of rows h.
        entries: A map from places (i, j), from 0, to the entries there, which may be zero.

    Raises:
        ValueError: A place is outside the matrix.

    A product that leaves the pattern:

    >>> from ewsmath.rings import QQ
    >>> A = Sparse(QQ, 3, {(0, 1): 1, (1, 2): 1})
    >>> sorted((A @ A).entries), A.parameters
    ([(0, 2)], 2)
    """

    __slots__ = ("_entries", "ring", "size")
    is_closed = False
    _entries: dict[tuple[int, int], Any]

    def __init__(self, ring: Ring[Any], size: int, entries: Mapping[tuple[int, int], Any]) -> None:
        h = whole(size, "Sparse: size")
        found = {}
        for place, x in entries.items():
            i, j = _place(place, h)
            found[i, j] = check_ring(ring).coerce(x)
        self._set(ring=check_ring(ring), size=h, _entries=found)

    @property
    def entries(self) -> Mapping[tuple[int, int], Any]:
        """The map from places to entries, zeros among them: its keys are the pattern."""
        return MappingProxyType(self._entries)

    @property
    def parameters(self) -> int:
        """The number of places."""
        return len(self._entries)

    @property
    def matrix(self) -> Matrix[Any]:
        """The matrix with all its entries."""
        found, h = self._entries, self.size
        return Matrix.flat(self.ring, [found.get((i, j), self.ring.zero) for i in range(h) for j in range(h)], h)

    def apply(self, h: Sequence[Any]) -> list[Any]:
        """The product with a column vector, one multiplication for each place.

        Args:
            h: The vector, h elements of the ring.

        Returns:
            Its image.

        >>> from ewsmath.rings import QQ
        >>> Sparse(QQ, 3, {(0, 2): 5}).apply([QQ.one, QQ.one, QQ.coerce(2)])
        [10, 0, 0]
        """
        image: list[Any] = [self.ring.zero] * self.size
        for (i, j), x in self._entries.items():
            image[i] = image[i] + x * h[j]
        return image

    def _sum(self, other: Sparse) -> Sparse:
        total = dict(self._entries)
        for place, x in other._entries.items():
            total[place] = total[place] + x if place in total else x
        return Sparse(self.ring, self.size, total)

    def scaled(self, c: Any) -> Sparse:
        """The multiple by an element of the ring.

        Args:
            c: The element.

        Returns:
            One with the same pattern.

        >>> from ewsmath.rings import QQ
        >>> dict(Sparse(QQ, 3, {(0, 1): 1, (2, 0): 4}).scaled(QQ.zero).entries)
        {(0, 1): 0, (2, 0): 0}
        """
        factor = self.ring.coerce(c)
        return Sparse(self.ring, self.size, {place: factor * x for place, x in self._entries.items()})

    def plus_identity(self) -> Sparse:
        """I + A, whose pattern holds the diagonal.

        Returns:
            The sparse matrix with the larger pattern.

        >>> from ewsmath.rings import QQ
        >>> A = Sparse(QQ, 2, {(0, 1): 3}).plus_identity()
        >>> A.parameters, A.matrix
        (3, Matrix(QQ, [[1, 3], [0, 1]]))
        """
        return self._sum(Sparse(self.ring, self.size, {(i, i): 1 for i in range(self.size)}))

    def _product(self, other: Sparse) -> Sparse:
        total: dict[tuple[int, int], Any] = {}
        for (i, k), x in self._entries.items():
            for (n, j), y in other._entries.items():
                if k == n:
                    total[i, j] = total[i, j] + x * y if (i, j) in total else x * y
        return Sparse(self.ring, self.size, total)


def _place(place: Any, size: int) -> tuple[int, int]:
    numbers = [integer(i) for i in place] if isinstance(place, tuple) else []
    if len(numbers) != 2 or not all(i is not None and 0 <= i < size for i in numbers):
        raise ValueError(f"{place!r} is no place in a {size} x {size} matrix: give (row, column), counted from 0")
    return numbers[0], numbers[1]  # type: ignore[return-value]  # no None is left
