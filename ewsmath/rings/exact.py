"""What rings with a decided equality share: QQ, QQ_I, EE, RF, SR, and the functions over them."""

from abc import ABC, abstractmethod
from typing import Any, Generic

from ewsmath.rings.door import quotient
from ewsmath.rings.ring import R


class AbstractExactRing(ABC, Generic[R]):
    """A ring whose elements are equal when they are made of the same parts, so that ``==`` decides it.

    >>> from ewsmath.rings import EE, QQ, Balls
    >>> [isinstance(ring, AbstractExactRing) for ring in (QQ, EE, Balls(prec=64))]
    [True, True, False]
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """What the ring is called in messages."""

    @abstractmethod
    def coerce(self, x: Any) -> R:
        """The element that x is.

        Args:
            x: A number of any kind that the ring takes.

        Returns:
            The same number.

        Raises:
            TypeError: The ring does not take x.

        >>> from ewsmath.rings import QQ, QQ_I
        >>> QQ_I.coerce(QQ.ratio(1, 2)) + QQ_I.i
        1/2+i
        """

    def ratio(self, p: int, q: int) -> R:
        """The rational p/q.

        Args:
            p: The numerator.
            q: The denominator.

        Returns:
            The element.

        Raises:
            ZeroDivisionError: q is 0.

        >>> from ewsmath.rings import EE, RF
        >>> EE.exp(EE.ratio(2, -4)), RF.ratio(2, 4) / RF.symbol("x")
        (e^(-1/2), 1/(2*x))
        """
        return self.coerce(quotient(p, q, self.name))

    def equal(self, x: R, y: R) -> bool:
        """Whether two elements are the same, decided.

        Args:
            x: An element.
            y: Another.

        Returns:
            The answer, which is final either way.

        >>> from ewsmath.rings import EE, SR
        >>> EE.equal(EE.exp(EE.one), EE.ratio(2718281828459045, 10**15))
        False
        >>> r = SR.symbol("r")
        >>> SR.equal(SR.exp(2 * r), SR.exp(r) * SR.exp(r))
        True
        """
        return x == y

    def __repr__(self) -> str:
        return self.name
