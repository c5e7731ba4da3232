"""Run by test_sharded.py in processes of its own: computes on many devices and on one, and prints the errors as JSON.

``sharded_worker.py devices`` wants eight devices of one process; ``sharded_worker.py process ID PORT`` is one of two
processes with two devices each.
"""

import json
import re
import sys
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import multihost_utils
from jax.sharding import Mesh, PartitionSpec

sys.path.insert(0, str(Path(__file__).parents[2]))

from conftest import GENERATORS  # pyright: ignore[reportAttributeAccessIssue]
from ewsnn import generators
from ewsnn.clocks import AbstractClock, Gated, Time
from ewsnn.engine import Segment, scan_sequential, states
from ewsnn.engine.layout import Layout
from ewsnn.engine.scan import continued, prefixes
from ewsnn.engine.sharded import sharded_states, start, terminal
from ewsnn.paths import Increments

OUTPUTS = ("terminal", "mean", "all")
DEPTH = 2


def problem() -> tuple:
    """Four paths of 13 steps at most (no multiple of any number of spans) with all that can be learned."""
    rng = np.random.default_rng(0)
    path = np.cumsum(rng.normal(size=(4, 14, 3)), axis=1)
    return (
        Increments.from_values(path, lengths=[14, 9, 5, 1]),
        jnp.asarray(rng.normal(size=(4, 3))),
        # Its programs compile fastest; the joins are asked of every family.
        generators.Diagonal([0.3, 0.1, -0.1, 0.6]),
        Gated(rng.normal(size=3), 0.5),
    )


def fetched(tree):
    """The arrays of all devices, on this process."""

    def fetch(leaf: jax.Array | np.ndarray) -> np.ndarray:
        elsewhere = isinstance(leaf, jax.Array) and not (leaf.is_fully_addressable or leaf.is_fully_replicated)
        return np.asarray(multihost_utils.process_allgather(leaf, tiled=True) if elsewhere else leaf)

    return jax.tree.map(fetch, tree)


def worst(found, expected) -> float:
    """The largest error relative to the largest entry of its array."""
    pairs = zip(jax.tree.leaves(fetched(found)), jax.tree.leaves(fetched(expected)), strict=True)
    return max(float(np.max(np.abs(a - b)) / max(np.max(np.abs(b)), 1e-300)) for a, b in pairs)


def pullback(run):
    """What ``run`` returns, and the gradient in all its arguments for given cotangents, as one compiled program."""

    def value_and_gradient(arguments, cotangents):
        arrays, static = eqx.partition(arguments, eqx.is_inexact_array)
        found, back = jax.vjp(lambda arrays: run(*eqx.combine(arrays, static)), arrays)
        return found, back(cotangents)[0]

    return eqx.filter_jit(value_and_gradient)


def one_device(arguments: tuple) -> dict:
    """For each output, cotangents, states and gradients of one device: all from the states everywhere."""
    run = pullback(lambda *given: states(*given, depth=DEPTH, output="all"))
    rng, valid = np.random.default_rng(2), np.asarray(arguments[0].valid)
    weights = {
        "terminal": np.broadcast_to(np.arange(valid.shape[-1]) == valid.shape[-1] - 1, valid.shape).astype(float),
        "mean": valid / np.maximum(valid.sum(-1, keepdims=True), 1),
    }
    found = {}
    for output in OUTPUTS:
        shape = valid.shape if output == "all" else valid.shape[:1]
        given = [rng.normal(size=(*shape, *n * (4,))) for n in range(1, DEPTH + 1)]
        spread = given
        if output != "all":
            spread = [np.einsum("bj,b...->bj...", weights[output], level) for level in given]
        everywhere, gradient = fetched(run(arguments, tuple(map(jnp.asarray, spread))))
        value = everywhere if output == "all" else [np.einsum("bj,bj...->b...", weights[output], x) for x in everywhere]
        found[output] = (tuple(given), tuple(value), gradient)
    return found


def sharded(layout: Layout, output: str):
    """The engine under test, as a function of what can be learned."""
    return lambda *given: sharded_states(*given, depth=DEPTH, layout=layout, output=output)


def joins(layouts: dict[str, Layout]) -> dict:
    """Errors of the joins for every family: steps with random levels, spans joined over each of the meshes.

    The families stand side by side, four letters each, so that one program asks all of them.
    """
    rng, width = np.random.default_rng(1), 4
    together = generators.DirectSum(*(case.fast(case.arguments(0, width)) for case in GENERATORS))
    levels = tuple(jnp.asarray(rng.normal(size=(4, 8, *n * (together.size,)))) for n in (1, 2))
    steps = Segment(jax.jit(lambda r: together.propagator(r))(jnp.asarray(rng.uniform(0, 1, (4, 8)))), levels)

    def on_one_device(steps: Segment):
        own, propagators = scan_sequential(steps), prefixes(steps.propagator, 1)
        total = jax.tree.map(lambda leaf: leaf[:, -1], Segment(propagators, own))
        return terminal(total, "time"), continued(start(total, "time"), propagators, own)

    def many(layout: Layout):
        everywhere = PartitionSpec(layout.batch_axis, layout.time_axis)
        return jax.shard_map(
            on_one_device,
            mesh=layout.mesh,
            in_specs=everywhere,
            out_specs=(layout.of_paths, everywhere),
            check_vma=False,
        )

    expected = jax.jit(scan_sequential)(steps)
    expected = tuple(level[:, -1] for level in expected), expected

    def own(k: int, everything):
        """The letters of family number k."""
        if isinstance(everything, tuple):
            return tuple(own(k, part) for part in everything)
        letters, levels = slice(width * k, width * (k + 1)), everything.shape.count(together.size)
        return everything[(..., *levels * (letters,))]

    errors = {}
    for name, layout in layouts.items():
        found = jax.jit(many(layout))(steps)
        errors[name] = {str(case): worst(own(k, found), own(k, expected)) for k, case in enumerate(GENERATORS)}
    return errors


class Longest(AbstractClock):
    """A causal clock that is no function of the step alone: the longest step so far."""

    def increment(self, increments: Increments):
        """The running maximum of the lengths."""
        return jax.lax.cummax(jnp.linalg.norm(increments.dx, axis=-1), axis=increments.dt.ndim - 1)


def largest(compiled) -> int:
    """The entries of the largest array in the program of one device."""
    shapes = re.findall(r"\b(?:f64|f32|s32|pred)\[([\d,]*)\]", compiled.as_text())
    return max(int(np.prod([int(k) for k in shape.split(",") if k])) for shape in shapes)


def received(compiled) -> int:
    """The entries that one device receives, its own among them."""
    lines = re.findall(
        r"= (.*) (?:all-gather|all-reduce|collective-permute|all-to-all)(?:-start)?\(", compiled.as_text()
    )
    shapes = [shape for line in lines for shape in re.findall(r"f64\[([\d,]*)\]", line)]
    return sum(int(np.prod([int(k) for k in shape.split(",") if k])) for shape in shapes)


def costs(steps: int, output: str) -> dict:
    """What one of eight devices holds and receives, for one path of width 16."""
    layout = Layout(jax.make_mesh((8,), ("time",)), batch_axis=None)
    generator, lift = generators.Diagonal(np.linspace(0.1, 1, 16)), jnp.ones((16, 2))

    def run(dx):
        increments = Increments(dx, jnp.ones(dx.shape[:1]), jnp.ones(dx.shape[:1], bool))
        return sharded_states(increments, lift, generator, Time(), depth=2, layout=layout, output=output)

    compiled = jax.jit(run).lower(jnp.ones((steps, 2))).compile()
    memory: Any = compiled.memory_analysis()
    return {
        "largest": largest(compiled),
        "received": received(compiled),
        "temporary": memory.temp_size_in_bytes,
        "output": memory.output_size_in_bytes,
    }


def devices() -> dict:
    """All that is asked of eight devices in one process."""
    meshes = {
        "8": jax.make_mesh((8,), ("time",)),
        "4x2": jax.make_mesh((4, 2), ("batch", "time")),
        "2x4": jax.make_mesh((2, 4), ("batch", "time")),
    }
    layouts = {name: Layout(mesh, None if name == "8" else "batch") for name, mesh in meshes.items()}
    given = problem()
    expected = one_device(given)
    engines = {}
    for output, name in (("terminal", "8"), ("mean", "4x2"), ("all", "2x4")):
        cotangents, value, gradient = expected[output]
        found = pullback(sharded(layouts[name], output))(given, tuple(map(jnp.asarray, cotangents)))
        engines[f"{output} {name}"] = [worst(found[0], value), worst(found[1], gradient)]
    for output, layout, name in (
        ("all", layouts["8"], "all 8"),
        ("terminal", layouts["2x4"], "terminal 2x4"),
        ("mean", Layout(jax.make_mesh((4, 2), ("batch", "spare")), time_axis=None), "mean 4 batch only"),
        ("mean", Layout(jax.make_mesh((2, 4), ("other", "time")), batch_axis=None), "mean 4 time only"),
    ):
        engines[name] = [worst(sharded(layout, output)(*given), expected[output][1])]
    increments, lift, generator, _ = given
    causal = (increments, lift, generator, Longest())
    exact = jax.jit(lambda: states(*causal, depth=DEPTH))()
    engines["causal clock"] = [worst(sharded(layouts["2x4"], "terminal")(*causal), exact)]
    still = (increments, lift, generators.Zero(4), Time())
    exact = jax.jit(lambda: states(*still, depth=DEPTH))()
    engines["signature"] = [worst(sharded(layouts["2x4"], "terminal")(*still), exact)]
    placed = layouts["2x4"].place(increments)
    even: Any = sharded(layouts["2x4"], "all")(placed, lift, generator, Time())
    return {
        "joins": joins(layouts),
        "engines": engines,
        "even": [list(map(str, even[1].sharding.spec)), list(even[1].shape)],
        "shard": list(placed.dx.addressable_shards[0].data.shape),
        "costs": {
            f"{output} {steps}": costs(steps, output)
            for output, steps in (("all", 64), ("all", 63), ("terminal", 64), ("terminal", 128), ("mean", 64))
        },
    }


def process(index: int, port: int) -> dict:
    """One of two processes: their devices as a mesh whose time axis crosses from one to the other."""
    jax.distributed.initialize(f"localhost:{port}", 2, index, initialization_timeout=60)
    across = np.array(jax.devices()).reshape(2, 2).T
    layout = Layout(Mesh(across, ("batch", "time")))
    given = problem()
    expected = one_device(given)
    found: dict[str, Any] = {"devices": len(jax.devices()), "local": len(jax.local_devices())}
    for output in ("terminal", "all"):
        found[output] = [worst(sharded(layout, output)(*given), expected[output][1])]
    cotangents, value, gradient = expected["mean"]
    states_, gradients = pullback(sharded(layout, "mean"))(given, tuple(map(jnp.asarray, cotangents)))
    found["mean"] = [worst(states_, value), worst(gradients, gradient)]
    multihost_utils.sync_global_devices("done")
    jax.distributed.shutdown()
    return found


if __name__ == "__main__":
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_numpy_rank_promotion", "raise")
    jax.config.update("jax_numpy_dtype_promotion", "strict")
    result = devices() if sys.argv[1] == "devices" else process(int(sys.argv[2]), int(sys.argv[3]))
    # On a line of its own: the transport between processes prints to the same place.
    sys.stdout.write(f"\n{json.dumps(result)}\n")
