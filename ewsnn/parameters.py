"""Trainable parameters that cannot leave the set where a generator is stable.

A generator takes its parameters as plain arrays, exactly as given, or wrapped in one of these modules. The
wrapped array is free for an optimiser to move; what the generator reads is its image in the allowed set.
"""

import abc
from typing import TypeAlias

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION, Numbers, as_float, is_traced


class AbstractParameter(eqx.Module):
    """A free array and the map that takes it to the allowed set."""

    @property
    @abc.abstractmethod
    def value(self) -> Float[Array, "..."]:
        """The parameter as the generator reads it."""


class Positive(AbstractParameter):
    r"""Positive numbers, stored by their logarithm: :math:`x = e^{y}`.

    The exponential makes a step of the optimiser a relative change, which suits rates that are spread over
    orders of magnitude.

    Args:
        values: The positive numbers to start from.

    Raises:
        ValueError: If a value is not positive.

    >>> float(Positive(2.0).value)
    2.0
    """

    log: Float[Array, "..."]

    def __init__(self, values: Numbers) -> None:
        array = as_float("values", values)
        if not is_traced(array) and not bool(jnp.all(array > 0)):
            raise ValueError(f"Positive needs values above 0, got {array}. Give 0 as a plain array instead.")
        self.log = jnp.log(array)

    @property
    def value(self) -> Float[Array, "..."]:
        """The positive numbers."""
        return jnp.exp(self.log)


class Dissipative(AbstractParameter):
    r"""A matrix whose symmetric part is positive semi-definite, from one free matrix of the same size.

    .. math:: A = (U - U^⊤) + L L^⊤

    U is the part of the free matrix above its diagonal, L the rest. Every A with :math:`A + A^⊤ ⪰ 0` is reached,
    and for all of them :math:`‖e^{-rA}‖_2 ≤ 1` for r ≥ 0.

    Args:
        free: The free matrix, (m, m).

    Raises:
        ValueError: If the array is no square matrix.

    Paper: Corollary 1.

    >>> Dissipative([[2.0, 1.0], [0.0, 1.0]]).value.tolist()
    [[4.0, 1.0], [-1.0, 1.0]]
    """

    free: Float[Array, "m m"]

    def __init__(self, free: Numbers) -> None:
        array = as_float("free", free)
        if array.ndim != 2 or array.shape[0] != array.shape[1]:
            raise ValueError(f"Dissipative needs a square matrix, got shape {array.shape}.")
        self.free = array

    @property
    def value(self) -> Float[Array, "m m"]:
        """The matrix A."""
        upper, lower = jnp.triu(self.free, 1), jnp.tril(self.free)
        return (upper - upper.T) + jnp.matmul(lower, lower.T, precision=PRECISION)


# A field of a generator: the array itself, or a parameter that gives it.
Parameter: TypeAlias = Float[Array, "..."] | AbstractParameter


def parameter(name: str, given: Numbers | AbstractParameter) -> Parameter:
    """A parameter as a module stores it: wrapped ones as they are, all else as an array of floats."""
    return given if isinstance(given, AbstractParameter) else as_float(name, given)


def value(stored: Parameter) -> Float[Array, "..."]:
    """The array that a stored parameter stands for."""
    return stored.value if isinstance(stored, AbstractParameter) else stored
