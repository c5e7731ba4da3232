"""The truncated tensor algebra T^N(R^m): the parent and its elements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from ewsmath import words as _words
from ewsmath.rings import Ring, RingElement, check_ring
from ewsmath.rings.door import entries as _entries
from ewsmath.rings.door import of_kind, whole
from ewsmath.rings.immutable import Immutable
from ewsmath.words import EMPTY, Word

R = TypeVar("R", bound=RingElement)


class TensorAlgebra(Immutable, Generic[R]):
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
    """

    __slots__ = ("depth", "dim", "ring")
    ring: Ring[R]
    dim: int
    depth: int

    def __init__(self, ring: Ring[R], dim: int, depth: int) -> None:
        dim, depth = whole(dim, "TensorAlgebra: dim"), whole(depth, "TensorAlgebra: depth")
        self._set(ring=check_ring(ring), dim=dim, depth=depth)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TensorAlgebra):
            return NotImplemented
        return self is other or (self.ring, self.dim, self.depth) == (other.ring, other.dim, other.depth)

    def __hash__(self) -> int:
        return hash((self.ring, self.dim, self.depth))

    def __repr__(self) -> str:
        return f"TensorAlgebra(ring={self.ring.name}, dim={self.dim}, depth={self.depth})"

    @property
    def size(self) -> int:
        """K, the number of words, the empty one among them."""
        return _words.size(self.dim, self.depth)

    def words(self, length: int | None = None) -> Iterator[Word]:
        """The words of one length, or all of them by length; each length in lexicographic order."""
        lengths = range(self.depth + 1) if length is None else [length]
        return (word for n in lengths for word in _words.words(self.dim, n))

    def check_word(self, word: Word) -> Word:
        """The word with each letter an int, if it is one of this algebra; else ValueError."""
        try:
            found = _words.checked(word, self.dim)
        except ValueError:
            found = None
        if found is None or len(found) > self.depth:
            raise ValueError(
                f"{word} is no word of {self}: it needs at most {self.depth} letters, each from 1 to {self.dim}."
            )
        return found

    def tensor(self, coefficients: Mapping[Word, Any]) -> Tensor[R]:
        """The tensor Σ a^w e_w.

        Args:
            coefficients: Words and what stands at them; words left out have coefficient zero.

        Returns:
            The tensor.

        Raises:
            ValueError: A key is no word of the algebra.
            TypeError: A coefficient does not belong to the ring.
        """
        return Tensor(self, {self.check_word(tuple(w)): self.ring.coerce(c) for w, c in coefficients.items()})

    def from_levels(self, levels: Iterable[Sequence[R]]) -> Tensor[R]:
        """The tensor with these levels, each a flat list of ring elements in the order of the words.

        Args:
            levels: Levels 0, 1, …; levels left out at the end are zero.

        Returns:
            The tensor; inverse to :meth:`Tensor.level`.

        Raises:
            ValueError: There are more levels than the algebra has, or one has not m^n coefficients.
        """
        coefficients: dict[Word, R] = {}
        for n, level in enumerate(levels):
            if n > self.depth or len(level) != self.dim**n:
                raise ValueError(
                    f"{self} has levels 0 to {self.depth}, level n of {self.dim}^n coefficients; got {len(level)} "
                    f"for level {n}"
                )
            coefficients.update(zip(self.words(n), level, strict=True))
        return Tensor(self, coefficients)

    def from_vector(self, entries: Sequence[Any]) -> Tensor[R]:
        """The tensor with these K coefficients in the order of the words: inverse to :meth:`Tensor.vector`.

        Paper: Appendix C.3.
        """
        entries = _entries(entries, f"{self} takes coefficients")
        if len(entries) != self.size:
            raise ValueError(f"{self} has {self.size} words, got {len(entries)} coefficients")
        return self.tensor(dict(zip(self.words(), entries, strict=True)))

    def vector(self, entries: Sequence[Any]) -> Tensor[R]:
        """The vector v of R^m as an element of level one."""
        entries = _entries(entries, f"{self} takes a vector")
        if len(entries) != self.dim:
            raise ValueError(f"a vector of {self} has {self.dim} entries, got {len(entries)}")
        return self.tensor({(j,): x for j, x in enumerate(entries, start=1)})

    def letter(self, j: int) -> Tensor[R]:
        """The basis vector e_j."""
        return self.tensor({(j,): self.ring.one})

    def scalar(self, x: Any) -> Tensor[R]:
        """A number as an element of level zero."""
        return self.tensor({EMPTY: x})

    def zero(self) -> Tensor[R]:
        """0."""
        return Tensor(self, {})

    def one(self) -> Tensor[R]:
        """1, the unit of ⊗."""
        return self.scalar(self.ring.one)

    def exp(self, a: Tensor[R]) -> Tensor[R]:
        r"""The tensor exponential of an element without constant term.

        .. math:: \exp(a) = \sum_{n=0}^N a^{⊗ n} / n!

        Args:
            a: A tensor with ``a[()] = 0``.

        Returns:
            exp(a); group-like when a is a Lie element, so for every vector.

        Raises:
            ValueError: a has a constant term.
        """
        self._check_constant_term(a, self.ring.zero, "exp")
        # Horner's rule: 1 + a(1 + a/2 (1 + a/3 (⋯))). Depth N makes it end.
        result = self.one()
        for n in range(self.depth, 0, -1):
            result = self.one() + (a @ result).scaled(self.ring.ratio(1, n))
        return result

    def log(self, a: Tensor[R]) -> Tensor[R]:
        r"""The tensor logarithm of an element with constant term one; inverse to :meth:`exp`.

        .. math:: \log(1 + x) = \sum_{n=1}^N (-1)^{n+1} x^{⊗ n} / n

        Args:
            a: A tensor with ``a[()] = 1``.

        Returns:
            log(a).

        Raises:
            ValueError: The constant term is not 1.
        """
        self._check_constant_term(a, self.ring.one, "log")
        x = a - self.one()
        # Horner's rule again: x(1 - x(1/2 - x(1/3 - ⋯))).
        result = self.zero()
        for n in range(self.depth, 0, -1):
            result = x @ (self.scalar(self.ring.ratio(1, n)) - result)
        return result

    def inverse(self, a: Tensor[R]) -> Tensor[R]:
        r"""The inverse of an element with constant term one.

        .. math:: (1 + x)^{-1} = \sum_{n=0}^N (-x)^{⊗ n}

        Args:
            a: A tensor with ``a[()] = 1``.

        Returns:
            b with ``a @ b = b @ a = 1``.

        Raises:
            ValueError: The constant term is not 1.
        """
        self._check_constant_term(a, self.ring.one, "inverse")
        x = a - self.one()
        result = self.one()
        for _ in range(self.depth):
            result = self.one() - x @ result
        return result

    def _check_constant_term(self, a: Tensor[R], wanted: R, use: str) -> None:
        self.check_member(a)
        if not self.ring.equal(a[EMPTY], wanted):
            raise ValueError(f"{use} needs a tensor with constant term {wanted}, got {a[EMPTY]}")

    def check_member(self, a: Tensor[Any]) -> None:
        """TypeError when a is no tensor, ValueError when it belongs to another algebra."""
        of_kind(a, Tensor, "tensors go together with tensors", "a number scales one, a * c, or enters by scalar(c)")
        if a.algebra != self:
            raise ValueError(f"{a.algebra} and {self} are not mixed: rebuild one tensor in the other's algebra")


class Tensor(Immutable, Generic[R]):
    """An element Σ a^w e_w of a truncated tensor algebra. Immutable; zeros are not kept.

    Made by its algebra: ``algebra.tensor({...})``, ``algebra.vector(...)``, ``algebra.one()``.

    Attributes:
        algebra: The parent.
        coefficients: The map from words to coefficients, without zeros.

    >>> from ewsmath.rings import QQ
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> S = T.exp(T.vector([1, 2]))
    >>> S
    1 + e1 + 2*e2 + 1/2*e11 + e12 + e21 + 2*e22
    >>> S[1, 2], S.level(2), S.is_group_like()
    (1, [1/2, 1, 1, 2], True)
    """

    __slots__ = ("_coefficients", "algebra")
    algebra: TensorAlgebra[R]
    _coefficients: dict[Word, R]

    def __init__(self, algebra: TensorAlgebra[R], coefficients: Mapping[Word, R]) -> None:
        self._set(algebra=algebra, _coefficients={w: c for w, c in coefficients.items() if c})

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
        """
        if not 0 <= n <= self.algebra.depth:
            raise ValueError(f"{self.algebra} has levels 0 to {self.algebra.depth}, got {n}")
        zero, found = self.algebra.ring.zero, self._coefficients.get
        return [found(word, zero) for word in self.algebra.words(n)]

    def vector(self) -> list[R]:
        r"""The image under Φ: T^N(R^m) ≅ R^K: all levels one after the other.

        Paper: Appendix C.3.
        """
        return [x for n in range(self.algebra.depth + 1) for x in self.level(n)]

    def __add__(self, other: Tensor[R]) -> Tensor[R]:
        self.algebra.check_member(other)
        total: dict[Word, Any] = dict(self._coefficients)
        for word, c in other._coefficients.items():
            total[word] = total[word] + c if word in total else c
        return Tensor(self.algebra, total)

    def __neg__(self) -> Tensor[R]:
        return Tensor(self.algebra, {w: -c for w, c in self._coefficients.items()})

    def __sub__(self, other: Tensor[R]) -> Tensor[R]:
        self.algebra.check_member(other)
        return self + -other

    def scaled(self, c: R) -> Tensor[R]:
        """The multiple by an element of the ring."""
        return Tensor(self.algebra, {w: c * x for w, x in self._coefficients.items()})

    def __mul__(self, scalar: Any) -> Tensor[R]:
        if isinstance(scalar, Tensor):
            raise TypeError("the product ⊗ of two tensors is written a @ b; a * c scales by a number")
        return self.scaled(self.algebra.ring.coerce(scalar))

    __rmul__ = __mul__

    def __matmul__(self, other: Tensor[R]) -> Tensor[R]:
        r"""The concatenation product a ⊗ b, truncated at the depth."""
        self.algebra.check_member(other)
        by_length: list[list[tuple[Word, Any]]] = [[] for _ in range(self.algebra.depth + 1)]
        for word, c in other._coefficients.items():
            by_length[len(word)].append((word, c))
        total: dict[Word, Any] = {}
        for u, a in self._coefficients.items():
            for terms in by_length[: self.algebra.depth - len(u) + 1]:
                for w, b in terms:
                    uw, ab = u + w, a * b
                    total[uw] = total[uw] + ab if uw in total else ab
        return Tensor(self.algebra, total)

    def antipode(self) -> Tensor[R]:
        """Each word reversed, with sign (−1)^length; the inverse of a group-like element."""
        turned: dict[Word, Any] = {word[::-1]: -c if len(word) % 2 else c for word, c in self._coefficients.items()}
        return Tensor(self.algebra, turned)

    def is_group_like(self) -> bool:
        r"""Whether the constant term is one and products of coefficients are shuffles.

        .. math:: ⟨u, a⟩⟨w, a⟩ = ⟨u ⧢ w, a⟩ \quad\text{for}\quad |u| + |w| ≤ N

        Returns:
            The answer; in balls, whether all of it may be true.

        Paper: Appendix B.
        """
        ring = self.algebra.ring
        zero: Any = ring.zero
        found: Any = self._coefficients.get
        if not ring.equal(self[EMPTY], ring.one):
            return False
        return all(
            ring.equal(found(u, zero) * found(w, zero), self._at_shuffle(u, w))
            for n in range(1, self.algebra.depth // 2 + 1)
            for u in self.algebra.words(n)
            for k in range(n, self.algebra.depth - n + 1)
            for w in self.algebra.words(k)
            if n < k or u <= w
        )

    def _at_shuffle(self, u: Word, w: Word) -> R:
        ring = self.algebra.ring
        total: Any = ring.zero
        for word, n in _words.shuffle(u, w).items():
            if word in self._coefficients:
                total = total + ring.coerce(n) * self._coefficients[word]
        return total

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tensor) or other.algebra != self.algebra:
            return NotImplemented
        zero, same = self.algebra.ring.zero, self.algebra.ring.equal
        mine, theirs = self._coefficients, other._coefficients
        return all(same(mine.get(w, zero), theirs.get(w, zero)) for w in mine.keys() | theirs.keys())

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap

    def __repr__(self) -> str:
        terms = [_term(word, str(self._coefficients[word])) for word in sorted(self._coefficients, key=_by_length)]
        return " + ".join(terms).replace("+ -", "- ") or "0"


def check_tensor(a: object, use: str) -> Tensor[Any]:
    """The tensor, if it is one; else TypeError that names the use."""
    return of_kind(a, Tensor, f"{use} takes a tensor", "make one by an algebra, TensorAlgebra(ring, dim, depth)")


def _by_length(word: Word) -> tuple[int, Word]:
    return len(word), word


def _term(word: Word, c: str) -> str:
    if not word:
        return c
    # Letters above 9 are set apart: e1,12 is no e112.
    name = "e" + ("" if max(word) < 10 else ",").join(map(str, word))
    if c in ("1", "-1"):
        return c.replace("1", name)
    return f"{c}*{name}" if all(sign not in c[1:] for sign in "+- ") else f"({c})*{name}"
