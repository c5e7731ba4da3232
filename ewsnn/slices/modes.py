r"""The states of a linear recurrence :math:`h_k = F_k h_{k-1}`: step by step, by chunks, or all steps in parallel.

The steps are cut into spans. Of a span only the state that it starts from is kept for the gradient, and all fields in
it are built at once, by one product of matrices.
"""

import functools
import math
from collections.abc import Callable
from typing import Literal, get_args

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.engine.scan import halve, last
from ewsnn.engine.spans import in_spans, out_of_spans
from ewsnn.slices.flows import AbstractFlow
from ewsnn.slices.maps import AbstractClosedMap, AbstractMap
from ewsnn.slices.structures import AbstractStructure

Mode = Literal["recurrent", "chunked", "full"]
Output = Literal["terminal", "mean", "all"]

# From the state before a span and its increments to the state behind it, and the states after each step if wanted.
Advance = Callable[
    [AbstractStructure, Float[Array, "*batch h"], Float[Array, "steps *batch channels"]],
    tuple[Float[Array, "*batch h"], Float[Array, "steps *batch h"] | None],
]

CHUNK = 128
"""Steps of a chunk, as in the published UEA models."""

# Numbers that the fields of a span of the recurrent mode may be: they are written and read again, so they should stay
# in the cache. But a span is never longer than _LONGEST, so that the states of one span stay few.
_FIELDS = 1 << 18
_LONGEST = 128


def check_options(output: str, mode: str, chunk: int) -> None:
    """Refuses an unknown output or mode, and an empty chunk.

    Raises:
        ValueError: With the values that are allowed.
    """
    for name, given, allowed in (("output", output, get_args(Output)), ("mode", mode, ("auto", *get_args(Mode)))):
        if given not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {given!r}.")
    if chunk < 1:
        raise ValueError(f"chunk must be at least 1 step, got {chunk}.")


def mode_for(structure: AbstractStructure) -> str:
    """The mode for this machine.

    On a CPU that is the recurrence, as a parallel scan does b times its work. On other machines every step of it is
    a few kernels of its own, so that structures which compose cheaply go by chunks; not yet measured.

    Args:
        structure: The structure of the recurrence.
    """
    if jax.default_backend() == "cpu":
        return "recurrent"
    return "chunked" if structure.is_closed else "recurrent"


def states(
    structure: AbstractStructure,
    flow: AbstractFlow,
    start: Float[Array, "*batch h"],
    dw: Float[Array, "*batch steps channels"],
    *,
    weights: Float[Array, "*batch steps"] | None = None,
    output: str = "all",
    mode: str = "recurrent",
    chunk: int = CHUNK,
) -> Float[Array, "..."]:
    """The states after the steps.

    Args:
        structure: The matrices.
        flow: From the field of a step to its flow.
        start: The state before the first step.
        dw: The increments; a step of zeros is the identity, exactly.
        weights: What each step counts for in the sum, for the output "mean".
        output: "terminal" for the last state, "all" for the state after every step, "mean" for their weighted sum.
        mode: "recurrent", "chunked" or "full".
        chunk: Steps of a chunk.

    Returns:
        (…, h), or (…, steps, h) for "all".
    """
    axis, steps = dw.ndim - 2, dw.shape[-2]
    if steps == 0:
        empty = jnp.zeros((*start.shape[:-1], 0, start.shape[-1]), start.dtype)
        return {"terminal": start, "mean": jnp.zeros_like(start), "all": empty}[output]
    if mode == "recurrent":
        span, inside = min(steps, _span(structure, dw)), _step_by_step
    else:
        span, inside = steps if mode == "full" else min(steps, chunk), _in_parallel
    advance = functools.partial(inside, flow, output != "terminal")

    def over(carry: tuple[Array, Array], part: tuple[Array, Array | None]) -> tuple[tuple[Array, Array], Array | None]:
        h, total = carry
        increments, counts = part
        h, each = advance(structure, h, increments)
        if output == "mean":
            total = total + jnp.einsum("s...,s...h->...h", counts, each)
        return (h, total), each if output == "all" else None

    def spans(x: Array | None) -> Array | None:
        # (spans, steps of a span, …): both in front, as scans run there.
        return None if x is None else in_spans(jnp.moveaxis(x, axis, 0), span, 0)

    begin = (start, jnp.zeros_like(start))
    every = (spans(dw), spans(weights) if output == "mean" else None)
    (end, total), found = jax.lax.scan(jax.checkpoint(over), begin, every)
    if output == "all":
        return jnp.moveaxis(out_of_spans(found, steps, 0), 0, axis)
    return end if output == "terminal" else total


def _span(structure: AbstractStructure, dw: Float[Array, "*batch steps channels"]) -> int:
    """How many steps of the recurrence have their fields built together."""
    one = jax.ShapeDtypeStruct((*dw.shape[:-2], dw.shape[-1]), dw.dtype)
    field = eqx.filter_eval_shape(structure.field, one)
    numbers = sum(math.prod(leaf.shape) for leaf in jax.tree.leaves(eqx.filter(field, field.batched())))
    return max(1, min(_LONGEST, _FIELDS // max(numbers, 1)))


def _step_by_step(
    flow: AbstractFlow, every: bool, structure: AbstractStructure, h: Array, dw: Array
) -> tuple[Array, Array | None]:
    fields = structure.field(dw)
    each, common = eqx.partition(fields, fields.batched())

    def step(h: Array, own: AbstractMap) -> tuple[Array, Array | None]:
        h = flow.act(eqx.combine(own, common), h)
        return h, h if every else None

    return jax.lax.scan(step, h, each)


def _in_parallel(
    flow: AbstractFlow, every: bool, structure: AbstractStructure, h: Array, dw: Array
) -> tuple[Array, Array | None]:
    flows = flow.of(structure.field(dw))
    if not every:
        return halve(_then, flows, axis=0).apply(h), None
    prefixes = jax.lax.associative_scan(_then, flows, axis=0)
    found = prefixes.apply(jnp.broadcast_to(h, (dw.shape[0], *h.shape)))
    return last(found, 0), found


def _then(first: AbstractClosedMap, second: AbstractClosedMap) -> AbstractClosedMap:
    return first.then(second)
