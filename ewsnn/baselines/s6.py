"""S6: the selective state-space model, whose step, input and output depend on what is read."""

from typing import ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import PRECISION, Numbers, default_float
from ewsnn.baselines.layer import AbstractStateSpace, arrays, check_width
from ewsnn.baselines.recurrence import varying


class S6(AbstractStateSpace):
    r"""The selective state-space model of Gu and Dao (arXiv 2312.00752), without convolution and gate.

    .. math::
        (δ_j, B_j, C_j) = W_x u_j, \quad Δ_j = \mathrm{softplus}(W_Δ δ_j + c_Δ), \quad
        h_j = e^{-Δ_j a} ∘ h_{j-1} + (Δ_j ∘ u_j) B_j^⊤, \quad y_j = h_j C_j + D ∘ u_j

    with a = exp(``A_log``). A channel has a step of its own, and N states.

    Args:
        A_log: Logarithms of the rates a, (H, N).
        D: The skip, (H,).
        x_proj__weight: W_x, (R + 2N, H); R is the rank of the map to the steps. Stored elsewhere as "x_proj.weight".
        dt_proj__weight: W_Δ, (H, R).
        dt_proj__bias: c_Δ, (H,).

    Raises:
        ValueError: If shapes do not fit.

    >>> layer = S6.init(jax.random.key(0), 4, 8)
    >>> layer.states(jnp.ones((5, 4))).shape, layer(jnp.ones((5, 4))).shape
    ((5, 4, 8), (5, 4))
    """

    kind: ClassVar[str] = "s6"
    A_log: Float[Array, "width states"]
    D: Float[Array, " width"]
    x_proj__weight: Float[Array, "selected width"]
    dt_proj__weight: Float[Array, "width rank"]
    dt_proj__bias: Float[Array, " width"]

    def __init__(
        self, A_log: Numbers, D: Numbers, x_proj__weight: Numbers, dt_proj__weight: Numbers, dt_proj__bias: Numbers
    ) -> None:
        found = arrays(
            D=(D, "H"),
            A_log=(A_log, "H N"),
            dt_proj__weight=(dt_proj__weight, "H R"),
            dt_proj__bias=(dt_proj__bias, "H"),
            x_proj__weight=(x_proj__weight, "selected H"),
        )
        self.A_log, self.D, self.x_proj__weight = found["A_log"], found["D"], found["x_proj__weight"]
        self.dt_proj__weight, self.dt_proj__bias = found["dt_proj__weight"], found["dt_proj__bias"]
        selected = self.dt_proj__weight.shape[1] + 2 * self.A_log.shape[1]
        if self.x_proj__weight.shape[0] != selected:
            raise ValueError(f"x_proj__weight must have R + 2N = {selected} rows, got {self.x_proj__weight.shape[0]}.")

    @classmethod
    def init(cls, key: Key[Array, ""], width: int, states: int, *, dt_min: float = 0.001, dt_max: float = 0.1) -> "S6":
        """A layer to be trained: rates 1 to N, uniform maps, and a bias that makes the logarithms of steps uniform.

        Args:
            key: A JAX random key.
            width: The width H of inputs and outputs. The rank R of the steps is ⌈H/16⌉.
            states: The number N of states of a channel.
            dt_min: The least step for an input of zero; none is below 1e-4.
            dt_max: The largest one.
        """
        for_x, for_dt, for_step = jax.random.split(key, 3)
        dtype, rank = default_float(), -(-width // 16)
        ends = np.log(dt_min).item(), np.log(dt_max).item()
        step = jnp.maximum(jnp.exp(jax.random.uniform(for_step, (width,), dtype, *ends)), 1e-4)
        return cls(
            A_log=jnp.broadcast_to(jnp.log(jnp.arange(1, states + 1, dtype=dtype)), (width, states)),
            D=jnp.ones((width,), dtype),
            x_proj__weight=_uniform(for_x, (rank + 2 * states, width), width, dtype),
            dt_proj__weight=_uniform(for_dt, (width, rank), rank, dtype),
            dt_proj__bias=step + jnp.log(-jnp.expm1(-step)),  # what softplus takes to the step
        )

    def states(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width states"]:
        """The states after every step, (…, steps, H, N)."""
        check_width(inputs, self.width)
        step, B, _ = self._selected(inputs)
        exponent = step[..., None] * jnp.broadcast_to(jnp.exp(self.A_log), (*step.shape, self.A_log.shape[1]))
        driven = (step * inputs)[..., :, None] * B[..., None, :]
        return varying(jnp.exp(-exponent), driven)

    def __call__(self, inputs: Float[Array, "*batch steps width"]) -> Float[Array, "*batch steps width"]:
        """The outputs at every step."""
        states = self.states(inputs)
        _, _, C = self._selected(inputs)
        return jnp.einsum("...dn,...n->...d", states, C, precision=PRECISION) + self.skip(inputs)

    def _selected(
        self, inputs: Float[Array, "*batch steps width"]
    ) -> tuple[
        Float[Array, "*batch steps width"], Float[Array, "*batch steps states"], Float[Array, "*batch steps states"]
    ]:
        """The step Δ of each channel, and B and C, at every step."""
        rank, states = self.dt_proj__weight.shape[1], self.A_log.shape[1]
        found = jnp.einsum("...h,sh->...s", inputs, self.x_proj__weight, precision=PRECISION)
        raw, B, C = jnp.split(found, [rank, rank + states], axis=-1)
        raw = jnp.einsum("...r,hr->...h", raw, self.dt_proj__weight, precision=PRECISION)
        return jax.nn.softplus(raw + jnp.broadcast_to(self.dt_proj__bias, raw.shape)), B, C


def _uniform(key: Key[Array, ""], shape: tuple[int, int], inputs: int, dtype: np.dtype) -> Float[Array, "rows columns"]:
    end = inputs**-0.5
    return jax.random.uniform(key, shape, dtype, -end, end)
