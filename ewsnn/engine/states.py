"""From clock and lifted increments to the states that were asked for."""

from typing import Literal, get_args

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float

from ewsnn.arrays import PRECISION, Levels
from ewsnn.clocks import AbstractClock
from ewsnn.engine.local import local_ews
from ewsnn.engine.scan import Segment, reduce, reduce_sequential, scan, scan_sequential
from ewsnn.generators import AbstractGenerator
from ewsnn.paths import Increments

Output = Literal["terminal", "mean", "all"]
Engine = Literal["auto", "scan", "sequential"]


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
    lift: Float[Array, "m d"],
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
        lift: The matrix B.
        generator: The generator A.
        clock: The clock θ.
        depth: The truncation depth N.
        output: "terminal" for the last state, "mean" for the mean of the states after the valid steps (zero where
            there is none), "all" for the state after every step.
        engine: "scan" (parallel), "sequential", or "auto".

    Returns:
        Levels 1 to N, with the axis of steps behind the batch for "all".

    Raises:
        ValueError: If an option is unknown.

    Paper: Theorem 1(ii); Section 2.2.
    """
    check_options(output, engine)
    v = jnp.einsum("md,...d->...m", lift, increments.dx, precision=PRECISION)
    dtheta = clock(increments)
    if v.shape[-2] == 0:
        steps = (0,) if output == "all" else ()
        return tuple(jnp.zeros((*v.shape[:-2], *steps, *n * v.shape[-1:]), v.dtype) for n in range(1, depth + 1))
    segments = Segment(generator.propagator(dtheta), local_ews(generator, dtheta, v, depth))
    sequential = _auto(engine) == "sequential"
    if output == "terminal":
        # Padding is the unit of ⋆, so the product of all steps is the last valid state.
        return reduce_sequential(segments) if sequential else reduce(segments).levels
    everywhere = scan_sequential(segments) if sequential else scan(segments).levels
    return everywhere if output == "all" else _mean(everywhere, increments.valid)


def _auto(engine: str) -> str:
    """The engine for this machine.

    On a CPU one step after the other is faster for every output, and compiles in a half to a fifth of the time (value
    and gradient in float32, m from 8 to 12, depths 2 and 3, 29 to 1000 steps, batch 1 and 32, two shared cores: 1.2
    to 4 times the speed of the parallel scan). Elsewhere every step would be a kernel of its own; not yet measured.
    """
    if engine != "auto":
        return engine
    return "sequential" if jax.default_backend() == "cpu" else "scan"


def _mean(levels: Levels, valid: Bool[Array, "*batch steps"]) -> Levels:
    dtype = levels[0].dtype
    weights = valid.astype(dtype) / jnp.maximum(jnp.sum(valid, axis=-1, keepdims=True), 1).astype(dtype)
    batch = valid.shape[:-1]
    means = []
    for level in levels:
        flat = level.reshape(*batch, valid.shape[-1], -1)
        mean = jnp.sum(flat * weights[..., None], axis=-2)
        means.append(mean.reshape(*batch, *level.shape[len(batch) + 1 :]))
    return tuple(means)
