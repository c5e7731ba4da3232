"""Formats of binary floating-point numbers: what each can hold, as exact numbers."""

from dataclasses import dataclass
from typing import Any

from flint import fmpq

from ewsmath.rings.door import named


@dataclass(frozen=True)
class FloatFormat:
    """A binary format of floating-point numbers.

    Attributes:
        name: Its name as a dtype.
        bits: Bits of the significand, the leading one among them.
        least: The exponent of the smallest normal number, 2^least.
        greatest: The exponent that every finite number stays below: ``|x| < 2^greatest``.

    >>> FORMATS["float32"].eps, FORMATS["float16"].largest
    (1/8388608, 65504)
    """

    name: str
    bits: int
    least: int
    greatest: int

    @property
    def eps(self) -> fmpq:
        """The distance from 1 to the next number above; the rounding error of one operation is at most half of it."""
        return fmpq(2) ** (1 - self.bits)

    @property
    def largest(self) -> fmpq:
        """The largest finite number."""
        return (2 - self.eps) * fmpq(2) ** (self.greatest - 1)

    @property
    def smallest_normal(self) -> fmpq:
        """The smallest positive number with all its digits; what lies below is subnormal, or zero."""
        return fmpq(2) ** self.least

    def holds(self, x: fmpq) -> bool:
        """Whether a rational is a number of this format.

        Args:
            x: The rational.

        Returns:
            Whether it needs no rounding.

        >>> FORMATS["float16"].holds(fmpq(1, 3)), FORMATS["float16"].holds(fmpq(2047, 2))
        (False, True)
        """
        if not x:
            return True
        if abs(x) > self.largest:
            return False
        # x = odd · 2^shift: its digits must fit between the last place that the format has and its leading one.
        p, q = abs(int(x.p)), int(x.q)
        shift = (p & -p).bit_length() - q.bit_length()
        lead = p.bit_length() - q.bit_length()
        return q & (q - 1) == 0 and shift >= max(lead - self.bits, self.least - self.bits) + 1


FORMATS: dict[str, FloatFormat] = {
    found.name: found
    for found in (
        FloatFormat("float16", 11, -14, 16),
        FloatFormat("bfloat16", 8, -126, 128),
        FloatFormat("float32", 24, -126, 128),
        FloatFormat("float64", 53, -1022, 1024),
    )
}
"""The formats by name."""


def float_format(dtype: Any) -> FloatFormat:
    """The format that a dtype names.

    Args:
        dtype: A name, or a dtype or scalar type of any array library: ``"float32"``, ``numpy.float32``,
            ``array.dtype``.

    Returns:
        The format.

    Raises:
        ValueError: It is none of the formats known.

    >>> float_format("float32").bits
    24
    """
    found = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", str(dtype))
    found = str(found).rpartition(".")[2]  # PyTorch writes torch.float32
    if found not in FORMATS:
        raise ValueError(f"a dtype is one of {', '.join(FORMATS)}, got {named(dtype)}")
    return FORMATS[found]
