"""Maps whose structure does not survive composition: Walsh–Hadamard, diagonal plus low rank, sparse.

Their flows act on a state in their own way; to be composed they become dense.
"""

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

from ewsnn.arrays import PRECISION
from ewsnn.slices.hadamard import sylvester, walsh_hadamard
from ewsnn.slices.maps.base import AbstractMap
from ewsnn.slices.maps.closed import Dense, diagonal_matrix


class AbstractOpenMap(AbstractMap):
    """A map whose flows are dense matrices."""

    def plus_identity(self) -> Dense:
        """The matrix, and one more on its diagonal."""
        return Dense(self.matrix()).plus_identity()

    def exponential(self) -> Dense:
        """The exponential of the matrix."""
        return Dense(self.matrix()).exponential()


class WalshHadamard(AbstractOpenMap):
    r"""A diagonal matrix, and the Walsh–Hadamard transform behind it: :math:`M = H \operatorname{diag}(a)`.

    Args:
        diagonal: The entries a, a power of two many.

    >>> WalshHadamard(jnp.array([1.0, 2.0, 0.0, 0.0])).apply(jnp.ones(4)).tolist()
    [1.5, -0.5, 1.5, -0.5]
    """

    diagonal: Float[Array, "*batch h"]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.diagonal.shape[-1]

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """The diagonal, then the transform."""
        return walsh_hadamard(self.diagonal * h)

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix."""
        orthogonal = jnp.asarray(sylvester(self.size), self.diagonal.dtype) / self.size**0.5
        rows = self.diagonal[..., None, :]
        return jnp.broadcast_to(orthogonal, (*rows.shape[:-2], *orthogonal.shape)) * rows

    def norm(self) -> Float[Array, "*batch"]:
        """The 2-norm, which is the largest absolute entry of the diagonal."""
        return jnp.max(jnp.abs(self.diagonal), axis=-1)


class LowRank(AbstractOpenMap):
    r"""Diagonal plus low rank, :math:`M = \operatorname{diag}(d) + U \operatorname{diag}(w) V^⊤`.

    The factors are common to the batch.

    Args:
        diagonal: The entries d.
        weights: The weights w of the columns.
        left: The columns of U.
        right: The columns of V.

    >>> LowRank(jnp.zeros(2), jnp.array([2.0]), jnp.array([[1.0], [0.0]]), jnp.ones((2, 1))).matrix().tolist()
    [[2.0, 2.0], [0.0, 0.0]]
    """

    diagonal: Float[Array, "*batch h"]
    weights: Float[Array, "*batch r"]
    left: Float[Array, "h r"]
    right: Float[Array, "h r"]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.diagonal.shape[-1]

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Two products with thin matrices."""
        inner = jnp.einsum("...h,hr->...r", h, self.right, precision=PRECISION)
        return self.diagonal * h + jnp.einsum("...r,hr->...h", self.weights * inner, self.left, precision=PRECISION)

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix."""
        low = jnp.einsum("...r,hr,kr->...hk", self.weights, self.left, self.right, precision=PRECISION)
        return diagonal_matrix(self.diagonal) + low

    def batched(self) -> "LowRank":
        """All but the factors."""
        return eqx.tree_at(lambda map: (map.left, map.right), super().batched(), (False, False))

    def norm(self) -> Float[Array, "*batch"]:
        """The largest entry of the diagonal, and the sizes of the summands of rank one."""
        sizes = jnp.sqrt(jnp.sum(self.left**2, axis=0) * jnp.sum(self.right**2, axis=0))
        low = jnp.einsum("...r,r->...", jnp.abs(self.weights), sizes)
        return jnp.max(jnp.abs(self.diagonal), axis=-1) + low


class Sparse(AbstractOpenMap):
    """A matrix of which only some entries are stored; those at the same place add up.

    Args:
        values: The entries.
        rows: The row of each, in weakly increasing order, common to the batch.
        columns: The column of each.
        h: The number of rows.

    >>> Sparse(jnp.array([2.0, 3.0]), jnp.array([0, 1]), jnp.array([1, 1]), 2).matrix().tolist()
    [[0.0, 2.0], [0.0, 3.0]]
    """

    values: Float[Array, "*batch entries"]
    rows: Int[Array, " entries"]
    columns: Int[Array, " entries"]
    h: int = eqx.field(static=True)

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.h

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Each entry times its coordinate, added up row by row."""
        return self._by_rows(self.values * jnp.take(h, self.columns, axis=-1))

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix, zero at all other places."""
        empty = jnp.zeros((*self.values.shape[:-1], self.h, self.h), self.values.dtype)
        return empty.at[..., self.rows, self.columns].add(self.values)

    def batched(self) -> "Sparse":
        """The values alone."""
        return eqx.tree_at(lambda map: (map.rows, map.columns), super().batched(), (False, False))

    def norm(self) -> Float[Array, "*batch"]:
        """The ∞-norm, or more where entries at one place cancel."""
        return jnp.max(self._by_rows(jnp.abs(self.values)), axis=-1)

    def _by_rows(self, terms: Float[Array, "*batch entries"]) -> Float[Array, "*batch h"]:
        empty = jnp.zeros((*terms.shape[:-1], self.h), terms.dtype)
        return empty.at[..., self.rows].add(terms, indices_are_sorted=True)
