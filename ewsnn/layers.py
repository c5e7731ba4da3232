"""The EWS layer: lift, clock and generator, and the states they give."""

from typing import SupportsIndex

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Key

from ewsnn import tensor
from ewsnn.arrays import Levels, Numbers, as_float, check_finite, default_float, is_traced, refuse_class
from ewsnn.clocks import AbstractClock, Time
from ewsnn.engine import stream
from ewsnn.engine.states import states
from ewsnn.generators import AbstractGenerator, Rotation
from ewsnn.paths import Increments, Knot

# Compiled once for each shape, also outside a transformation: a stream is fed by a Python loop as often as not.
_feed = eqx.filter_jit(stream.feed)


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
        self.check(increments)
        return states(increments, self.lift, self.generator, self.clock, depth=self.depth, output=output, engine=engine)

    def start(self, batch_shape: tuple[int, ...] = (), t0: Numbers = 0.0, point: Numbers | None = None) -> stream.State:
        """The state of a stream that begins.

        Args:
            batch_shape: The leading axes: that many streams at once.
            t0: The absolute time stamp of the start, a number or (…,).
            point: Where the path starts, (d,) or (…, d). None for the base point 0, from which the first observation is
                a step like any other; without a base point give the first observation here, and its time as ``t0``.

        Raises:
            TypeError: If something is not a real number.
            ValueError: If a shape does not fit or a number is not finite.

        >>> layer = EWSLayer(jnp.eye(2), Rotation(None, [np.pi / 2]), Time(), depth=1)
        >>> state, (now,) = layer.step(layer.start(), dx=[2.0, 0.0], dt=0.0)
        >>> (later,) = layer.at(state, dt=1.0)
        >>> jnp.round(now, 3).tolist(), jnp.round(later, 3).tolist()
        ([2.0, 0.0], [0.0, -2.0])
        """
        knot = Knot.start(batch_shape, self.lift.shape[1], self.lift.dtype, t0, point)
        return stream.start(self.generator.size, self.depth, knot)

    def step(
        self, state: stream.State, dx: Numbers, dt: Numbers = 1.0, *, elapsed: Numbers | None = None
    ) -> tuple[stream.State, Levels]:
        """One step of the path more; the clock makes Δθ from dx and dt.

        Args:
            state: The state before the step.
            dx: The increment of the path, (…, d).
            dt: That of the time stamps, a number or (…,).
            elapsed: That of the clock, for the clock ``Given`` alone, a number or (…,).

        Returns:
            The state after the step, and its levels.

        Raises:
            TypeError: If something is not a real number.
            ValueError: If a shape does not fit, or (where it is known) a number is not finite or time goes back.

        Paper: Theorem 1(ii); Section 2.2.
        """
        increment = as_float("dx", dx, self.lift.dtype)
        expected = (*state.steps.shape, self.lift.shape[1])
        if increment.shape != expected:
            raise ValueError(f"dx must have shape (…, d) = {expected}, got {increment.shape}.")
        check_finite("dx", increment)
        spans, given = self._spans(state, dt, elapsed)
        return self._step(state, increment, spans, given)

    @eqx.filter_jit
    def _step(self, state: stream.State, dx: Array, dt: Array, elapsed: Array | None) -> tuple[stream.State, Levels]:
        dtheta = stream.tick(self.clock, dx, dt, elapsed)
        return stream.step(state, dx, dtheta, lift=self.lift, generator=self.generator, dt=dt)

    def feed(
        self,
        state: stream.State,
        increments: Increments,
        *,
        knot: Knot | None = None,
        output: str = "terminal",
        engine: str = "auto",
    ) -> tuple[stream.State, Levels]:
        """A chunk of the path more, of any size.

        All chunks together give what the layer gives for the whole path, to round-off.

        Args:
            state: The state before the chunk.
            increments: The steps of the chunk, padding allowed.
            knot: Where the path is after it, as :class:`ewsnn.paths.Knot` says; None to add up the increments.
            output: "terminal" for the levels after the chunk, "all" for those after each of its steps.
            engine: As for calls of the layer.

        Returns:
            The state after the chunk, and the levels.

        Raises:
            ValueError: If an option is unknown or the chunk does not fit the state or the layer.

        Paper: Theorem 1(ii); Section 2.2.
        """
        self.check(increments)
        if increments.dt.shape[:-1] != state.steps.shape:
            raise ValueError(
                f"the state is of a batch {state.steps.shape}, the increments are of {increments.dt.shape[:-1]}."
            )
        parts = {"lift": self.lift, "generator": self.generator, "clock": self.clock}
        return _feed(state, increments, **parts, knot=knot, output=output, engine=engine)

    def observe(
        self,
        state: stream.State,
        values: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        elapsed: Numbers | None = None,
        output: str = "terminal",
        engine: str = "auto",
    ) -> tuple[stream.State, Levels]:
        """A chunk of observations more: the path goes through them.

        Args:
            state: The state, which knows the last observation and its time.
            values: The next observations, (…, points, d).
            times: Their absolute time stamps, (points,) or (…, points); None for one more each.
            lengths: How many are valid, (…,); none is allowed.
            elapsed: Clock increments, for the clock ``Given`` alone, (…, points).
            output: As for :meth:`feed`.
            engine: As for :meth:`feed`.

        Returns:
            The state after the last observation, and the levels.

        Raises:
            TypeError: If something is not a real number.
            ValueError: If shapes do not fit, or (where they are known) times go back or a number is not finite.
        """
        knot, increments = state.knot.values(values, times, lengths)
        if elapsed is not None:
            increments = increments.with_elapsed(elapsed)
        return self.feed(state, increments, knot=knot, output=output, engine=engine)

    def at(self, state: stream.State, dt: Numbers, *, elapsed: Numbers | None = None) -> Levels:
        r"""The levels a while after the last observation, when nothing new has been seen.

        They are those after a step of the time alone, :math:`D_A^{r}(S)` with r the clock increment for v = 0: dt for
        the clocks time and blended, 0 for variation and for a gate without bias, max(b dt, 0) for a gate, the clipped
        b dt of each unit for a clamped clock. The observation clock takes the query for an observation: r = 1.

        Args:
            state: The state, which stays as it is.
            dt: The time since the last observation, a number or (…,).
            elapsed: The clock increment r, for the clock ``Given`` alone, a number or (…,).

        Raises:
            TypeError: If something is not a real number.
            ValueError: If a shape does not fit, or (where it is known) dt is negative or not finite.

        Paper: Section 2; Lemma 1.
        """
        return self._at(state, *self._spans(state, dt, elapsed))

    @eqx.filter_jit
    def _at(self, state: stream.State, dt: Array, elapsed: Array | None) -> Levels:
        still = jnp.zeros((*dt.shape, self.lift.shape[1]), self.lift.dtype)
        return stream.at(state, stream.tick(self.clock, still, dt, elapsed), generator=self.generator)

    def check(self, increments: Increments) -> None:
        """Refuses paths that the layer cannot read.

        Raises:
            ValueError: If the path has other channels than the lift, or another floating-point type.
        """
        d = increments.dx.shape[-1]
        if d != self.lift.shape[1]:
            raise ValueError(f"the lift is for {self.lift.shape[1]} channels, the path has {d}.")
        if increments.dx.dtype != self.lift.dtype:
            raise ValueError(
                f"the path is {increments.dx.dtype}, the layer {self.lift.dtype}: make the increments with "
                f"dtype={self.lift.dtype}."
            )

    def _spans(self, state: stream.State, dt: Numbers, elapsed: Numbers | None) -> tuple[Array, Array | None]:
        """Time and clock increments of one step, checked, for each stream."""
        found = []
        for name, given in (("dt", dt), ("elapsed", elapsed)):
            if given is not None:
                each, batch = as_float(name, given, self.lift.dtype), state.steps.shape
                if each.shape not in (batch, ()):
                    raise ValueError(f"{name} must be one number or have shape {batch}, got {each.shape}.")
                check_finite(name, each)
                found.append(jnp.broadcast_to(each, batch))
        spans = found[0]
        if not is_traced(spans) and (np.asarray(spans) < 0).any():
            raise ValueError(f"dt must not be negative, got {spans}: time does not go back.")
        return spans, None if elapsed is None else found[1]
