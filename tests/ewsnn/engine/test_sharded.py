"""Many devices. Oracle: the same engine on one device, in states and in gradients.

Devices must be asked for before JAX starts, so everything is computed by sharded_worker.py in processes of its own.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax.sharding import Mesh

from ewsnn import EWSLayer, Increments, Sharded
from ewsnn.clocks import Time
from ewsnn.engine import Layout, sharded_states, states
from ewsnn.generators import Diagonal

WORKER = Path(__file__).with_name("sharded_worker.py")
ROOT = Path(__file__).parents[3]
EPS = np.finfo(float).eps
# A state is a sum over at most 16 steps, each carried on by the flow and a product of depth two: a few roundings a
# step. On one device and on many they come in another order. Measured: at most 4 eps in all, for states and gradients.
TOLERANCE = 4 * EPS * 16
SECONDS = 600


def worker(devices: int, *arguments: str) -> subprocess.Popen:
    """The worker, started with that many devices and with compilation at its cheapest."""
    flags = f"--xla_force_host_platform_device_count={devices} --xla_backend_optimization_level=0"
    environment = {**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu", "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, str(WORKER), *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def results(*running: subprocess.Popen) -> list[dict]:
    """What the workers print; if one fails, all are stopped."""
    try:
        texts = [one.communicate(timeout=SECONDS) for one in running]
    finally:
        for one in running:
            one.kill()
            one.wait()
    for one, (_, errors) in zip(running, texts, strict=True):
        assert one.returncode == 0, errors
    return [json.loads(text.strip().splitlines()[-1]) for text, _ in texts]


@pytest.fixture(scope="module")
def found() -> dict:
    """What eight devices of one process found."""
    return results(worker(8, "devices"))[0]


@pytest.mark.parametrize("mesh", ["8", "4x2", "2x4"])
def test_spans_of_every_family_are_joined_to_the_states_of_one_device(found, generator_case, mesh):
    # Terminal and everywhere.
    assert found["joins"][mesh][str(generator_case)] <= TOLERANCE


@pytest.mark.parametrize("case", ["terminal 8", "mean 4x2", "all 2x4"])
def test_many_devices_give_the_states_and_gradients_of_one(found, case):
    # Gradients in path, lift, generator and learned clock; four paths of unequal lengths, padded on every mesh.
    states_off, gradients_off = found["engines"][case]
    assert states_off <= TOLERANCE
    assert gradients_off <= TOLERANCE


@pytest.mark.parametrize(
    "case", ["all 8", "terminal 2x4", "mean 4 batch only", "mean 4 time only", "causal clock", "signature"]
)
def test_states_do_not_depend_on_the_layout(found, case):
    assert found["engines"][case] <= [TOLERANCE]


def test_each_device_has_its_span_of_its_paths(found):
    # Two of four paths, four of the sixteen steps that thirteen are padded to; and so lie the states.
    assert found["shard"] == [2, 4, 3]
    assert found["even"] == [["batch", "time"], [4, 16, 4, 4]]


def test_no_device_holds_the_states_of_a_whole_path(found):
    # The largest array in the program of a device, at width 16 and depth 2, is level 2 at the starts of all spans and
    # at the end; level 2 of its own 8 steps, and level 1 at their 15 nodes, are a little less.
    starts, whole = (8 + 1) * 16 * 16, 64 * 16 * 16
    for case in ("terminal 64", "mean 64", "all 64"):
        assert found["costs"][case]["largest"] <= starts
    assert found["costs"]["all 64"]["output"] - 8 * 8 * (16 + 256) < 64  # some pointers
    # 63 steps of 8 spans are not even: JAX copies the answer to every device, and the measure sees it.
    assert found["costs"]["all 63"]["largest"] >= whole


def test_what_is_sent_does_not_depend_on_the_length(found):
    # From each of the spans one propagator and one state; for a mean the sum over the devices too.
    propagator, state, spans = 16, 16 + 256, 8
    received = {case: costs["received"] for case, costs in found["costs"].items()}
    assert received["terminal 64"] == received["terminal 128"] == spans * (propagator + state)
    assert received["all 64"] == spans * (propagator + state)
    assert received["mean 64"] == spans * (propagator + state) + state


def test_two_processes_give_the_states_and_gradients_of_one_device():
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = str(free.getsockname()[1])
    for found in results(*(worker(2, "process", index, port) for index in ("0", "1"))):
        assert (found["devices"], found["local"]) == (4, 2)
        for output in ("terminal", "mean", "all"):
            assert max(found[output]) <= TOLERANCE


def mesh(*names: str) -> Mesh:
    return jax.make_mesh(len(names) * (1,), names)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (((1, 1), "batch", "time"), TypeError, "Mesh"),  # in tests the annotation says it first
        ((mesh("time"),), ValueError, r"axes \('time',\) and no axis 'batch'.*None for what is not cut"),
        ((mesh("batch", "time"), "batch", "steps"), ValueError, "no axis 'steps'"),
        ((mesh("batch", "time"), "time", "time"), ValueError, "two axes of the mesh.*'time' and 'time'"),
        ((mesh("batch", "time"), None, None), ValueError, "None and None"),
    ],
)
def test_layouts_that_are_none_are_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        Layout(*arguments)


def test_one_path_has_no_batch_to_spread():
    with pytest.raises(ValueError, match=r"without a batch axis.*'batch'.*batch_axis=None"):
        Layout(mesh("batch", "time")).place(Increments.from_values(np.ones((3, 1))))


def test_a_mesh_of_explicit_axes_in_the_context_is_refused():
    with jax.set_mesh(mesh("batch", "time")), pytest.raises(ValueError, match=r"Explicit.*AxisType\.Auto"):
        Layout(mesh("batch", "time")).place(Increments.from_values(np.ones((1, 3, 1))))


def test_unknown_options_are_refused():
    increments = Increments.from_values(np.ones((1, 3, 1)))
    given = (increments, jnp.ones((1, 1)), Diagonal([1.0]), Time())
    with pytest.raises(ValueError, match=r"output must be .*got 'last'"):
        sharded_states(*given, depth=1, layout=Layout(mesh("batch", "time")), output="last")
    with pytest.raises(ValueError, match=r"engine must be .*got 'fast'"):
        sharded_states(*given, depth=1, layout=Layout(mesh("batch", "time")), engine="fast")


@pytest.mark.parametrize("output", ["mean", "all"])
def test_a_path_without_steps_stands_still(output):
    increments = Increments.from_values(np.ones((1, 1, 1)))
    given = (increments, jnp.ones((1, 1)), Diagonal([1.0]), Time())
    found = sharded_states(*given, depth=2, layout=Layout(mesh("batch", "time")), output=output)
    expected = states(*given, depth=2, output=output)
    for level, other in zip(found, expected, strict=True):
        assert level.shape == other.shape
        assert not level.any()


def test_a_sharded_layer_is_called_as_the_layer_is():
    layer = EWSLayer(jnp.eye(2), Diagonal([0.5, 0.1]), Time(), depth=2)
    spread = Sharded(layer, Layout(mesh("batch", "time")))
    increments = Increments.from_values(np.random.default_rng(0).normal(size=(2, 5, 2)))
    assert spread.size == layer.size
    for level, other in zip(spread(increments), layer(increments), strict=True):
        assert np.max(np.abs(level - other)) <= TOLERANCE * np.max(np.abs(other))
    with pytest.raises(ValueError, match="the lift is for 2 channels, the path has 3"):
        spread(Increments.from_values(np.ones((2, 5, 3))))
