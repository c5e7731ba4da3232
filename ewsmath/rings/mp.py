"""MP, real and complex numbers of a stated number of digits, over mpmath in a context of its own.

mpmath's working precision is an attribute of its context, and ``mpmath.mp`` is one global of the process, which is
not touched here: each ring has a context that no one else sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import mpmath
from flint import fmpq
from mpmath.ctx_mp_python import mpnumeric

from ewsmath.rings.door import quotient, refusal, whole
from ewsmath.rings.exponential import Exponential
from ewsmath.rings.gaussian import gaussian
from ewsmath.rings.mp_exponential import exponential
from ewsmath.rings.mp_number import MPNumber

GUARD_DIGITS = 15
"""Digits that are computed beyond those that are compared."""


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

        >>> MP(20).coerce(MP(30).ratio(2, 3))
        0.66666666666666666667
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
        """The rational p/q, rounded.

        Args:
            p: The numerator.
            q: The denominator.

        Returns:
            The nearest number of the ring.

        Raises:
            ZeroDivisionError: q is 0.

        >>> MP(20).ratio(1, 7)
        0.14285714285714285714
        """
        return self.coerce(quotient(p, q, self.name))

    def equal(self, x: MPNumber, y: MPNumber) -> bool:
        """Whether ``|x - y| ≤ 10^-digits max(1, |x|, |y|)``.

        Args:
            x: A number.
            y: Another.

        Returns:
            Whether they agree to the digits of the ring.

        >>> MP(6).equal(MP(6).ratio(355, 113), MP(6).ratio(3141592653589793, 10**15))  # to six digits π is 355/113
        True
        """
        scale = max(self.context.one, abs(x.value), abs(y.value))
        return bool(abs(x.value - y.value) <= scale * self.context.mpf(10) ** -self.digits)

    def exp(self, x: MPNumber) -> MPNumber:
        """The exponential of x.

        Args:
            x: A number, or what the ring takes for one.

        Returns:
            e^x, rounded.

        Raises:
            TypeError: The ring does not take x.

        >>> MP(30).exp(MP(30).one)
        2.71828182845904523536028747135
        """
        return MPNumber(self, self.context.exp(self.coerce(x).value))

    def inverse(self, x: MPNumber) -> MPNumber:
        """The inverse 1/x.

        Args:
            x: A number other than 0.

        Returns:
            The inverse, rounded.

        Raises:
            ZeroDivisionError: x is 0.

        >>> MP(10).inverse(MP(10).coerce(3) + 4 * MP(10).i)
        (0.12 - 0.16j)
        """
        if not x:
            raise ZeroDivisionError(f"{self.name}: 0 has no inverse")
        return MPNumber(self, 1 / x.value)

    def maximum(self, x: MPNumber, y: MPNumber) -> MPNumber:
        """The larger of two real numbers.

        Args:
            x: A number.
            y: Another.

        Returns:
            One of the two.

        Raises:
            ValueError: One of them is not real.

        >>> MP(10).maximum(MP(10).exp(MP(10).one), MP(10).ratio(19, 7))
        2.718281828
        """
        return max(self._real(x), self._real(y), key=lambda number: number.value)

    def square_root(self, x: MPNumber) -> MPNumber:
        """The root of a real number x ≥ 0.

        Args:
            x: The number.

        Returns:
            The root that is not negative, rounded.

        Raises:
            ValueError: x is negative or not real.

        >>> MP(20).square_root(MP(20).coerce(2))
        1.4142135623730950488
        """
        value = self._real(x).value
        if value < 0:
            raise ValueError(f"{self.name}.square_root: {x} is negative")
        return MPNumber(self, self.context.sqrt(value))

    def _real(self, x: MPNumber) -> MPNumber:
        if x.value.imag:
            raise ValueError(f"{self.name} orders real numbers only, got {x}")
        return x.real

    def matrix_product(self, a: Sequence[MPNumber], b: Sequence[MPNumber], inner: int) -> list[MPNumber]:
        """The product of two flat matrices.

        Args:
            a: The entries of a (rows x inner) matrix, in row-major order.
            b: The entries of an (inner x columns) matrix.
            inner: The number of columns of the one and rows of the other.

        Returns:
            The entries of the product; each is one sum of products, rounded once.

        >>> R = MP(10)
        >>> R.matrix_product([R.ratio(1, 2), R.ratio(1, 3)], [R.coerce(4), R.coerce(9)], 2)
        [5.0]
        """
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

        >>> R = MP(10)
        >>> R.matrix_exponential([R.zero, -R.one, R.one, R.zero], 2)  # a rotation by 1
        [0.5403023059, -0.8414709848, 0.8414709848, 0.5403023059]
        """
        found = exponential(self.context, [x.value for x in a], size)
        if found is None:
            raise ValueError(
                f"{self.name}: the exponential of a matrix gave no two runs that agree. Use Balls(prec=128)"
            )
        return [MPNumber(self, self._rounded(x)) for x in found]
