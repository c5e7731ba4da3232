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
        """The element that x is; TypeError when x is none (a float never is)."""
        ...

    def ratio(self, p: int, q: int) -> R:
        """The rational p/q; ZeroDivisionError when q is 0."""
        ...

    def equal(self, x: R, y: R) -> bool:
        """Whether x and y are the same; for balls, whether they may be the same (they overlap)."""
        ...


@runtime_checkable
class ExponentialRing(Ring[R], Protocol[R]):
    """A ring with an exponential function.

    >>> from ewsmath.rings import EE, QQ
    >>> isinstance(QQ, ExponentialRing), isinstance(EE, ExponentialRing)
    (False, True)
    """

    def exp(self, x: R) -> R:
        """The exponential of x; ValueError where the ring does not contain it."""
        ...


@runtime_checkable
class Field(Ring[R], Protocol[R]):
    """A ring in which everything but zero has an inverse.

    >>> from ewsmath.rings import EE, QQ
    >>> isinstance(QQ, Field), isinstance(EE, Field)
    (True, False)
    """

    def inverse(self, x: R) -> R:
        """1/x; ZeroDivisionError when x is zero, or a ball that may be zero."""
        ...


@runtime_checkable
class OrderedRing(Ring[R], Protocol[R]):
    """A ring whose real elements can be ordered: what the clocks need.

    >>> from ewsmath.rings import QQ, QQ_I, SR
    >>> [isinstance(ring, OrderedRing) for ring in (QQ, QQ_I, SR)]
    [True, True, False]
    """

    def maximum(self, x: R, y: R) -> R:
        """The larger of two real elements; ValueError when one is not real."""
        ...

    def square_root(self, x: R) -> R:
        """The root of x ≥ 0; ValueError where the ring does not contain it."""
        ...


@runtime_checkable
class MatrixRing(Ring[R], Protocol[R]):
    """A ring that multiplies matrices in its own, faster way. Matrices are flat, in row-major order.

    >>> from ewsmath.rings import EE, QQ, Balls
    >>> [isinstance(ring, MatrixRing) for ring in (QQ, EE, Balls(64))]
    [True, False, True]
    """

    def matrix_product(self, a: Sequence[R], b: Sequence[R], inner: int) -> list[R]:
        """The product of an (rows x inner) and an (inner x columns) matrix."""
        ...


@runtime_checkable
class MatrixExponentialRing(MatrixRing[R], Protocol[R]):
    """A ring in which the exponential of every square matrix is at hand: real and complex balls.

    >>> from ewsmath.rings import MP, QQ, Balls
    >>> [isinstance(ring, MatrixExponentialRing) for ring in (QQ, MP(30), Balls(64))]
    [False, True, True]
    """

    def matrix_exponential(self, a: Sequence[R], size: int) -> list[R]:
        """The exponential of a (size x size) matrix, flat in row-major order."""
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
    """The ring, if it is one; else TypeError: a name is none, and the class Balls needs a precision.

    Returns:
        The ring itself.

    >>> from ewsmath.rings import QQ
    >>> check_ring(QQ)
    QQ
    """
    if isinstance(ring, type) or not supports(ring, Ring):
        raise TypeError(f"a ring is an object with its numbers, got {named(ring)}: give QQ, EE or Balls(prec=128)")
    return ring
