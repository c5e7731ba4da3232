r"""Propagators :math:`e^{-rA}`, one family for each family of generators.

A propagator has the shape of its family: m numbers for a diagonal one, m for a rotation, :math:`m^2` only for a
dense one. Leading axes are a batch of propagators, one for each elapsed clock time r.
"""

import abc
from typing import Generic, TypeVar

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn.arrays import PRECISION, Levels

P = TypeVar("P", bound="AbstractPropagator")


class AbstractPropagator(eqx.Module, Generic[P]):
    r"""The matrix :math:`e^{-rA}` as a group element: it acts on vectors and tensors, and is composed.

    Paper: Section 2; Appendix C.2.
    """

    @abc.abstractmethod
    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """The matrix applied along the axis before the last."""

    @abc.abstractmethod
    def then(self, later: P) -> P:
        r"""The propagator of both elapsed times together, :math:`e^{-(r_1 + r_2)A}`."""

    @abc.abstractmethod
    def idle(self) -> P:
        """As many propagators of no elapsed time: identities."""

    def apply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        r"""The vector :math:`e^{-rA} v`."""
        return self.act(v[..., None, :, None])[..., 0, :, 0]

    def flow(self, levels: Levels) -> Levels:
        r"""The flow operator on a tensor: the matrix in every slot of every level.

        .. math:: D_A^r(v_1 ⊗ ⋯ ⊗ v_n) = e^{-rA} v_1 ⊗ ⋯ ⊗ e^{-rA} v_n

        Args:
            levels: The tensor; its batch is the propagator's.

        Returns:
            The levels of its image; level 0 is fixed.

        Paper: Section 2; Lemma 1.
        """
        return tuple(self._slots(level, n + 1) for n, level in enumerate(levels))

    def dense(self, batch: tuple[int, ...], m: int, dtype: np.dtype) -> "Dense":
        r"""The same propagators, each given by its matrix.

        Args:
            batch: The axes of the batch.
            m: Number of letters.
            dtype: The floating-point type.
        """
        identity = jnp.broadcast_to(jnp.eye(m, dtype=dtype), (*batch, 1, m, m))
        return Dense(self.act(identity)[..., 0, :, :])

    def _slots(self, level: Float[Array, "..."], n: int) -> Float[Array, "..."]:
        shape = level.shape
        batch, m = shape[: level.ndim - n], shape[-1]
        for slot in range(n):
            level = self.act(level.reshape(*batch, m**slot, m, m ** (n - 1 - slot)))
        return level.reshape(shape)


class Identity(AbstractPropagator["Identity"]):
    """The propagator of the zero generator."""

    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """The tensor itself."""
        return a

    def then(self, later: "Identity") -> "Identity":
        """The identity again."""
        del later
        return self

    def idle(self) -> "Identity":
        """Itself."""
        return self


class Diagonal(AbstractPropagator["Diagonal"]):
    r"""A diagonal propagator :math:`\operatorname{diag}(e^{-rλ})`."""

    decay: Float[Array, "*batch m"]

    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """Each coordinate times its decay."""
        behind = _behind(a)
        return (a.reshape(*a.shape[:-1], *behind) * _for_each(self.decay, behind)).reshape(a.shape)

    def then(self, later: "Diagonal") -> "Diagonal":
        """Decays multiply."""
        return Diagonal(self.decay * later.decay)

    def idle(self) -> "Diagonal":
        """No decay."""
        return Diagonal(jnp.ones_like(self.decay))


class Rotation(AbstractPropagator["Rotation"]):
    r"""Damped rotations, block by block: :math:`e^{-ar}` times [[cos ωr, sin ωr], [−sin ωr, cos ωr]].

    The damping is inside the stored cosine and sine.
    """

    cosine: Float[Array, "*batch pairs"]
    sine: Float[Array, "*batch pairs"]

    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """Each pair of coordinates rotated."""
        *before, m, _ = a.shape
        behind = _behind(a)
        axis = len(before) + 1
        x = a.reshape(*before, m // 2, 2, *behind)
        first, second = (jnp.squeeze(part, axis) for part in jnp.split(x, 2, axis))
        cosine, sine = _for_each(self.cosine, behind), _for_each(self.sine, behind)
        turned = (cosine * first + sine * second, cosine * second - sine * first)
        return jnp.stack(turned, axis).reshape(a.shape)

    def then(self, later: "Rotation") -> "Rotation":
        """Complex multiplication, pair by pair."""
        return Rotation(
            self.cosine * later.cosine - self.sine * later.sine,
            self.cosine * later.sine + self.sine * later.cosine,
        )

    def idle(self) -> "Rotation":
        """By no angle."""
        return Rotation(jnp.ones_like(self.cosine), jnp.zeros_like(self.sine))


class Jordan(AbstractPropagator["Jordan"]):
    r"""Jordan blocks of equal size: :math:`e^{-λr} \sum_ℓ (-r)^ℓ/ℓ! \, N^ℓ`, N the superdiagonal."""

    decay: Float[Array, "*batch blocks"]
    r: Float[Array, "*batch"]
    size: int = eqx.field(static=True)

    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """Each block's polynomial in N, then its decay."""
        *before, m, _ = a.shape
        behind = _behind(a)
        y = _unipotent(a.reshape(*before, m // self.size, self.size, *behind), self.r, len(before) + 1)
        return (y * _for_each(self.decay, (1, *behind))).reshape(a.shape)

    def then(self, later: "Jordan") -> "Jordan":
        """Decays multiply, elapsed times add."""
        return Jordan(self.decay * later.decay, self.r + later.r, self.size)

    def idle(self) -> "Jordan":
        """No decay, no elapsed time."""
        return Jordan(jnp.ones_like(self.decay), jnp.zeros_like(self.r), self.size)


class ComplexJordan(AbstractPropagator["ComplexJordan"]):
    r"""Jordan blocks over damped rotations: the rotation in each 2×2 block, I₂ on the superdiagonal."""

    rotation: Rotation
    r: Float[Array, "*batch"]
    size: int = eqx.field(static=True)

    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """Each block's polynomial in N ⊗ I₂, then its rotation in every pair."""
        *before, m, right = a.shape
        x = a.reshape(*before, m // (2 * self.size), self.size, 2 * right)
        y = _unipotent(x, self.r, len(before) + 1).reshape(a.shape)
        every = Rotation(
            jnp.repeat(self.rotation.cosine, self.size, axis=-1),
            jnp.repeat(self.rotation.sine, self.size, axis=-1),
        )
        return every.act(y)

    def then(self, later: "ComplexJordan") -> "ComplexJordan":
        """Rotations compose, elapsed times add."""
        return ComplexJordan(self.rotation.then(later.rotation), self.r + later.r, self.size)

    def idle(self) -> "ComplexJordan":
        """By no angle, no elapsed time."""
        return ComplexJordan(self.rotation.idle(), jnp.zeros_like(self.r), self.size)


class Dense(AbstractPropagator["Dense"]):
    """A propagator given by its matrix."""

    matrix: Float[Array, "*batch m m"]

    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """The matrix along the axis before the last."""
        return jnp.einsum("...ij,...ljr->...lir", self.matrix, a, precision=PRECISION)

    def flow(self, levels: Levels) -> Levels:
        """The matrix in every slot of every level, each slot by one product of matrices.

        The first slot is contracted and comes out as the last: after n turns all stand in their order again.
        """
        return tuple(self._turned(level, n + 1) for n, level in enumerate(levels))

    def _turned(self, level: Float[Array, "..."], n: int) -> Float[Array, "..."]:
        shape, m = level.shape, level.shape[-1]
        for _ in range(n):
            slots = level.reshape(*shape[: len(shape) - n], m, m ** (n - 1))
            level = jnp.einsum("...ij,...jr->...ri", self.matrix, slots, precision=PRECISION)
        return level.reshape(shape)

    def dense(self, batch: tuple[int, ...], m: int, dtype: np.dtype) -> "Dense":
        """Itself."""
        del batch, m, dtype
        return self

    def then(self, later: "Dense") -> "Dense":
        """The later matrix times the earlier one."""
        return Dense(jnp.matmul(later.matrix, self.matrix, precision=PRECISION))

    def idle(self) -> "Dense":
        """Identity matrices."""
        return Dense(jnp.broadcast_to(jnp.eye(self.matrix.shape[-1], dtype=self.matrix.dtype), self.matrix.shape))


class DirectSum(AbstractPropagator["DirectSum"]):
    """Propagators side by side, each on its own coordinates."""

    parts: tuple[AbstractPropagator, ...]
    sizes: tuple[int, ...] = eqx.field(static=True)

    def act(self, a: Float[Array, "*batch left m right"]) -> Float[Array, "*batch left m right"]:
        """Each part on its coordinates."""
        starts = [sum(self.sizes[:k]) for k in range(1, len(self.sizes))]
        pieces = jnp.split(a, starts, axis=-2)
        return jnp.concatenate([part.act(piece) for part, piece in zip(self.parts, pieces, strict=True)], axis=-2)

    def then(self, later: "DirectSum") -> "DirectSum":
        """Part by part."""
        parts = tuple(first.then(second) for first, second in zip(self.parts, later.parts, strict=True))
        return DirectSum(parts, self.sizes)

    def idle(self) -> "DirectSum":
        """Part by part."""
        return DirectSum(tuple(part.idle() for part in self.parts), self.sizes)


def _behind(a: Float[Array, "*batch left m right"]) -> tuple[int, ...]:
    """The axes behind the slot: none where it is the last slot.

    Beside an axis of length one, XLA's backend for CPUs is up to fifteen times slower in the sums of the backward pass.
    """
    return a.shape[-1:] if a.shape[-1] > 1 else ()


def _for_each(coefficients: Float[Array, "*batch k"], behind: tuple[int, ...]) -> Float[Array, "..."]:
    """Coefficients as factors of a tensor with an axis in front of the slot and some behind."""
    return coefficients[(..., None, slice(None), *(None for _ in behind))]


def _unipotent(x: Float[Array, "..."], r: Float[Array, "*batch"], axis: int) -> Float[Array, "..."]:
    # Horner's rule in N: x - rN(x - rN/2 (x - rN/3 (⋯))). N moves coordinate k+1 to k.
    size = x.shape[axis]
    minus_r = -r[(..., *(x.ndim - r.ndim) * (None,))]
    total = x
    for power in range(size - 1, 0, -1):
        first, rest = jnp.split(total, [1], axis)
        shifted = jnp.concatenate([rest, jnp.zeros_like(first)], axis)
        total = x + minus_r / power * shifted
    return total
