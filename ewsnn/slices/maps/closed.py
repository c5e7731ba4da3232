"""Maps whose structure survives composition: diagonal, block-diagonal, diagonal beside dense, dense."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION
from ewsnn.linalg import expm
from ewsnn.slices.action import exponential_action
from ewsnn.slices.maps.base import AbstractClosedMap, absolute_row_sums, same

# Up to this many rows, products of many matrices are summed column by row. XLA's products of many 4×4 matrices take a
# call each on a CPU: 16384 of them took 20 ms, and 67 with both gradients; this 0.2 ms and 3 (of 8×8, 8192 with both
# gradients: 17 ms and 4).
_SMALL = 8


class Diagonal(AbstractClosedMap):
    """A diagonal matrix.

    Args:
        diagonal: Its entries.

    >>> one = Diagonal(jnp.array([1.0, 2.0]))
    >>> one.then(one).apply(jnp.ones(2)).tolist()
    [1.0, 4.0]
    """

    diagonal: Float[Array, "*batch h"]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.diagonal.shape[-1]

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Entry by entry."""
        return self.diagonal * h

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix."""
        return diagonal_matrix(self.diagonal)

    def norm(self) -> Float[Array, "*batch"]:
        """The largest absolute entry."""
        return jnp.max(jnp.abs(self.diagonal), axis=-1, initial=0.0)

    def plus_identity(self) -> "Diagonal":
        """One more in every entry."""
        return Diagonal(1 + self.diagonal)

    def exponential(self) -> "Diagonal":
        """Entry by entry."""
        return Diagonal(jnp.exp(self.diagonal))

    def exponential_apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Entry by entry."""
        return jnp.exp(self.diagonal) * h

    def then(self, later: AbstractClosedMap) -> "Diagonal":
        """Entries multiply."""
        second = same(self, later)
        return Diagonal(second.diagonal * self.diagonal)


class Blocks(AbstractClosedMap):
    """A block-diagonal matrix of blocks of one size.

    Args:
        blocks: The blocks, from the top left down.

    >>> Blocks(jnp.array([[[0.0, 1.0], [1.0, 0.0]]])).apply(jnp.array([1.0, 2.0])).tolist()
    [2.0, 1.0]
    """

    blocks: Float[Array, "*batch blocks b b"]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.blocks.shape[-3] * self.blocks.shape[-1]

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Block by block."""
        parts = h.reshape(*h.shape[:-1], *self.blocks.shape[-3:-1])
        return jnp.einsum("...nij,...nj->...ni", self.blocks, parts, precision=PRECISION).reshape(h.shape)

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix, zero off the blocks."""
        *batch, count, b, _ = self.blocks.shape
        apart = jnp.eye(count, dtype=self.blocks.dtype)
        return jnp.einsum("...nij,nk->...nikj", self.blocks, apart).reshape(*batch, count * b, count * b)

    def norm(self) -> Float[Array, "*batch"]:
        """The ∞-norm."""
        return jnp.max(absolute_row_sums(self.blocks), axis=-1, initial=0.0)

    def plus_identity(self) -> "Blocks":
        """One more on the diagonal of each block."""
        return Blocks(_plus_identity(self.blocks))

    def exponential(self) -> "Blocks":
        """Block by block."""
        if self.blocks.shape[-1] > _SMALL:
            return Blocks(expm(self.blocks))
        # Column by column: that takes small products alone.
        identity = jnp.broadcast_to(jnp.eye(self.blocks.shape[-1], dtype=self.blocks.dtype), self.blocks.shape)
        flat = (*self.blocks.shape[:-2], -1)
        columns = exponential_action(
            lambda x: product(self.blocks, x.reshape(self.blocks.shape)).reshape(x.shape),
            identity.reshape(flat),
            absolute_row_sums(self.blocks),
        )
        return Blocks(columns.reshape(self.blocks.shape))

    def then(self, later: AbstractClosedMap) -> "Blocks":
        """Block by block."""
        second = same(self, later)
        return Blocks(product(second.blocks, self.blocks))


class DiagonalDense(AbstractClosedMap):
    """A diagonal part, and one dense block behind it.

    Args:
        diagonal: The entries of the diagonal part, of which there may be none.
        block: The block, which acts on the last b coordinates.

    >>> one = DiagonalDense(jnp.array([3.0]), jnp.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> one.apply(jnp.array([1.0, 1.0, 2.0])).tolist()
    [3.0, 2.0, 1.0]
    """

    diagonal: Float[Array, "*batch k"]
    block: Float[Array, "*batch b b"]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.diagonal.shape[-1] + self.block.shape[-1]

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Entry by entry, and the block on what is behind."""
        first, rest = self._split(h)
        return jnp.concatenate([self.diagonal * first, _times(self.block, rest)], axis=-1)

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix."""
        return diagonal_matrix(self.diagonal, self.block)

    def norm(self) -> Float[Array, "*batch"]:
        """The ∞-norm."""
        return jnp.maximum(jnp.max(jnp.abs(self.diagonal), axis=-1, initial=0.0), absolute_row_sums(self.block))

    def plus_identity(self) -> "DiagonalDense":
        """One more in every entry of the diagonal."""
        return DiagonalDense(1 + self.diagonal, _plus_identity(self.block))

    def exponential(self) -> "DiagonalDense":
        """Part by part."""
        return DiagonalDense(jnp.exp(self.diagonal), expm(self.block))

    def exponential_apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Part by part."""
        first, rest = self._split(h)
        return jnp.concatenate([jnp.exp(self.diagonal) * first, Dense(self.block).exponential_apply(rest)], axis=-1)

    def then(self, later: AbstractClosedMap) -> "DiagonalDense":
        """Part by part."""
        second = same(self, later)
        return DiagonalDense(second.diagonal * self.diagonal, product(second.block, self.block))

    def _split(self, h: Float[Array, "*batch h"]) -> tuple[Float[Array, "*batch k"], Float[Array, "*batch b"]]:
        first, rest = jnp.split(h, [self.diagonal.shape[-1]], axis=-1)
        return first, rest


class Dense(AbstractClosedMap):
    """A matrix with all its entries.

    Args:
        entries: The matrix.

    >>> Dense(jnp.array([[1.0, 2.0], [0.0, 1.0]])).apply(jnp.ones(2)).tolist()
    [3.0, 1.0]
    """

    entries: Float[Array, "*batch h h"]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.entries.shape[-1]

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """The product."""
        return _times(self.entries, h)

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The entries."""
        return self.entries

    def norm(self) -> Float[Array, "*batch"]:
        """The ∞-norm."""
        return absolute_row_sums(self.entries)

    def plus_identity(self) -> "Dense":
        """One more on the diagonal."""
        return Dense(_plus_identity(self.entries))

    def exponential(self) -> "Dense":
        """The exponential of the matrix."""
        return Dense(expm(self.entries))

    def then(self, later: AbstractClosedMap) -> "Dense":
        """The product of the matrices."""
        second = same(self, later)
        return Dense(product(second.entries, self.entries))


def diagonal_matrix(
    diagonal: Float[Array, "*batch k"], block: Float[Array, "*batch b b"] | None = None
) -> Float[Array, "*batch h h"]:
    """The matrix with a diagonal part and, perhaps, a block behind it.

    Args:
        diagonal: The entries of the diagonal part.
        block: The block.
    """
    k = diagonal.shape[-1]
    matrix = diagonal[..., None] * jnp.broadcast_to(jnp.eye(k, dtype=diagonal.dtype), (*diagonal.shape, k))
    if block is None:
        return matrix
    b, none = block.shape[-1], [(0, 0)] * (diagonal.ndim - 1)
    return jnp.pad(matrix, [*none, (0, b), (0, b)]) + jnp.pad(block, [*none, (k, 0), (k, 0)])


def product(later: Float[Array, "*batch n n"], first: Float[Array, "*batch n n"]) -> Float[Array, "*batch n n"]:
    """The products of many matrices.

    Args:
        later: The left factors.
        first: The right factors.
    """
    n = first.shape[-1]
    if n > _SMALL:
        return jnp.matmul(later, first, precision=PRECISION)
    columns = jax.lax.split(later, n * (1,), axis=later.ndim - 1)
    rows = jax.lax.split(first, n * (1,), axis=first.ndim - 2)
    return sum(
        (jnp.matmul(x, y, precision=PRECISION) for x, y in zip(columns[1:], rows[1:], strict=True)),
        start=jnp.matmul(columns[0], rows[0], precision=PRECISION),
    )


def _times(matrix: Float[Array, "*batch n n"], h: Float[Array, "*batch n"]) -> Float[Array, "*batch n"]:
    return jnp.einsum("...ij,...j->...i", matrix, h, precision=PRECISION)


def _plus_identity(matrix: Float[Array, "*batch n n"]) -> Float[Array, "*batch n n"]:
    return matrix + jnp.broadcast_to(jnp.eye(matrix.shape[-1], dtype=matrix.dtype), matrix.shape)
