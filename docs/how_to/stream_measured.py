"""Measure long streams: memory over a million steps, and the growth of round-off in single precision.

python docs/how_to/stream_measured.py memory
python docs/how_to/stream_measured.py error
"""

import sys
import time
from pathlib import Path

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

import ewsnn
from ewsnn import clocks, generators

CHUNK = 1000


def say(line: str) -> None:
    """A line of output, at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def resident() -> float:
    """Memory of this process in MB, as Linux counts it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def memory(steps: int = 1_000_000) -> None:
    """A float32 layer of eight letters at depth three, fed with Unix times, a thousand observations at a time."""
    layer = ewsnn.EWSLayer.init(jax.random.key(0), d=6, m=8, depth=3)
    state = layer.start(t0=1.7e9)
    rng, begun = np.random.default_rng(0), time.perf_counter()
    for done in range(CHUNK, steps + 1, CHUNK):
        values = rng.normal(size=(CHUNK, 6)).astype(np.float32)
        times = 1.7e9 + 0.01 * np.arange(done - CHUNK + 1, done + 1)
        state, levels = layer.observe(state, values, times)
        if done == CHUNK or done % (steps // 5) == 0:
            jax.block_until_ready(levels)
            say(f"{done:>9,} steps  {resident():6.0f} MB  {time.perf_counter() - begun:6.1f} s")
    say(f"state: {sum(leaf.nbytes for leaf in jax.tree.leaves(state)):,} bytes")


def error() -> None:
    """Float32 against float64 on the same numbers, step by step, relative to the largest entry of each level."""
    jax.config.update("jax_enable_x64", True)
    rng = np.random.default_rng(0)
    dx = rng.normal(scale=0.01, size=(100_000, 3)).astype(np.float32)
    lift = rng.normal(size=(4, 3)).astype(np.float32)
    cases = {"Zero": None, "Rotation, damping 0.5": 0.5, "Rotation, damping 0.01": 0.01, "Rotation, undamped": 0.0}
    say(f"{'levels 1 and 2 after':24}" + "".join(f"{steps:>22,}" for steps in (100, 1_000, 10_000, 100_000)))
    for name, damping in cases.items():
        single, double = (_levels(damping, lift.astype(dtype), dx.astype(dtype)) for dtype in (np.float32, np.float64))
        line = f"{name:24}"
        for found, exact in zip(single, double, strict=True):
            errors = (
                np.max(np.abs(a.astype(float) - b)) / np.max(np.abs(b)) for a, b in zip(found, exact, strict=True)
            )
            line += "".join(f"{value:11.1e}" for value in errors)
        say(line)


def _levels(damping: float | None, lift: np.ndarray, dx: np.ndarray) -> list[tuple[np.ndarray, ...]]:
    frequency = np.array([3.0, 0.7], np.float32).astype(lift.dtype)
    rates = np.full(2, damping or 0, np.float32).astype(lift.dtype)
    generator = generators.Zero(4) if damping is None else generators.Rotation(rates, frequency)
    layer = ewsnn.EWSLayer(lift, generator, clocks.Time(), 2)
    dt = np.full(len(dx), 0.1, np.float32).astype(lift.dtype)
    go = eqx.filter_jit(
        lambda state, dx, dt: jax.lax.scan(lambda state, now: (layer.step(state, *now)[0], None), state, (dx, dt))[0]
    )
    state, found, start = layer.start(), [], 0
    for stop in (100, 1_000, 10_000, 100_000):
        state = go(state, jnp.asarray(dx[start:stop]), jnp.asarray(dt[start:stop]))
        found.append(tuple(np.asarray(level) for level in state.levels))
        start = stop
    return found


if __name__ == "__main__":
    {"memory": memory, "error": error}[sys.argv[1]]()
