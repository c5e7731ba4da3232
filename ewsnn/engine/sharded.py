r"""The engine on many devices: batch and time are cut over a mesh, and spans are joined by the modified Chen identity.

Each device runs an engine of one device over its span of the steps. The totals of all spans of a path, one segment
each, are gathered, and every device joins those before its own: that is the state :math:`P` at the start s of its
span. The states in the span, found as if the path began at s, are then continued from there:

.. math:: S_{0,t_j} = D_A^{θ_{t_j} - θ_s}(P) ⊗ S_{s,t_j}

Nothing else is sent but sums for a mean, and no device ever holds the states of another one's steps.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
from jax.sharding import PartitionSpec
from jaxtyping import Array, Bool, Float, Int

from ewsnn.arrays import PRECISION, Levels
from ewsnn.clocks import AbstractClock, Given
from ewsnn.engine.layout import Layout
from ewsnn.engine.scan import Segment, continued, last, prefixes, reduce_sequential, scan_sequential
from ewsnn.engine.states import check_options, states
from ewsnn.generators import AbstractGenerator
from ewsnn.paths import Increments


def sharded_states(
    increments: Increments,
    lift: Float[Array, "m d"],
    generator: AbstractGenerator,
    clock: AbstractClock,
    *,
    depth: int,
    layout: Layout,
    output: str = "terminal",
    engine: str = "auto",
) -> Levels:
    """The EWS of paths as :func:`ewsnn.engine.states` gives it, computed on many devices.

    Args:
        increments: The steps of the paths; :meth:`Layout.place` moves them to where they are needed.
        lift: The matrix B.
        generator: The generator A.
        clock: The clock θ. It reads whole paths, so it may be any causal clock.
        depth: The truncation depth N.
        layout: The devices, and how the paths lie on them.
        output: "terminal", "mean" or "all".
        engine: What each device runs over its span, see :func:`ewsnn.engine.states`.

    Returns:
        Levels 1 to N, with the batch along ``layout.batch_axis``. The steps of "all" lie along ``layout.time_axis``
        where the spans are equally long without padding. Otherwise JAX, whose arrays are cut evenly, copies the states
        to all devices of a path, unless the caller's own ``jit`` uses them up: call :meth:`Layout.place` first, and
        take the states after the padding into the bargain.

    Raises:
        ValueError: If an option is unknown, or the batch cannot be shared equally.

    Paper: Theorem 1(ii); Section 2.2.
    """
    check_options(output, engine)
    found = _run(layout.place(increments), lift, generator, clock, depth, layout, output, engine)
    if output != "all":
        return found
    batch, steps = (slice(None),) * (increments.dt.ndim - 1), increments.dt.shape[-1]
    return tuple(level[(*batch, slice(steps))] for level in found)


@eqx.filter_jit
def _run(
    increments: Increments,
    lift: Array,
    generator: AbstractGenerator,
    clock: AbstractClock,
    depth: int,
    layout: Layout,
    output: str,
    engine: str,
) -> Levels:
    path = Increments(increments.dx, increments.dt, increments.valid, clock(increments))
    count = jnp.maximum(jnp.sum(increments.valid, axis=-1), 1).astype(increments.dx.dtype)
    arrays, static = eqx.partition((lift, generator), eqx.is_array)

    def on_one_device(path: Increments, count: Array, arrays: tuple[Array, AbstractGenerator]) -> Levels:
        lift, generator = eqx.combine(arrays, static)
        axis = layout.time_axis
        wanted = output if axis is None else "terminal" if output == "terminal" else "all"
        own = states(path, lift, generator, Given(), depth=depth, output=wanted, engine=engine)
        if axis is None:
            return own
        steps = path.dt.ndim - 1
        propagators = prefixes(generator.propagator(Given()(path)), steps)
        if output == "terminal":
            return terminal(Segment(last(propagators, steps), own), axis)
        total = Segment(last(propagators, steps), last(own, steps))
        everywhere = continued(start(total, axis), propagators, own)
        if output == "all":
            return everywhere
        return jax.lax.psum(_sum(everywhere, path.valid, count), axis)

    of_steps, of_paths = layout.of_steps(increments), layout.of_paths
    # JAX's own check of what is equal on several devices would ask every loop of every engine and generator to mark
    # its start values. What is returned as equal here is made from a gathered or summed array, alike on all of them.
    return jax.shard_map(
        on_one_device,
        mesh=layout.mesh,
        in_specs=(of_steps, of_paths, PartitionSpec()),
        out_specs=of_steps if output == "all" else of_paths,
        check_vma=False,
    )(path, count, arrays)


def terminal(total: Segment, axis: str) -> Levels:
    """The state at the end of the last span; to be called under ``jax.shard_map``.

    Args:
        total: The segment of this device's span.
        axis: The mesh axis along which the spans follow each other.

    Paper: Theorem 1(ii).
    """
    return reduce_sequential(_gathered(total, axis))


def start(total: Segment, axis: str) -> Levels:
    """The state at the start of this device's span; to be called under ``jax.shard_map``.

    Args:
        total: The segment of this device's span.
        axis: The mesh axis along which the spans follow each other.

    Paper: Theorem 1(ii).
    """
    index: Int[Array, ""] = jax.lax.axis_index(axis)
    spans = total.levels[0].ndim - 1

    def at_the_start(ends: Array) -> Array:
        starts = jnp.concatenate([jnp.zeros_like(jax.lax.slice_in_dim(ends, 0, 1, axis=spans)), ends], axis=spans)
        return jax.lax.dynamic_index_in_dim(starts, index, spans, keepdims=False)

    return tuple(at_the_start(ends) for ends in scan_sequential(_gathered(total, axis)))


def _gathered(total: Segment, axis: str) -> Segment:
    # The spans stand where a single device has its steps: behind the batch.
    return jax.tree.map(lambda leaf: jax.lax.all_gather(leaf, axis, axis=total.levels[0].ndim - 1), total)


def _sum(everywhere: Levels, valid: Bool[Array, "*batch steps"], count: Float[Array, "*batch"]) -> Levels:
    # What this device's steps contribute to the mean over all valid steps.
    weights = valid.astype(count.dtype) / count[..., None]
    flat = (level.reshape(*valid.shape, -1) for level in everywhere)
    sums = (jnp.einsum("...j,...jp->...p", weights, level, precision=PRECISION) for level in flat)
    return tuple(
        part.reshape(*valid.shape[:-1], *level.shape[valid.ndim :])
        for part, level in zip(sums, everywhere, strict=True)
    )
