r"""Generators as the converters have them: heads side by side, in NumPy's float64 and complex128.

Letters are real. A pair of them, 2p and 2p + 1, is a complex number, and a complex matrix acts on such numbers: the
real matrix of an entry a + iω is the block [[a, -ω], [ω, a]].
"""

import abc
import dataclasses

import equinox as eqx
import jax.numpy as jnp
import numpy as np

from ewsnn.arrays import default_float
from ewsnn.convert import depth_one
from ewsnn.convert.depth_one import letters, paired
from ewsnn.convert.functions import phi1
from ewsnn.generators import AbstractGenerator, Dense, Diagonal, Rotation


class AbstractBlocks(abc.ABC):
    """The generators A of all heads, each m×m, and what they do over one unit of clock time."""

    @property
    @abc.abstractmethod
    def heads(self) -> int:
        """The number of heads."""

    @property
    @abc.abstractmethod
    def m(self) -> int:
        """The number of real letters of each head."""

    @abc.abstractmethod
    def matrix(self) -> np.ndarray:
        """The matrices A in full, (heads, m, m), real."""

    @abc.abstractmethod
    def exponential(self) -> np.ndarray:
        """The matrices e^{-A}, (heads, m, m), real."""

    @abc.abstractmethod
    def phi1(self) -> np.ndarray:
        """The matrices φ_1(-A), (heads, m, m), real."""

    @abc.abstractmethod
    def states(self, driven: np.ndarray) -> np.ndarray:
        r"""The states of the EWS for the unit clock, :math:`S_j = e^{-A} S_{j-1} + φ_1(-A) v_j` from zero.

        Args:
            driven: The lifted increments v = B ΔX, (…, steps, heads, m), real.

        Returns:
            The states after each step, of the same shape.
        """

    @abc.abstractmethod
    def regrouped(self, heads: int) -> "AbstractBlocks":
        """The same blocks, in the same order of letters, dealt out evenly to another number of heads.

        Raises:
            ValueError: If the blocks of all heads cannot be dealt out so.
        """

    @abc.abstractmethod
    def family(self, dtype: np.dtype | None = None) -> AbstractGenerator:
        """The generator of the fast side, with an axis of heads in front of each of its arrays.

        Args:
            dtype: Its floating-point type; None for JAX's default.
        """


@dataclasses.dataclass(frozen=True)
class Exponents(AbstractBlocks):
    """Diagonal generators: real letters of their own, or damped rotations of pairs of letters.

    Args:
        z: The rates λ, real (heads, m), or a + iω of each pair, complex (heads, m/2).

    >>> Exponents(np.array([[0.5 + 2j]])).matrix().tolist()
    [[[0.5, -2.0], [2.0, 0.5]]]
    """

    z: np.ndarray

    @property
    def heads(self) -> int:
        """The number of heads."""
        return self.z.shape[0]

    @property
    def m(self) -> int:
        """The number of real letters of each head."""
        return self.z.shape[1] * (2 if np.iscomplexobj(self.z) else 1)

    def matrix(self) -> np.ndarray:
        """The matrices A, (heads, m, m)."""
        return _diagonal(self.z)

    def exponential(self) -> np.ndarray:
        """The matrices e^{-A}, (heads, m, m)."""
        return _diagonal(np.exp(-self.z))

    def phi1(self) -> np.ndarray:
        """The matrices φ_1(-A), (heads, m, m)."""
        return _diagonal(phi1(-self.z))

    def states(self, driven: np.ndarray) -> np.ndarray:
        """The states of the EWS for the unit clock, each letter or pair by itself."""
        return depth_one.states(self.z, np.ones(driven.shape[:-1]), driven)

    def regrouped(self, heads: int) -> "Exponents":
        """The same letters, dealt out evenly to another number of heads."""
        return Exponents(_dealt(self.z, heads))

    def family(self, dtype: np.dtype | None = None) -> AbstractGenerator:
        """Diagonal generators or rotations of the fast side."""
        dtype = default_float() if dtype is None else dtype
        if not np.iscomplexobj(self.z):
            return eqx.filter_vmap(Diagonal)(jnp.asarray(self.z, dtype))
        return eqx.filter_vmap(Rotation)(jnp.asarray(np.real(self.z), dtype), jnp.asarray(np.imag(self.z), dtype))


@dataclasses.dataclass(frozen=True)
class Blocks(AbstractBlocks):
    """Block-diagonal generators with equal blocks, each given with its exponential and φ_1.

    Args:
        A: The blocks, (heads, blocks, b, b): real ones on b real letters, complex ones on b pairs of letters.
        E: The blocks of e^{-A}, of the same shape.
        Phi: Those of φ_1(-A), of the same shape.
    """

    A: np.ndarray
    E: np.ndarray
    Phi: np.ndarray

    @property
    def heads(self) -> int:
        """The number of heads."""
        return self.A.shape[0]

    @property
    def m(self) -> int:
        """The number of real letters of each head."""
        return self.A.shape[1] * self.A.shape[2] * (2 if np.iscomplexobj(self.A) else 1)

    def matrix(self) -> np.ndarray:
        """The matrices A, (heads, m, m)."""
        return _full(self.A)

    def exponential(self) -> np.ndarray:
        """The matrices e^{-A}, (heads, m, m)."""
        return _full(self.E)

    def phi1(self) -> np.ndarray:
        """The matrices φ_1(-A), (heads, m, m)."""
        return _full(self.Phi)

    def states(self, driven: np.ndarray) -> np.ndarray:
        """The states of the EWS for the unit clock, block by block."""
        pairs = np.iscomplexobj(self.A)
        v = paired(driven) if pairs else driven
        local = np.einsum("hkij,...hkj->...hki", self.Phi, v.reshape(*v.shape[:-1], *self.A.shape[1:3]))
        state, found = np.zeros_like(local[..., 0, :, :, :]), np.empty_like(local)
        for step in range(local.shape[-4]):
            state = np.einsum("hkij,...hkj->...hki", self.E, state) + local[..., step, :, :, :]
            found[..., step, :, :, :] = state
        flat = found.reshape(v.shape)
        return letters(flat) if pairs else flat

    def regrouped(self, heads: int) -> "Blocks":
        """The same blocks, dealt out evenly to another number of heads."""
        return Blocks(*(_dealt(part, heads) for part in (self.A, self.E, self.Phi)))

    def family(self, dtype: np.dtype | None = None) -> AbstractGenerator:
        """Dense generators of the fast side, one for each head: give each block a head where there are many."""
        dtype = default_float() if dtype is None else dtype
        return eqx.filter_vmap(Dense)(jnp.asarray(self.matrix(), dtype))


def realified(a: np.ndarray) -> np.ndarray:
    """Complex matrices (…, n, k) as real ones (…, 2n, 2k) on pairs of letters; real ones stay as they are.

    >>> realified(np.array([[1 + 2j]])).tolist()
    [[1.0, -2.0], [2.0, 1.0]]
    """
    if not np.iscomplexobj(a):
        return a
    *batch, n, k = a.shape
    re, im = np.real(a), np.imag(a)
    parts = np.stack([np.stack([re, -im], axis=-1), np.stack([im, re], axis=-1)], axis=-3)
    return parts.reshape(*batch, 2 * n, 2 * k)


def lifted(b: np.ndarray) -> np.ndarray:
    """Complex lifts (…, n, d) as real ones (…, 2n, d): rows Re b and Im b of each complex row; real ones stay."""
    return np.swapaxes(letters(np.swapaxes(b, -1, -2)), -1, -2) if np.iscomplexobj(b) else b


def reading(c: np.ndarray) -> np.ndarray:
    """Complex rows c (…, n) that read Re(c h), as real ones (…, 2n): Re c and -Im c of each entry; real ones stay."""
    return letters(np.conj(c)) if np.iscomplexobj(c) else c


def _diagonal(z: np.ndarray) -> np.ndarray:
    return realified(z[..., None] * np.eye(z.shape[-1]))


def _full(blocks: np.ndarray) -> np.ndarray:
    real = realified(blocks)
    heads, k, b = real.shape[:3]
    full = np.zeros((heads, k, b, k, b))
    full[:, np.arange(k), :, np.arange(k), :] = np.swapaxes(real, 0, 1)
    return full.reshape(heads, k * b, k * b)


def _dealt(parts: np.ndarray, heads: int) -> np.ndarray:
    total = parts.shape[0] * parts.shape[1]
    if heads < 1 or total % heads:
        raise ValueError(f"{total} blocks cannot be dealt out evenly to {heads} heads.")
    return parts.reshape(heads, total // heads, *parts.shape[2:])
