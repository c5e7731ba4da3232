"""Paths as what the layer reads: increments, step by step.

Observations become increments in one of three readings (values, integral, derivative); a base point and a
time channel are added afterwards, each at most once. NumPy arrays are subtracted in NumPy, before they are
rounded to JAX's precision: a float64 path with a large offset keeps the digits of its increments.
"""

import dataclasses
import warnings

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ewsnn.arrays import Numbers, as_float, is_traced, real


class Increments(eqx.Module):
    """The steps of a piecewise-linear path.

    Args:
        dx: The increment of the path over each step.
        dt: The increment of the time stamps, 1 where the path has none.
        valid: Whether the step is part of the path; the other steps are padding, and all increments there are 0.
        elapsed: Clock increments that came with the path, for the clock ``Given``.
        start: The first point, which a base point needs; None where the path starts at zero.
        lead: The time from the base point to the first point.
        operations: What has been added to the path.
    """

    dx: Float[Array, "*batch steps d"]
    dt: Float[Array, "*batch steps"]
    valid: Bool[Array, "*batch steps"]
    elapsed: Float[Array, "*batch steps"] | None = None
    start: Float[Array, "*batch d"] | None = None
    lead: Float[Array, "*batch"] | None = None
    operations: tuple[str, ...] = eqx.field(static=True, default=())

    @classmethod
    def from_values(
        cls,
        path: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
        dtype: np.dtype | type | None = None,
    ) -> "Increments":
        r"""The path through the observations, :math:`X_{t_j} = x_j`.

        Args:
            path: The points, (…, knots, channels).
            times: Their time stamps, (knots,) or (…, knots), weakly increasing; None for 0, 1, 2, ….
            lengths: Number of valid points of each path, (…,); what comes after them is never read.
            start_time: The time at which observation began, a number or (…,): where the time stamps of a base point
                start. None for the time of the first point.
            dtype: Floating-point type of the increments; None for that of the path. A float64 NumPy array gives
                float32, with a warning, where JAX's x64 flag is off.

        Returns:
            The steps between the points, one fewer than points.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If shapes do not fit, times decrease or are NaN, or a length is out of range.

        >>> Increments.from_values([[1.0], [2.0], [4.0]]).dx.tolist()
        [[1.0], [2.0]]
        """
        values = _points("path", path)
        stamps = _stamps(times, lengths, values.shape[:-1])
        valid = jnp.asarray(_mask(_counts(lengths, values.shape[:-1]), values.shape[:-1])[..., 1:])
        target = _target(values, dtype)
        return cls(
            dx=_where(valid[..., None], _cast(_differences(values, -2), target)),
            dt=_where(valid, _steps_of_time(stamps, values.shape[:-1], target)),
            valid=valid,
            start=_cast(values[..., 0, :], target),
            lead=_lead(stamps, start_time, values.shape[:-2], target),
        )

    @classmethod
    def integral(
        cls,
        signal: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
        dtype: np.dtype | type | None = None,
    ) -> "Increments":
        r"""The path that is the integral of the observations: they are its increments, :math:`ΔX_j = x_j`.

        It starts at zero, one step before the first observation, so it needs no base point.

        Args:
            signal: The observations, (…, knots, channels).
            times: As for :meth:`from_values`.
            lengths: As for :meth:`from_values`.
            start_time: As for :meth:`from_values`; the first step starts there.
            dtype: As for :meth:`from_values`.

        Returns:
            As many steps as there are observations.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: As for :meth:`from_values`.

        >>> Increments.integral([[1.0], [2.0], [4.0]]).dx.tolist()
        [[1.0], [2.0], [4.0]]
        """
        values = _points("signal", signal)
        stamps = _stamps(times, lengths, values.shape[:-1])
        valid = jnp.asarray(_mask(_counts(lengths, values.shape[:-1]), values.shape[:-1]))
        target = _target(values, dtype)
        lead = _lead(stamps, start_time, values.shape[:-2], target)
        dt = jnp.concatenate([lead[..., None], _steps_of_time(stamps, values.shape[:-1], target)], axis=-1)
        return cls(
            dx=_where(valid[..., None], _cast(values, target)),
            dt=_where(valid, dt),
            valid=valid,
            operations=("base point",),
        )

    @classmethod
    def derivative(
        cls,
        path: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
        dtype: np.dtype | type | None = None,
    ) -> "Increments":
        r"""The path that is the derivative of the observations, :math:`X_{t_j} = (x_j - x_{j-1})/(t_j - t_{j-1})`.

        Its points belong to the later of the two times, so nothing looks ahead.

        Args:
            path: The observations, (…, knots, channels), at least two of each path.
            times: As for :meth:`from_values`, but strictly increasing.
            lengths: As for :meth:`from_values`, at least 2.
            start_time: As for :meth:`from_values`.
            dtype: As for :meth:`from_values`.

        Returns:
            The steps between the difference quotients, two fewer than observations.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: As for :meth:`from_values`, and if there are fewer than two observations.

        >>> Increments.derivative([[1.0], [2.0], [4.0]]).dx.tolist()
        [[1.0]]
        """
        values = _points("path", path)
        counts = _counts(lengths, values.shape[:-1], least=2)
        stamps = _stamps(times, lengths, values.shape[:-1], strictly=True)
        target = _target(values, dtype)
        slopes = _slopes(values, stamps, _mask(counts, values.shape[:-1]), target)
        return cls.from_values(
            slopes,
            None if stamps is None else stamps[..., 1:],
            None if counts is None else counts - 1,
            start_time=start_time,
            dtype=target,
        )

    def with_base_point(self) -> "Increments":
        """The path with a base point 0 in front, so that it knows where it starts.

        The first step goes from 0 to the first point; it takes the time from the start time to the first
        time stamp (0 where no start time was given, 1 where the path has no time stamps).

        Returns:
            One step more.

        Raises:
            ValueError: If the path starts at zero already, or its first point is not known.
        """
        _refuse_twice("base point", self.operations)
        if "time channel" in self.operations:
            raise ValueError("add the base point before the time channel: its step takes time too.")
        if self.elapsed is not None:
            raise ValueError("add the base point before with_elapsed: its step has a clock increment too.")
        if self.start is None or self.lead is None:
            raise ValueError("these increments have no first point: make them with Increments.from_values.")
        first = jnp.ones((*self.valid.shape[:-1], 1), bool)
        return Increments(
            dx=jnp.concatenate([self.start[..., None, :], self.dx], axis=-2),
            dt=jnp.concatenate([self.lead[..., None], self.dt], axis=-1),
            valid=jnp.concatenate([first, self.valid], axis=-1),
            operations=(*self.operations, "base point"),
        )

    def with_time(self) -> "Increments":
        """The path with the time as a last channel.

        Returns:
            One channel more, whose increments are ``dt``.

        Raises:
            ValueError: If there is a time channel already.
        """
        _refuse_twice("time channel", self.operations)
        return dataclasses.replace(
            self,
            dx=jnp.concatenate([self.dx, self.dt[..., None]], axis=-1),
            start=None,
            operations=(*self.operations, "time channel"),
        )

    def with_elapsed(self, elapsed: Numbers) -> "Increments":
        """The path with clock increments of its own, for the clock ``Given``.

        Args:
            elapsed: One clock increment for each step, (…, steps) or (steps,). What it says of padding is not read.

        Raises:
            ValueError: If the shape does not fit.
        """
        array = as_float("elapsed", elapsed, self.dx.dtype)
        if array.shape not in (self.dt.shape, self.dt.shape[-1:]):
            raise ValueError(f"elapsed must have shape {self.dt.shape} (…, steps), got {array.shape}.")
        return dataclasses.replace(self, elapsed=_where(self.valid, jnp.broadcast_to(array, self.dt.shape)))

    def beside(self, other: "Increments") -> "Increments":
        """Two paths over the same steps as one: the channels of the other behind those of this one.

        Args:
            other: A path with the same steps; clocks read the times of this one.

        Raises:
            ValueError: If the paths have different numbers of steps, or both have a time channel.
        """
        if self.dt.shape != other.dt.shape:
            raise ValueError(
                f"the paths have steps {self.dt.shape} and {other.dt.shape}. An integral has one step more than "
                "the values it is of: add a base point to the values first."
            )
        if "time channel" in other.operations:
            _refuse_twice("time channel", self.operations)
        return dataclasses.replace(
            self,
            dx=jnp.concatenate([self.dx, other.dx], axis=-1),
            start=_beside(self.start, other.start),
            operations=tuple(dict.fromkeys(self.operations + other.operations)),
        )


def _beside(one: Array | None, other: Array | None) -> Array | None:
    return None if one is None or other is None else jnp.concatenate([one, other], axis=-1)


def _refuse_twice(operation: str, operations: tuple[str, ...]) -> None:
    if operation in operations:
        raise ValueError(f"the path has a {operation} already: a second one would change the letters unseen.")


def _points(name: str, path: Numbers) -> np.ndarray | Array:
    if isinstance(path, Increments):
        raise TypeError(f"{name} must be points, got Increments: a reading is applied to observations, once.")
    values = real(name, path)
    if values.ndim < 2 or values.shape[-2] == 0 or values.shape[-1] == 0:
        raise ValueError(
            f"{name} must be (…, points, channels) with at least one point and one channel, got shape {values.shape}."
        )
    return values


def _counts(lengths: Numbers | None, shape: tuple[int, ...], least: int = 1) -> np.ndarray | Array | None:
    """The lengths, checked as far as they are known; None where all points are valid."""
    *batch, knots = shape
    if knots < least:
        raise ValueError(f"this reading needs at least {least} points, got {knots}.")
    if lengths is None:
        return None
    counts = lengths if isinstance(lengths, jax.Array) else np.asarray(lengths)
    if not jnp.issubdtype(counts.dtype, jnp.integer):
        raise TypeError(f"lengths must be integers, got an array of {counts.dtype}.")
    if counts.shape != tuple(batch):
        raise ValueError(f"lengths must have one entry for each path, shape {tuple(batch)}, got {counts.shape}.")
    if not is_traced(counts):
        known = np.asarray(counts)
        wrong = np.argwhere((known < least) | (known > knots))
        if len(wrong):
            place = tuple(int(i) for i in wrong[0])
            raise ValueError(f"lengths must lie from {least} to {knots}, got {known[place]} at index {place}.")
    return counts


def _mask(counts: np.ndarray | Array | None, shape: tuple[int, ...]) -> np.ndarray | Array:
    """Which points are valid; in NumPy where that is known, also inside a transformation."""
    if counts is None:
        return np.ones(shape, bool)
    places = np.broadcast_to(np.arange(shape[-1]), shape)
    if is_traced(counts):
        return places < counts[..., None]
    return places < np.asarray(counts)[..., None]


def _stamps(
    times: Numbers | None, lengths: Numbers | None, shape: tuple[int, ...], *, strictly: bool = False
) -> np.ndarray | Array | None:
    """The time stamps of every path, checked as far as they are known; None where there are none."""
    if times is None:
        return None
    stamps = real("times", times)
    if stamps.shape not in (shape, shape[-1:]):
        raise ValueError(f"times must have shape {shape[-1:]} or {shape}, one for each point, got {stamps.shape}.")
    counts = _counts(lengths, shape)
    if not is_traced(stamps, counts):
        known = np.broadcast_to(np.asarray(stamps), shape)
        within = np.asarray(_mask(counts, shape))
        with np.errstate(invalid="ignore"):
            ahead = np.diff(known, axis=-1) > 0 if strictly else np.diff(known, axis=-1) >= 0
        # Not finite, or not ahead of the time before: the first such place in the part that is read.
        wrong = within & ~np.isfinite(known)
        wrong[..., 1:] |= within[..., 1:] & ~ahead
        if wrong.any():
            place = tuple(int(i) for i in np.argwhere(wrong)[0])
            before = "" if place[-1] == 0 else f" after {known[(*place[:-1], place[-1] - 1)]}"
            rule = "strictly increasing" if strictly else "weakly increasing"
            raise ValueError(f"times must be finite and {rule}, got {known[place]}{before} at index {place}.")
    return stamps


def _target(values: np.ndarray | Array, dtype: np.dtype | type | None) -> np.dtype:
    if dtype is not None:
        target = np.dtype(dtype)
        if not jnp.issubdtype(target, jnp.floating):
            raise TypeError(f"dtype must be a floating-point type, got {target}.")
        if target != jax.dtypes.canonicalize_dtype(target):
            raise ValueError(f"{target} needs JAX's x64 flag: jax.config.update('jax_enable_x64', True).")
        return target
    target = np.dtype(jax.dtypes.canonicalize_dtype(values.dtype))
    if target != values.dtype:
        warnings.warn(
            f"the path is {values.dtype}, but JAX's x64 flag is off: its increments are rounded to {target}. Turn the "
            "flag on by jax.config.update('jax_enable_x64', True), or ask for float32 by dtype or a float32 path.",
            stacklevel=4,
        )
    return target


def _differences(values: np.ndarray | Array, axis: int) -> np.ndarray | Array:
    if isinstance(values, jax.Array):
        return jnp.diff(values, axis=axis)
    # Padding may hold anything, also inf.
    with np.errstate(all="ignore"):
        return np.diff(values, axis=axis)


def _slopes(
    values: np.ndarray | Array, stamps: np.ndarray | Array | None, within: np.ndarray | Array, target: np.dtype
) -> np.ndarray | Array:
    """The difference quotients of neighbouring points."""
    slopes = _differences(values, -2)
    if stamps is None:
        return slopes
    # Padding may repeat the last time: no 0/0 there, whose gradient would be NaN.
    between, safe = _differences(stamps, -1), within[..., 1:]
    if isinstance(slopes, np.ndarray) and isinstance(between, np.ndarray) and isinstance(safe, np.ndarray):
        with np.errstate(all="ignore"):
            return slopes / np.where(safe, between, 1)[..., None]
    steps = jnp.broadcast_to(_cast(between, target), safe.shape)
    return _cast(slopes, target) / jnp.where(safe, steps, jnp.ones_like(steps))[..., None]


def _cast(values: np.ndarray | Array, target: np.dtype) -> Float[Array, "..."]:
    with np.errstate(all="ignore"):
        return jnp.asarray(values.astype(target))


def _where(valid: Bool[Array, "..."], values: Float[Array, "..."]) -> Float[Array, "..."]:
    return jnp.where(jnp.broadcast_to(valid, values.shape), values, jnp.zeros_like(values))


def _steps_of_time(
    stamps: np.ndarray | Array | None, shape: tuple[int, ...], target: np.dtype
) -> Float[Array, "*batch steps"]:
    steps = (*shape[:-1], shape[-1] - 1)
    if stamps is None:
        return jnp.ones(steps, target)
    return jnp.broadcast_to(_cast(_differences(stamps, -1), target), steps)


def _lead(
    stamps: np.ndarray | Array | None, start_time: Numbers | None, batch: tuple[int, ...], target: np.dtype
) -> Float[Array, "*batch"]:
    """The time from the base point to the first point."""
    if start_time is not None and stamps is None:
        raise ValueError("start_time has a meaning only together with times.")
    if start_time is None or stamps is None:
        return jnp.full(batch, 1 if stamps is None else 0, target)
    start = real("start_time", start_time)
    if start.shape not in ((), batch):
        raise ValueError(f"start_time must be one number or have shape {batch}, got {start.shape}.")
    first = stamps[..., 0]
    if not is_traced(start, first) and (np.asarray(first) < np.asarray(start)).any():
        raise ValueError(f"start_time must not be after the first time, got {start} and {first}.")
    if isinstance(first, np.ndarray | np.generic) and isinstance(start, np.ndarray):
        return jnp.broadcast_to(_cast(np.asarray(first - start), target), batch)
    first, start = jnp.asarray(first, target), jnp.asarray(start, target)
    return jnp.broadcast_to(first, batch) - jnp.broadcast_to(start, batch)
