"""Numbers of twice the digits: where a long stream is, and what its time stamp is."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float


class DoubleWord(eqx.Module):
    r"""Numbers as sums of two floats that are not added up, :math:`x = h + l` with h the float nearest to x.

    In float32 they have 48 bits: Unix times keep their microseconds, and 10⁶ small steps add up without a drift.

    Args:
        high: The numbers rounded to one float.
        low: What the rounding left.

    >>> stamp = DoubleWord.of(np.array(1.7e9 + 0.125), np.dtype(np.float32))
    >>> later = DoubleWord.of(np.array(1.7e9 + 0.375), np.dtype(np.float32))
    >>> float(later.minus(stamp))
    0.25
    """

    high: Float[Array, "..."]
    low: Float[Array, "..."]

    @classmethod
    def of(cls, values: np.ndarray | Array, dtype: np.dtype) -> "DoubleWord":
        """Numbers of any floating-point type, with as many of their digits as two floats hold.

        Args:
            values: An array of NumPy or JAX.
            dtype: The type of each of the two floats.
        """
        # Padding may hold anything, also what the type has no room for.
        with np.errstate(all="ignore"):
            high = values.astype(dtype)
            low = (values - high.astype(values.dtype)).astype(dtype)
        return cls(jnp.asarray(high), jnp.asarray(low))

    @property
    def value(self) -> Float[Array, "..."]:
        """The numbers rounded to one float."""
        return self.high + self.low

    def plus(self, x: Float[Array, "..."]) -> "DoubleWord":
        """The sums with plain floats of the same shape."""
        total, lost = _two_sum(self.high, x)
        return DoubleWord(*_two_sum(total, lost + self.low))

    def minus(self, other: "DoubleWord") -> Float[Array, "..."]:
        """The differences, rounded to one float: those of close numbers keep all their digits."""
        return (self.high - other.high) + (self.low - other.low)


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """The rounded sum, and exactly what the rounding lost."""
    total = a + b
    b_there = total - a
    return total, (a - (total - b_there)) + (b - b_there)
