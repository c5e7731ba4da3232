"""``python -m ewsnn.benchmarks.accuracy CHECK``: errors of the engines against balls, as one line of JSON.

Parameters and paths are numbers of single precision, so that the very same ones are judged in both precisions. An error
is relative to the largest entry that the level takes over the piece or along the path.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.arrays import Levels
from ewsnn.benchmarks import table8
from ewsnn.clocks import Given
from ewsnn.generators import (
    AbstractGenerator,
    ComplexJordan,
    Dense,
    Diagonal,
    DirectSum,
    Jordan,
    Rotation,
    Skew,
    Zero,
)
from ewsnn.layers import EWSLayer
from ewsnn.oracle import exact_stream, level_errors, relative_error
from ewsnn.paths import Increments

Row = dict[str, Any]
Draw = Callable[[np.random.Generator, int], AbstractGenerator]

ENGINES = ("sequential", "chunked")
DTYPES = ("float32", "float64")
SIZES = (1e-3, 0.3, 1.0, 3.0, 15.0, 50.0)
"""‖rA‖₂ of the single steps."""
LENGTHS = (100, 1_000, 10_000, 20_000)


def _rates(rng: np.random.Generator, k: int) -> np.ndarray:
    return rng.uniform(0.1, 1, k).astype(np.float32)


def _frequencies(rng: np.random.Generator, k: int) -> np.ndarray:
    return rng.uniform(-3, 3, k).astype(np.float32)


FAMILIES: dict[str, Draw] = {
    "zero": lambda rng, m: Zero(m),
    "diagonal": lambda rng, m: Diagonal(_rates(rng, m)),
    "rotation": lambda rng, m: Rotation(_rates(rng, m // 2), _frequencies(rng, m // 2)),
    "undamped": lambda rng, m: Rotation(None, _frequencies(rng, m // 2)),
    "jordan": lambda rng, m: Jordan(_rates(rng, 1)[0], m),
    "complex-jordan": lambda rng, m: ComplexJordan(_rates(rng, 1)[0], _frequencies(rng, 1)[0], m // 2),
    "skew": lambda rng, m: Skew(rng.normal(size=m * (m - 1) // 2).astype(np.float32)),
    # Eigenvalues to the right of zero, and far from normal.
    "dense": lambda rng, m: Dense((rng.normal(size=(m, m)) / 2 + 1.5 * np.eye(m)).astype(np.float32)),
    "direct-sum": lambda rng, m: DirectSum(
        Rotation(_rates(rng, m // 4), _frequencies(rng, m // 4)), Jordan(_rates(rng, 1)[0], m // 2)
    ),
}
SEQUENCES = {"rotation": (2, 3), "skew": (3, 2), "jordan": (2, 3)}
"""Families of the whole sequences, with width and depth: small enough for balls at 20 000 knots."""


def checks() -> tuple[str, ...]:
    """The names of all checks."""
    return (
        *(f"local/{family}" for family in FAMILIES),
        *(f"sequence/{family}" for family in SEQUENCES),
        *(f"table8/{name}" for name in table8.ROWS),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the check that stands on the command line.

    Args:
        arguments: What stands there; None for that of the process.
    """
    parser = argparse.ArgumentParser(prog="python -m ewsnn.benchmarks.accuracy", description="Judge by balls.")
    parser.add_argument("check", choices=checks())
    parser.add_argument("--quick", action="store_true", help="small sizes")
    parser.add_argument("--data", type=Path, help="folder with MotorImagery, for its row of Table 8")
    options = parser.parse_args(arguments)
    kind, _, name = options.check.partition("/")
    try:
        match kind:
            case "local":
                rows = local_errors(name, draws=1 if options.quick else 3, sizes=SIZES[1:2] if options.quick else SIZES)
            case "sequence":
                rows = sequence_errors(name, LENGTHS[:1] if options.quick else LENGTHS)
            case _:
                rows = table8.errors(name, options.data, quick=options.quick)
        told = {"rows": rows}
    except Exception as error:  # whatever it is, it is the result of this check
        told = {"failed": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps({"name": options.check, **told}) + "\n")


def local_errors(family: str, *, draws: int, sizes: Sequence[float], m: int = 4, depth: int = 4) -> list[Row]:
    """Errors of single steps.

    Args:
        family: One of ``FAMILIES``.
        draws: Number of generators.
        sizes: ‖rA‖₂ of the steps.
        m: The width.
        depth: The truncation depth.

    Returns:
        A row for each engine, precision and size: the largest error of each level over the draws.
    """
    found: dict[tuple[str, str, float], list[tuple[list[float], float]]] = {}
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        generator = FAMILIES[family](rng, m)
        A = np.asarray(generator.matrix(), np.float64)
        norm = float(np.linalg.norm(A, 2)) or 1.0
        v = rng.normal(size=(1, m)).astype(np.float32)
        condition = float(np.linalg.cond(np.linalg.eig(A)[1])) if family == "dense" else 1.0
        for size in sizes:
            # Alone: beside a larger step a small one is cut as finely.
            step = _path(v, np.full(1, size / norm, np.float32))
            truth = exact_stream(_layer(generator, depth), step)[-1]
            ratios = _end_over_largest(generator, step, depth)
            for engine in ENGINES:
                for dtype in DTYPES:
                    levels = _computed(generator, step, depth, dtype, engine, "terminal")
                    errors = [
                        relative_error(level, truth.level(n)) * ratios[n - 1] for n, level in enumerate(levels, start=1)
                    ]
                    found.setdefault((engine, dtype, size), []).append((errors, condition))
    return [
        {
            "kind": "local",
            "family": family,
            "engine": engine,
            "dtype": dtype,
            "size": size,
            "errors": np.max([errors for errors, _ in each], axis=0).tolist(),
            "condition": max(condition for _, condition in each),
            "bar": _local_bar(dtype, size) * min(condition for _, condition in each),
        }
        for (engine, dtype, size), each in found.items()
    ]


def sequence_errors(family: str, lengths: Sequence[int]) -> list[Row]:
    """Errors of whole paths.

    Args:
        family: One of ``SEQUENCES``.
        lengths: Numbers of steps, the largest last.

    Returns:
        A row for each engine, precision, length and output ("terminal", or "all" for every knot).
    """
    m, depth = SEQUENCES[family]
    rng = np.random.default_rng(0)
    generator = FAMILIES[family](rng, m)
    steps = lengths[-1]
    whole = _path((rng.normal(size=(steps, m)) / 32).astype(np.float32), np.full(steps, 1 / 64, np.float32))
    # Balls of vectors widen with every product by a matrix: by a digit in a hundred steps or so.
    truth = exact_stream(_layer(generator, depth), whole, prec=128 + steps // 24)[1:]
    every = _computed(generator, whole, depth, "float64", "sequential", "all")
    reference = [np.abs(x).reshape(steps, -1).max(axis=1) for x in every]
    rows = []
    for engine in ENGINES:
        for dtype in DTYPES:
            every = _computed(generator, whole, depth, dtype, engine, "all")
            for length in lengths:
                cut = jax.tree.map(lambda leaf, length=length: leaf[:length], whole)
                last = _computed(generator, cut, depth, dtype, engine, "terminal")
                at_end = [
                    relative_error(level, truth[length - 1].level(n)) * size[length - 1] / size[:length].max()
                    for n, (level, size) in enumerate(zip(last, reference, strict=True), start=1)
                ]
                anywhere = level_errors(tuple(x[:length] for x in every), truth[:length])[0]
                bar = 50 * float(np.finfo(dtype).eps) * length**0.5
                for output, errors in (("terminal", at_end), ("all", anywhere)):
                    rows.append(
                        {
                            "kind": "sequence",
                            "family": family,
                            "engine": engine,
                            "dtype": dtype,
                            "steps": length,
                            "output": output,
                            "errors": list(errors),
                            "bar": bar,
                        }
                    )
    return rows


def _local_bar(dtype: str, size: float) -> float:
    if dtype == "float32":
        return 2e-6
    return 1e-13 if size <= 1 else 1e-12


def _path(dx: np.ndarray, elapsed: np.ndarray) -> Increments:
    return Increments.integral(dx).with_elapsed(elapsed)


def _layer(generator: AbstractGenerator, depth: int) -> EWSLayer:
    return EWSLayer(np.eye(generator.size, dtype=np.float32), generator, Given(), depth)


@eqx.filter_jit
def _states(layer: EWSLayer, path: Increments, output: str, engine: str) -> Levels:
    return layer(path, output=output, engine=engine)


def _computed(
    generator: AbstractGenerator, path: Increments, depth: int, dtype: str, engine: str, output: str
) -> tuple[Any, ...]:
    """The levels in a precision, as NumPy's: single precision without, double with JAX's x64 flag, as a user has it."""
    with jax.enable_x64(dtype == "float64"):
        layer, path = _cast((_layer(generator, depth), path), dtype)
        return tuple(np.asarray(level) for level in _states(layer, path, output, engine))


def _cast(tree: Any, dtype: str) -> Any:
    return jax.tree.map(lambda x: jnp.asarray(x, dtype) if eqx.is_inexact_array(x) else x, tree)


def _end_over_largest(generator: AbstractGenerator, step: Increments, depth: int, parts: int = 64) -> list[float]:
    """For each level of one step: the largest entry at its end, over the largest that the level takes on the way.

    In floats: the way is cut into equal parts, which changes no digit of what the step is.
    """
    with jax.enable_x64(True):
        fine = _path(
            np.repeat(np.asarray(step.dx, np.float64) / parts, parts, axis=0),
            np.repeat(np.asarray(step.elapsed, np.float64) / parts, parts),
        )
    levels = _computed(generator, fine, depth, "float64", "sequential", "all")
    sizes = [np.abs(x).reshape(parts, -1).max(axis=1) for x in levels]
    return [float(size[-1] / size.max()) for size in sizes]


if __name__ == "__main__":
    main()
