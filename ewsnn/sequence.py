"""Deep models: a front end, a stack of blocks, a head."""

from collections.abc import Sequence
from typing import Any

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import Numbers
from ewsnn.blocks import AbstractBlock
from ewsnn.front_ends import AbstractFrontEnd
from ewsnn.heads import AbstractHead
from ewsnn.paths import Knot, Signal


class SequenceState(eqx.Module):
    """All that a streaming model remembers.

    Args:
        knot: Where the time stamps are; observations are read one by one, so that of them nothing is kept.
        blocks: The state of each block.
    """

    knot: Knot
    blocks: tuple[Any, ...]


class SequenceModel(eqx.Module):
    """A deep model of sequences: front end, blocks one after the other, head. There is no norm behind the last block.

    Args:
        front_end: One of :mod:`ewsnn.front_ends`.
        blocks: The blocks, such as :class:`ewsnn.EWSBlock`, each of the width of the front end; they may differ in all
            else.
        head: One of :mod:`ewsnn.heads`.
        dropout: The share of entries behind the front end that training does not see; blocks have their own.

    Raises:
        ValueError: If widths differ, or dropout is not in [0, 1).

    Paper: Appendix F.1.

    >>> from ewsnn import EWSBlock, front_ends, heads
    >>> keys = jax.random.split(jax.random.key(0), 4)
    >>> model = SequenceModel(
    ...     front_ends.Embedding.init(keys[0], vocabulary=3, width=8),
    ...     [EWSBlock.init(keys[1], 8, m=4, depth=1), EWSBlock.init(keys[2], 8, m=2, depth=2)],
    ...     heads.PerStep.init(keys[3], 8, outputs=3),
    ... )
    >>> model([[0, 1, 2, 1, 0]]).shape
    (1, 5, 3)
    """

    front_end: AbstractFrontEnd
    blocks: tuple[AbstractBlock, ...]
    head: AbstractHead
    dropout: float = eqx.field(static=True)

    def __init__(
        self,
        front_end: AbstractFrontEnd,
        blocks: Sequence[AbstractBlock],
        head: AbstractHead,
        *,
        dropout: float = 0.0,
    ) -> None:
        self.front_end, self.blocks, self.head, self.dropout = front_end, tuple(blocks), head, dropout
        widths = [block.width for block in self.blocks] + [head.width]
        if any(width != front_end.width for width in widths):
            raise ValueError(
                f"the front end has width {front_end.width}, the blocks {', '.join(map(str, widths[:-1]))}, the head "
                f"{head.width}: they must be equal."
            )
        if not 0 <= dropout < 1:
            raise ValueError(f"dropout must be at least 0 and less than 1, got {dropout}.")

    def __call__(
        self,
        inputs: Any,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
        key: Key[Array, ""] | None = None,
        engine: str = "auto",
    ) -> Float[Array, "*outputs"]:
        """The outputs, as the head gives them.

        Args:
            inputs: What the front end takes: tokens (…, steps), values (…, steps, channels), or a window.
            times: Time stamps of the steps, (steps,) or (…, steps), weakly increasing; None for 0, 1, 2, ….
            lengths: Number of valid steps of each series, (…,); what comes after them is never read.
            start_time: The time at which observation began.
            key: Chooses what dropout leaves out; None, as at inference, leaves out nothing.
            engine: As for :class:`ewsnn.EWSLayer`.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If shapes do not fit, or a value that is known is not allowed.
        """
        read = self.front_end(inputs, times, lengths, start_time=start_time)
        return self.head(self.through(read, key=key, engine=engine))

    def through(self, signal: Signal, *, key: Key[Array, ""] | None = None, engine: str = "auto") -> Signal:
        """The signal behind the last block.

        Args:
            signal: What the front end made of a series.
            key: As for calls.
            engine: As for calls.
        """
        keys = [None] * (1 + len(self.blocks)) if key is None else list(jax.random.split(key, 1 + len(self.blocks)))
        if keys[0] is not None:
            signal = signal.with_values(eqx.nn.Dropout(self.dropout)(signal.values, key=keys[0]))
        for block, own in zip(self.blocks, keys[1:], strict=True):
            signal = block(signal, key=own, engine=engine)
        return signal

    def start(self, batch_shape: tuple[int, ...] = (), t0: Numbers = 0.0) -> SequenceState:
        """The state of a stream that begins.

        Args:
            batch_shape: The leading axes: that many streams at once.
            t0: The absolute time stamp of the start, a number or (…,): what is ``start_time`` in calls.

        Raises:
            TypeError: If ``t0`` is no real number.
            ValueError: If its shape does not fit, or it is not finite.
        """
        knot = Knot.start(batch_shape, 1, self.head.map.weight.dtype, t0)
        return SequenceState(knot, tuple(block.start(batch_shape, t0) for block in self.blocks))

    @eqx.filter_jit
    def feed(self, state: SequenceState, signal: Signal, *, engine: str = "auto") -> tuple[SequenceState, Signal]:
        """A chunk more of the signal behind the front end, through all blocks.

        Args:
            state: The state before the chunk, whose time stamps stay where they are.
            signal: The chunk, of any size, padding allowed.
            engine: As for :class:`ewsnn.EWSLayer`.

        Returns:
            The state after the chunk, and the chunk of the signal behind the last block.

        Raises:
            ValueError: If the chunk does not fit the state or the model.
        """
        states = []
        for block, own in zip(self.blocks, state.blocks, strict=True):
            after, signal = block.feed(own, signal, engine=engine)
            states.append(after)
        return SequenceState(state.knot, tuple(states)), signal

    def observe(
        self,
        state: SequenceState,
        inputs: Any,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        engine: str = "auto",
    ) -> tuple[SequenceState, Signal]:
        """A chunk of observations more.

        Args:
            state: The state before the chunk.
            inputs: The next observations, as for calls.
            times: Their absolute time stamps, which must not go back; None for one more each.
            lengths: How many are valid, at least one of each series.
            engine: As for :class:`ewsnn.EWSLayer`.

        Returns:
            The state after the chunk, and the chunk of the signal behind the last block: what a head reads.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If shapes do not fit, or a value that is known is not allowed.
        """
        read = self.front_end(inputs, times, lengths)
        knot, blank = state.knot.integral(np.zeros((*read.valid.shape, 1)), times, lengths)
        signal = Signal(read.values, blank.dt, read.valid)
        return self.feed(SequenceState(knot, state.blocks), signal, engine=engine)
