"""What the constructors of generators take: checked parameters, and ranges to draw them from."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import Numbers, default_float
from ewsnn.parameters import AbstractParameter, Parameter, parameter, value

# The ends of a range of positive numbers.
Range = tuple[float, float]


def count(name: str, given: object) -> int:
    """The number, if it is an integer of at least 1.

    Raises:
        ValueError: If it is not.
    """
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < 1:
        raise ValueError(f"{name} must be an integer of at least 1, got {given!r}.")
    return int(given)


def blocks_of(m: int, size: int) -> int:
    """How many blocks of a size fill m places.

    Raises:
        ValueError: If they do not fill them.
    """
    if count("m", m) % count("size", size):
        raise ValueError(f"blocks of size {size} do not fill {m} places.")
    return m // size


def vector(name: str, given: Numbers | AbstractParameter) -> Parameter:
    """A parameter with one axis.

    Raises:
        ValueError: If it has none, more, or no entries.
    """
    stored = parameter(name, given)
    if value(stored).ndim != 1 or value(stored).shape[0] == 0:
        raise ValueError(f"{name} must be a vector with at least one entry, got shape {value(stored).shape}.")
    return stored


def scalar_or_vector(name: str, given: Numbers | AbstractParameter) -> Parameter:
    """A parameter of one block, or of several along one axis.

    Raises:
        ValueError: If it has more axes, or no entries.
    """
    stored = parameter(name, given)
    if value(stored).ndim > 1 or value(stored).size == 0:
        raise ValueError(f"{name} must be a number or a vector (blocks,), got shape {value(stored).shape}.")
    return stored


def check_equal(name: str, one: Parameter, other_name: str, other: Parameter) -> None:
    """Refuses two parameters of different shapes.

    Raises:
        ValueError: With both names and shapes.
    """
    if value(one).shape != value(other).shape:
        raise ValueError(
            f"{name} has shape {value(one).shape} and {other_name} {value(other).shape}: they must be equal."
        )


def spread(key: Key[Array, ""], n: int, ends: Range) -> Float[Array, " n"]:
    """Positive numbers spread evenly in the logarithm over a range, in random order.

    Raises:
        ValueError: If the range is none of positive numbers.
    """
    # One draw in each of n equal parts of the logarithmic range, in random order: even for small n the
    # whole range is covered.
    low, high = ends
    if not 0 < low <= high < np.inf:
        raise ValueError(f"a range must be two numbers with 0 < low ≤ high, got {ends}.")
    for_place, for_order = jax.random.split(key)
    places = (jnp.arange(n, dtype=default_float()) + jax.random.uniform(for_place, (n,), default_float())) / n
    return low * (high / low) ** jax.random.permutation(for_order, places)
