"""Real and complex numbers of a stated number of digits, over mpmath."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from ewsmath.rings.door import foreign, inexact
from ewsmath.rings.gaussian import gaussian
from ewsmath.rings.immutable import Immutable
from ewsmath.rings.ring import ExponentialRing, Field, MatrixExponentialRing, OrderedRing

_TAKES = "elements of QQ and QQ_I and numbers of its own"


class MPNumber(Immutable):
    """An element of ``MP(digits)``: a real or complex number, rounded.

    ``==`` asks whether two numbers agree to the digits of the ring: ``|x - y| ≤ 10^-digits max(1, |x|, |y|)``.
    It is no proof either way; balls give one.

    Args:
        ring: The ring it belongs to.
        value: The ``mpf`` or ``mpc`` of the context of the ring; numbers from outside enter by ``ring.coerce``.

    Attributes:
        ring: The ring it belongs to, which holds the number of digits.
        value: The ``mpf`` or ``mpc`` inside, of the ring's own context.

    >>> from ewsmath.rings import MP
    >>> MP(30).ratio(1, 3) * 3 == 1, MP(30).exp(MP(30).one)
    (True, 2.71828182845904523536028747135)
    """

    __slots__ = ("ring", "value")
    ring: MPRing
    value: Any

    def __init__(self, ring: MPRing, value: Any) -> None:
        self._set(ring=ring, value=value)

    def __reduce__(self) -> tuple[Callable[..., MPNumber], tuple[Any, ...]]:
        return _restored, (self.ring, [_raw(part) for part in (self.value.real, self.value.imag)])

    def _binary(self, other: object, operation: Callable[[Any, Any], Any]) -> MPNumber:
        if not isinstance(other, MPNumber):
            if gaussian(other) is None:
                if inexact(other):
                    raise foreign(self.ring.name, _TAKES, other)
                return NotImplemented
            other = self.ring.coerce(other)
        elif other.ring != self.ring:
            raise TypeError(f"{self.ring.name} and {other.ring.name} are not mixed: coerce one of the two first")
        return MPNumber(self.ring, operation(self.value, other.value))

    def _reflected(self, other: object, operation: Callable[[Any, Any], Any]) -> MPNumber:
        found = self._binary(other, operation)
        if found is NotImplemented:  # by either operand
            raise foreign(self.ring.name, _TAKES, other)
        return found

    def __add__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x + y)

    def __sub__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x - y)

    def __rsub__(self, other: Any) -> MPNumber:
        return self._reflected(other, lambda x, y: y - x)

    def __mul__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x * y)

    def __radd__(self, other: Any) -> MPNumber:
        return self._reflected(other, lambda x, y: y + x)

    def __rmul__(self, other: Any) -> MPNumber:
        return self._reflected(other, lambda x, y: y * x)

    def __truediv__(self, other: Any) -> MPNumber:
        return self._binary(other, lambda x, y: x / y)

    def __rtruediv__(self, other: Any) -> MPNumber:
        return self._reflected(other, lambda x, y: y / x)

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
        """The complex conjugate.

        Returns:
            The conjugate.

        >>> from ewsmath.rings import MP
        >>> z = MP(10).exp(MP(10).i)
        >>> z * z.conjugate() == 1, z.conjugate()
        (True, (0.5403023059 - 0.8414709848j))
        """
        return MPNumber(self.ring, self.value.conjugate())

    def __repr__(self) -> str:
        return self.ring.context.nstr(self.value, self.ring.digits)


class MPRing(
    ExponentialRing[MPNumber], Field[MPNumber], OrderedRing[MPNumber], MatrixExponentialRing[MPNumber], Protocol
):
    """What a number of mpmath asks of its ring, ``MP(digits)``.

    >>> from ewsmath.rings import MP
    >>> ring: MPRing = MP(30)
    >>> ring.digits, ring.context.dps
    (30, 45)
    """

    @property
    def digits(self) -> int:
        """Decimal digits to which numbers are compared and printed."""
        ...

    @property
    def context(self) -> Any:
        """The mpmath context in which the ring computes."""
        ...


def _raw(x: Any) -> tuple[int, int, int, int]:
    sign, mantissa, exponent, bits = x._mpf_
    return int(sign), int(mantissa), int(exponent), int(bits)


def _restored(ring: MPRing, parts: list[tuple[int, int, int, int]]) -> MPNumber:
    real, imag = map(ring.context.make_mpf, parts)
    return MPNumber(ring, ring.context.mpc(real, imag) if imag else real)
