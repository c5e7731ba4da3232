"""The coordinates of Lie elements: which labels a basis has, and how to read an element in it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any, NamedTuple

from flint import fmpz_mat

from ewsmath.capacity import check_size
from ewsmath.lie.bases import hall_basis, lyndon_basis
from ewsmath.lie.bracket import Bracket
from ewsmath.lie.lyndon import lyndon_words
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import Word, checked

Label = Word | Bracket
Basis = Callable[[int, int], tuple[Bracket, ...]]


class AbstractCoordinates(ABC):
    """One way to write Lie elements of a truncated tensor algebra as numbers at labels."""

    @abstractmethod
    def labels(self, algebra: TensorAlgebra[Any]) -> Sequence[Label]:
        """The labels, in the order of a vector of coordinates.

        Args:
            algebra: The truncated tensor algebra of the elements.

        Returns:
            The labels.
        """

    def strange(self, algebra: TensorAlgebra[Any], found: Mapping[Any, Any]) -> set[Any]:
        """Those keys that are no labels.

        Args:
            algebra: The truncated tensor algebra of the elements.
            found: A map from labels.

        Returns:
            The keys that are none.

        >>> from ewsmath.rings import QQ
        >>> COORDINATES["lyndon words"].strange(TensorAlgebra(QQ, dim=2, depth=2), {(1, 2): 5, (2, 1): 7})
        {(2, 1)}
        """
        return found.keys() - set(self.labels(algebra))

    def ordered(self, algebra: TensorAlgebra[Any], found: Mapping[Any, Any]) -> list[Any]:
        """Those labels that are keys, in their order.

        Args:
            algebra: The truncated tensor algebra of the elements.
            found: A map from labels.

        Returns:
            The labels.

        >>> from ewsmath.rings import QQ
        >>> COORDINATES["lyndon words"].ordered(TensorAlgebra(QQ, dim=2, depth=2), {(1, 2): 5, (2,): 7})
        [(2,), (1, 2)]
        """
        return [label for label in self.labels(algebra) if label in found]

    @abstractmethod
    def label(self, x: Any) -> Label:
        """What the user writes for a label, as the label.

        Args:
            x: What the user writes.

        Returns:
            The label.
        """

    @abstractmethod
    def read(self, a: Tensor[Any]) -> Mapping[Any, Any]:
        """The coordinates of a Lie element, without zeros.

        Args:
            a: A tensor that is a Lie element.

        Returns:
            A map from labels to numbers.
        """

    @abstractmethod
    def expand(self, algebra: TensorAlgebra[Any], coordinates: Mapping[Any, Any]) -> Tensor[Any]:
        """The tensor with these coordinates.

        Args:
            algebra: The truncated tensor algebra of the elements.
            coordinates: A map from labels to numbers.

        Returns:
            The tensor.
        """


class Words(AbstractCoordinates):
    """The coefficients at all words of at least one letter: complete, but not independent.

    >>> from ewsmath.rings import QQ
    >>> Words().labels(TensorAlgebra(QQ, dim=2, depth=2))
    [(1,), (2,), (1, 1), (1, 2), (2, 1), (2, 2)]
    """

    def labels(self, algebra: TensorAlgebra[Any]) -> Sequence[Label]:
        """All words but the empty one."""
        check_size(algebra.dim, algebra.depth, "coordinates in words")
        return list(algebra.words())[1:]

    def strange(self, algebra: TensorAlgebra[Any], found: Mapping[Any, Any]) -> set[Any]:
        """Those keys that are no words of the algebra, or empty; the others are not listed."""
        return {word for word in found if not 0 < len(word) <= algebra.depth or max(word) > algebra.dim}

    def ordered(self, algebra: TensorAlgebra[Any], found: Mapping[Any, Any]) -> list[Any]:
        """The words that are keys, by length, then in lexicographic order."""
        return sorted(filter(None, found), key=lambda word: (len(word), word))

    def label(self, x: Any) -> Label:
        """A word; a letter is a word of one."""
        return checked(x if isinstance(x, tuple | list) else (x,))

    def read(self, a: Tensor[Any]) -> Mapping[Any, Any]:
        """The coefficients of the tensor."""
        return a.coefficients

    def expand(self, algebra: TensorAlgebra[Any], coordinates: Mapping[Any, Any]) -> Tensor[Any]:
        """The tensor with these coefficients."""
        return algebra.tensor(coordinates)


class Brackets(AbstractCoordinates):
    """The coordinates in a basis of brackets.

    Args:
        basis: A map from dimension and depth to the brackets of a basis of the free Lie ring.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> Brackets(lyndon_basis).read(T.tensor({(1,): 3, (1, 2): 5, (2, 1): -5}))
    {1: 3, [1,2]: 5}
    """

    def __init__(self, basis: Basis) -> None:
        self._basis = basis

    def labels(self, algebra: TensorAlgebra[Any]) -> Sequence[Label]:
        """The brackets of the basis."""
        return self._basis(algebra.dim, algebra.depth)

    def label(self, x: Any) -> Label:
        """A bracket, also written as nested pairs or as text."""
        return Bracket(x)

    def read(self, a: Tensor[Any]) -> Mapping[Any, Any]:
        """The solution of Σ x_b b = a, read off at the Lyndon words."""
        return _solve(a.algebra, self._basis, a.coefficients)

    def expand(self, algebra: TensorAlgebra[Any], coordinates: Mapping[Any, Any]) -> Tensor[Any]:
        """The sum Σ x_b b."""
        total: dict[Word, Any] = {}
        for bracket, x in coordinates.items():
            for word, n in bracket.expansion().items():
                term = algebra.ring.coerce(n) * x
                total[word] = total[word] + term if word in total else term
        return Tensor._of(algebra, total)


class LyndonWords(AbstractCoordinates):
    """The coefficients at the Lyndon words, which determine a Lie element.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> LyndonWords().labels(T), LyndonWords().expand(T, {(1, 2): QQ.coerce(5)})
    ([(1,), (2,), (1, 2)], 5*e12 - 5*e21)
    """

    def labels(self, algebra: TensorAlgebra[Any]) -> Sequence[Label]:
        """The Lyndon words by length, then in lexicographic order."""
        return [bracket.word for bracket in lyndon_basis(algebra.dim, algebra.depth)]

    def label(self, x: Any) -> Label:
        """A word; a letter is a word of one."""
        return checked(x if isinstance(x, tuple | list) else (x,))

    def read(self, a: Tensor[Any]) -> Mapping[Any, Any]:
        """The coefficients at the Lyndon words."""
        words = (bracket.word for bracket in lyndon_basis(a.algebra.dim, a.algebra.depth))
        return {word: a.coefficients[word] for word in words if word in a.coefficients}

    def expand(self, algebra: TensorAlgebra[Any], coordinates: Mapping[Any, Any]) -> Tensor[Any]:
        """The one Lie element with these coefficients."""
        brackets = Brackets(lyndon_basis)
        return brackets.expand(algebra, _solve(algebra, lyndon_basis, coordinates))


COORDINATES: MappingProxyType[str, AbstractCoordinates] = MappingProxyType(
    {
        "words": Words(),
        "lyndon words": LyndonWords(),
        "lyndon brackets": Brackets(lyndon_basis),
        "hall brackets by degree": Brackets(partial(hall_basis, order="degree")),
        "hall brackets by foliage": Brackets(partial(hall_basis, order="foliage")),
    }
)
"""The bases in which Lie elements are written, by the name that calls give."""


def coordinates(basis: str) -> AbstractCoordinates:
    """The coordinates of that name; ValueError with the names that there are for any other.

    Args:
        basis: The name of the basis.

    Returns:
        The coordinates, one of ``COORDINATES``.

    >>> coordinates("lyndon words").label([1, 2])
    (1, 2)
    """
    if basis not in COORDINATES:
        raise ValueError(f"unknown basis {basis!r}: name one of {', '.join(map(repr, COORDINATES))}")
    return COORDINATES[basis]


class _Block(NamedTuple):
    """The brackets of a basis with the same letters: those from coefficients at the Lyndon words with these letters.

    ``rows`` holds, for each bracket, the places of Lyndon words and the whole numbers by which to multiply.
    """

    words: list[Word]
    brackets: list[Bracket]
    rows: list[list[tuple[int, int]]]


@lru_cache(maxsize=64)
def _blocks(basis: Basis, dim: int, depth: int) -> list[_Block]:
    # A Lie element is determined by its coefficients at the Lyndon words, and the matrix from bracket to
    # Lyndon-word coordinates joins equal letters only. Its determinant is ±1: both are bases over the integers.
    members: dict[Word, tuple[list[Word], list[Bracket]]] = {}
    for word in lyndon_words(dim, depth):
        members.setdefault(tuple(sorted(word)), ([], []))[0].append(word)
    for bracket in basis(dim, depth):
        members[tuple(sorted(bracket.word))][1].append(bracket)
    found = []
    for words, brackets in members.values():
        columns = [bracket.expansion() for bracket in brackets]
        # inv(integer=True) is no way here: python-flint 0.9.0 leaves out the sign of the determinant.
        inverse = fmpz_mat([[column.get(word, 0) for column in columns] for word in words]).inv()
        rows = [[(j, int(x.p)) for j, x in enumerate(row) if x] for row in inverse.tolist()]
        found.append(_Block(words, brackets, rows))
    return found


def _solve(algebra: TensorAlgebra[Any], basis: Basis, at_words: Mapping[Word, Any]) -> dict[Bracket, Any]:
    """The coordinates in a basis of brackets of the Lie element with these coefficients at the Lyndon words."""
    ring = algebra.ring
    found: dict[Bracket, Any] = {}
    for block in _blocks(basis, algebra.dim, algebra.depth):
        given = [at_words.get(word) for word in block.words]
        if all(c is None for c in given):
            continue
        for bracket, row in zip(block.brackets, block.rows, strict=True):
            total = ring.zero
            for j, n in row:
                c = given[j]
                if c is not None:
                    total = total + ring.coerce(n) * c
            if total:
                found[bracket] = total
    return found
