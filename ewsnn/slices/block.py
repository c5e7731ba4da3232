"""The SLiCE block of deep models: the layer, channel mixing and layer normalisation, with two skips."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from ewsnn.affine import Affine
from ewsnn.arrays import Numbers, as_float, default_float
from ewsnn.blocks import AbstractBlock
from ewsnn.paths import Increments, Signal
from ewsnn.slices.layer import SLiCELayer, State, normal_start
from ewsnn.slices.log_ode import LogODE
from ewsnn.slices.structures import BD, AbstractStructure


class LayerNorm(eqx.Module):
    r"""A vector shifted to mean 0 and scaled to variance 1, then entry by entry to a learned scale and bias.

    .. math:: x ↦ s ∘ \frac{x - μ}{\sqrt{σ^2 + ε}} + c

    Args:
        scale: The scale s, (width,).
        bias: The bias c, (width,).
        epsilon: The number ε below the root.

    Raises:
        ValueError: If scale and bias are no vectors of one size, or ε is not positive.

    >>> LayerNorm([1.0, 2.0], [0.0, 1.0])(jnp.array([3.0, 5.0])).round(3).tolist()
    [-1.0, 3.0]
    """

    scale: Float[Array, " width"]
    bias: Float[Array, " width"]
    epsilon: float = eqx.field(static=True)

    def __init__(self, scale: Numbers, bias: Numbers, epsilon: float = 1e-5) -> None:
        self.scale, self.bias = as_float("scale", scale), as_float("bias", bias)
        if self.scale.ndim != 1 or self.bias.shape != self.scale.shape:
            raise ValueError(f"scale and bias must be (width,), got shapes {self.scale.shape} and {self.bias.shape}.")
        if not epsilon > 0:
            raise ValueError(f"epsilon must be above 0, got {epsilon}.")
        self.epsilon = float(epsilon)

    @classmethod
    def init(cls, width: int) -> "LayerNorm":
        """A scale of ones and a bias of zeros."""
        return cls(jnp.ones((width,), default_float()), jnp.zeros((width,), default_float()))

    def __call__(self, x: Float[Array, "*batch width"]) -> Float[Array, "*batch width"]:
        """The normalised vectors."""
        centred = x - jnp.mean(x, axis=-1, keepdims=True)
        scaled = centred * jax.lax.rsqrt(jnp.mean(centred**2, axis=-1, keepdims=True) + self.epsilon)
        return scaled * jnp.broadcast_to(self.scale, x.shape) + jnp.broadcast_to(self.bias, x.shape)


class SLiCEBlock(AbstractBlock):
    r"""One block of a deep model of SLiCEs: a signal u of width H in, a signal y of width H out.

    .. math::
        h_0 = ξ(u_0), \quad h_k = F_k h_{k-1}, \quad Δω_k = c \, Δt_k (u_k, 1), \qquad
        z = u + h, \quad y = \mathrm{LayerNorm}(z + \tanh(W z + b))

    The CDE is driven by the integral of the signal beside the time, :math:`ω = c \int (u_s, 1) \, ds`, so that the
    field of a step is the matrix of its vector, and real time stamps count. The first vector enters by the start map
    alone. Published models have c = 1/40, steps of one, and the first-order flow.

    Args:
        layer: Start map, structure and flow; the structure has H + 1 channels, the last one the time, and H rows.
        mixing: W, (H, H), and b.
        norm: The norm behind the second skip.
        unit: The number c.
        dropout: The share of entries of y that training does not see.

    Raises:
        ValueError: If sizes do not fit, the layer reads windows of several steps, the unit is not positive, or dropout
            is not in [0, 1).

    >>> block = eqx.filter_eval_shape(SLiCEBlock.init, jax.random.key(0), width=128)
    >>> sum(leaf.size for leaf in jax.tree.leaves(block)) == 129 * 512 + 2 * (128 * 128 + 128) + 256
    True
    """

    layer: SLiCELayer
    mixing: Affine
    norm: LayerNorm
    unit: float = eqx.field(static=True, default=1 / 40)
    dropout: float = eqx.field(static=True, default=0.01)

    def __check_init__(self) -> None:
        H, structure = self.width, self.layer.structure
        if structure.channels != H + 1 or self.layer.initial.weight.shape != (H, H):
            raise ValueError(
                f"a layer with {H} rows in a block must have {H + 1} channels, the signal and the time, and a start "
                f"map {(H, H)}, got {structure.channels} channels and {self.layer.initial.weight.shape}."
            )
        if self.mixing.weight.shape != (H, H) or self.norm.scale.shape != (H,):
            raise ValueError(
                f"mixing and norm must be of width {H}, got {self.mixing.weight.shape} and {self.norm.scale.shape}."
            )
        if isinstance(structure, LogODE) and structure.samples > 1:
            raise ValueError(
                f"a block has an output at every step, but the layer reads windows of {structure.samples} steps: take "
                "its structure itself."
            )
        if not self.unit > 0:
            raise ValueError(f"unit must be above 0, got {self.unit}.")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and less than 1, got {self.dropout}.")

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        width: int,
        *,
        structure: AbstractStructure | None = None,
        flow: str = "exact",
        sigma: float = 0.5,
        unit: float = 1 / 40,
        dropout: float = 0.01,
    ) -> "SLiCEBlock":
        """A block to be trained.

        Args:
            key: A JAX random key.
            width: The width H of the signal.
            structure: The matrices, H + 1 channels of H rows; None for blocks of size four.
            flow: "exact" or "first-order".
            sigma: How far the start map, and the blocks of four, are drawn from 0.
            unit: The number c.
            dropout: The share of entries that training does not see.

        Raises:
            ValueError: As for the class.
        """
        for_structure, for_start, for_mixing = jax.random.split(key, 3)
        chosen = BD.init(for_structure, width + 1, width, sigma=sigma) if structure is None else structure
        return cls(
            layer=SLiCELayer(normal_start(for_start, width, width, sigma=sigma), chosen, flow=flow),
            mixing=Affine.init(for_mixing, width, width),
            norm=LayerNorm.init(width),
            unit=unit,
            dropout=dropout,
        )

    @property
    def width(self) -> int:
        """The width H of the signal."""
        return self.layer.size

    def __call__(self, signal: Signal, *, key: Key[Array, ""] | None = None, engine: str = "auto") -> Signal:
        """The signal behind the block.

        Args:
            signal: The signal u, with any leading axes.
            key: Chooses what dropout leaves out; None, as at inference, leaves out nothing.
            engine: The mode of the layer: "recurrent", "chunked", "full", or "auto" for the one that suits the machine.

        Raises:
            ValueError: If the signal has another width or floating-point type than the block.
        """
        return self.feed(self.start(signal.valid.shape[:-1]), signal, key=key, engine=engine)[1]

    def start(self, batch_shape: tuple[int, ...] = (), t0: Numbers = 0.0) -> State:
        """The state of a stream that begins, as for :meth:`ewsnn.slices.SLiCELayer.start`.

        Args:
            batch_shape: The leading axes: that many streams at once.
            t0: The absolute time stamp of the start, a number or (…,).
        """
        return self.layer.start(batch_shape, t0)

    @eqx.filter_jit
    def feed(
        self, state: State, signal: Signal, *, key: Key[Array, ""] | None = None, engine: str = "auto"
    ) -> tuple[State, Signal]:
        """A chunk of the signal more, of any size.

        Args:
            state: The state before the chunk.
            signal: The chunk u, padding allowed.
            key: As for calls.
            engine: As for calls.

        Returns:
            The state after the chunk, and the chunk of the signal behind the block.

        Raises:
            ValueError: If the chunk does not fit the state or the block.
        """
        if signal.values.shape[-1] != self.width:
            raise ValueError(f"the block has width {self.width}, the signal {signal.values.shape[-1]}.")
        if signal.valid.shape[-1] == 0:
            return state, signal
        # A stream that has not begun begins here: its first vector makes the state, and its first step moves nothing.
        begun = (state.steps > 0)[..., None]
        start = self.layer.initial(signal.values[..., 0, :])
        hidden = jnp.where(jnp.broadcast_to(begun, start.shape), state.hidden, start)
        state, h = self.layer.feed(
            dataclasses.replace(state, hidden=hidden), self.path(signal, begun), output="all", mode=engine
        )
        return state, signal.with_values(self.combine(signal.values, h, key=key))

    def path(self, signal: Signal, begun: Array) -> Increments:
        """The driving path ω, its increments those of the signal's integral and of the time.

        Args:
            signal: The signal u.
            begun: Whether the signal continues another one, (…, 1); if not, its first step moves nothing.
        """
        spans = self.unit * signal.dt[..., None]
        values = jnp.concatenate([signal.values, jnp.ones_like(spans)], axis=-1)
        moved = jnp.broadcast_to(spans, values.shape) * values
        still = jnp.where(jnp.broadcast_to(begun, moved[..., 0, :].shape), moved[..., 0, :], 0)
        return Increments(moved.at[..., 0, :].set(still), signal.dt, signal.valid, operations=("base point",))

    def combine(
        self, u: Float[Array, "*batch width"], h: Float[Array, "*batch width"], *, key: Key[Array, ""] | None = None
    ) -> Float[Array, "*batch width"]:
        """The output y from the signal and the states, each step by itself.

        Args:
            u: The signal at some steps.
            h: The states after these steps.
            key: Chooses what dropout leaves out; None leaves out nothing.
        """
        z = u + h
        y = self.norm(z + jnp.tanh(self.mixing(z)))
        return y if key is None else eqx.nn.Dropout(self.dropout)(y, key=key)
