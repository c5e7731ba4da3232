"""The layer as one pure function on arrays: the front door."""

import math
from typing import Any, SupportsIndex, TypeVar

import equinox as eqx
import jax
import numpy as np

from ewsnn import clocks, tensor
from ewsnn.arrays import Levels, Numbers, as_float, check_finite, refuse_class
from ewsnn.engine.states import check_options, states
from ewsnn.generators import AbstractGenerator, Dense
from ewsnn.paths import Increments

M = TypeVar("M", bound=eqx.Module)

# Outside a transformation, too, the whole is compiled once for each shape; operation by operation would be slow.
_states = eqx.filter_jit(states)

_CLOCKS = {"time": clocks.Time, "observation": clocks.Observation, "variation": clocks.Variation}


def ews(
    path: Numbers,
    generator: Numbers | AbstractGenerator,
    *,
    depth: SupportsIndex,
    lift: Numbers | None = None,
    clock: str | Numbers | clocks.AbstractClock = "time",
    times: Numbers | None = None,
    lengths: Numbers | None = None,
    output: str = "terminal",
    engine: str = "auto",
) -> Levels:
    r"""The exponentially weighted signature of piecewise-linear paths.

    .. math::
        S_{(A,B)}(X; θ)^{(n)}_{s,t} = \int_{s<t_1<⋯<t_n<t} e^{-(θ_t-θ_{t_1})A} B \, dX_{t_1} ⊗ ⋯ ⊗
        e^{-(θ_t-θ_{t_n})A} B \, dX_{t_n}

    Args:
        path: The points of the paths, (…, points, channels); leading axes are batch.
        generator: The matrix A, (m, m), or an object of :mod:`ewsnn.generators`.
        depth: The truncation depth N.
        lift: The matrix B, (m, channels); None for the identity.
        clock: "time", "observation", "variation" (Euclidean length of the steps of the path given, before the lift),
            clock increments (…, points − 1), which may be negative (clocks may go back), or an object of
            :mod:`ewsnn.clocks`.
        times: The time stamps of the points, (points,) or (…, points), weakly increasing; None for 0, 1, 2, …. All
            clocks take their time from here, never from a channel.
        lengths: Number of valid points of each path, (…,). What comes after them adds nothing, advances no clock and is
            not read.
        output: "terminal" for the last valid state, "mean" for the mean over the states after each valid step (the
            start value does not count), "all" for the states after every step. A path of one valid point gives zeros
            for the first two.
        engine: "chunked" (matrix products over the re-weighted path), "scan" (parallel associative scan),
            "sequential", or "auto" for the one that suits the problem and the machine.

    Returns:
        A tuple of N arrays: level n with n axes of size m behind the batch, and with the axis of steps between them for
        "all". Level 0 is 1 and is not returned.

    Raises:
        ValueError: If an option is unknown, shapes do not fit, nested lists have unequal lengths, or the state has too
            many entries. Where the values are known, that is outside transformations such as jit, also if times
            decrease, a length is out of range, or a number is NaN or infinite: of the path, the times or the clock
            increments (as far as ``lengths`` say), of the generator, the lift or the clock.
        TypeError: If an argument is of the wrong kind, or the path is neither float32 nor float64 (integers and lists
            are read in JAX's default precision).

    Paper: Definition 2; Theorem 1(ii).

    >>> from ewsnn.generators import Zero
    >>> level1, level2 = ews([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]], Zero(2), depth=2)
    >>> level1.tolist(), level2.tolist()
    ([1.0, 1.0], [[0.5, 1.0], [0.0, 0.5]])
    """
    depth = tensor.check_depth(depth)
    refuse_class("generator", generator)
    refuse_class("clock", clock)
    check_options(output, engine)
    increments = Increments.from_values(path, times, lengths)
    *batch, steps, d = increments.dx.shape
    dtype = increments.dx.dtype
    if isinstance(generator, AbstractGenerator):
        A = _cast("generator", generator, dtype)
    else:
        matrix = as_float("generator", generator, dtype)
        check_finite("generator", matrix)
        A = Dense(matrix)
    m = A.size
    tensor.check_size(m, depth, math.prod(batch) * max(steps, 1), dtype.itemsize)
    B = None if lift is None else as_float("lift", lift, dtype)
    if B is None and m != d:
        raise ValueError(
            f"the generator acts on {m} letters, the path has {d} channels: give a lift of shape ({m}, {d})."
        )
    if B is not None:
        if B.shape != (m, d):
            raise ValueError(f"lift must have shape (m, d) = ({m}, {d}), got {B.shape}.")
        check_finite("lift", B)
    if isinstance(clock, str):
        if clock not in _CLOCKS:
            raise ValueError(
                f"clock must be one of {', '.join(map(repr, _CLOCKS))}, an array (…, steps) or an object of "
                f"ewsnn.clocks, got {clock!r}."
            )
        chosen = _CLOCKS[clock]()
    elif isinstance(clock, clocks.Given):
        raise ValueError("the clock Given has no increments of its own: pass the increments themselves as clock=.")
    elif isinstance(clock, clocks.AbstractClock):
        chosen = clock
    elif clock is None:
        raise TypeError("clock must be a name, clock increments or an object of ewsnn.clocks, got None.")
    else:
        chosen, increments = clocks.Given(), increments.with_elapsed(clock, name="clock")
    return _states(increments, B, A, _cast("clock", chosen, dtype), depth=depth, output=output, engine=engine)


def _cast(name: str, module: M, dtype: np.dtype) -> M:
    """The module with its floats in the path's precision, none of them NaN or infinite."""

    def cast(place: tuple[Any, ...], leaf: Any) -> Any:
        if not eqx.is_inexact_array(leaf):
            return leaf
        found = leaf.astype(dtype)
        check_finite(name + jax.tree_util.keystr(place), found)
        return found

    return jax.tree_util.tree_map_with_path(cast, module)
