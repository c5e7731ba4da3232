"""What a structure is: the matrices of a linear CDE, one for each channel of its driving path."""

import abc
import math
from typing import ClassVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import PRECISION, Numbers, as_float, default_float
from ewsnn.clocks import norm
from ewsnn.paths import Increments
from ewsnn.slices.maps import AbstractMap

SIGMA = 0.25
"""How far parameters are drawn from 0, as in the published UEA models; those of formal languages take 0.5."""


class AbstractStructure(eqx.Module):
    r"""The matrices :math:`A^1, …, A^{d_ω}` of a linear CDE :math:`dh = \sum_i A^i h \, dω^i`, all of one structure.

    The field of a step is linear in its increment, for every structure. Trainable are all floating-point arrays.

    Attributes:
        is_closed: Whether products of such matrices, and so commutators, have the structure again.
    """

    is_closed: ClassVar[bool]

    @property
    @abc.abstractmethod
    def channels(self) -> int:
        """The number of channels dω of the driving path, and so of matrices."""

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """The number of rows h."""

    @property
    @abc.abstractmethod
    def dtype(self) -> np.dtype:
        """The floating-point type of the parameters."""

    @abc.abstractmethod
    def field(self, dw: Float[Array, "*batch channels"]) -> AbstractMap:
        r"""The map :math:`\sum_i A^i Δω^i` of each increment.

        Args:
            dw: The increments Δω, with any leading axes.

        Returns:
            Maps with the same leading axes.
        """

    def matrices(self) -> Float[Array, "channels h h"]:
        """The matrices with all their entries: the fields of the unit vectors."""
        return self.field(jnp.eye(self.channels, dtype=self.dtype)).matrix()

    def norms(self) -> Float[Array, " channels"]:
        r"""The Frobenius norms :math:`‖A^i‖_F`, computed from the parameters; the gradient at 0 is 0."""
        return norm(self.matrices().reshape(self.channels, -1))

    def drive(self, increments: Increments) -> tuple["AbstractStructure", Increments]:
        """What the recurrence runs on: matrices with plain fields, and the increments that they are driven by.

        Most structures are driven by the path itself. One that reads the path in windows gives its matrices for the
        coordinates of a window, and the windows as steps; it is called once for each pass.

        Args:
            increments: The steps of the path.

        Returns:
            A structure and increments of as many channels.
        """
        return self, increments


def combined(dw: Float[Array, "*batch channels"], parameters: Float[Array, "channels *shape"]) -> Float[Array, "..."]:
    r"""The sum :math:`\sum_i p_i Δω^i` of parameters, as one product of matrices.

    Args:
        dw: The increments.
        parameters: An array for each channel.

    Returns:
        Arrays of the shape of one parameter, behind the leading axes of the increments.
    """
    channels, *shape = parameters.shape
    flat = parameters.reshape(channels, math.prod(shape))
    return jnp.einsum("...c,cp->...p", dw, flat, precision=PRECISION).reshape(*dw.shape[:-1], *shape)


def drawn(key: Key[Array, ""], shape: tuple[int, ...], deviation: float) -> Float[Array, "..."]:
    """Normal numbers of mean zero.

    Args:
        key: A JAX random key.
        shape: How many.
        deviation: Their standard deviation.
    """
    return deviation * jax.random.normal(key, shape, default_float())


def array(name: str, values: Numbers, axes: tuple[str, ...]) -> Float[Array, "..."]:
    """A parameter, checked for its number of axes and that none is empty.

    Args:
        name: What it is called.
        values: The numbers.
        axes: What its axes mean.

    Raises:
        TypeError: If they are not real numbers.
        ValueError: If it has other axes.
    """
    found = as_float(name, values)
    if found.ndim != len(axes) or 0 in found.shape:
        raise ValueError(f"{name} must be ({', '.join(axes)}), with no axis of length 0, got shape {found.shape}.")
    return found
