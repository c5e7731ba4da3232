"""The words that span a truncated tensor algebra."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from ewsmath import words as _words
from ewsmath.rings import Ring, RingElement, check_ring
from ewsmath.rings.door import whole
from ewsmath.rings.immutable import Immutable
from ewsmath.words import Word

R = TypeVar("R", bound=RingElement)


class WordBasis(Immutable, Generic[R]):
    """The half of :class:`~ewsmath.tensor.TensorAlgebra` that needs no tensor: ring, letters, depth and words.

    Args:
        ring: The ring of the coefficients.
        dim: Number of letters m.
        depth: Length N of the longest words.

    Raises:
        TypeError: ``dim`` or ``depth`` is no whole number, or ``ring`` is no ring.
        ValueError: ``dim`` or ``depth`` is below 1.

    >>> from ewsmath.rings import QQ
    >>> basis = WordBasis(QQ, dim=2, depth=3)
    >>> basis.size, list(basis.words(1))
    (15, [(1,), (2,)])
    """

    __slots__ = ("depth", "dim", "ring")
    ring: Ring[R]
    dim: int
    depth: int

    def __init__(self, ring: Ring[R], dim: int, depth: int) -> None:
        name = type(self).__name__
        dim, depth = whole(dim, f"{name}: dim"), whole(depth, f"{name}: depth")
        self._set(ring=check_ring(ring), dim=dim, depth=depth)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordBasis):
            return NotImplemented
        return self is other or (self.ring, self.dim, self.depth) == (other.ring, other.dim, other.depth)

    def __hash__(self) -> int:
        return hash((self.ring, self.dim, self.depth))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(ring={self.ring.name}, dim={self.dim}, depth={self.depth})"

    @property
    def size(self) -> int:
        """K, the number of words, the empty one among them."""
        return _words.size(self.dim, self.depth)

    def words(self, length: int | None = None) -> Iterator[Word]:
        """The words of one length, or all of them by length; each length in lexicographic order.

        Args:
            length: The length; None for all lengths from 0 to the depth.

        Returns:
            An iterator over words, tuples of letters from 1 to m.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> list(TensorAlgebra(QQ, dim=2, depth=2).words())
        [(), (1,), (2,), (1, 1), (1, 2), (2, 1), (2, 2)]
        """
        lengths = range(self.depth + 1) if length is None else [length]
        return (word for n in lengths for word in _words.words(self.dim, n))

    def check_word(self, word: Word) -> Word:
        """The word with each letter an int, if it is one of this algebra.

        Args:
            word: What came: a tuple of whole numbers of any kind.

        Returns:
            The word.

        Raises:
            ValueError: A letter is not from 1 to m, or there are more letters than the depth.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=2, depth=3).check_word((1, 3))
        Traceback (most recent call last):
            ...
        ValueError: (1, 3) is no word of TensorAlgebra(ring=QQ, dim=2, depth=3): it needs at most 3 letters, each
        from 1 to 2.
        """
        try:
            found = _words.checked(word, self.dim)
        except ValueError:
            found = None
        if found is None or len(found) > self.depth:
            raise ValueError(
                f"{word} is no word of {self}: it needs at most {self.depth} letters, each from 1 to {self.dim}."
            )
        return found

    def check_level(self, n: int) -> None:
        """Refuse a level that there is not.

        Args:
            n: The level.

        Raises:
            ValueError: It is not from 0 to the depth.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=2, depth=3).check_level(4)
        Traceback (most recent call last):
            ...
        ValueError: TensorAlgebra(ring=QQ, dim=2, depth=3) has levels 0 to 3, got 4
        """
        if not 0 <= n <= self.depth:
            raise ValueError(f"{self} has levels 0 to {self.depth}, got {n}")
