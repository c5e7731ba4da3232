r"""The kernels of the generators, as functions of the elapsed clock time r, and as formulas.

A kernel is an exponential polynomial: over EE with numbers for its parameters, over SR with names. Its value at a
parameter named r is a formula, with its LaTeX in real form.

>>> from ewsmath import SR, latex
>>> a, omega, r = SR.symbols("a omega r")
>>> formula = cosine_kernel(a, omega, power=1)(r)
>>> print(formula, latex(formula), sep="\n")
r*exp(-a*r)*cos(omega*r)
r e^{- a r} \cos{\left(\omega r \right)}
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import factorial
from typing import Any

from ewsmath.capacity import LARGEST_POWER
from ewsmath.exppoly import ExpPoly
from ewsmath.generators import (
    AbstractGenerator,
    ComplexJordan,
    Dense,
    Diagonal,
    Jordan,
    Rotation,
    Skew,
    Zero,
)
from ewsmath.generators.generator import check_generator, parameter_ring
from ewsmath.rings import QQ_I, SR, Ring, exponent_field
from ewsmath.rings.door import integer, named


def exponential_kernel(rate: Any, *, ring: Ring[Any] | None = None) -> ExpPoly[Any]:
    r"""The kernel e^{-λr} of a diagonal generator.

    Args:
        rate: The rate λ.
        ring: EE or SR, where it is not to follow from the rate.

    Returns:
        The function of r.

    Paper: Table 1.

    >>> exponential_kernel(2)
    e^(-2u)
    """
    return gamma_kernel(0, rate, ring=ring)


def gamma_kernel(power: int, rate: Any, *, ring: Ring[Any] | None = None) -> ExpPoly[Any]:
    r"""The gamma kernel of a Jordan block.

    .. math:: g_ℓ(r) = \frac{r^ℓ}{ℓ!} e^{-λr}

    Coordinate ℓ of a Jordan block, counted from the last, which is fed, has the kernel (-1)^ℓ g_ℓ.

    Args:
        power: The power ℓ ≥ 0.
        rate: The rate λ.
        ring: EE or SR, where it is not to follow from the rate.

    Returns:
        The function of r.

    Raises:
        ValueError: ℓ is negative, or above 100,000.
        TypeError: ℓ is no whole number.

    Paper: Prop. 2; Table 1.

    >>> gamma_kernel(2, 1), gamma_kernel(2, SR.symbol("lambda"))(SR.symbol("r"))
    (1/2*u^2*e^(-1u), r**2*exp(-lambda*r)/2)
    """
    ring = parameter_ring([rate], ring)
    scale = ring.ratio(1, factorial(_power(power)))
    return ExpPoly(ring, {(_power(power), -exponent_field(ring).coerce(rate)): scale})


def cosine_kernel(damping: Any, frequency: Any, power: int = 0, *, ring: Ring[Any] | None = None) -> ExpPoly[Any]:
    r"""The kernel r^ℓ e^{-ar} cos ωr of a rotation, or for ℓ > 0 of a chain of rotations.

    Args:
        damping: The damping a.
        frequency: The frequency ω.
        power: The power ℓ ≥ 0.
        ring: EE or SR, where it is not to follow from the parameters.

    Returns:
        The function of r; stored by exponentials.

    Paper: Table 1.

    >>> cosine_kernel(1, 2)
    1/2*e^((-1-2i)u) + 1/2*e^((-1+2i)u)
    """
    forward, backward = _waves(damping, frequency, power, ring)
    return (forward + backward).scaled(forward.ring.ratio(1, 2))


def sine_kernel(damping: Any, frequency: Any, power: int = 0, *, ring: Ring[Any] | None = None) -> ExpPoly[Any]:
    r"""The kernel r^ℓ e^{-ar} sin ωr of a rotation, or for ℓ > 0 of a chain of rotations.

    Args:
        damping: The damping a.
        frequency: The frequency ω.
        power: The power ℓ ≥ 0.
        ring: EE or SR, where it is not to follow from the parameters.

    Returns:
        The function of r; stored by exponentials.

    Paper: Table 1.

    >>> a, omega, r = SR.symbols("a omega r")
    >>> sine_kernel(a, omega)(r)
    exp(-a*r)*sin(omega*r)
    """
    forward, backward = _waves(damping, frequency, power, ring)
    return (forward - backward).scaled(forward.ring.coerce(-QQ_I.i / 2))


def _waves(damping: Any, frequency: Any, power: int, ring: Ring[Any] | None) -> tuple[ExpPoly[Any], ExpPoly[Any]]:
    """The functions r^ℓ e^{(-a ± iω)r}."""
    ring = parameter_ring([damping, frequency], ring)
    field: Any = exponent_field(ring)
    a, iw = field.coerce(damping), field.coerce(QQ_I.i) * field.coerce(frequency)
    forward, backward = (ExpPoly(ring, {(_power(power), z - a): ring.one}) for z in (iw, -iw))
    return forward, backward


def _power(power: object) -> int:
    found = integer(power)
    if found is None:
        raise TypeError(f"the power of a kernel is a whole number, got {named(power)}")
    if found < 0:
        raise ValueError(f"the power of a kernel is at least 0, got {found}")
    if found > LARGEST_POWER:
        raise ValueError(f"the power of a kernel is at most {LARGEST_POWER:,}, got {found:,}: 1/ℓ! grows too long")
    return found


def kernels(generator: AbstractGenerator) -> list[ExpPoly[Any]]:
    """The distinct entries of r ↦ e^{-rA} that are not zero: the kernels of depth one.

    Args:
        generator: A generator, exact or over SR.

    Returns:
        The functions of r in the order of the entries, row by row; of a function and its negative the first.

    Raises:
        ValueError: The generator is given in balls or MP.

    Paper: Table 1.

    >>> lam, r = SR.symbols("lambda r")
    >>> [f(r) for f in kernels(Jordan(lam, 3))]
    [exp(-lambda*r), -r*exp(-lambda*r), r**2*exp(-lambda*r)/2]
    """
    found: dict[ExpPoly[Any], None] = {}
    for f in check_generator(generator, "kernels").kernel().entries:
        if f and -f not in found:
            found.setdefault(f)
    return list(found)


@dataclass(frozen=True)
class Row:
    """One row of the table of generators.

    Attributes:
        family: The name of the class of the generator.
        generator: A generator of the family with named parameters, over SR.
        kernels: Its kernels as formulas in the parameter r.

    >>> first = next(iter(table()))
    >>> first.family, first.generator, first.kernels
    ('Zero', Zero(matrix=Matrix(SR, [[0]])), (1,))
    """

    family: str
    generator: AbstractGenerator
    kernels: tuple[Any, ...]


def table() -> Iterator[Row]:
    """The families in closed form with their kernels as formulas, derived from the generators and not written down.

    Returns:
        One row for each family; skew and dense matrices have two rows, blocks of Jordan chains have size 3 and 2.

    Paper: Table 1.

    >>> for row in table():
    ...     print(row.family, *row.kernels, sep=", ")
    Zero, 1
    Diagonal, exp(-lambda_1*r), exp(-lambda_2*r)
    Rotation, exp(-a*r)*cos(omega*r), exp(-a*r)*sin(omega*r)
    Skew, cos(omega*r), -sin(omega*r)
    Dense, exp(-a*r - b*r)/2 + exp(-a*r + b*r)/2, exp(-a*r - b*r)/2 - exp(-a*r + b*r)/2
    Jordan, exp(-lambda*r), -r*exp(-lambda*r), r**2*exp(-lambda*r)/2
    ComplexJordan, exp(-a*r)*cos(omega*r), exp(-a*r)*sin(omega*r), -r*exp(-a*r)*cos(omega*r), -r*exp(-a*r)*sin(omega*r)
    """
    first, second, rate, a, b, omega, r = SR.symbols("lambda_1 lambda_2 lambda a b omega r")
    families: list[AbstractGenerator] = [
        Zero(1, ring=SR),
        Diagonal([first, second]),
        Rotation(a, omega),
        Skew([omega]),
        Dense([[a, b], [b, a]]),
        Jordan(rate, 3),
        ComplexJordan(a, omega, 2),
    ]
    for generator in families:
        yield Row(type(generator).__name__, generator, tuple(f(r) for f in kernels(generator)))
