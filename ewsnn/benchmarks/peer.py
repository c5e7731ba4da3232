"""``python peer.py LIBRARY …``: the plain signature by another library, in that library's own environment.

There is neither ewsnn nor, for some, JAX, so this file is run by its path and takes its data from a file.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

if not __package__:
    # By its path Python looks in this folder first. Only here: others' imports must not find our modules.
    sys.path.insert(0, str(Path(__file__).parent))
stopwatch: Any = import_module("ewsnn.benchmarks.stopwatch" if __package__ else "stopwatch")
if not __package__:
    del sys.path[0]

Way = Callable[[], Any]


def main() -> None:
    """Measures what the command line says, and prints one line of JSON."""
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=WAYS)
    parser.add_argument("data", help="a file of NumPy: points (batch, length, channels), cotangents (batch, features)")
    parser.add_argument("depth", type=int)
    parser.add_argument("dtype")
    parser.add_argument("mode", choices=["forward", "gradient"])
    parser.add_argument("threads", type=int)
    parser.add_argument("repeats", type=int)
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):  # before any library makes its threads
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.threads])
    with np.load(options.data) as data:
        points, cotangents = (data[name].astype(options.dtype) for name in ("points", "cotangents"))
    found: list[dict[str, Any]] = []
    failed: dict[str, str] = {}
    for name, way in WAYS[options.library](points, cotangents, options.depth, options.mode, options.threads).items():
        base = stopwatch.resident()
        began = perf_counter()
        try:
            result = way()
        except Exception as error:  # another of its ways may do
            failed[name] = f"{type(error).__name__}: {error}".splitlines()[0]
            continue
        first = perf_counter() - began
        timing = stopwatch.timed(way, options.repeats, budget=stopwatch.BUDGET if options.repeats > 1 else 0.0)
        peak = stopwatch.peak()
        found.append(
            {
                "way": name,
                "compile_seconds": max(0.0, first - timing["seconds"]),
                **timing,
                "base_bytes": base,
                "peak_bytes": None if base is None or peak is None else max(0, peak - base),
                "norm": float(np.sqrt(np.sum(np.square(np.asarray(result, np.float64))))),
            }
        )
    # The library is judged by the fastest of its own ways.
    best = min(found, key=lambda row: row["seconds"]) if found else {"failed": "; ".join(failed.values())}
    sys.stdout.write(json.dumps({**best, "failed_ways": failed, "version": version(options.library)}) + "\n")


def _pysiglib(x: np.ndarray, c: np.ndarray, depth: int, mode: str, threads: int) -> dict[str, Way]:
    library = import_module("pysiglib")

    def gradient() -> np.ndarray:
        S = library.sig(x, depth, n_jobs=threads)
        np.vdot(S, c)
        return library.sig_backprop(x, S, c, depth, n_jobs=threads)

    return {"numpy": (lambda: library.sig(x, depth, n_jobs=threads)) if mode == "forward" else gradient}


def _iisignature(x: np.ndarray, c: np.ndarray, depth: int, mode: str, threads: int) -> dict[str, Way]:
    library = import_module("iisignature")
    del threads  # it has one

    def gradient() -> np.ndarray:
        np.vdot(library.sig(x, depth), c)
        return library.sigbackprop(c, x, depth)

    return {"numpy": (lambda: library.sig(x, depth)) if mode == "forward" else gradient}


def _signax(x: np.ndarray, c: np.ndarray, depth: int, mode: str, threads: int) -> dict[str, Way]:
    del threads  # those of the process
    library = import_module("signax")
    return {
        f"num_chunks={chunks}": _by_jax(
            lambda path, chunks=chunks: library.signature(path, depth, num_chunks=chunks), x, c, mode
        )
        for chunks in (1, 8)
        if x.shape[1] > 8 * chunks
    }


def _tensordev(x: np.ndarray, c: np.ndarray, depth: int, mode: str, threads: int) -> dict[str, Way]:
    del threads
    jax: Any = import_module("jax")
    jax.config.update("jax_enable_x64", x.dtype == np.float64)
    library = import_module("tensordev")

    def flat(path: Any) -> Any:
        levels = library.path_signature(path, trunc=depth)
        return jax.numpy.concatenate([level.reshape(x.shape[0], -1) for level in levels[1:]], axis=-1)

    return {"default": _by_jax(flat, x, c, mode)}


def _keras_sig(x: np.ndarray, c: np.ndarray, depth: int, mode: str, threads: int) -> dict[str, Way]:
    del threads
    os.environ["KERAS_BACKEND"] = "jax"
    jax: Any = import_module("jax")
    jax.config.update("jax_enable_x64", x.dtype == np.float64)
    library = import_module("keras_sig")
    return {
        name: _by_jax(lambda path, fused=fused: library.signature(path, depth, gpu_optimized=fused), x, c, mode)
        for name, fused in (("scan", False), ("cumulative sums", True))
    }


def _by_jax(signature: Callable[[Any], Any], x: np.ndarray, c: np.ndarray, mode: str) -> Way:
    """The way to call a JAX library: compiled, the cotangent traced, and waited for."""
    jax: Any = import_module("jax")
    jax.config.update("jax_enable_x64", x.dtype == np.float64)
    path, cotangent = jax.numpy.asarray(x), jax.numpy.asarray(c)
    if mode == "forward":
        forward = jax.jit(signature)
        return lambda: jax.block_until_ready(forward(path))
    gradient = jax.jit(jax.value_and_grad(lambda path, cotangent: jax.numpy.sum(signature(path) * cotangent)))
    return lambda: jax.block_until_ready(gradient(path, cotangent))[1]


WAYS: dict[str, Callable[[np.ndarray, np.ndarray, int, str, int], dict[str, Way]]] = {
    "pysiglib": _pysiglib,
    "signax": _signax,
    "tensordev": _tensordev,
    "keras-sig": _keras_sig,
    "iisignature": _iisignature,
}

if __name__ == "__main__":
    main()
