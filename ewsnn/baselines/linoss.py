"""LinOSS: layers of undamped oscillators in the implicit and the implicit-explicit discretisation."""

from typing import ClassVar, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from ewsnn.arrays import Numbers, default_float
from ewsnn.baselines.layer import arrays
from ewsnn.baselines.oscillator import AbstractOscillator, Discretised, complex_matrix

Layer = TypeVar("Layer", bound="AbstractLinOSS")


class AbstractLinOSS(AbstractOscillator):
    """Parameters and initialisation, which both discretisations share."""

    A_diag: Float[Array, " modes"]
    steps: Float[Array, " modes"]
    B: Float[Array, "modes width 2"]
    C: Float[Array, "width modes 2"]
    D: Float[Array, " width"]

    def __init__(self, A_diag: Numbers, steps: Numbers, B: Numbers, C: Numbers, D: Numbers) -> None:
        found = arrays(A_diag=(A_diag, "P"), steps=(steps, "P"), D=(D, "H"), B=(B, "P H 2"), C=(C, "H P 2"))
        self.A_diag, self.steps = found["A_diag"], found["steps"]
        self.B, self.C, self.D = found["B"], found["C"], found["D"]

    @classmethod
    def init(cls: type[Layer], key: Key[Array, ""], width: int, states: int) -> Layer:
        """A layer to be trained: stiffness and raw step uniform in [0, 1], uniform matrices, a normal skip.

        Args:
            key: A JAX random key.
            width: The width H of inputs and outputs.
            states: The number P of oscillators.
        """
        for_A, for_steps, for_B, for_C, for_D = jax.random.split(key, 5)
        dtype = default_float()
        return cls(
            A_diag=jax.random.uniform(for_A, (states,), dtype),
            steps=jax.random.uniform(for_steps, (states,), dtype),
            B=complex_matrix(for_B, (states, width), dtype),
            C=complex_matrix(for_C, (width, states), dtype),
            D=jax.random.normal(for_D, (width,), dtype),
        )

    def _step_and_stiffness(self) -> tuple[Float[Array, " modes"], Float[Array, " modes"]]:
        return jax.nn.sigmoid(self.steps), jax.nn.relu(self.A_diag)


class LinOSSIM(AbstractLinOSS):
    r"""LinOSS of Rusch and Rus (arXiv 2410.03943), implicit: it damps, the more the faster an oscillator.

    .. math::
        z_j = z_{j-1} + d (-A y_j + B u_j), \qquad y_j = y_{j-1} + d z_j, \qquad
        d = σ(\mathtt{steps}), \; A = \max(\mathtt{A\_diag}, 0)

    Args:
        A_diag: Stiffnesses before the maximum, (P,).
        steps: Steps before the sigmoid, (P,).
        B: The input matrix, (P, H, 2): real and imaginary parts on the last axis.
        C: The output matrix, (H, P, 2).
        D: The skip, (H,).

    Raises:
        ValueError: If shapes do not fit.

    >>> layer = LinOSSIM.init(jax.random.key(0), 4, 8)
    >>> layer.states(jnp.ones((5, 4))).shape, layer(jnp.ones((5, 4))).shape
    ((5, 16), (5, 4))
    """

    kind: ClassVar[str] = "linoss-im"

    def discretised(self) -> Discretised:
        """S = 1 + d²A; nothing is shifted."""
        d, A = self._step_and_stiffness()
        S = 1 + d * d * A
        return Discretised(d, S, 1 / S, A, jnp.zeros_like(d))


class LinOSSIMEX(AbstractLinOSS):
    r"""LinOSS of Rusch and Rus (arXiv 2410.03943), implicit-explicit: no damping at all.

    .. math:: z_j = z_{j-1} + d (-A y_{j-1} + B u_j), \qquad y_j = y_{j-1} + d z_j

    Args:
        A_diag: Stiffnesses before the maximum with 0, (P,).
        steps: Steps before the sigmoid, (P,).
        B: The input matrix, (P, H, 2): real and imaginary parts on the last axis.
        C: The output matrix, (H, P, 2).
        D: The skip, (H,).

    Raises:
        ValueError: If shapes do not fit.

    >>> LinOSSIMEX.init(jax.random.key(0), 4, 8)(jnp.ones((5, 4))).shape
    (5, 4)
    """

    kind: ClassVar[str] = "linoss-imex"

    def discretised(self) -> Discretised:
        """S = 1 and ω² = A (1 - d²A/4)."""
        d, A = self._step_and_stiffness()
        return Discretised(d, jnp.ones_like(d), 1 - d * d * A / 2, A * (1 - d * d * A / 4), d * A / 2)
