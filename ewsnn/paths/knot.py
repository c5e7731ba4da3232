"""Where a path that still goes on has arrived: what the next observations are subtracted from."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int

from ewsnn.arrays import Numbers, check_finite, is_traced, real
from ewsnn.paths.double_word import DoubleWord
from ewsnn.paths.increments import Increments
from ewsnn.paths.observations import Observations, zero_unless


class Knot(eqx.Module):
    """The last point of a path and its time stamp.

    Chunks of observations become increments from here on, so that all chunks together are the whole path; time stamps
    are absolute and must not go back.

    Args:
        point: Where the path is, (…, d).
        time: The time stamp there, (…,).

    >>> knot = Knot.start((), 1, np.dtype(np.float32))
    >>> knot, first = knot.values([[2.0], [3.0]], times=[3.0, 5.0])
    >>> knot, second = knot.values([[7.0]], times=[6.0])
    >>> first.dx.tolist(), second.dx.tolist(), second.dt.tolist(), float(knot.time.value)
    ([[2.0], [1.0]], [[4.0]], [1.0], 6.0)
    """

    point: DoubleWord
    time: DoubleWord

    @classmethod
    def start(
        cls,
        batch_shape: tuple[int, ...],
        d: int,
        dtype: np.dtype,
        t0: Numbers = 0.0,
        point: Numbers | None = None,
    ) -> "Knot":
        """Where paths start.

        Args:
            batch_shape: The leading axes.
            d: Number of channels.
            dtype: Floating-point type of the increments that will be made.
            t0: The time stamp of the start, a number or (…,).
            point: The first point, (d,) or (…, d); None for the base point 0.

        Raises:
            TypeError: If something is not a real number.
            ValueError: If a shape does not fit or a number is not finite.
        """
        where = real("point", np.zeros(d) if point is None else point)
        when = real("t0", t0)
        shape = (*batch_shape, d)
        if where.shape not in (shape, (d,)):
            raise ValueError(f"point must have shape {(d,)} or {shape}, got {where.shape}.")
        if when.shape not in (batch_shape, ()):
            raise ValueError(f"t0 must be one number or have shape {batch_shape}, got {when.shape}.")
        check_finite("point", where)
        check_finite("t0", when)
        return cls(_words(where, shape, dtype), _words(when, batch_shape, dtype))

    def values(
        self, path: Numbers, times: Numbers | None = None, lengths: Numbers | None = None
    ) -> tuple["Knot", Increments]:
        r"""The path goes on through the observations, :math:`X_{t_j} = x_j`.

        Args:
            path: The next observations, (…, knots, d).
            times: Their time stamps, (knots,) or (…, knots), not before the one here; None for one more each.
            lengths: How many are valid, (…,), which may be none; what comes after them is never read.

        Returns:
            The last point, and one step for each observation.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If shapes do not fit, or (where they are known) times go back, a length is out of range, or a
                number is not finite.
        """
        return self._go_on(_through, path, times, lengths)

    def integral(
        self, signal: Numbers, times: Numbers | None = None, lengths: Numbers | None = None
    ) -> tuple["Knot", Increments]:
        r"""The path goes on by the observations, :math:`ΔX_j = x_j`.

        Args:
            signal: The next observations, (…, knots, d).
            times: As for :meth:`values`.
            lengths: As for :meth:`values`.

        Returns:
            The last point, and one step for each observation.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: As for :meth:`values`.
        """
        return self._go_on(_along, signal, times, lengths)

    def moved(self, increments: Increments) -> "Knot":
        """Where the path is after steps whose points nobody gave: their sums are added.

        Args:
            increments: The steps.
        """
        return Knot(self.point.plus(jnp.sum(increments.dx, axis=-2)), self.time.plus(jnp.sum(increments.dt, axis=-1)))

    def _go_on(
        self, read: Callable, path: Numbers, times: Numbers | None, lengths: Numbers | None
    ) -> tuple["Knot", Increments]:
        *batch, d = self.point.high.shape
        dtype = self.point.high.dtype
        chunk = Observations.check(path, times, lengths, None, dtype, least=0)
        *given, _, channels = chunk.values.shape
        if (given, channels) != (batch, d):
            raise ValueError(
                f"the path is ({', '.join(map(str, [*batch, 'knots', d]))}) from its start, got more of it of shape "
                f"{chunk.values.shape}."
            )
        shape = chunk.values.shape[:-1]
        stamps = None if chunk.times is None else _words(chunk.times, shape, dtype)
        counts = None if chunk.counts is None else jnp.asarray(chunk.counts)
        knot, increments = read(self, DoubleWord.of(chunk.values, dtype), stamps, counts)
        if stamps is not None:
            self._check_onwards(increments, stamps)
        return knot, increments

    def _check_onwards(self, increments: Increments, stamps: DoubleWord) -> None:
        first = increments.dt[..., 0]
        if is_traced(first):
            return
        # Within the chunk they have been looked at before; padding has zeros.
        back = np.argwhere(np.asarray(first) < 0)
        if len(back):
            place = tuple(int(i) for i in back[0])
            here, there = (
                float(np.asarray(words.high, float)[at]) + float(np.asarray(words.low, float)[at])
                for words, at in ((self.time, place), (stamps, (*place, 0)))
            )
            raise ValueError(
                f"times must not go back: the path is at {here}, the next time is {there}, at index {(*place, 0)}. "
                "Times are absolute: do not start again from zero with each chunk."
            )


@eqx.filter_jit
def _through(
    knot: Knot, points: DoubleWord, stamps: DoubleWord | None, counts: Int[Array, "*batch"] | None
) -> tuple[Knot, Increments]:
    """Observations that are points."""
    every = _behind(knot.point, points, -2)
    time, dt, within = _times(knot, points, stamps, counts)
    dx = zero_unless(within[..., None], points.minus(_cut(every, -2)))
    return Knot(_last(every, counts, -2), time), Increments(dx, dt, within, operations=("base point",))


@eqx.filter_jit
def _along(
    knot: Knot, points: DoubleWord, stamps: DoubleWord | None, counts: Int[Array, "*batch"] | None
) -> tuple[Knot, Increments]:
    """Observations that are increments."""
    time, dt, within = _times(knot, points, stamps, counts)
    dx = zero_unless(within[..., None], points.high)
    return Knot(knot.point.plus(jnp.sum(dx, axis=-2)), time), Increments(dx, dt, within, operations=("base point",))


def _times(
    knot: Knot, points: DoubleWord, stamps: DoubleWord | None, counts: Int[Array, "*batch"] | None
) -> tuple[DoubleWord, Float[Array, "*batch knots"], Array]:
    """The last time stamp, the time of each step, and which steps are valid."""
    *batch, knots, _ = points.high.shape
    places = jnp.broadcast_to(jnp.arange(knots, dtype=np.int32), (*batch, knots))
    within = jnp.ones(places.shape, bool) if counts is None else places < counts[..., None].astype(np.int32)
    if stamps is None:
        dt = within.astype(points.high.dtype)
        return knot.time.plus(jnp.sum(dt, axis=-1)), dt, within
    every = _behind(knot.time, stamps, -1)
    return _last(every, counts, -1), zero_unless(within, stamps.minus(_cut(every, -1))), within


def _words(values: np.ndarray | Array, shape: tuple[int, ...], dtype: np.dtype) -> DoubleWord:
    return jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, shape), DoubleWord.of(values, dtype))


def _behind(first: DoubleWord, rest: DoubleWord, axis: int) -> DoubleWord:
    """The numbers here, and those of the chunk behind them."""
    return jax.tree.map(lambda a, b: jnp.concatenate([jnp.expand_dims(a, axis), b], axis=axis), first, rest)


def _cut(every: DoubleWord, axis: int) -> DoubleWord:
    """All but the last: what each is subtracted from."""
    return jax.tree.map(lambda leaf: jax.lax.slice_in_dim(leaf, 0, leaf.shape[axis] - 1, axis=axis), every)


def _last(every: DoubleWord, counts: Int[Array, "*batch"] | None, axis: int) -> DoubleWord:
    """The last that is valid, which is the one in front of the chunk where none of the chunk is."""

    def pick(leaf: Array) -> Array:
        if counts is None:
            return jax.lax.index_in_dim(leaf, leaf.shape[axis] - 1, axis=axis, keepdims=False)
        places = counts.reshape(*counts.shape, *(1 for _ in range(-axis)))
        return jnp.squeeze(jnp.take_along_axis(leaf, places, axis=axis), axis=axis)

    return jax.tree.map(pick, every)
