"""QQ_I, the Gaussian rationals Q(i): spectra a ± iw, and the exponents of the ring EE."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from sys import hash_info
from typing import Any

from flint import fmpq

from ewsmath.latex import combination, displayed
from ewsmath.rings.arithmetic import Arithmetic
from ewsmath.rings.door import rational, refusal
from ewsmath.rings.exact import AbstractExactRing
from ewsmath.rings.rational import QQ

_HASH_PRIME = hash_info.modulus


class Gaussian(Arithmetic):
    """A Gaussian rational (p + i q)/n with integers p, q and n > 0 in lowest terms. Immutable.

    Three integers rather than two rationals: one gcd for each operation, and a hash that costs nothing,
    since these numbers are the keys of the ring EE.

    Args:
        p: The real numerator.
        q: The imaginary numerator.
        n: The common denominator, of either sign.

    Raises:
        ZeroDivisionError: n is 0.

    >>> i = QQ_I.i
    >>> (1 + i) * (1 - i), QQ_I.ratio(1, 2) - 2 * i
    (2, 1/2-2i)
    """

    __slots__ = ("n", "p", "q")
    _takes = ("QQ_I", "elements of QQ and QQ_I")
    p: int
    q: int
    n: int

    def __init__(self, p: int, q: int = 0, n: int = 1) -> None:
        if n != 1:
            if n == 0:
                raise ZeroDivisionError("a Gaussian rational has no denominator 0")
            common = gcd(p, q, n) if n > 0 else -gcd(p, q, n)
            p, q, n = p // common, q // common, n // common
        _set_p(self, p)
        _set_q(self, q)
        _set_n(self, n)

    @property
    def real(self) -> fmpq:
        """The real part."""
        return fmpq(self.p, self.n)

    @property
    def imag(self) -> fmpq:
        """The imaginary part."""
        return fmpq(self.q, self.n)

    @property
    def is_real(self) -> bool:
        """Whether the imaginary part is 0."""
        return not self.q

    def conjugate(self) -> Gaussian:
        """The complex conjugate.

        Returns:
            The number (p - i q)/n.

        >>> z = QQ_I.number(3, 4)
        >>> z.conjugate(), z * z.conjugate()
        (3-4i, 25)
        """
        return Gaussian(self.p, -self.q, self.n)

    def as_rational(self) -> fmpq:
        """The same number in QQ.

        Returns:
            The rational.

        Raises:
            ValueError: The number is not real.

        >>> (QQ_I.number(1, 2) * QQ_I.number(1, -2) / 3).as_rational()
        5/3
        """
        if self.q:
            raise ValueError(f"QQ: {self} is not real. Keep it in QQ_I or EE")
        return self.real

    def inverse(self) -> Gaussian:
        """The inverse, the conjugate by the square of the absolute value.

        Returns:
            The inverse.

        Raises:
            ZeroDivisionError: The number is 0.

        >>> QQ_I.number(3, 4).inverse()
        3/25-4/25i
        """
        norm = self.p * self.p + self.q * self.q
        return Gaussian(self.p * self.n, -self.q * self.n, norm)

    @staticmethod
    def _number(x: object) -> Gaussian | None:
        return gaussian(x)

    def __add__(self, other: Any) -> Gaussian:
        z = gaussian(other)
        if z is None:
            return self._unknown(other)
        if self.n == z.n == 1:
            return Gaussian(self.p + z.p, self.q + z.q)
        return Gaussian(self.p * z.n + z.p * self.n, self.q * z.n + z.q * self.n, self.n * z.n)

    def __neg__(self) -> Gaussian:
        return Gaussian(-self.p, -self.q, self.n)

    def __mul__(self, other: Any) -> Gaussian:
        z = gaussian(other)
        if z is None:
            return self._unknown(other)
        if not (self.q or z.q):
            return Gaussian(self.p * z.p, 0, self.n * z.n)
        return Gaussian(self.p * z.p - self.q * z.q, self.p * z.q + self.q * z.p, self.n * z.n)

    def __bool__(self) -> bool:
        return bool(self.p or self.q)

    def __eq__(self, other: object) -> bool:
        z = gaussian(other)
        return NotImplemented if z is None else self.p == z.p and self.q == z.q and self.n == z.n

    def __hash__(self) -> int:
        if self.q:
            return hash((self.p, self.q, self.n))
        if self.n == 1:
            return hash(self.p)  # equal to an int: the same hash as it
        # Equal to a fraction, so hashed as Python hashes fractions: by p/n modulo its prime.
        if self.n % _HASH_PRIME == 0:
            return hash(Fraction(self.p, self.n))
        found = abs(self.p) * pow(self.n, -1, _HASH_PRIME) % _HASH_PRIME
        return hash(found if self.p >= 0 else -found)

    def __repr__(self) -> str:
        if not self.q:
            return str(self.real)
        imag = {self.n: "i", -self.n: "-i"}.get(self.q, f"{self.imag}i")
        if not self.p:
            return imag
        return f"{self.real}{'' if imag.startswith('-') else '+'}{imag}"

    def _latex(self) -> str:
        return combination([(c, unit) for c, unit in ((self.real, ""), (self.imag, "i")) if c])

    def _repr_latex_(self) -> str:
        return displayed(self._latex())


# The descriptors themselves, past the ban on setting attributes: half the cost of a number is to fill it.
_set_p, _set_q, _set_n = (Gaussian.__dict__[name].__set__ for name in "pqn")


def gaussian(x: object) -> Gaussian | None:
    """The Gaussian rational that x is, or None when it is neither that nor a rational.

    Args:
        x: Any object.

    Returns:
        The number, or None.

    >>> from fractions import Fraction
    >>> gaussian(Fraction(1, 2)), gaussian(0.5)
    (1/2, None)
    """
    if type(x) is Gaussian:
        return x
    if type(x) is int:
        return Gaussian(x)
    value = rational(x)
    return None if value is None else Gaussian(int(value.p), 0, int(value.q))


@dataclass(frozen=True, repr=False)
class GaussianField(AbstractExactRing[Gaussian]):
    """The field Q(i); its elements are :class:`Gaussian`.

    >>> QQ_I.i * QQ_I.i, 1 / QQ_I.number(1, 1)
    (-1, 1/2-1/2i)
    """

    @property
    def name(self) -> str:
        """QQ_I."""
        return "QQ_I"

    @property
    def zero(self) -> Gaussian:
        """0."""
        return Gaussian(0)

    @property
    def one(self) -> Gaussian:
        """1."""
        return Gaussian(1)

    @property
    def i(self) -> Gaussian:
        """The imaginary unit."""
        return Gaussian(0, 1)

    def coerce(self, x: Any) -> Gaussian:
        """The Gaussian rational that x is.

        Args:
            x: A rational of any kind that QQ takes, a :class:`Gaussian`, or a constant of EE.

        Returns:
            The same number.

        Raises:
            TypeError: x is of another kind.
            ValueError: x is an element of EE that is no constant.

        >>> from ewsmath.rings import EE
        >>> QQ_I.coerce(EE.exp(EE.one) * EE.exp(-EE.one) * QQ_I.i)
        i
        """
        value = gaussian(x)
        if value is None:
            as_gaussian = getattr(x, "as_gaussian", None)
            if as_gaussian is None:
                raise refusal(self.name, "int, fmpq, Fraction, Gaussian or a constant of EE", x)
            return as_gaussian()
        return value

    def number(self, real: Any, imag: Any) -> Gaussian:
        """The number real + i imag.

        Args:
            real: A rational of any kind that QQ takes.
            imag: The same.

        Returns:
            The number.

        Raises:
            TypeError: One of them is no rational.

        >>> QQ_I.number(1, QQ.ratio(-1, 2))
        1-1/2i
        """
        return self.coerce(QQ.coerce(real)) + self.i * QQ.coerce(imag)

    def inverse(self, x: Gaussian) -> Gaussian:
        """The inverse 1/z.

        Args:
            x: A number z other than 0.

        Returns:
            The inverse.

        Raises:
            ZeroDivisionError: It is 0.

        >>> QQ_I.inverse(2 * QQ_I.i)
        -1/2i
        """
        return x.inverse()

    def maximum(self, x: Gaussian, y: Gaussian) -> Gaussian:
        """The larger of two real elements.

        Args:
            x: A number.
            y: Another.

        Returns:
            One of the two.

        Raises:
            ValueError: One of them is not real.

        >>> QQ_I.maximum(QQ_I.i * QQ_I.i, QQ_I.coerce(-2))
        -1
        """
        return self.coerce(QQ.maximum(x.as_rational(), y.as_rational()))

    def square_root(self, x: Gaussian) -> Gaussian:
        """The rational root of a rational x ≥ 0.

        Args:
            x: The square of a rational.

        Returns:
            The root that is not negative.

        Raises:
            ValueError: x is negative or not real, or its root is irrational.

        >>> z = QQ_I.number(3, 4)
        >>> QQ_I.square_root(z * z.conjugate())
        5
        """
        return self.coerce(QQ.square_root(x.as_rational()))


QQ_I = GaussianField()
