"""The rings that models work in, with their complex numbers: real balls, and the exact field Frac(EE)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ewsmath.rings import QQ_I, AbstractBalls, Ball, BallRing, Balls, ComplexBalls, Ring, WorkingPrecision
from ewsmath.rings.door import named
from ewsmath.ssm.fractions import FRACTIONS, ExponentialFractions

_MINUS_HALF_I = FRACTIONS.coerce(QQ_I.i * QQ_I.ratio(-1, 2))


class UndecidedError(ArithmeticError):
    """Balls are too wide to decide a question; with more bits the same question may be answered.

    >>> from ewsmath.ssm.functions import logarithm
    >>> try:
    ...     logarithm(ComplexBalls(64), ComplexBalls(64).zero)
    ... except UndecidedError as error:
    ...     print(error)
    the logarithm of 0, which may be zero
    """


def check_working_ring(ring: Any) -> Ring[Any]:
    """The ring, if models work in it.

    Args:
        ring: What came.

    Returns:
        The ring itself.

    Raises:
        TypeError: It is neither real balls nor Frac(EE).

    >>> from ewsmath.rings import QQ
    >>> check_working_ring(QQ)
    Traceback (most recent call last):
        ...
    TypeError: models work in Balls(prec) or in the exact field FRACTIONS, got QQ of type RationalField
    """
    if not isinstance(ring, Balls | ExponentialFractions):
        raise TypeError(f"models work in Balls(prec) or in the exact field FRACTIONS, got {named(ring)}")
    return ring


def complexified(ring: Ring[Any]) -> Ring[Any]:
    """The ring of the complex numbers whose parts lie in a working ring.

    Args:
        ring: Real balls, or Frac(EE).

    Returns:
        Complex balls of the same precision; Frac(EE) itself, which holds i.

    >>> complexified(Balls(64)).name, complexified(FRACTIONS).name
    ('ComplexBalls(prec=64)', 'Frac(EE)')
    """
    return ComplexBalls(ring.prec) if isinstance(ring, Balls) else ring


def real_part(z: Any) -> Any:
    """The real part of an element of ``ComplexBalls`` or Frac(EE).

    Args:
        z: The number.

    Returns:
        A number of ``Balls``, or of Frac(EE).

    >>> real_part(FRACTIONS.coerce(QQ_I.number(3, 4)))
    3
    """
    return z.real if isinstance(z, Ball) else (z + z.conjugate()) * FRACTIONS.ratio(1, 2)


def imag_part(z: Any) -> Any:
    """The imaginary part of an element of ``ComplexBalls`` or Frac(EE).

    Args:
        z: The number.

    Returns:
        A number of ``Balls``, or of Frac(EE).

    >>> imag_part(FRACTIONS.coerce(QQ_I.number(3, 4)))
    4
    """
    return z.imag if isinstance(z, Ball) else (z - z.conjugate()) * _MINUS_HALF_I


def conjugate(z: Any) -> Any:
    """The complex conjugate of an element of ``ComplexBalls`` or Frac(EE).

    Args:
        z: The number.

    Returns:
        A number of the same ring.

    >>> conjugate(FRACTIONS.exp(QQ_I.i))
    e^(-i)
    """
    if not isinstance(z, Ball):
        return z.conjugate()
    return finite_ball(z.ring, lambda: z.value.conjugate())  # flint rounds to its working precision even here


def in_balls(ring: Ring[Any], what: str) -> AbstractBalls:
    """The ring, if it is one of balls.

    Args:
        ring: What came.
        what: What is meant, for the message.

    Returns:
        The ring itself.

    Raises:
        ValueError: It is exact: what is meant is not in it.

    >>> in_balls(FRACTIONS, "π")
    Traceback (most recent call last):
        ...
    ValueError: π is not in Frac(EE): work in balls, ring=Balls(prec=128)
    """
    if not isinstance(ring, AbstractBalls):
        raise ValueError(f"{what} is not in {ring.name}: work in balls, ring=Balls(prec=128)")
    return ring


def working_balls(ring: Ring[Any]) -> Balls:
    """The ring, if it is one of real balls.

    Args:
        ring: What came.

    Returns:
        The ring itself.

    Raises:
        ValueError: It is none: a logarithm of a matrix is in no exact field here.

    >>> working_balls(Balls(64)).prec
    64
    """
    if not isinstance(ring, Balls):
        raise ValueError(f"the generator is a logarithm of a matrix, not in {ring.name}: take Balls(prec=128)")
    return ring


def finite_ball(ring: BallRing, f: Callable[[], Any]) -> Ball:
    """The ball of a value that is computed at the precision of a ring.

    Args:
        ring: The ring of balls.
        f: What computes the value.

    Returns:
        A ball of the ring.

    Raises:
        UndecidedError: It is unbounded.

    >>> from flint import arb
    >>> finite_ball(Balls(64), lambda: arb(9).sqrt()) == 3
    True
    """
    with WorkingPrecision(ring.prec):
        value = f()
    if not value.is_finite():
        raise UndecidedError(f"a value at {ring.prec} bits: its ball is unbounded")
    return Ball(ring, value)
