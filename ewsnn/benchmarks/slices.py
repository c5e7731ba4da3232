"""``python -m ewsnn.benchmarks.slices``: what SLiCEs take in time and memory, beside recurrences written by hand.

Value and gradient of ⟨mean state, c⟩ in the parameters and the path, in float32, each case in a fresh process. The
shape is that of EigenWorms, of which the authors of SLiCE report times: 7 channels, 17 984 observations, batch 4,
h = 128.
"""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array

from ewsnn.benchmarks import provenance, report, stopwatch
from ewsnn.benchmarks.collect import answer
from ewsnn.benchmarks.opponents.block_scan import block_scan
from ewsnn.benchmarks.opponents.dense_hadamard import dense_hadamard
from ewsnn.paths import Increments
from ewsnn.slices import BD, DDE, DE, DPLR, WH, AbstractStructure, D, LogODE, S, SLiCELayer
from ewsnn.slices.brackets import brackets

BATCH, OBSERVATIONS, CHANNELS, SIZE = 4, 17984, 7, 128
STRUCTURES: dict[str, Callable[[Array, int, int], AbstractStructure]] = {
    "D": D.init,
    "BD": BD.init,
    "DDE": DDE.init,
    "DE": DE.init,
    "WH": WH.init,
    "DPLR": DPLR.init,
    "S": S.init,
}
TABLE = tuple(
    f"{name}/{mode}/{samples}" for samples in (1, 12) for mode in ("recurrent", "chunked") for name in STRUCTURES
)
OTHERS = (
    "BD/full/1",
    "BD/recurrent/1/exact",
    "BD/recurrent/12/exact",
    "block_scan",
    "WH/1024",
    "dense_hadamard/1024",
    "brackets/together",
    "brackets/one by one",
)
LIMIT = 600.0
"""Seconds after which a case is stopped, and has failed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures all cases, or the one that is named.

    Args:
        arguments: What stands on the command line; None for that of the process.

    Returns:
        0, or 1 if a case failed.
    """
    parser = argparse.ArgumentParser(prog="python -m ewsnn.benchmarks.slices", description=__doc__)
    parser.add_argument(
        "--case", choices=(*TABLE, *OTHERS), help="measure it in this process, and print a line of JSON"
    )
    parser.add_argument("--repeats", type=int, default=5, help="times that a step is repeated, at least (5)")
    parser.add_argument("--quick", action="store_true", help="forty steps: a check that all runs, no measurement")
    parser.add_argument("--json", type=Path, help="also write the rows to a file")
    parser.add_argument("--allow-dirty", action="store_true", help="write rows of code that is not committed")
    options = parser.parse_args(arguments)
    if options.case is not None:
        found = measured(options.case, 1 if options.quick else options.repeats, 40 if options.quick else OBSERVATIONS)
        sys.stdout.write(json.dumps(found) + "\n")
        return 0
    if options.json is not None:
        report.check_clean(allow_dirty=options.allow_dirty)
    rows = []
    for case in (*TABLE, *OTHERS):
        command = [sys.executable, "-m", "ewsnn.benchmarks.slices", "--case", case, "--repeats", str(options.repeats)]
        rows.append({"case": case, **answer([*command, "--quick"] if options.quick else command, LIMIT)})
        sys.stdout.write(json.dumps(rows[-1]) + "\n")
        sys.stdout.flush()
    origin = {**provenance.commit(), "versions": provenance.versions(), "device": provenance.device()}
    if options.json is not None:
        report.write({"quick": options.quick, **origin, "rows": rows, "accuracy": []}, options.json)
    return int(any("failed" in row for row in rows))


def measured(case: str, repeats: int, observations: int) -> dict[str, Any]:
    """The seconds and bytes of one case. The process must be fresh.

    Args:
        case: Its name.
        repeats: As for :func:`ewsnn.benchmarks.stopwatch.timed`.
        observations: The length of the paths.
    """
    function, inputs = build(case, observations)
    arrays, rest = eqx.partition(inputs, eqx.is_inexact_array)
    jax.block_until_ready(arrays)
    base, began = stopwatch.resident(), perf_counter()
    compiled = jax.jit(lambda arrays: function(arrays, rest)).lower(arrays).compile()
    seconds = perf_counter() - began
    stopwatch.forget_peak()
    timing = stopwatch.timed(lambda: jax.block_until_ready(compiled(arrays)), repeats)
    value = jax.tree.leaves(compiled(arrays))[0]
    peak = stopwatch.peak()
    above = None if base is None or peak is None else max(0, peak - base)
    return {"compile_seconds": seconds, **timing, "peak_bytes": above, "norm": float(np.linalg.norm(value))}


def build(case: str, observations: int) -> tuple[Callable[..., Any], Any]:
    """The function that a case times, of arrays and of what is none, and its arguments.

    Args:
        case: Its name.
        observations: The length of the paths.
    """
    name, *words = case.split("/")
    key, rng = jax.random.key(0), np.random.default_rng(0)
    if name == "brackets":
        A = BD.init(key, 62, 16, block=4).blocks
        how = _one_by_one if words == ["one by one"] else lambda A: brackets(A, 2)
        return lambda A, rest: how(A), A
    size = 1024 if words == ["1024"] else SIZE
    length = min(observations, 1001) if size > SIZE else observations
    walk = np.cumsum(rng.normal(size=(BATCH, length, CHANNELS)) / np.sqrt(length), axis=1)
    path = Increments.from_values(walk.astype(np.float32))
    weights = jnp.asarray(rng.normal(size=(BATCH, size)), np.float32)
    if name in ("block_scan", "dense_hadamard"):
        layer = SLiCELayer.init(
            key, BD.init(key, CHANNELS, size) if name == "block_scan" else WH.init(key, CHANNELS, size)
        )
        by_hand = _by_block_scan if name == "block_scan" else _by_dense_hadamard
        return _gradient(by_hand), (_single(layer), path, weights)
    mode, samples, *flow = words if size == SIZE else ["recurrent", "1"]
    structure = STRUCTURES[name](key, CHANNELS, size)
    if samples != "1":
        structure = LogODE(structure, depth=1 if name == "D" else 2, samples=int(samples))
    layer = SLiCELayer.init(key, structure, flow="exact" if flow else "first-order")
    return _gradient(lambda layer, path: layer(path, output="mean", mode=mode)), (_single(layer), path, weights)


def _single(layer: SLiCELayer) -> SLiCELayer:
    return jax.tree.map(lambda leaf: leaf.astype(np.float32) if eqx.is_inexact_array(leaf) else leaf, layer)


def _gradient(mean: Callable[[SLiCELayer, Increments], Array]) -> Callable[..., Any]:
    def value(arrays: Any, rest: Any) -> Array:
        layer, path, weights = eqx.combine(arrays, rest)
        return jnp.sum(mean(layer, path) * weights)

    return jax.value_and_grad(value)


def _mean(start: Array, states: Array) -> Array:
    return (start + jnp.sum(states, axis=1)) / (states.shape[1] + 1)


def _by_block_scan(layer: SLiCELayer, path: Increments) -> Array:
    start, structure = layer.begin(path), layer.structure
    if not isinstance(structure, BD):
        raise TypeError(f"block_scan is of BD, got {type(structure).__name__}.")
    return _mean(start, block_scan(structure.blocks, path.dx, start))


def _by_dense_hadamard(layer: SLiCELayer, path: Increments) -> Array:
    start, structure = layer.begin(path), layer.structure
    if not isinstance(structure, WH):
        raise TypeError(f"dense_hadamard is of WH, got {type(structure).__name__}.")
    return _mean(start, dense_hadamard(jnp.tanh(structure.raw), path.dx, start))


def _one_by_one(A: Array) -> Array:
    pairs = [(i, j) for i in range(len(A)) for j in range(i + 1, len(A))]
    return jnp.concatenate([A, jnp.stack([A[j] @ A[i] - A[i] @ A[j] for i, j in pairs])])


if __name__ == "__main__":
    sys.exit(main())
