"""Names of array types, and the one door through which numbers enter the fast side.

Axes have fixed names: ``*batch`` are leading axes of any number, ``knots`` the points of a path, ``steps`` the
pieces between them (one fewer), ``d`` the channels, ``m`` the letters, ``pairs`` the 2×2 blocks of a rotation,
``blocks`` the Jordan blocks, ``features`` the entries of all levels in a row.
"""

from typing import TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jax.core import Tracer
from jaxtyping import Array, ArrayLike, Float

# Level n, element n - 1 of the tuple, has n axes of size m behind the batch. Level 0 is 1 and is not stored.
Levels: TypeAlias = tuple[Float[Array, "..."], ...]

# What a function takes that converts by itself: arrays of JAX or NumPy, numbers, nested lists of numbers.
Numbers: TypeAlias = ArrayLike | list | tuple

# On a GPU a plain float32 product is rounded to about three digits (TF32); the layer promises full digits.
PRECISION = jax.lax.Precision.HIGHEST


def default_float() -> np.dtype:
    """The floating-point type of numbers that bring none: float32, or float64 where JAX's x64 flag is on."""
    return np.dtype(jax.dtypes.canonicalize_dtype(np.float64))


def is_traced(*values: object) -> bool:
    """Whether any of the values is known only inside a JAX transformation, so that it cannot be looked at."""
    return any(isinstance(value, Tracer) for value in values)


def refuse_class(name: str, argument: object) -> None:
    """TypeError where a class came in place of one of its objects.

    Args:
        name: What the argument is called.
        argument: What came.
    """
    if isinstance(argument, type):
        made = argument.__name__
        raise TypeError(f"{name} must be an object, got the class {made}: make one by {made}(…).")


def real(name: str, values: Numbers, dtype: np.dtype | None = None) -> np.ndarray | Array:
    """The values as real numbers, still in NumPy where they came from there.

    Integers become floats, so that no integer arithmetic can happen behind the door. NumPy arrays keep all their
    digits until they are cast.

    Args:
        name: What the values are, for the error.
        values: An array, a number or nested lists of numbers.
        dtype: Type of the result; None keeps a floating-point type.

    Raises:
        ValueError: If nested lists have unequal lengths.
        TypeError: If the values are not real numbers.
    """
    try:
        array = values if isinstance(values, jax.Array) else np.asarray(values)
    except ValueError as error:
        raise ValueError(
            f"{name} must be numbers nested in lists of equal lengths, so that they form an array: {error}"
        ) from error
    if not (jnp.issubdtype(array.dtype, jnp.floating) or jnp.issubdtype(array.dtype, jnp.integer)):
        raise TypeError(
            f"{name} must be real numbers, got an array of {array.dtype}. Pass floats (or integers, which are "
            "converted); complex numbers, booleans and text are not read as numbers."
        )
    if dtype is None:
        if jnp.issubdtype(array.dtype, jnp.floating):
            return array
        dtype = default_float() if isinstance(array, jax.Array) else np.dtype(np.float64)
    return array.astype(dtype)


def check_finite(name: str, values: np.ndarray | Array, valid: np.ndarray | Array | None = None) -> None:
    """Refuses NaN and infinities, where they can be looked at.

    Args:
        name: What the values are, for the error.
        values: Numbers of any shape.
        valid: Which entries count, of that shape; None for all.

    Raises:
        ValueError: If an entry that counts is known and not finite, with its place.
    """
    if is_traced(values, valid):
        return
    known = np.asarray(values)
    wrong = ~np.isfinite(known) if valid is None else np.asarray(valid) & ~np.isfinite(known)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(f"{name} must be finite, got {known[place]} at index {place}.")


def as_float(name: str, values: Numbers, dtype: np.dtype | None = None) -> Float[Array, "..."]:
    """The values as a JAX array of floats.

    A NumPy array of float64 is rounded to float32 where JAX's x64 flag is off.

    >>> as_float("rate", [1, 2]).dtype == default_float()
    True

    Args:
        name: What the values are, for the error.
        values: An array, a number or nested lists of numbers.
        dtype: Type of the result; None keeps a floating-point type that JAX has.

    Raises:
        TypeError: If the values are not real numbers.
    """
    array = real(name, values)
    return jnp.asarray(array, dtype=jax.dtypes.canonicalize_dtype(array.dtype if dtype is None else dtype))
