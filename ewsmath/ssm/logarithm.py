"""Logarithms of matrices in balls: Newton's interpolation with the divided differences as integrals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import acb, arb

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ_I, Ball, ComplexBalls, WorkingPrecision
from ewsmath.ssm.functions import pi
from ewsmath.ssm.working_ring import UndecidedError


def principal_logarithm(M: Matrix[Any], eigenvalues: Sequence[Ball]) -> Matrix[Any]:
    r"""The principal logarithm of a matrix, rigorous for every Jordan structure.

    .. math:: \log M = \sum_{j=1}^n \log[z_1, …, z_j] \, (M - z_{j-1}) ⋯ (M - z_1), \qquad
        \log[z_1, …, z_j] = (-1)^j \int_0^1 \frac{(1-s)^{j-2}\, ds}{\prod_i (z_i (1-s) + s)}, \quad j ≥ 2

    The integrals come from log z = ∫_0^∞ (1/(1+t) - 1/(z+t)) dt. There is no quotient of differences, so
    eigenvalues may coincide, or not be told from one another: their balls just get in.

    Args:
        M: A square matrix over ``ComplexBalls``.
        eigenvalues: Balls around its eigenvalues with multiplicity, in any order, off the axis (-∞, 0].

    Returns:
        The logarithm over the same ring.

    Raises:
        UndecidedError: A ball meets (-∞, 0], or is too wide.
        TypeError: M is not over ``ComplexBalls``.

    >>> C = ComplexBalls(64)
    >>> L = principal_logarithm(Matrix(C, [[1, 1], [0, 1]]), [C.one, C.one])
    >>> [x == y for x, y in zip(L.entries, [0, 1, 0, 0])]
    [True, True, True, True]
    """
    ring = M.ring
    if not isinstance(ring, ComplexBalls):
        raise TypeError(f"the logarithm of a matrix works in complex balls, got {ring.name}")
    identity = Matrix.identity(ring, M.check_square("the logarithm"))
    total, product = Matrix.zeros(ring, *M.shape), identity
    for j, z in enumerate(eigenvalues, start=1):
        total = total + product.scaled(_divided_difference(ring, eigenvalues[:j]))
        product = product @ (M - identity.scaled(z))
    return total


def _divided_difference(ring: ComplexBalls, points: Sequence[Ball]) -> Ball:
    z, n = [x.value for x in points], len(points)
    for x in z:
        if x.imag.contains(0) and not x.real > 0:
            raise UndecidedError(f"the logarithm at the eigenvalue {x}, which may be on the negative axis or zero")

    def integrand(s: Any, analytic: bool) -> Any:
        value = acb(1)
        for i, x in enumerate(z):
            value = value / (x * (1 - s) + s)
            if i >= 2:
                value = value * (1 - s)
        return value

    with WorkingPrecision(ring.prec):
        value = z[0].log() if n == 1 else (-1) ** n * acb.integral(integrand, 0, 1)
        if not value.is_finite():
            raise UndecidedError(f"the divided difference of log at {points}")
        return Ball(ring, value)


def turned_logarithm(M: Matrix[Any], eigenvalues: Sequence[Ball], turn: Ball) -> Matrix[Any]:
    r"""A logarithm whose branch cut is turned by an angle β.

    .. math:: \log_β M = iβ + \log(e^{-iβ} M), \qquad \operatorname{Im} ∈ (β - π, β + π]

    Args:
        M: A square matrix over ``ComplexBalls``.
        eigenvalues: Balls around its eigenvalues with multiplicity, off the ray of angle β + π.
        turn: The angle β, a real ball of the same precision.

    Returns:
        A matrix L with e^L = M.

    Raises:
        UndecidedError: A ball meets the ray of angle β + π, or is too wide.
        TypeError: M is not over ``ComplexBalls``.

    >>> from ewsmath.rings import Balls
    >>> C, minus_one = ComplexBalls(64), -ComplexBalls(64).one
    >>> L = turned_logarithm(Matrix(C, [[-1]]), [minus_one], Balls(64).one)
    >>> from ewsmath.ssm.functions import pi
    >>> L[0, 0] == C.coerce(QQ_I.i) * pi(C)
    True
    """
    ring: Any = M.ring
    angle = ring.coerce(QQ_I.i) * ring.coerce(turn)
    back = ring.exp(-angle)
    rotated = principal_logarithm(M.scaled(back), [back * z for z in eigenvalues])
    return rotated + Matrix.identity(ring, M.shape[0]).scaled(angle)


def free_turn(eigenvalues: Sequence[Ball]) -> Ball:
    """An angle in [-π/2, π/2], a multiple of π/16, whose cut keeps farthest from all eigenvalues.

    Args:
        eigenvalues: Complex balls.

    Returns:
        The angle β, in real balls: 0 unless another is better by far.

    >>> ring = ComplexBalls(64)
    >>> free_turn([ring.coerce(2), ring.coerce(3)]) == 0, free_turn([ring.coerce(-1)]) == 0
    (True, False)
    """
    prec = eigenvalues[0].ring.prec
    ring = ComplexBalls(prec)
    candidates = [pi(ring).real * k / 16 for k in sorted(range(-8, 9), key=abs)]
    return max(candidates, key=lambda beta: _clearance(eigenvalues, beta))


def _clearance(eigenvalues: Sequence[Ball], beta: Ball) -> Any:
    """The least distance of z/|z| from the cut, squared: a measure, on midpoints alone, of how good an angle is."""
    with WorkingPrecision(64):
        cut = acb(arb.pi() + beta.value).real
        direction = acb(cut.cos(), cut.sin())
        distances = [abs(acb(z.value).mid() / abs(acb(z.value).mid()) - direction).mid() for z in eigenvalues]
        # Rounded, so that 0 wins over what is no better.
        return min((int((d * 8).floor().unique_fmpz() or 0) for d in distances), default=0)


def small_turn(eigenvalues: Sequence[Ball]) -> Ball:
    """An angle β > 0 that turns the cut off the negative axis, but not past an eigenvalue that is not real.

    Then the logarithms of negative eigenvalues have imaginary part π, and all others are principal.

    Args:
        eigenvalues: Complex balls; those of real eigenvalues have imaginary part 0.

    Returns:
        The angle, in real balls.

    >>> ring = ComplexBalls(64)
    >>> small_turn([ring.coerce(-1), ring.coerce(-2)]) == pi(ring).real / 4
    True
    """
    ring = eigenvalues[0].ring
    with WorkingPrecision(ring.prec):
        angles = [(-z.value).arg() for z in eigenvalues if z.value.imag < 0]  # from the negative axis on, downwards
        least = arb.pi() / 2
        for angle in angles:
            least = least.min(angle)
        return Ball(pi(ComplexBalls(ring.prec)).real.ring, least / 2)
