"""Hadamard matrices of Sylvester's kind, and the structure WH."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from ewsmath.capacity import check_matrix
from ewsmath.matrix import Matrix
from ewsmath.rings import Field, OrderedRing, Ring
from ewsmath.rings.door import whole
from ewsmath.structures.blocks import Dense
from ewsmath.structures.structure import AbstractStructure, vector


def hadamard(ring: Ring[Any], size: int, normalised: bool = True) -> Matrix[Any]:
    r"""The Hadamard matrix of Sylvester's kind: symmetric, and orthogonal when normalised.

    .. math:: H_{ij} = \frac{(-1)^{i·j}}{\sqrt{h}}, \qquad i·j = \text{number of ones common to } i \text{ and } j

    Args:
        ring: The ring.
        size: Number of rows h, a power of two.
        normalised: Whether to divide by √h. In an exact ring that needs a power of four; without it H has entries
            1 and -1, and H² = h I.

    Returns:
        An h x h matrix.

    Raises:
        ValueError: The size is no power of two, the matrix is too large, or the ring does not contain √h.

    >>> from ewsmath.rings import QQ
    >>> hadamard(QQ, 2, normalised=False)
    Matrix(QQ, [[1, 1], [1, -1]])
    """
    h = _power_of_two(size)
    check_matrix(h, h, "a Hadamard matrix")
    c = _scale(ring, h) if normalised else ring.one
    return Matrix(ring, [[-c if (i & j).bit_count() % 2 else c for j in range(h)] for i in range(h)])


def walsh_transform(x: Sequence[Any]) -> list[Any]:
    """The product H x with the Hadamard matrix of entries 1 and -1, in h log₂ h additions.

    Args:
        x: A vector whose length is a power of two.

    Returns:
        Its transform.

    >>> walsh_transform([1, 2, 3, 4])
    [10, -2, -4, 0]
    """
    found, h, step = list(x), _power_of_two(len(x)), 1
    while step < h:
        for i in range(h):
            if not i & step:
                a, b = found[i], found[i + step]
                found[i], found[i + step] = a + b, a - b
        step *= 2
    return found


class WalshHadamard(AbstractStructure):
    r"""WH: a Hadamard matrix times a diagonal one, which acts first; h numbers.

    .. math:: A x = H (a ∘ x)

    With entries in [-1, 1] and H normalised, ‖A‖_2 ≤ 1. The structure holds neither the identity nor products:
    H D_1 H D_2 has none.

    Args:
        ring: The ring.
        diagonal: The entries a; their number h is a power of two.
        normalised: As for :func:`hadamard`.

    Attributes:
        diagonal: The entries a.
        normalised: Whether H is divided by √h.

    Raises:
        ValueError: The size is no power of two, or the ring does not contain √h.

    >>> from ewsmath.rings import QQ
    >>> A = WalshHadamard(QQ, [1, 2, 0, 0])
    >>> A.parameters, A.apply([QQ.one] * 4)
    (4, [3/2, -1/2, 3/2, -1/2])
    """

    __slots__ = ("_scale", "diagonal", "normalised", "ring", "size")
    is_closed = False
    diagonal: tuple[Any, ...]
    normalised: bool

    def __init__(self, ring: Ring[Any], diagonal: Sequence[Any], normalised: bool = True) -> None:
        a = vector(ring, diagonal, "WalshHadamard")
        h = _power_of_two(len(a))
        scale = _scale(ring, h) if normalised else ring.one
        self._set(ring=ring, size=h, diagonal=a, normalised=normalised, _scale=scale)

    @property
    def parameters(self) -> int:
        """The number h of diagonal entries."""
        return self.size

    @property
    def matrix(self) -> Matrix[Any]:
        """The matrix with all its entries."""
        return hadamard(self.ring, self.size, self.normalised) @ Matrix.diagonal(self.ring, self.diagonal)

    def apply(self, h: Sequence[Any]) -> list[Any]:
        """The product with a column vector, by the fast transform.

        Args:
            h: The vector, h elements of the ring.

        Returns:
            Its image H(a ∘ h).

        >>> from ewsmath.rings import QQ
        >>> A = WalshHadamard(QQ, [1, 2], normalised=False)
        >>> A.apply([QQ.one, QQ.one])
        [3, -1]
        """
        return [self._scale * x for x in walsh_transform([a * x for a, x in zip(self.diagonal, h, strict=True)])]

    def _like(self, diagonal: Sequence[Any]) -> WalshHadamard:
        return WalshHadamard(self.ring, diagonal, self.normalised)

    def check_same(self, other: object) -> AbstractStructure:
        """The other matrix, if it goes together with this one; else an error that says why it does not.

        Args:
            other: What came.

        Returns:
            The other matrix.

        Raises:
            TypeError: It is of another structure.
            ValueError: Size or ring differ, or one is normalised and the other is not.

        >>> from ewsmath.rings import QQ
        >>> WalshHadamard(QQ, [1] * 4).check_same(WalshHadamard(QQ, [1] * 4, normalised=False))
        Traceback (most recent call last):
            ...
        ValueError: WalshHadamard goes together with WalshHadamard when both are normalised or neither is
        """
        found: Any = super().check_same(other)
        if found.normalised != self.normalised:
            raise ValueError("WalshHadamard goes together with WalshHadamard when both are normalised or neither is")
        return found

    def _sum(self, other: WalshHadamard) -> WalshHadamard:
        return self._like([x + y for x, y in zip(self.diagonal, other.diagonal, strict=True)])

    def _product(self, other: WalshHadamard) -> Dense:
        return Dense(self.matrix @ other.matrix)

    def scaled(self, c: Any) -> WalshHadamard:
        """The multiple by an element of the ring.

        Args:
            c: The element.

        Returns:
            The same Hadamard matrix times the diagonal c a.

        >>> from ewsmath.rings import QQ
        >>> WalshHadamard(QQ, [1, 2, 0, 0]).scaled(QQ.coerce(3)).diagonal
        (3, 6, 0, 0)
        """
        factor = self.ring.coerce(c)
        return self._like([factor * x for x in self.diagonal])

    def plus_identity(self) -> Dense:
        """I + A, dense: the structure does not hold the identity.

        Returns:
            The matrix.

        >>> from ewsmath.rings import QQ
        >>> WalshHadamard(QQ, [1, 2], normalised=False).plus_identity()
        Dense(Matrix(QQ, [[2, 2], [1, -1]]))
        """
        return Dense(self.matrix).plus_identity()


def _power_of_two(size: Any) -> int:
    h = whole(size, "a Hadamard matrix: the size")
    if h.bit_count() != 1:
        raise ValueError(f"a Hadamard matrix of Sylvester's kind has a power of two as size, got {h}")
    return h


def _scale(ring: Ring[Any], h: int) -> Any:
    root = isqrt(h)
    if root * root == h:
        return ring.ratio(1, root)
    if isinstance(ring, OrderedRing) and isinstance(ring, Field):
        try:
            return ring.inverse(ring.square_root(ring.coerce(h)))
        except ValueError:
            pass
    raise ValueError(
        f"{ring.name} does not contain 1/√{h}: take a power of four as size, normalised=False (then H² = {h} I), "
        "or balls, Balls(prec=128)"
    )
