"""What is computed in a benchmark: the shape of the paths, the layer, and what is read out."""

import dataclasses

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn import clocks, generators
from ewsnn.clocks import AbstractClock
from ewsnn.generators import AbstractGenerator
from ewsnn.paths import Increments

Arguments = tuple[Increments, Float[Array, "m d"], AbstractGenerator, AbstractClock]


@dataclasses.dataclass(frozen=True)
class Problem:
    """An EWS of paths that are drawn with a fixed seed.

    Args:
        name: What it is called in a table.
        batch: Number of paths.
        steps: Number of steps of each.
        channels: Number d of channels.
        letters: Width m of the lift.
        depth: The truncation depth N.
        generator: "rotation" (damping 0.5, frequency 3), "free rotation" (spread frequencies), "skew", "jordan" or
            "zero" (no lift: the plain signature of the points).
        clock: "given", "time", "variation", "blended", "gated" or "clamped".
        elapsed: The clock increment of each step for "given"; twice mean and deviation of those of "gated".
        output: As in :func:`ewsnn.engine.states`.
        nodes: Gauss nodes that make the local EWS of the plain scan exact to single precision here.
    """

    name: str
    batch: int
    steps: int
    channels: int
    letters: int
    depth: int
    generator: str = "rotation"
    clock: str = "given"
    elapsed: float = 1.0
    output: str = "terminal"
    nodes: int = 8

    def small(self) -> "Problem":
        """The same with small sizes: a check, no measurement."""
        letters = min(self.letters, self.channels, 3) if self.generator == "zero" else min(self.letters, 4)
        return dataclasses.replace(
            self,
            batch=min(self.batch, 2),
            steps=min(self.steps, 12),
            channels=letters if self.generator == "zero" else min(self.channels, 3),
            letters=letters,
            depth=min(self.depth, 3),
        )

    @property
    def features(self) -> int:
        """The number of entries of levels 1 to N."""
        return sum(self.letters**n for n in range(1, self.depth + 1))

    def points(self) -> np.ndarray:
        """Random walks of unit size, (batch, steps + 1, channels), the same in every environment and precision."""
        moves = np.random.default_rng(0).normal(size=(self.batch, self.steps + 1, self.channels))
        return np.cumsum(moves / np.sqrt(self.steps), axis=1)

    def cotangents(self) -> list[np.ndarray]:
        """Normal weights for each level of what is read out, flat."""
        rng = np.random.default_rng(1)
        shape = (self.batch, self.steps) if self.output == "all" else (self.batch,)
        return [rng.normal(size=(*shape, self.letters**n)) for n in range(1, self.depth + 1)]

    def arguments(self, dtype: np.dtype) -> Arguments:
        """All that a gradient is taken in: increments, lift, generator and clock, as float arrays of the type given."""
        rng, d, m = np.random.default_rng(2), self.channels, self.letters
        path = self.points().astype(dtype)
        values = Increments.from_values(path, np.linspace(0, 1, self.steps + 1).astype(dtype))
        increments = dataclasses.replace(values, start=None, lead=None)
        if self.clock == "given":
            increments = increments.with_elapsed(np.full((self.batch, self.steps), self.elapsed, dtype))
        lift = jnp.asarray(rng.normal(size=(m, d)) / np.sqrt(d), dtype)
        return increments, lift, self._generator(rng, dtype), self._clock(rng, dtype)

    def _generator(self, rng: np.random.Generator, dtype: np.dtype) -> AbstractGenerator:
        m = self.letters
        match self.generator:
            case "rotation":
                return generators.Rotation(jnp.full(m // 2, 0.5, dtype), jnp.full(m // 2, 3.0, dtype))
            case "free rotation":
                return generators.Rotation(
                    jnp.asarray(rng.uniform(0.1, 1, m // 2), dtype), jnp.asarray(rng.uniform(0.1, 6, m // 2), dtype)
                )
            case "skew":
                return generators.Skew(jnp.asarray(rng.normal(size=m * (m - 1) // 2) / np.sqrt(m), dtype))
            case "jordan":
                return generators.Jordan(jnp.asarray(rng.uniform(0.1, 1, m // 4), dtype), 4)
            case "zero":
                return generators.Zero(m)
        raise ValueError(f"{self.name}: unknown generator {self.generator!r}.")

    def _clock(self, rng: np.random.Generator, dtype: np.dtype) -> AbstractClock:
        d = self.channels
        match self.clock:
            case "given":
                return clocks.Given()
            case "time":
                return clocks.Time()
            case "variation":
                return clocks.Variation()
            case "blended":
                return clocks.Blended(jnp.asarray(0.5, dtype))
            case "gated":
                # relu(w·v + bΔt) is normal with mean and deviation elapsed/2, so it stops at every sixth step.
                w = rng.normal(size=d)
                w *= self.elapsed / 2 * np.sqrt(self.steps) / np.linalg.norm(w)
                return clocks.Gated(jnp.asarray(w, dtype), jnp.asarray(self.elapsed / 2 * self.steps, dtype))
            case "clamped":
                weight, bias = rng.normal(size=(4, d)), np.full(4, 1 / 4)
                return clocks.Clamped(jnp.asarray(weight, dtype), jnp.asarray(bias, dtype))
        raise ValueError(f"{self.name}: unknown clock {self.clock!r}.")
