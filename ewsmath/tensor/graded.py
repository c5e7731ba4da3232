"""Graded elements: finite combinations of words, as far as they need no product."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Generic, Self, TypeVar

from ewsmath.capacity import check_size
from ewsmath.latex import NOTEBOOK_TERMS, combination, displayed, letters
from ewsmath.rings import RingElement
from ewsmath.rings.immutable import Immutable
from ewsmath.words import Word

R = TypeVar("R", bound=RingElement)


class Graded(Immutable, Generic[R]):
    """The linear and graded half of :class:`~ewsmath.tensor.Tensor`: levels, sums, multiples, printing.

    Args:
        algebra: The parent.
        coefficients: Words of the algebra, and numbers that its ring takes.

    Raises:
        ValueError: A key is no word of the algebra.
        TypeError: A coefficient does not belong to the ring.

    >>> from ewsmath import QQ, TensorAlgebra
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> T.letter(1) - T.letter(1) == T.zero(), (T.letter(1) - T.tensor({(2, 1): 3}))[2, 1]
    (True, -3)
    """

    __slots__ = ("_coefficients", "algebra")
    algebra: Any
    _coefficients: dict[Word, Any]

    def __init__(self, algebra: Any, coefficients: Mapping[Word, Any]) -> None:
        coerce, word = algebra.ring.coerce, algebra.check_word
        found = {word(w): coerce(c) for w, c in coefficients.items()}
        self._set(algebra=algebra, _coefficients={w: c for w, c in found.items() if c})

    @classmethod
    def _of(cls, algebra: Any, coefficients: Mapping[Word, Any]) -> Self:
        """What was computed: words of the algebra and elements of its ring, which are not looked at again."""
        made = cls.__new__(cls)
        made._set(algebra=algebra, _coefficients={w: c for w, c in coefficients.items() if c})
        return made

    def _like(self, coefficients: Mapping[Word, Any], algebra: Any = None) -> Self:
        return self._of(self.algebra if algebra is None else algebra, coefficients)

    @property
    def coefficients(self) -> Mapping[Word, R]:
        """The map from words to coefficients, without zeros."""
        return MappingProxyType(self._coefficients)

    def __getitem__(self, word: Word | int) -> R:
        """The coefficient at a word; ``a[()]`` is the constant term, ``a[2]`` the coefficient at e_2."""
        word = word if isinstance(word, tuple) else (word,)
        return self._coefficients.get(self.algebra.check_word(word), self.algebra.ring.zero)

    def level(self, n: int) -> list[R]:
        """Level n as a flat list of m^n coefficients, in lexicographic order of the words.

        Args:
            n: The level, from 0 to the depth.

        Returns:
            The coefficients: row-major order for an array with n axes of size m.

        Raises:
            ValueError: There is no such level.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=2, depth=2).tensor({(1, 2): 3, (2, 2): 5}).level(2)
        [0, 3, 0, 5]
        """
        self.algebra.check_level(n)
        zero, coefficients = self.algebra.ring.zero, self._coefficients
        return [coefficients.get(word, zero) for word in self.algebra.words(n)]

    def vector(self) -> list[R]:
        """The image under Φ: T^N(R^m) ≅ R^K: all levels one after the other.

        Returns:
            K coefficients, by length of the words, then in lexicographic order.

        Raises:
            ValueError: There are more words than can be listed.

        Paper: Appendix C.3.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=2, depth=2).tensor({(): 7, (1, 2): 3}).vector()
        [7, 0, 0, 0, 3, 0, 0]
        """
        check_size(self.algebra.dim, self.algebra.depth, "a tensor as a vector")
        return [x for n in range(self.algebra.depth + 1) for x in self.level(n)]

    def projected(self, n: int) -> Self:
        r"""The homogeneous part of level n.

        .. math:: π_n(a) = \sum_{|w| = n} a^w e_w

        Args:
            n: The level, from 0 to the depth.

        Returns:
            A tensor of the same algebra.

        Raises:
            ValueError: There is no such level.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> T.exp(T.vector([1, 2])).projected(2)
        1/2*e11 + e12 + e21 + 2*e22
        """
        self.algebra.check_level(n)
        return self._like({w: c for w, c in self._coefficients.items() if len(w) == n})

    def projected_up_to(self, n: int) -> Self:
        r"""The part of levels 0 to n.

        .. math:: π_{≤n}(a) = \sum_{|w| ≤ n} a^w e_w

        Args:
            n: The last level that is kept, from 0 to the depth.

        Returns:
            A tensor of the same algebra; :meth:`Tensor.truncated` changes the algebra too.

        Raises:
            ValueError: There is no such level.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> T.exp(T.vector([1, 2])).projected_up_to(1)
        1 + e1 + 2*e2
        """
        self.algebra.check_level(n)
        return self._like({w: c for w, c in self._coefficients.items() if len(w) <= n})

    def truncated(self, depth: int) -> Self:
        """The tensor in the algebra of another depth.

        Args:
            depth: The new truncation N. Levels above it are dropped; levels that are new are zero, so that a
                group-like element is in general no longer one in greater depth.

        Returns:
            A tensor over the same letters.

        Raises:
            TypeError: The depth is no whole number.
            ValueError: It is below 1.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=1, depth=3)
        >>> T.exp(T.letter(1)).truncated(1)
        1 + e1
        """
        algebra = type(self.algebra)(self.algebra.ring, self.algebra.dim, depth)
        return self._like({w: c for w, c in self._coefficients.items() if len(w) <= algebra.depth}, algebra)

    def dilated(self, c: Any) -> Self:
        """The dilation by a number, which is the homomorphism of c times the identity.

        .. math:: δ_c(e_w) = c^{|w|} e_w

        Args:
            c: An element of the ring. The signature of c X is that of X dilated by c.

        Returns:
            A tensor of the same algebra; 0 leaves the constant term alone.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=1, depth=3)
        >>> T.exp(T.letter(1)).dilated(2) == T.exp(T.vector([2]))
        True
        """
        powers = [self.algebra.ring.one]
        factor = self.algebra.ring.coerce(c)
        for _ in range(max(map(len, self._coefficients), default=0)):
            powers.append(powers[-1] * factor)
        return self._like({w: powers[len(w)] * x for w, x in self._coefficients.items()})

    def antipode(self) -> Self:
        """Each word reversed, with sign (−1)^length; the inverse of a group-like element.

        Returns:
            A tensor of the same algebra.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> a = T.exp(T.letter(1)) @ T.exp(T.letter(2))
        >>> a.antipode() @ a, T.tensor({(1, 1, 2): 1}).antipode()
        (1, -e211)
        """
        turned: dict[Word, Any] = {word[::-1]: -c if len(word) % 2 else c for word, c in self._coefficients.items()}
        return self._like(turned)

    def __add__(self, other: Self) -> Self:
        self.algebra.check_member(other)
        total: dict[Word, Any] = dict(self._coefficients)
        for word, c in other._coefficients.items():
            total[word] = total[word] + c if word in total else c
        return self._like(total)

    def __neg__(self) -> Self:
        negated: dict[Word, Any] = {w: -c for w, c in self._coefficients.items()}
        return self._like(negated)

    def __sub__(self, other: Self) -> Self:
        self.algebra.check_member(other)
        return self + -other

    def scaled(self, c: Any) -> Self:
        """The multiple by a number, written ``a * c`` too.

        Args:
            c: The number, which the ring takes.

        Returns:
            A tensor of the same algebra.

        Raises:
            TypeError: The ring does not take c.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=2, depth=2).vector([2, 3]).scaled(QQ.ratio(1, 2))
        e1 + 3/2*e2
        """
        factor = self.algebra.ring.coerce(c)
        return self._like({w: factor * x for w, x in self._coefficients.items()})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graded) or other.algebra != self.algebra:
            return NotImplemented
        zero, same = self.algebra.ring.zero, self.algebra.ring.equal
        mine, theirs = self._coefficients, other._coefficients
        return all(same(mine.get(w, zero), theirs.get(w, zero)) for w in mine.keys() | theirs.keys())

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def _ordered(self) -> list[tuple[Word, R]]:
        return sorted(self._coefficients.items(), key=lambda term: (len(term[0]), term[0]))

    def __repr__(self) -> str:
        terms = [_term(word, str(c)) for word, c in self._ordered()]
        return " + ".join(terms).replace("+ -", "- ") or "0"

    def _latex(self, limit: int | None = None) -> str:
        return combination([(c, f"e_{{{letters(w)}}}" if w else "") for w, c in self._ordered()], limit)

    def _repr_latex_(self) -> str:
        return displayed(self._latex(NOTEBOOK_TERMS))


def _term(word: Word, c: str) -> str:
    if not word:
        return c
    name = "e" + letters(word)  # letters above 9 are set apart: e1,12 is no e112
    if c in ("1", "-1"):
        return c.replace("1", name)
    return f"{c}*{name}" if all(sign not in c[1:] for sign in "+- ") else f"({c})*{name}"
