"""The functions that the models are made of, exact in Frac(EE) where the value lies there, else in balls.

Quotients with a removable singularity are hypergeometric functions, whose balls are rigorous and narrow at
and around it, so that no case needs to be told from another.
"""

from __future__ import annotations

from typing import Any

from flint import acb, arb

from ewsmath.rings import QQ, AbstractBalls, Balls, Gaussian, Ring
from ewsmath.ssm.working_ring import UndecidedError, finite_ball, in_balls


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

    >>> from ewsmath.ssm import FRACTIONS
    >>> phi1(FRACTIONS, FRACTIONS.zero), phi1(FRACTIONS, FRACTIONS.one)
    (1, -1 + e^(1))
    """
    if isinstance(ring, AbstractBalls):
        return finite_ball(ring, lambda: z.value.hypgeom_1f1(1, 2))
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

    >>> from ewsmath.ssm import FRACTIONS
    >>> todd(Balls(64), Balls(64).zero), todd(FRACTIONS, FRACTIONS.one)
    (1.00000000000000000, (1)/(-e^(-1) + 1))
    """
    return ring.inverse(phi1(ring, -z))  # type: ignore[attr-defined]


def logarithm(ring: Ring[Any], z: Any) -> Any:
    """A logarithm of a non-zero complex number: the principal one unless the ball meets the negative axis.

    On and around that axis the branch is the one continued from above, so that the ball stays narrow.

    Args:
        ring: Complex balls.
        z: The number.

    Returns:
        The logarithm.

    Raises:
        UndecidedError: The ball of z holds 0.
        ValueError: The ring is exact.

    >>> from ewsmath.rings import ComplexBalls, QQ_I
    >>> ring = ComplexBalls(64)
    >>> logarithm(ring, ring.coerce(-1)) == pi(ring) * ring.coerce(QQ_I.i)
    True
    """
    balls = in_balls(ring, f"a logarithm of {z}")
    if z.value.real.contains(0) and z.value.imag.contains(0):
        raise UndecidedError(f"the logarithm of {z}, which may be zero")
    if not z.value.real < 0:
        return finite_ball(balls, z.value.log)
    turn = acb(0, -1) if z.value.imag < 0 else acb(0, 1)
    return finite_ball(balls, lambda: (-z.value).log() + turn * arb.pi())


def artanh_ratio(ring: Ring[Any], w: Any) -> Any:
    r"""The quotient artanh(w)/w, 1 at 0; on the branch of :func:`logarithm`.

    .. math:: \frac{\operatorname{artanh} w}{w} = {}_2F_1(\tfrac12, 1; \tfrac32; w^2)
        = \frac{1}{2w} \log\frac{1 + w}{1 - w}

    Args:
        ring: Complex balls.
        w: The point, not ±1.

    Returns:
        The value.

    >>> from ewsmath.rings import ComplexBalls
    >>> ring = ComplexBalls(64)
    >>> artanh_ratio(ring, ring.zero) == 1, ring.exp(artanh_ratio(ring, ring.ratio(1, 2))) == 3
    (True, True)

    Args:
        ring: Complex balls.
        w: The point, not ±1.

    Returns:
        The value.

    >>> ring = ComplexBalls(64)
    >>> artanh_ratio(ring, ring.zero) == 1, ring.exp(artanh_ratio(ring, ring.ratio(1, 2))) == 3
    (True, True)
    """
    balls = in_balls(ring, f"artanh({w})")
    if abs(w.value) < arb(1) / 4:
        return finite_ball(balls, lambda: (w.value * w.value).hypgeom_2f1(arb(1) / 2, 1, arb(3) / 2))
    return (logarithm(ring, 1 + w) - logarithm(ring, 1 - w)) / (2 * w)


def arc_ratio(ring: Ring[Any], c: Any) -> Any:
    r"""The quotient φ/sin φ for cos φ = c > -1, also for c ≥ 1, where φ is imaginary.

    .. math:: \frac{\arccos c}{\sqrt{1 - c^2}} = {}_2F_1\big(1, 1; \tfrac32; \tfrac{1 - c}{2}\big)

    Args:
        ring: Balls.
        c: The cosine.

    Returns:
        The value.

    >>> ring = Balls(64)
    >>> arc_ratio(ring, ring.zero) == pi(ring) / 2, arc_ratio(ring, ring.one) == 1
    (True, True)

    Args:
        ring: Balls.
        c: The cosine.

    Returns:
        The value.

    >>> ring = Balls(64)
    >>> arc_ratio(ring, ring.zero) == pi(ring) / 2, arc_ratio(ring, ring.one) == 1
    (True, True)
    """
    return finite_ball(in_balls(ring, f"arccos({c})"), lambda: ((1 - c.value) / 2).hypgeom_2f1(1, 1, arb(3) / 2))


def square_root(ring: Ring[Any], x: Any) -> Any:
    """The root of x ≥ 0, in balls.

    Args:
        ring: Balls.
        x: The number.

    Returns:
        The root that is not negative.

    >>> square_root(Balls(64), Balls(64).coerce(9)) == 3
    True
    """
    return in_balls(ring, f"the root of {x}").square_root(x)


def pi(ring: Ring[Any]) -> Any:
    """The number π, in balls.

    Args:
        ring: Real or complex balls.

    Returns:
        A ball around π.

    >>> pi(Balls(64)).value.str(15, radius=False)
    '3.14159265358979'
    """
    balls = in_balls(ring, "π")
    return finite_ball(balls, lambda: arb.pi() if isinstance(balls, Balls) else acb.pi())


def reduced_angle(ring: Ring[Any], angle: Any) -> Any:
    """An angle modulo 2π, in [-π, π] up to the width of its ball; as it is in Frac(EE), which holds no π.

    Args:
        ring: The ring of the angle.
        angle: The angle in radians.

    Returns:
        The reduced angle.

    >>> from ewsmath.ssm import FRACTIONS
    >>> ring = Balls(64)
    >>> reduced_angle(ring, ring.coerce(7)) == 7 - 2 * pi(ring), reduced_angle(FRACTIONS, FRACTIONS.coerce(7))
    (True, 7)
    """
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

    >>> from ewsmath.ssm import FRACTIONS
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

    >>> from ewsmath.ssm import FRACTIONS
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
    return finite_ball(balls, lambda: x.value.exp().log1p())
