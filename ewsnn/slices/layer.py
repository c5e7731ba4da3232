r"""The SLiCE layer: a structured linear CDE with an affine start, solved step by step.

.. math:: h_0 = ξ(ω_0), \qquad h_k = F_k h_{k-1}, \qquad F_k = \exp\Big(\sum_i A^i Δω^i_k\Big)
    \quad\text{or}\quad I + \sum_i A^i Δω^i_k
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Key

from ewsnn.affine import Affine
from ewsnn.arrays import Numbers, as_float, check_finite, is_traced, refuse_class
from ewsnn.engine.states import mean_weights
from ewsnn.paths import Increments, Knot
from ewsnn.slices import modes
from ewsnn.slices.flows import FLOWS, AbstractFlow
from ewsnn.slices.structures import SIGMA, AbstractStructure
from ewsnn.slices.structures.base import drawn


class State(eqx.Module):
    """All that a stream remembers; every leaf is an array.

    Args:
        hidden: The state h of the CDE.
        knot: Where the driving path is, and its time stamp.
        steps: How many steps the path has taken, (…,).
    """

    hidden: Float[Array, "*batch h"]
    knot: Knot
    steps: Int[Array, "*batch"]

    @property
    def time(self) -> Float[Array, "*batch"]:
        """The absolute time stamp of the last observation, rounded to one float."""
        return self.knot.time.value


class SLiCELayer(eqx.Module):
    """A structured linear CDE as a layer.

    The driving path ω is what the increments say, all of their channels: the path itself, with the time by
    ``Increments.with_time``, or the integral of values by ``Increments.integral``.

    Args:
        initial: The affine map ξ of the first point, with h outputs.
        structure: The matrices, one of :mod:`ewsnn.slices.structures`.
        flow: "exact" for the exponential of the field of a step, "first-order" for Euler's step, as published.

    Raises:
        ValueError: If sizes or types do not fit, or the flow is unknown.
        TypeError: If the structure is none.

    >>> from ewsnn.slices import D
    >>> layer = SLiCELayer(Affine([[1.0], [0.0]], [0.0, 1.0]), D([[np.log(2.0), 0.0]]))
    >>> layer(Increments.from_values([[3.0], [4.0], [5.0]])).tolist()
    [12.0, 1.0]
    """

    initial: Affine
    structure: AbstractStructure
    flow: str = eqx.field(static=True)

    def __init__(self, initial: Affine, structure: AbstractStructure, *, flow: str = "exact") -> None:
        refuse_class("structure", structure)
        if not isinstance(structure, AbstractStructure):
            raise TypeError(f"structure must be one of ewsnn.slices.structures, got {type(structure).__name__}.")
        if flow not in FLOWS:
            raise ValueError(f"flow must be one of {', '.join(map(repr, FLOWS))}, got {flow!r}.")
        if initial.weight.shape[0] != structure.size:
            raise ValueError(
                f"the start map must have as many outputs as the structure has rows, {structure.size}, got "
                f"{initial.weight.shape[0]}."
            )
        if initial.weight.dtype != structure.dtype:
            raise ValueError(
                f"the start map is {initial.weight.dtype}, the structure {structure.dtype}: give both one type."
            )
        self.initial, self.structure, self.flow = initial, structure, flow

    @classmethod
    def init(
        cls, key: Key[Array, ""], structure: AbstractStructure, *, inputs: int | None = None, flow: str = "exact"
    ) -> "SLiCELayer":
        """A layer with a start map drawn evenly from ±1/√inputs, as in the published UEA models.

        Args:
            key: A JAX random key.
            structure: The matrices, as their own ``init`` draws them.
            inputs: How many entries the first point has; None for the channels of the driving path.
            flow: As for the class.
        """
        return cls(Affine.init(key, inputs or structure.channels, structure.size), structure, flow=flow)

    @property
    def size(self) -> int:
        """The number h of entries of the state."""
        return self.structure.size

    @property
    def flows(self) -> AbstractFlow:
        """What makes a flow of the field of a step."""
        return FLOWS[self.flow]

    def mode_for(self, increments: Increments) -> str:
        """The mode that "auto" takes for these increments on this machine.

        Args:
            increments: The steps of the paths.
        """
        return modes.mode_for(jax.eval_shape(self.structure.drive, increments)[0])

    def begin(self, increments: Increments, point: Numbers | None = None) -> Float[Array, "*batch h"]:
        r"""The state :math:`h_0 = ξ(ω_0)` before the first step.

        Args:
            increments: The steps of the paths.
            point: The first point, (d,) or (…, d). None for the one that the increments know, or for 0 where the path
                begins at a base point.

        Raises:
            TypeError: If the point is not made of real numbers.
            ValueError: If the point has another shape, or is neither given nor known.
        """
        first = increments.start if point is None else point
        if first is None:
            if "base point" not in increments.operations:
                raise ValueError(
                    "these increments do not know their first point, which the start map reads: give point=… (with the "
                    "time stamp where the time is a channel), or add a base point before the time channel."
                )
            first = np.zeros(self.initial.weight.shape[1])
        return self._start(first, increments.dt.shape[:-1])

    def __call__(
        self,
        increments: Increments,
        point: Numbers | None = None,
        *,
        output: str = "terminal",
        mode: str = "auto",
        chunk: int = modes.CHUNK,
    ) -> Float[Array, "..."]:
        """The states of paths.

        Args:
            increments: The steps of the paths, with any leading axes; padding is the identity.
            point: The first point, as for :meth:`begin`.
            output: "terminal" for the last state, "all" for the state after every step, "mean" for the mean of the
                start and the states after the valid steps, as in the published UEA models.
            mode: "recurrent" (one step after the other), "chunked" (a parallel scan in each chunk), "full" (one
                parallel scan), or "auto" as :meth:`mode_for` says.
            chunk: Steps of a chunk.

        Returns:
            (…, h), or (…, steps, h) for "all".

        Raises:
            TypeError: As for :meth:`begin`.
            ValueError: If an option is unknown, or the path does not fit the layer.
        """
        self.check(increments)
        h = self.begin(increments, point)
        return self._go_on(h, increments, output, mode, chunk)

    def start(self, batch_shape: tuple[int, ...] = (), t0: Numbers = 0.0, point: Numbers | None = None) -> State:
        """The state of a stream that begins.

        Args:
            batch_shape: The leading axes: that many streams at once.
            t0: The absolute time stamp of the start, a number or (…,).
            point: The first point, which the start map reads, (d,) or (…, d). None for the base point 0. Where the
                map reads another number of entries than the path has channels, the path itself starts at 0.

        Raises:
            TypeError: If something is not a real number.
            ValueError: If a shape does not fit or a number is not finite.
        """
        channels, inputs = self.structure.channels, self.initial.weight.shape[1]
        knot = Knot.start(batch_shape, channels, self.structure.dtype, t0, point if inputs == channels else None)
        first = self._start(np.zeros(inputs) if point is None else point, batch_shape)
        return State(first, knot, jnp.zeros(batch_shape, np.int32))

    def step(self, state: State, dx: Numbers, dt: Numbers = 1.0) -> tuple[State, Float[Array, "*batch h"]]:
        """One step of the driving path more.

        Args:
            state: The state before the step.
            dx: The increment of the path, (…, d).
            dt: That of the time stamps, a number or (…,).

        Returns:
            The state after the step, and its hidden state.

        Raises:
            TypeError: If something is not a real number.
            ValueError: If a shape does not fit, or (where it is known) a number is not finite or time goes back.
        """
        batch = state.steps.shape
        moved, each = as_float("dx", dx, self.structure.dtype), as_float("dt", dt, self.structure.dtype)
        if moved.shape != (*batch, self.structure.channels):
            raise ValueError(f"dx must have shape (…, d) = {(*batch, self.structure.channels)}, got {moved.shape}.")
        if each.shape not in (batch, ()):
            raise ValueError(f"dt must be one number or have shape {batch}, got {each.shape}.")
        check_finite("dx", moved)
        check_finite("dt", each)
        if not is_traced(each) and (np.asarray(each) < 0).any():
            raise ValueError(f"dt must not be negative, got {each}: time does not go back.")
        spans = jnp.broadcast_to(each, batch)[..., None]
        return self.feed(state, Increments(moved[..., None, :], spans, jnp.ones(spans.shape, bool)), mode="recurrent")

    def feed(
        self,
        state: State,
        increments: Increments,
        *,
        knot: Knot | None = None,
        output: str = "terminal",
        mode: str = "auto",
        chunk: int = modes.CHUNK,
    ) -> tuple[State, Float[Array, "..."]]:
        """A chunk of the path more, of any size.

        All chunks together give what the layer gives for the whole path, to round-off.

        Args:
            state: The state before the chunk.
            increments: The steps of the chunk, padding allowed.
            knot: Where the path is after it, as :class:`ewsnn.paths.Knot` says; None to add up the increments.
            output: "terminal" for the state after the chunk, "all" for those after each of its steps.
            mode: As for calls of the layer.
            chunk: As for calls of the layer.

        Returns:
            The state after the chunk, and the hidden states.

        Raises:
            ValueError: If an option is unknown or the chunk does not fit the state or the layer.
        """
        self.check(increments)
        if increments.dt.shape[:-1] != state.steps.shape:
            raise ValueError(
                f"the state is of a batch {state.steps.shape}, the increments are of {increments.dt.shape[:-1]}."
            )
        if output not in ("terminal", "all"):
            raise ValueError(f"output must be 'terminal' or 'all' for a stream, got {output!r}.")
        return _feed(self, state, increments, knot, output, mode, chunk)

    def observe(
        self,
        state: State,
        values: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        output: str = "terminal",
        mode: str = "auto",
    ) -> tuple[State, Float[Array, "..."]]:
        """A chunk of observations more: the driving path goes through them.

        Args:
            state: The state, which knows the last observation and its time.
            values: The next observations, (…, points, d), with the time among them where it is a channel.
            times: Their absolute time stamps, (points,) or (…, points); None for one more each.
            lengths: How many are valid, (…,); none is allowed.
            output: As for :meth:`feed`.
            mode: As for :meth:`feed`.

        Returns:
            The state after the last observation, and the hidden states.

        Raises:
            TypeError: If something is not a real number.
            ValueError: If shapes do not fit, or (where they are known) times go back or a number is not finite.
        """
        knot, increments = state.knot.values(values, times, lengths)
        return self.feed(state, increments, knot=knot, output=output, mode=mode)

    def check(self, increments: Increments) -> None:
        """Refuses paths that the layer cannot read.

        Raises:
            ValueError: If the path has other channels than the structure, or another floating-point type.
        """
        d = increments.dx.shape[-1]
        if d != self.structure.channels:
            raise ValueError(f"the structure is for {self.structure.channels} channels, the path has {d}.")
        if increments.dx.dtype != self.structure.dtype:
            raise ValueError(
                f"the path is {increments.dx.dtype}, the layer {self.structure.dtype}: make the increments with "
                f"dtype={self.structure.dtype}."
            )

    def _start(self, point: Numbers, batch: tuple[int, ...]) -> Float[Array, "*batch h"]:
        first = as_float("point", point, self.structure.dtype)
        inputs = self.initial.weight.shape[1]
        if first.shape not in ((*batch, inputs), (inputs,)):
            raise ValueError(f"point must have shape {(inputs,)} or {(*batch, inputs)}, got {first.shape}.")
        check_finite("point", first)
        return self.initial(jnp.broadcast_to(first, (*batch, inputs)))

    def _go_on(self, h: Array, increments: Increments, output: str, mode: str, chunk: int) -> Float[Array, "..."]:
        modes.check_options(output, mode, chunk)
        structure, steps = self.structure.drive(increments)
        weights = None
        if output == "mean":
            # The start counts like one more valid step.
            before = jnp.ones((*steps.valid.shape[:-1], 1), bool)
            weights = mean_weights(jnp.concatenate([before, steps.valid], axis=-1), h.dtype)
        found = modes.states(
            structure,
            self.flows,
            h,
            jnp.where(steps.valid[..., None], steps.dx, jnp.zeros_like(steps.dx)),
            weights=None if weights is None else weights[..., 1:],
            output=output,
            mode=modes.mode_for(structure) if mode == "auto" else mode,
            chunk=chunk,
        )
        return found if weights is None else found + weights[..., :1] * h


# Compiled once for each shape, also outside a transformation: a stream is fed by a Python loop as often as not.
@eqx.filter_jit
def _feed(
    layer: SLiCELayer, state: State, increments: Increments, knot: Knot | None, output: str, mode: str, chunk: int
) -> tuple[State, Float[Array, "..."]]:
    found = layer._go_on(state.hidden, increments, output, mode, chunk)
    steps = found.shape[-2] if output == "all" else None
    end = found if steps is None else found[..., -1, :] if steps else state.hidden
    there = state.knot.moved(increments) if knot is None else knot
    return State(end, there, state.steps + jnp.sum(increments.valid, axis=-1, dtype=np.int32)), found


def normal_start(key: Key[Array, ""], inputs: int, size: int, *, sigma: float = SIGMA) -> Affine:
    """A start map with normal weight and bias of deviation σ, as in the published models of formal languages.

    Args:
        key: A JAX random key.
        inputs: How many entries the first point has.
        size: The number h of entries of the state.
        sigma: The number σ.
    """
    for_weight, for_bias = jax.random.split(key)
    return Affine(drawn(for_weight, (size, inputs), sigma), drawn(for_bias, (size,), sigma))
