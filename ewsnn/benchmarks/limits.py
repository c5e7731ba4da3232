"""``python -m ewsnn.benchmarks.limits``: what the machine can do at most, and what a problem needs at least."""

import json
import sys
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.benchmarks import stopwatch
from ewsnn.benchmarks.problems import Problem

SIZE = 2048
WORDS = 1 << 26


def machine_limits(*, quick: bool = False) -> dict[str, float]:
    """Floating-point operations and bytes of a second, in float32.

    Args:
        quick: Whether sizes are small, and nothing is repeated.

    Returns:
        "flops" of the product of two square matrices, and "bytes" read and written by the negation of a large array
        (into fresh memory, as every result of JAX is).
    """
    n, words = (64, 1024) if quick else (SIZE, WORDS)
    a = jax.random.normal(jax.random.key(0), (n, n), jnp.float32)
    x = jnp.zeros(words, jnp.float32)
    product = jax.jit(lambda a: jnp.matmul(a, a, precision=jax.lax.Precision.HIGHEST))
    negate = jax.jit(jnp.negative)
    repeats, budget = (1, 0.0) if quick else (9, 5.0)
    for_product = stopwatch.timed(lambda: jax.block_until_ready(product(a)), repeats, budget=budget)
    for_copy = stopwatch.timed(lambda: jax.block_until_ready(negate(x)), repeats, budget=budget)
    return {"flops": 2 * n**3 / for_product["seconds"], "bytes": 2 * 4 * words / for_copy["seconds"]}


def least_work(problem: Problem, dtype: str, mode: str) -> tuple[float, float]:
    """What any algorithm of this kind does at least.

    Each step adds at least one outer product to the top level; value and gradient are three products of that size.
    Path, clock and lift are read once and, for a gradient, as much is written; so is what is read out.

    Args:
        problem: The problem.
        dtype: Its precision.
        mode: "forward" or "gradient".

    Returns:
        Floating-point operations, and bytes.

    >>> least_work(Problem("one step", 1, 1, 2, 4, 3), "float32", "gradient")
    (384.0, 760.0)
    """
    passes = 3 if mode == "gradient" else 1
    every = problem.batch * problem.steps
    flops = 2.0 * problem.letters**problem.depth * every * passes
    states = every if problem.output == "all" else problem.batch
    read = every * (problem.channels + 1) + problem.channels * problem.letters + states * problem.features
    return flops, float(np.dtype(dtype).itemsize * read * (2 if mode == "gradient" else 1))


def fraction(row: dict[str, Any], limits: dict[str, float]) -> float:
    """The time in which the machine at its limits would do the least work, as a part of the time measured."""
    flops, moved = least_work(Problem(**row["problem"]), row["dtype"], row["mode"])
    return max(flops / limits["flops"], moved / limits["bytes"]) / row["seconds"]


if __name__ == "__main__":
    sys.stdout.write(json.dumps(machine_limits(quick="--quick" in sys.argv)) + "\n")
