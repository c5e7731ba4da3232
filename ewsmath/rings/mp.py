"""MP, real and complex numbers of a stated number of digits, over mpmath in a context of its own.

mpmath's working precision is an attribute of its context, and ``mpmath.mp`` is one global of the process, which is
not touched here: each ring has a context that no one else sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
from flint import fmpq
from mpmath.ctx_mp_python import mpnumeric

from ewsmath.rings.door import refusal, whole
from ewsmath.rings.exponential import Exponential
from ewsmath.rings.gaussian import gaussian
from ewsmath.rings.immutable import Immutable
from ewsmath.rings.rational import QQ

GUARD_DIGITS = 15
"""Digits that are computed beyond those that are compared."""

_LARGEST_PRECISION = 2**16
"""Bits at which the exponential of a matrix gives up."""


class MPNumber(Immutable):
    """An element of ``MP(digits)``: a real or complex number, rounded.

    ``==`` asks whether two numbers agree to the digits of the ring: ``|x - y| ≤ 10^-digits max(1, |x|, |y|)``.
    It is no proof either way; balls give one.

    Attributes:
        ring: The ring it belongs to, which holds the number of digits.
        value: The ``mpf`` or ``mpc`` inside, of the ring's own context.

    >>> MP(30).ratio(1, 3) * 3 == 1, MP(30).exp(MP(30).one)
    (True, 2.71828182845904523536028747135)
    """

    __slots__ = ("ring", "value")
    ring: MP
    value: Any

    def __init__(self, ring: MP, value: Any) -> None:
        self._set(ring=ring, value=value)

    def __reduce__(self) -> tuple[Callable[..., MPNumber], tuple[Any, ...]]:
        return _restored, (self.ring, [_raw(part) for part in (self.value.real, self.value.imag)])

    def _binary(self, other: object, operation: Callable[[Any, Any], Any]) -> MPNumber:
        if not isinstance(other, MPNumber):
            if gaussian(other) is None:
                return NotImplemented
            other = self.ring.coerce(other)
        elif other.ring != self.ring:
            raise TypeError(f"{self.ring.name} and {other.ring.name} are not mixed: coerce one of the two first")
        return MPNumber(self.ring, operation(self.value, other.value))

    def __add__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x + y)

    def __sub__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x - y)

    def __rsub__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x * y)

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x / y)

    def __rtruediv__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: y / x)

    def __neg__(self) -> MPNumber:
        return MPNumber(self.ring, -self.value)

    def __bool__(self) -> bool:
        """False when the number is exactly 0."""
        return bool(self.value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MPNumber) and gaussian(other) is None:
            return NotImplemented
        return self.ring.equal(self, self.ring.coerce(other))

    __hash__ = None  # type: ignore[assignment]  # agreeing is not transitive, so no hash agrees with it

    @property
    def real(self) -> MPNumber:
        """The real part."""
        return MPNumber(self.ring, self.value.real)

    @property
    def imag(self) -> MPNumber:
        """The imaginary part."""
        return MPNumber(self.ring, self.value.imag)

    def conjugate(self) -> MPNumber:
        """The complex conjugate."""
        return MPNumber(self.ring, self.value.conjugate())

    def __repr__(self) -> str:
        return self.ring.context.nstr(self.value, self.ring.digits)


def _raw(x: Any) -> tuple[int, int, int, int]:
    sign, mantissa, exponent, bits = x._mpf_
    return int(sign), int(mantissa), int(exponent), int(bits)


def _restored(ring: MP, parts: list[tuple[int, int, int, int]]) -> MPNumber:
    real, imag = map(ring.context.make_mpf, parts)
    return MPNumber(ring, ring.context.mpc(real, imag) if imag else real)


@cache
def _context(digits: int) -> Any:
    context = mpmath.MPContext()
    context.dps = digits + GUARD_DIGITS
    return context


@dataclass(frozen=True)
class MP:
    """The real and complex numbers to a stated number of digits, by mpmath; 15 more are computed.

    A second opinion beside the balls, which share no code with it. Nothing bounds its errors: a sum that cancels loses
    digits here without a sign, where a ball would widen.

    Attributes:
        digits: Decimal digits to which numbers are compared and printed.

    Raises:
        TypeError: ``digits`` is no whole number.
        ValueError: ``digits`` is below 1.

    >>> MP(20).exp(MP(20).ratio(-1, 3))
    0.71653131057378925043
    """

    digits: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", whole(self.digits, "MP: the number of digits"))

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The ring with its digits."""
        return f"MP({self.digits})"

    @property
    def context(self) -> Any:
        """The mpmath context of the ring, with 15 digits more; not ``mpmath.mp``."""
        return _context(self.digits)

    @property
    def zero(self) -> MPNumber:
        """0."""
        return MPNumber(self, self.context.mpf(0))

    @property
    def one(self) -> MPNumber:
        """1."""
        return MPNumber(self, self.context.mpf(1))

    @property
    def i(self) -> MPNumber:
        """The imaginary unit."""
        return MPNumber(self, self.context.mpc(0, 1))

    def coerce(self, x: Any) -> MPNumber:
        """The number x, rounded.

        Args:
            x: An element of QQ, QQ_I or EE, or one of SR without parameters; an element of this ring or of one
                with more digits; a real or complex number of mpmath, by the value that it has.

        Returns:
            The nearest number of the ring.

        Raises:
            TypeError: x is of another kind, floats and balls among them.
            ValueError: x comes from a ring with fewer digits: those that lack cannot be made up; or a parameter is left
                in it.
        """
        if isinstance(x, MPNumber):
            if x.ring.digits < self.digits:
                raise ValueError(f"{self.name}: {x} is known to {x.ring.digits} digits only. Compute it in {self.name}")
            return x if x.ring == self else MPNumber(self, self._rounded(x.value))
        value = gaussian(x)
        if value is not None:
            number = self._rational(value.real)
            return MPNumber(self, number if value.is_real else self.context.mpc(number, self._rational(value.imag)))
        if hasattr(x, "as_exponential"):
            x = x.as_exponential()
        if isinstance(x, Exponential):
            total = self.zero
            for q, c in x.terms.items():
                total = total + self.coerce(c) * self.exp(self.coerce(q))
            return total
        if isinstance(x, mpnumeric):
            return MPNumber(self, self._rounded(x))
        raise refusal(self.name, "int, fmpq, Fraction, elements of QQ_I and EE, or numbers of mpmath", x)

    def _rational(self, x: fmpq) -> Any:
        return self.context.mpf(int(x.p)) / int(x.q)

    def _rounded(self, x: Any) -> Any:
        make = self.context.make_mpf
        real, imag = make(x.real._mpf_), make(x.imag._mpf_)  # exact; the sum with 0 rounds
        return self.context.mpc(+real, +imag) if imag else +real

    def ratio(self, p: int, q: int) -> MPNumber:
        """The rational p/q, rounded."""
        return self.coerce(QQ.ratio(p, q))

    def equal(self, x: MPNumber, y: MPNumber) -> bool:
        """Whether ``|x - y| ≤ 10^-digits max(1, |x|, |y|)``."""
        scale = max(self.context.one, abs(x.value), abs(y.value))
        return bool(abs(x.value - y.value) <= scale * self.context.mpf(10) ** -self.digits)

    def exp(self, x: MPNumber) -> MPNumber:
        """The exponential of x; TypeError when x is no number that the ring takes."""
        return MPNumber(self, self.context.exp(self.coerce(x).value))

    def inverse(self, x: MPNumber) -> MPNumber:
        """1/x; ZeroDivisionError for 0."""
        if not x:
            raise ZeroDivisionError(f"{self.name}: 0 has no inverse")
        return MPNumber(self, 1 / x.value)

    def maximum(self, x: MPNumber, y: MPNumber) -> MPNumber:
        """The larger of two real numbers; ValueError when one is not real."""
        return max(self._real(x), self._real(y), key=lambda number: number.value)

    def square_root(self, x: MPNumber) -> MPNumber:
        """The root of x ≥ 0; ValueError when x is negative or not real."""
        value = self._real(x).value
        if value < 0:
            raise ValueError(f"{self.name}.square_root: {x} is negative")
        return MPNumber(self, self.context.sqrt(value))

    def _real(self, x: MPNumber) -> MPNumber:
        if x.value.imag:
            raise ValueError(f"{self.name} orders real numbers only, got {x}")
        return x.real

    def matrix_product(self, a: Sequence[MPNumber], b: Sequence[MPNumber], inner: int) -> list[MPNumber]:
        """The product of two flat matrices."""
        columns = len(b) // inner
        rows = [[x.value for x in a[k : k + inner]] for k in range(0, len(a), inner)]
        below = [[x.value for x in b[j::columns]] for j in range(columns)]
        return [MPNumber(self, self.context.fdot(row, column)) for row in rows for column in below]

    def matrix_exponential(self, a: Sequence[MPNumber], size: int) -> list[MPNumber]:
        """The exponential of a flat square matrix, at rising precision until two runs agree.

        Args:
            a: The size x size entries.
            size: Number of rows.

        Returns:
            The entries of the exponential, to the digits of the ring relative to the largest of them.

        Raises:
            ValueError: Two runs do not agree below 65536 bits, or an entry is not finite.
        """
        values = [x.value for x in a]
        context = mpmath.MPContext()
        context.prec = self.context.prec + 32
        before = _taylor(context, values, size)
        while context.prec < _LARGEST_PRECISION:
            context.prec *= 2
            found = _taylor(context, values, size)
            difference = max(abs(x - y) for x, y in zip(before, found, strict=True))
            if difference <= max(map(abs, found)) * self.context.eps:
                return [MPNumber(self, self._rounded(x)) for x in found]
            before = found
        raise ValueError(f"{self.name}: the exponential of a matrix gave no two runs that agree. Use Balls(prec=128)")


def _taylor(context: Any, values: Sequence[Any], size: int) -> list[Any]:
    """The exponential at the precision of a context: Taylor's series on A/2^s, then s squarings."""
    real = not any(x.imag for x in values)
    make = context.make_mpf
    A = [make(x.real._mpf_) if real else context.mpc(make(x.real._mpf_), make(x.imag._mpf_)) for x in values]
    if not all(map(context.isfinite, A)):
        raise ValueError("the exponential of a matrix needs finite entries")
    norm = max(context.fsum(map(abs, A[k : k + size])) for k in range(0, size * size, size))
    squarings = max(0, int(context.mag(norm)) + 4) if norm else 0  # then the norm is at most 1/16
    A = [x * context.mpf(2) ** -squarings for x in A]
    total = term = [context.mpf(int(k % (size + 1) == 0)) for k in range(size * size)]
    k = 0
    while max(map(abs, term)) > context.eps:
        k += 1
        term = [x / k for x in _product(context, term, A, size)]
        total = [x + y for x, y in zip(total, term, strict=True)]
    for _ in range(squarings):
        total = _product(context, total, total, size)
    return total


def _product(context: Any, a: Sequence[Any], b: Sequence[Any], size: int) -> list[Any]:
    """The product of two flat square matrices; zeros are skipped, since Opitz's matrices are triangular."""
    below = [[(j, y) for j, y in enumerate(b[k : k + size]) if y] for k in range(0, size * size, size)]
    result = []
    for k in range(0, size * size, size):
        row = [context.zero] * size
        for x, entries in zip(a[k : k + size], below, strict=True):
            if x:
                for j, y in entries:
                    row[j] += x * y
        result += row
    return result
