"""The functions Σ c u^k e^{αu}: their derivatives, integrals, compositions and values."""

from __future__ import annotations

from math import comb
from typing import Any, TypeVar

from ewsmath.exppoly.not_constant import NotConstant
from ewsmath.exppoly.sum import ExponentialSum, accumulate, check_base
from ewsmath.rings import QQ_I, ExponentialRing, Gaussian, Ring, RingElement, exponent_field, exponent_of, supports
from ewsmath.rings.power import repeated

R = TypeVar("R", bound=RingElement)
Q = TypeVar("Q", bound=RingElement)

_ZERO = QQ_I.zero


class ExpPoly(ExponentialSum[R]):
    r"""A function of one variable u that a finite map (k, α) ↦ c stands for. Immutable.

    .. math:: f(u) = \sum_{k, α} c_{k,α}\, u^k e^{αu}, \qquad α ∈ \mathbb{Q}(i)

    Over SR the exponents α are rational functions of the parameters, elements of RF; over a ring with an attribute
    ``exponents``, elements of that field.

    Numbers that the ring takes stand for constant functions, and single terms c e^{αu} divide.

    Args:
        ring: The ring of the coefficients.
        terms: The map (k, α) ↦ c, with whole numbers k ≥ 0, and numbers α and c that their rings take.

    Attributes:
        ring: The ring of the coefficients c; their zero is decidable.
        terms: The map (k, α) ↦ c, without zeros.

    Raises:
        TypeError: A number is none of its ring, a key is no pair (k, α), or there is no ring.
        ValueError: A power is no whole number from 0 up, or the zero of the ring is not decidable.

    >>> from ewsmath.exppoly import ExpPolys
    >>> from ewsmath.rings import EE
    >>> u = ExpPolys(EE).variable
    >>> (2 * u - 1) ** 2 / 2
    1/2 - 2*u + 2*u^2
    >>> f = u * ExpPolys(EE).exponential(-1)
    >>> f.integral()
    1 - e^(-1u) - u*e^(-1u)
    >>> f.integral().derivative() == f, f.integral()(1)
    (True, -2*e^(-1) + 1)
    """

    __slots__ = ()

    def over(self, ring: Ring[Q]) -> ExpPoly[Q]:
        """The same function with its coefficients coerced into another ring.

        Args:
            ring: The ring.

        Returns:
            The function there.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE, QQ
        >>> u = ExpPolys(QQ).variable * ExpPolys(QQ).exponential(-1)  # over QQ it has no value at 1
        >>> u.over(EE)(1)
        e^(-1)
        """
        check_base(ring)
        return ExpPoly._of(ring, {key: ring.coerce(c) for key, c in self._terms.items()})

    def derivative(self) -> ExpPoly[R]:
        """The derivative d/du.

        Returns:
            The derivative.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE
        >>> u = ExpPolys(EE).variable
        >>> (u * ExpPolys(EE).exponential(2)).derivative()
        e^(2u) + 2*u*e^(2u)
        """
        total: dict[tuple[int, Gaussian], Any] = {}
        for (k, alpha), c in self._terms.items():
            accumulate(total, (k, alpha), self.ring.coerce(alpha) * c)
            if k:
                accumulate(total, (k - 1, alpha), self.ring.coerce(k) * c)
        return self._of(self.ring, total)

    def integral(self) -> ExpPoly[R]:
        r"""The integral from 0 to u.

        .. math:: \int_0^u x^k e^{αx} dx
            = \sum_{j=0}^k \frac{(-1)^{k-j} k!}{j!\, α^{k-j+1}} u^j e^{αu} - \frac{(-1)^k k!}{α^{k+1}},
            \quad α ≠ 0

        Returns:
            An exponential polynomial that is 0 at u = 0.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE
        >>> u = ExpPolys(EE).variable
        >>> (u * u).integral(), ExpPolys(EE).exponential(2).integral()
        (1/3*u^3, 1/2*e^(2u) - 1/2)
        """
        ring = self.ring
        total: dict[tuple[int, Gaussian], Any] = {}
        for alpha, powers in self._by_exponent().items():
            if not alpha:
                for k, c in powers.items():
                    accumulate(total, (k + 1, _ZERO), ring.ratio(1, k + 1) * c)
                continue
            # P e^{αu} is the derivative of Q e^{αu} with P = Q' + αQ: solved for Q from its top power down.
            factor, above = ring.coerce(alpha.inverse()), ring.zero
            for k in range(max(powers), -1, -1):
                above = (powers.get(k, ring.zero) - ring.coerce(k + 1) * above) * factor
                total[k, alpha] = above
            accumulate(total, (0, _ZERO), -above)  # the constant of integration: 0 at u = 0
        return self._of(ring, total)

    def substituted(self, start: Any, speed: Any) -> ExpPoly[R]:
        """The function u ↦ f(start + speed·u).

        Args:
            start: A rational or Gaussian rational; for a polynomial any element of the ring.
            speed: The same.

        Returns:
            The composition.

        Raises:
            ValueError: The ring does not contain e^(α·start) for an exponent α.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE
        >>> u = ExpPolys(EE).variable
        >>> (u * u).substituted(1, -2)
        1 - 4*u + 4*u^2
        """
        numbers, (a, b) = self._points(start, speed)
        total: dict[tuple[int, Gaussian], Any] = {}
        for (k, alpha), c in self._terms.items():
            scale = self._exp(alpha * a) * c if alpha else c
            moved = alpha * b if alpha else alpha
            if not k:  # as in most kernels
                accumulate(total, (0, moved), scale)
                continue
            for j in range(k + 1):
                powers = repeated(a, k - j, numbers.one) * repeated(b, j, numbers.one)
                accumulate(total, (j, moved), self.ring.coerce(numbers.coerce(comb(k, j)) * powers) * scale)
        return self._of(self.ring, total)

    def composed(self, inner: ExpPoly[Any]) -> ExpPoly[R]:
        """The function u ↦ f(g(u)).

        Args:
            inner: The function g. A polynomial with coefficients in Q(i) where f is a polynomial; for other f
                of degree one at most.

        Returns:
            The composition f∘g.

        Raises:
            ValueError: g is no polynomial over Q(i), or f is none and g is not affine.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import QQ
        >>> u = ExpPolys(QQ).variable
        >>> (u * u).composed(u + ExpPolys(QQ).one)
        1 + 2*u + u^2
        """
        powers = inner.coefficients()
        if len(powers) <= 2:
            a, b = [*powers, _ZERO, _ZERO][:2]
            return self.substituted(a, b)
        if any(alpha for _, alpha in self._terms):
            raise ValueError(
                f"{self} is no polynomial, so that with {inner} for u it is no exponential polynomial: put in an "
                "affine function; a path with exponentials takes a reparametrisation that is piecewise linear"
            )
        g = inner.over(self.ring)
        total, power = self._of(self.ring, {}), self._of(self.ring, {(0, _ZERO): self.ring.one})
        for c in self.coefficients(of=self.ring):
            total, power = total + power.scaled(c), power * g
        return total

    def coefficients(self, of: Ring[Any] = QQ_I) -> list[Any]:
        """The coefficients of a polynomial, from the constant one up.

        Args:
            of: The ring in which they are wanted.

        Returns:
            A list without zeros at its end; empty for 0.

        Raises:
            ValueError: The function is no polynomial.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE
        >>> u = ExpPolys(EE).variable
        >>> (u * u + ExpPolys(EE).one).coefficients()
        [1, 0, 1]
        """
        if any(alpha for _, alpha in self._terms):
            raise ValueError(f"{self} is no polynomial: an exponential is left in it")
        degree = max((k for k, _ in self._terms), default=-1)
        return [of.coerce(self._terms.get((k, _ZERO), self.ring.zero)) for k in range(degree + 1)]

    def constant(self) -> R:
        """The number that the function is.

        Returns:
            The number, an element of the ring.

        Raises:
            NotConstant: The function varies; a ValueError.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import EE
        >>> x, y = ExpPolys(EE).cosine(2), ExpPolys(EE).sine(2)
        >>> (x * x + y * y).constant()
        1
        """
        if self._terms.keys() - {(0, _ZERO)}:
            raise NotConstant(f"{self} is no constant")
        return self._terms.get((0, _ZERO), self.ring.zero)

    def conjugate(self) -> ExpPoly[R]:
        """The function whose values at real u are the complex conjugates.

        Returns:
            The conjugate, with conjugate coefficients and exponents.

        >>> from ewsmath.exppoly import ExpPolys
        >>> from ewsmath.rings import QQ_I
        >>> ExpPolys(QQ_I).exponential(QQ_I.i).conjugate() == ExpPolys(QQ_I).exponential(-QQ_I.i)
        True
        """
        terms: dict[tuple[int, Gaussian], Any] = {}
        for (k, alpha), c in self._terms.items():
            conjugate = getattr(c, "conjugate", None)  # rationals have none, and need none
            terms[k, alpha.conjugate()] = c if conjugate is None else conjugate()
        return self._of(self.ring, terms)

    @property
    def is_real(self) -> bool:
        """Whether all values at real u are real, decided."""
        return self == self.conjugate()

    def __call__(self, u: Any) -> R:
        """The value at a point of Q(i), in the ring.

        Args:
            u: A rational or Gaussian rational; over SR a rational function of parameters, such as one named r; for a
                polynomial any element of the ring.

        Returns:
            f(u).

        Raises:
            ValueError: The ring does not contain e^(αu) for an exponent α.
        """
        numbers, (point,) = self._points(u)
        total: Any = self.ring.zero
        for alpha, powers in self._by_exponent().items():
            value: Any = self.ring.zero
            for k, c in powers.items():
                plain = not k or point == numbers.one
                value = value + (c if plain else self.ring.coerce(repeated(point, k, numbers.one)) * c)
            total = total + (value * self._exp(alpha * point) if alpha else value)
        return total

    def _points(self, *given: Any) -> tuple[Any, list[Any]]:
        """Numbers in the field of the exponents; where there is none, in the ring if that alone takes them."""
        try:
            return exponent_field(self.ring), [exponent_of(self.ring, x) for x in given]
        except (TypeError, ValueError):
            if any(alpha for _, alpha in self._terms):
                raise
            return self.ring, [self.ring.coerce(x) for x in given]

    def _by_exponent(self) -> dict[Gaussian, dict[int, Any]]:
        """The polynomial that stands at each exponential: α ↦ (k ↦ c)."""
        found: dict[Gaussian, dict[int, Any]] = {}
        for (k, alpha), c in self._terms.items():
            found.setdefault(alpha, {})[k] = c
        return found

    def _exp(self, q: Gaussian) -> Any:
        if not q:
            return self.ring.one
        ring: Any = self.ring
        if not supports(ring, ExponentialRing):
            raise ValueError(f"{ring.name} does not contain e^({q}): take coefficients in EE")
        return ring.exp(ring.coerce(q))
