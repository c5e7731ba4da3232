"""Observations as they come, with time stamps and lengths: checked as far as they are known, and subtracted.

What came from NumPy stays there, with all its digits, until it has been subtracted; what is traced is not looked at.
"""

import dataclasses
import warnings

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ewsnn.arrays import Numbers, as_float, check_finite, is_traced, real


@dataclasses.dataclass(frozen=True)
class Observations:
    """Series of observations, padded to one length.

    Args:
        values: (…, knots, channels), of NumPy or JAX.
        times: The time stamps, (knots,) or (…, knots), or None.
        counts: How many are valid, (…,), or None for all.
        start_time: The time before the first observation at which the series starts, or None.
        dtype: The type that increments are to have.
    """

    values: np.ndarray | Array
    times: np.ndarray | Array | None
    counts: np.ndarray | Array | None
    start_time: np.ndarray | Array | None
    dtype: np.dtype

    @classmethod
    def check(
        cls,
        path: Numbers,
        times: Numbers | None,
        lengths: Numbers | None,
        start_time: Numbers | None,
        dtype: np.dtype | type | None,
        *,
        least: int = 1,
    ) -> "Observations":
        """The observations, checked at the door.

        Args:
            path: The values.
            times: The time stamps; strictly increasing where at least two observations are needed.
            lengths: How many are valid.
            start_time: Where the series starts.
            dtype: The type asked for, or None for that of the values.
            least: The least number of observations.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If an argument is wrong, saying where; of values, times and lengths what is known is looked at.
        """
        values = real("path", path)
        if values.ndim < 2 or values.shape[-2] == 0 or values.shape[-1] == 0:
            raise ValueError(
                f"path must be (…, points, channels) with at least one point and one channel, got shape {values.shape}."
            )
        shape = values.shape[:-1]
        counts = _check_lengths(lengths, shape, least)
        if not is_traced(counts):
            within = np.array(_within(counts, shape))[..., None]
            check_finite("path", values, np.broadcast_to(within, values.shape))
        stamps = None if times is None else _check_times(times, counts, shape, strictly=least > 1)
        start = None if start_time is None else _check_start(start_time, stamps, shape[:-1])
        return cls(values, stamps, counts, start, _check_dtype(path, values, dtype))

    @property
    def within(self) -> Bool[Array, "*batch knots"]:
        """Which observations are valid."""
        return jnp.asarray(_within(self.counts, self.values.shape[:-1]))

    def at(self, place: int) -> Float[Array, "*batch channels"]:
        """The observations at one place."""
        return self._cast(self.values[..., place, :])

    def all(self) -> Float[Array, "*batch knots channels"]:
        """All observations, zero where there is padding."""
        return zero_unless(self.within[..., None], self._cast(self.values))

    def differences(self) -> Float[Array, "*batch steps channels"]:
        """The differences of neighbours, zero where there is padding."""
        return zero_unless(self.within[..., 1:, None], self._cast(_differences(self.values, -2)))

    def steps_of_time(self) -> Float[Array, "*batch steps"]:
        """The time between neighbours, 1 without stamps; zero where there is padding."""
        within = self.within[..., 1:]
        if self.times is None:
            return within.astype(self.dtype)
        steps = self._cast(_differences(self.times, -1))
        return zero_unless(within, jnp.broadcast_to(steps, within.shape))

    def lead(self) -> Float[Array, "*batch"]:
        """The time from the start to the first observation: 1 without stamps, 0 without a start."""
        batch = self.values.shape[:-2]
        if self.times is None or self.start_time is None:
            return jnp.full(batch, 1 if self.times is None else 0, self.dtype)
        first, start = self.times[..., 0], self.start_time
        if isinstance(first, jax.Array) or isinstance(start, jax.Array):
            first, start = jnp.asarray(first, self.dtype), jnp.asarray(start, self.dtype)
            return jnp.broadcast_to(first, batch) - jnp.broadcast_to(start, batch)
        return jnp.broadcast_to(self._cast(np.asarray(first - start)), batch)

    def slopes(self) -> "Observations":
        """The difference quotients of neighbours, as observations at the later of the two times."""
        slopes = _differences(self.values, -2)
        if self.times is not None:
            # Padding may repeat the last time: no 0/0 there, whose gradient would be NaN.
            between = _differences(self.times, -1)
            within = _within(self.counts, self.values.shape[:-1])[..., 1:]
            if isinstance(slopes, np.ndarray) and isinstance(between, np.ndarray) and isinstance(within, np.ndarray):
                with np.errstate(all="ignore"):
                    slopes = slopes / np.where(within, between, 1)[..., None]
            else:
                steps = jnp.broadcast_to(self._cast(between), within.shape)
                slopes = self._cast(slopes) / jnp.where(within, steps, jnp.ones_like(steps))[..., None]
        return dataclasses.replace(
            self,
            values=slopes,
            times=None if self.times is None else self.times[..., 1:],
            counts=self.counts - 1 if isinstance(self.counts, jax.Array) else _one_less(self.counts),
        )

    def _cast(self, array: np.ndarray | Array) -> Float[Array, "..."]:
        # Padding may hold anything, also what the type has no room for.
        with np.errstate(all="ignore"):
            return jnp.asarray(array.astype(self.dtype))


def zero_unless(valid: Bool[Array, "..."], values: Float[Array, "..."]) -> Float[Array, "..."]:
    """The values where they are valid, else zero; what they are elsewhere matters for no gradient either."""
    return jnp.where(jnp.broadcast_to(valid, values.shape), values, jnp.zeros_like(values))


def check_elapsed(
    name: str, elapsed: Numbers, valid: Bool[Array, "*batch steps"], dtype: np.dtype
) -> Float[Array, "*batch steps"]:
    """Clock increments, one for each step, zero where there is padding.

    Args:
        name: What they are, for the error.
        elapsed: (…, steps) or (steps,); what it says of padding is not read.
        valid: Which steps are valid.
        dtype: The type that they are to have.

    Raises:
        TypeError: If they are not real numbers.
        ValueError: If the shape does not fit, or an increment that is known is not finite.
    """
    given = real(name, elapsed)
    if given.shape not in (valid.shape, valid.shape[-1:]):
        raise ValueError(f"{name} must have shape {valid.shape} (…, steps), got {given.shape}.")
    if not is_traced(given, valid):
        check_finite(name, np.broadcast_to(np.asarray(given), valid.shape), valid)
    return zero_unless(valid, jnp.broadcast_to(as_float(name, given, dtype), valid.shape))


def _one_less(counts: np.ndarray | None) -> np.ndarray | None:
    return None if counts is None else np.asarray(counts - 1)


def _differences(values: np.ndarray | Array, axis: int) -> np.ndarray | Array:
    if isinstance(values, jax.Array):
        return jnp.diff(values, axis=axis)
    with np.errstate(all="ignore"):
        return np.diff(values, axis=axis)


def _within(counts: np.ndarray | Array | None, shape: tuple[int, ...]) -> np.ndarray | Array:
    # In NumPy where the lengths are known, also inside a transformation.
    if counts is None:
        return np.ones(shape, bool)
    places = np.broadcast_to(np.arange(shape[-1]), shape)
    return places < (counts if is_traced(counts) else np.asarray(counts))[..., None]


def _check_lengths(lengths: Numbers | None, shape: tuple[int, ...], least: int) -> np.ndarray | Array | None:
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


def _check_times(
    times: Numbers, counts: np.ndarray | Array | None, shape: tuple[int, ...], *, strictly: bool
) -> np.ndarray | Array:
    stamps = real("times", times)
    if stamps.shape not in (shape, shape[-1:]):
        allowed = " or ".join(dict.fromkeys((str(shape[-1:]), str(shape))))
        raise ValueError(f"times must have shape {allowed}, one for each point, got {stamps.shape}.")
    if is_traced(stamps, counts):
        return stamps
    known = np.broadcast_to(np.asarray(stamps), shape)
    within = np.array(_within(counts, shape))
    ahead = known[..., 1:] > known[..., :-1] if strictly else known[..., 1:] >= known[..., :-1]
    # Not finite, or not ahead of the time before: the first such place in the part that is read.
    wrong = within & ~np.isfinite(known)
    wrong[..., 1:] |= within[..., 1:] & ~ahead
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        before = "" if place[-1] == 0 else f" after {known[(*place[:-1], place[-1] - 1)]}"
        rule = "strictly increasing" if strictly else "weakly increasing"
        raise ValueError(f"times must be finite and {rule}, got {known[place]}{before} at index {place}.")
    return stamps


def _check_start(start_time: Numbers, stamps: np.ndarray | Array | None, batch: tuple[int, ...]) -> np.ndarray | Array:
    if stamps is None:
        raise ValueError("start_time has a meaning only together with times.")
    start = real("start_time", start_time)
    if start.shape not in ((), batch):
        raise ValueError(f"start_time must be one number or have shape {batch}, got {start.shape}.")
    first = stamps[..., 0]
    if not is_traced(start, first) and not (np.asarray(start) <= np.asarray(first)).all():
        raise ValueError(f"start_time must not be after the first time, got {start} and {first}.")
    return start


def _check_dtype(path: Numbers, values: np.ndarray | Array, dtype: np.dtype | type | None) -> np.dtype:
    if dtype is not None:
        target = np.dtype(dtype)
        if target not in (np.float32, np.float64):
            raise TypeError(f"dtype must be float32 or float64, got {target}.")
        if target != jax.dtypes.canonicalize_dtype(target):
            raise ValueError(f"{target} needs JAX's x64 flag: jax.config.update('jax_enable_x64', True).")
        return target
    if values.dtype not in (np.float32, np.float64):
        raise TypeError(f"path must be float32 or float64, got {values.dtype}: convert it by path.astype('float32').")
    target = np.dtype(jax.dtypes.canonicalize_dtype(values.dtype))
    # Only an array of float64 was meant as float64; integers and lists have no precision of their own to lose.
    if target != values.dtype and isinstance(path, np.ndarray) and path.dtype == values.dtype:
        warnings.warn(
            f"the path is {values.dtype}, but JAX's x64 flag is off: its increments are rounded to {target}. Turn the "
            "flag on by jax.config.update('jax_enable_x64', True), or give a float32 path.",
            stacklevel=4,
        )
    return target
