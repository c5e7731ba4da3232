"""A converted selective model as one trainable layer: inputs to paths and clocks, heads, and a read-out."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.convert import depth_one
from ewsnn.convert.depth_one import Path
from ewsnn.convert.mechanism import product
from ewsnn.convert.selection import AbstractSelection
from ewsnn.generators import AbstractGenerator, Diagonal, Rotation
from ewsnn.multi_head import MultiHead
from ewsnn.parameters import value
from ewsnn.paths import Increments


class SelectiveLayer(eqx.Module):
    r"""Heads of an EWS whose paths, clocks and read-outs a selective model computes from the inputs.

    The increments :math:`φ_1(-Δθ A)^{-1}\, \text{drive}` are made with the generators of the heads, so that level one
    stays the recurrence of the model when these are trained.

    Args:
        heads: The heads.
        selection: The model, with JAX arrays; its own rates are not read any more.
        higher: Maps that read levels 2 to N, (heads, m^n).
    """

    heads: MultiHead
    selection: AbstractSelection
    higher: tuple[Float[Array, "heads entries"], ...]

    def __call__(self, inputs: Float[Array, "*batch steps width"], *, engine: str = "auto") -> Float[Array, "*outputs"]:
        """The outputs at every step.

        Args:
            inputs: The inputs of the model that was converted.
            engine: As for :class:`ewsnn.EWSLayer`.
        """
        if inputs.shape[-1] != self.selection.width:
            raise ValueError(f"the layer reads {self.selection.width} inputs at each step, got {inputs.shape[-1]}.")
        gates, start = self.selection.gates(inputs), self.selection.initial
        path = Path(
            depth_one.increments(_exponent(self.heads.layer.generator), gates.dtheta, gates.drive), gates.dtheta
        )
        path = path if start is None else path.after(start)
        dx, dtheta = jnp.moveaxis(path.dx, -2, -3), jnp.moveaxis(path.dtheta, -1, -2)
        increments = Increments(dx, jnp.ones_like(dtheta), jnp.ones(dtheta.shape, bool), elapsed=dtheta)
        levels = self.heads(increments, output="all", engine=engine)
        # The levels have their steps before their heads; a step for the state at the start belongs to no input.
        steps = inputs.ndim - 2
        first, *higher = (jax.lax.slice_in_dim(level, int(start is not None), None, axis=steps) for level in levels)
        outputs = gates.read(first)
        for weight, level in zip(self.higher, higher, strict=True):
            outputs = outputs + product("hm,...hm->...h", weight, level.reshape(*first.shape[:-1], -1))
        return self.selection.finish(inputs, outputs)


def _exponent(generator: AbstractGenerator) -> Array:
    """The generators of all heads as :mod:`ewsnn.convert.depth_one` has them."""
    if isinstance(generator, Rotation) and generator.damping is not None:
        return jax.lax.complex(value(generator.damping), value(generator.frequency))
    if isinstance(generator, Diagonal):
        return value(generator.rate)
    raise TypeError(f"the heads of a selective model are rotations or diagonal, got {type(generator).__name__}.")
