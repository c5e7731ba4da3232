"""Paths cut into windows of so many steps, and what the Log-ODE method keeps of each: its log-signature."""

import functools
import math
from typing import SupportsIndex

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn import tensor
from ewsnn.engine import signature_of_steps
from ewsnn.paths import Increments
from ewsnn.paths.observations import zero_unless
from ewsnn.signature import coordinates, log, lyndon


def cut(increments: Increments, samples: SupportsIndex) -> Increments:
    """The steps of paths in windows: every step in one window, every window of one path.

    Windows share the knots at which they meet, so no increment is lost between them. The last window of a path takes
    what is left; if that is less than a window it is filled up by steps of padding, which add nothing.

    Args:
        increments: The steps of paths, (…, steps); padding is set to zero here, whatever it holds.
        samples: Steps in a window.

    Returns:
        The same steps, (…, windows, samples). They have no first point: the path is no longer one.

    Raises:
        ValueError: If the number of samples is no integer of at least 1.

    >>> path = Increments.from_values([[0.0], [1.0], [3.0], [6.0]], [0.0, 0.5, 2.0, 2.5])
    >>> cut(path, 2).dx[..., 0].tolist(), cut(path, 2).dt.tolist()
    ([[1.0, 2.0], [3.0, 0.0]], [[0.5, 1.5], [0.5, 0.0]])
    """
    steps = increments.dt.shape[-1]
    # No longer than the paths: a window of padding alone would cost as much as any other.
    length = min(tensor.check_depth(samples, name="samples"), max(steps, 1))
    windows = -(-steps // length)
    valid, elapsed = increments.valid, increments.elapsed

    def arranged(array: Array) -> Array:
        batch, rest = valid.shape[:-1], array.shape[valid.ndim :]
        fill = [*len(batch) * [(0, 0)], (0, windows * length - steps), *len(rest) * [(0, 0)]]
        return jnp.pad(array, fill).reshape(*batch, windows, length, *rest)

    return Increments(
        dx=arranged(zero_unless(valid[..., None], increments.dx)),
        dt=arranged(zero_unless(valid, increments.dt)),
        valid=arranged(valid),
        elapsed=None if elapsed is None else arranged(zero_unless(valid, elapsed)),
        operations=increments.operations,
    )


def log_signatures(increments: Increments, samples: SupportsIndex, depth: SupportsIndex) -> Increments:
    r"""Paths as the Log-ODE method reads them: a step for each window, its increment the log-signature.

    .. math:: λ_k = \log S(ω)_{t_{ks}, t_{(k+1)s}}

    It is what the window contributes, and is not divided by its length: windows may differ in length and in how their
    steps are spread. Time enters where it is a channel of the path.

    Args:
        increments: The steps of paths, (…, steps).
        samples: Steps in a window; the last window of a path may have fewer.
        depth: The truncation depth N; with 1 the increments are those of the path over the window.

    Returns:
        As many steps as windows, (…, windows), with the coordinates in the basis "lyndon brackets" of
        :mod:`ewsnn.signature` as channels; their first ones are the increments of the path. A window is valid where
        one of its steps is.

    Raises:
        ValueError: If samples or depth is no integer of at least 1, or a log-signature has too many entries.

    >>> corner = Increments.from_values([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [3.0, 1.0]])
    >>> log_signatures(corner, 2, 2).dx.tolist()
    [[1.0, 1.0, 0.5], [2.0, 0.0, 0.0]]
    """
    windows = cut(increments, samples)
    return Increments(
        dx=_log_signature(windows.dx, tensor.check_depth(depth)),
        dt=jnp.sum(windows.dt, axis=-1),
        valid=jnp.any(windows.valid, axis=-1),
        elapsed=None if windows.elapsed is None else jnp.sum(windows.elapsed, axis=-1),
        operations=increments.operations,
    )


# Compiled as a whole: operation by operation it would be slow outside a transformation.
@functools.partial(jax.jit, static_argnums=1)
def _log_signature(steps: Float[Array, "*batch steps d"], depth: int) -> Float[Array, "*batch size"]:
    *batch, _, d = steps.shape
    tensor.check_size(d, depth, math.prod(batch), steps.dtype.itemsize)
    if depth == 1:
        return jnp.sum(steps, axis=-2)
    if 0 in batch:
        return jnp.zeros((*batch, len(lyndon.places(d, depth))), steps.dtype)
    return coordinates(log(signature_of_steps(steps, depth)), basis="lyndon brackets")
