"""EWS layers side by side: heads of one shape, each with its own lift, generator and clock."""

from collections.abc import Sequence

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ewsnn.arrays import Levels, Numbers, as_float
from ewsnn.clocks import AbstractClock
from ewsnn.engine.stream import State
from ewsnn.generators import AbstractGenerator
from ewsnn.layers import EWSLayer
from ewsnn.paths import Increments

_EACH = eqx.if_array(0)


class MultiHead(eqx.Module):
    r"""Heads: EWS layers of one shape, :math:`S_{(A_h, B_h)}(X_h; θ_h)^{≤N}` for h = 1, …, H, in one computation.

    Paths have an axis of heads in front of their steps: (…, heads, steps, d). Where its size is 1, all heads read that
    path. Clocks belong to the heads, so every head has clock increments of its own.

    Args:
        layer: A layer whose arrays have an axis of heads in front; :meth:`of` and :meth:`build` make one.

    >>> from ewsnn.clocks import Time
    >>> from ewsnn.generators import Diagonal
    >>> fast, slow = (EWSLayer([[1.0]], Diagonal([rate]), Time(), depth=2) for rate in (np.log(4), np.log(2)))
    >>> path = Increments.from_values([[[0.0], [1.0], [1.0]]])
    >>> both = MultiHead.of([fast, slow])
    >>> [level.shape for level in both(path)]
    [(2, 1), (2, 1, 1)]
    """

    layer: EWSLayer

    @classmethod
    def of(cls, layers: Sequence[EWSLayer]) -> "MultiHead":
        """Heads from layers.

        Args:
            layers: At least one; all of the same depth, with generators and clocks of the same families and sizes.

        Raises:
            ValueError: If there is none, or they are not of one shape.
        """
        if not layers:
            raise ValueError("MultiHead needs at least one layer.")
        shapes = [jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), each) for each in layers]
        for head, each in enumerate(shapes):
            if each != shapes[0]:
                raise ValueError(f"heads must be layers of one shape, but head {head} is {each}, head 0 {shapes[0]}.")
        return cls(jax.tree.map(lambda *leaves: jnp.stack(leaves), *layers))

    @classmethod
    def build(cls, lift: Array, generator: AbstractGenerator, clock: AbstractClock, depth: int) -> "MultiHead":
        """Heads from arrays that are stacked already.

        Args:
            lift: The matrices B, (heads, m, d).
            generator: A generator with an axis of heads in front of each array.
            clock: One clock, which every head gets a copy of.
            depth: The truncation depth N.

        Raises:
            ValueError: As for :class:`ewsnn.EWSLayer`.
        """

        def head(lift: Array, generator: AbstractGenerator, clock: AbstractClock) -> EWSLayer:
            return EWSLayer(lift, generator, clock, depth)

        return cls(eqx.filter_vmap(head, in_axes=(0, _EACH, None))(lift, generator, clock))

    @property
    def heads(self) -> int:
        """The number of heads."""
        return self.layer.lift.shape[0]

    @property
    def m(self) -> int:
        """The number of letters of each head."""
        return self.layer.lift.shape[1]

    @property
    def d(self) -> int:
        """The number of channels that each head reads."""
        return self.layer.lift.shape[2]

    @property
    def depth(self) -> int:
        """The truncation depth N."""
        return self.layer.depth

    def __call__(self, increments: Increments, *, output: str = "terminal", engine: str = "auto") -> Levels:
        """The states of all heads.

        Args:
            increments: The paths, with arrays (…, heads, steps) and (…, heads, steps, d), or 1 in place of heads.
            output: "terminal", "mean" or "all", as for :class:`ewsnn.EWSLayer`.
            engine: As for :class:`ewsnn.EWSLayer`.

        Returns:
            Levels 1 to N: level n is (…, heads, m, …, m), and (…, steps, heads, m, …, m) for "all".

        Raises:
            ValueError: If an option is unknown, or the path has another number of heads or channels.
        """
        axis, paths, mapped = self._paths(increments)

        def head(layer: EWSLayer, own: Increments) -> Levels:
            return layer(own, output=output, engine=engine)

        behind = axis + (output == "all")
        return eqx.filter_vmap(head, in_axes=(_EACH, mapped), out_axes=behind)(self.layer, paths)

    def start(self, batch_shape: tuple[int, ...] = (), t0: Numbers = 0.0) -> State:
        """The state of streams that begin at the base point 0, with an axis of heads in front of everything.

        Args:
            batch_shape: The leading axes: that many streams at once, behind the axis of heads.
            t0: The absolute time stamp of the start, a number or (…,).
        """

        def head(layer: EWSLayer) -> State:
            return layer.start(batch_shape, t0)

        return eqx.filter_vmap(head, in_axes=(_EACH,))(self.layer)

    def step(
        self, state: State, dx: Numbers, dt: Numbers = 1.0, *, elapsed: Numbers | None = None
    ) -> tuple[State, Levels]:
        """One step of the paths more.

        Args:
            state: The state before the step.
            dx: The increments of the paths, (…, heads, d), or 1 in place of heads.
            dt: That of the time stamps, a number or (…,).
            elapsed: Those of the clocks, for the clock ``Given`` alone, (…, heads).

        Returns:
            The state after the step, and its levels, (…, heads, m, …, m).

        Raises:
            TypeError: If something is not real numbers.
            ValueError: If a shape does not fit.
        """
        moved = as_float("dx", dx, self.layer.lift.dtype)
        if moved.ndim < 2 or moved.shape[-2] not in (1, self.heads):
            raise ValueError(f"dx must be (…, heads, d) with {self.heads} heads, or 1 for all, got {moved.shape}.")
        axis = moved.ndim - 2
        every = jnp.broadcast_to(moved, (*moved.shape[:-2], self.heads, moved.shape[-1]))
        given = None if elapsed is None else as_float("elapsed", elapsed, self.layer.lift.dtype)

        def head(layer: EWSLayer, own: State, dx: Array, elapsed: Array | None) -> tuple[State, Levels]:
            return layer.step(own, dx, dt, elapsed=elapsed)

        mapped = (_EACH, 0, axis, None if given is None else axis)
        return eqx.filter_vmap(head, in_axes=mapped, out_axes=(0, axis))(self.layer, state, every, given)

    def feed(
        self, state: State, increments: Increments, *, output: str = "terminal", engine: str = "auto"
    ) -> tuple[State, Levels]:
        """A chunk of the paths more, of any size.

        Args:
            state: The state before the chunk.
            increments: The steps of the chunk, as for calls.
            output: "terminal" for the levels after the chunk, "all" for those after each of its steps.
            engine: As for calls.

        Returns:
            The state after the chunk, and the levels as for calls.

        Raises:
            ValueError: If an option is unknown or the chunk does not fit the state or the heads.
        """
        axis, paths, mapped = self._paths(increments)

        def head(layer: EWSLayer, own: State, chunk: Increments) -> tuple[State, Levels]:
            return layer.feed(own, chunk, output=output, engine=engine)

        behind = axis + (output == "all")
        return eqx.filter_vmap(head, in_axes=(_EACH, 0, mapped), out_axes=(0, behind))(self.layer, state, paths)

    def _paths(self, increments: Increments) -> tuple[int, Increments, int | None]:
        """Where heads are, the paths, and the axis to map: None for a shared path, from which the axis is gone."""
        axis = increments.dt.ndim - 2
        count = 0 if axis < 0 else increments.dt.shape[axis]
        if count not in (1, self.heads):
            raise ValueError(
                f"a path for {self.heads} heads is (…, heads, steps, d), or (…, 1, steps, d) for one path that all "
                f"read; its steps are {increments.dt.shape}, its increments {increments.dx.shape}."
            )
        if count == self.heads:
            return axis, increments, axis
        return axis, jax.tree.map(lambda leaf: jnp.squeeze(leaf, axis), increments), None


def shared(increments: Increments) -> Increments:
    """A path (…, steps, d) as one that all heads read, (…, 1, steps, d).

    >>> shared(Increments.from_values([[0.0], [1.0]])).dx.shape
    (1, 1, 1)
    """
    axis = np.ndim(increments.dt) - 1
    return jax.tree.map(lambda leaf: jnp.expand_dims(leaf, axis), increments)
