"""Time-invariant models as EWS: their inputs are the increments of the path, and each takes one unit of the clock."""

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.arrays import Numbers, default_float
from ewsnn.clocks import AbstractClock, Observation
from ewsnn.convert.converted import AbstractConverted
from ewsnn.convert.depth_one import Path
from ewsnn.convert.read_layer import ReadLayer
from ewsnn.convert.readout import AbstractReadout, zeros_of_level


@dataclasses.dataclass(frozen=True)
class LinearConverted(AbstractConverted):
    r"""A time-invariant model, :math:`h_j = \bar A h_{j-1} + \bar B u_j`, as heads of an EWS with the unit clock.

    .. math:: A = -\log \bar A, \qquad B = φ_1(-A)^{-1} \bar B, \qquad ΔX_j = u_j, \qquad Δθ_j = 1

    Args:
        kind: The kind of model that was converted.
        generator: The generators A of the heads.
        lift: The matrices B of the heads, (heads, m, d).
        readout: What leads from inputs to heads, and from states to outputs.
        arrange: What makes the release's states of those of the EWS, (…, steps, heads, m).

    Paper: Appendix E; Table 3.
    """

    readout: AbstractReadout
    arrange: Callable[[np.ndarray], np.ndarray]

    @property
    def width(self) -> int:
        """The number of inputs at each step."""
        return self.readout.width

    @property
    def clock(self) -> AbstractClock:
        """One unit for each observation."""
        return Observation()

    def path(self, inputs: Numbers) -> Path:
        """The inputs as increments of the paths of the heads, and ones."""
        entered = self.readout.enter(self.checked(inputs))
        dx = np.broadcast_to(entered, (*entered.shape[:-2], self.heads, self.d))
        return Path(dx, np.ones(dx.shape[:-1]))

    def ews(self, inputs: Numbers) -> np.ndarray:
        """The states of the EWS after each input, (…, steps, heads, m)."""
        entered = self.readout.enter(self.checked(inputs))
        if entered.shape[-2] == 1 and self.heads > 1:
            driven = np.einsum("hmd,...d->...hm", self.lift, entered[..., 0, :], optimize=True)
        else:
            driven = np.einsum("hmd,...hd->...hm", self.lift, entered, optimize=True)
        return self.generator.states(driven)

    def states(self, inputs: Numbers) -> np.ndarray:
        """The states as the release arranges them, complex128 where they are complex there."""
        return self.arrange(self.ews(inputs))

    def outputs(self, inputs: Numbers) -> np.ndarray:
        """The outputs of the model, (…, steps, outputs)."""
        u = self.checked(inputs)
        return self.readout(self.ews(u), u)

    def grouped(self, heads: int) -> "LinearConverted":
        """The same model with its modes dealt out to another number of heads.

        At depth one it makes no difference. Deeper, a head has words of its own letters alone: fewer heads see more
        and cost more.

        Args:
            heads: The number of heads, which divides that of the modes.

        Raises:
            ValueError: If it does not, or if heads read channels of their own.
        """
        old, generator = (self.heads, self.m), self.generator.regrouped(heads)

        def arrange(states: np.ndarray) -> np.ndarray:
            return self.arrange(states.reshape(*states.shape[:-2], *old))

        return dataclasses.replace(
            self,
            readout=self.readout.regrouped(heads, generator.m),
            generator=generator,
            lift=self.lift.reshape(heads, generator.m, self.d),
            arrange=arrange,
        )

    def module(
        self, depth: int = 1, clock: AbstractClock | None = None, dtype: np.dtype | type | None = None
    ) -> ReadLayer:
        """The model as a JAX layer from inputs to outputs, in place of the one that was converted.

        Level one is read as in the model, higher levels by zeros: at first a deeper layer gives the same outputs.

        Args:
            depth: The truncation depth.
            clock: Another clock than the unit clock, which gives the model's outputs.
            dtype: The floating-point type; None for JAX's default.
        """
        kind = np.dtype(default_float() if dtype is None else dtype)
        higher = tuple(jnp.asarray(zeros_of_level(self.readout, n), kind) for n in range(2, depth + 1))
        readout = jax.tree.map(lambda leaf: jnp.asarray(leaf, kind), self.readout)
        return ReadLayer(self.layer(depth, clock, kind), readout, higher)
