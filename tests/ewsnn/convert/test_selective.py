"""Selective models: their EWS against plain recurrences in this file, and against released trajectories. Kind: outside.

Tolerances: 1e-13 for released trajectories, as for every model of this size; a recurrence of this file differs from the
EWS by a few roundings for each step, all states are of size one: 1e-14.
"""

from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.convert import convert, depth_one
from ewsnn.convert.depth_one import todd
from ewsnn.convert.mechanism import causal_convolution, silu, softplus
from ewsnn.convert.selective import Selective
from ewsnn.convert.selective_layer import SelectiveLayer

VECTORS = Path(__file__).parents[4] / "shared" / "vectors"
CLOSE, STEPS = 1e-14, 9


def error(found: np.ndarray, wanted: np.ndarray) -> float:
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


def converted(kind: str, parameters: dict[str, Any]) -> Selective:
    found = convert(kind, parameters)
    assert isinstance(found, Selective)
    return found


# --- parameters, drawn ------------------------------------------------------------------------------------------------


def draw(seed: int, shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape) / np.sqrt(shape[-1] if shape else 1) for name, shape in shapes.items()}


def drawn_s6(E: int = 5, N: int = 3, R: int = 2) -> dict[str, Any]:
    shapes: dict[str, tuple[int, ...]] = {"A_log": (E, N), "D": (E,), "x_proj.weight": (R + 2 * N, E)}
    return draw(0, shapes | {"dt_proj.weight": (E, R), "dt_proj.bias": (E,)})


def drawn_mamba1(E: int = 6, M: int = 4) -> dict[str, Any]:
    shapes = {"in_proj.weight": (2 * E, M), "conv1d.weight": (E, 1, 3), "conv1d.bias": (E,), "out_proj.weight": (M, E)}
    return drawn_s6(E) | draw(1, shapes)


def drawn_mamba2(H: int = 4, P: int = 3, G: int = 2, N: int = 2, M: int = 4) -> dict[str, Any]:
    E, mixed = H * P, H * P + 2 * G * N
    shapes: dict[str, tuple[int, ...]] = {"A_log": (H,), "dt_bias": (H,), "D": (H,), "norm.weight": (E,)}
    shapes |= {"in_proj.weight": (E + mixed + H, M), "conv1d.weight": (mixed, 1, 3), "conv1d.bias": (mixed,)}
    return draw(2, shapes | {"out_proj.weight": (M, E)}) | {"headdim": P, "ngroups": G}


def drawn_retention(H: int = 2, K: int = 4, V: int = 3, M: int = 5) -> dict[str, Any]:
    weights = draw(3, {"q_proj.weight": (H * K, M), "k_proj.weight": (H * K, M), "v_proj.weight": (H * V, M)})
    # One angle beyond half a turn: a generator of unit clock may take it modulo 2π.
    return weights | {"angle": np.repeat([0.7, 4.0], 2), "decay": np.array([0.9, 0.5]), "num_heads": H}


DRAWN = {"s6": drawn_s6(), "mamba1": drawn_mamba1(), "mamba2": drawn_mamba2(), "retention": drawn_retention()}
WIDTHS = {"s6": 5, "mamba1": 4, "mamba2": 4, "retention": 5}


def inputs_of(kind: str, seed: int = 7) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(STEPS, WIDTHS[kind]))


# --- plain recurrences ------------------------------------------------------------------------------------------------


def swish(x: np.ndarray) -> np.ndarray:
    return x / (1 + np.exp(-x))


def convolved(p: dict[str, Any], x: np.ndarray) -> np.ndarray:
    taps = p["conv1d.weight"][:, 0]
    K = taps.shape[1]
    rows = []
    for t in range(len(x)):
        total = p.get("conv1d.bias", np.zeros(x.shape[1])).copy()
        for k in range(K):
            if t - (K - 1 - k) >= 0:
                total += taps[:, k] * x[t - (K - 1 - k)]
        rows.append(swish(total))
    return np.array(rows)


def plain_s6(p: dict[str, Any], x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    (E, N), R = p["A_log"].shape, p["dt_proj.weight"].shape[1]
    h, states, outputs = np.zeros((E, N)), [], []
    for x_t in x:
        r, B, C = np.split(p["x_proj.weight"] @ x_t, [R, R + N])
        delta = np.log1p(np.exp(p["dt_proj.weight"] @ r + p["dt_proj.bias"]))
        h = np.exp(-np.exp(p["A_log"]) * delta[:, None]) * h + np.outer(delta * x_t, B)
        states.append(h)
        outputs.append(h @ C + p["D"] * x_t)
    return np.array(states), np.array(outputs)


def plain_mamba1(p: dict[str, Any], u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    projected = u @ p["in_proj.weight"].T + p.get("in_proj.bias", 0.0)
    x, z = np.split(projected, 2, axis=1)
    states, outputs = plain_s6(p, convolved(p, x))
    return states, (outputs * swish(z)) @ p["out_proj.weight"].T + p.get("out_proj.bias", 0.0)


def plain_mamba2(p: dict[str, Any], u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    H, P, G = len(p["A_log"]), int(p["headdim"]), int(p.get("ngroups", 1))
    E = H * P
    N = (len(p["conv1d.weight"]) - E) // (2 * G)
    z, mixed, dt = np.split(u @ p["in_proj.weight"].T, [E, 2 * E + 2 * G * N], axis=1)
    x, B, C = np.split(convolved(p, mixed), [E, E + G * N], axis=1)
    delta = np.log1p(np.exp(dt + p["dt_bias"]))
    delta = np.clip(delta, *p.get("dt_limit", (0, np.inf)))
    D = np.broadcast_to(p["D"].reshape(H, -1), (H, P))
    state, states, outputs = p.get("init_states", np.zeros((H, P, N))), [], []
    for t in range(len(u)):
        y, now = np.zeros((H, P)), np.zeros((H, P, N))
        for h in range(H):
            b, c = (part[t].reshape(G, N)[h * G // H] for part in (B, C))
            x_t = x[t].reshape(H, P)[h]
            now[h] = np.exp(-np.exp(p["A_log"][h]) * delta[t, h]) * state[h] + delta[t, h] * np.outer(x_t, b)
            y[h] = now[h] @ c + D[h] * x_t
        state = now
        states.append(now)
        outputs.append(gated(p, y.ravel(), z[t], G))
    return np.array(states), np.array(outputs) @ p["out_proj.weight"].T


def gated(p: dict[str, Any], y: np.ndarray, z: np.ndarray, G: int) -> np.ndarray:
    def normed(v: np.ndarray) -> np.ndarray:
        if "norm.weight" not in p:
            return v
        groups = [g / np.sqrt(np.mean(g**2) + 1e-5) for g in np.split(v, G)]
        return np.concatenate(groups) * p["norm.weight"]

    return normed(y) * swish(z) if p.get("norm_before_gate", False) else normed(y * swish(z))


def plain_retention(p: dict[str, Any], u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    H, K = len(p["decay"]), len(p["angle"])
    V = len(p["v_proj.weight"]) // H
    states, outputs, S, total = [], [], np.zeros((H, K, V)), np.zeros(H)
    for n, u_n in enumerate(u):
        q, k, v = ((p[f"{name}_proj.weight"] @ u_n).reshape(H, -1) for name in "qkv")
        c, s = np.cos(n * p["angle"]), np.sin(n * p["angle"])
        q, k = (w * c + np.stack([-w[:, 1::2], w[:, ::2]], axis=-1).reshape(H, K) * s for w in (q, k / np.sqrt(K)))
        S = p["decay"][:, None, None] * S + np.einsum("hk,hv->hkv", k, v)
        total = total + p["decay"] ** n
        states.append(S)
        outputs.append(np.einsum("hk,hkv->hv", q, S) / np.sqrt(total)[:, None])
    return np.array(states), np.array(outputs)


PLAIN = {"s6": plain_s6, "mamba1": plain_mamba1, "mamba2": plain_mamba2, "retention": plain_retention}


def check(kind: str, parameters: dict[str, Any], u: np.ndarray, tolerance: float = CLOSE) -> None:
    found = convert(kind, parameters)
    states, outputs = PLAIN[kind](parameters, u)
    assert error(found.states(u), states) <= tolerance
    assert error(found.outputs(u), outputs) <= tolerance


@pytest.mark.parametrize("kind", DRAWN)
def test_the_ews_is_the_plain_recurrence(kind: str) -> None:
    check(kind, DRAWN[kind], inputs_of(kind))


@pytest.mark.parametrize("kind", DRAWN)
def test_batches_are_paths_of_their_own(kind: str) -> None:
    found, u = convert(kind, DRAWN[kind]), np.stack([inputs_of(kind, seed) for seed in range(6)])
    u = u.reshape(3, 2, *u.shape[1:])
    states, outputs = found.states(u), found.outputs(u)
    assert error(states[2, 1], found.states(u[2, 1])) <= CLOSE
    assert error(outputs[1, 0], found.outputs(u[1, 0])) <= CLOSE


OPTIONS: dict[str, tuple[str, dict[str, Any], set[str]]] = {
    "without a bias of the convolution": ("mamba1", {}, {"conv1d.bias"}),
    "biases of the projections": (
        "mamba1",
        draw(4, {"in_proj.bias": (12,), "out_proj.bias": (4,)}),
        set(),
    ),
    "limits of the steps": ("mamba2", {"dt_limit": np.array([0.6, 0.9])}, set()),
    "a skip for each channel": ("mamba2", draw(5, {"D": (12,)}), set()),
    "states at the start": ("mamba2", draw(6, {"init_states": (4, 3, 2)}), set()),
    "the norm before the gate": ("mamba2", {"norm_before_gate": np.array(True)}, set()),
    "no norm": ("mamba2", {}, {"norm.weight"}),
    "no rotation": ("retention", {"angle": np.zeros(4)}, set()),
    "no decay": ("retention", {"decay": np.ones(2)}, set()),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_are_those_of_the_release(name: str) -> None:
    kind, more, without = OPTIONS[name]
    parameters = {key: value for key, value in (DRAWN[kind] | more).items() if key not in without}
    check(kind, parameters, inputs_of(kind))
    # The option did something.
    ours = convert(kind, parameters).outputs(inputs_of(kind))
    assert error(ours, convert(kind, DRAWN[kind]).outputs(inputs_of(kind))) > 1e-3


def test_limits_without_an_upper_end_are_none() -> None:
    u = inputs_of("mamba2")
    found = convert("mamba2", DRAWN["mamba2"], dt_limit=np.array([0.0, np.inf])).outputs(u)
    np.testing.assert_array_equal(found, convert("mamba2", DRAWN["mamba2"]).outputs(u))


def test_one_group_is_the_default() -> None:
    parameters = drawn_mamba2(G=1)
    del parameters["ngroups"]
    check("mamba2", parameters, inputs_of("mamba2"))


def test_the_path_brings_its_clock() -> None:
    u = inputs_of("mamba2")
    found = convert("mamba2", DRAWN["mamba2"] | draw(6, {"init_states": (4, 3, 2)}))
    path = found.path(u)
    assert (found.heads, found.m, found.d) == (12, 2, 2)
    assert path.dtheta.shape == (STEPS + 1, 12)
    assert path.dx.shape == (STEPS + 1, 12, 2)
    # The states at the start are a jump while the clock stands.
    assert path.dtheta[0].tolist() == [0.0] * 12
    np.testing.assert_array_equal(path.dx[0], draw(6, {"init_states": (4, 3, 2)})["init_states"].reshape(12, 2))
    # The values of a head share its clock.
    np.testing.assert_array_equal(path.dtheta, np.repeat(path.dtheta[:, ::3], 3, axis=1))
    unit = convert("retention", DRAWN["retention"]).path(inputs_of("retention"))
    assert unit.dtheta.shape == (STEPS, 6)
    assert (unit.dtheta == 1).all()


def test_a_step_that_underflows_moves_nothing() -> None:
    u = inputs_of("s6")
    closed = DRAWN["s6"] | {"dt_proj.bias": np.where(np.arange(5) < 2, -800.0, 0.0)}
    found = convert("s6", closed)
    path = found.path(u)
    assert (path.dtheta[:, :2] == 0).all()
    assert (path.dx[:, :2] == 0).all()
    assert (path.dtheta[:, 2:] > 0).all()
    states = found.states(u)
    assert (states[:, :2] == 0).all()
    assert np.isfinite(found.outputs(u)).all()


def test_functions_at_their_ends() -> None:
    assert softplus(np.array([-800.0, 0.0, 800.0])).tolist() == [0.0, float(np.log(2)), 800.0]
    assert silu(np.array([-800.0, 0.0, 800.0])).tolist() == [0.0, 0.0, 800.0]
    z = np.array([0.0, 1e-300, 1e-9, 1.0, 800.0])
    wanted = [1.0, 1.0, 1 + 0.5e-9, 1 / (1 - np.exp(-1)), 800.0]
    np.testing.assert_allclose(todd(z), wanted, rtol=4 * np.finfo(float).eps)
    for function, slope in ((todd, 0.5), (silu, 0.5), (softplus, 0.5)):
        assert float(jax.grad(function)(jnp.array(0.0))) == slope


def test_convolution_looks_back_only() -> None:
    x = np.zeros((5, 1))
    x[1] = 1.0
    found = causal_convolution(x, np.array([[3.0, 2.0, 1.0]]), None)
    assert found[:, 0].tolist() == [0.0, 1.0, 2.0, 3.0, 0.0]


@pytest.mark.parametrize("name", ["s6", "mamba1", "mamba2", "retention"])
def test_released_trajectories(name: str) -> None:
    if not VECTORS.is_dir():
        pytest.skip("the stored trajectories are not at hand")
    with np.load(VECTORS / f"{name}_0.npz") as file:
        stored = dict(file)
    kept = {"input", "state", "output", "state_normalised", "ssm_x", "ssm_dt", "ssm_B", "ssm_C"}
    results = {key: stored.pop(key) for key in kept & stored.keys()}
    found = converted(name, stored)
    u = results["input"]
    assert error(found.states(u), results["state"]) <= 1e-13
    assert error(found.outputs(u), results["output"]) <= 1e-13
    if name == "retention":
        n = np.arange(len(u))
        scale = np.sqrt(np.cumsum(stored["decay"][None] ** n[:, None], axis=0))[..., None, None]
        assert error(found.states(u) / scale, results["state_normalised"]) <= 1e-13
        return
    gates = found.selection.gates(u)
    each = 1 if name != "mamba2" else int(stored["headdim"])
    assert error(gates.dtheta[:, ::each], results["ssm_dt"]) <= 1e-13
    assert error(gates.weights[:, 0], results["ssm_C"]) <= 1e-13
    x = results["ssm_x"].reshape(len(u), -1) if "ssm_x" in results else u
    drive = np.repeat(results["ssm_dt"], each, axis=1)[..., None] * x[..., None] * results["ssm_B"][:, None]
    assert error(gates.drive, drive) <= 1e-13


WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "a step that is no interval": ("mamba2", {"dt_limit": np.array([2.0, 1.0])}, "dt_limit"),
    "heads that come in no groups": ("mamba2", {"ngroups": 3}, "ngroups"),
    "a matrix of another width": ("mamba1", {"in_proj.weight": np.zeros((12, 4))[:11]}, "in_proj"),
    "angles that are no pairs": ("retention", {"angle": np.array([0.1, 0.2, 0.3, 0.3])}, "angle"),
    "a decay of zero": ("retention", {"decay": np.array([0.0, 0.5])}, "singular: no logarithm"),
    "a negative decay": ("retention", {"decay": np.array([-0.5, 0.5])}, "decay"),
    "another number of heads": ("retention", {"num_heads": 3}, "num_heads"),
    "an unknown key": ("s6", {"in_proj.weight": np.zeros((2, 2))}, "in_proj"),
    "a number that is none": ("s6", {"D": np.full(5, np.nan)}, "D"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_model_is_refused(name: str) -> None:
    kind, wrong, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        convert(kind, DRAWN[kind] | wrong)


STARTED = DRAWN["mamba2"] | draw(6, {"init_states": (4, 3, 2)})


@pytest.mark.parametrize("kind", ["mamba2", "retention"])
def test_the_layer_has_the_states_of_the_ews(kind: str) -> None:
    found, u = converted(kind, STARTED if kind == "mamba2" else DRAWN[kind]), inputs_of(kind)
    (level,) = eqx.filter_jit(found.layer())(found.increments(u), output="all")
    assert error(np.asarray(level)[-STEPS:], found.ews(u)) <= CLOSE


@pytest.mark.parametrize("kind", ["s6", "mamba1", "retention"])
def test_the_module_has_the_outputs_of_the_model(kind: str) -> None:
    found, u = converted(kind, DRAWN[kind]), np.stack([inputs_of(kind), inputs_of(kind, 8)])
    outputs = eqx.filter_jit(found.module(2 if kind == "retention" else 1))(jnp.asarray(u))
    assert error(np.asarray(outputs), found.outputs(u)) <= CLOSE


def test_a_deeper_module_starts_from_the_model_and_all_of_it_is_trained() -> None:
    found, u = converted("mamba2", STARTED), inputs_of("mamba2")

    @eqx.filter_jit
    @eqx.filter_value_and_grad(has_aux=True)
    def loss(module: SelectiveLayer, inputs: jax.Array) -> tuple[jax.Array, jax.Array]:
        outputs = module(inputs)
        return jnp.sum(outputs**2), outputs

    (_, outputs), slopes = loss(found.module(2), jnp.asarray(u))
    assert error(np.asarray(outputs), found.outputs(u)) <= CLOSE
    assert all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(slopes))
    (rates,) = jax.tree.leaves(slopes.heads.layer.generator)
    for leaf in (rates, slopes.heads.layer.lift, slopes.higher[0], slopes.selection.in_proj):
        assert float(jnp.abs(leaf).max()) > 1e-3
    # The rates that make the path are those of the heads.
    assert not slopes.selection.A_log.any()
    with pytest.raises(ValueError, match="reads 4 inputs at each step, got 3"):
        found.module()(jnp.zeros((2, 3)))


@pytest.mark.parametrize("kind", DRAWN)
def test_the_self_check_sees_a_wrong_path(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = converted(kind, DRAWN[kind])
    assert found.error() <= CLOSE
    monkeypatch.setattr(depth_one, "increments", lambda exponent, dtheta, drive: drive)
    assert found.error() > 1e-2
