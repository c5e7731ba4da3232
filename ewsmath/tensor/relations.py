"""The relations by which group-like elements and Lie elements are known, and the pair of words that breaks one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self, TypeVar

from ewsmath.latex import letters
from ewsmath.rings import RingElement
from ewsmath.tensor.graded import Graded
from ewsmath.words import EMPTY, Word, shuffle

R = TypeVar("R", bound=RingElement)


@dataclass(frozen=True)
class GroupLikeDefect:
    r"""A pair of words at which an element is not group-like.

    .. math:: ⟨u, a⟩⟨w, a⟩ ≠ ⟨u ⧢ w, a⟩, \qquad\text{or}\quad ⟨∅, a⟩ ≠ 1 \quad\text{for}\quad u = w = ∅

    Attributes:
        u: The first word.
        w: The second word.
        product: The product of the coefficients at u and w; 1 for two empty words.
        shuffle: The value at the shuffle of u and w.

    >>> from ewsmath import QQ, TensorAlgebra
    >>> print(TensorAlgebra(QQ, dim=1, depth=2).tensor({(): 1, (1,): 3}).group_like_defect())
    ⟨(1), a⟩⟨(1), a⟩ = 9, but ⟨(1) ⧢ (1), a⟩ = 0
    """

    u: Word
    w: Word
    product: Any
    shuffle: Any

    def __str__(self) -> str:
        if not self.w:
            return f"the constant term is {self.shuffle}, not 1"
        u, w = letters(self.u), letters(self.w)
        return f"⟨({u}), a⟩⟨({w}), a⟩ = {self.product}, but ⟨({u}) ⧢ ({w}), a⟩ = {self.shuffle}"


@dataclass(frozen=True)
class LieDefect:
    r"""A pair of words at which an element is no Lie element, by Ree's theorem.

    .. math:: ⟨u ⧢ w, a⟩ ≠ 0, \qquad\text{or}\quad ⟨∅, a⟩ ≠ 0 \quad\text{for}\quad u = w = ∅

    Attributes:
        u: The first word.
        w: The second word.
        shuffle: The value at the shuffle of u and w, which is not 0.

    >>> from ewsmath import QQ, TensorAlgebra
    >>> print(TensorAlgebra(QQ, dim=2, depth=2).tensor({(1, 2): 3}).lie_defect())
    ⟨(1) ⧢ (2), a⟩ = 3, not 0
    """

    u: Word
    w: Word
    shuffle: Any

    def __str__(self) -> str:
        if not self.w:
            return f"the constant term is {self.shuffle}, not 0"
        return f"⟨({letters(self.u)}) ⧢ ({letters(self.w)}), a⟩ = {self.shuffle}, not 0"


class Related(Graded[R]):
    """The part of :class:`~ewsmath.tensor.Tensor` that tells group-like elements and Lie elements from others.

    >>> from ewsmath import QQ, TensorAlgebra
    >>> T = TensorAlgebra(QQ, dim=2, depth=3)
    >>> v = T.vector([1, 2])
    >>> [(a.is_lie(), a.is_group_like()) for a in (v, T.exp(v), T.one() + v)]
    [(True, False), (False, True), (False, False)]
    """

    __slots__ = ()

    def group_like_defect(self) -> GroupLikeDefect | None:
        r"""The pair of words at which the element fails to be group-like.

        .. math:: ⟨∅, a⟩ = 1, \qquad ⟨u, a⟩⟨w, a⟩ = ⟨u ⧢ w, a⟩ \quad\text{for}\quad |u| + |w| ≤ N

        Returns:
            The first such pair, by the number of letters together, with the two values; None when there is none. In
            balls a defect is certain, and None says that all the relations may hold.

        Paper: Appendix B; Theorem 3.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> print((T.one() + T.letter(2)).group_like_defect())
        ⟨(2), a⟩⟨(2), a⟩ = 1, but ⟨(2) ⧢ (2), a⟩ = 0
        """
        ring: Any = self.algebra.ring
        zero, found = ring.zero, self._coefficients.get
        constant = found(EMPTY, zero)
        if not ring.equal(constant, ring.one):
            return GroupLikeDefect(EMPTY, EMPTY, ring.one, constant)
        for u, w in self._pairs():
            product, shuffled = found(u, zero) * found(w, zero), self._at_shuffle(u, w)
            if not ring.equal(product, shuffled):
                return GroupLikeDefect(u, w, product, shuffled)
        return None

    def is_group_like(self) -> bool:
        r"""Whether the constant term is one and products of coefficients are shuffles.

        .. math:: ⟨u, a⟩⟨w, a⟩ = ⟨u ⧢ w, a⟩ \quad\text{for}\quad |u| + |w| ≤ N

        Returns:
            The answer; in balls, whether all of it may be true.

        Paper: Appendix B.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.exp(T.letter(1)).is_group_like(), (T.one() + T.letter(1)).is_group_like()
        (True, False)
        """
        return self.group_like_defect() is None

    def check_group_like(self) -> Self:
        """The tensor itself, if it is group-like.

        Returns:
            It.

        Raises:
            ValueError: It is not; the pair of words is named.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=1, depth=2).tensor({(): 1, (1,): 3}).check_group_like()
        Traceback (most recent call last):
            ...
        ValueError: the element is not group-like: ⟨(1), a⟩⟨(1), a⟩ = 9, but ⟨(1) ⧢ (1), a⟩ = 0
        """
        defect = self.group_like_defect()
        if defect is not None:
            raise ValueError(f"the element is not group-like: {defect}")
        return self

    def lie_defect(self) -> LieDefect | None:
        r"""The pair of words at which the element fails to be a Lie element, by Ree's theorem.

        .. math:: ⟨∅, a⟩ = 0, \qquad ⟨u ⧢ w, a⟩ = 0 \quad\text{for}\quad u, w ≠ ∅, \; |u| + |w| ≤ N

        Returns:
            The first such pair, by the number of letters together, with the value; None when there is none. In balls
            a defect is certain, and None says that all the relations may hold.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> print(T.tensor({(1, 2): 3}).lie_defect())
        ⟨(1) ⧢ (2), a⟩ = 3, not 0
        """
        ring: Any = self.algebra.ring
        constant = self._coefficients.get(EMPTY, ring.zero)
        if not ring.equal(constant, ring.zero):
            return LieDefect(EMPTY, EMPTY, constant)
        for u, w in self._pairs():
            shuffled = self._at_shuffle(u, w)
            if not ring.equal(shuffled, ring.zero):
                return LieDefect(u, w, shuffled)
        return None

    def is_lie(self) -> bool:
        """Whether the element is a Lie element: a combination of letters and brackets of Lie elements.

        Returns:
            The answer; in balls, whether it may be true.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> (T.letter(1) + T.letter(1).bracket(T.letter(2))).is_lie(), (T.letter(1) @ T.letter(2)).is_lie()
        (True, False)
        """
        return self.lie_defect() is None

    def check_lie(self) -> Self:
        """The tensor itself, if it is a Lie element.

        Returns:
            It.

        Raises:
            ValueError: It is none; the pair of words is named.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=2, depth=2).tensor({(1, 2): 3}).check_lie()
        Traceback (most recent call last):
            ...
        ValueError: the element is no Lie element: ⟨(1) ⧢ (2), a⟩ = 3, not 0
        """
        defect = self.lie_defect()
        if defect is not None:
            raise ValueError(f"the element is no Lie element: {defect}")
        return self

    def _pairs(self) -> Iterator[tuple[Word, Word]]:
        """Unordered pairs of words that are not empty, by their letters together, the shorter word first.

        Letters of no word of the element are left out: with them both sides of every relation are zero.
        """
        depth = self.algebra.depth
        alphabet = sorted({letter for word in self._coefficients for letter in word})
        levels = [[EMPTY]]
        for _ in range(1, depth):
            levels.append([(*word, letter) for word in levels[-1] for letter in alphabet])
        for total in range(2, depth + 1):
            for n in range(1, total // 2 + 1):
                for u in levels[n]:
                    for w in levels[total - n]:
                        if n < total - n or u <= w:
                            yield u, w

    def _at_shuffle(self, u: Word, w: Word) -> Any:
        ring, coefficients = self.algebra.ring, self._coefficients
        total: Any = ring.zero
        for word, n in shuffle(u, w).items():
            if word in coefficients:
                c: Any = coefficients[word]
                total = total + (c if n == 1 else ring.coerce(n) * c)
        return total
