"""QQ, the rational numbers, over ``flint.fmpq``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from ewsmath.rings.door import rational, refusal


@dataclass(frozen=True)
class RationalField:
    """The field of rational numbers; its elements are ``flint.fmpq``.

    >>> QQ.coerce(3) * QQ.ratio(1, 6)
    1/2
    """

    def __repr__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """QQ."""
        return "QQ"

    @property
    def zero(self) -> fmpq:
        """0."""
        return fmpq(0)

    @property
    def one(self) -> fmpq:
        """1."""
        return fmpq(1)

    def coerce(self, x: Any) -> fmpq:
        """The rational that x is.

        Args:
            x: int, fmpz, fmpq, Fraction, NumPy integer, or an element of QQ_I or EE that is rational.

        Returns:
            The same number as ``fmpq``.

        Raises:
            TypeError: x is of another kind; floats are named with a way out.
            ValueError: x is exact but irrational.
        """
        value = rational(x)
        if value is None:
            as_rational = getattr(x, "as_rational", None)  # QQ_I and EE come back down when nothing is lost
            if as_rational is None:
                raise refusal(self.name, "int, fmpq, Fraction or a rational element of QQ_I or EE", x)
            return as_rational()
        return value

    def ratio(self, p: int, q: int) -> fmpq:
        """The rational p/q."""
        return fmpq(p, q)

    def equal(self, x: fmpq, y: fmpq) -> bool:
        """Whether x = y, decided."""
        return x == y

    def inverse(self, x: fmpq) -> fmpq:
        """1/x; ZeroDivisionError for 0."""
        return 1 / x

    def maximum(self, x: fmpq, y: fmpq) -> fmpq:
        """The larger of x and y."""
        return x if x >= y else y

    def square_root(self, x: fmpq) -> fmpq:
        """The rational root of x ≥ 0.

        Args:
            x: The square of a rational.

        Returns:
            The root that is not negative.

        Raises:
            ValueError: x is negative, or its root is irrational.

        >>> QQ.square_root(QQ.ratio(25, 4))
        5/2
        """
        if x < 0:
            raise ValueError(f"QQ.square_root: {x} is negative")
        root = fmpq(x.p.isqrt(), x.q.isqrt())
        if root * root != x:
            raise ValueError(
                f"QQ.square_root: the root of {x} is irrational. Use data with rational norms (3, "
                f"4, 5), the norm 'l1', "
                "or the ball field Balls(prec=128)"
            )
        return root

    def matrix_product(self, a: Sequence[fmpq], b: Sequence[fmpq], inner: int) -> list[fmpq]:
        """The product of two flat matrices, by flint."""
        return (fmpq_mat(len(a) // inner, inner, a) * fmpq_mat(inner, len(b) // inner, b)).entries()


QQ = RationalField()
