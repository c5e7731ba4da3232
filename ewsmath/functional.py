"""Functionals: finite combinations of words, the dual of the tensor algebra, with its shuffles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from ewsmath import words as _words
from ewsmath.latex import NOTEBOOK_TERMS, bracketed, combination, displayed, letters
from ewsmath.rings import Ring, RingElement, check_ring
from ewsmath.rings.door import of_kind, operand
from ewsmath.rings.immutable import Immutable
from ewsmath.tensor import Tensor, check_tensor
from ewsmath.words import EMPTY, Word

R = TypeVar("R", bound=RingElement)


class Functional(Immutable, Generic[R]):
    r"""A linear functional on tensors of every depth: a finite combination of words. Immutable.

    .. math:: ⟨l, a⟩ = \sum_w l_w a^w

    Args:
        ring: The ring of the coefficients.
        coefficients: Words and what stands at them.

    Attributes:
        ring: The ring of the coefficients.
        coefficients: The map from words to coefficients, without zeros.

    Raises:
        ValueError: A word holds something that is no letter 1, 2, ….

    Paper: Appendix B.

    >>> from ewsmath.rings import QQ
    >>> from ewsmath.tensor import TensorAlgebra
    >>> u, w = Functional.word(QQ, 1), Functional.word(QQ, 1, 2)
    >>> u.shuffle(w)
    2*(112) + (121)
    >>> T = TensorAlgebra(QQ, dim=2, depth=3)
    >>> S = T.exp(T.vector([1, 2])) @ T.exp(T.vector([3, -1]))
    >>> u(S) * w(S) == u.shuffle(w)(S)
    True
    """

    __slots__ = ("_coefficients", "ring")
    ring: Ring[R]
    _coefficients: dict[Word, R]

    def __init__(self, ring: Ring[R], coefficients: Mapping[Word, Any]) -> None:
        ring = check_ring(ring)
        coerced = {_words.checked(word): ring.coerce(c) for word, c in coefficients.items()}
        self._set(ring=ring, _coefficients={word: c for word, c in coerced.items() if c})

    @classmethod
    def _of(cls, ring: Ring[R], coefficients: Mapping[Word, R]) -> Functional[R]:
        """What was computed: words and elements of the ring, which are not looked at again."""
        made = cls.__new__(cls)
        made._set(ring=ring, _coefficients={word: c for word, c in coefficients.items() if c})
        return made

    @classmethod
    def word(cls, ring: Ring[R], *letters: int) -> Functional[R]:
        """The functional that reads the coefficient at one word; without letters, the constant term.

        Args:
            ring: The ring.
            letters: The letters of the word, in order.

        Returns:
            The functional.

        >>> from ewsmath.rings import QQ
        >>> Functional.word(QQ, 1, 2)
        (12)
        """
        return cls(ring, {letters: 1})

    @property
    def coefficients(self) -> Mapping[Word, R]:
        """The map from words to coefficients, without zeros."""
        return MappingProxyType(self._coefficients)

    def __getitem__(self, word: Word | int) -> R:
        """The coefficient at a word; ``l[()]`` is the constant term, ``l[2]`` the coefficient at the letter 2."""
        letters = _words.checked(word if isinstance(word, tuple) else (word,))
        return self._coefficients.get(letters, self.ring.zero)

    def __call__(self, a: Tensor[R]) -> R:
        """The pairing ⟨l, a⟩.

        Args:
            a: A tensor over the same ring whose algebra knows every word of the functional.

        Returns:
            A ring element.

        Raises:
            ValueError: The rings differ, or a word has too many letters or a letter too large for the
                algebra.
        """
        check_tensor(a, "a functional")
        if a.algebra.ring != self.ring:
            raise ValueError(
                f"a functional over {self.ring.name} does not pair with a tensor over {a.algebra.ring.name}"
            )
        total: Any = self.ring.zero
        for word, c in self._coefficients.items():
            total = total + c * a[word]
        return total

    def __add__(self, other: Functional[R]) -> Functional[R]:
        total: dict[Word, Any] = dict(self._coefficients)
        for word, c in self._same_ring(other)._coefficients.items():
            total[word] = total[word] + c if word in total else c
        return self._of(self.ring, total)

    def __neg__(self) -> Functional[R]:
        return self * -1

    def __sub__(self, other: Functional[R]) -> Functional[R]:
        return self + -self._same_ring(other)

    def __mul__(self, scalar: Any) -> Functional[R]:
        if isinstance(scalar, Functional):
            raise TypeError("the product of two functionals is l.shuffle(k); l * c scales by a number")
        c = self.ring.coerce(scalar)
        return self._of(self.ring, {w: c * x for w, x in self._coefficients.items()})

    __rmul__ = __mul__

    def shuffle(self, other: Functional[R]) -> Functional[R]:
        r"""The shuffle product, which multiplies values on group-like elements.

        .. math:: ⟨l ⧢ k, g⟩ = ⟨l, g⟩ ⟨k, g⟩ \quad\text{for group-like } g

        Args:
            other: The functional k.

        Returns:
            l ⧢ k.

        Paper: Appendix B; Theorem 3.

        >>> from ewsmath.rings import QQ
        >>> Functional.word(QQ, 1).shuffle(Functional.word(QQ, 2, 3))
        (123) + (213) + (231)
        """
        return self._bilinear(other, _words.shuffle)

    def quasi_shuffle(self, other: Functional[R], bracket: Callable[[int, int], int | None]) -> Functional[R]:
        r"""The quasi-shuffle product, which multiplies iterated sums as ⧢ multiplies iterated integrals.

        .. math:: ui * wj = (u * wj)\, i + (ui * w)\, j + (u * w)\, [i, j]

        Args:
            other: The right factor.
            bracket: The letter [i, j] for the product of letters i and j, or None where that is zero;
                commutative and associative.

        Returns:
            l * k.

        Raises:
            ValueError: The bracket is no letter.

        >>> from ewsmath.rings import QQ
        >>> l = Functional.word(QQ, 1)
        >>> l.quasi_shuffle(l, lambda i, j: i + j)
        (2) + 2*(11)
        """
        return self._bilinear(other, lambda u, w: _words.quasi_shuffle(u, w, bracket))

    def right_half_shuffle(self, other: Functional[R]) -> Functional[R]:
        r"""The half-shuffle ≻, in which the last letter comes from the right factor.

        .. math:: u ≻ (w j) = (u ⧢ w)\, j, \qquad ∅ ≻ w = w, \qquad w ≻ ∅ = 0

        It matches integration of one signature coordinate against another.

        Args:
            other: The right factor.

        Returns:
            l ≻ k.

        Raises:
            ValueError: Both factors have a constant term: ∅ ≻ ∅ is undefined.

        Paper: Appendix B.

        >>> from ewsmath.rings import QQ
        >>> Functional.word(QQ, 1).right_half_shuffle(Functional.word(QQ, 2, 3))
        (123) + (213)
        """
        if EMPTY in self._same_ring(other)._coefficients and EMPTY in self._coefficients:
            raise ValueError(
                "the half-shuffle of two constant terms is undefined: take the constant term off one factor"
            )
        return self._bilinear(other, _right_half_shuffle)

    def left_half_shuffle(self, other: Functional[R]) -> Functional[R]:
        r"""The half-shuffle ≺, in which the last letter comes from the left factor: l ≺ k = k ≻ l.

        Args:
            other: The right factor.

        Returns:
            l ≺ k.

        Raises:
            ValueError: Both factors have a constant term.

        Paper: Appendix B.

        >>> from ewsmath.rings import QQ
        >>> Functional.word(QQ, 1).left_half_shuffle(Functional.word(QQ, 2, 3))
        (231)
        """
        return self._same_ring(other).right_half_shuffle(self)

    def deconcatenation(self) -> Mapping[tuple[Word, Word], R]:
        r"""The deconcatenation coproduct, dual to the product ⊗.

        .. math:: Δ(i_1 … i_n) = \sum_{k=0}^n (i_1 … i_k) ⊗ (i_{k+1} … i_n)

        Returns:
            A map from pairs of words to coefficients.

        Paper: Appendix B.

        >>> from ewsmath.rings import QQ
        >>> dict(Functional.word(QQ, 1, 2).deconcatenation())
        {((), (1, 2)): 1, ((1,), (2,)): 1, ((1, 2), ()): 1}
        """
        cuts = {(w[:k], w[k:]): c for w, c in self._coefficients.items() for k in range(len(w) + 1)}
        return MappingProxyType(cuts)

    def antipode(self) -> Functional[R]:
        r"""The antipode, dual to the inverse of group-like elements.

        .. math:: S(i_1 … i_n) = (-1)^n\, i_n … i_1

        Returns:
            The functional with each word turned round.

        Paper: Appendix B.

        >>> from ewsmath.rings import QQ
        >>> Functional.word(QQ, 1, 2, 3).antipode()
        -1*(321)
        """
        turned: dict[Word, Any] = {w[::-1]: -c if len(w) % 2 else c for w, c in self._coefficients.items()}
        return self._of(self.ring, turned)

    def _same_ring(self, other: Functional[R]) -> Functional[R]:
        return operand(self, other, "functionals", "a number scales one, l * c, or enters by Functional(ring, {(): c})")

    def _bilinear(self, other: Functional[R], product: Callable[[Word, Word], Mapping[Word, int]]) -> Functional[R]:
        total: dict[Word, Any] = {}
        right = self._same_ring(other)._coefficients
        for u, a in self._coefficients.items():
            for w, b in right.items():
                both: Any = a * b
                for word, n in product(u, w).items():
                    term = both if n == 1 else self.ring.coerce(n) * both
                    total[word] = total[word] + term if word in total else term
        return self._of(self.ring, total)

    def __iter__(self) -> Iterator[Word]:
        return iter(self._coefficients)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Functional) or other.ring != self.ring:
            return NotImplemented
        zero, same = self.ring.zero, self.ring.equal
        mine, theirs = self._coefficients, other._coefficients
        return all(same(mine.get(w, zero), theirs.get(w, zero)) for w in mine.keys() | theirs.keys())

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        def term(word: Word) -> str:
            c = str(self._coefficients[word])
            name = f"({letters(word)})"
            return name if c == "1" else f"{bracketed(c)}*{name}"

        return " + ".join(map(term, self._ordered())) or "0"

    def _ordered(self) -> list[Word]:
        return sorted(self._coefficients, key=lambda w: (len(w), w))

    def _latex(self, limit: int | None = None) -> str:
        names = {w: rf"\mathtt{{{letters(w)}}}" if w else r"\emptyset" for w in self._ordered()}
        return combination([(self._coefficients[w], name) for w, name in names.items()], limit)

    def _repr_latex_(self) -> str:
        return displayed(self._latex(NOTEBOOK_TERMS))


def check_functional(l: object, use: str) -> Functional[Any]:  # noqa: E741
    """The functional, if it is one; else TypeError that names the use.

    Args:
        l: What came.
        use: What is computed, for the message.

    Returns:
        The functional.

    Raises:
        TypeError: It is none.

    >>> from ewsmath.rings import QQ
    >>> check_functional(Functional.word(QQ, 1), "a pairing")
    (1)
    """
    return of_kind(l, Functional, f"{use} takes a functional", "build one, Functional(ring, {word: c})")


def _right_half_shuffle(u: Word, w: Word) -> Mapping[Word, int]:
    if not w:
        return {}
    if not u:
        return {w: 1}
    return {v + w[-1:]: n for v, n in _words.shuffle(u, w[:-1]).items()}
