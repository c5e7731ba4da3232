"""``python -m ewsnn.benchmarks.worker CASE``: measures one case in this fresh process, and prints one line of JSON."""

import argparse
import contextlib
import dataclasses
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import equinox as eqx
import jax
import numpy as np
from jaxtyping import Array, PyTree

from ewsnn.benchmarks import stopwatch
from ewsnn.benchmarks.case import Case
from ewsnn.benchmarks.cases import cases, quick_cases
from ewsnn.benchmarks.step import Step, build, by_engine, by_signature


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures the case that stands on the command line.

    Args:
        arguments: What stands there; None for that of the process.

    Returns:
        0 when the case was measured; 1 when it failed, and the line says why.
    """
    parser = argparse.ArgumentParser(prog="python -m ewsnn.benchmarks.worker", description="Measure one case.")
    parser.add_argument("case", help="its name, such as deep/fine/auto/float32/gradient")
    parser.add_argument("--repeats", type=int, default=9, help="times that the step is repeated, at least (9)")
    parser.add_argument("--quick", action="store_true", help="the case of this name at small sizes, without repeats")
    options = parser.parse_args(arguments)
    every = {case.name: case for case in (quick_cases() if options.quick else cases())}
    if options.case not in every:
        parser.error(f"there is no case {options.case!r}; the names are\n  " + "\n  ".join(every))
    case = every[options.case]
    with contextlib.suppress(OSError):  # if memory runs out it is this process that the system ends, and no other
        Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    try:
        found = measured(case, repeats=1 if options.quick else options.repeats)
    except Exception as error:  # whatever it is, it is the result of this case
        found = {"failed": f"{type(error).__name__}: {error}"}
    sys.stdout.write(json.dumps({**case.as_dict(), **found}) + "\n")
    return int("failed" in found)


def measured(case: Case, repeats: int) -> dict[str, Any]:
    """Compiles a case, repeats it, and judges what it gives.

    Args:
        case: A case of ours, or of an opponent that is ours. The process must be fresh.
        repeats: As for :func:`ewsnn.benchmarks.stopwatch.timed`.

    Returns:
        The seconds to trace and compile, those of a step, bytes of memory (of all, above the idle process with its
        data; of the steps, above what is there with the compiled program; of the buffers that the compiler plans), and
        the largest error of each level of the first path.
    """
    if case.threads is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: case.threads])
    jax.config.update("jax_enable_x64", case.dtype == "float64")
    step = build(case)
    function, arguments = step.forward() if case.mode == "forward" else step.gradient()
    jax.block_until_ready(arguments)
    base = stopwatch.resident()
    began = perf_counter()
    compiled = jax.jit(function).lower(*arguments).compile()
    seconds = perf_counter() - began
    compiling, forgotten = stopwatch.peak(), stopwatch.forget_peak()
    loaded = stopwatch.resident()
    result = jax.block_until_ready(compiled(*arguments))
    timing = stopwatch.timed(
        lambda: jax.block_until_ready(compiled(*arguments)), repeats, budget=stopwatch.BUDGET if repeats > 1 else 0.0
    )
    running = stopwatch.peak() if forgotten else None
    return {
        "compile_seconds": seconds,
        **timing,
        "base_bytes": base,
        "peak_bytes": _above(base, compiling if running is None else max(running, compiling or 0)),
        "step_peak_bytes": _above(loaded, running),
        "buffer_bytes": _buffers(compiled),
        "device_peak_bytes": _on_device(),
        "norm": _norm(result if case.mode == "forward" else jax.tree.leaves(result[1])[0]),
        "level_errors": level_errors(case, step),
    }


def level_errors(case: Case, step: Step) -> list[float]:
    """The error of each level, of the first path, relative to the largest entry of the level.

    Against the sequential engine in float64 on the same binary numbers, which the tables of accuracy judge by balls.
    Call it last: it turns float64 on for the process.
    """
    # Of the whole batch, since engine auto chooses by its size.
    found = [np.asarray(level)[:1] for level in eqx.filter_jit(step.levels)(step.arguments)]
    one = _first_path(step.arguments)
    jax.config.update("jax_enable_x64", True)
    exact = jax.tree.map(lambda x: x.astype(np.float64) if eqx.is_inexact_array(x) else x, one)
    read = by_signature if case.problem.generator == "zero" else by_engine
    truth = eqx.filter_jit(read(dataclasses.replace(case.problem, batch=1), "sequential"))(exact)
    pairs = zip(found, truth, strict=True)
    return [float(np.max(np.abs(np.asarray(x, np.float64) - y)) / np.max(np.abs(y))) for x, y in pairs]


def _first_path(arguments: PyTree) -> PyTree:
    if isinstance(arguments, jax.Array):
        return arguments[:1]
    increments, *rest = arguments
    return (jax.tree.map(lambda leaf: leaf[:1], increments), *rest)


def _norm(arrays: PyTree[Array]) -> float:
    """The Euclidean length of all entries: methods of the same problem must agree in it."""
    squares = [np.sum(np.square(np.asarray(x, np.float64))) for x in jax.tree.leaves(arrays)]
    return float(np.sqrt(np.sum(squares)))


def _above(base: int | None, peak: int | None) -> int | None:
    return None if base is None or peak is None else max(0, peak - base)


def _buffers(compiled: jax.stages.Compiled) -> int | None:
    planned = compiled.memory_analysis()
    return None if planned is None else planned.temp_size_in_bytes + planned.output_size_in_bytes


def _on_device() -> int | None:
    """The most bytes held on an accelerator; None on a CPU, whose memory is that of the process."""
    statistics = jax.devices()[0].memory_stats() or {}
    return statistics.get("peak_bytes_in_use")


if __name__ == "__main__":
    sys.exit(main())
