"""From clock and lifted increments to the states that were asked for."""

import math
from typing import Literal, get_args

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ewsnn.arrays import PRECISION, Levels
from ewsnn.clocks import AbstractClock
from ewsnn.engine.chunked import chunked_all, chunked_terminal
from ewsnn.engine.local import local_segments
from ewsnn.engine.mean import chunked_mean
from ewsnn.engine.scan import reduce, reduce_sequential, scan, scan_sequential
from ewsnn.generators import AbstractGenerator, Zero
from ewsnn.paths import Increments
from ewsnn.tensor import size, unit

Output = Literal["terminal", "mean", "all"]
Engine = Literal["auto", "chunked", "scan", "sequential"]


# Entries of all states together above which the matrix products of the chunked engine earn their compilation back.
_MANY = 5_000_000


def check_options(output: str, engine: str) -> None:
    """Refuses an unknown output or engine.

    Raises:
        ValueError: With the values that are allowed.
    """
    for name, given, allowed in (("output", output, get_args(Output)), ("engine", engine, get_args(Engine))):
        if given not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {given!r}.")


def states(
    increments: Increments,
    lift: Float[Array, "m d"] | None,
    generator: AbstractGenerator,
    clock: AbstractClock,
    *,
    depth: int,
    output: str = "terminal",
    engine: str = "auto",
) -> Levels:
    """The EWS of paths, from the start to where the output says.

    Args:
        increments: The steps of the paths, with any leading axes.
        lift: The matrix B; None for the identity.
        generator: The generator A.
        clock: The clock θ.
        depth: The truncation depth N.
        output: "terminal" for the last state, "mean" for the mean of the states after the valid steps (zero where
            there is none), "all" for the state after every step.
        engine: "chunked" (matrix products over the re-weighted path), "scan" (parallel), "sequential" (one step after
            the other), or "auto" for the one that suits the problem and the machine.

    Returns:
        Levels 1 to N, with the axis of steps behind the batch for "all".

    Raises:
        ValueError: If an option is unknown.

    Paper: Theorem 1(ii); Section 2.2.
    """
    check_options(output, engine)
    dx = increments.dx
    v = dx if lift is None else jnp.einsum("md,...d->...m", lift, dx, precision=PRECISION)
    dtheta = clock(increments)
    if v.shape[-2] == 0:
        steps = (0,) if output == "all" else ()
        return unit((*v.shape[:-2], *steps), v.shape[-1], depth, v.dtype)
    chosen = _auto(output, generator, v, depth) if engine == "auto" else engine
    if chosen == "chunked":
        if output == "terminal":
            return chunked_terminal(generator, dtheta, v, depth)
        if output == "mean":
            return chunked_mean(generator, dtheta, v, mean_weights(increments.valid, v.dtype), depth)
        return chunked_all(generator, dtheta, v, depth)
    segments = local_segments(generator, dtheta, v, depth)
    sequential = chosen == "sequential"
    if output == "terminal":
        # Padding is the unit of ⋆, so the product of all steps is the last valid state.
        return reduce_sequential(segments) if sequential else reduce(segments).levels
    everywhere = scan_sequential(segments) if sequential else scan(segments).levels
    return everywhere if output == "all" else _mean(everywhere, mean_weights(increments.valid, v.dtype))


def _auto(output: str, generator: AbstractGenerator, v: Float[Array, "*batch steps m"], depth: int) -> str:
    """The engine for a problem and this machine.

    Matrix products over chunks win where all states together would be many numbers: on two shared cores, value and
    gradient in float32, the terminal state came 2 to 11 times as fast as step by step (m from 4 to 10, depths 2 and 3,
    29 to 405 steps, batch 8 and 32), but compiled two to three times as long, which small problems do not earn back;
    of a mean, they save the memory. Else, on a CPU, one step after the other is faster for every output and compiles
    in a half to a fifth of the time of the parallel scan (m from 8 to 12, depths 2 and 3, 29 to 1000 steps, batch 1
    and 32: 1.2 to 4 times the speed). On other machines every step would be a kernel of its own; not yet measured.

    The terminal plain signature goes by matrix products, which compile about as fast. With few steps and levels they
    are as fast as step by step, to a few microseconds either way (5 to 20 steps, m from 2 to 4, depths 2 and 3, the
    value alone); with more they are faster (5 to 100 steps, depths up to 6, batch 1 to 8: the value alone up to 4 times
    as fast, value and gradient 1 to 18 times).
    """
    if output == "terminal" and isinstance(generator, Zero):
        return "chunked"
    numbers = math.prod(v.shape[:-1]) * size(v.shape[-1], depth)
    if output != "all" and numbers > _MANY:
        return "chunked"
    return "sequential" if jax.default_backend() == "cpu" else "scan"


def mean_weights(valid: Bool[Array, "*batch steps"], dtype: np.dtype) -> Float[Array, "*batch steps"]:
    """What each step counts for in the mean of the states after the valid steps; zeros where there is none."""
    return valid.astype(dtype) / jnp.maximum(jnp.sum(valid, axis=-1, keepdims=True), 1).astype(dtype)


def _mean(levels: Levels, weights: Float[Array, "*batch steps"]) -> Levels:
    batch = weights.shape[:-1]
    means = []
    for level in levels:
        flat = level.reshape(*weights.shape, -1)
        mean = jnp.sum(flat * weights[..., None], axis=-2)
        means.append(mean.reshape(*batch, *level.shape[len(batch) + 1 :]))
    return tuple(means)
