"""The EWS layer: lift, clock and generator, and the states they give."""

from typing import SupportsIndex

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import tensor
from ewsnn.arrays import Levels, Numbers, as_float, default_float, refuse_class
from ewsnn.clocks import AbstractClock, Time
from ewsnn.engine.states import states
from ewsnn.generators import AbstractGenerator, Rotation
from ewsnn.paths import Increments


class EWSLayer(eqx.Module):
    r"""The exponentially weighted signature of a path as a layer, :math:`S_{(A,B)}(X; θ)^{≤N}`.

    Args:
        lift: The matrix B, (m, d).
        generator: The generator A, of size m.
        clock: The clock θ, which reads the increments before the lift.
        depth: The truncation depth N.
        max_features: The largest number of entries of one state that is let through.

    Raises:
        ValueError: If sizes do not fit or the state has too many entries.
        TypeError: If generator or clock is none.

    Paper: Definition 2.

    >>> layer = EWSLayer(jnp.eye(2), Rotation(None, [3.0]), Time(), depth=2)
    >>> level1, level2 = layer(Increments.from_values([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]))
    >>> level1.shape, level2.shape
    ((2,), (2, 2))
    """

    lift: Float[Array, "m d"]
    generator: AbstractGenerator
    clock: AbstractClock
    depth: int = eqx.field(static=True)

    def __init__(
        self,
        lift: Numbers,
        generator: AbstractGenerator,
        clock: AbstractClock,
        depth: SupportsIndex,
        *,
        max_features: int = tensor.MAX_FEATURES,
    ) -> None:
        depth = tensor.check_depth(depth)
        refuse_class("generator", generator)
        refuse_class("clock", clock)
        if not isinstance(generator, AbstractGenerator):
            raise TypeError(f"generator must be one of ewsnn.generators, got {type(generator).__name__}.")
        if not isinstance(clock, AbstractClock):
            raise TypeError(f"clock must be one of ewsnn.clocks, got {type(clock).__name__}.")
        self.lift = as_float("lift", lift)
        if self.lift.ndim != 2 or self.lift.shape[0] != generator.size:
            raise ValueError(
                f"lift must be (m, d) with m = {generator.size}, the size of the generator, got {self.lift.shape}."
            )
        for leaf in jax.tree.leaves(eqx.filter((generator, clock), eqx.is_inexact_array)):
            if leaf.dtype != self.lift.dtype:
                raise ValueError(
                    f"the lift is {self.lift.dtype}, but the generator or clock has a parameter of {leaf.dtype}: "
                    "give all of them one type."
                )
        tensor.check_size(generator.size, depth, 1, self.lift.dtype.itemsize, max_features)
        self.generator, self.clock, self.depth = generator, clock, depth

    @classmethod
    def init(
        cls,
        key: Key[Array, ""],
        d: int,
        m: int,
        depth: int,
        *,
        generator: AbstractGenerator | None = None,
        clock: AbstractClock | None = None,
    ) -> "EWSLayer":
        """A layer to be trained: normal lift of variance 1/d, stable damped rotations, the time clock.

        Args:
            key: A JAX random key.
            d: Number of channels of the path.
            m: Number of letters.
            depth: The truncation depth.
            generator: Another generator of size m.
            clock: Another clock.
        """
        for_lift, for_generator = jax.random.split(key)
        lift = jax.random.normal(for_lift, (m, d), default_float()) / np.sqrt(d).item()
        chosen = Rotation.init(for_generator, m) if generator is None else generator
        return cls(lift, chosen, Time() if clock is None else clock, depth)

    @property
    def size(self) -> int:
        """The number of entries of levels 1 to N."""
        return tensor.size(self.generator.size, self.depth)

    def __call__(self, increments: Increments, *, output: str = "terminal", engine: str = "auto") -> Levels:
        """The states of paths.

        Args:
            increments: The steps of the paths, with any leading axes.
            output: "terminal", "mean" or "all", see :func:`ewsnn.engine.states`.
            engine: "auto", "scan" or "sequential".

        Returns:
            Levels 1 to N; level n has n axes of size m behind the batch (and the steps, for "all").

        Raises:
            ValueError: If an option is unknown or the path has other channels than the lift.
        """
        d = increments.dx.shape[-1]
        if d != self.lift.shape[1]:
            raise ValueError(f"the lift is for {self.lift.shape[1]} channels, the path has {d}.")
        if increments.dx.dtype != self.lift.dtype:
            raise ValueError(
                f"the path is {increments.dx.dtype}, the layer {self.lift.dtype}: make the increments with "
                f"dtype={self.lift.dtype}."
            )
        return states(increments, self.lift, self.generator, self.clock, depth=self.depth, output=output, engine=engine)


class LevelGain(eqx.Module):
    r"""One learned factor for each level, :math:`g_n S^{(n)}`.

    Args:
        gain: The factors, (depth,).

    Paper: Appendix F.1.

    >>> levels = LevelGain([2.0, 3.0])((jnp.ones((1,)), jnp.ones((1, 1))))
    >>> [level.tolist() for level in levels]
    [[2.0], [[3.0]]]
    """

    gain: Float[Array, " depth"]

    def __init__(self, gain: Numbers) -> None:
        self.gain = as_float("gain", gain)
        if self.gain.ndim != 1:
            raise ValueError(f"gain must have one entry for each level, got shape {self.gain.shape}.")

    @classmethod
    def init(cls, key: Key[Array, ""], depth: int) -> "LevelGain":
        """Gains of one."""
        del key
        return cls(jnp.ones((depth,), default_float()))

    def __call__(self, levels: Levels) -> Levels:
        """The levels, each times its gain.

        Raises:
            ValueError: If there are not as many levels as gains.
        """
        if len(levels) != self.gain.shape[0]:
            raise ValueError(f"there are {self.gain.shape[0]} gains for {len(levels)} levels.")
        return tuple(self.gain[n] * level for n, level in enumerate(levels))
