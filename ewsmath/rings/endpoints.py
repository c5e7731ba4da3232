"""Midpoints and radii of flint's balls as exact numbers, and to the last bit."""

from flint import arb, fmpq

End = tuple[int, int] | float
"""A midpoint or a radius to the last bit: (mantissa, exponent), or the float where it is not finite."""

_LARGEST_EXPONENT = 2**24
"""The largest binary exponent that is written out as a rational: e^(-10^11) would be one of 18 gigabytes."""


def exact_point(x: arb) -> fmpq:
    """The rational that a ball of radius 0 is.

    Args:
        x: The ball.

    Returns:
        The rational.

    Raises:
        ValueError: It is not finite, or beyond 2^(±2^24) and so too long to write out.

    >>> exact_point(arb(0.75))
    3/4
    """
    if not x.is_finite():
        raise ValueError(f"the ball is unbounded ({x}): raise the precision of its ring")
    mantissa, exponent = x.man_exp()
    if abs(int(exponent)) > _LARGEST_EXPONENT:
        raise ValueError(f"{x} is too long as a rational: work with the ball, or take to_numpy for the nearest float")
    power = fmpq(2) ** int(exponent)
    return fmpq(mantissa) * power


def exact_bound(x: arb) -> fmpq:
    """A rational that is not below x ≥ 0: x itself, unless it is too small to be written out.

    Args:
        x: A ball of radius 0.

    Returns:
        The bound.

    Raises:
        ValueError: x is not finite, or too large to be written out.

    >>> exact_bound(arb(0.75))
    3/4
    """
    if x.is_finite():
        mantissa, exponent = x.man_exp()
        if int(exponent) < -_LARGEST_EXPONENT:
            return fmpq(2) ** (int(mantissa).bit_length() - _LARGEST_EXPONENT)
    return exact_point(x)


def ends(x: arb) -> tuple[End, End]:
    """Midpoint and radius of a ball, in numbers of Python.

    >>> ends(arb(0.75))
    ((3, -2), (0, 0))
    """
    return _end(x.mid()), _end(x.rad())


def _end(x: arb) -> End:
    if not x.is_finite():
        return float(x)
    mantissa, exponent = x.man_exp()
    return int(mantissa), int(exponent)


def from_ends(mid: End, radius: End) -> arb:
    """The ball with this midpoint and this radius, to the last bit.

    >>> ends(from_ends((3, -2), (5, -40)))
    ((3, -2), (5, -40))
    """
    # flint rounds a radius up to the next one of 30 bits, even where it has no more: from just below it, to itself.
    below = ((radius[0] << 64) - 1, radius[1] - 64) if isinstance(radius, tuple) and radius[0] else radius
    return arb(mid, arb(below))
