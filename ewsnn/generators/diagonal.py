"""Generators without mixing: zero and diagonal."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import propagators
from ewsnn.arrays import Numbers, default_float
from ewsnn.generators.arguments import Range, count, spread, vector
from ewsnn.generators.base import AbstractClosedForm, over, times
from ewsnn.moments import moments
from ewsnn.parameters import AbstractParameter, Parameter, Positive, value


class Zero(AbstractClosedForm):
    """The zero generator: no forgetting, the EWS is the signature.

    Args:
        m: Number of coordinates.

    Paper: Table 1.
    """

    m: int = eqx.field(static=True)

    def __init__(self, m: int) -> None:
        self.m = count("m", m)

    @classmethod
    def init(cls, key: Key[Array, ""], m: int) -> "Zero":
        """The zero generator of size m; it has nothing to draw or train."""
        del key
        return cls(m)

    @property
    def size(self) -> int:
        """The number m of coordinates."""
        return self.m

    @property
    def dtype(self) -> np.dtype:
        """JAX's default floating-point type: there are no parameters."""
        return default_float()

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Zeros."""
        return jnp.zeros_like(v)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Identity:
        """The identity."""
        del r
        return propagators.Identity()

    def phi1(self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """The vectors themselves."""
        del r
        return v

    def norm(self) -> Float[Array, ""]:
        """Zero."""
        return jnp.zeros((), self.dtype)


class Diagonal(AbstractClosedForm):
    r"""A diagonal generator :math:`\operatorname{diag}(λ_1, …, λ_m)`: kernels :math:`e^{-λr}`.

    Args:
        rate: The rates λ, (m,).

    Paper: Table 1.

    >>> Diagonal(jnp.array([1.0, 2.0])).matrix().tolist()
    [[1.0, 0.0], [0.0, 2.0]]
    """

    rate: Parameter

    def __init__(self, rate: Numbers | AbstractParameter) -> None:
        self.rate = vector("rate", rate)

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, rate: Range = (0.01, 1.0)) -> "Diagonal":
        """Positive rates, spread evenly in the logarithm over the range."""
        return cls(Positive(spread(key, count("m", m), rate)))

    @property
    def size(self) -> int:
        """The number m of coordinates."""
        return value(self.rate).shape[0]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the rates."""
        return value(self.rate).dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each coordinate times its rate."""
        return v * over(value(self.rate), v)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Diagonal:
        r"""The decays :math:`e^{-rλ}`."""
        return propagators.Diagonal(jnp.exp(-times(r, value(self.rate))))

    def phi1(self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        r"""Each coordinate times :math:`(1 - e^{-rλ})/rλ`."""
        (factor,) = moments(1, -times(r, value(self.rate)))
        return factor * v

    def norm(self) -> Float[Array, ""]:
        """The largest absolute rate."""
        return jnp.max(jnp.abs(value(self.rate)))
