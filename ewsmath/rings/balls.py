"""The rings of balls: of real ones, and of complex ones, each with a precision of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flint import acb, acb_mat, arb, arb_mat

from ewsmath.rings.ball import Ball, reciprocal
from ewsmath.rings.door import quotient, rational, refusal, whole
from ewsmath.rings.gaussian import Gaussian
from ewsmath.rings.precision import WorkingPrecision


@dataclass(frozen=True)
class AbstractBalls(ABC):
    """What real and complex balls share.

    Attributes:
        prec: Working precision in bits, at least 2.

    >>> isinstance(Balls(prec=64), AbstractBalls), Balls(prec=64) == Balls(prec=53)
    (True, False)
    """

    prec: int = 128
    _element: ClassVar[Any]
    _matrix: ClassVar[Any]
    _kinds: ClassVar[str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "prec", whole(self.prec, f"{type(self).__name__}: prec, the number of bits,"))
        if self.prec < 2:
            raise ValueError(f"{type(self).__name__}: prec must be at least 2 bits, got {self.prec}")

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The ring with its precision."""
        return f"{type(self).__name__}(prec={self.prec})"

    @property
    def reals(self) -> Balls:
        """The real balls of the same precision."""
        return Balls(self.prec)

    @property
    def zero(self) -> Ball:
        """0, exact."""
        return Ball(self, self._element(0))

    @property
    def one(self) -> Ball:
        """1, exact."""
        return Ball(self, self._element(1))

    def coerce(self, x: Any) -> Ball:
        """A ball around x.

        Args:
            x: A rational of any kind that QQ takes; an element of QQ_I or EE (real for ``Balls``); a ball,
                real for ``Balls``, of any precision; or a flint ball.

        Returns:
            A ball of this ring that contains x. Rationals with a power of two below the line that fit the
            precision are exact.

        Raises:
            TypeError: x is of another kind, floats among them.
            ValueError: x is not real, and this ring is.

        >>> from ewsmath.rings import QQ
        >>> ring = Balls(prec=64)
        >>> ring.coerce(QQ.ratio(3, 4)).radius, ring.coerce(QQ.ratio(1, 3)).radius > 0  # 4 is a power of two, 3 is none
        (0, True)
        """
        if isinstance(x, Ball):
            return x if x.ring == self else self._enclose(x.value)
        number = rational(x)
        if number is not None:
            with WorkingPrecision(self.prec):
                return Ball(self, self._element(number))
        if isinstance(x, arb | acb):
            return self._enclose(x)
        ball = getattr(x, "ball", None)
        if isinstance(x, Gaussian):
            with WorkingPrecision(self.prec):
                return self._enclose(acb(arb(x.real), arb(x.imag)))
        if ball is not None and x.is_real:
            return self._enclose(ball(self.prec).value.real)
        if ball is not None:
            return self._enclose(ball(self.prec).value)
        raise refusal(self.name, self._kinds, x)

    @abstractmethod
    def _enclose(self, value: Any) -> Ball:
        """The element that holds a flint ball."""

    def ratio(self, p: int, q: int) -> Ball:
        """A ball around p/q.

        Args:
            p: The numerator.
            q: The denominator.

        Returns:
            The ball.

        Raises:
            ZeroDivisionError: q is 0.

        >>> from ewsmath.rings import QQ
        >>> tenth = Balls(prec=64).ratio(1, 10)
        >>> tenth.mid == QQ.ratio(1, 10), abs(tenth.mid - QQ.ratio(1, 10)) <= tenth.radius
        (False, True)
        """
        return self.coerce(quotient(p, q, self.name))

    def equal(self, x: Ball, y: Ball) -> bool:
        """Whether two elements may be the same number.

        Args:
            x: A ball.
            y: Another.

        Returns:
            False disproves it, True supports it.

        >>> for ring in (Balls(prec=16), Balls(prec=64)):  # 355/113 is π to six decimals
        ...     print(ring.equal(ring.ratio(355, 113), ring.ratio(3141592653589793, 10**15)))
        True
        False
        """
        return x.overlaps(y)

    def exp(self, x: Ball) -> Ball:
        """A ball around the exponential of x.

        Args:
            x: A ball, or a number that the ring takes.

        Returns:
            The ball.

        Raises:
            TypeError: x is no number that the ring takes.

        >>> from ewsmath.rings import QQ
        >>> e = Balls(prec=53).exp(Balls(prec=53).one)
        >>> e * Balls(prec=53).exp(-Balls(prec=53).one) == 1, e == QQ.ratio(19, 7)
        (True, False)
        """
        x = self.coerce(x)
        with WorkingPrecision(self.prec):
            return Ball(self, x.value.exp())

    def inverse(self, x: Ball) -> Ball:
        """A ball around 1/x.

        Args:
            x: A ball that does not contain 0.

        Returns:
            The ball.

        Raises:
            ZeroDivisionError: x may be zero.

        >>> ring = Balls(prec=64)
        >>> ring.inverse(ring.coerce(4)).mid
        1/4
        >>> ring.inverse(ring.zero)
        Traceback (most recent call last):
        ZeroDivisionError: the ball 0 may be zero. Raise the precision of its ring
        """
        with WorkingPrecision(self.prec):
            return Ball(self, reciprocal(x.value))

    def maximum(self, x: Ball, y: Ball) -> Ball:
        """A ball around the larger of two real numbers.

        Args:
            x: A ball.
            y: Another.

        Returns:
            A ball around the larger of the two numbers meant, though it may be open which that is.

        Raises:
            ValueError: One of them is not real.

        >>> ring = Balls(prec=64)
        >>> ring.maximum(ring.exp(ring.one), ring.coerce(3))
        3.00000000000000000
        """
        with WorkingPrecision(self.prec):
            return Ball(self, self._element(_real_part(self, x).max(_real_part(self, y))))

    def square_root(self, x: Ball) -> Ball:
        """A ball around the root of x ≥ 0; what of the ball lies below zero is left out.

        Args:
            x: A ball.

        Returns:
            The ball.

        Raises:
            ValueError: x is certainly negative, or not real.

        >>> ring = Balls(prec=64)
        >>> root = ring.square_root(ring.coerce(2))
        >>> root * root == 2, ring.square_root(ring.ratio(1, 3) * 3 - 1) == 0  # this ball reaches below zero
        (True, True)
        """
        value = _real_part(self, x)
        if value < 0:
            raise ValueError(f"{self.name}.square_root: {value} is negative")
        with WorkingPrecision(self.prec):
            return Ball(self, self._element(value.nonnegative_part().sqrt()))

    def matrix_product(self, a: Sequence[Ball], b: Sequence[Ball], inner: int) -> list[Ball]:
        """The product of two flat matrices, by flint in one piece.

        Args:
            a: The entries of a (rows x inner) matrix, in row-major order.
            b: The entries of an (inner x columns) matrix.
            inner: The number of columns of the one and rows of the other.

        Returns:
            Balls around the entries of the product.

        >>> ring = Balls(prec=64)
        >>> [x.mid for x in ring.matrix_product([ring.coerce(3), ring.coerce(4)], [ring.coerce(1), ring.coerce(2)], 2)]
        [11]
        """
        with WorkingPrecision(self.prec):
            return self.wrap(self.matrix(a, inner) * self.matrix(b, len(b) // inner))

    def matrix_exponential(self, a: Sequence[Ball], size: int) -> list[Ball]:
        """Balls around the entries of the exponential of a flat square matrix.

        Args:
            a: The size x size entries.
            size: Number of rows.

        Returns:
            Balls around the entries of the exponential.

        >>> ring = Balls(prec=64)
        >>> rotation = ring.matrix_exponential([ring.zero, -ring.one, ring.one, ring.zero], 2)
        >>> rotation[0] * rotation[0] + rotation[2] * rotation[2] == 1  # cos² + sin²
        True
        """
        with WorkingPrecision(self.prec):
            return self.wrap(self.matrix(a, size).exp())

    def matrix(self, entries: Sequence[Ball], columns: int) -> Any:
        """The flint matrix of flat entries, for work inside one :class:`WorkingPrecision` block.

        Args:
            entries: The entries, in row-major order.
            columns: Number of columns.

        Returns:
            A ``flint.arb_mat`` or ``flint.acb_mat``.

        >>> ring = Balls(prec=64)
        >>> with WorkingPrecision(ring.prec):
        ...     determinant = ring.matrix([ring.coerce(k) for k in (1, 2, 3, 4)], 2).det()
        >>> ring.coerce(determinant) == -2
        True
        """
        return self._matrix(len(entries) // columns, columns, [x.value for x in entries])

    def wrap(self, matrix: Any) -> list[Ball]:
        """The entries of a flint matrix, flat in row-major order, as elements of the ring.

        Args:
            matrix: A ``flint.arb_mat`` or ``flint.acb_mat``.

        Returns:
            The entries, row by row.

        >>> ring = Balls(prec=64)
        >>> ring.wrap(ring.matrix([ring.coerce(1), ring.coerce(2)], 1).transpose())
        [1.00000000000000000, 2.00000000000000000]
        """
        return [Ball(self, value) for value in matrix.entries()]


def _real_part(ring: AbstractBalls, x: Ball) -> arb:
    if not x.value.imag.contains(0):
        raise ValueError(f"{ring.name} orders real numbers only, got {x}")
    return x.value.real


@dataclass(frozen=True, repr=False)
class Balls(AbstractBalls):
    """Real balls of a stated precision.

    Args:
        prec: Working precision in bits, at least 2.

    >>> Balls(prec=53).ratio(1, 3)
    [0.333333333333333 +/- 3.71e-16]
    """

    _element = arb
    _matrix = arb_mat
    _kinds = "int, fmpq, Fraction, real elements of QQ_I and EE, or real balls"

    def _enclose(self, value: Any) -> Ball:
        if not value.imag.is_zero():
            raise ValueError(f"{self.name}: {value} is not real. Use ComplexBalls(prec={self.prec})")
        return Ball(self, value.real)


@dataclass(frozen=True, repr=False)
class ComplexBalls(AbstractBalls):
    """Complex balls (rectangles) of a stated precision.

    Args:
        prec: Working precision in bits, at least 2.

    >>> from ewsmath.rings import QQ_I
    >>> ComplexBalls(prec=53).exp(ComplexBalls(prec=53).coerce(QQ_I.i)).real
    [0.540302305868140 +/- 4.59e-16]
    """

    _element = acb
    _matrix = acb_mat
    _kinds = "int, fmpq, Fraction, elements of QQ_I and EE, or balls"

    def _enclose(self, value: Any) -> Ball:
        return Ball(self, acb(value))
