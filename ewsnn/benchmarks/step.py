"""The function that a case times: read-out levels, or value and gradient of ⟨levels, cotangents⟩."""

import dataclasses
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, PyTree

from ewsnn.arrays import PRECISION
from ewsnn.benchmarks.case import Case
from ewsnn.benchmarks.opponents.diagonal_scan import diagonal_scan
from ewsnn.benchmarks.opponents.plain_scan import plain_scan
from ewsnn.benchmarks.problems import Arguments, Problem
from ewsnn.engine import states
from ewsnn.generators import Rotation
from ewsnn.signature import signature

Read = Callable[[Any], list[Array]]


@dataclasses.dataclass(frozen=True)
class Step:
    """A function of arrays, and the arrays.

    Args:
        levels: From all that a gradient is taken in to the levels that are read out, flat.
        arguments: All that a gradient is taken in.
        cotangents: A weight for each entry of the levels.
    """

    levels: Read
    arguments: PyTree
    cotangents: list[Array]

    def forward(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """The levels, as a function to compile, and its arguments."""
        arrays, rest = eqx.partition(self.arguments, eqx.is_inexact_array)
        return lambda arrays, rest: self.levels(eqx.combine(arrays, rest)), (arrays, rest)

    def gradient(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """Value and gradient in every float array, as a function to compile, and its arguments.

        The cotangents are traced and random: of a plain sum XLA may drop work.
        """
        arrays, rest = eqx.partition(self.arguments, eqx.is_inexact_array)

        def value(arrays: PyTree, rest: PyTree, cotangents: list[Array]) -> Array:
            levels = self.levels(eqx.combine(arrays, rest))
            return sum(
                (jnp.sum(x * c) for x, c in zip(levels, cotangents, strict=True)), jnp.zeros((), levels[0].dtype)
            )

        return jax.value_and_grad(value), (arrays, rest, self.cotangents)


def build(case: Case) -> Step:
    """The step of a case.

    Raises:
        ValueError: If the method cannot do the problem.
    """
    problem, dtype = case.problem, np.dtype(case.dtype)
    cotangents = [jnp.asarray(c, dtype) for c in problem.cotangents()]
    if problem.generator == "zero":
        return Step(by_signature(problem, case.method), jnp.asarray(problem.points(), dtype), cotangents)
    readers = {"plain_scan": _by_plain_scan, "diagonal_scan": _by_diagonal_scan}
    read = readers[case.method](problem) if case.method in readers else by_engine(problem, case.method)
    return Step(read, problem.arguments(dtype), cotangents)


def by_engine(problem: Problem, engine: str) -> Read:
    """The levels by one of our engines."""

    def read(arguments: Arguments) -> list[Array]:
        increments, lift, generator, clock = arguments
        levels = states(increments, lift, generator, clock, depth=problem.depth, output=problem.output, engine=engine)
        return _flat(problem, levels)

    return read


def by_signature(problem: Problem, engine: str) -> Read:
    """The plain signature of points, by the public function that a user calls."""
    return lambda points: _flat(problem, signature(points, problem.depth, output=problem.output, engine=engine))


def _flat(problem: Problem, levels: tuple[Array, ...]) -> list[Array]:
    lead = 2 if problem.output == "all" else 1
    return [level.reshape(*level.shape[:lead], -1) for level in levels]


def _by_plain_scan(problem: Problem) -> Read:
    def read(arguments: Arguments) -> list[Array]:
        increments, lift, generator, clock = arguments
        if not isinstance(generator, Rotation):
            raise ValueError(f"plain_scan is written for rotations, {problem.name} has {type(generator).__name__}.")
        # Steps in front: a scan along the first axis takes slices that are whole in memory.
        v = jnp.einsum("md,bsd->sbm", lift, increments.dx, precision=PRECISION)
        every = plain_scan(
            v, clock(increments).T, jnp.asarray(generator.damping), jnp.asarray(generator.frequency),
            problem.depth, problem.nodes,
        )  # fmt: skip
        match problem.output:
            case "terminal":
                return [level[-1] for level in every]
            case "mean":
                return [jnp.mean(level, axis=0) for level in every]
        return [jnp.moveaxis(level, 0, 1) for level in every]

    return read


def _by_diagonal_scan(problem: Problem) -> Read:
    def read(arguments: Arguments) -> list[Array]:
        increments, lift, generator, clock = arguments
        if not isinstance(generator, Rotation) or problem.depth != 1 or problem.output != "all":
            raise ValueError(f"diagonal_scan gives all states of rotations at depth one, not {problem.name}.")
        dtheta = clock(increments)
        u = jnp.moveaxis(increments.dx / dtheta[..., None], 1, 0)
        # A block [[a, -ω], [ω, a]] on (x, y) is a + iω on x + iy.
        modes = diagonal_scan(
            u,
            dtheta.T,
            jax.lax.complex(jnp.asarray(generator.damping), jnp.asarray(generator.frequency)),
            jax.lax.complex(lift[0::2], lift[1::2]),
        )
        pairs = jnp.stack([modes.real, modes.imag], axis=-1)
        return [jnp.moveaxis(pairs.reshape(*pairs.shape[:2], -1), 0, 1)]

    return read
