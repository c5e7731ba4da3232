"""What leads from inputs to the heads of a converted model, and from their states to its outputs.

Arrays are NumPy's, for conversion, or JAX's, for training; results are of the same kind.
"""

import abc

import equinox as eqx
import numpy as np

from ewsnn.convert.mechanism import Either, namespace, product


class AbstractReadout(eqx.Module):
    """A linear map of the states of all heads, and a skip that adds each input times a number.

    Args:
        weight: The map, for real letters.
        skip: The numbers, (copies, width): output ``copy * width + i`` is given input i; None for no skip.
    """

    weight: Either
    skip: Either | None

    @property
    @abc.abstractmethod
    def width(self) -> int:
        """The number of inputs."""

    @property
    @abc.abstractmethod
    def matrix(self) -> Either:
        """The map in full, (outputs, heads, m)."""

    @abc.abstractmethod
    def enter(self, inputs: Either) -> Either:
        """The increments of the paths of the heads, (…, steps, heads or 1 for all, d), of inputs (…, steps, width)."""

    @abc.abstractmethod
    def read(self, weight: Either, states: Either) -> Either:
        """A map such as :attr:`weight`, with any number of entries a head, of states (…, heads, entries)."""

    def __call__(self, states: Either, inputs: Either) -> Either:
        """The outputs, (…, outputs).

        Args:
            states: The states of level one, (…, heads, m).
            inputs: The inputs at the same places, (…, width).
        """
        outputs = self.read(self.weight, states)
        if self.skip is None:
            return outputs
        added = product("ci,...i->...ci", self.skip, inputs)
        return outputs + added.reshape(outputs.shape)

    @abc.abstractmethod
    def regrouped(self, heads: int, m: int) -> "AbstractReadout":
        """The same map for the same letters, dealt out to other heads."""


class Coupled(AbstractReadout):
    """All heads read all inputs, and all outputs read all heads.

    Args:
        weight: The map, (outputs, heads, m).
        skip: As for :class:`AbstractReadout`.
        channels: The number of inputs.
    """

    channels: int = eqx.field(static=True)

    @property
    def width(self) -> int:
        """The number of inputs."""
        return self.channels

    @property
    def matrix(self) -> Either:
        """The map itself."""
        return self.weight

    def enter(self, inputs: Either) -> Either:
        """One path for all heads, (…, steps, 1, width)."""
        return inputs[..., None, :]

    def read(self, weight: Either, states: Either) -> Either:
        """Each output a sum over all heads, (…, outputs)."""
        return product("ohm,...hm->...o", weight, states)

    def regrouped(self, heads: int, m: int) -> "Coupled":
        """The same map, dealt out to other heads."""
        return Coupled(self.weight.reshape(-1, heads, m), self.skip, self.channels)


class Separate(AbstractReadout):
    """Head i reads input i alone, and is read by the outputs ``copy * heads + i`` alone.

    Args:
        weight: The maps, (copies, heads, m).
        skip: As for :class:`AbstractReadout`.
    """

    @property
    def width(self) -> int:
        """The number of inputs, one a head."""
        return self.weight.shape[1]

    @property
    def matrix(self) -> Either:
        """The map with its zeros, (outputs, heads, m)."""
        heads, m = self.weight.shape[1:]
        own = namespace(self.weight).eye(heads, dtype=self.weight.dtype)
        return product("chm,hk->chkm", self.weight, own).reshape(-1, heads, m)

    def enter(self, inputs: Either) -> Either:
        """A path with one channel for each head, (…, steps, heads, 1)."""
        return inputs[..., None]

    def read(self, weight: Either, states: Either) -> Either:
        """Each output from its head, (…, copies · heads)."""
        found = product("chm,...hm->...ch", weight, states)
        return found.reshape(*found.shape[:-2], -1)

    def regrouped(self, heads: int, m: int) -> "Separate":
        """Itself.

        Raises:
            ValueError: If there should be another number of heads.
        """
        if (heads, m) != self.weight.shape[1:]:
            raise ValueError(
                f"each of the {self.width} channels has modes of its own and is one head; got {heads} heads."
            )
        return self


def zeros_of_level(readout: AbstractReadout, level: int) -> np.ndarray:
    """A map of a higher level that reads nothing yet, for m^level entries a head."""
    lead, heads, m = readout.weight.shape
    return np.zeros((lead, heads, m**level))
