"""The rows of the paper's Table 8: how exact the local EWS is at the steps of real data.

MotorImagery is judged on its data, the others on random walks of the same shape and range, and their rows say so.
"""

import dataclasses
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
from jaxtyping import Array, Float

from ewsnn.benchmarks.cases import UEA
from ewsnn.benchmarks.problems import Problem
from ewsnn.layers import EWSLayer
from ewsnn.oracle import exact_stream, relative_error
from ewsnn.paths import Increments
from ewsnn.tensor import features

ROWS = {
    "SelfRegulationSCP1": (1.0e-4, 1.5e-4),
    "Heartbeat": (2.9e-5, 4.7e-5, 6.4e-5),
    "MotorImagery": (2.1e-4, 2.9e-4, 3.6e-4),
    "SelfRegulationSCP2": (4.9e-5, 7.0e-5, 8.6e-5),
}
"""What the paper reports for levels 1 to N: median relative errors."""

BAR = 1e-6
LEARNING_RATE = 4e-3


def errors(name: str, data: Path | None, *, quick: bool) -> list[dict[str, Any]]:
    """Median relative errors of the local EWS in single precision, at the first and at trained parameters.

    Args:
        name: One of ``ROWS``.
        data: The folder that has MotorImagery; None where it is not at hand.
        quick: Whether few steps are judged, after one step of training.

    Returns:
        A row for the first parameters and one for those after training.
    """
    (problem,) = (p for p in UEA if p.name == name)
    folder = data if name == "MotorImagery" else None
    batch, training, judged = (2, 1, 2) if quick else (16, 200, 48)
    if quick and folder is None:
        problem = dataclasses.replace(problem, steps=20, channels=3)
    dtype = np.dtype(np.float32)
    _, lift, generator, clock = problem.arguments(dtype)
    layer = EWSLayer(lift, generator, clock, problem.depth)
    paths, labels = _synthetic(problem, batch) if folder is None else motor_imagery(folder)
    first = {"initial": layer, "trained": _trained(layer, paths, labels, problem.output, batch, training)}
    steps = _single_steps(paths, judged)
    return [
        {
            "kind": "table8",
            "dataset": name,
            "data": "synthetic, of the same shape and range" if folder is None else "its data",
            "parameters": which,
            "dtype": "float32",
            "judged_steps": judged,
            "errors": _median_errors(layer, steps),
            "paper": list(ROWS[name]),
            "bar": BAR,
        }
        for which, layer in first.items()
    ]


def motor_imagery(folder: Path) -> tuple[Float[np.ndarray, "cases knots 64"], np.ndarray]:
    """The training set, each channel scaled to [-1, 1], and its classes 0 and 1.

    Args:
        folder: Where ``MotorImagery/MotorImagery_stream_int16.npz`` is. A case is a stream of integers: its channel c
            are the 3000 numbers, over 32, that begin 64c behind the start.
    """
    with np.load(folder / "MotorImagery" / "MotorImagery_stream_int16.npz") as archive:
        stream, names = archive["x_train"], archive["y_train"]
    channels = np.lib.stride_tricks.sliding_window_view(stream, 3000, axis=1)[:, ::64]
    return _scaled(np.swapaxes(channels, 1, 2) / np.float32(32)), (names == names[0]).astype(np.int32)


def _synthetic(problem: Problem, batch: int) -> tuple[np.ndarray, np.ndarray]:
    walks = dataclasses.replace(problem, batch=batch).points()
    return _scaled(walks.astype(np.float32)), np.arange(batch, dtype=np.int32) % 2


def _scaled(paths: np.ndarray) -> np.ndarray:
    low, high = paths.min(axis=(0, 1)), paths.max(axis=(0, 1))
    return ((paths - low) / (high - low) * 2 - 1).astype(np.float32)


def _increments(paths: np.ndarray) -> Increments:
    times = np.linspace(0, 1, paths.shape[1], dtype=np.float32)
    return dataclasses.replace(Increments.from_values(paths, times), start=None, lead=None)


def _trained(
    layer: EWSLayer, paths: np.ndarray, labels: np.ndarray, output: str, batch: int, training: int
) -> EWSLayer:
    """The layer after some steps of Adam, with a linear read-out of two classes and cross-entropy."""
    read = jnp.zeros((2, layer.size + 1), layer.lift.dtype)
    optimiser = optax.adam(LEARNING_RATE)

    def loss(model: tuple[EWSLayer, Array], increments: Increments, classes: Array) -> Array:
        layer, read = model
        logits = features(layer(increments, output=output)) @ read.T
        return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(logits, classes))

    @eqx.filter_jit
    def advance(model: Any, state: Any, increments: Increments, classes: Array) -> tuple[Any, Any]:
        gradient = eqx.filter_grad(loss)(model, increments, classes)
        updates, state = optimiser.update(gradient, state)
        return eqx.apply_updates(model, updates), state

    model: Any = (layer, read)
    state = optimiser.init(eqx.filter(model, eqx.is_inexact_array))
    rng = np.random.default_rng(3)
    for _ in range(training):
        chosen = rng.choice(len(paths), size=batch, replace=False)
        model, state = advance(model, state, _increments(paths[chosen]), jnp.asarray(labels[chosen]))
    return model[0]


def _single_steps(paths: np.ndarray, judged: int) -> Increments:
    """Steps of the paths, drawn with a fixed seed, each as a path of its own."""
    increments = _increments(paths)
    rng = np.random.default_rng(4)
    cases = rng.integers(0, paths.shape[0], judged)
    steps = rng.integers(0, paths.shape[1] - 1, judged)
    return jax.tree.map(lambda leaf: leaf[cases, steps][:, None], increments)


def _median_errors(layer: EWSLayer, steps: Increments) -> list[float]:
    levels = eqx.filter_jit(layer)(steps)
    found = []
    for k in range(levels[0].shape[0]):
        truth = exact_stream(layer, jax.tree.map(lambda leaf, k=k: leaf[k], steps))[-1]
        found.append([relative_error(level[k], truth.level(n)) for n, level in enumerate(levels, start=1)])
    return np.median(found, axis=0).tolist()
