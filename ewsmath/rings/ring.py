"""What a coefficient ring supplies: five names, and a few more for rings that can do more."""

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol, TypeVar, runtime_checkable

from ewsmath.rings.door import named


class RingElement(Protocol):
    """What an element of a ring brings: sums, differences, products, negation.

    >>> from ewsmath.rings import QQ
    >>> x: RingElement = QQ.ratio(1, 2)
    >>> x + x, x - x, x * x, -x
    (1, 0, 1/4, -1/2)
    """

    def __add__(self, other: Any, /) -> Any: ...
    def __sub__(self, other: Any, /) -> Any: ...
    def __mul__(self, other: Any, /) -> Any: ...
    def __neg__(self) -> Any: ...


R = TypeVar("R", bound=RingElement)


@runtime_checkable
class Ring(Protocol[R]):
    """A commutative ring that contains the rationals: a name, two constants, three functions.

    Its elements are immutable, bring ``+ - *`` and unary ``-`` among themselves, and are false exactly when
    they are known to be zero. Everything that comes from outside enters through :meth:`coerce`.

    Where elements come to stand in exponents (the clock times of a generator that is not nilpotent, the entries of one
    whose eigenvalues are to be found) they also bring ``as_gaussian()``, the same number in QQ_I; or the ring names
    the field that they lie in, as its attribute ``exponents``.

    >>> from ewsmath.rings import QQ
    >>> isinstance(QQ, Ring), QQ.zero, QQ.coerce(3), QQ.ratio(2, 6)
    (True, 0, 3, 1/3)
    """

    @property
    def name(self) -> str:
        """What the ring is called in messages."""
        ...

    @property
    def zero(self) -> R:
        """The neutral element of addition."""
        ...

    @property
    def one(self) -> R:
        """The neutral element of multiplication."""
        ...

    def coerce(self, x: Any) -> R:
        """The element that x is.

        Args:
            x: A number of any kind that the ring takes: an int at least, and for paths, clocks and linear CDEs the
                elements of QQ and the real ones of QQ_I, as which elapsed times and eigenvalues come.

        Returns:
            The same number in the ring; in balls and MP a ball around it, or the nearest number.

        Raises:
            TypeError: The ring does not take x; no ring takes a float.

        >>> from ewsmath.rings import EE, QQ
        >>> EE.coerce(QQ.ratio(1, 2)) + EE.exp(EE.one)
        1/2 + e^(1)
        """
        ...

    def ratio(self, p: int, q: int) -> R:
        """The rational p/q.

        Args:
            p: The numerator.
            q: The denominator.

        Returns:
            The element.

        Raises:
            ZeroDivisionError: q is 0.

        >>> from ewsmath.rings import QQ, QQ_I
        >>> QQ.ratio(2, -6), QQ_I.i * QQ_I.ratio(2, -6)
        (-1/3, -1/3i)
        """
        ...

    def equal(self, x: R, y: R) -> bool:
        """Whether two elements are the same; for balls, whether they may be the same (they overlap).

        Args:
            x: An element.
            y: Another.

        Returns:
            The answer.

        >>> from ewsmath.rings import QQ, Balls
        >>> coarse = Balls(prec=8)  # in 8 bits 1/3 and 3333/10000 are not told apart
        >>> coarse.equal(coarse.ratio(1, 3), coarse.ratio(3333, 10000)), QQ.equal(QQ.ratio(1, 3), QQ.ratio(3333, 10000))
        (True, False)
        """
        ...


@runtime_checkable
class ExponentialRing(Ring[R], Protocol[R]):
    """A ring with an exponential function.

    >>> from ewsmath.rings import EE, QQ
    >>> isinstance(QQ, ExponentialRing), isinstance(EE, ExponentialRing)
    (False, True)
    """

    def exp(self, x: R) -> R:
        """The exponential of an element.

        Args:
            x: The element.

        Returns:
            e^x.

        Raises:
            ValueError: The ring does not contain it.

        >>> from ewsmath.rings import EE
        >>> EE.exp(EE.ratio(1, 3)) * EE.exp(EE.ratio(2, 3)) == EE.exp(EE.one)
        True
        """
        ...


@runtime_checkable
class Field(Ring[R], Protocol[R]):
    """A ring in which everything but zero has an inverse.

    >>> from ewsmath.rings import EE, QQ
    >>> isinstance(QQ, Field), isinstance(EE, Field)
    (True, False)
    """

    def inverse(self, x: R) -> R:
        """The inverse 1/x.

        Args:
            x: An element other than 0.

        Returns:
            The inverse.

        Raises:
            ZeroDivisionError: x is zero, or a ball that may be zero.

        >>> from ewsmath.rings import QQ, QQ_I
        >>> QQ.inverse(QQ.ratio(2, 3)), QQ_I.inverse(QQ_I.i)
        (3/2, -i)
        """
        ...


@runtime_checkable
class OrderedRing(Ring[R], Protocol[R]):
    """A ring whose real elements can be ordered: what the clocks need.

    >>> from ewsmath.rings import QQ, QQ_I, SR
    >>> [isinstance(ring, OrderedRing) for ring in (QQ, QQ_I, SR)]
    [True, True, False]
    """

    def maximum(self, x: R, y: R) -> R:
        """The larger of two real elements.

        Args:
            x: An element.
            y: Another.

        Returns:
            One of the two; for balls, a ball around the larger.

        Raises:
            ValueError: One of them is not real.

        >>> from ewsmath.rings import EE, QQ
        >>> QQ.maximum(QQ.ratio(1, 3), QQ.ratio(3, 10)), EE.maximum(EE.exp(EE.one), EE.coerce(3))
        (1/3, 3)
        """
        ...

    def square_root(self, x: R) -> R:
        """The root of a real element that is not negative.

        Args:
            x: An element x ≥ 0.

        Returns:
            The root that is not negative.

        Raises:
            ValueError: x is negative or not real, or the ring does not contain its root.

        >>> from ewsmath.rings import MP, QQ
        >>> QQ.square_root(QQ.ratio(9, 4)), MP(10).square_root(MP(10).coerce(2))
        (3/2, 1.414213562)
        """
        ...


@runtime_checkable
class MatrixRing(Ring[R], Protocol[R]):
    """A ring that multiplies matrices in its own, faster way. Matrices are flat, in row-major order.

    >>> from ewsmath.rings import EE, QQ, Balls
    >>> [isinstance(ring, MatrixRing) for ring in (QQ, EE, Balls(64))]
    [True, False, True]
    """

    def matrix_product(self, a: Sequence[R], b: Sequence[R], inner: int) -> list[R]:
        """The product of two matrices.

        Args:
            a: The entries of a (rows x inner) matrix.
            b: The entries of an (inner x columns) matrix.
            inner: The number of columns of the one and rows of the other.

        Returns:
            The entries of the (rows x columns) product.

        >>> from ewsmath.rings import QQ
        >>> row, column = [QQ.coerce(1), QQ.coerce(2)], [QQ.coerce(3), QQ.coerce(4)]
        >>> QQ.matrix_product(row, column, 2), QQ.matrix_product(column, row, 1)
        ([11], [3, 6, 4, 8])
        """
        ...


@runtime_checkable
class MatrixExponentialRing(MatrixRing[R], Protocol[R]):
    """A ring in which the exponential of every square matrix is at hand: real and complex balls.

    >>> from ewsmath.rings import MP, QQ, Balls
    >>> [isinstance(ring, MatrixExponentialRing) for ring in (QQ, MP(30), Balls(64))]
    [False, True, True]
    """

    def matrix_exponential(self, a: Sequence[R], size: int) -> list[R]:
        """The exponential of a square matrix.

        Args:
            a: The entries of a (size x size) matrix.
            size: Number of rows.

        Returns:
            The entries of the exponential.

        >>> from ewsmath.rings import Balls
        >>> ring = Balls(prec=64)
        >>> [x.mid for x in ring.matrix_exponential([ring.zero, ring.ratio(3, 2), ring.zero, ring.zero], 2)]
        [1, 3/2, 0, 1]
        """
        ...


@cache
def supports(ring: Ring[Any], protocol: type) -> bool:
    """Whether a ring brings all that a protocol asks for; remembered, since asking a protocol is slow.

    Args:
        ring: The ring.
        protocol: One of the protocols of this module.

    Returns:
        The answer.

    >>> from ewsmath.rings import QQ, Balls
    >>> supports(QQ, MatrixExponentialRing), supports(Balls(prec=64), MatrixExponentialRing)
    (False, True)
    """
    return isinstance(ring, protocol)


def check_ring(ring: Any) -> Ring[Any]:
    """The ring, if it is one.

    Args:
        ring: What came.

    Returns:
        The ring itself.

    Raises:
        TypeError: It is none: a name is none, and the class Balls needs a precision.

    >>> from ewsmath.rings import QQ
    >>> check_ring(QQ)
    QQ
    """
    if isinstance(ring, type) or not supports(ring, Ring):
        raise TypeError(f"a ring is an object with its numbers, got {named(ring)}: give QQ, EE or Balls(prec=128)")
    return ring
