"""What every generator does, and what those with a formula for their propagator share."""

import abc

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.propagators import AbstractPropagator


class AbstractGenerator(eqx.Module):
    """A real m×m matrix A, known by what it does."""

    @property
    @abc.abstractmethod
    def size(self) -> int:
        """The number m of coordinates."""

    @property
    @abc.abstractmethod
    def dtype(self) -> np.dtype:
        """The floating-point type of the parameters."""

    @abc.abstractmethod
    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """The vectors Av."""

    @abc.abstractmethod
    def propagator(self, r: Float[Array, "*batch"]) -> AbstractPropagator:
        r"""The propagators :math:`e^{-rA}`, one for each elapsed clock time."""

    def propagator_within(self, r: Float[Array, "*batch"], reach: float) -> AbstractPropagator:
        r"""The same where :math:`‖rA‖` is at most the reach: for a family that has a cheaper formula there."""
        del reach
        return self.propagator(r)

    @abc.abstractmethod
    def doubled(self, half: AbstractPropagator, r: Float[Array, "*batch"]) -> AbstractPropagator:
        r"""The propagators :math:`e^{-rA}`, where those of r/2 are known already."""

    @abc.abstractmethod
    def transported(
        self,
        r: Float[Array, "*batch"],
        v: Float[Array, "*batch m"],
        fractions: Float[Array, " nodes"],
        reach: float = 1.0,
    ) -> Float[Array, "*batch nodes m"]:
        r"""The vectors :math:`e^{-crA}v` for every fraction c of [0, 1], where :math:`‖rA‖` is at most the reach."""

    @abc.abstractmethod
    def norm(self) -> Float[Array, ""]:
        r"""An upper bound of :math:`‖A‖_2`, close to it: it only chooses how finely a step is cut."""

    def matrix(self) -> Float[Array, "m m"]:
        """The matrix A in full, entry by entry exact: for tests, conversion and the oracle."""
        # Row k of the product is A e_k, which is column k of A.
        return self.multiply(jnp.eye(self.size, dtype=self.dtype)).T


class AbstractClosedForm(AbstractGenerator):
    """A generator whose propagator is a formula in r, as cheap and as exact for every r."""

    @abc.abstractmethod
    def phi1(self, r: Float[Array, "*batch"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        r"""The EWS of linear pieces at depth one, :math:`φ_1(-rA)v = \int_0^1 e^{-ruA} v \, du`."""

    def doubled(self, half: AbstractPropagator, r: Float[Array, "*batch"]) -> AbstractPropagator:
        """The formula again: squaring would double the relative error each time."""
        del half
        return self.propagator(r)

    def transported(
        self,
        r: Float[Array, "*batch"],
        v: Float[Array, "*batch m"],
        fractions: Float[Array, " nodes"],
        reach: float = 1.0,
    ) -> Float[Array, "*batch nodes m"]:
        """The formula for each fraction."""
        every = jnp.broadcast_to(v[..., None, :], (*v.shape[:-1], fractions.shape[0], v.shape[-1]))
        return self.propagator_within(times(r, fractions), reach).apply(every)


def over(coefficients: Float[Array, " m"], v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
    """The coefficients, once for each vector."""
    return jnp.broadcast_to(coefficients, v.shape)


def times(r: Float[Array, "*batch"], coefficients: Float[Array, " k"]) -> Float[Array, "*batch k"]:
    """Each elapsed time times each coefficient."""
    return r[..., None] * jnp.broadcast_to(coefficients, (*r.shape, coefficients.shape[0]))
