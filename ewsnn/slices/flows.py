r"""Flows of one step: from its field M to what it does to the state."""

import abc

import equinox as eqx
from jaxtyping import Array, Float

from ewsnn.slices.maps import AbstractClosedMap, AbstractMap


class AbstractFlow(eqx.Module):
    """How a field becomes a flow."""

    @abc.abstractmethod
    def of(self, field: AbstractMap) -> AbstractClosedMap:
        """The flow as a map that can be composed; of structures that are not closed it is dense."""

    @abc.abstractmethod
    def act(self, field: AbstractMap, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """The state behind the step, without forming the flow."""


class Exact(AbstractFlow):
    r"""The flow of the linear CDE along a straight step, :math:`e^M`."""

    def of(self, field: AbstractMap) -> AbstractClosedMap:
        """The exponential."""
        return field.exponential()

    def act(self, field: AbstractMap, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """The exponential times the state."""
        return field.exponential_apply(h)


class FirstOrder(AbstractFlow):
    r"""Euler's step :math:`I + M`, as in all published results."""

    def of(self, field: AbstractMap) -> AbstractClosedMap:
        """The field, and the identity."""
        return field.plus_identity()

    def act(self, field: AbstractMap, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """The state, and the field times it."""
        return h + field.apply(h)


FLOWS: dict[str, AbstractFlow] = {"exact": Exact(), "first-order": FirstOrder()}
"""The flows by the names that a layer takes."""
