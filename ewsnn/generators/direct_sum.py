"""Generators side by side."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import propagators
from ewsnn.arrays import default_float
from ewsnn.generators.base import AbstractGenerator
from ewsnn.generators.diagonal import Zero


class DirectSum(AbstractGenerator):
    """Generators side by side: the block-diagonal matrix of its parts.

    Args:
        parts: The generators, in the order of their coordinates.

    Raises:
        ValueError: If there are none.
        TypeError: If one is not a generator.

    Paper: Section 2.2.

    >>> from ewsnn.generators import Diagonal, Skew
    >>> DirectSum(Diagonal(jnp.array([1.0])), Skew(jnp.array([2.0]))).matrix().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 2.0], [0.0, -2.0, 0.0]]
    """

    parts: tuple[AbstractGenerator, ...]

    def __init__(self, *parts: AbstractGenerator) -> None:
        if not parts:
            raise ValueError("DirectSum needs at least one generator.")
        for part in parts:
            if not isinstance(part, AbstractGenerator):
                raise TypeError(f"DirectSum takes generators, got {type(part).__name__}; wrap a matrix in Dense.")
        self.parts = parts

    @classmethod
    def init(cls, key: Key[Array, ""], *inits: Callable[[Key[Array, ""]], AbstractGenerator]) -> "DirectSum":
        """Parts drawn one after the other, each by a function of a key."""
        return cls(*(init(k) for init, k in zip(inits, jax.random.split(key, len(inits)), strict=True)))

    @property
    def size(self) -> int:
        """The number m of coordinates of all parts."""
        return sum(part.size for part in self.parts)

    @property
    def dtype(self) -> np.dtype:
        """The common floating-point type of those parts that have parameters."""
        return next((part.dtype for part in self.parts if not isinstance(part, Zero)), default_float())

    def multiply(self, v: Float[Array, "*batch m"]) -> Float[Array, "*batch m"]:
        """Each part on its coordinates."""
        pieces = zip(self.parts, self.split(v), strict=True)
        return jnp.concatenate([part.multiply(piece) for part, piece in pieces], axis=-1)

    def propagator(self, r: Float[Array, "*batch"]) -> propagators.DirectSum:
        """The propagators of the parts."""
        return propagators.DirectSum(tuple(part.propagator(r) for part in self.parts), self._sizes())

    def propagator_within(self, r: Float[Array, "*batch"], reach: float) -> propagators.DirectSum:
        """Those of the parts."""
        return propagators.DirectSum(tuple(part.propagator_within(r, reach) for part in self.parts), self._sizes())

    def doubled(
        self, half: propagators.AbstractPropagator, r: Float[Array, "*batch"]
    ) -> propagators.AbstractPropagator:
        """Part by part."""
        if not isinstance(half, propagators.DirectSum):
            raise TypeError(f"the propagator of a direct sum is a DirectSum, got {type(half).__name__}.")
        parts = (part.doubled(p, r) for part, p in zip(self.parts, half.parts, strict=True))
        return propagators.DirectSum(tuple(parts), half.sizes)

    def transported(
        self,
        r: Float[Array, "*batch"],
        v: Float[Array, "*batch m"],
        fractions: Float[Array, " nodes"],
        reach: float = 1.0,
    ) -> Float[Array, "*batch nodes m"]:
        """Each part on its coordinates."""
        pieces = zip(self.parts, self.split(v), strict=True)
        return jnp.concatenate([part.transported(r, piece, fractions, reach) for part, piece in pieces], axis=-1)

    def _sizes(self) -> tuple[int, ...]:
        return tuple(part.size for part in self.parts)

    def split(self, v: Float[Array, "*batch m"]) -> list[Float[Array, "*batch part"]]:
        """The coordinates of each part."""
        starts = [sum(part.size for part in self.parts[:k]) for k in range(1, len(self.parts))]
        return jnp.split(v, starts, axis=-1)

    def norm(self) -> Float[Array, ""]:
        """The largest norm of a part."""
        return jnp.max(jnp.stack([part.norm().astype(self.dtype) for part in self.parts]))
