"""Exponential polynomials Σ c u^k e^{αu}: closed under sums, products, derivatives and integrals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from ewsmath.rings import QQ_I, ExponentialRing, Gaussian, Ring, RingElement, check_ring, supports
from ewsmath.rings.door import operand
from ewsmath.rings.immutable import Immutable

R = TypeVar("R", bound=RingElement)
Q = TypeVar("Q", bound=RingElement)

_ZERO = QQ_I.zero


class ExpPoly(Immutable, Generic[R]):
    r"""A function of one variable u that a finite map (k, α) ↦ c stands for. Immutable.

    .. math:: f(u) = \sum_{k, α} c_{k,α}\, u^k e^{αu}, \qquad α ∈ \mathbb{Q}(i)

    Attributes:
        ring: The ring of the coefficients c; their zero is decidable.
        terms: The map (k, α) ↦ c, without zeros.

    >>> from ewsmath.rings import EE
    >>> u = ExpPolys(EE).variable
    >>> f = u * ExpPolys(EE).exponential(-1)
    >>> f.integral()
    1 - e^(-1u) - u*e^(-1u)
    >>> f.integral().derivative() == f, f.integral()(1)
    (True, -2*e^(-1) + 1)
    """

    __slots__ = ("_terms", "ring")
    ring: Ring[R]
    _terms: dict[tuple[int, Gaussian], R]

    def __init__(self, ring: Ring[R], terms: Mapping[tuple[int, Gaussian], R]) -> None:
        self._set(ring=ring, _terms={key: c for key, c in terms.items() if c})

    @property
    def terms(self) -> Mapping[tuple[int, Gaussian], R]:
        """The map (k, α) ↦ c, without zeros."""
        return MappingProxyType(self._terms)

    def over(self, ring: Ring[Q]) -> ExpPoly[Q]:
        """The same function with its coefficients coerced into another ring."""
        return ExpPoly(ring, {key: check_ring(ring).coerce(c) for key, c in self._terms.items()})

    def __add__(self, other: ExpPoly[R]) -> ExpPoly[R]:
        total: dict[tuple[int, Gaussian], Any] = dict(self._terms)
        for key, c in self._same_ring(other)._terms.items():
            total[key] = total[key] + c if key in total else c
        return ExpPoly(self.ring, total)

    def __neg__(self) -> ExpPoly[R]:
        return ExpPoly(self.ring, {key: -c for key, c in self._terms.items()})

    def __sub__(self, other: ExpPoly[R]) -> ExpPoly[R]:
        return self + -self._same_ring(other)

    def __mul__(self, other: ExpPoly[R]) -> ExpPoly[R]:
        total: dict[tuple[int, Gaussian], Any] = {}
        right = self._same_ring(other)._terms
        for (k, alpha), a in self._terms.items():
            for (n, beta), b in right.items():
                key, c = (k + n, alpha + beta), a * b
                total[key] = total[key] + c if key in total else c
        return ExpPoly(self.ring, total)

    def scaled(self, c: R) -> ExpPoly[R]:
        """The multiple by an element of the ring."""
        return ExpPoly(self.ring, {key: c * x for key, x in self._terms.items()})

    def derivative(self) -> ExpPoly[R]:
        """The derivative d/du."""
        total = ExpPoly(self.ring, {})
        for (k, alpha), c in self._terms.items():
            coerce = self.ring.coerce
            terms: dict[tuple[int, Gaussian], Any] = {(k, alpha): coerce(alpha) * c}
            if k:
                terms[k - 1, alpha] = coerce(k) * c
            total = total + ExpPoly(self.ring, terms)
        return total

    def integral(self) -> ExpPoly[R]:
        r"""The integral from 0 to u.

        .. math:: \int_0^u x^k e^{αx} dx
            = \sum_{j=0}^k \frac{(-1)^{k-j} k!}{j!\, α^{k-j+1}} u^j e^{αu} - \frac{(-1)^k k!}{α^{k+1}},
            \quad α ≠ 0

        Returns:
            An exponential polynomial that is 0 at u = 0.
        """
        total: dict[tuple[int, Gaussian], Any] = {}
        for (k, alpha), c in self._terms.items():
            if not alpha:
                _accumulate(total, (k + 1, _ZERO), self.ring.ratio(1, k + 1) * c)
                continue
            factor = alpha.inverse()
            for j in range(k, -1, -1):
                term = self.ring.coerce(factor) * c
                _accumulate(total, (j, alpha), term)
                if j == 0:  # the constant of integration, which makes the integral 0 at u = 0
                    _accumulate(total, (0, _ZERO), -term)
                factor = factor * -j * alpha.inverse()
        return ExpPoly(self.ring, total)

    def substituted(self, start: Any, speed: Any) -> ExpPoly[R]:
        """The function u ↦ f(start + speed·u).

        Args:
            start: A rational or Gaussian rational.
            speed: The same.

        Returns:
            The composition.

        Raises:
            ValueError: The ring does not contain e^(α·start) for an exponent α.
        """
        a, b = QQ_I.coerce(start), QQ_I.coerce(speed)
        total: dict[tuple[int, Gaussian], Any] = {}
        for (k, alpha), c in self._terms.items():
            scale = self._exp(alpha * a) * c
            for j in range(k + 1):
                factor = comb(k, j) * a ** (k - j) * b**j
                _accumulate(total, (j, alpha * b), self.ring.coerce(factor) * scale)
        return ExpPoly(self.ring, total)

    def __call__(self, u: Any) -> R:
        """The value at a point of Q(i), in the ring.

        Args:
            u: A rational or Gaussian rational.

        Returns:
            f(u).

        Raises:
            ValueError: The ring does not contain e^(αu) for an exponent α.
        """
        point = QQ_I.coerce(u)
        total: Any = self.ring.zero
        for (k, alpha), c in self._terms.items():
            total = total + self.ring.coerce(point**k) * self._exp(alpha * point) * c
        return total

    def _exp(self, q: Gaussian) -> Any:
        if not q:
            return self.ring.one
        ring: Any = self.ring
        if not supports(ring, ExponentialRing):
            raise ValueError(f"{ring.name} does not contain e^({q}): take coefficients in EE")
        return ring.exp(ring.coerce(q))

    def _same_ring(self, other: ExpPoly[R]) -> ExpPoly[R]:
        return operand(self, other, "exponential polynomials", "a number enters by ExpPolys(ring).coerce(c)")

    def __bool__(self) -> bool:
        return bool(self._terms)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ExpPoly) or other.ring != self.ring:
            return NotImplemented
        return self._terms == other._terms  # the functions u^k e^{αu} are linearly independent

    def __hash__(self) -> int:
        return hash(frozenset(self._terms.items()))

    def __repr__(self) -> str:
        def term(key: tuple[int, Gaussian]) -> str:
            k, alpha = key
            c = str(self._terms[key])
            power = ["", "u"][k] if k < 2 else f"u^{k}"
            factors = [x for x in (power, f"e^({alpha}u)" if alpha else "") if x]
            if c == "1" and factors:
                return "*".join(factors)
            if c == "-1" and factors:
                return "-" + "*".join(factors)
            return "*".join([c if " " not in c else f"({c})", *factors])

        ordered = sorted(self._terms, key=lambda key: (key[0], -key[1].real, key[1].imag))
        return " + ".join(map(term, ordered)).replace("+ -", "- ") or "0"


def _accumulate(total: dict[tuple[int, Gaussian], Any], key: tuple[int, Gaussian], c: Any) -> None:
    total[key] = total[key] + c if key in total else c


@dataclass(frozen=True)
class ExpPolys(Generic[R]):
    """The ring of exponential polynomials over a ring: functions of one variable u as coefficients.

    Attributes:
        base: The ring of the coefficients c: QQ, QQ_I or EE. Balls are refused, since with them no exponent
            is known to be zero.
    """

    base: Ring[R]

    def __post_init__(self) -> None:
        if check_ring(self.base).name.startswith(("Balls", "ComplexBalls")):
            raise ValueError(f"exponential polynomials need a decidable zero, which {self.base.name} has not: use EE")

    @property
    def name(self) -> str:
        """The ring with its base."""
        return f"ExpPolys({self.base.name})"

    @property
    def zero(self) -> ExpPoly[R]:
        """The function 0."""
        return ExpPoly(self.base, {})

    @property
    def one(self) -> ExpPoly[R]:
        """The function 1."""
        return ExpPoly(self.base, {(0, _ZERO): self.base.one})

    @property
    def variable(self) -> ExpPoly[R]:
        """The function u."""
        return ExpPoly(self.base, {(1, _ZERO): self.base.one})

    def exponential(self, alpha: Any) -> ExpPoly[R]:
        """The function e^{αu} for α in Q(i)."""
        return ExpPoly(self.base, {(0, QQ_I.coerce(alpha)): self.base.one})

    def coerce(self, x: Any) -> ExpPoly[R]:
        """An exponential polynomial over the base, or a constant of the base as a constant function."""
        if isinstance(x, ExpPoly):
            return x if x.ring == self.base else x.over(self.base)
        return ExpPoly(self.base, {(0, _ZERO): self.base.coerce(x)})

    def ratio(self, p: int, q: int) -> ExpPoly[R]:
        """The constant function p/q."""
        return self.coerce(self.base.ratio(p, q))

    def equal(self, x: ExpPoly[R], y: ExpPoly[R]) -> bool:
        """Whether two functions are the same, decided."""
        return x == y
