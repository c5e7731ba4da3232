"""Selective models as EWS: the path and the clocks of their heads are computed from the inputs."""

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.arrays import Numbers, default_float
from ewsnn.clocks import AbstractClock, Given
from ewsnn.convert import depth_one
from ewsnn.convert.arguments import Arguments
from ewsnn.convert.blocks import Exponents
from ewsnn.convert.converted import AbstractConverted
from ewsnn.convert.depth_one import Path
from ewsnn.convert.selection import AbstractSelection
from ewsnn.convert.selective_layer import SelectiveLayer


@dataclasses.dataclass(frozen=True)
class SelectiveReadout:
    """The read-out of a selective model: its weights come from the inputs.

    Args:
        selection: The model.
    """

    selection: AbstractSelection

    def __call__(self, states: np.ndarray, inputs: np.ndarray) -> np.ndarray:
        """The outputs of the model.

        Args:
            states: The states of the EWS after each input, (…, steps, heads, m).
            inputs: The inputs, (…, steps, width).
        """
        return self.selection.finish(inputs, self.selection.gates(inputs).read(states))


@dataclasses.dataclass(frozen=True)
class Selective(AbstractConverted):
    r"""A selective model, :math:`S_j = e^{-Δθ_j A} S_{j-1} + \text{drive}_j`, as heads of an EWS with their own clocks.

    .. math:: ΔX_j = φ_1(-Δθ_j A)^{-1}\, \text{drive}_j

    Clock increments and drives are what the model makes of its inputs; the lift is the identity. A state before the
    first input is a step more at the start of the path, over which the clock stands.

    Args:
        kind: The kind of model that was converted.
        generator: The generators A of the heads.
        lift: The identity for each head, (heads, m, m).
        selection: The mechanism that computes paths, clocks and read-outs.

    Paper: Appendix E; Table 3.
    """

    selection: AbstractSelection

    @classmethod
    def of(cls, arguments: Arguments, selection: AbstractSelection) -> "Selective":
        """The heads of a model.

        Args:
            arguments: What was given; with this all of it has been asked for.
            selection: The model, with NumPy arrays.
        """
        # All transitions are positive, or turned in pairs: the principal logarithm is real, so both words mean it.
        arguments.option("logarithm", "doubled", ("doubled", "principal"))
        arguments.finish()
        generator = Exponents(np.asarray(selection.exponent))
        # Not stored: heads can be many and wide.
        lift = np.broadcast_to(np.eye(generator.m), (generator.heads, generator.m, generator.m))
        return cls(arguments.kind, generator, lift, selection)

    @property
    def width(self) -> int:
        """The number of inputs at each step."""
        return self.selection.width

    @property
    def clock(self) -> AbstractClock:
        """The clock whose increments come with the path."""
        return Given()

    @property
    def readout(self) -> SelectiveReadout:
        """What reads the states by weights from the inputs, and makes the outputs of the model."""
        return SelectiveReadout(self.selection)

    def path(self, inputs: Numbers) -> Path:
        """The increments of path and clock, one for each head; one step more where there are states at the start."""
        gates = self.selection.gates(self.checked(inputs))
        path = Path(depth_one.increments(self.selection.exponent, gates.dtheta, gates.drive), gates.dtheta)
        return path if self.selection.initial is None else path.after(self.selection.initial)

    def ews(self, inputs: Numbers) -> np.ndarray:
        """The states of the EWS after each input, (…, steps, heads, m)."""
        path = self.path(inputs)
        found = depth_one.states(self.selection.exponent, path.dtheta, path.dx)
        return found if self.selection.initial is None else found[..., 1:, :, :]

    def states(self, inputs: Numbers) -> np.ndarray:
        """The same states as the release arranges them."""
        return self.selection.arranged(self.selection.framed(self.ews(inputs)))

    def outputs(self, inputs: Numbers) -> np.ndarray:
        """The outputs of the model, read from the states of the EWS."""
        return self.readout(self.ews(inputs), self.checked(inputs))

    def error(self, steps: int = 128) -> float:
        """The largest difference from the recurrence of the release on normal inputs, over its largest state.

        Args:
            steps: The number of inputs.
        """
        inputs = np.random.default_rng(0).normal(size=(steps, self.width))
        own = self.selection.recurrence(inputs)
        return float(np.abs(self.states(inputs) - own).max() / (np.abs(own).max() or 1.0))

    def module(
        self, depth: int = 1, clock: AbstractClock | None = None, dtype: np.dtype | type | None = None
    ) -> SelectiveLayer:
        """The model as a JAX layer from inputs to outputs, in place of the one that was converted.

        Level one is read as in the model, higher levels by zeros: at first a deeper layer gives the same outputs.

        Args:
            depth: The truncation depth.
            clock: Another clock than the model's.
            dtype: The floating-point type; None for JAX's default.
        """
        kind = np.dtype(default_float() if dtype is None else dtype)
        higher = tuple(jnp.zeros((self.heads, self.m**n), kind) for n in range(2, depth + 1))
        selection = jax.tree.map(lambda leaf: jnp.asarray(leaf, kind), self.selection)
        return SelectiveLayer(self.layer(depth, clock, kind), selection, higher)
