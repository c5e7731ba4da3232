"""What every SLiCE structure is: a square matrix given by fewer numbers, which adds, scales, composes and acts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from ewsmath import spectrum
from ewsmath.matrix import Matrix
from ewsmath.rings import Ring
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable


class AbstractStructure(Immutable, ABC):
    """A structured h x h matrix. Immutable; operands of sums and products are of one structure and one ring.

    The seven structures are those of the published SLiCE models, and no objects of the paper on the EWS.

    Attributes:
        ring: The ring of the entries.
        size: Number of rows h.
        is_closed: Whether the product of two such matrices, and so their commutator, has the structure again.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.structures import Diagonal
    >>> A = Diagonal(QQ, [2, 3])
    >>> A.size, A.parameters, A.apply([QQ.one, QQ.one]), A + A
    (2, 2, [2, 3], Diagonal(Matrix(QQ, [[4, 0], [0, 6]])))
    """

    ring: Ring[Any]
    size: int
    is_closed: ClassVar[bool]

    @property
    @abstractmethod
    def parameters(self) -> int:
        """How many numbers give the matrix."""

    @property
    @abstractmethod
    def matrix(self) -> Matrix[Any]:
        """The matrix with all its entries."""

    @abstractmethod
    def apply(self, h: Sequence[Any]) -> list[Any]:
        """The product with a column vector, without forming the matrix.

        Args:
            h: The vector, h elements of the ring.

        Returns:
            Its image.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> A = Diagonal(QQ, [2, 3])
        >>> A.apply([QQ.one, QQ.one])
        [2, 3]
        """

    def __add__(self, other: AbstractStructure) -> AbstractStructure:
        return self._sum(self.check_same(other))

    def __matmul__(self, other: AbstractStructure) -> AbstractStructure:
        return self._product(self.check_same(other))

    @abstractmethod
    def _sum(self, other: Any) -> AbstractStructure:
        """The sum with one that is known to go together with this one."""

    @abstractmethod
    def _product(self, other: Any) -> AbstractStructure:
        """The product with one that is known to go together with this one."""

    @abstractmethod
    def scaled(self, c: Any) -> AbstractStructure:
        """The multiple by an element of the ring.

        Args:
            c: The element.

        Returns:
            A matrix of the same structure.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> A = Diagonal(QQ, [2, 3])
        >>> A.scaled(QQ.ratio(1, 2)).matrix
        Matrix(QQ, [[1, 0], [0, 3/2]])
        """

    @abstractmethod
    def plus_identity(self) -> AbstractStructure:
        """I + A: of the same structure where that holds the identity, else dense.

        Returns:
            The matrix.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> A = Diagonal(QQ, [2, 3])
        >>> A.plus_identity().matrix
        Matrix(QQ, [[3, 0], [0, 4]])
        """

    def exponential(self) -> Matrix[Any]:
        """The exponential e^A with all its entries; ValueError where the ring does not contain it.

        Returns:
            The matrix.

        Raises:
            ValueError: The ring does not contain it.

        >>> from ewsmath.rings import EE
        >>> from ewsmath.structures import Diagonal
        >>> Diagonal(EE, [2, 0]).exponential()
        Matrix(EE, [[e^(2), 0], [0, 1]])
        """
        return spectrum.exponential(self.matrix)

    def check_same(self, other: object) -> AbstractStructure:
        """The other matrix, if it goes together with this one; else an error that says why it does not.

        Args:
            other: What came.

        Returns:
            The other matrix.

        Raises:
            TypeError: It is of another structure.
            ValueError: Size or ring differ.

        >>> from ewsmath.rings import QQ
        >>> from ewsmath.structures import Diagonal
        >>> A = Diagonal(QQ, [2, 3])
        >>> A.check_same(A) is A
        True
        """
        kind = type(self)
        found = of_kind(other, kind, f"{kind.__name__} goes together with {kind.__name__}", "take .matrix of both")
        if found.ring != self.ring or found.size != self.size:
            raise ValueError(
                f"{kind.__name__} of size {self.size} over {self.ring.name} does not go together with one of size "
                f"{found.size} over {found.ring.name}: make them equal"
            )
        return found

    def __eq__(self, other: object) -> bool:
        return self.matrix == other.matrix if isinstance(other, AbstractStructure) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.matrix})"


def vector(ring: Ring[Any], numbers: object, what: str) -> tuple[Any, ...]:
    """At least one number, each an element of the ring; else an error that names what they are for.

    Args:
        ring: The ring.
        numbers: What came.
        what: What they are for, for the message.

    Returns:
        The elements.

    Raises:
        TypeError: They are no sequence of numbers of the ring.
        ValueError: There is none.

    >>> from ewsmath.rings import EE
    >>> vector(EE, [1, EE.exp(EE.one)], "Diagonal")
    (1, e^(1))
    """
    found = tuple(ring.coerce(x) for x in entries(numbers, f"{what} takes numbers"))
    if not found:
        raise ValueError(f"{what} takes at least one number, got none")
    return found
