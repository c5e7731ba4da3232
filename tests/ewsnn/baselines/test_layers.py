"""The sequence layers. Oracles: NumPy loops over the steps, and what is known of their initialisation."""

import dataclasses
from collections.abc import Callable
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.baselines import LRU, LSTM, S5, S6, DLinOSS, LinOSSIM, LinOSSIMEX
from ewsnn.baselines.layer import AbstractLayer
from ewsnn.baselines.recurrence import Block, in_rounds, step_by_step
from ewsnn.baselines.s5 import hippo_normal

EPS = 2.0**-52
KEY = jax.random.key(0)
STEPS, WIDTH = 6, 3
U = np.random.default_rng(0).normal(size=(2, STEPS, WIDTH))
LAYERS: dict[str, Callable[[jax.Array], AbstractLayer]] = {
    "s5": lambda key: S5.init(key, WIDTH, 8, blocks=2, dt_max=1.0),
    "lru": lambda key: LRU.init(key, WIDTH, 5),
    "linoss-im": lambda key: LinOSSIM.init(key, WIDTH, 5),
    "linoss-imex": lambda key: LinOSSIMEX.init(key, WIDTH, 5),
    "dlinoss": lambda key: DLinOSS.init(key, WIDTH, 5),
    "s6": lambda key: S6.init(key, WIDTH, 5, dt_max=1.0),
    "lstm": lambda key: LSTM.init(key, WIDTH),
}


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def complex_of(p: dict[str, np.ndarray], name: str) -> np.ndarray:
    return p[name][..., 0] + 1j * p[name][..., 1]


def oscillator(p: dict[str, np.ndarray], u: np.ndarray, kind: str) -> np.ndarray:
    """Velocity and position of the model's own equations, step by step."""
    B, C = complex_of(p, "B"), complex_of(p, "C")
    A, d = np.maximum(p["A_diag"], 0), sigmoid(p["dt" if kind == "dlinoss" else "steps"])
    G = np.maximum(p["G_diag"], 0) if kind == "dlinoss" else 0 * d
    if kind == "dlinoss":
        root = np.sqrt(1 + d * G)
        A = np.clip(p["A_diag"], ((root - 1) / d) ** 2, ((root + 1) / d) ** 2)
    z, y, found = 0 * B[:, 0], 0 * B[:, 0], []
    for drive in u @ B.T:
        if kind == "linoss-im":
            z = (z - d * A * y + d * drive) / (1 + d * d * A)
        else:
            z = (z - d * A * y + d * drive) / (1 + d * G)
        y = y + d * z
        found.append((C @ y).real)
    return np.array(found) + p["D"] * u


def diagonal(p: dict[str, np.ndarray], u: np.ndarray, kind: str) -> np.ndarray:
    if kind == "lru":
        a, B, C = np.exp(-np.exp(p["nu_log"]) + 1j * np.exp(p["theta_log"])), p["B_re"] + 1j * p["B_im"], p["C_re"]
        B, C, factor = np.exp(p["gamma_log"])[:, None] * B, C + 1j * p["C_im"], 1
    else:
        rate, step, factor = p["Lambda_re"] + 1j * p["Lambda_im"], np.exp(p["log_step"][:, 0]), 2
        a, C = np.exp(rate * step), complex_of(p, "C")
        B = ((a - 1) / rate)[:, None] * complex_of(p, "B")
    h, found = 0 * a, []
    for drive in u @ B.T:
        h = a * h + drive
        found.append(factor * (C @ h).real)
    return np.array(found) + p["D"] * u


def selective(p: dict[str, np.ndarray], u: np.ndarray, kind: str) -> np.ndarray:
    rank, states = p["dt_proj__weight"].shape[1], p["A_log"].shape[1]
    h, found = 0 * p["A_log"], []
    for x in u:
        raw, B, C = np.split(p["x_proj__weight"] @ x, [rank, rank + states])
        step = np.log1p(np.exp(p["dt_proj__weight"] @ raw + p["dt_proj__bias"]))
        h = np.exp(-step[:, None] * np.exp(p["A_log"])) * h + np.outer(step * x, B)
        found.append(h @ C + p["D"] * x)
    return np.array(found)


def gated(p: dict[str, np.ndarray], u: np.ndarray, kind: str) -> np.ndarray:
    h, cell, found = np.zeros(WIDTH), np.zeros(WIDTH), []
    for x in u:
        i, f, g, o = np.split(p["weight_ih"] @ x + p["weight_hh"] @ h + p["bias"], 4)
        cell = sigmoid(f) * cell + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(cell)
        found.append(h)
    return np.array(found)


LOOPS: dict[str, Callable[[dict[str, np.ndarray], np.ndarray, str], np.ndarray]] = {
    **dict.fromkeys(("s5", "lru"), diagonal),
    **dict.fromkeys(("linoss-im", "linoss-imex", "dlinoss"), oscillator),
    "s6": selective,
    "lstm": gated,
}


@pytest.mark.parametrize("kind", LAYERS)
def test_outputs_are_those_of_a_loop_over_the_steps(kind: str) -> None:
    layer = LAYERS[kind](KEY)
    found = np.asarray(eqx.filter_jit(layer)(jnp.asarray(U)))
    expected = np.stack([LOOPS[kind](layer.parameters(), u, kind) for u in U])
    # Some ten roundings a step, of numbers of the size of the largest output; (a - 1)/rate of the loop cancels to
    # eps over the least step, which is above 1/1000.
    np.testing.assert_allclose(found, expected, rtol=0, atol=1000 * EPS * np.abs(expected).max())
    assert layer.kind == kind
    assert layer.width == WIDTH


@pytest.mark.parametrize("kind", LAYERS)
def test_parameters_make_the_layer_again(kind: str) -> None:
    layer = LAYERS[kind](KEY)
    mapping = layer.parameters()
    assert set(mapping) == {field.name for field in dataclasses.fields(layer)}
    assert all(isinstance(value, np.ndarray) for value in mapping.values())
    again: Any = type(layer)(**mapping)
    assert eqx.tree_equal(layer, again)


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_rounds_give_the_states_of_steps(steps: int) -> None:
    rng = np.random.default_rng(steps)
    block = Block(*rng.normal(size=(4, 3)) / 2)
    inputs = tuple(jnp.asarray(x) for x in rng.normal(size=(2, 2, steps, 3)))
    found = jax.jit(in_rounds)(block, inputs)
    expected = jax.jit(step_by_step)(block, inputs)
    np.testing.assert_allclose(found, expected, rtol=0, atol=200 * EPS * np.abs(expected).max())


def test_hippo_is_the_normal_part_of_legs() -> None:
    n = np.arange(6)
    root = np.sqrt(2 * n + 1)
    legs = -np.tril(np.outer(root, root), -1) - np.diag(n + 1)
    normal = legs + np.outer(root, root) / 2
    frequencies, V = hippo_normal(6)
    np.testing.assert_allclose(normal @ V, V * (-0.5 + 1j * frequencies), rtol=0, atol=100 * EPS * np.abs(normal).max())


def test_s5_starts_from_blocks_of_hippo_whose_conjugates_are_left_out() -> None:
    layer = S5.init(KEY, 3, 16, blocks=2)
    assert (layer.Lambda_re == -0.5).all()
    expected = np.tile(hippo_normal(8)[0][:4], 2)
    assert (np.asarray(layer.Lambda_im) == expected).all()
    assert (expected < 0).all()
    assert np.log(0.001) <= layer.log_step.min() <= layer.log_step.max() <= np.log(0.1)
    # B and C belong to one real matrix in the model's own basis: with the conjugates, C V⁻¹ … V B is real and of the
    # size that was drawn. Of B that is Σ|B|² = ½ Σ (drawn)², with expectation ½·width.
    wide = S5.init(KEY, 400, 16, blocks=2)
    assert abs(float(jnp.sum(wide.B**2)) / 200 - 1) <= 5 * np.sqrt(2 / 6400)
    # C: each of real and imaginary part has variance 1/states, projected on half of the directions: 400·8·2/16.
    assert abs(float(jnp.sum(wide.C**2)) / 400 - 1) <= 5 * np.sqrt(2 / 6400)


def test_rings_are_rings() -> None:
    lru = LRU.init(KEY, 2, 2000, r_min=0.5, r_max=0.9, max_phase=1.0)
    radius = np.exp(-np.exp(np.asarray(lru.nu_log)))
    assert 0.5 <= radius.min() <= radius.max() <= 0.9
    # Even over the area: the mean of |λ|² is the middle. Four deviations of a uniform mean.
    assert abs((radius**2).mean() - (0.25 + 0.81) / 2) <= 4 * 0.56 / np.sqrt(12 * 2000)
    assert 0 <= np.exp(lru.theta_log.min()) <= np.exp(lru.theta_log.max()) <= 1
    # Two logarithms and two exponentials, of numbers up to 40.
    np.testing.assert_allclose(np.exp(lru.gamma_log) ** 2, 1 - radius**2, rtol=0, atol=200 * EPS)

    damped = DLinOSS.init(KEY, 2, 2000, r_min=0.5, r_max=0.9)
    d, G, A = sigmoid(np.asarray(damped.dt)), np.asarray(damped.G_diag), np.asarray(damped.A_diag)
    S = 1 + d * G
    M = np.stack([np.stack([1 / S, -d * A / S], -1), np.stack([d / S, 1 - d * d * A / S], -1)], -2)
    eigenvalues = np.linalg.eigvals(M)
    # Near the real axis a pair of eigenvalues is as uncertain as the root of eps.
    tolerance = np.sqrt(100 * EPS)
    assert (np.abs(eigenvalues) >= 0.5 - tolerance).all()
    assert (np.abs(eigenvalues) <= 0.9 + tolerance).all()
    assert abs((np.abs(eigenvalues[:, 0]) ** 2).mean() - (0.25 + 0.81) / 2) <= 4 * 0.56 / np.sqrt(12 * 2000)
    angles = np.abs(np.angle(eigenvalues[:, 0]))
    assert abs(angles.mean() - np.pi / 2) <= 4 * np.pi / np.sqrt(12 * 2000)


def test_other_starts() -> None:
    oscillators = LinOSSIM.init(KEY, 16, 400)
    for drawn, low, high in (
        (oscillators.A_diag, 0, 1),
        (oscillators.steps, 0, 1),
        (oscillators.B, -1 / 4, 1 / 4),
        (oscillators.C, -1 / 20, 1 / 20),
    ):
        assert low <= drawn.min() < low + 0.05 * (high - low)
        assert high - 0.05 * (high - low) < drawn.max() <= high
    s6 = S6.init(KEY, 40, 6)
    assert s6.dt_proj__weight.shape == (40, 3)
    np.testing.assert_allclose(np.exp(s6.A_log), np.tile(np.arange(1, 7), (40, 1)), rtol=4 * EPS)
    step = np.log1p(np.exp(np.asarray(s6.dt_proj__bias)))
    assert 0.001 * (1 - 1e-12) <= step.min() <= step.max() <= 0.1 * (1 + 1e-12)


def test_a_clamped_oscillator_stands_at_the_end_of_its_range() -> None:
    layer = DLinOSS.init(KEY, 2, 3)
    far = eqx.tree_at(lambda x: x.A_diag, layer, jnp.asarray([-5.0, 1e6, 1.0]))
    found = far.discretised()
    assert (found.frequency[:2] <= 4 * EPS * found.diagonal[:2] ** 2 / found.step[:2] ** 2).all()
    np.testing.assert_allclose(np.sign(found.diagonal[:2]), [1, -1])
    still = eqx.tree_at(lambda x: x.dt, layer, jnp.full(3, -800.0))  # a step of zero
    assert jnp.isfinite(eqx.filter_jit(still)(jnp.ones((2, 2)))).all()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: S5.init(KEY, 3, 6, blocks=2), r"states must be a multiple of 2·blocks = 4, got 6"),
        (lambda: LRU.init(KEY, 3, 6, r_min=1.0), "the ring needs 0 <= r_min < r_max <= 1, got 1.0 and 1.0"),
        (lambda: DLinOSS.init(KEY, 3, 6, r_min=0.0), "the ring needs 0 < r_min <= r_max <= 1"),
        (
            lambda: LinOSSIM(*map(jnp.asarray, ([1.0], [1.0], np.ones((1, 3, 2)), np.ones((3, 2, 2)), np.ones(3)))),
            r"C must be \(H, P, 2\), with H = 3 as in D, P = 1 as in A_diag; got shape \(3, 2, 2\)",
        ),
        (
            lambda: LinOSSIM(*map(jnp.asarray, ([[1.0]], [1.0], 1.0, 1.0, 1.0))),
            r"A_diag must be \(P,\); got shape \(1, 1\)",
        ),
        (
            lambda: S6(np.ones((2, 3)), np.ones(2), np.ones((6, 2)), np.ones((2, 1)), np.ones(2)),
            r"must have R \+ 2N = 7 rows, got 6",
        ),
        (lambda: LSTM(np.ones((4, 2)), np.ones((4, 2)), np.ones(4)), "bias must have 4H = 8 entries, got 4"),
        (lambda: LSTM.init(KEY, 2)(jnp.ones((3, 4))), r"takes inputs \(…, steps, 2\), got shape \(3, 4\)"),
        (
            lambda: S5(**{**S5.init(KEY, 2, 2).parameters(), "discretisation": "euler"}),  # type: ignore[arg-type]
            "discretisation must be 'zoh' or 'bilinear', got 'euler'",
        ),
    ],
)
def test_what_does_not_fit_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()
