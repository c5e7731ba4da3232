"""LRU: the linear recurrent unit, a diagonal complex recurrence that comes from no continuous model."""

from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Complex, Float, Key

from ewsnn.arrays import Numbers, default_float
from ewsnn.baselines.layer import AbstractStateSpace, arrays, check_width
from ewsnn.baselines.recurrence import Block, modes, real_part, recurrence


class LRU(AbstractStateSpace):
    r"""The linear recurrent unit of Orvieto et al. (arXiv 2303.06349).

    .. math:: h_j = λ ∘ h_{j-1} + γ ∘ (B u_j), \qquad λ = e^{-ν + iϑ}, \qquad y_j = \mathrm{Re}(C h_j) + D ∘ u_j

    Args:
        nu_log: Logarithms of the dampings ν, (P,).
        theta_log: Logarithms of the angles ϑ, (P,).
        gamma_log: Logarithms of the factors γ, (P,).
        B_re: Real part of the input matrix, (P, H).
        B_im: Its imaginary part.
        C_re: Real part of the output matrix, (H, P).
        C_im: Its imaginary part.
        D: The skip, (H,).

    Raises:
        ValueError: If shapes do not fit.

    >>> layer = LRU.init(jax.random.key(0), 4, 8)
    >>> layer(jnp.ones((5, 4))).shape
    (5, 4)
    """

    kind: ClassVar[str] = "lru"
    nu_log: Float[Array, " modes"]
    theta_log: Float[Array, " modes"]
    gamma_log: Float[Array, " modes"]
    B_re: Float[Array, "modes width"]
    B_im: Float[Array, "modes width"]
    C_re: Float[Array, "width modes"]
    C_im: Float[Array, "width modes"]
    D: Float[Array, " width"]

    def __init__(
        self,
        nu_log: Numbers,
        theta_log: Numbers,
        gamma_log: Numbers,
        B_re: Numbers,
        B_im: Numbers,
        C_re: Numbers,
        C_im: Numbers,
        D: Numbers,
    ) -> None:
        found = arrays(
            nu_log=(nu_log, "P"),
            theta_log=(theta_log, "P"),
            gamma_log=(gamma_log, "P"),
            D=(D, "H"),
            B_re=(B_re, "P H"),
            B_im=(B_im, "P H"),
            C_re=(C_re, "H P"),
            C_im=(C_im, "H P"),
        )
        self.nu_log, self.theta_log, self.gamma_log = found["nu_log"], found["theta_log"], found["gamma_log"]
        self.B_re, self.B_im, self.C_re, self.C_im = found["B_re"], found["B_im"], found["C_re"], found["C_im"]
        self.D = found["D"]

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        width: int,
        states: int,
        *,
        r_min: float = 0.0,
        r_max: float = 1.0,
        max_phase: float = 6.28,
    ) -> "LRU":
        r"""A layer to be trained: λ uniform over a ring, :math:`γ = \sqrt{1 - |λ|^2}`, normal matrices.

        Args:
            key: A JAX random key.
            width: The width H of inputs and outputs.
            states: The number P of modes.
            r_min: The inner radius of the ring.
            r_max: Its outer radius.
            max_phase: The largest angle.

        Raises:
            ValueError: If the radii are not those of a ring in the unit disc.
        """
        if not 0 <= r_min < r_max <= 1:
            raise ValueError(f"the ring needs 0 <= r_min < r_max <= 1, got {r_min} and {r_max}.")
        dtype = default_float()
        for_radius, for_angle, for_D, *for_matrices = jax.random.split(key, 7)
        # Away from the ends of (0, 1), where the logarithms are not finite.
        tiny = np.finfo(dtype).eps.item()
        share = jax.random.uniform(for_radius, (states,), dtype, tiny, 1 - tiny)
        squared = share * (r_max**2 - r_min**2) + r_min**2
        angle = max_phase * jax.random.uniform(for_angle, (states,), dtype, tiny, 1)
        shapes = [(states, width)] * 2 + [(width, states)] * 2
        deviations = [np.sqrt(1 / (2 * width)).item()] * 2 + [np.sqrt(1 / states).item()] * 2
        B_re, B_im, C_re, C_im = (
            deviation * jax.random.normal(own, shape, dtype)
            for own, shape, deviation in zip(for_matrices, shapes, deviations, strict=True)
        )
        return cls(
            nu_log=jnp.log(-jnp.log(squared) / 2),
            theta_log=jnp.log(angle),
            gamma_log=jnp.log1p(-squared) / 2,
            B_re=B_re,
            B_im=B_im,
            C_re=C_re,
            C_im=C_im,
            D=jax.random.normal(for_D, (width,), dtype),
        )

    def states(self, inputs: Float[Array, "*batch steps width"]) -> Complex[Array, "*batch steps modes"]:
        """The complex states after every step, (…, steps, P)."""
        return jax.lax.complex(*self._states(inputs))

    def __call__(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width"]:
        """The outputs at every step."""
        weight = jnp.stack([self.C_re, self.C_im], axis=-1)
        return real_part(weight, jnp.stack(self._states(inputs), axis=-3)) + self.skip(inputs)

    def _states(
        self, inputs: Float[Array, "*batch steps width"]
    ) -> tuple[Float[Array, "*batch steps modes"], Float[Array, "*batch steps modes"]]:
        check_width(inputs, self.width)
        radius, angle = jnp.exp(-jnp.exp(self.nu_log)), jnp.exp(self.theta_log)
        gamma = jnp.exp(self.gamma_log)[:, None]
        weight = jnp.stack([self.B_re, self.B_im], axis=-1) * jnp.broadcast_to(gamma[..., None], (*self.B_re.shape, 2))
        driven = modes(weight, inputs)
        block = Block.complex(radius * jnp.cos(angle), radius * jnp.sin(angle))
        return recurrence(block, (driven[..., 0, :, :], driven[..., 1, :, :]))
