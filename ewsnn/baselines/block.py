"""The block around a sequence layer, and a stack of blocks behind an encoder."""

from collections.abc import Callable, Sequence

import equinox as eqx
import jax
from jaxtyping import Array, Float, Key

from ewsnn.affine import Affine
from ewsnn.baselines.channel_norm import ChannelNorm
from ewsnn.baselines.layer import AbstractLayer
from ewsnn.front_ends import Linear
from ewsnn.paths import Signal

# A sequence layer as a block calls it: (…, steps, H) to (…, steps, H). A converted one is no AbstractLayer.
Layer = Callable[[Array], Array]


class GLU(eqx.Module):
    r"""A gated linear unit of constant width, :math:`x ↦ (W x + c) ∘ σ(V x + g)`.

    Args:
        map: W and c.
        gate: V and g.
    """

    map: Affine
    gate: Affine

    @classmethod
    def init(cls, key: Key[Array, ""], width: int) -> "GLU":
        """Two maps drawn as :meth:`ewsnn.affine.Affine.init` does."""
        for_map, for_gate = jax.random.split(key)
        return cls(Affine.init(for_map, width, width), Affine.init(for_gate, width, width))

    def __call__(self, x: Float[Array, "*batch width"]) -> Float[Array, "*batch width"]:
        """The images of the vectors."""
        return self.map(x) * jax.nn.sigmoid(self.gate(x))


class Block(eqx.Module):
    r"""A sequence layer between batch normalisation and a gated unit, with a skip.

    .. math:: u ↦ u + δ\bigl(\mathrm{GLU}(δ(\mathrm{gelu}(\mathrm{layer}(\mathrm{norm}(u)))))\bigr)

    with dropout δ. The GELU is the exact one.

    Args:
        norm: The normalisation.
        layer: The layer, of one of the baselines or converted from one.
        glu: The gated unit.
        dropout: The share of entries that training does not see.

    Raises:
        ValueError: If dropout is not in [0, 1).
    """

    norm: ChannelNorm
    layer: Layer
    glu: GLU
    dropout: float = eqx.field(static=True, default=0.05)

    def __check_init__(self) -> None:
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be at least 0 and less than 1, got {self.dropout}.")

    @classmethod
    def init(cls, key: Key[Array, ""], layer: AbstractLayer, *, dropout: float = 0.05) -> "Block":
        """A block to be trained around a layer.

        Args:
            key: A JAX random key.
            layer: The layer.
            dropout: The share of entries that training does not see.
        """
        return cls(ChannelNorm.init(layer.width), layer, GLU.init(key, layer.width), dropout)

    def __call__(self, signal: Signal) -> Signal:
        """The signal behind the block, by the stored statistics; dropout leaves out nothing.

        Args:
            signal: The signal u, with any leading axes.
        """
        return self._combined(signal, self.norm(signal), None)

    def of_batch(self, signal: Signal, key: Key[Array, ""]) -> tuple[Signal, "Block"]:
        """The signal behind the block as in training, and the block whose statistics have seen the batch.

        Args:
            signal: The signals of a batch.
            key: Chooses what dropout leaves out.
        """
        normed, norm = self.norm.of_batch(signal)
        return self._combined(signal, normed, key), Block(norm, self.layer, self.glu, self.dropout)

    def calibrated(self, signal: Signal) -> "Block":
        """The block with the statistics of these signals.

        Args:
            signal: The signals of all cases, as they come to this block.
        """
        return Block(self.norm.calibrated(signal), self.layer, self.glu, self.dropout)

    def _combined(self, signal: Signal, normed: Signal, key: Key[Array, ""] | None) -> Signal:
        drop = eqx.nn.Dropout(self.dropout, inference=key is None)
        for_layer, for_glu = (None, None) if key is None else jax.random.split(key)
        inner = drop(jax.nn.gelu(self.layer(normed.values), approximate=False), key=for_layer)
        return signal.with_values(signal.values + drop(self.glu(inner), key=for_glu))


class Stack(eqx.Module):
    """An encoder and blocks, one after the other.

    Args:
        encoder: The affine map of the channels to the width H.
        blocks: The blocks.
    """

    encoder: Linear
    blocks: tuple[Block, ...]

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        layer: Callable[[Key[Array, ""]], AbstractLayer],
        channels: int,
        *,
        blocks: int = 2,
        dropout: float = 0.05,
    ) -> "Stack":
        """A stack to be trained.

        Args:
            key: A JAX random key.
            layer: Draws the layer of a block from a key.
            channels: The number of channels of an observation.
            blocks: The number of blocks.
            dropout: The share of entries that training does not see.

        Raises:
            ValueError: If there is no block, or dropout is not in [0, 1).
        """
        if blocks < 1:
            raise ValueError(f"blocks must be at least 1, got {blocks}.")
        for_encoder, *for_blocks = jax.random.split(key, 1 + 2 * blocks)
        layers = [layer(own) for own in for_blocks[:blocks]]
        made = [Block.init(own, each, dropout=dropout) for own, each in zip(for_blocks[blocks:], layers, strict=True)]
        return cls(Linear.init(for_encoder, channels, layers[0].width), tuple(made))

    def __call__(self, signal: Signal) -> Signal:
        """The signal behind the last block.

        Args:
            signal: The observations, with any leading axes.
        """
        signal = self._encoded(signal)
        for block in self.blocks:
            signal = block(signal)
        return signal

    def of_batch(self, signal: Signal, key: Key[Array, ""]) -> tuple[Signal, "Stack"]:
        """The signal behind the last block as in training, and the stack whose statistics have seen the batch.

        Args:
            signal: The observations of a batch.
            key: Chooses what dropout leaves out.
        """
        signal, blocks = self._encoded(signal), []
        for block, own in zip(self.blocks, jax.random.split(key, len(self.blocks)), strict=True):
            signal, after = block.of_batch(signal, own)
            blocks.append(after)
        return signal, Stack(self.encoder, tuple(blocks))

    def calibrated(self, signal: Signal) -> "Stack":
        """The stack whose blocks have the statistics of these observations, each of what comes to it.

        Args:
            signal: The observations of all cases.
        """
        signal, blocks = self._encoded(signal), []
        for block in self.blocks:
            blocks.append(block.calibrated(signal))
            signal = blocks[-1](signal)
        return Stack(self.encoder, tuple(blocks))

    def with_layers(self, layers: Sequence[Layer]) -> "Stack":
        """The stack with other sequence layers, all else the same.

        Args:
            layers: One for each block.

        Raises:
            ValueError: If there are not as many layers as blocks.
        """
        if len(layers) != len(self.blocks):
            raise ValueError(f"there are {len(self.blocks)} blocks, got {len(layers)} layers.")
        pairs = zip(self.blocks, layers, strict=True)
        return Stack(self.encoder, tuple(Block(b.norm, layer, b.glu, b.dropout) for b, layer in pairs))

    def _encoded(self, signal: Signal) -> Signal:
        return signal.with_values(self.encoder.features(signal.values))
