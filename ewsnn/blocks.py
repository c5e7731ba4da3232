r"""The EWS block: the layer between level normalisation, read-out and a feed-forward network, with two skips.

All of a block but the state of its layer is pointwise in the steps, so that a block streams where its layer does.
Left open by the paper's text and chosen here: the activation (GELU), the floor of the level norm and the ε of the
norm before the network (both 1e-6), and dropout on the two branches before they are added (none by default).
"""

import abc
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import tensor
from ewsnn.affine import Affine
from ewsnn.arrays import Levels, Numbers, as_float, default_float
from ewsnn.clocks import AbstractClock, Given, norm
from ewsnn.engine.stream import State
from ewsnn.generators import AbstractGenerator
from ewsnn.layers import EWSLayer
from ewsnn.level_gain import LevelGain
from ewsnn.paths import Increments, Signal
from ewsnn.paths.signal import check_reading


class LevelNorm(LevelGain):
    r"""The levels, each brought to a root mean square of one and times its gain.

    .. math:: Γ(S)^{(n)} = g_n S^{(n)} / \max(ρ_n, ε), \qquad ρ_n^2 = m^{-n} \sum_{|w|=n} ⟨w, S⟩^2

    Level 0, the constant 1, stays as it is. A level below the floor is divided by the floor, so that a state of
    zeros stays zero and its gradient is finite.

    Args:
        gain: The factors g, (depth,).
        floor: The floor ε of the root mean square.

    Raises:
        ValueError: If the gain is no vector or the floor is not positive.

    Paper: Appendix F.1.

    >>> levels = LevelNorm([2.0, 3.0])((jnp.array([3.0, -3.0]), jnp.zeros((2, 2))))
    >>> [level.tolist() for level in levels]
    [[2.0, -2.0], [[0.0, 0.0], [0.0, 0.0]]]
    """

    floor: float = eqx.field(static=True)

    def __init__(self, gain: Numbers, floor: float = 1e-6) -> None:
        super().__init__(gain)
        self.floor = _positive("floor", floor)

    def __call__(self, levels: Levels) -> Levels:
        """The normalised levels, with any leading axes.

        Raises:
            ValueError: If there are not as many levels as gains.
        """
        found = []
        for n, level in enumerate(levels, start=1):
            flat = level.reshape(*level.shape[: level.ndim - n], -1)
            rms = norm(flat) / np.sqrt(flat.shape[-1]).item()
            found.append((flat / jnp.maximum(rms, self.floor)[..., None]).reshape(level.shape))
        return super().__call__(tuple(found))


class RMSNorm(eqx.Module):
    r"""A vector brought to a root mean square of one, entry by entry times a learned scale.

    .. math:: x ↦ s ∘ x / \sqrt{\tfrac1H \sum_i x_i^2 + ε}

    Args:
        scale: The scale s, (width,).
        epsilon: The number ε below the root.

    Raises:
        ValueError: If the scale is no vector or ε is not positive.

    >>> RMSNorm([1.0, 2.0])(jnp.array([3.0, -3.0])).round(3).tolist()
    [1.0, -2.0]
    """

    scale: Float[Array, " width"]
    epsilon: float = eqx.field(static=True)

    def __init__(self, scale: Numbers, epsilon: float = 1e-6) -> None:
        self.scale = as_float("scale", scale)
        if self.scale.ndim != 1:
            raise ValueError(f"scale must have one entry for each channel, got shape {self.scale.shape}.")
        self.epsilon = _positive("epsilon", epsilon)

    @classmethod
    def init(cls, key: Key[Array, ""], width: int) -> "RMSNorm":
        """A scale of ones."""
        del key
        return cls(jnp.ones((width,), default_float()))

    def __call__(self, x: Float[Array, "*batch width"]) -> Float[Array, "*batch width"]:
        """The normalised vectors."""
        squares = jnp.mean(x**2, axis=-1, keepdims=True)
        return x * jax.lax.rsqrt(squares + self.epsilon) * jnp.broadcast_to(self.scale, x.shape)


class FeedForward(eqx.Module):
    r"""Two dense layers of constant width with a GELU between them, :math:`W_2 \, \mathrm{gelu}(W_1 x + c_1) + c_2`.

    The GELU is the exact one, :math:`x Φ(x)` with the normal distribution function.

    Args:
        first: The layer before the activation.
        second: The layer behind it.

    Paper: Appendix F.1.
    """

    first: Affine
    second: Affine

    @classmethod
    def init(cls, key: Key[Array, ""], width: int) -> "FeedForward":
        """Two layers of one width, drawn as :meth:`ewsnn.affine.Affine.init` does."""
        for_first, for_second = jax.random.split(key)
        return cls(Affine.init(for_first, width, width), Affine.init(for_second, width, width))

    def __call__(self, x: Float[Array, "*batch width"]) -> Float[Array, "*batch width"]:
        """The images of the vectors."""
        return self.second(jax.nn.gelu(self.first(x), approximate=False))


class AbstractBlock(eqx.Module):
    """What a deep model stacks: a signal in, a signal of the same width out, whole or as a stream."""

    @property
    @abc.abstractmethod
    def width(self) -> int:
        """The width H of the signal."""

    @abc.abstractmethod
    def __call__(self, signal: Signal, *, key: Key[Array, ""] | None = None, engine: str = "auto") -> Signal:
        """The signal behind the block.

        Args:
            signal: The signal, with any leading axes.
            key: Chooses what dropout leaves out; None, as at inference, leaves out nothing.
            engine: How the states are computed; "auto" for what suits the problem and the machine.
        """

    @abc.abstractmethod
    def start(self, batch_shape: tuple[int, ...] = (), t0: Numbers = 0.0) -> Any:
        """The state of a stream that begins.

        Args:
            batch_shape: The leading axes: that many streams at once.
            t0: The absolute time stamp of the start, a number or (…,).
        """

    @abc.abstractmethod
    def feed(self, state: Any, signal: Signal, *, engine: str = "auto") -> tuple[Any, Signal]:
        """A chunk of the signal more, of any size; dropout leaves out nothing.

        Args:
            state: The state before the chunk.
            signal: The chunk, padding allowed.
            engine: As for calls.

        Returns:
            The state after the chunk, and the chunk of the signal behind the block.
        """


class EWSBlock(AbstractBlock):
    r"""One block of a deep model: a signal u of width H in, a signal y of width H out.

    .. math::
        θ = \mathrm{clock}(P), \quad S_t = S_{(A,B)}(P; θ)^{≤N}_{0,t}, \quad
        z = u + C Γ(S) + c, \quad y = z + \mathrm{FF}(\mathrm{RMSNorm}(z))

    P is the path read from u, by default its integral: the increments that clock and lift read are then u itself.
    Level 0 of the state, the constant 1, is among the features that C reads.

    Args:
        layer: Lift, generator, clock and depth; the lift is (m, H).
        level_norm: Γ.
        read_out: C, (H, K), and c.
        norm: The norm before the feed-forward network.
        feed_forward: The network.
        reading: How the path is read from u: "integral" or "values", see :meth:`ewsnn.paths.Signal.path`.
        dropout: The share of entries that training does not see, of C Γ(S) + c and of the network's output.

    Raises:
        ValueError: If sizes do not fit, the reading is unknown, or dropout is not in [0, 1).

    Paper: Appendix F.1.

    >>> from ewsnn.paths import Signal
    >>> block = EWSBlock.init(jax.random.key(0), width=4, m=2, depth=2)
    >>> block(Signal.of(jnp.ones((5, 4)))).values.shape
    (5, 4)
    """

    layer: EWSLayer
    level_norm: LevelNorm
    read_out: Affine
    norm: RMSNorm
    feed_forward: FeedForward
    reading: str = eqx.field(static=True, default="integral")
    dropout: float = eqx.field(static=True, default=0.0)

    def __check_init__(self) -> None:
        width = self.layer.lift.shape[1]
        expected = (width, 1 + self.layer.size)
        if self.read_out.weight.shape != expected:
            raise ValueError(f"the read-out must be (H, K) = {expected}, got {self.read_out.weight.shape}.")
        if self.norm.scale.shape != (width,) or self.level_norm.gain.shape != (self.layer.depth,):
            raise ValueError(
                f"the norms must have {width} scales and {self.layer.depth} gains, got shapes "
                f"{self.norm.scale.shape} and {self.level_norm.gain.shape}."
            )
        if isinstance(self.layer.clock, Given):
            raise ValueError("the clock of a block reads the block's own signal, which brings no increments for Given.")
        check_reading(self.reading)
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and less than 1, got {self.dropout}.")

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        width: int,
        m: int,
        depth: int,
        *,
        generator: AbstractGenerator | None = None,
        clock: AbstractClock | None = None,
        reading: str = "integral",
        dropout: float = 0.0,
    ) -> "EWSBlock":
        """A block to be trained.

        Args:
            key: A JAX random key.
            width: The width H of the signal.
            m: Number of letters.
            depth: The truncation depth.
            generator: Another generator than stable damped rotations, of size m.
            clock: Another clock than time; it reads H channels.
            reading: How the path is read from the signal.
            dropout: The share of entries that training does not see.

        Raises:
            ValueError: If sizes do not fit, the reading is unknown, or dropout is not in [0, 1).
        """
        for_layer, for_read_out, for_network = jax.random.split(key, 3)
        layer = EWSLayer.init(for_layer, width, m, depth, generator=generator, clock=clock)
        return cls(
            layer=layer,
            level_norm=LevelNorm.init(key, layer.depth),
            read_out=Affine.init(for_read_out, 1 + layer.size, width),
            norm=RMSNorm.init(key, width),
            feed_forward=FeedForward.init(for_network, width),
            reading=reading,
            dropout=dropout,
        )

    @property
    def width(self) -> int:
        """The width H of the signal."""
        return self.layer.lift.shape[1]

    def __call__(self, signal: Signal, *, key: Key[Array, ""] | None = None, engine: str = "auto") -> Signal:
        """The signal behind the block.

        Args:
            signal: The signal u, with any leading axes.
            key: Chooses what dropout leaves out; None, as at inference, leaves out nothing.
            engine: As for :class:`ewsnn.EWSLayer`.

        Raises:
            ValueError: If the signal has another width or floating-point type than the block.
        """
        levels = self.layer(self.path(signal), output="all", engine=engine)
        return signal.with_values(self.combine(signal.values, levels, key=key))

    def start(self, batch_shape: tuple[int, ...] = (), t0: Numbers = 0.0) -> State:
        """The state of a stream that begins, as for :meth:`ewsnn.EWSLayer.start`.

        Args:
            batch_shape: The leading axes: that many streams at once.
            t0: The absolute time stamp of the start, a number or (…,).
        """
        return self.layer.start(batch_shape, t0)

    @eqx.filter_jit
    def feed(self, state: State, signal: Signal, *, engine: str = "auto") -> tuple[State, Signal]:
        """A chunk of the signal more, of any size; dropout leaves out nothing.

        Args:
            state: The state before the chunk.
            signal: The chunk u, padding allowed.
            engine: As for :class:`ewsnn.EWSLayer`.

        Returns:
            The state after the chunk, and the chunk of the signal behind the block.

        Raises:
            ValueError: If the chunk does not fit the state or the block.
        """
        # The path of the values has arrived at the last vector.
        increments = self.path(signal, before=state.knot.point.value)
        state, levels = self.layer.feed(state, increments, output="all", engine=engine)
        return state, signal.with_values(self.combine(signal.values, levels))

    def path(self, signal: Signal, *, before: Float[Array, "*batch width"] | None = None) -> Increments:
        """The path P that lift and clock read.

        Args:
            signal: The signal u.
            before: Where a signal read as values continues another one, the last vector of that.
        """
        return signal.path(self.reading, before=before)

    def combine(
        self, u: Float[Array, "*batch width"], levels: Levels, *, key: Key[Array, ""] | None = None
    ) -> Float[Array, "*batch width"]:
        """The output y from the signal and the states, each step by itself.

        Args:
            u: The signal at some steps.
            levels: Levels 1 to N of the states after these steps.
            key: Chooses what dropout leaves out; None leaves out nothing.
        """
        for_state, for_network = (None, None) if key is None else jax.random.split(key)
        z = u + self._dropped(self.read_out(tensor.features(self.level_norm(levels))), for_state)
        return z + self._dropped(self.feed_forward(self.norm(z)), for_network)

    def _dropped(self, x: Float[Array, "*batch width"], key: Key[Array, ""] | None) -> Float[Array, "*batch width"]:
        return x if key is None else eqx.nn.Dropout(self.dropout)(x, key=key)


def _positive(name: str, given: float) -> float:
    if not 0 < given < np.inf:
        raise ValueError(f"{name} must be above 0 and finite, got {given}.")
    return float(given)
