"""The rings around a ring: where eigenvalues and exponents lie, and where there is an imaginary unit."""

from typing import Any

from ewsmath.rings.ball import Ball
from ewsmath.rings.balls import Balls, ComplexBalls
from ewsmath.rings.exponential import Exponential
from ewsmath.rings.exponential_field import EE
from ewsmath.rings.gaussian import QQ_I, Gaussian
from ewsmath.rings.rational import QQ
from ewsmath.rings.ring import Field, MatrixExponentialRing, Ring, supports


def exponent_field(ring: Ring[Any]) -> Field[Any]:
    """The field in which the α of the functions e^{αu} over a ring lie.

    Args:
        ring: Any ring.

    Returns:
        What the ring names as its attribute ``exponents``: RF for SR. Without that, Q(i) where equality is decided; and
        complex balls or MP numbers themselves where it is not.

    >>> from ewsmath.rings import SR
    >>> exponent_field(QQ), exponent_field(EE), exponent_field(SR), exponent_field(Balls(64))
    (QQ_I, QQ_I, RF, ComplexBalls(prec=64))
    """
    if supports(ring, MatrixExponentialRing):
        return complexification(ring)
    return getattr(ring, "exponents", QQ_I)


def exponent_of(ring: Ring[Any], x: Any) -> Any:
    """A number in the field of the exponents of a ring.

    Args:
        ring: The ring.
        x: A number that the field takes; an element of a ring of one's own comes there by its ``as_gaussian``.

    Returns:
        The number in the field.

    Raises:
        TypeError: The field does not take x.
        ValueError: x is no number of the field.

    >>> exponent_of(EE, EE.ratio(1, 2) * 2)
    1
    >>> exponent_of(EE, EE.exp(EE.one))
    Traceback (most recent call last):
    ValueError: e^(1) is to stand in an exponent, and is no Gaussian rational: exponents over EE lie in QQ_I, take
    balls, ring=Balls(prec=128)
    """
    field = exponent_field(ring)
    try:
        return field.coerce(x)
    except ValueError:
        kind = "Gaussian rational" if field == QQ_I else f"number of {field.name}"
        raise ValueError(
            f"{x} is to stand in an exponent, and is no {kind}: exponents over {ring.name} lie in {field.name}, take "
            "balls, ring=Balls(prec=128)"
        ) from None
    except TypeError as error:
        if type(x) is not type(ring.one) or hasattr(x, "as_gaussian"):
            raise
        raise TypeError(
            f"{x} of {ring.name} is to stand in an exponent, and those lie in {field.name}: give the elements of "
            f"{ring.name} a method as_gaussian, or name their own field as its attribute exponents ({error})"
        ) from None


def taken(ring: Ring[Any], x: Any, what: str) -> Any:
    """A number as an element of the ring of something else; if it is not in there, the error says which ring to give.

    Args:
        ring: The ring.
        x: The number.
        what: What has the ring, for the message: it takes an argument ``ring``.

    Returns:
        The element.

    Raises:
        ValueError: The number is in a larger ring only.
        TypeError: The ring does not take such numbers.

    >>> taken(QQ, EE.exp(EE.one), "the generator")
    Traceback (most recent call last):
    ValueError: e^(1) is not in QQ, the ring of the generator: give the generator a ring that holds it, ring=EE
    """
    try:
        return ring.coerce(x)
    except (TypeError, ValueError):
        own = EE if isinstance(x, Gaussian | Exponential) else getattr(x, "ring", None)
        if own is None or own == ring:
            raise
        raise ValueError(
            f"{x} is not in {ring.name}, the ring of {what}: give {what} a ring that holds it, ring={own.name}"
        ) from None


def complexification(ring: Any) -> Any:
    """The ring around a ring in which i and the exponentials of its exponents lie.

    Args:
        ring: Any ring.

    Returns:
        EE for QQ and QQ_I; complex balls for real ones; every other ring itself.

    >>> complexification(QQ), complexification(Balls(64))
    (EE, ComplexBalls(prec=64))
    """
    if isinstance(ring, Balls):
        return ComplexBalls(ring.prec)
    return EE if ring in (QQ, QQ_I) else ring


def back(ring: Ring[Any], x: Any) -> Any:
    """An element of the complexification, known to lie in the ring, as an element of it.

    Args:
        ring: The ring.
        x: An element of ``complexification(ring)``; for real balls, a ball around a real number.

    Returns:
        The same number in the ring; of a complex ball, its real part.

    >>> back(Balls(64), ComplexBalls(64).one), back(QQ, EE.one)
    (1.00000000000000000, 1)
    """
    return x.real if isinstance(x, Ball) and isinstance(ring, Balls) else ring.coerce(x)
