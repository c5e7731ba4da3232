"""The signature, or EWS, of any sub-interval of a path, and of sliding windows."""

from typing import SupportsIndex

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn import tensor
from ewsnn.arrays import PRECISION, Levels, Numbers, check_finite, is_traced, real
from ewsnn.engine import Segment
from ewsnn.generators import Zero
from ewsnn.layers import EWSLayer
from ewsnn.paths import Increments
from ewsnn.paths.observations import Observations
from ewsnn.signature import queries
from ewsnn.signature.queries import Steps
from ewsnn.signature.stamps import AnyArray, knot_times, locate


class Intervals(eqx.Module):
    r"""All sub-intervals of paths, ready to be asked for :math:`S_{s,t}`.

    Made once, in time and memory linear in the steps: a tree of joined steps. Each query joins at most
    :math:`2 \log_2` (steps) of its nodes. Nothing is divided, so a short interval far out on a long path has all its
    digits, which :math:`S_{0,s}^{-1} ⊗ S_{0,t}` has not. Differentiable in the path, the clock and the generator; a
    pytree, so that it passes through ``jit``, ``grad`` and ``vmap``.

    Args:
        tree: The segments of 1, 2, 4, … steps.
        path: The steps: generator, clock increments and lifted increments.
        times: The time stamps of the knots, for each path; None where only knots can be asked for.

    Paper: Theorem 1(ii).

    >>> corner = Intervals.from_path([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [3.0, 2.0]], 2)
    >>> [level.tolist() for level in corner.between(1, 3)]
    [[2.0, 2.0], [[2.0, 0.0], [4.0, 2.0]]]
    >>> corner.between_times([0.0, 0.5], [0.5, 1.5])[0].tolist()
    [[0.5, 0.0], [0.5, 1.0]]
    >>> corner.windows(2)[0].tolist()
    [[1.0, 2.0], [2.0, 2.0]]
    """

    tree: Segment
    path: Steps
    times: Float[np.ndarray, "*batch knots"] | Float[Array, "*batch knots"] | None

    @classmethod
    def from_path(
        cls, path: Numbers, depth: SupportsIndex, *, times: Numbers | None = None, lengths: Numbers | None = None
    ) -> "Intervals":
        """The intervals of piecewise-linear paths, for their signatures.

        Args:
            path: The points, (…, knots, channels).
            depth: The truncation depth N.
            times: Their time stamps, (knots,) or (…, knots), weakly increasing; None for 0, 1, 2, …. Signatures do not
                depend on them; they say what :meth:`between_times` means.
            lengths: Number of valid points of each path, (…,); what comes after them is never read and adds nothing.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If shapes do not fit, times decrease, a length is out of range or the state has too many
                entries.
        """
        increments = Increments.from_values(path, times, lengths)
        generator = Zero(increments.dx.shape[-1])
        stamps = knot_times(times, increments.valid)
        return cls._made(
            Steps(generator, jnp.zeros_like(increments.dt), increments.dx), tensor.check_depth(depth), stamps
        )

    @classmethod
    def from_layer(cls, layer: EWSLayer, increments: Increments, *, times: Numbers | None = None) -> "Intervals":
        r"""The intervals of paths, for their EWS as a layer computes it.

        :math:`S_{s,t}` weights by the clock at t: what is before s counts for nothing, not even as a decayed state.

        Args:
            layer: Lift, generator, clock and depth.
            increments: The steps of the paths.
            times: The time stamps of the knots, one more than steps, (knots,) or (…, knots), weakly increasing; None
                where only knots will be asked for.

        Raises:
            ValueError: If the path has other channels than the lift, shapes do not fit or times decrease.
        """
        d = increments.dx.shape[-1]
        if d != layer.lift.shape[1]:
            raise ValueError(f"the lift is for {layer.lift.shape[1]} channels, the path has {d}.")
        v = jnp.einsum("md,...d->...m", layer.lift, increments.dx, precision=PRECISION)
        stamps = None if times is None else knot_times(_check_times(times, increments), increments.valid)
        return cls._made(Steps(layer.generator, layer.clock(increments), v), layer.depth, stamps)

    @classmethod
    def _made(cls, path: Steps, depth: int, times: AnyArray | None) -> "Intervals":
        tensor.check_size(path.v.shape[-1], depth, 2 * path.dtheta.size + 1, path.v.dtype.itemsize)
        return cls(queries.tree(path, depth), path, times)

    @property
    def steps(self) -> int:
        """The number of steps."""
        return self.path.v.shape[-2]

    def between(self, start: Numbers, stop: Numbers) -> Levels:
        r"""The EWS between knots, :math:`S_{t_i, t_j}` for knots i ≤ j.

        Args:
            start: The knot i where each interval starts, counted from 0: one number, (queries,) for the same
                intervals of every path, or (…, queries).
            stop: The knot j where it stops, at most the number of steps; of the shape of ``start``, or one number.

        Returns:
            Levels 1 to N, with an axis of queries behind the batch where there was one. Zeros where i = j. Inside
            transformations such as jit what is asked for cannot be looked at: NaN where it is wrong.

        Raises:
            TypeError: If knots are no integers.
            ValueError: If a stop is before its start, or a knot is outside the path, as far as they are known.
        """
        for name, knots in (("start", start), ("stop", stop)):
            if not jnp.issubdtype(jnp.asarray(knots).dtype, jnp.integer):
                raise TypeError(
                    f"{name} must be knots, that is integers, got {knots!r}: for time stamps take between_times."
                )
        (i, j), single = self._aligned(start, stop)
        wrong = (i < 0) | (j < i) | (j > self.steps)
        _refuse(wrong, i, j, f"0 ≤ start ≤ stop ≤ {self.steps}, the knots of the path,")
        longest = self.steps if is_traced(i, j) else int(np.max(np.asarray(j - i), initial=0))
        # A power of two, so that queries of other lengths seldom compile anew.
        longest = min(self.steps, (1 << longest.bit_length()) - 1)
        found = queries.between(self.tree, jnp.asarray(i), jnp.asarray(j), self.steps, longest)
        return self._answer(found, wrong, single)

    def between_times(self, start: Numbers, stop: Numbers) -> Levels:
        r"""The EWS between times, :math:`S_{s,t}` for s ≤ t.

        Path and clock are linear between knots, so a part of a step is the local EWS of that fraction of both. A jump
        (a step that takes no time) belongs to the interval that starts there, one at the last time to the interval
        that stops there: intervals side by side share nothing and lose nothing. Before the first time stamp there is
        no path, and nothing to add.

        Args:
            start: The time s where each interval starts: one number, (queries,) for the same intervals of every path,
                or (…, queries).
            stop: The time t where it stops, not after the last time stamp; of the shape of ``start``, or one number.

        Returns:
            Levels 1 to N, as for :meth:`between`.

        Raises:
            TypeError: If times are no real numbers.
            ValueError: If there are no time stamps, a stop is before its start, or after the last time stamp, as far
                as they are known.
        """
        if self.times is None:
            raise ValueError("these intervals have no time stamps: give times=, or ask by knots with between.")
        start, stop = real("start", start), real("stop", stop)
        check_finite("start", start)
        check_finite("stop", stop)
        (s, t), single = self._aligned(start, stop)
        first, last = self.times[..., :1], self.times[..., -1:]
        xp = jnp if isinstance(self.times, jax.Array) or isinstance(s, jax.Array) or isinstance(t, jax.Array) else np
        s, t = xp.asarray(s).astype(self.times.dtype), xp.asarray(t).astype(self.times.dtype)
        wrong = ~((s <= t) & (t <= xp.broadcast_to(last, t.shape)))
        ends = "" if is_traced(first, last) else f" {np.min(np.asarray(last))}"
        _refuse(wrong, s, t, f"start ≤ stop ≤{ends}, the last time stamp of the path,")
        (i, part), (j, rest) = locate(self.times, s), locate(self.times, t)
        dtype = self.path.v.dtype
        found = queries.between_parts(
            self.tree,
            self.path,
            queries.Place(jnp.asarray(i), jnp.asarray(part, dtype)),
            queries.Place(jnp.asarray(j), jnp.asarray(rest, dtype)),
        )
        return self._answer(found, wrong, single)

    def windows(self, length: SupportsIndex, stride: SupportsIndex = 1) -> Levels:
        """The EWS of sliding windows of equal length, in time and memory linear in the steps.

        Args:
            length: The number of steps in a window.
            stride: The number of steps from the start of one window to that of the next.

        Returns:
            Levels 1 to N with an axis of windows behind the batch: window k goes from knot k·stride to knot
            k·stride + length, as long as that lies on the path. What a window has of padding adds nothing.

        Raises:
            ValueError: If the length or the stride is no integer of at least 1, or no window fits.
        """
        length, stride = tensor.check_depth(length, name="length"), tensor.check_depth(stride, name="stride")
        if length > self.steps:
            raise ValueError(f"no window of {length} steps fits on a path of {self.steps}.")
        return queries.windows(self.tree, self.path, length, stride)

    def _answer(self, levels: Levels, wrong: AnyArray, single: bool) -> Levels:
        # What could not be refused at the door is no number.
        levels = queries.nan_where(jnp.asarray(wrong), levels)
        return tuple(level.squeeze(self.path.v.ndim - 2) for level in levels) if single else levels

    def _aligned(self, start: Numbers, stop: Numbers) -> tuple[tuple[AnyArray, AnyArray], bool]:
        """Both as (…, queries), and whether one number was asked for instead of an axis of them."""
        start, stop = (x if isinstance(x, jax.Array) else np.asarray(x) for x in (start, stop))
        batch = self.path.v.shape[:-2]
        queries = start.shape if start.ndim >= stop.ndim else stop.shape
        fits = len(queries) <= 1 or queries[:-1] == batch
        if not fits or any(x.shape not in ((), queries) for x in (start, stop)):
            raise ValueError(
                f"start and stop must be one number, (queries,) or {(*batch, 'queries')}, both alike, got shapes "
                f"{start.shape} and {stop.shape}."
            )
        shape = (*batch, queries[-1] if queries else 1)
        both = tuple((jnp if isinstance(x, jax.Array) else np).broadcast_to(x, shape) for x in (start, stop))
        return (both[0], both[1]), not queries


def _check_times(times: Numbers, increments: Increments) -> Numbers:
    # Time stamps have one door, where paths are read.
    knots = (*increments.dt.shape[:-1], increments.dt.shape[-1] + 1)
    counts = jnp.sum(increments.valid, axis=-1) + 1
    Observations.check(np.zeros((*knots, 1), np.float32), times, counts, None, None)
    return times


def _refuse(wrong: AnyArray, start: AnyArray, stop: AnyArray, rule: str) -> None:
    if is_traced(wrong) or not np.any(np.asarray(wrong)):
        return
    place = tuple(int(k) for k in np.argwhere(np.asarray(wrong))[0])
    raise ValueError(f"an interval needs {rule} got start {start[place]} and stop {stop[place]} at index {place}.")
