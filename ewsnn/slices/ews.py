r"""The truncated EWS as a SLiCE: the linear CDE on R^K that it solves, driven by (θ, X).

.. math:: dS = -Λ_A(S) \, dθ + S ⊗ B \, dX

A route of its own to the EWS: of the engine it uses nothing, so that each is a check of the other. Where only the EWS
is wanted, :class:`ewsnn.EWSLayer` is much faster.
"""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn import tensor
from ewsnn.affine import Affine
from ewsnn.arrays import PRECISION, Numbers, as_float
from ewsnn.clocks import AbstractClock
from ewsnn.generators import AbstractGenerator
from ewsnn.layers import EWSLayer
from ewsnn.paths import Increments
from ewsnn.slices.layer import SLiCELayer
from ewsnn.slices.maps import AbstractMap, AbstractOpenMap
from ewsnn.slices.structures import AbstractStructure


class Derivation(AbstractOpenMap):
    r"""The map :math:`S ↦ -Δθ \, Λ_A(S) + S ⊗ v` of a step of the EWS, on levels 0 to N in a row.

    Args:
        dtheta: The clock increment Δθ.
        v: The lifted increment :math:`v = BΔX`.
        generator: The matrix A, common to the batch.
        depth: The truncation depth N.

    Paper: Appendix C.3.

    >>> Derivation(jnp.array(1.0), jnp.array([3.0]), jnp.array([[2.0]]), 2).matrix().tolist()
    [[0.0, 0.0, 0.0], [3.0, -2.0, 0.0], [0.0, 3.0, -4.0]]
    """

    dtheta: Float[Array, "*batch"]
    v: Float[Array, "*batch m"]
    generator: Float[Array, "m m"]
    depth: int = eqx.field(static=True)

    @property
    def size(self) -> int:
        """The number K of entries of levels 0 to N."""
        return 1 + tensor.size(self.v.shape[-1], self.depth)

    def apply(self, h: Float[Array, "*batch h"]) -> Float[Array, "*batch h"]:
        """Level by level: the matrix A in every slot in turn, and the letter v behind the level before."""
        batch, m = h.shape[:-1], self.v.shape[-1]
        before, rest = jnp.split(h, [1], axis=-1)
        found = [jnp.zeros_like(before)]
        for n, level in enumerate(tensor.unflatten(rest, m, self.depth), start=1):
            flat = level.reshape(*batch, m**n)
            behind = (before[..., None] * self.v[..., None, :]).reshape(flat.shape)
            found.append(behind - self.dtheta[..., None] * self._in_every_slot(flat, n))
            before = flat
        return jnp.concatenate(found, axis=-1)

    def matrix(self) -> Float[Array, "*batch h h"]:
        """The matrix, strictly block-lower but for the Kronecker sums of A on its diagonal."""
        unit = jnp.eye(self.size, dtype=self.v.dtype)
        shape = (*self.dtheta.shape, self.size)
        return jax.vmap(lambda e: self.apply(jnp.broadcast_to(e, shape)), out_axes=-1)(unit)

    def norm(self) -> Float[Array, "*batch"]:
        """A bound of the ∞-norm: N copies of A, and the largest entry of v."""
        rows = jnp.max(jnp.sum(jnp.abs(self.generator), axis=-1))
        return self.depth * rows * jnp.abs(self.dtheta) + jnp.max(jnp.abs(self.v), axis=-1)

    def batched(self) -> AbstractMap:
        """All but the generator."""
        return eqx.tree_at(lambda map: map.generator, super().batched(), False)

    def _in_every_slot(self, level: Float[Array, "*batch words"], n: int) -> Float[Array, "*batch words"]:
        batch, m = level.shape[:-1], self.v.shape[-1]
        total = jnp.zeros_like(level)
        for slot in range(n):
            apart = level.reshape(*batch, m**slot, m, m ** (n - 1 - slot))
            turned = jnp.einsum("ij,...ljr->...lir", self.generator, apart, precision=PRECISION)
            total = total + turned.reshape(level.shape)
        return total


class EWS(AbstractStructure):
    r"""The matrices of the EWS as a linear CDE, from m² + dm numbers (fewer for structured generators) at any depth.

    .. math:: M_0 = -L, \qquad M_i = ρ(B e_i)

    The driving path is (θ, X): its channels are the clock, then those of the path.

    Args:
        lift: The matrix B, (m, d).
        generator: The generator A, of size m.
        depth: The truncation depth N.

    Raises:
        ValueError: If sizes do not fit.
        TypeError: If the generator is none.

    Paper: Prop. 1; Appendix C.3.

    >>> from ewsnn.generators import Diagonal
    >>> EWS([[3.0]], Diagonal([2.0]), depth=1).matrices().tolist()
    [[[0.0, 0.0], [0.0, -2.0]], [[0.0, 0.0], [3.0, 0.0]]]
    """

    is_closed = False
    lift: Float[Array, "m d"]
    generator: AbstractGenerator
    depth: int = eqx.field(static=True)

    def __init__(self, lift: Numbers, generator: AbstractGenerator, depth: int) -> None:
        if not isinstance(generator, AbstractGenerator):
            raise TypeError(f"generator must be one of ewsnn.generators, got {generator!r}.")
        self.lift, self.generator, self.depth = as_float("lift", lift), generator, tensor.check_depth(depth)
        if self.lift.ndim != 2 or self.lift.shape[0] != generator.size:
            raise ValueError(
                f"lift must be (m, d) with m = {generator.size}, the size of the generator, got {self.lift.shape}."
            )

    @property
    def channels(self) -> int:
        """One for the clock, and those of the path."""
        return 1 + self.lift.shape[1]

    @property
    def size(self) -> int:
        """The number K of entries of levels 0 to N."""
        return 1 + tensor.size(self.lift.shape[0], self.depth)

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.lift.dtype

    def field(self, dw: Float[Array, "*batch channels"]) -> Derivation:
        """The maps of steps of (θ, X)."""
        v = jnp.einsum("md,...d->...m", self.lift, dw[..., 1:], precision=PRECISION)
        return Derivation(dw[..., 0], v, self.generator.matrix(), self.depth)


def slice_of(layer: EWSLayer) -> SLiCELayer:
    """An EWS layer as a SLiCE, which gives levels 0 to N in a row, ``ewsnn.tensor.features`` of the levels.

    Args:
        layer: The layer; its clock is applied beforehand, by :func:`driven`.

    Returns:
        A SLiCE with the exact flow that starts at the constant 1.

    Paper: Prop. 1.

    >>> from ewsnn import clocks, generators
    >>> layer = EWSLayer(jnp.eye(2), generators.Rotation(None, [3.0]), clocks.Time(), depth=2)
    >>> path = Increments.from_values([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    >>> found = slice_of(layer)(driven(layer.clock, path))
    >>> bool(jnp.max(jnp.abs(found - tensor.features(layer(path)))) < 1e-5)
    True
    """
    structure = EWS(layer.lift, layer.generator, layer.depth)
    unit = jnp.zeros((structure.size,), structure.dtype).at[0].set(1)
    nothing = jnp.zeros((structure.size, structure.channels), structure.dtype)
    return SLiCELayer(Affine(nothing, unit), structure, flow="exact")


def driven(clock: AbstractClock, increments: Increments) -> Increments:
    """The path (θ, X), which drives the EWS as a SLiCE.

    Args:
        clock: The clock θ.
        increments: The path X.

    Returns:
        One channel more, in front of the others; the path counts as one that starts at 0.
    """
    dtheta = clock(increments)
    operations = tuple(dict.fromkeys((*increments.operations, "base point", "clock channel")))
    return dataclasses.replace(
        increments,
        dx=jnp.concatenate([dtheta[..., None], increments.dx], axis=-1),
        start=None,
        operations=operations,
    )
