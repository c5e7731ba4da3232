"""S5: one diagonal complex state-space model with many inputs and outputs."""

from typing import ClassVar, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Complex, Float, Key

from ewsnn.arrays import Numbers, default_float
from ewsnn.baselines.layer import AbstractStateSpace, arrays, check_width
from ewsnn.baselines.recurrence import Block, modes, real_part, recurrence


class S5(AbstractStateSpace):
    r"""The S5 layer of Smith, Warrington and Linderman (arXiv 2208.04933).

    .. math::
        h_j = \bar Λ h_{j-1} + \bar B u_j, \qquad y_j = κ \, \mathrm{Re}(C h_j) + D ∘ u_j

    With Λ = ``Lambda_re`` + i ``Lambda_im`` and the steps Δ = ``step_rescale`` · exp(``log_step``), of each mode its
    own, the zero-order hold has :math:`\bar Λ = e^{ΔΛ}` and :math:`\bar B = Λ^{-1}(e^{ΔΛ} - 1) B`, the bilinear rule
    :math:`\bar Λ = (1 + ΔΛ/2)/(1 - ΔΛ/2)` and :math:`\bar B = Δ/(1 - ΔΛ/2) B`.

    Args:
        Lambda_re: Real parts of the eigenvalues, (P,).
        Lambda_im: Imaginary parts, (P,).
        B: The input matrix, (P, H, 2): real and imaginary parts on the last axis.
        C: The output matrix, (H, P, 2).
        D: The skip, (H,).
        log_step: Logarithms of the steps, (P, 1).
        conj_sym: Whether the modes stand for themselves and their conjugates; then κ = 2, else 1.
        clip_eigs: Whether real parts are kept at most at -1e-4.
        step_rescale: A factor on all steps.
        discretisation: "zoh" or "bilinear".

    Raises:
        ValueError: If shapes do not fit or the discretisation is unknown.

    >>> layer = S5.init(jax.random.key(0), 4, 8, blocks=2)
    >>> layer(jnp.ones((5, 4))).shape, layer.Lambda_re.tolist()
    ((5, 4), [-0.5, -0.5, -0.5, -0.5])
    """

    kind: ClassVar[str] = "s5"
    Lambda_re: Float[Array, " modes"]
    Lambda_im: Float[Array, " modes"]
    B: Float[Array, "modes width 2"]
    C: Float[Array, "width modes 2"]
    D: Float[Array, " width"]
    log_step: Float[Array, "modes 1"]
    conj_sym: bool = eqx.field(static=True)
    clip_eigs: bool = eqx.field(static=True)
    step_rescale: float = eqx.field(static=True)
    discretisation: Literal["zoh", "bilinear"] = eqx.field(static=True)

    def __init__(
        self,
        Lambda_re: Numbers,
        Lambda_im: Numbers,
        B: Numbers,
        C: Numbers,
        D: Numbers,
        log_step: Numbers,
        *,
        conj_sym: bool | np.ndarray = True,
        clip_eigs: bool | np.ndarray = False,
        step_rescale: float | np.ndarray = 1.0,
        discretisation: str | np.ndarray = "zoh",
    ) -> None:
        found = arrays(
            Lambda_re=(Lambda_re, "P"),
            Lambda_im=(Lambda_im, "P"),
            D=(D, "H"),
            B=(B, "P H 2"),
            C=(C, "H P 2"),
            log_step=(log_step, "P 1"),
        )
        self.Lambda_re, self.Lambda_im, self.log_step = found["Lambda_re"], found["Lambda_im"], found["log_step"]
        self.B, self.C, self.D = found["B"], found["C"], found["D"]
        self.conj_sym, self.clip_eigs, self.step_rescale = bool(conj_sym), bool(clip_eigs), float(step_rescale)
        if str(discretisation) == "zoh":
            self.discretisation = "zoh"
        elif str(discretisation) == "bilinear":
            self.discretisation = "bilinear"
        else:
            raise ValueError(f"discretisation must be 'zoh' or 'bilinear', got {str(discretisation)!r}.")

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        width: int,
        states: int,
        *,
        blocks: int = 1,
        dt_min: float = 0.001,
        dt_max: float = 0.1,
    ) -> "S5":
        """A layer to be trained: the normal part of HiPPO-LegS on each block, one of each pair of conjugates kept.

        The input matrix is normal with variance 1/states, the output matrix normal, cut at two deviations, with
        variance 1/states as well; both are then taken to the eigenvectors. Logarithms of the steps are uniform.

        Args:
            key: A JAX random key.
            width: The width H of inputs and outputs.
            states: The number of states, conjugates counted; P is half of it.
            blocks: The number of equal blocks.
            dt_min: The least step.
            dt_max: The largest step.

        Raises:
            ValueError: If the states cannot be cut into blocks of even size.
        """
        if states < 2 or blocks < 1 or states % (2 * blocks):
            raise ValueError(f"states must be a multiple of 2·blocks = {2 * blocks}, got {states}.")
        for_B, for_C, for_D, for_step = jax.random.split(key, 4)
        dtype, size, half = default_float(), states // blocks, states // (2 * blocks)
        frequencies, V = hippo_normal(size)
        V = np.kron(np.eye(blocks), V[:, :half])  # (states, P)
        deviation = np.sqrt(1 / states).item()
        # Two deviations cut off leave this much of one.
        kept = 0.87962566103423978
        free_B = deviation * jax.random.normal(for_B, (states, width), dtype)
        free_C = deviation / kept * jax.random.truncated_normal(for_C, -2, 2, (width, states, 2), dtype)
        B = jnp.stack([jnp.asarray(part, dtype).T @ free_B for part in (V.real, -V.imag)], axis=-1)
        re, im = (jnp.asarray(part, dtype) for part in (V.real, V.imag))
        C = jnp.stack([free_C[..., 0] @ re - free_C[..., 1] @ im, free_C[..., 0] @ im + free_C[..., 1] @ re], axis=-1)
        ends = np.log(dt_min).item(), np.log(dt_max).item()
        return cls(
            Lambda_re=jnp.full((states // 2,), -0.5, dtype),
            Lambda_im=jnp.asarray(np.tile(frequencies[:half], blocks), dtype),
            B=B,
            C=C,
            D=jax.random.normal(for_D, (width,), dtype),
            log_step=jax.random.uniform(for_step, (states // 2, 1), dtype, *ends),
        )

    def states(self, inputs: Float[Array, "*batch steps width"]) -> Complex[Array, "*batch steps modes"]:
        """The complex states after every step, (…, steps, P)."""
        return jax.lax.complex(*self._states(inputs))

    def __call__(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width"]:
        """The outputs at every step."""
        read = real_part(self.C, jnp.stack(self._states(inputs), axis=-3))
        return (2 if self.conj_sym else 1) * read + self.skip(inputs)

    def _states(
        self, inputs: Float[Array, "*batch steps width"]
    ) -> tuple[Float[Array, "*batch steps modes"], Float[Array, "*batch steps modes"]]:
        check_width(inputs, self.width)
        transition, factor = self._discretised()
        driven = modes(self.B, inputs)
        forcing = Block.complex(factor.real, factor.imag)((driven[..., 0, :, :], driven[..., 1, :, :]))
        return recurrence(Block.complex(transition.real, transition.imag), forcing)

    def _discretised(self) -> tuple[Complex[Array, " modes"], Complex[Array, " modes"]]:
        """The transition of each mode, and what its row of B is multiplied with."""
        re = jnp.minimum(self.Lambda_re, -1e-4) if self.clip_eigs else self.Lambda_re
        step = self.step_rescale * jnp.exp(self.log_step[:, 0])
        x, y = step * re, step * self.Lambda_im
        whole = jax.lax.complex(step, jnp.zeros_like(step))
        if self.discretisation == "bilinear":
            half = jax.lax.complex(x / 2, y / 2)
            return (1 + half) / (1 - half), whole / (1 - half)
        exponent = jax.lax.complex(x, y)
        zero = (x == 0) & (y == 0)
        safe = jnp.where(zero, jnp.ones_like(exponent), exponent)
        share = jnp.where(zero, jnp.ones_like(exponent), jnp.expm1(safe) / safe)
        return jnp.exp(exponent), whole * share


def hippo_normal(size: int) -> tuple[np.ndarray, np.ndarray]:
    r"""Frequencies and eigenvectors of the normal part of the HiPPO-LegS matrix.

    .. math:: A_{nk} = -\tfrac12 [n = k] \mp \tfrac12 \sqrt{(2n+1)(2k+1)} \; (n ≷ k)

    Its eigenvalues are -1/2 + iω, the frequencies ω in pairs of either sign.

    Args:
        size: The number N of states.

    Returns:
        The frequencies in increasing order, (N,), and the eigenvectors as columns, (N, N), complex.

    >>> hippo_normal(2)[0].round(6).tolist()
    [-0.866025, 0.866025]
    """
    root = np.sqrt(2 * np.arange(size) + 1)
    skew = np.triu(np.outer(root, root) / 2, 1)
    frequencies, vectors = np.linalg.eigh(-1j * (skew - skew.T))
    return frequencies, vectors
