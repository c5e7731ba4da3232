"""D-LinOSS: a layer of oscillators with learned damping."""

from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import Numbers, default_float
from ewsnn.baselines.layer import arrays
from ewsnn.baselines.oscillator import AbstractOscillator, Discretised, complex_matrix


class DLinOSS(AbstractOscillator):
    r"""D-LinOSS of Boyer, Rusch and Rus (arXiv 2505.12171), the damping implicit and the stiffness explicit.

    .. math:: z_j = z_{j-1} + d (-A y_{j-1} - G z_j + B u_j), \qquad y_j = y_{j-1} + d z_j

    with :math:`d = σ(\mathtt{dt})`, :math:`G = \max(\mathtt{G\_diag}, 0)` and A = ``A_diag`` kept in the range where
    both eigenvalues are complex, :math:`\bigl(\tfrac{\sqrt{1+dG} ∓ 1}{d}\bigr)^2`.

    Args:
        A_diag: Stiffnesses before they are brought into the range, (P,).
        G_diag: Dampings before the maximum, (P,).
        dt: Steps before the sigmoid, (P,).
        B: The input matrix, (P, H, 2): real and imaginary parts on the last axis.
        C: The output matrix, (H, P, 2).
        D: The skip, (H,).

    Raises:
        ValueError: If shapes do not fit.

    >>> DLinOSS.init(jax.random.key(0), 4, 8)(jnp.ones((5, 4))).shape
    (5, 4)
    """

    kind: ClassVar[str] = "dlinoss"
    A_diag: Float[Array, " modes"]
    G_diag: Float[Array, " modes"]
    dt: Float[Array, " modes"]
    B: Float[Array, "modes width 2"]
    C: Float[Array, "width modes 2"]
    D: Float[Array, " width"]

    def __init__(self, A_diag: Numbers, G_diag: Numbers, dt: Numbers, B: Numbers, C: Numbers, D: Numbers) -> None:
        found = arrays(
            A_diag=(A_diag, "P"), G_diag=(G_diag, "P"), dt=(dt, "P"), D=(D, "H"), B=(B, "P H 2"), C=(C, "H P 2")
        )
        self.A_diag, self.G_diag, self.dt = found["A_diag"], found["G_diag"], found["dt"]
        self.B, self.C, self.D = found["B"], found["C"], found["D"]

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        width: int,
        states: int,
        *,
        r_min: float = 0.9,
        r_max: float = 1.0,
        max_phase: float = np.pi,
        dt_deviation: float = 0.5,
    ) -> "DLinOSS":
        r"""A layer to be trained, its eigenvalues λ uniform over a half ring.

        Determinant and trace of the recurrence are :math:`1/S = |λ|^2` and :math:`(1 + S - d^2 A)/S = 2\,\mathrm{Re} λ`
        with S = 1 + dG, hence

        .. math:: G = (|λ|^{-2} - 1)/d, \qquad A = (1 + S - 2 S \, \mathrm{Re} λ)/d^2

        Args:
            key: A JAX random key.
            width: The width H of inputs and outputs.
            states: The number P of oscillators.
            r_min: The inner radius of the ring.
            r_max: Its outer radius.
            max_phase: The largest angle.
            dt_deviation: The standard deviation of the steps before the sigmoid.

        Raises:
            ValueError: If the radii are not those of a ring in the unit disc, or the angle is above π.
        """
        if not (0 < r_min <= r_max <= 1 and 0 < max_phase <= np.pi):
            raise ValueError(
                "the ring needs 0 < r_min <= r_max <= 1 and an angle above 0 and at most π, got "
                f"{r_min}, {r_max} and {max_phase}."
            )
        for_radius, for_angle, for_dt, for_B, for_C, for_D = jax.random.split(key, 6)
        dtype = default_float()
        dt = dt_deviation * jax.random.normal(for_dt, (states,), dtype)
        d = jax.nn.sigmoid(dt)
        squared = r_min**2 + (r_max**2 - r_min**2) * jax.random.uniform(for_radius, (states,), dtype)
        angle = max_phase * jax.random.uniform(for_angle, (states,), dtype)
        S = 1 / squared
        return cls(
            A_diag=(1 + S - 2 * jnp.sqrt(S) * jnp.cos(angle)) / (d * d),
            G_diag=(S - 1) / d,
            dt=dt,
            B=complex_matrix(for_B, (states, width), dtype),
            C=complex_matrix(for_C, (width, states), dtype),
            D=jax.random.normal(for_D, (width,), dtype),
        )

    def discretised(self) -> Discretised:
        """S = 1 + dG; ω² = A - (dA - G)²/4, by its zeros, which are the ends of the range."""
        d, G = jax.nn.sigmoid(self.dt), jax.nn.relu(self.G_diag)
        S = 1 + d * G
        # √A_low · d = √S - 1 without cancellation, and √A_high · d.
        low, high = d * G / (jnp.sqrt(S) + 1), jnp.sqrt(S) + 1
        # The release takes the range to be smaller for steps below a thousandth.
        least = jnp.maximum(d * d, 1e-6)
        A = jnp.clip(self.A_diag, low * low / least, high * high / least)
        frequency = (A - (G / high) ** 2) * (high * high - d * d * A) / 4
        return Discretised(d, S, (1 + S - d * d * A) / (2 * S), frequency, (d * A - G) / 2)
