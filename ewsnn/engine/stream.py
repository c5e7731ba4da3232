r"""Streaming: a state of constant size that is carried along a path, step by step or in chunks of any size.

A state is joined with what comes next by the modified Chen identity; nothing else of the past is needed.

.. math:: S_{0,t} = D_A^{θ_t-θ_s}(S_{0,s}) ⊗ S_{s,t}

All functions are pure, and work under ``jit``, ``grad``, ``vmap`` and ``jax.lax.scan``.
"""

import dataclasses

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ewsnn.arrays import PRECISION, Levels
from ewsnn.clocks import AbstractClock, Given
from ewsnn.engine.local import local_ews
from ewsnn.engine.scan import continued, extend, last, prefixes
from ewsnn.engine.states import states
from ewsnn.generators import AbstractGenerator
from ewsnn.paths import Increments, Knot
from ewsnn.tensor import unit


class State(eqx.Module):
    """All that a stream remembers; every leaf is an array, so it is saved and restored like any tree of arrays.

    Args:
        levels: The EWS of the path so far, levels 1 to N.
        knot: Where the path is, and its time stamp.
        steps: How many steps the path has taken, (…,).
    """

    levels: Levels
    knot: Knot
    steps: Int[Array, "..."]

    @property
    def time(self) -> Float[Array, "..."]:
        """The absolute time stamp of the last observation, rounded to one float."""
        return self.knot.time.value


def start(m: int, depth: int, knot: Knot) -> State:
    """The state of paths that have not moved yet.

    Args:
        m: Number of letters.
        depth: The truncation depth.
        knot: Where the paths start.
    """
    batch, dtype = knot.time.high.shape, knot.time.high.dtype
    return State(unit(batch, m, depth, dtype), knot, jnp.zeros(batch, np.int32))


def tick(
    clock: AbstractClock,
    dx: Float[Array, "*batch d"],
    dt: Float[Array, "*batch"],
    elapsed: Float[Array, "*batch"] | None = None,
) -> Float[Array, "*batch"]:
    """The clock increment Δθ of one step.

    Args:
        clock: The clock θ.
        dx: The increment of the path.
        dt: That of the time stamps.
        elapsed: That of the clock, for the clock ``Given``.
    """
    given = None if elapsed is None else elapsed[..., None]
    return clock(Increments(dx[..., None, :], dt[..., None], jnp.ones((*dt.shape, 1), bool), given))[..., 0]


def step(
    state: State,
    dx: Float[Array, "*batch d"],
    dtheta: Float[Array, "*batch"],
    *,
    lift: Float[Array, "m d"],
    generator: AbstractGenerator,
    dt: Float[Array, "*batch"] | None = None,
) -> tuple[State, Levels]:
    r"""One step more.

    .. math:: S_{0,t_j} = D_A^{Δθ_j}(S_{0,t_{j-1}}) ⊗ σ(Δθ_j, BΔX_j)

    Args:
        state: The state before the step.
        dx: The increment of the path.
        dtheta: The clock increment Δθ.
        lift: The matrix B.
        generator: The generator A.
        dt: How far the time stamps move; None leaves them where they are.

    Returns:
        The state after the step, and its levels.

    Paper: Theorem 1(ii); Section 2.2.
    """
    v = jnp.einsum("md,...d->...m", lift, dx, precision=PRECISION)
    local = local_ews(generator, dtheta, v, len(state.levels))
    levels = extend(state.levels, generator.propagator(dtheta), local)
    time = state.knot.time if dt is None else state.knot.time.plus(dt)
    return State(levels, Knot(state.knot.point.plus(dx), time), state.steps + 1), levels


def feed(
    state: State,
    increments: Increments,
    *,
    lift: Float[Array, "m d"],
    generator: AbstractGenerator,
    clock: AbstractClock,
    knot: Knot | None = None,
    output: str = "terminal",
    engine: str = "auto",
) -> tuple[State, Levels]:
    """A chunk of steps more, of any size.

    Args:
        state: The state before the chunk.
        increments: The steps; padding changes nothing.
        lift: The matrix B.
        generator: The generator A.
        clock: The clock θ.
        knot: Where the path is after the chunk, where that is known better than by adding up the increments.
        output: "terminal" for the levels after the chunk, "all" for those after each of its steps.
        engine: As for :func:`ewsnn.engine.states`, for the chunk.

    Returns:
        The state after the chunk, and the levels, with the axis of steps behind the batch for "all".

    Raises:
        ValueError: If an option is unknown.

    Paper: Theorem 1(ii); Section 2.2.
    """
    if output not in ("terminal", "all"):
        raise ValueError(f"output must be 'terminal' or 'all' for a stream, got {output!r}: means are made of 'all'.")
    dtheta = clock(increments)
    # The clock reads the increments once.
    timed = dataclasses.replace(increments, elapsed=dtheta)
    depth, axis = len(state.levels), dtheta.ndim - 1
    chunk = states(timed, lift, generator, Given(), depth=depth, output=output, engine=engine)
    if dtheta.shape[-1] == 0:
        return state, chunk if output == "all" else state.levels
    passed = prefixes(generator.propagator(dtheta), axis)
    if output == "terminal":
        end = levels = extend(state.levels, last(passed, axis), chunk)
    else:
        levels = continued(state.levels, passed, chunk)
        end = last(levels, axis)
    there = state.knot.moved(increments) if knot is None else knot
    return State(end, there, state.steps + jnp.sum(increments.valid, axis=-1, dtype=np.int32)), levels


def at(state: State, dtheta: Float[Array, "*batch"], *, generator: AbstractGenerator) -> Levels:
    r"""The levels when the clock has gone on and the path has not moved, :math:`D_A^{Δθ}(S)`.

    Args:
        state: The state, which stays as it is.
        dtheta: How far the clock has gone on.
        generator: The generator A.

    Paper: Section 2; Lemma 1.
    """
    return generator.propagator(dtheta).flow(state.levels)
