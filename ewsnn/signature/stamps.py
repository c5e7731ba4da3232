"""Where times lie on a path: between which knots, and how far."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.arrays import Numbers, is_traced, real

AnyArray = np.ndarray | jax.Array


def knot_times(times: Numbers | None, valid: AnyArray) -> AnyArray:
    """The time stamps of all knots, for each path; those of padding are the last valid one.

    Args:
        times: (knots,) or (…, knots), checked already; None for 0, 1, 2, ….
        valid: Which steps are valid, (…, steps).

    Returns:
        (…, knots), of NumPy where everything is known outside JAX, with all digits.
    """
    steps = valid.shape[-1]
    stamps = np.arange(steps + 1.0) if times is None else real("times", times)
    xp: Any = jnp if is_traced(stamps, valid) or isinstance(stamps, jax.Array) else np
    valid = xp.asarray(valid)
    stamps = xp.broadcast_to(xp.asarray(stamps), (*valid.shape[:-1], steps + 1))
    # Padding stands at the end, so the number of valid steps is the place of the last valid knot.
    last = xp.sum(valid, axis=-1)[..., None]
    return xp.take_along_axis(stamps, xp.minimum(xp.arange(steps + 1) + xp.zeros_like(last), last), axis=-1)


def locate(times: AnyArray, moments: AnyArray) -> tuple[AnyArray, AnyArray]:
    """The knot at or before each moment, and the fraction of the step after it that has passed.

    A jump (a step that takes no time) belongs to what comes after its time, but one at the last time to what comes
    before: intervals side by side share nothing and lose nothing.

    Args:
        times: The time stamps, (…, knots), weakly increasing.
        moments: (…, queries), of the same batch.

    Returns:
        Knots, and fractions from 0 to below 1. What is before the first knot is there, what is after the last, there.
    """
    xp: Any = jnp if is_traced(times, moments) or isinstance(times, jax.Array) or isinstance(moments, jax.Array) else np
    times, moments = xp.asarray(times), xp.asarray(moments)
    moments = moments.astype(times.dtype)
    last = times.shape[-1] - 1
    flat, asked = times.reshape(-1, last + 1), moments.reshape(-1, moments.shape[-1])
    if xp is jnp:
        after = jax.vmap(jnp.searchsorted)(flat, asked).reshape(moments.shape)
    else:
        rows = [np.searchsorted(row, own) for row, own in zip(flat, asked, strict=True)]
        after = np.asarray(rows, int).reshape(moments.shape)
    at_end = moments >= times[..., -1:]
    there = xp.minimum(after, last)
    before = xp.maximum(there - 1, 0)
    t1, t0 = xp.take_along_axis(times, there, axis=-1), xp.take_along_axis(times, before, axis=-1)
    within = (moments < t1) & (moments > t0) & ~at_end
    length = xp.where(within, t1 - t0, xp.ones_like(t1))
    fraction = xp.where(within, (moments - t0) / length, xp.zeros_like(t1))
    return xp.where(at_end, last, xp.where(within, before, there)), fraction
