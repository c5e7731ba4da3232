"""Parity of a string of bits: linear CDEs that solve it, and why a diagonal one with exact flow cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import arb

from ewsmath.linear_cde import LinearCDE
from ewsmath.matrix import Matrix
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import EE, QQ, Ball, Balls, WorkingPrecision
from ewsmath.rings.door import entries, integer


@dataclass(frozen=True)
class ParityModel:
    """A linear CDE driven by Δω = x_k that reads the parity of x_1 + ⋯ + x_k off the sign of its first coordinate.

    Parity is the word problem of the group of order two, the classical test of whether a model tracks a state.

    Attributes:
        cde: The linear CDE, with one matrix.
        start: The state h_0.
        exact: Whether the flow is the exact one, or the Euler flow.

    >>> ParityModel(LinearCDE([Matrix(QQ, [[-3]])]), (1,), exact=False).answers([1, 1, 1])
    [1, 0, 1]
    """

    cde: LinearCDE
    start: tuple[int, ...]
    exact: bool

    def answers(self, bits: Sequence[int]) -> list[int]:
        """What the model says after each bit.

        Args:
            bits: Zeros and ones.

        Returns:
            0 where the first coordinate is certainly positive, 1 where it is certainly negative.

        Raises:
            ValueError: A bit is neither 0 nor 1; or the balls do not tell the sign, for a string too long for their
                precision.

        >>> swap_parity().answers([1, 0, 1, 1])
        [1, 1, 0, 1]
        """
        path = PiecewiseLinearPath.from_increments([[x] for x in _bits(bits)])
        states = self.cde.solve(path, self.start, None if self.exact else self.cde.euler)
        return [_sign(self.cde.ring, state[0]) for state in states[1:]]


def swap_parity() -> ParityModel:
    r"""Two coordinates that change places with each one, by the Euler flow.

    .. math:: A = \begin{pmatrix} -1 & 1 \\ 1 & -1 \end{pmatrix}, \qquad
        I + A = \begin{pmatrix} 0 & 1 \\ 1 & 0 \end{pmatrix}, \qquad h_0 = (1, -1)

    Returns:
        The model.

    >>> swap_parity().answers([1, 0, 1, 1])
    [1, 1, 0, 1]
    """
    return ParityModel(LinearCDE([Matrix(QQ, [[-1, 1], [1, -1]])]), (1, -1), exact=False)


def sign_parity() -> ParityModel:
    r"""One coordinate that changes its sign with each one, by the Euler flow: a diagonal model.

    .. math:: A = (-2), \qquad I + A = (-1), \qquad h_0 = 1

    So under the Euler flow even a diagonal model solves parity: what :func:`first_failure` shows holds for the exact
    flow, whose transitions e^{λΔω} are positive.

    Returns:
        The model.

    >>> sign_parity().answers([1, 0, 1, 1])
    [1, 1, 0, 1]
    """
    return ParityModel(LinearCDE([Matrix(QQ, [[-2]])]), (1,), exact=False)


def rotation_parity(ring: Balls) -> ParityModel:
    r"""A rotation by π with each one, by the exact flow, in balls: π is in no exact ring of this package.

    .. math:: A = π \begin{pmatrix} 0 & -1 \\ 1 & 0 \end{pmatrix}, \qquad e^{SA} h_0 = (-1)^S h_0, \qquad h_0 = (1, 0)

    Args:
        ring: A ring of real balls.

    Returns:
        The model.

    >>> rotation_parity(Balls(prec=64)).answers([1, 0, 1, 1])
    [1, 1, 0, 1]
    """
    with WorkingPrecision(ring.prec):
        pi = ring.coerce(arb.pi())
    return ParityModel(LinearCDE([Matrix(ring, [[0, -pi], [pi, 0]])]), (1, 0), exact=True)


def first_failure(rates: Sequence[Any], weights: Sequence[Any], threshold: Any) -> int:
    r"""The least number S of ones at which a real diagonal model with exact flow takes parity wrong.

    .. math:: f(S) = \sum_{i=1}^m c_i e^{λ_i S}, \qquad \hat p = 1 \text{ if } f(S) > τ, \text{ else } 0

    A sum of m + 1 real exponentials, the constant τ among them, has at most m zeros, and so f crosses τ at most m
    times, whereas parity asks for a crossing between any two whole numbers. Hence S ≤ m + 1. Which of the two
    sides of τ means 1 is covered: take -c and -τ for the other. All signs are decided exactly in EE.

    Args:
        rates: The m real numbers λ_i, rational.
        weights: The m real numbers c_i, products of read-out and start, rational or in EE.
        threshold: The number τ, rational or in EE.

    Returns:
        The number S, at most m + 1.

    Raises:
        ValueError: Rates and weights differ in number, or a number is not real.

    >>> first_failure([1], [1], 2), first_failure([], [], 0)
    (2, 1)
    """
    exponents = [QQ.coerce(x) for x in entries(rates, "a diagonal model takes its rates")]
    factors = [EE.coerce(x) for x in entries(weights, "a diagonal model takes its weights")]
    if len(exponents) != len(factors):
        raise ValueError(f"a diagonal model has a weight for each rate, got {len(factors)} for {len(exponents)}")
    level = EE.coerce(threshold)
    S = 0
    while True:
        f = EE.zero
        for rate, c in zip(exponents, factors, strict=True):
            f = f + c * EE.exp(EE.coerce(rate * S))
        # The larger of f and τ is τ exactly when f ≤ τ.
        if int(EE.maximum(f, level) != level) != S % 2:
            return S
        S += 1


def _bits(bits: Sequence[int]) -> list[int]:
    found = [integer(x) for x in entries(bits, "parity takes its bits")]
    if not found or any(x not in (0, 1) for x in found):
        raise ValueError(f"parity is asked of a string of zeros and ones, of one bit at least, got {bits!r}")
    return found  # type: ignore[return-value]  # no None is left


def _sign(ring: Any, x: Any) -> int:
    value = x.value if isinstance(x, Ball) else x
    if not (value > 0 or value < 0):
        raise ValueError(f"the sign of {x} is not certain: raise the precision of {ring.name}")
    return int(value < 0)
