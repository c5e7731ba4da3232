"""Structures that survive composition: dense, diagonal, block-diagonal, diagonal beside dense."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn.arrays import Numbers, as_float
from ewsnn.clocks import norm
from ewsnn.slices.maps import Blocks, Dense, Diagonal, DiagonalDense
from ewsnn.slices.structures.base import SIGMA, AbstractStructure, array, combined, drawn


class DE(AbstractStructure):
    """Dense matrices.

    Args:
        dense: The matrices, (channels, h, h).

    Raises:
        ValueError: If the shape is another.

    >>> DE([[[0.0, 1.0], [0.0, 0.0]]]).field(jnp.array([3.0])).apply(jnp.ones(2)).tolist()
    [3.0, 0.0]
    """

    is_closed = True
    dense: Float[Array, "channels h h"]

    def __init__(self, dense: Numbers) -> None:
        self.dense = array("dense", dense, ("channels", "h", "h"))
        _check_square("dense", self.dense)

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, size: int, *, sigma: float = SIGMA) -> "DE":
        """Normal entries of deviation σ/√h.

        Args:
            key: A JAX random key.
            channels: Number of channels dω.
            size: Number of rows h.
            sigma: The number σ.
        """
        return cls(drawn(key, (channels, size, size), sigma / size**0.5))

    @property
    def channels(self) -> int:
        """The number of matrices."""
        return self.dense.shape[0]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.dense.shape[-1]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.dense.dtype

    def field(self, dw: Float[Array, "*batch channels"]) -> Dense:
        """Dense maps."""
        return Dense(combined(dw, self.dense))


class D(AbstractStructure):
    """Diagonal matrices.

    Args:
        diagonal: The diagonals, (channels, h).

    Raises:
        ValueError: If the shape is another.

    >>> D([[1.0, 2.0]]).field(jnp.array([3.0])).apply(jnp.ones(2)).tolist()
    [3.0, 6.0]
    """

    is_closed = True
    diagonal: Float[Array, "channels h"]

    def __init__(self, diagonal: Numbers) -> None:
        self.diagonal = array("diagonal", diagonal, ("channels", "h"))

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, size: int, *, sigma: float = SIGMA) -> "D":
        """Normal entries of deviation σ.

        Args:
            key: A JAX random key.
            channels: Number of channels dω.
            size: Number of rows h.
            sigma: The number σ.
        """
        return cls(drawn(key, (channels, size), sigma))

    @property
    def channels(self) -> int:
        """The number of matrices."""
        return self.diagonal.shape[0]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.diagonal.shape[-1]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.diagonal.dtype

    def field(self, dw: Float[Array, "*batch channels"]) -> Diagonal:
        """Diagonal maps."""
        return Diagonal(combined(dw, self.diagonal))

    def norms(self) -> Float[Array, " channels"]:
        """The lengths of the diagonals."""
        return norm(self.diagonal)


class BD(AbstractStructure):
    """Block-diagonal matrices, with blocks of one size.

    Args:
        blocks: The blocks, (channels, h/b, b, b).

    Raises:
        ValueError: If the shape is another.

    >>> BD([[[[0.0, 1.0], [0.0, 0.0]]]]).field(jnp.array([3.0])).apply(jnp.ones(2)).tolist()
    [3.0, 0.0]
    """

    is_closed = True
    blocks: Float[Array, "channels blocks b b"]

    def __init__(self, blocks: Numbers) -> None:
        self.blocks = array("blocks", blocks, ("channels", "h/b", "b", "b"))
        _check_square("blocks", self.blocks)

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, size: int, *, block: int = 4, sigma: float = SIGMA) -> "BD":
        """Normal entries of deviation σ/√b.

        Args:
            key: A JAX random key.
            channels: Number of channels dω.
            size: Number of rows h.
            block: The size b of a block, which divides h.
            sigma: The number σ.

        Raises:
            ValueError: If b does not divide h.
        """
        if block < 1 or size % block:
            raise ValueError(f"blocks of size {block} do not fill {size} rows: choose a block that divides the size.")
        return cls(drawn(key, (channels, size // block, block, block), sigma / block**0.5))

    @property
    def channels(self) -> int:
        """The number of matrices."""
        return self.blocks.shape[0]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.blocks.shape[1] * self.blocks.shape[-1]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.blocks.dtype

    def field(self, dw: Float[Array, "*batch channels"]) -> Blocks:
        """Block-diagonal maps."""
        return Blocks(combined(dw, self.blocks))

    def norms(self) -> Float[Array, " channels"]:
        """The Frobenius norms of the blocks together."""
        return norm(self.blocks.reshape(self.channels, -1))


class DDE(AbstractStructure):
    """Diagonal matrices with one dense block behind the diagonal part.

    Args:
        diagonal: The diagonal parts, (channels, h − b); h − b may be 0.
        dense: The blocks, (channels, b, b).

    Raises:
        ValueError: If shapes are others.

    >>> DDE([[5.0]], [[[0.0, 1.0], [0.0, 0.0]]]).matrices().tolist()
    [[[5.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]]
    """

    is_closed = True
    diagonal: Float[Array, "channels k"]
    dense: Float[Array, "channels b b"]

    def __init__(self, diagonal: Numbers, dense: Numbers) -> None:
        self.diagonal = as_float("diagonal", diagonal)
        self.dense = array("dense", dense, ("channels", "b", "b"))
        _check_square("dense", self.dense)
        if self.diagonal.ndim != 2 or self.diagonal.shape[0] != self.channels:
            raise ValueError(
                f"diagonal must be (channels, h − b), with {self.channels} channels as the blocks have, got shape "
                f"{self.diagonal.shape}."
            )

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, size: int, *, block: int = 16, sigma: float = SIGMA) -> "DDE":
        """Normal entries, of deviation σ on the diagonal and σ/√b in the block.

        Args:
            key: A JAX random key.
            channels: Number of channels dω.
            size: Number of rows h.
            block: The size b of the block; b = h gives dense matrices.
            sigma: The number σ.

        Raises:
            ValueError: If the block is larger than h.
        """
        if not 1 <= block <= size:
            raise ValueError(f"the dense block has between 1 and {size} of {size} rows, got {block}.")
        for_diagonal, for_dense = jax.random.split(key)
        return cls(
            drawn(for_diagonal, (channels, size - block), sigma),
            drawn(for_dense, (channels, block, block), sigma / block**0.5),
        )

    @property
    def channels(self) -> int:
        """The number of matrices."""
        return self.dense.shape[0]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.diagonal.shape[-1] + self.dense.shape[-1]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.dense.dtype

    def field(self, dw: Float[Array, "*batch channels"]) -> DiagonalDense:
        """Maps of a diagonal part and a dense block."""
        return DiagonalDense(combined(dw, self.diagonal), combined(dw, self.dense))

    def norms(self) -> Float[Array, " channels"]:
        """The Frobenius norms of both parts together."""
        return norm(jnp.concatenate([self.diagonal, self.dense.reshape(self.channels, -1)], axis=-1))


def _check_square(name: str, matrices: Array) -> None:
    if matrices.shape[-1] != matrices.shape[-2]:
        raise ValueError(f"{name} must have square matrices in its last two axes, got shape {matrices.shape}.")
