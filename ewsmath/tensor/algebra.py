"""The truncated tensor algebra T^N(R^m) and its elements with their products."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from operator import matmul
from typing import Any, TypeVar

from ewsmath.capacity import check_count
from ewsmath.rings import Field, RingElement, supports
from ewsmath.rings.door import entries as _entries
from ewsmath.rings.door import integer, named, of_kind
from ewsmath.rings.power import repeated
from ewsmath.tensor.relations import Related
from ewsmath.tensor.series import AbstractSeries
from ewsmath.words import EMPTY, Word

R = TypeVar("R", bound=RingElement)

_PARENT = "a tensor belongs to an algebra", "give TensorAlgebra(ring, dim, depth)"


class TensorAlgebra(AbstractSeries[R]):
    r"""The tensor algebra of R^m over a ring, truncated at a depth, with the concatenation product ⊗.

    .. math:: T^N(\mathbb{R}^m) = \bigoplus_{n=0}^N (\mathbb{R}^m)^{⊗ n}

    Attributes:
        ring: The ring of the coefficients.
        dim: Number of letters m; letters are 1 … m.
        depth: Truncation N: the largest level kept, at least 1.

    Raises:
        TypeError: ``dim`` or ``depth`` is no whole number, or ``ring`` is no ring.
        ValueError: ``dim`` or ``depth`` is below 1.

    Paper: Section 2; Appendix C.2.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=3)
    >>> e1, e2 = T.letter(1), T.letter(2)
    >>> e1 @ e2 - e2 @ e1
    e12 - e21
    >>> T.log(T.exp(e1) @ T.exp(e2))
    e1 + e2 + 1/2*e12 - 1/2*e21 + 1/12*e112 - 1/6*e121 + 1/12*e122 + 1/12*e211 - 1/6*e212 + 1/12*e221
    """

    __slots__ = ()

    def tensor(self, coefficients: Mapping[Word, Any]) -> Tensor[R]:
        """The tensor Σ a^w e_w.

        Args:
            coefficients: Words and what stands at them; words left out have coefficient zero.

        Returns:
            The tensor.

        Raises:
            ValueError: A key is no word of the algebra.
            TypeError: A coefficient does not belong to the ring.

        >>> from ewsmath.rings import QQ
        >>> TensorAlgebra(QQ, dim=2, depth=2).tensor({(): 1, (2, 1): QQ.ratio(1, 2)})
        1 + 1/2*e21
        """
        return Tensor(self, coefficients)

    def from_levels(self, levels: Iterable[Sequence[Any]]) -> Tensor[R]:
        """The tensor with these levels, each a flat list of numbers in the order of the words.

        Args:
            levels: Levels 0, 1, …; levels left out at the end are zero.

        Returns:
            The tensor; inverse to :meth:`Tensor.level`.

        Raises:
            ValueError: There are more levels than the algebra has, or one has not m^n coefficients.
            TypeError: A coefficient does not belong to the ring.

        >>> from ewsmath.rings import QQ
        >>> TensorAlgebra(QQ, dim=2, depth=3).from_levels([[1], [0, QQ.ratio(5, 2)]])
        1 + 5/2*e2
        """
        checked = []
        for n, given in enumerate(_entries(levels, f"{self} takes levels")):
            level = _entries(given, f"{self} takes level {n}")
            if n > self.depth or len(level) != self.dim**n:
                raise ValueError(
                    f"{self} has levels 0 to {self.depth}, level n of {self.dim}^n coefficients; got {len(level)} "
                    f"for level {n}"
                )
            checked.append([self.ring.coerce(c) for c in level])
        return self._from_levels(checked)

    def _from_levels(self, levels: Sequence[Sequence[R]]) -> Tensor[R]:
        """The tensor with levels that were computed."""
        pairs = (zip(self.words(n), level, strict=True) for n, level in enumerate(levels))
        return Tensor._of(self, dict(chain.from_iterable(pairs)))

    def from_vector(self, entries: Sequence[Any]) -> Tensor[R]:
        """The tensor with these K coefficients in the order of the words: inverse to :meth:`Tensor.vector`.

        Args:
            entries: K numbers.

        Returns:
            The tensor.

        Raises:
            ValueError: There are not K of them.

        Paper: Appendix C.3.

        >>> from ewsmath.rings import QQ
        >>> TensorAlgebra(QQ, dim=2, depth=2).from_vector([1, 0, 3, 0, 5, 0, 0])
        1 + 3*e2 + 5*e12
        """
        entries = _entries(entries, f"{self} takes coefficients")
        if len(entries) != self.size:
            raise ValueError(f"{self} has {self.size} words, got {len(entries)} coefficients")
        return self.tensor(dict(zip(self.words(), entries, strict=True)))

    def vector(self, entries: Sequence[Any]) -> Tensor[R]:
        """The vector v of R^m as an element of level one.

        Args:
            entries: Its m entries.

        Returns:
            The tensor Σ v^j e_j.

        Raises:
            ValueError: There are not m of them.

        >>> from ewsmath.rings import QQ
        >>> TensorAlgebra(QQ, dim=3, depth=2).vector([2, 0, -1])
        2*e1 - e3
        """
        entries = _entries(entries, f"{self} takes a vector")
        if len(entries) != self.dim:
            raise ValueError(f"a vector of {self} has {self.dim} entries, got {len(entries)}")
        return self.tensor({(j,): x for j, x in enumerate(entries, start=1)})

    def letter(self, j: int) -> Tensor[R]:
        """The basis vector e_j.

        Args:
            j: The letter, from 1 to m.

        Returns:
            An element of level one.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.letter(2) @ T.letter(1)
        e21
        """
        return self.tensor({(j,): self.ring.one})

    def scalar(self, x: Any) -> Tensor[R]:
        """A number as an element of level zero.

        Args:
            x: The number, which the ring takes.

        Returns:
            The tensor x e_∅.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.scalar(3) @ (T.one() + T.letter(1))
        3 + 3*e1
        """
        return self.tensor({EMPTY: x})

    def zero(self) -> Tensor[R]:
        """0, the tensor without coefficients.

        Returns:
            The tensor.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=1)
        >>> T.letter(1) @ T.letter(2) == T.zero()  # cut off by the depth
        True
        """
        return Tensor._of(self, {})

    def one(self) -> Tensor[R]:
        """1, the unit of ⊗.

        Returns:
            The tensor.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.one() @ T.letter(2), T.one().is_group_like()
        (e2, True)
        """
        return self.scalar(self.ring.one)

    def check_member(self, a: Tensor[Any]) -> None:
        """Refuse what is no tensor of this algebra.

        Args:
            a: What came.

        Raises:
            TypeError: It is no tensor.
            ValueError: It belongs to another algebra.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.check_member(TensorAlgebra(QQ, dim=2, depth=3).one())
        Traceback (most recent call last):
            ...
        ValueError: TensorAlgebra(ring=QQ, dim=2, depth=3) and TensorAlgebra(ring=QQ, dim=2, depth=2) are not mixed:
        rebuild one tensor in the other's algebra
        """
        of_kind(a, Tensor, "tensors go together with tensors", "a number scales one, a * c, or enters by scalar(c)")
        if a.algebra != self:
            raise ValueError(f"{a.algebra} and {self} are not mixed: rebuild one tensor in the other's algebra")


class Tensor(Related[R]):
    """An element Σ a^w e_w of a truncated tensor algebra. Immutable; zeros are not kept.

    Made by its algebra: ``algebra.tensor({...})``, ``algebra.vector(...)``, ``algebra.one()``.

    Args:
        algebra: The parent.
        coefficients: Words of the algebra, and numbers that its ring takes.

    Attributes:
        algebra: The parent.
        coefficients: The map from words to coefficients, without zeros.

    Raises:
        ValueError: A key is no word of the algebra.
        TypeError: A coefficient does not belong to the ring, or there is no algebra.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> S = T.exp(T.vector([1, 2]))
    >>> S
    1 + e1 + 2*e2 + 1/2*e11 + e12 + e21 + 2*e22
    >>> S[1, 2], S.level(2), S.is_group_like()
    (1, [1/2, 1, 1, 2], True)
    """

    __slots__ = ()
    algebra: TensorAlgebra[R]

    def __init__(self, algebra: TensorAlgebra[R], coefficients: Mapping[Word, Any]) -> None:
        super().__init__(of_kind(algebra, TensorAlgebra, *_PARENT), coefficients)

    def __mul__(self, scalar: Any) -> Tensor[R]:
        if isinstance(scalar, Tensor):
            raise TypeError("the product ⊗ of two tensors is written a @ b; a * c scales by a number")
        return self.scaled(scalar)

    __rmul__ = __mul__

    def __matmul__(self, other: Tensor[R]) -> Tensor[R]:
        r"""The concatenation product a ⊗ b, truncated at the depth; refused where it has over a million words."""
        self.algebra.check_member(other)
        by_length: list[list[tuple[Word, Any]]] = [[] for _ in range(self.algebra.depth + 1)]
        for word, c in other._coefficients.items():
            by_length[len(word)].append((word, c))
        self._check_product([len(terms) for terms in by_length])
        total: dict[Word, Any] = {}
        for u, a in self._coefficients.items():
            for terms in by_length[: self.algebra.depth - len(u) + 1]:
                for w, b in terms:
                    uw, ab = u + w, a * b
                    total[uw] = total[uw] + ab if uw in total else ab
        return Tensor._of(self.algebra, total)

    def _check_product(self, right: Sequence[int]) -> None:
        """Refuse a product of too many words, given how many of each length the right factor has."""
        depth, dim = self.algebra.depth, self.algebra.dim
        left = Counter(map(len, self._coefficients))
        pairs = (sum(left[k] * right[n - k] for k in range(n + 1)) for n in range(depth + 1))
        check_count(sum(min(dim**n, count) for n, count in enumerate(pairs)), "words of a product of tensors")

    def __pow__(self, power: int) -> Tensor[R]:
        r"""The power under ⊗.

        .. math:: a^{⊗ n} = a ⊗ ⋯ ⊗ a, \qquad a^{⊗ -n} = (a^{-1})^{⊗ n}

        Args:
            power: A whole number of either sign.

        Returns:
            A tensor of the same algebra; 1 for the power 0.

        Raises:
            TypeError: The power is no whole number.
            ValueError: It is negative, and the constant term has no inverse in the ring.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> (T.scalar(2) + T.letter(1)) ** -1
        1/2 - 1/4*e1 + 1/8*e11 - 1/16*e111
        """
        n = integer(power)
        if n is None:
            raise TypeError(f"a power a ** n of a tensor needs a whole number n, got {named(power)}")
        return repeated(self._inverse(n) if n < 0 else self, abs(n), self.algebra.one(), matmul)

    def _inverse(self, power: int) -> Tensor[R]:
        """The inverse, with a constant term that is 1 or that a field inverts."""
        ring: Any = self.algebra.ring
        constant = self[EMPTY]
        if not supports(ring, Field) or not constant:
            if not ring.equal(constant, ring.one):
                advice = f"one that is not 0 in a field; {ring.name} is no field" if constant else "one that is not 0"
                raise ValueError(f"a ** {power} needs a tensor with constant term 1, or {advice}; got {constant}")
            return self.algebra.inverse(self)
        factor = ring.inverse(constant)
        return self.algebra.inverse(self.scaled(factor)).scaled(factor)

    def bracket(self, other: Tensor[R]) -> Tensor[R]:
        r"""The commutator, a Lie element when both factors are.

        .. math:: [a, b] = a ⊗ b - b ⊗ a

        Args:
            other: The right factor b, of the same algebra.

        Returns:
            [a, b].

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=3)
        >>> T.letter(1).bracket(T.letter(1).bracket(T.letter(2)))
        e112 - 2*e121 + e211
        """
        return self @ other - other @ self


def check_tensor(a: object, use: str) -> Tensor[Any]:
    """The tensor, if it is one; else TypeError that names the use.

    Args:
        a: What came.
        use: Who takes it, for the message.

    Returns:
        The tensor itself.

    Raises:
        TypeError: It is none.

    >>> check_tensor([1, 2], "a flow")
    Traceback (most recent call last):
        ...
    TypeError: a flow takes a tensor, got [1, 2] of type list: make one by an algebra, TensorAlgebra(ring, dim, depth)
    """
    advice = "make one by an algebra, TensorAlgebra(ring, dim, depth)"
    if hasattr(a, "tensor") and not isinstance(a, TensorAlgebra):  # a Lie element
        advice = "take its tensor, .tensor()"
    return of_kind(a, Tensor, f"{use} takes a tensor", advice)
