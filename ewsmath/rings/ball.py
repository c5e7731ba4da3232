"""Balls, rigorous real and complex midpoint–radius numbers over ``flint.arb`` and ``flint.acb``.

flint's working precision is one global of the process. Here it is an argument of the ring: each operation
sets it, works, and puts it back, so that a result never depends on who ran before.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from flint import acb, acb_mat, arb, arb_mat, ctx, fmpq

from ewsmath.latex import displayed, latex
from ewsmath.rings.door import rational, refusal, whole
from ewsmath.rings.endpoints import End, ends, exact_bound, exact_point, from_ends
from ewsmath.rings.gaussian import QQ_I, Gaussian
from ewsmath.rings.immutable import Immutable
from ewsmath.rings.precision import WorkingPrecision
from ewsmath.rings.rational import QQ

_BOUND_BITS = 64


class Ball(Immutable):
    """An element of ``Balls(prec)`` or ``ComplexBalls(prec)``: a set that contains the number meant.

    ``==`` asks whether two balls may be the same number (they overlap): a ``True`` supports, a ``False``
    disproves.

    Attributes:
        ring: The ring it belongs to, which holds the precision.
        value: The ``flint.arb`` or ``flint.acb`` inside.

    >>> third = Balls(prec=64).ratio(1, 3)
    >>> third * 3 == 1, third == Balls(prec=64).ratio(1, 2)
    (True, False)
    """

    __slots__ = ("ring", "value")
    ring: AbstractBalls
    value: Any

    def __init__(self, ring: AbstractBalls, value: Any) -> None:
        object.__setattr__(self, "ring", ring)
        object.__setattr__(self, "value", value)

    def __reduce__(self) -> tuple[Callable[..., Ball], tuple[AbstractBalls, list[tuple[End, End]]]]:
        parts = [self.value] if isinstance(self.value, arb) else [self.value.real, self.value.imag]
        return _restored, (self.ring, [ends(x) for x in parts])

    def _binary(self, other: object, operation: Callable[[Any, Any], Any]) -> Ball:
        ring = self.ring
        if not isinstance(other, Ball):
            number = rational(other)
            if number is None:
                return NotImplemented
            other = ring.coerce(number)
        elif other.ring != ring:
            raise TypeError(f"{ring.name} and {other.ring.name} are not mixed: coerce one of the two balls first")
        outside = ctx.prec  # WorkingPrecision by hand: this is the innermost loop of every ball computation
        ctx.prec = ring.prec
        try:
            return Ball(ring, operation(self.value, other.value))
        finally:
            ctx.prec = outside

    def __add__(self, other: Any) -> Ball:
        return self._binary(other, _add)

    def __sub__(self, other: Any) -> Ball:
        return self._binary(other, _subtract)

    def __rsub__(self, other: Any) -> Ball:
        return self._binary(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> Ball:
        return self._binary(other, _multiply)

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Ball:
        return self._binary(other, lambda x, y: x * self.ring._reciprocal(y))

    def __rtruediv__(self, other: Any) -> Ball:
        return self._binary(other, lambda x, y: y * self.ring._reciprocal(x))

    def __neg__(self) -> Ball:
        with WorkingPrecision(self.ring.prec):  # flint rounds a negated ball to its working precision
            return Ball(self.ring, -self.value)

    def __bool__(self) -> bool:
        """False when the ball is the exact number 0 and nothing else."""
        return not (self.value.real.is_zero() and self.value.imag.is_zero())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ball):
            number = rational(other)
            if number is None:
                return NotImplemented
            other = self.ring.coerce(number)
        return self.overlaps(other)

    __hash__ = None  # type: ignore[assignment]  # overlapping is not transitive, so no hash agrees with it

    def overlaps(self, other: Ball) -> bool:
        """Whether the two sets meet."""
        return bool(self.value.real.overlaps(other.value.real) and self.value.imag.overlaps(other.value.imag))

    @property
    def real(self) -> Ball:
        """The real part, in ``Balls(prec)``."""
        return Ball(Balls(self.ring.prec), self.value.real)

    @property
    def imag(self) -> Ball:
        """The imaginary part, in ``Balls(prec)``."""
        return Ball(Balls(self.ring.prec), self.value.imag)

    @property
    def mid(self) -> Any:
        """The midpoint, exact: a rational, or a Gaussian rational for a complex ball.

        ValueError when it is not finite, or beyond 2^(±2^24) and so too long to write out.
        """
        if isinstance(self.value, arb):
            return exact_point(self.value.mid())
        return QQ_I.number(exact_point(self.value.real.mid()), exact_point(self.value.imag.mid()))

    @property
    def radius(self) -> fmpq:
        """The radius, exact; for a complex ball (a rectangle) the sum of its half-widths, a bound.

        One too small to be written out is rounded up to about 2^(-2^24); ValueError when the ball is unbounded.
        """
        return exact_bound(self.value.real.rad()) + exact_bound(self.value.imag.rad())

    def abs_upper(self) -> fmpq:
        """A rational that no ``|x|`` in the ball exceeds; the binary logarithm of its slack is about -64.

        Returns:
            The bound; ValueError when the ball is unbounded.
        """
        with WorkingPrecision(_BOUND_BITS):
            return exact_bound(abs(self.value).upper())

    def __repr__(self) -> str:
        with WorkingPrecision(self.ring.prec):
            return str(self.value)

    def _latex(self) -> str:
        with WorkingPrecision(self.ring.prec):
            if self.value.imag.is_zero():
                return latex(self.value.real)
            return rf"{latex(self.value.real)} + \left({latex(self.value.imag)}\right) i"

    def _repr_latex_(self) -> str:
        return displayed(self._latex())


def _add(x: Any, y: Any) -> Any:
    return x + y


def _subtract(x: Any, y: Any) -> Any:
    return x - y


def _multiply(x: Any, y: Any) -> Any:
    return x * y


def _restored(ring: AbstractBalls, parts: list[tuple[End, End]]) -> Ball:
    values = [from_ends(mid, radius) for mid, radius in parts]
    return Ball(ring, values[0] if len(values) == 1 else acb(*values))


@dataclass(frozen=True)
class AbstractBalls(ABC):
    """What real and complex balls share.

    Attributes:
        prec: Working precision in bits, at least 2.
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

    @staticmethod
    def _reciprocal(value: Any) -> Any:
        if value.real.contains(0) and value.imag.contains(0):
            raise ZeroDivisionError(f"the ball {value} may be zero. Raise the precision of its ring")
        return 1 / value

    def ratio(self, p: int, q: int) -> Ball:
        """A ball around p/q."""
        return self.coerce(QQ.ratio(p, q))

    def equal(self, x: Ball, y: Ball) -> bool:
        """Whether x and y may be the same number: a False disproves, a True supports."""
        return x.overlaps(y)

    def exp(self, x: Ball) -> Ball:
        """A ball around the exponential of x; TypeError when x is no number that the ring takes."""
        x = self.coerce(x)
        with WorkingPrecision(self.prec):
            return Ball(self, x.value.exp())

    def inverse(self, x: Ball) -> Ball:
        """A ball around 1/x; ZeroDivisionError when x may be zero."""
        with WorkingPrecision(self.prec):
            return Ball(self, self._reciprocal(x.value))

    def maximum(self, x: Ball, y: Ball) -> Ball:
        """A ball around the larger of two real numbers."""
        with WorkingPrecision(self.prec):
            return Ball(self, self._element(_real_part(self, x).max(_real_part(self, y))))

    def square_root(self, x: Ball) -> Ball:
        """A ball around the root of x ≥ 0; what of the ball lies below zero is left out."""
        value = _real_part(self, x)
        if value < 0:
            raise ValueError(f"{self.name}.square_root: {value} is negative")
        with WorkingPrecision(self.prec):
            return Ball(self, self._element(value.nonnegative_part().sqrt()))

    def matrix_product(self, a: Sequence[Ball], b: Sequence[Ball], inner: int) -> list[Ball]:
        """The product of two flat matrices, by flint in one piece."""
        with WorkingPrecision(self.prec):
            return self.wrap(self.matrix(a, inner) * self.matrix(b, len(b) // inner))

    def matrix_exponential(self, a: Sequence[Ball], size: int) -> list[Ball]:
        """Balls around the entries of the exponential of a flat square matrix."""
        with WorkingPrecision(self.prec):
            return self.wrap(self.matrix(a, size).exp())

    def matrix(self, entries: Sequence[Ball], columns: int) -> Any:
        """The flint matrix of flat entries, for work inside one :class:`WorkingPrecision` block."""
        return self._matrix(len(entries) // columns, columns, [x.value for x in entries])

    def wrap(self, matrix: Any) -> list[Ball]:
        """The entries of a flint matrix, flat in row-major order, as elements of the ring."""
        return [Ball(self, value) for value in matrix.entries()]


def _real_part(ring: AbstractBalls, x: Ball) -> arb:
    if not x.value.imag.contains(0):
        raise ValueError(f"{ring.name} orders real numbers only, got {x}")
    return x.value.real


@dataclass(frozen=True, repr=False)
class Balls(AbstractBalls):
    """Real balls of a stated precision.

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

    >>> ComplexBalls(prec=53).exp(ComplexBalls(prec=53).coerce(QQ_I.i)).real
    [0.540302305868140 +/- 4.59e-16]
    """

    _element = acb
    _matrix = acb_mat
    _kinds = "int, fmpq, Fraction, elements of QQ_I and EE, or balls"

    def _enclose(self, value: Any) -> Ball:
        return Ball(self, acb(value))
