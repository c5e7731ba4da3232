"""Paths as what the layer reads: increments, step by step.

Observations become increments in one of three readings (values, integral, derivative); a base point, a time
channel and a clock channel are added afterwards, each at most once. NumPy arrays are subtracted in NumPy, before they
are rounded to JAX's precision: a float64 path with a large offset keeps the digits of its increments.
"""

import dataclasses

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ewsnn.arrays import Numbers
from ewsnn.paths.observations import Observations, check_elapsed

_CHANNELS = ("time channel", "clock channel")


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
        return cls._through(Observations.check(path, times, lengths, start_time, dtype))

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
        read = Observations.check(signal, times, lengths, start_time, dtype)
        lead = read.lead()
        return cls(
            dx=read.all(),
            dt=jnp.concatenate([lead[..., None], read.steps_of_time()], axis=-1),
            valid=read.within,
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
        return cls._through(Observations.check(path, times, lengths, start_time, dtype, least=2).slopes())

    @classmethod
    def _through(cls, points: Observations) -> "Increments":
        return cls(
            dx=points.differences(),
            dt=points.steps_of_time(),
            valid=points.within[..., 1:],
            start=points.at(0),
            lead=points.lead(),
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
        for channel in _CHANNELS:
            if channel in self.operations:
                raise ValueError(f"add the base point before the {channel}: its step takes time too.")
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
        return self._with_channel("time channel", self.dt)

    def with_clock(self, elapsed: Numbers) -> "Increments":
        """The path with a clock as a last channel.

        Args:
            elapsed: What the clock makes of this path, ``clock(increments)``: one increment for each step, (…, steps)
                or (steps,). What it says of padding is not read.

        Returns:
            One channel more, whose increments are those of the clock.

        Raises:
            TypeError: If they are not real numbers.
            ValueError: If there is a clock channel already, the shape does not fit, or an increment is not finite.

        >>> path = Increments.from_values([[0.0], [3.0], [1.0]])
        >>> path.with_clock(abs(path.dx[..., 0])).dx.tolist()
        [[3.0, 3.0], [-2.0, 2.0]]
        """
        return self._with_channel("clock channel", check_elapsed("elapsed", elapsed, self.valid, self.dx.dtype))

    def _with_channel(self, name: str, moved: Float[Array, "*batch steps"]) -> "Increments":
        _refuse_twice(name, self.operations)
        return dataclasses.replace(
            self,
            dx=jnp.concatenate([self.dx, moved[..., None]], axis=-1),
            start=None,
            operations=(*self.operations, name),
        )

    def with_elapsed(self, elapsed: Numbers, *, name: str = "elapsed") -> "Increments":
        """The path with clock increments of its own, for the clock ``Given``.

        Args:
            elapsed: One clock increment for each step, (…, steps) or (steps,). What it says of padding is not read.
                Increments may be negative: clocks may go back.
            name: What to call them in an error.

        Raises:
            TypeError: If they are not real numbers.
            ValueError: If the shape does not fit, or an increment is NaN or infinite (looked for outside
                transformations only).
        """
        return dataclasses.replace(self, elapsed=check_elapsed(name, elapsed, self.valid, self.dx.dtype))

    def beside(self, other: "Increments") -> "Increments":
        """Two paths over the same steps as one: the channels of the other behind those of this one.

        Args:
            other: A path with the same steps; clocks read the times of this one.

        Raises:
            ValueError: If the paths have different numbers of steps, or both have a time or a clock channel.
        """
        if self.dt.shape != other.dt.shape:
            raise ValueError(
                f"the paths have steps {self.dt.shape} and {other.dt.shape}. An integral has one step more than "
                "the values it is of: add a base point to the values first."
            )
        for channel in _CHANNELS:
            if channel in other.operations:
                _refuse_twice(channel, self.operations)
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
