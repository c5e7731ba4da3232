"""The bases in which Lie elements are written, by name."""

import abc
import dataclasses
import functools
from collections.abc import Iterator
from types import MappingProxyType
from typing import SupportsIndex

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn import tensor
from ewsnn.signature import lyndon


@dataclasses.dataclass(frozen=True)
class AbstractBasis(abc.ABC):
    """One way to write the Lie elements over m letters, truncated at depth N, as a row of numbers.

    Args:
        m: The number of letters.
        depth: The truncation depth N.
    """

    m: int
    depth: int

    @property
    @abc.abstractmethod
    def labels(self) -> tuple[str, ...]:
        """What each coordinate is the number of."""

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """How many coordinates there are."""

    @abc.abstractmethod
    def read(self, features: Float[Array, "*batch features"]) -> Float[Array, "*batch size"]:
        """The coordinates, from the entries of levels 1 to N in a row."""

    @abc.abstractmethod
    def expand(self, x: Float[Array, "*batch size"]) -> Float[Array, "*batch features"]:
        """The entries of levels 1 to N in a row, from the coordinates."""


class Words(AbstractBasis):
    """The coefficients at all words: the tensor itself, complete but not independent."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The words by length, then in lexicographic order."""
        return tuple(map(_spelled, self._words()))

    @property
    def size(self) -> int:
        """All words of 1 to N letters."""
        return tensor.size(self.m, self.depth)

    def read(self, features: Float[Array, "*batch features"]) -> Float[Array, "*batch size"]:
        """The features themselves."""
        return features

    def expand(self, x: Float[Array, "*batch size"]) -> Float[Array, "*batch features"]:
        """The coordinates themselves."""
        return x

    def _words(self) -> Iterator[tuple[int, ...]]:
        for n in range(1, self.depth + 1):
            yield from map(tuple, (lyndon.letters(np.arange(self.m**n), self.m, n) + 1).tolist())


class LyndonWords(AbstractBasis):
    """The coefficients at the Lyndon words, which determine those at all others."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The Lyndon words by length, then in lexicographic order."""
        return tuple(map(_spelled, lyndon_words(self.m, self.depth)))

    @property
    def size(self) -> int:
        """The number of Lyndon words of 1 to N letters."""
        return len(lyndon.places(self.m, self.depth))

    def read(self, features: Float[Array, "*batch features"]) -> Float[Array, "*batch size"]:
        """The features at the Lyndon words."""
        return features[..., lyndon.places(self.m, self.depth)]

    def expand(self, x: Float[Array, "*batch size"]) -> Float[Array, "*batch features"]:
        """The one Lie element with these coefficients, by way of the brackets."""
        tables = lyndon.tables(self.m, self.depth)
        return _multiply(tables.expansion, _multiply(tables.solution, x))


class LyndonBrackets(LyndonWords):
    """The coordinates in the brackets of the Lyndon words, each along its standard factorisation."""

    @property
    def labels(self) -> tuple[str, ...]:
        """The brackets, in the order of their words."""
        return tuple(map(_bracket, lyndon_words(self.m, self.depth)))

    def read(self, features: Float[Array, "*batch features"]) -> Float[Array, "*batch size"]:
        """The solution of Σ x_b b = features, from the features at the Lyndon words."""
        return _multiply(lyndon.tables(self.m, self.depth).solution, super().read(features))

    def expand(self, x: Float[Array, "*batch size"]) -> Float[Array, "*batch features"]:
        """The sum Σ x_b b."""
        return _multiply(lyndon.tables(self.m, self.depth).expansion, x)


# The names are those of ewsmath.
BASES: MappingProxyType[str, type[AbstractBasis]] = MappingProxyType(
    {"words": Words, "lyndon words": LyndonWords, "lyndon brackets": LyndonBrackets}
)


def basis_of(m: SupportsIndex, depth: SupportsIndex, basis: str) -> AbstractBasis:
    """The basis of that name over m letters at depth N.

    Raises:
        ValueError: If there is no such basis, or m or the depth is no integer of at least 1, or there are too many
            words.
    """
    if basis not in BASES:
        raise ValueError(f"basis must be one of {', '.join(map(repr, BASES))}, got {basis!r}.")
    return BASES[basis](*_checked(m, depth))


def lyndon_words(m: SupportsIndex, depth: SupportsIndex) -> tuple[tuple[int, ...], ...]:
    """The Lyndon words of at most ``depth`` letters, by length, then in lexicographic order.

    A word is Lyndon if it is smaller than all its proper rotations. Letters count from 1, as in the paper: the
    coefficient at a word w is entry ``tuple(i - 1 for i in w)`` of level len(w).

    Args:
        m: The number of letters.
        depth: The largest length N.

    Returns:
        The words. There are as many of each length as the free Lie algebra has dimensions.

    Raises:
        ValueError: If m or the depth is no integer of at least 1, or there are too many words.

    >>> lyndon_words(2, 3)
    ((1,), (2,), (1, 2), (1, 1, 2), (1, 2, 2))
    """
    m, depth = _checked(m, depth)
    rows = (lyndon.letters(lyndon.numbers(m, n), m, n) + 1 for n in range(1, depth + 1))
    return tuple(tuple(word) for level in rows for word in level.tolist())


def labels(m: SupportsIndex, depth: SupportsIndex, *, basis: str) -> tuple[str, ...]:
    """The name of each coordinate, in their order; letters count from 1.

    Args:
        m: The number of letters.
        depth: The truncation depth N.
        basis: "words", "lyndon words" or "lyndon brackets".

    Returns:
        Words as "1,2", brackets as "[1,2]"; by length, then in lexicographic order of the words.

    Raises:
        ValueError: If there is no such basis, or m or the depth is no integer of at least 1, or there are too many
            words.

    >>> labels(2, 3, basis="lyndon words")
    ('1', '2', '1,2', '1,1,2', '1,2,2')
    >>> labels(2, 3, basis="lyndon brackets")
    ('1', '2', '[1,2]', '[1,[1,2]]', '[[1,2],2]')
    """
    return basis_of(m, depth, basis).labels


def _checked(m: SupportsIndex, depth: SupportsIndex) -> tuple[int, int]:
    letters, depth = tensor.check_depth(m, name="m"), tensor.check_depth(depth)
    tensor.check_size(letters, depth, 1, 8)
    return letters, depth


def _spelled(word: tuple[int, ...]) -> str:
    return ",".join(map(str, word))


@functools.cache
def _bracket(word: tuple[int, ...]) -> str:
    if len(word) == 1:
        return str(word[0])
    # The longest proper Lyndon suffix is the smallest proper suffix.
    cut = min(range(1, len(word)), key=lambda k: word[k:])
    return f"[{_bracket(word[:cut])},{_bracket(word[cut:])}]"


def _multiply(matrix: lyndon.Sparse, x: Float[Array, "*batch columns"]) -> Float[Array, "*batch rows"]:
    batch = x.shape[:-1]
    columns = x.reshape(-1, x.shape[-1]).T
    weights = jnp.asarray(matrix.values, x.dtype)[:, None]
    terms = columns[matrix.columns] * jnp.broadcast_to(weights, (len(matrix.values), columns.shape[1]))
    total = jax.ops.segment_sum(terms, matrix.rows, matrix.size, indices_are_sorted=True)
    return total.T.reshape(*batch, matrix.size)
