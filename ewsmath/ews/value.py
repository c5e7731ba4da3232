"""The value of an EWS at a path: a tensor that can be evaluated again, at any precision."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ewsmath.digits import Digits, digits, sharpened
from ewsmath.rings import MP, AbstractBalls, Balls, ComplexBalls
from ewsmath.tensor import Tensor
from ewsmath.words import Word


class EWSValue(Tensor[Any]):
    """The EWS of a path over an interval: a tensor that remembers of what it is the value. Immutable.

    Sums, products and multiples of values are plain tensors.

    Args:
        tensor: The value.
        evaluate: ring ↦ the same value over another ring, from the data as they were given.

    >>> from ewsmath.ews import EWS
    >>> from ewsmath.generators import Diagonal
    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> S = EWS(Diagonal(1), depth=1)(PiecewiseLinearPath([0, 1], [[0], [1]]))
    >>> S[1], S.digits(30)[1]
    (-e^(-1) + 1, '0.632120558828557678404476229839')
    """

    __slots__ = ("_evaluate",)
    _evaluate: Callable[[AbstractBalls], Tensor[Any]]

    def __init__(self, tensor: Tensor[Any], evaluate: Callable[[AbstractBalls], Tensor[Any]]) -> None:
        self._set(algebra=tensor.algebra, _coefficients=dict(tensor.coefficients), _evaluate=evaluate)

    def _like(self, coefficients: Mapping[Word, Any], algebra: Any = None) -> Any:
        return Tensor._of(self.algebra if algebra is None else algebra, coefficients)  # what is made of it is no value

    def digits(self, n: int, *, limit: int | None = None) -> Digits:
        """All coordinates to n certified decimal digits, or as many as there are at a limit.

        An exact value is evaluated at rising precision. A value over balls or MP is computed anew, in balls of
        rising precision, from generator, lift, clock and path as they were given: the precision of its own ring
        plays no role. No global precision is touched.

        Args:
            n: The number of significant decimal digits of each coordinate.
            limit: The working precision in bits at which to give up; None for eight times the first one, which is
                64 + 4n. Given up are coordinates that are zero without being known to be, balls that the data
                leave wide, and numbers below about 10^(-8n).

        Returns:
            The digits with the precision that was used; ``undecided`` names the words that were given up.

        Raises:
            TypeError: n or the limit is no whole number, or the data were given as numbers of MP.
            ValueError: n or the limit is below 1.

        >>> from ewsmath.ews import EWS
        >>> from ewsmath.generators import Dense
        >>> from ewsmath.paths import PiecewiseLinearPath
        >>> from ewsmath.rings import Balls
        >>> S = EWS(Dense([[1, 2], [2, 2]], ring=Balls(64)), depth=1)(PiecewiseLinearPath([0, 1], [[0, 0], [1, 0]]))
        >>> print(S.digits(25))
        1   1.000000000000000000000000
        e1  0.9368277893952143616958020
        e2  -0.5184542291407023002770048
        25 certified digits, at 164 bits
        """
        ring = self.algebra.ring
        if isinstance(ring, AbstractBalls):
            return sharpened(self._evaluate, type(ring), n, limit)
        if isinstance(ring, MP):
            real = not any(c.imag for c in self.coefficients.values())
            try:
                return sharpened(self._evaluate, Balls if real else ComplexBalls, n, limit)
            except TypeError as error:
                raise TypeError(f"digits of a value over {ring.name} are certified from exact data: {error}") from None
        return digits(self, n, limit=limit)
