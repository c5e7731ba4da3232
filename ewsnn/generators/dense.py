"""Generators without a formula for their propagator: skew-symmetric and general matrices."""

import abc

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import propagators
from ewsnn.arrays import PRECISION, Numbers, default_float
from ewsnn.generators.arguments import Range, count, spread
from ewsnn.generators.base import AbstractGenerator
from ewsnn.multiples import exponentials, exponentials_within, transported
from ewsnn.parameters import AbstractParameter, Dissipative, Parameter, parameter, value


class AbstractDense(AbstractGenerator):
    """A generator without a formula for its propagator: the matrix exponential of all of it."""

    @abc.abstractmethod
    def full(self) -> Float[Array, "m m"]:
        """The matrix A."""

    @property
    def size(self) -> int:
        """The number m of coordinates."""
        return self.full().shape[0]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type of the entries."""
        return self.full().dtype

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """The matrix on the last axis."""
        return jnp.einsum("ij,...j->...i", self.full(), v, precision=PRECISION)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.Dense:
        r"""The matrix exponentials :math:`e^{-rA}`."""
        return propagators.Dense(exponentials(self.full(), -r))

    def propagator_within(self, r: Float[Array, "*batch"], reach: float) -> propagators.Dense:
        """The same without asking each matrix for its norm."""
        return propagators.Dense(exponentials_within(self.full(), -r, reach))

    def doubled(
        self, half: propagators.AbstractPropagator, r: Float[Array, "*batch"]
    ) -> propagators.AbstractPropagator:
        """The square of the half, as in the matrix exponential itself."""
        del r
        return half.then(half)

    def transported(
        self,
        r: Float[Array, "*batch"],
        v: Float[Array, "*batch m"],
        fractions: Float[Array, " nodes"],
        reach: float = 1.0,
    ) -> Float[Array, "*batch nodes m"]:
        """Taylor's polynomial in c."""
        return transported(self.full(), -r, v, fractions, reach)


class Skew(AbstractDense):
    r"""A skew-symmetric generator: undamped mixtures of all rotations, :math:`e^{-rQ}` is orthogonal.

    **A matrix is not Q itself but W, and** :math:`Q = W - W^⊤`: if W is skew already, all entries come out doubled, so
    that ``Skew([[0, 2], [-2, 0]])`` has the matrix [[0, 4], [-4, 0]]. To give Q itself, give its entries above the
    diagonal, ``Skew([2])``, or its upper triangle as W, ``Skew([[0, 2], [0, 0]])``, or take ``Dense(Q)``.

    Args:
        entries: The entries above the diagonal row by row, (m(m−1)/2,), with Q[i, j] = +entry and Q[j, i] = −entry for
            i < j; or a matrix W, (m, m), read as :math:`W - W^⊤`, also where W is
            skew.

    Raises:
        ValueError: If the number of entries belongs to no m.

    Paper: Table 1.

    >>> Skew(jnp.array([2.0])).matrix().tolist()
    [[0.0, 2.0], [-2.0, 0.0]]
    >>> Skew(jnp.array([[0.0, 2.0], [-2.0, 0.0]])).matrix().tolist()
    [[0.0, 4.0], [-4.0, 0.0]]
    """

    entries: Parameter

    def __init__(self, entries: Numbers | AbstractParameter) -> None:
        self.entries = parameter("entries", entries)
        shape = value(self.entries).shape
        if not (len(shape) == 2 and shape[0] == shape[1] > 0) and not (
            len(shape) == 1 and shape[0] > 0 and _letters(shape[0]) * (_letters(shape[0]) - 1) // 2 == shape[0]
        ):
            raise ValueError(
                f"entries must be the m(m-1)/2 entries above the diagonal or an (m, m) matrix, got shape {shape}."
            )

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, scale: float = 1.0) -> "Skew":
        """Normal entries, so that frequencies spread up to about twice the scale."""
        entries = jax.random.normal(key, (count("m", m) * (m - 1) // 2,), default_float())
        return cls(scale / np.sqrt(m).item() * entries)

    def full(self) -> Float[Array, "m m"]:
        """The matrix Q."""
        entries = value(self.entries)
        if entries.ndim == 2:
            return entries - entries.T
        m = _letters(entries.shape[0])
        upper = jnp.zeros((m, m), entries.dtype).at[np.triu_indices(m, 1)].set(entries)
        return upper - upper.T

    def norm(self) -> Float[Array, ""]:
        """The smaller of the 1-norm and, as singular values come in pairs, the Frobenius norm over √2."""
        Q = self.full()
        return jnp.minimum(jnp.max(jnp.sum(jnp.abs(Q), axis=0)), _frobenius(Q) / np.sqrt(2).item())


class Dense(AbstractDense):
    r"""Any real matrix as a generator.

    Args:
        dense: The matrix A, (m, m).

    Raises:
        ValueError: If it is not square.

    Paper: Table 1.

    >>> Dense(jnp.array([[0.5, 1.0], [0.0, 2.0]])).matrix().tolist()
    [[0.5, 1.0], [0.0, 2.0]]
    """

    dense: Parameter

    def __init__(self, matrix: Numbers | AbstractParameter) -> None:
        self.dense = parameter("matrix", matrix)
        shape = value(self.dense).shape
        if len(shape) != 2 or shape[0] != shape[1] or shape[0] == 0:
            raise ValueError(f"a dense generator is a square matrix (m, m), got shape {shape}.")

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, *, scale: float = 1.0, rate: Range = (0.01, 1.0)) -> "Dense":
        """A dissipative matrix: a random skew part of the scale given, rates spread over the range."""
        for_skew, for_rate = jax.random.split(key)
        skew = jax.random.normal(for_skew, (count("m", m), m), default_float())
        roots = jnp.sqrt(spread(for_rate, m, rate))
        return cls(Dissipative(jnp.triu(scale / np.sqrt(m).item() * skew, 1) + jnp.diag(roots)))

    def full(self) -> Float[Array, "m m"]:
        """The matrix A."""
        return value(self.dense)

    def norm(self) -> Float[Array, ""]:
        """The smaller of the Frobenius norm and √(‖A‖₁‖A‖∞)."""
        absolute = jnp.abs(self.full())
        columns, rows = jnp.max(jnp.sum(absolute, axis=0)), jnp.max(jnp.sum(absolute, axis=1))
        return jnp.minimum(jnp.sqrt(columns) * jnp.sqrt(rows), _frobenius(absolute))


def _frobenius(A: Float[Array, "m m"]) -> Float[Array, ""]:
    # Scaled, so that no square overflows where the norm itself does not.
    largest = jnp.max(jnp.abs(A))
    scale = jnp.where(largest > 0, largest, 1)
    return scale * jnp.sqrt(jnp.sum((A / scale) ** 2))


def _letters(entries: int) -> int:
    return (1 + int(np.sqrt(1 + 8 * entries))) // 2
