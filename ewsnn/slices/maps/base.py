"""What a linear map of the state is."""

import abc
from typing import TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.slices.action import exponential_action

Closed = TypeVar("Closed", bound="AbstractClosedMap")


class AbstractMap(eqx.Module):
    r"""A square matrix M given by fewer numbers than it has entries: the field :math:`\sum_i A^i Δω^i` of one step.

    Leading axes are a batch of maps. A map is applied to vectors with the same leading axes.
    """

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """The number of rows h."""

    @abc.abstractmethod
    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """The vector :math:`Mh`, without forming the matrix."""

    @abc.abstractmethod
    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix with all its entries."""

    @abc.abstractmethod
    def norm(self) -> Float[Array, "*batch"]:
        """An upper bound of one of its operator norms, which costs no more than a product with a vector."""

    def batched(self) -> "AbstractMap":
        """Of each array, whether it has the leading axes or is common to the batch: booleans in a tree like the map."""
        return jax.tree.map(lambda _: True, self)

    @abc.abstractmethod
    def plus_identity(self) -> "AbstractClosedMap":
        """The first-order flow :math:`I + M`, as a map that can be composed."""

    @abc.abstractmethod
    def exponential(self) -> "AbstractClosedMap":
        """The exact flow :math:`e^M`, as a map that can be composed."""

    def exponential_apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """The vector :math:`e^M h`, without forming the exponential."""
        return exponential_action(self.apply, h, self.norm())


class AbstractClosedMap(AbstractMap):
    """A map whose structure holds the identity, products and exponentials."""

    @abc.abstractmethod
    def then(self, later: "AbstractClosedMap") -> "AbstractClosedMap":
        """This map first, the later one behind it: the product later · this.

        Args:
            later: A map of the same class and size.

        Raises:
            TypeError: If it is of another class.
        """


def same(first: Closed, later: AbstractMap) -> Closed:
    """The later map, if it is of the class of the first.

    Args:
        first: The map that comes first.
        later: What is to be composed with it.

    Raises:
        TypeError: If it is of another class.
    """
    if not isinstance(later, type(first)):
        raise TypeError(
            f"{type(first).__name__} is composed with {type(first).__name__} alone, got {type(later).__name__}: "
            "take Dense(map.matrix()) of both."
        )
    return later


def absolute_row_sums(matrix: Float[Array, "*batch n n"]) -> Float[Array, "*batch"]:
    """The ∞-norm of each matrix, 0 where it has no row."""
    return jnp.max(jnp.sum(jnp.abs(matrix), axis=-1), axis=-1, initial=0.0)
