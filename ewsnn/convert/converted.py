"""What every converted model is: the EWS of depth one that has its states and its outputs."""

import abc
import dataclasses

import jax.numpy as jnp
import numpy as np

from ewsnn.arrays import Numbers, check_finite, default_float, real
from ewsnn.clocks import AbstractClock
from ewsnn.convert.blocks import AbstractBlocks
from ewsnn.convert.depth_one import Path
from ewsnn.multi_head import MultiHead
from ewsnn.paths import Increments


@dataclasses.dataclass(frozen=True)
class AbstractConverted(abc.ABC):
    r"""A trained model as heads of an EWS of depth one, with a path and a clock made of its inputs.

    .. math:: S_j = e^{-Δθ_j A} S_{j-1} + φ_1(-Δθ_j A)\, B\, ΔX_j, \qquad φ_1(z) = \frac{e^z - 1}{z}

    All of it is NumPy in float64 and complex128, whatever JAX's flags; :meth:`layer` goes over to JAX.

    Args:
        kind: The kind of model that was converted.
        generator: The generators A of the heads.
        lift: The matrices B of the heads, (heads, m, d).

    Paper: Appendix E.
    """

    kind: str
    generator: AbstractBlocks
    lift: np.ndarray

    def __post_init__(self) -> None:
        if self.lift.ndim != 3 or self.lift.shape[:2] != (self.heads, self.m):
            raise ValueError(f"the lift must be (heads, m, d) = ({self.heads}, {self.m}, d), got {self.lift.shape}.")

    @property
    def heads(self) -> int:
        """The number of heads."""
        return self.generator.heads

    @property
    def m(self) -> int:
        """The number of real letters of each head."""
        return self.generator.m

    @property
    def d(self) -> int:
        """The number of channels that each head reads."""
        return self.lift.shape[2]

    @property
    @abc.abstractmethod
    def width(self) -> int:
        """The number of inputs at each step."""

    @property
    @abc.abstractmethod
    def clock(self) -> AbstractClock:
        """The clock of all heads, for the increments of :meth:`path`."""

    @abc.abstractmethod
    def path(self, inputs: Numbers) -> Path:
        """The increments of path and clock, one for each head: (…, steps, heads, d) and (…, steps, heads).

        Args:
            inputs: The inputs of the model, (…, steps, width).
        """

    @abc.abstractmethod
    def ews(self, inputs: Numbers) -> np.ndarray:
        """The states of the EWS after each input, (…, steps, heads, m), real.

        Args:
            inputs: The inputs of the model, (…, steps, width).
        """

    @abc.abstractmethod
    def states(self, inputs: Numbers) -> np.ndarray:
        """The same states as the release arranges them, float64 or complex128.

        Args:
            inputs: The inputs of the model, (…, steps, width).
        """

    @abc.abstractmethod
    def outputs(self, inputs: Numbers) -> np.ndarray:
        """The outputs of the model, read from the states of the EWS.

        Args:
            inputs: The inputs of the model, (…, steps, width).
        """

    def increments(self, inputs: Numbers, dtype: np.dtype | type | None = None) -> Increments:
        """The path and the clock increments as :meth:`layer` reads them.

        Args:
            inputs: The inputs of the model, (…, steps, width).
            dtype: The floating-point type; None for JAX's default.
        """
        path, kind = self.path(inputs), np.dtype(default_float() if dtype is None else dtype)
        dx, dtheta = (
            jnp.asarray(np.moveaxis(path.dx, -2, -3), kind),
            jnp.asarray(np.moveaxis(path.dtheta, -1, -2), kind),
        )
        return Increments(dx, jnp.ones_like(dtheta), jnp.ones(dtheta.shape, bool), elapsed=dtheta)

    def layer(
        self, depth: int = 1, clock: AbstractClock | None = None, dtype: np.dtype | type | None = None
    ) -> MultiHead:
        """The heads as a JAX layer to be trained on, also deeper.

        At depth one, with the model's own clock, its states are those of :meth:`ews`.

        Args:
            depth: The truncation depth.
            clock: Another clock than the model's; each head gets a copy of its own.
            dtype: The floating-point type; None for JAX's default.
        """
        kind = np.dtype(default_float() if dtype is None else dtype)
        chosen = self.clock if clock is None else clock
        return MultiHead.build(jnp.asarray(self.lift, kind), self.generator.family(kind), chosen, depth)

    def checked(self, inputs: Numbers) -> np.ndarray:
        """The inputs as float64.

        Raises:
            TypeError: If they are not real numbers.
            ValueError: If they are not (…, steps, width) or not finite.
        """
        array = np.asarray(real("inputs", inputs, np.dtype(np.float64)))
        if array.ndim < 2 or array.shape[-1] != self.width:
            raise ValueError(
                f"inputs of this {self.kind} must be (…, steps, width) with width {self.width}, got {array.shape}."
            )
        check_finite("inputs", array)
        return array
