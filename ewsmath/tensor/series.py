"""Power series in a truncated tensor algebra: exponential, logarithm and inverse."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeVar

from ewsmath.rings import RingElement
from ewsmath.tensor.basis import WordBasis
from ewsmath.tensor.graded import Graded
from ewsmath.words import EMPTY

R = TypeVar("R", bound=RingElement)
T = TypeVar("T", bound=Graded[Any])


class AbstractSeries(WordBasis[R], ABC):
    """The part of :class:`~ewsmath.tensor.TensorAlgebra` that sums power series; the depth makes them end.

    >>> from ewsmath import QQ, TensorAlgebra
    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> T.exp(T.letter(1)) @ T.exp(T.letter(2))
    1 + e1 + e2 + 1/2*e11 + e12 + 1/2*e22
    """

    __slots__ = ()

    @abstractmethod
    def scalar(self, x: Any) -> Any:
        """A number as an element of level zero.

        Args:
            x: The number.

        Returns:
            The tensor.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.scalar(3) + T.letter(1)
        3 + e1
        """

    @abstractmethod
    def check_member(self, a: Any) -> None:
        """Refuse what is no tensor of this algebra.

        Args:
            a: What came.

        Raises:
            TypeError: It is no tensor.
            ValueError: It belongs to another algebra.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> TensorAlgebra(QQ, dim=2, depth=2).check_member(3)
        Traceback (most recent call last):
            ...
        TypeError: tensors go together with tensors, got 3 of type int: a number scales one, a * c, or enters by
        scalar(c)
        """

    def exp(self, a: T) -> T:
        r"""The tensor exponential of an element without constant term.

        .. math:: \exp(a) = \sum_{n=0}^N a^{⊗ n} / n!

        Args:
            a: A tensor with ``a[()] = 0``.

        Returns:
            exp(a); group-like when a is a Lie element, so for every vector.

        Raises:
            ValueError: a has a constant term.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=1, depth=4)
        >>> T.exp(T.vector([2]))
        1 + 2*e1 + 2*e11 + 4/3*e111 + 2/3*e1111
        """
        self._check_constant_term(a, self.ring.zero, "exp")
        # Horner's rule: 1 + a(1 + a/2 (1 + a/3 (⋯))). Depth N makes it end.
        x: Any = a
        one = result = self.scalar(self.ring.one)
        for n in range(self.depth, 0, -1):
            result = one + (x @ result).scaled(self.ring.ratio(1, n))
        return result

    def log(self, a: T) -> T:
        r"""The tensor logarithm of an element with constant term one; inverse to :meth:`exp`.

        .. math:: \log(1 + x) = \sum_{n=1}^N (-1)^{n+1} x^{⊗ n} / n

        Args:
            a: A tensor with ``a[()] = 1``.

        Returns:
            log(a).

        Raises:
            ValueError: The constant term is not 1.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.log(T.exp(T.letter(1)) @ T.exp(T.letter(2)))
        e1 + e2 + 1/2*e12 - 1/2*e21
        """
        self._check_constant_term(a, self.ring.one, "log")
        x: Any = a - self.scalar(self.ring.one)
        # Horner's rule again: x(1 - x(1/2 - x(1/3 - ⋯))).
        result = self.scalar(self.ring.zero)
        for n in range(self.depth, 0, -1):
            result = x @ (self.scalar(self.ring.ratio(1, n)) - result)
        return result

    def inverse(self, a: T) -> T:
        r"""The inverse of an element with constant term one.

        .. math:: (1 + x)^{-1} = \sum_{n=0}^N (-x)^{⊗ n}

        Args:
            a: A tensor with ``a[()] = 1``.

        Returns:
            b with ``a @ b = b @ a = 1``.

        Raises:
            ValueError: The constant term is not 1.

        >>> from ewsmath import QQ, TensorAlgebra
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> T.inverse(T.one() + T.vector([1, 3]))
        1 - e1 - 3*e2 + e11 + 3*e12 + 3*e21 + 9*e22
        """
        self._check_constant_term(a, self.ring.one, "inverse")
        one = result = self.scalar(self.ring.one)
        x: Any = a - one
        for _ in range(self.depth):
            result = one - x @ result
        return result

    def _check_constant_term(self, a: Graded[Any], wanted: R, use: str) -> None:
        self.check_member(a)
        if not self.ring.equal(a[EMPTY], wanted):
            raise ValueError(f"{use} needs a tensor with constant term {wanted}, got {a[EMPTY]}")
