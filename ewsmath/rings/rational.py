"""QQ, the rational numbers, over ``flint.fmpq``."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from ewsmath.rings.door import rational, refusal
from ewsmath.rings.exact import AbstractExactRing


@dataclass(frozen=True, repr=False)
class RationalField(AbstractExactRing[fmpq]):
    """The field of rational numbers; its elements are ``flint.fmpq``.

    >>> QQ.coerce(3) * QQ.ratio(1, 6)
    1/2
    """

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

        >>> from ewsmath.rings import EE
        >>> QQ.coerce(2**70), QQ.coerce(EE.ratio(1, 3) * 6)
        (1180591620717411303424, 2)
        """
        value = rational(x)
        if value is None:
            as_rational = getattr(x, "as_rational", None)  # QQ_I and EE come back down when nothing is lost
            if as_rational is None:
                raise refusal(self.name, "int, fmpq, Fraction or a rational element of QQ_I or EE", x)
            return as_rational()
        return value

    def inverse(self, x: fmpq) -> fmpq:
        """The inverse 1/x.

        Args:
            x: A rational other than 0.

        Returns:
            The inverse.

        Raises:
            ZeroDivisionError: x is 0.

        >>> QQ.inverse(QQ.ratio(-2, 3))
        -3/2
        """
        return 1 / self.coerce(x)

    def maximum(self, x: fmpq, y: fmpq) -> fmpq:
        """The larger of x and y.

        Args:
            x: A rational.
            y: Another.

        Returns:
            One of the two.

        >>> QQ.maximum(QQ.ratio(22, 7), QQ.ratio(355, 113))
        22/7
        """
        x, y = self.coerce(x), self.coerce(y)
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
        x = self.coerce(x)
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
        """The product of two flat matrices, by flint.

        Args:
            a: The entries of a (rows x inner) matrix, in row-major order.
            b: The entries of an (inner x columns) matrix.
            inner: The number of columns of the one and rows of the other.

        Returns:
            The entries of the product.

        >>> QQ.matrix_product([QQ.ratio(1, 2), QQ.ratio(1, 3)], [QQ.coerce(4), QQ.coerce(9)], 2)
        [5]
        """
        return (fmpq_mat(len(a) // inner, inner, a) * fmpq_mat(inner, len(b) // inner, b)).entries()


QQ = RationalField()
