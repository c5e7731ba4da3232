"""Structures that do not survive composition: sparse, Walsh–Hadamard, diagonal plus low rank."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Key

from ewsnn.arrays import PRECISION, Numbers
from ewsnn.clocks import norm
from ewsnn.slices.hadamard import check_power_of_two
from ewsnn.slices.maps import LowRank, Sparse, WalshHadamard
from ewsnn.slices.structures.base import SIGMA, AbstractStructure, array, combined, drawn


class WH(AbstractStructure):
    r"""Walsh–Hadamard matrices, :math:`A^i = H \operatorname{diag}(a_i)` with every entry of a in [−1, 1].

    H is Sylvester's matrix over √h, symmetric and orthogonal, so that :math:`‖A^i‖_2 ≤ 1`.

    Args:
        raw: Free parameters, (channels, h), h a power of two; :math:`a_i` is their hyperbolic tangent.

    Raises:
        ValueError: If the shape is another.

    >>> WH([[0.0, 20.0]]).matrices().round(3).tolist()
    [[[0.0, 0.707], [0.0, -0.707]]]
    """

    is_closed = False
    raw: Float[Array, "channels h"]

    def __init__(self, raw: Numbers) -> None:
        self.raw = array("raw", raw, ("channels", "h"))
        check_power_of_two(self.size)

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, size: int, *, sigma: float = SIGMA) -> "WH":
        """Normal raw parameters of deviation σ.

        Args:
            key: A JAX random key.
            channels: Number of channels dω.
            size: Number of rows h, a power of two.
            sigma: The number σ.
        """
        return cls(drawn(key, (channels, size), sigma))

    @property
    def channels(self) -> int:
        """The number of matrices."""
        return self.raw.shape[0]

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.raw.shape[-1]

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.raw.dtype

    @property
    def diagonal(self) -> Float[Array, "channels h"]:
        """The diagonals a, with entries in [−1, 1]."""
        return jnp.tanh(self.raw)

    def field(self, dw: Float[Array, "*batch channels"]) -> WalshHadamard:
        """Maps of a diagonal and the transform."""
        return WalshHadamard(combined(dw, self.diagonal))

    def norms(self) -> Float[Array, " channels"]:
        """The lengths of the diagonals: H is orthogonal."""
        return norm(self.diagonal)


class DPLR(AbstractStructure):
    r"""Diagonal plus low rank, :math:`A^i = \operatorname{diag}(d_i) + U_i V_i^⊤`.

    The field :math:`\sum_i Δω^i A^i` is linear in the increment, of rank up to dω·r beside its diagonal; a published
    code multiplies :math:`\sum_i Δω^i U_i` by :math:`\sum_j Δω^j V_j^⊤` instead, which is quadratic and no linear CDE.

    Args:
        diagonal: The diagonals d, (channels, h).
        left: The factors U, (channels, h, r).
        right: The factors V, (channels, h, r).

    Raises:
        ValueError: If shapes are others.

    >>> DPLR([[1.0, 2.0]], [[[1.0], [0.0]]], [[[1.0], [1.0]]]).matrices().tolist()
    [[[2.0, 1.0], [0.0, 2.0]]]
    """

    is_closed = False
    diagonal: Float[Array, "channels h"]
    left: Float[Array, "channels h r"]
    right: Float[Array, "channels h r"]

    def __init__(self, diagonal: Numbers, left: Numbers, right: Numbers) -> None:
        self.diagonal = array("diagonal", diagonal, ("channels", "h"))
        self.left = array("left", left, ("channels", "h", "r"))
        self.right = array("right", right, ("channels", "h", "r"))
        if self.left.shape != self.right.shape or self.left.shape[:2] != self.diagonal.shape:
            raise ValueError(
                "diagonal, left and right must be (channels, h), (channels, h, r) and (channels, h, r), got shapes "
                f"{self.diagonal.shape}, {self.left.shape} and {self.right.shape}."
            )

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, size: int, *, rank: int = 4, sigma: float = SIGMA) -> "DPLR":
        """Normal entries, of deviation σ on the diagonal and σ/√r in the factors.

        Args:
            key: A JAX random key.
            channels: Number of channels dω.
            size: Number of rows h.
            rank: The rank r of each product.
            sigma: The number σ.

        Raises:
            ValueError: If the rank is not positive.
        """
        if rank < 1:
            raise ValueError(f"rank must be at least 1, got {rank}: of rank 0 is the structure D.")
        for_diagonal, for_left, for_right = jax.random.split(key, 3)
        factor = (channels, size, rank)
        return cls(
            drawn(for_diagonal, (channels, size), sigma),
            drawn(for_left, factor, sigma / rank**0.5),
            drawn(for_right, factor, sigma / rank**0.5),
        )

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

    def field(self, dw: Float[Array, "*batch channels"]) -> LowRank:
        """Maps of a diagonal and the columns of all channels, each with the weight of its channel."""
        rank = self.left.shape[-1]
        left, right = (jnp.moveaxis(factor, 0, 1).reshape(self.size, -1) for factor in (self.left, self.right))
        return LowRank(combined(dw, self.diagonal), jnp.repeat(dw, rank, axis=-1), left, right)

    def norms(self) -> Float[Array, " channels"]:
        """The Frobenius norms of the matrices."""
        low = jnp.einsum("chr,ckr->chk", self.left, self.right, precision=PRECISION)
        return norm((low + jax.vmap(jnp.diag)(self.diagonal)).reshape(self.channels, -1))


class S(AbstractStructure):
    """Sparse matrices: only the entries of a fixed pattern are stored.

    Args:
        values: The entries that are stored, (entries,).
        places: The channel, row and column of each, (entries, 3), no place twice; they are not trained.
        channels: The number of channels dω.
        size: The number of rows h.

    Raises:
        TypeError: If places are not integers.
        ValueError: If shapes are others, or a place is outside or comes twice.

    >>> S([2.0, 3.0], [[0, 0, 1], [1, 1, 1]], channels=2, size=2).matrices().tolist()
    [[[0.0, 2.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 3.0]]]
    """

    is_closed = False
    values: Float[Array, " entries"]
    places: Int[Array, "entries 3"]
    count: int = eqx.field(static=True)
    h: int = eqx.field(static=True)

    def __init__(self, values: Numbers, places: Numbers, *, channels: int, size: int) -> None:
        found, where = array("values", values, ("entries",)), np.asarray(places)
        if where.dtype.kind not in "iu":
            raise TypeError(f"places must be integers, got an array of {where.dtype}.")
        if where.shape != (found.size, 3):
            raise ValueError(
                f"places must have a channel, row and column for each of {found.size} values, ({found.size}, 3), got "
                f"shape {where.shape}."
            )
        if ((where < 0) | (where >= [channels, size, size])).any():
            raise ValueError(f"places must lie within {channels} channels, {size} rows and {size} columns, from 0 on.")
        if len(np.unique(where, axis=0)) < len(where):
            raise ValueError("a place comes twice: give its entries added up.")
        # Sorted by rows, so that sums over a row run through neighbours.
        order = np.lexsort((where[:, 2], where[:, 0], where[:, 1]))
        self.values, self.places = found[order], jnp.asarray(where[order], np.int32)
        self.count, self.h = channels, size

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, size: int, *, keep: float = 0.1, sigma: float = SIGMA) -> "S":
        """Round(dω·h²·keep) places drawn from all matrices together, and normal entries of deviation σ/√h.

        Args:
            key: A JAX random key, which is not traced.
            channels: Number of channels dω.
            size: Number of rows h.
            keep: The share of entries that are stored.
            sigma: The number σ.

        Raises:
            ValueError: If the share is not within (0, 1], or leaves no entry.
        """
        entries = channels * size**2
        if not 0 < keep <= 1 or round(entries * keep) < 1:
            raise ValueError(f"keep must be a share of {entries} entries in (0, 1] that leaves one, got {keep}.")
        for_places, for_values = jax.random.split(key)
        flat = _chosen(for_places, entries, round(entries * keep))
        places = np.stack(np.unravel_index(flat, (channels, size, size)), axis=-1)
        return cls(drawn(for_values, flat.shape, sigma / size**0.5), places, channels=channels, size=size)

    @classmethod
    def init_each(cls, key: Key[Array, ""], channels: int, size: int, *, epsilon: float, sigma: float = SIGMA) -> "S":
        r"""Round(h^{1+ε}) places drawn in each matrix, and normal entries of deviation σ/√h.

        Args:
            key: A JAX random key, which is not traced.
            channels: Number of channels dω.
            size: Number of rows h.
            epsilon: The number ε in (−1, 1]; 1 stores all entries.
            sigma: The number σ.

        Raises:
            ValueError: If ε is out of range.
        """
        if not -1 < epsilon <= 1:
            raise ValueError(f"epsilon must be in (−1, 1], got {epsilon}: h^(1 + ε) of h² entries are stored.")
        for_places, for_values = jax.random.split(key)
        each = round(size ** (1 + epsilon))
        flat = [
            k * size**2 + _chosen(one, size**2, each) for k, one in enumerate(jax.random.split(for_places, channels))
        ]
        places = np.stack(np.unravel_index(np.concatenate(flat), (channels, size, size)), axis=-1)
        return cls(drawn(for_values, (len(places),), sigma / size**0.5), places, channels=channels, size=size)

    @property
    def channels(self) -> int:
        """The number of matrices."""
        return self.count

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.h

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.values.dtype

    def field(self, dw: Float[Array, "*batch channels"]) -> Sparse:
        """Sparse maps."""
        channel, rows, columns = self.places.T
        weights = jnp.take(dw, channel, axis=-1)
        return Sparse(weights * jnp.broadcast_to(self.values, weights.shape), rows, columns, self.h)

    def norms(self) -> Float[Array, " channels"]:
        """The Frobenius norms."""
        # Each matrix takes a row of its own, with zeros where others have their entries.
        own = self.places[:, 0][None] == jnp.arange(self.count, dtype=np.int32)[:, None]
        values = jnp.broadcast_to(self.values, own.shape)
        return norm(jnp.where(own, values, jnp.zeros_like(values)))


def _chosen(key: Key[Array, ""], entries: int, count: int) -> np.ndarray:
    """Some of the numbers below a bound, none twice; drawn by NumPy, which needs no compilation for each size."""
    seed = np.asarray(jax.random.key_data(key))
    return np.random.default_rng(seed).choice(entries, count, replace=False)
