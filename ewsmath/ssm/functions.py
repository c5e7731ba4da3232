"""The functions that the models are made of, exact in Frac(EE) where the value lies there, else in balls.

Quotients with a removable singularity are hypergeometric functions, whose balls are rigorous and narrow at
and around it, so that no case needs to be told from another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import acb, arb

from ewsmath.rings import QQ, QQ_I, AbstractBalls, Ball, BallRing, Balls, ComplexBalls, Gaussian, Ring, WorkingPrecision
from ewsmath.rings.door import named
from ewsmath.ssm.fractions import FRACTIONS, ExponentialFractions

_MINUS_HALF_I = FRACTIONS.coerce(QQ_I.i * QQ_I.ratio(-1, 2))


class UndecidedError(ArithmeticError):
    """Balls are too wide to decide a question; with more bits the same question may be answered.

    >>> try:
    ...     logarithm(ComplexBalls(64), ComplexBalls(64).zero)
    ... except UndecidedError as error:
    ...     print(error)
    the logarithm of 0, which may be zero
    """


def check_working_ring(ring: Any) -> Ring[Any]:
    """The ring, if models work in it: real balls, or Frac(EE); else TypeError."""
    if not isinstance(ring, Balls | ExponentialFractions):
        raise TypeError(f"models work in Balls(prec) or in the exact field FRACTIONS, got {named(ring)}")
    return ring


def complexified(ring: Ring[Any]) -> Ring[Any]:
    """The ring of the complex numbers whose parts lie in a working ring."""
    return ComplexBalls(ring.prec) if isinstance(ring, Balls) else ring


def real_part(z: Any) -> Any:
    """The real part of an element of ``ComplexBalls`` or Frac(EE)."""
    return z.real if isinstance(z, Ball) else (z + z.conjugate()) * FRACTIONS.ratio(1, 2)


def imag_part(z: Any) -> Any:
    """The imaginary part of an element of ``ComplexBalls`` or Frac(EE)."""
    return z.imag if isinstance(z, Ball) else (z - z.conjugate()) * _MINUS_HALF_I


def conjugate(z: Any) -> Any:
    """The complex conjugate of an element of ``ComplexBalls`` or Frac(EE)."""
    if not isinstance(z, Ball):
        return z.conjugate()
    return _ball(z.ring, lambda: z.value.conjugate())  # flint rounds to its working precision even here


def in_balls(ring: Ring[Any], what: str) -> AbstractBalls:
    """The ring, if it is one of balls; else ValueError: what is meant is not in the exact field."""
    if not isinstance(ring, AbstractBalls):
        raise ValueError(f"{what} is not in {ring.name}: work in balls, ring=Balls(prec=128)")
    return ring


def working_balls(ring: Ring[Any]) -> Balls:
    """The ring, if it is one of real balls; else ValueError: a logarithm of a matrix is in no exact field here."""
    if not isinstance(ring, Balls):
        raise ValueError(f"the generator is a logarithm of a matrix, not in {ring.name}: take Balls(prec=128)")
    return ring


def _ball(ring: BallRing, f: Callable[[], Any]) -> Ball:
    with WorkingPrecision(ring.prec):
        value = f()
    if not value.is_finite():
        raise UndecidedError(f"a value at {ring.prec} bits: its ball is unbounded")
    return Ball(ring, value)


def phi1(ring: Ring[Any], z: Any) -> Any:
    r"""The function φ_1, with φ_1(0) = 1.

    .. math:: φ_1(z) = \frac{e^z - 1}{z} = {}_1F_1(1; 2; z)

    Args:
        ring: The ring of z.
        z: The point; in Frac(EE) a Gaussian rational.

    Returns:
        The value; in balls a rigorous one also where the ball of z holds 0.

    Raises:
        ValueError: The ring is exact and z no Gaussian rational.

    >>> phi1(FRACTIONS, FRACTIONS.zero), phi1(FRACTIONS, FRACTIONS.one)
    (1, -1 + e^(1))
    """
    if isinstance(ring, AbstractBalls):
        return _ball(ring, lambda: z.value.hypgeom_1f1(1, 2))
    return (ring.exp(z) - 1) / z if z else ring.one  # type: ignore[attr-defined]


def todd(ring: Ring[Any], z: Any) -> Any:
    r"""The Todd function, the factor from an input map to a lift.

    .. math:: g(z) = \frac{z}{1 - e^{-z}} = \frac{1}{φ_1(-z)} = 1 + \frac z2 + \frac{z^2}{12} - ⋯

    Args:
        ring: The ring of z.
        z: The point, not in 2πiZ∖{0}; in Frac(EE) a Gaussian rational.

    Returns:
        The value.

    Raises:
        ZeroDivisionError: The ball of z may hold a pole.
        ValueError: The ring is exact and z no Gaussian rational.

    >>> todd(Balls(64), Balls(64).zero), todd(FRACTIONS, FRACTIONS.one)
    (1.00000000000000000, (1)/(-e^(-1) + 1))
    """
    return ring.inverse(phi1(ring, -z))  # type: ignore[attr-defined]


def logarithm(ring: Ring[Any], z: Any) -> Any:
    """A logarithm of a non-zero complex number: the principal one unless the ball meets the negative axis.

    On and around that axis the branch is the one continued from above, so that the ball stays narrow.
    """
    balls = in_balls(ring, f"a logarithm of {z}")
    if z.value.real.contains(0) and z.value.imag.contains(0):
        raise UndecidedError(f"the logarithm of {z}, which may be zero")
    if not z.value.real < 0:
        return _ball(balls, z.value.log)
    turn = acb(0, -1) if z.value.imag < 0 else acb(0, 1)
    return _ball(balls, lambda: (-z.value).log() + turn * arb.pi())


def artanh_ratio(ring: Ring[Any], w: Any) -> Any:
    r"""The quotient artanh(w)/w, 1 at 0; on the branch of :func:`logarithm`.

    .. math:: \frac{\operatorname{artanh} w}{w} = {}_2F_1(\tfrac12, 1; \tfrac32; w^2)
        = \frac{1}{2w} \log\frac{1 + w}{1 - w}
    """
    balls = in_balls(ring, f"artanh({w})")
    if abs(w.value) < arb(1) / 4:
        return _ball(balls, lambda: (w.value * w.value).hypgeom_2f1(arb(1) / 2, 1, arb(3) / 2))
    return (logarithm(ring, 1 + w) - logarithm(ring, 1 - w)) / (2 * w)


def arc_ratio(ring: Ring[Any], c: Any) -> Any:
    r"""The quotient φ/sin φ for cos φ = c > -1, also for c ≥ 1, where φ is imaginary.

    .. math:: \frac{\arccos c}{\sqrt{1 - c^2}} = {}_2F_1\big(1, 1; \tfrac32; \tfrac{1 - c}{2}\big)
    """
    return _ball(in_balls(ring, f"arccos({c})"), lambda: ((1 - c.value) / 2).hypgeom_2f1(1, 1, arb(3) / 2))


def square_root(ring: Ring[Any], x: Any) -> Any:
    """The root of x ≥ 0, in balls."""
    return in_balls(ring, f"the root of {x}").square_root(x)


def pi(ring: Ring[Any]) -> Any:
    """The number π, in balls."""
    balls = in_balls(ring, "π")
    return _ball(balls, lambda: arb.pi() if isinstance(balls, Balls) else acb.pi())


def reduced_angle(ring: Ring[Any], angle: Any) -> Any:
    """An angle modulo 2π, in [-π, π] up to the width of its ball; as it is in Frac(EE), which holds no π."""
    if not isinstance(ring, AbstractBalls):
        return angle
    # At a border between two turns either is right: the midpoint decides.
    turns = (angle / (2 * pi(ring))).mid
    turns = turns.real if isinstance(turns, Gaussian) else turns
    return angle - 2 * pi(ring) * int((turns + QQ.ratio(1, 2)).floor())


def sigmoid(ring: Ring[Any], x: Any) -> Any:
    """The logistic function 1/(1 + e^{-x}).

    Args:
        ring: The ring of x.
        x: A number of the ring; in Frac(EE) a Gaussian rational.

    Returns:
        The value, in the same ring.

    Raises:
        ValueError: The ring is exact and x no Gaussian rational.

    >>> sigmoid(FRACTIONS, FRACTIONS.zero), sigmoid(FRACTIONS, FRACTIONS.one)
    (1/2, (1)/(e^(-1) + 1))
    """
    return ring.inverse(1 + ring.exp(-x))  # type: ignore[attr-defined]


def silu(ring: Ring[Any], x: Any) -> Any:
    """The activation x/(1 + e^{-x}).

    Args:
        ring: The ring of x.
        x: A number of the ring; in Frac(EE) a Gaussian rational.

    Returns:
        The value, in the same ring.

    Raises:
        ValueError: The ring is exact and x no Gaussian rational.

    >>> silu(FRACTIONS, FRACTIONS.zero), silu(FRACTIONS, FRACTIONS.one)
    (0, (1)/(e^(-1) + 1))
    """
    return x * sigmoid(ring, x)


def softplus(ring: Ring[Any], x: Any) -> Any:
    """The function log(1 + e^x), in balls.

    Args:
        ring: Real or complex balls.
        x: A number of the ring.

    Returns:
        The value, in the same ring.

    Raises:
        ValueError: The ring is exact.

    >>> Balls(64).exp(softplus(Balls(64), Balls(64).zero)) == 2
    True
    """
    balls = in_balls(ring, f"softplus({x})")
    return _ball(balls, lambda: x.value.exp().log1p())
