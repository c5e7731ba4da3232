"""What the sequence layers of the baselines share: their door, and the mapping of parameters that is converted."""

import abc
import dataclasses
from typing import Any, ClassVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import Numbers, as_float


class AbstractLayer(eqx.Module):
    """A sequence layer of constant width H. Its fields carry the names of the released model."""

    kind: ClassVar[str]

    @property
    @abc.abstractmethod
    def width(self) -> int:
        """The width H of inputs and outputs."""

    @abc.abstractmethod
    def states(self, inputs: Float[Array, "*batch steps width"]) -> Array:
        """The states after every step, in the layout of the released model.

        Args:
            inputs: The vectors, one for each step.

        Raises:
            ValueError: If they have another width.
        """

    @abc.abstractmethod
    def __call__(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width"]:
        """The outputs at every step.

        Args:
            inputs: The vectors, one for each step.

        Raises:
            ValueError: If they have another width.
        """

    def parameters(self) -> dict[str, np.ndarray]:
        """Names and values of all fields as NumPy arrays; options are arrays without axes.

        For a state-space model it is what ``ewsnn.convert.convert(layer.kind, …)`` reads.
        """
        return {field.name: np.asarray(getattr(self, field.name)) for field in dataclasses.fields(self)}


class AbstractStateSpace(AbstractLayer):
    """A state-space model with the skip D u beside what is read from its states."""

    D: eqx.AbstractVar[Float[Array, " width"]]

    @property
    def width(self) -> int:
        """The width H of inputs and outputs."""
        return self.D.shape[0]

    def skip(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width"]:
        """The inputs times D, entry by entry."""
        return inputs * jnp.broadcast_to(self.D, inputs.shape)


def arrays(**named: tuple[Numbers, str]) -> dict[str, Any]:
    """Fields as arrays of floats, with their shapes checked against each other.

    Args:
        **named: For each field its values and its axes, such as ``"P H 2"``: a letter is a size that is the same
            wherever it stands, a number is that size.

    Raises:
        TypeError: If values are not real numbers.
        ValueError: If a shape does not fit.

    >>> arrays(D=([1.0, 2.0], "H"), C=([[1.0], [2.0], [3.0]], "H P"))
    Traceback (most recent call last):
      ...
    ValueError: C must be (H, P), with H = 2 as in D; got shape (3, 1).
    """
    found: dict[str, Any] = {}
    sizes: dict[str, tuple[int, str]] = {}
    for name, (values, axes) in named.items():
        array, letters = as_float(name, values), axes.split()
        wanted = [sizes[axis][0] if axis in sizes else int(axis) if axis.isdigit() else None for axis in letters]
        if array.ndim != len(letters) or any(w not in (None, s) for w, s in zip(wanted, array.shape, strict=True)):
            known = [f"{axis} = {sizes[axis][0]} as in {sizes[axis][1]}" for axis in letters if axis in sizes]
            told = f", with {', '.join(known)}" if known else ""
            shape = ", ".join(letters) + ("," if len(letters) == 1 else "")
            raise ValueError(f"{name} must be ({shape}){told}; got shape {array.shape}.")
        for axis, size in zip(letters, array.shape, strict=True):
            if not axis.isdigit():
                sizes.setdefault(axis, (size, name))
        found[name] = array
    return found


def check_width(inputs: Float[Array, "..."], width: int) -> None:
    """Refuses inputs of another width.

    Args:
        inputs: The vectors, one for each step.
        width: The width of the layer.

    Raises:
        ValueError: If the last axis is another one, or there is no axis of steps.
    """
    if inputs.ndim < 2 or inputs.shape[-1] != width:
        raise ValueError(f"the layer takes inputs (…, steps, {width}), got shape {inputs.shape}.")
