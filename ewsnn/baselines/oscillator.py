r"""What the oscillatory models share: per mode a 2×2 block on velocity z and position y, driven by complex inputs."""

import abc
from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Complex, Float, Key

from ewsnn.baselines.layer import AbstractStateSpace, check_width
from ewsnn.baselines.recurrence import Block, Pair, modes, real_part, recurrence


class Discretised(NamedTuple):
    r"""The recurrence of an oscillator, with its velocity counted from s times the position.

    .. math::
        \begin{pmatrix} z_j - s y_j \\ y_j \end{pmatrix} =
        \begin{pmatrix} a & -\tfrac dS ω^2 \\ \tfrac dS & a \end{pmatrix}
        \begin{pmatrix} z_{j-1} - s y_{j-1} \\ y_{j-1} \end{pmatrix} +
        \frac dS \begin{pmatrix} 1 - sd \\ d \end{pmatrix} B u_j

    The shift makes both entries of the diagonal equal, and so they are in all powers. Without it powers of a block
    with (nearly) a double eigenvalue are differences of large numbers, and lose half of their digits.

    Args:
        step: d, (modes,).
        divisor: S.
        diagonal: a.
        frequency: ω², the square.
        shift: s.
    """

    step: Float[Array, " modes"]
    divisor: Float[Array, " modes"]
    diagonal: Float[Array, " modes"]
    frequency: Float[Array, " modes"]
    shift: Float[Array, " modes"]


class AbstractOscillator(AbstractStateSpace):
    r"""A layer of forced harmonic oscillators, :math:`y_j = \mathrm{Re}(C x_j) + D ∘ u_j` with x the positions."""

    B: eqx.AbstractVar[Float[Array, "modes width 2"]]
    C: eqx.AbstractVar[Float[Array, "width modes 2"]]

    @abc.abstractmethod
    def discretised(self) -> Discretised:
        """The recurrence of each oscillator."""

    def states(self, inputs: Float[Array, "*batch steps width"]) -> Complex[Array, "*batch steps states"]:
        """The complex states after every step, (…, steps, 2P): all velocities, then all positions."""
        velocities, positions = self._states(inputs)
        both = jnp.concatenate([velocities, positions], axis=-1)
        return jax.lax.complex(both[..., 0, :, :], both[..., 1, :, :])

    def __call__(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width"]:
        """The outputs at every step."""
        return real_part(self.C, self._states(inputs)[1]) + self.skip(inputs)

    def _states(self, inputs: Float[Array, "*batch steps width"]) -> Pair:
        """Velocities and positions, each (…, 2, steps, P) with real parts before imaginary ones."""
        check_width(inputs, self.width)
        d, S, diagonal, frequency, shift = self.discretised()
        block = Block(diagonal, -d / S * frequency, d / S, diagonal)
        driven = modes(self.B, inputs)
        along = [jnp.broadcast_to(row, driven.shape) * driven for row in (d / S * (1 - shift * d), d / S * d)]
        shifted, positions = recurrence(block, (along[0], along[1]))
        return shifted + jnp.broadcast_to(shift, positions.shape) * positions, positions


def complex_matrix(key: Key[Array, ""], shape: tuple[int, int], dtype: np.dtype) -> Float[Array, "rows columns 2"]:
    """Real and imaginary parts drawn evenly from ±1/√columns.

    Args:
        key: A JAX random key.
        shape: Rows and columns.
        dtype: The floating-point type.
    """
    end = shape[1] ** -0.5
    return jax.random.uniform(key, (*shape, 2), dtype, -end, end)
