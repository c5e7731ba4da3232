"""Signals: what a network sees at every step, and the paths that are read from it."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float

from ewsnn.arrays import Numbers
from ewsnn.paths.increments import Increments
from ewsnn.paths.observations import zero_unless

PATHS = ("integral", "values")


class Signal(eqx.Module):
    """A vector at every step, with the time that the step takes: the stream that runs through a stack of blocks.

    Args:
        values: The vectors u, zero at steps that are padding.
        dt: The time from the step before, 1 where there are no stamps.
        valid: Whether the step is part of the signal.
    """

    values: Float[Array, "*batch steps width"]
    dt: Float[Array, "*batch steps"]
    valid: Bool[Array, "*batch steps"]

    @classmethod
    def of(
        cls,
        values: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
        dtype: np.dtype | type | None = None,
    ) -> "Signal":
        """Observations as a signal, checked as :meth:`ewsnn.paths.Increments.integral` checks them.

        Args:
            values: The observations, (…, steps, width).
            times: Their time stamps, (steps,) or (…, steps), weakly increasing; None for 0, 1, 2, ….
            lengths: Number of valid observations of each series, (…,); what comes after them is never read.
            start_time: The time at which observation began, from which the first step is measured.
            dtype: Floating-point type of the signal; None for that of the observations.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If shapes do not fit, times decrease or are NaN, or a length is out of range.

        >>> Signal.of([[1.0], [2.0], [4.0]], [0.0, 0.5, 2.0]).dt.tolist()
        [0.0, 0.5, 1.5]
        """
        read = Increments.integral(values, times, lengths, start_time=start_time, dtype=dtype)
        return cls(read.dx, read.dt, read.valid)

    def with_values(self, values: Float[Array, "*batch steps other"]) -> "Signal":
        """Other vectors at the same steps, zero where there is padding.

        Args:
            values: The vectors, of any size.
        """
        return Signal(zero_unless(self.valid[..., None], values), self.dt, self.valid)

    def mean(self) -> Float[Array, "*batch width"]:
        """The mean vector over all valid steps; zero where none is valid.

        >>> Signal.of([[1.0], [3.0], [9.0]], lengths=2).mean().tolist()
        [2.0]
        """
        # The values of padding are zero.
        count = jnp.maximum(jnp.sum(self.valid, axis=-1), 1).astype(self.values.dtype)
        return jnp.sum(self.values, axis=-2) / count[..., None]

    def path(self, reading: str = "integral", *, before: Float[Array, "*batch width"] | None = None) -> Increments:
        r"""The path read from the signal, with one increment v for each step.

        .. math:: v_j = u_j \;\text{(integral)}, \qquad v_j = u_j - u_{j-1} \;\text{(values)}

        The integral reads each step by itself. Values start at a base point zero and need the vector of the step
        before; a derivative would have fewer steps than the signal.

        Args:
            reading: "integral" or "values".
            before: For values, the vector before the first step, when this signal continues another; None for zero.

        Raises:
            ValueError: If the reading is none of the two.

        >>> Signal.of([[1.0], [4.0]]).path("values").dx.tolist()
        [[1.0], [3.0]]
        """
        check_reading(reading)
        u = self.values
        if reading == "values":
            first = jnp.zeros_like(u[..., :1, :]) if before is None else before[..., None, :]
            u = zero_unless(self.valid[..., None], jnp.diff(jnp.concatenate([first, u], axis=-2), axis=-2))
        return Increments(dx=u, dt=self.dt, valid=self.valid, operations=("base point",))


def check_reading(reading: str) -> None:
    """Refuses a path that a signal cannot be read as.

    Args:
        reading: What was asked for.

    Raises:
        ValueError: With the readings that are allowed.
    """
    if reading not in PATHS:
        raise ValueError(
            f"a signal is read as one of {', '.join(map(repr, PATHS))}, got {reading!r}. Only these have one "
            "increment for each step; take a derivative of the observations before the front end."
        )
