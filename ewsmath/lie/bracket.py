"""Brackets such as [1,[1,2]]: the trees that name elements of a free Lie algebra."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, TypeVar

from ewsmath.latex import displayed, letters
from ewsmath.rings import RingElement
from ewsmath.rings.door import integer, named
from ewsmath.rings.immutable import Immutable
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import Word

T = TypeVar("T")
R = TypeVar("R", bound=RingElement)


class Bracket(Immutable):
    r"""A letter, or the bracket [a, b] of two brackets. Immutable, and equal only to the same tree.

    It names an element of the free Lie algebra, in which [a, b] = a ⊗ b − b ⊗ a.

    Args:
        tree: A letter 1, 2, …, a pair of what is itself a tree, or a text such as ``"[1,[1,2]]"``.

    Attributes:
        word: The letters from left to right.
        parts: The two sides (a, b); None for a letter.

    Raises:
        ValueError: A letter is below 1, or the text is no bracket.
        TypeError: A part is neither a letter nor a pair.

    >>> b = Bracket([1, [1, 2]])
    >>> b, b.word, b.parts[1], b == Bracket("[1,[1,2]]")
    ([1,[1,2]], (1, 1, 2), [1,2], True)
    """

    __slots__ = ("_hash", "parts", "word")
    word: Word
    parts: tuple[Bracket, Bracket] | None
    _hash: int

    def __new__(cls, tree: Any) -> Bracket:
        """The bracket itself, if the tree is one."""
        return tree if isinstance(tree, Bracket) else super().__new__(cls)

    def __init__(self, tree: Any) -> None:
        if isinstance(tree, Bracket):
            return
        tree = _parsed(tree) if isinstance(tree, str) else tree
        letter = integer(tree)
        if letter is not None:
            if letter < 1:
                raise ValueError(f"a bracket is made of letters 1, 2, …, got {letter}")
            self._set(word=(letter,), parts=None, _hash=hash(letter))
            return
        if not isinstance(tree, list | tuple) or len(tree) != 2:
            raise TypeError(f"a bracket is a letter or a pair of brackets, got {named(tree)}: write [1, [1, 2]]")
        left, right = map(Bracket, tree)
        self._set(word=left.word + right.word, parts=(left, right), _hash=hash((left, right)))

    def __getnewargs__(self) -> tuple[Any]:
        """What pickle gives to ``__new__``."""
        return (self.nested(),)

    def __len__(self) -> int:
        """The number of letters, which is the degree."""
        return len(self.word)

    def fold(self, letter: Callable[[int], T], bracket: Callable[[T, T], T]) -> T:
        """The value of the bracket where letters and brackets mean something else.

        With matrices M_i and their commutator it is the representation of the free Lie algebra that sends i
        to M_i; with vector fields, what a Log-ODE needs.

        Args:
            letter: What stands for a letter.
            bracket: What stands for a bracket of two values.

        Returns:
            The value.

        >>> Bracket([[1, 3], 2]).fold(lambda i: 10 ** i, lambda x, y: x - y)
        -1090
        """
        if self.parts is None:
            return letter(self.word[0])
        a, b = self.parts
        return bracket(a.fold(letter, bracket), b.fold(letter, bracket))

    def nested(self) -> Any:
        """The bracket as nested pairs of letters.

        Returns:
            A letter, or a pair of nested pairs.

        >>> Bracket("[1,[1,2]]").nested()
        (1, (1, 2))
        """
        return self.word[0] if self.parts is None else tuple(part.nested() for part in self.parts)

    def expansion(self) -> Mapping[Word, int]:
        """The bracket as a combination of words.

        Returns:
            A map from words to whole numbers, without zeros.

        >>> dict(Bracket([1, [1, 2]]).expansion())
        {(1, 1, 2): 1, (1, 2, 1): -2, (2, 1, 1): 1}
        """
        return _expansion(self)

    def tensor(self, algebra: TensorAlgebra[R]) -> Tensor[R]:
        """The bracket as an element of a tensor algebra; zero there if it has more letters than the depth.

        Args:
            algebra: The algebra.

        Returns:
            A tensor of level ``len(self)``.

        Raises:
            ValueError: A letter is larger than the algebra's dimension.

        >>> from ewsmath.rings import QQ
        >>> Bracket([1, 2]).tensor(TensorAlgebra(QQ, dim=2, depth=2))
        e12 - e21
        """
        if max(self.word) > algebra.dim:
            raise ValueError(f"{self} is no bracket of {algebra}: it needs letters from 1 to {algebra.dim}")
        return algebra.tensor(self.expansion()) if len(self) <= algebra.depth else algebra.zero()

    def _latex(self) -> str:
        return self.fold(lambda i: f"e_{{{letters((i,))}}}", lambda a, b: f"[{a}, {b}]")

    def _repr_latex_(self) -> str:
        return displayed(self._latex())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bracket):
            return NotImplemented
        return self is other or (self._hash, self.word, self.parts) == (other._hash, other.word, other.parts)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return self.fold(str, lambda a, b: f"[{a},{b}]")


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)  # brackets of letters are written as JSON writes lists
    except json.JSONDecodeError:
        raise ValueError(f"{text!r} is no bracket: write '[1,[1,2]]'") from None


@lru_cache(maxsize=1 << 16)
def _expansion(bracket: Bracket) -> Mapping[Word, int]:
    if bracket.parts is None:
        return MappingProxyType({bracket.word: 1})
    left, right = map(_expansion, bracket.parts)
    total: dict[Word, int] = {}
    for u, a in left.items():
        for w, b in right.items():
            total[u + w] = total.get(u + w, 0) + a * b
            total[w + u] = total.get(w + u, 0) - a * b
    return MappingProxyType({word: n for word, n in sorted(total.items()) if n})
