"""Damped rotations."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import propagators
from ewsnn.angles import LARGEST, sine_cosine
from ewsnn.arrays import Numbers
from ewsnn.generators.arguments import Range, check_equal, count, spread, vector
from ewsnn.generators.base import AbstractClosedForm, over, times
from ewsnn.moments import complex_moments, product
from ewsnn.parameters import AbstractParameter, Parameter, Positive, value


class Rotation(AbstractClosedForm):
    r"""Damped rotations: 2×2 blocks [[a, −ω], [ω, a]], kernels :math:`e^{-ar}\cos ωr, e^{-ar}\sin ωr`.

    Args:
        damping: The dampings a, (m/2,), or None for none.
        frequency: The frequencies ω in radians for one unit of clock time, (m/2,).

    Raises:
        ValueError: If the two have different shapes.

    Paper: Table 1.

    >>> Rotation(jnp.array([0.5]), jnp.array([2.0])).matrix().tolist()
    [[0.5, -2.0], [2.0, 0.5]]
    """

    damping: Parameter | None
    frequency: Parameter

    def __init__(self, damping: Numbers | AbstractParameter | None, frequency: Numbers | AbstractParameter) -> None:
        self.frequency = vector("frequency", frequency)
        self.damping = None if damping is None else vector("damping", damping)
        if self.damping is not None:
            check_equal("damping", self.damping, "frequency", self.frequency)

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        m: int,
        *,
        damping: Range | None = (0.01, 1.0),
        frequency: Range = (0.01, 3.0),
    ) -> "Rotation":
        """Positive dampings (None: undamped) and frequencies, spread evenly in the logarithm over the ranges."""
        if count("m", m) % 2:
            raise ValueError(f"a rotation has an even number of coordinates, got m = {m}.")
        for_damping, for_frequency = jax.random.split(key)
        return cls(
            None if damping is None else Positive(spread(for_damping, m // 2, damping)),
            spread(for_frequency, m // 2, frequency),
        )

    @property
    def size(self) -> int:
        """The number m of coordinates, twice the number of blocks."""
        return 2 * value(self.frequency).shape[0]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the frequencies."""
        return value(self.frequency).dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each pair times its block."""
        x, y = v[..., 0::2], v[..., 1::2]
        w = over(value(self.frequency), x)
        turned = jnp.stack((-w * y, w * x), axis=-1)
        if self.damping is not None:
            a = over(value(self.damping), x)[..., None]
            turned = turned + a * jnp.stack((x, y), axis=-1)
        return turned.reshape(v.shape)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Rotation:
        r"""The damped cosines and sines of ωr."""
        angle = times(r, value(self.frequency))
        return self._damped(r, jnp.sin(angle), jnp.cos(angle))

    def propagator_within(self, r: Float[Array, "*batch"], reach: float) -> propagators.Rotation:
        """The same by polynomials, if they reach so far."""
        # Some room, as a reach holds but for round-off.
        if reach > LARGEST / 2:
            return self.propagator(r)
        return self._damped(r, *sine_cosine(times(r, value(self.frequency))))

    def phi1(self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each pair, as a complex number, times φ₁."""
        # Of the conjugate, whose sines and cosines are those of the propagator: the compiler takes them once.
        angle = times(r, value(self.frequency))
        growth = jnp.zeros_like(angle) if self.damping is None else -times(r, value(self.damping))
        ((real, imag),) = complex_moments(1, growth, angle)
        return jnp.stack(product((real, -imag), (v[..., 0::2], v[..., 1::2])), axis=-1).reshape(v.shape)

    def _damped(self, r: Array, sine: Array, cosine: Array) -> propagators.Rotation:
        if self.damping is None:
            return propagators.Rotation(cosine, sine)
        decay = jnp.exp(-times(r, value(self.damping)))
        return propagators.Rotation(decay * cosine, decay * sine)

    def norm(self) -> Float[Array, ""]:
        """The largest modulus of an eigenvalue, bounded by the sum of its parts."""
        damping = 0 if self.damping is None else jnp.abs(value(self.damping))
        return jnp.max(jnp.abs(value(self.frequency)) + damping)
