"""An axis of steps cut into spans of equal length, and put together again."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def in_spans(x: Float[Array, "..."], length: int, axis: int) -> Float[Array, "..."]:
    """The axis of steps as two: the spans, and the steps of a span.

    The last span is filled up with zeros: steps that add nothing and take no clock time.

    Args:
        x: An array with an axis of steps.
        length: How many steps a span has.
        axis: The axis of steps, counted from the front.

    >>> in_spans(jnp.arange(1.0, 6.0), 3, 0).tolist()
    [[1.0, 2.0, 3.0], [4.0, 5.0, 0.0]]
    """
    steps = x.shape[axis]
    spans = -(-steps // length)
    filled = jnp.pad(x, [(0, spans * length - steps if k == axis else 0) for k in range(x.ndim)])
    return filled.reshape(*x.shape[:axis], spans, length, *x.shape[axis + 1 :])


def out_of_spans(spans: Float[Array, "..."], steps: int, axis: int) -> Float[Array, "..."]:
    """Spans as steps again, without those that only filled the last span.

    Args:
        spans: An array with an axis of spans, and the steps of a span behind it.
        steps: How many steps there are.
        axis: The axis of spans, counted from the front.

    >>> out_of_spans(in_spans(jnp.arange(1.0, 6.0), 3, 0), 5, 0).tolist()
    [1.0, 2.0, 3.0, 4.0, 5.0]
    """
    every = spans.reshape(*spans.shape[:axis], -1, *spans.shape[axis + 2 :])
    return jax.lax.slice_in_dim(every, 0, steps, axis=axis)


def later(x: Float[Array, "*batch steps"]) -> Float[Array, "*batch steps"]:
    """What the later steps add up to, for each step.

    >>> later(jnp.array([1.0, 2.0, 4.0])).tolist()
    [6.0, 4.0, 0.0]
    """
    behind = jnp.flip(jnp.cumsum(jnp.flip(x[..., 1:], axis=-1), axis=-1), axis=-1)
    return jnp.concatenate([behind, jnp.zeros_like(x[..., :1])], axis=-1)
