"""The Log-ODE method. Oracles: the exact solution step by step, and the published formula written out."""

import dataclasses

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments, signature
from ewsnn.affine import Affine
from ewsnn.slices import BD, DDE, DE, DPLR, WH, AbstractStructure, D, LogODE, S, SLiCELayer
from ewsnn.slices.brackets import brackets
from ewsnn.slices.maps import Dense
from ewsnn.slices.windows import log_signatures

EPS = float(np.finfo(np.float64).eps)
CHANNELS, SIZE, STEPS, SAMPLES = 3, 4, 11, 4


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape) / 4


PLACES = np.argwhere(drawn(CHANNELS, SIZE, SIZE) > 0.1)
STRUCTURES: dict[str, AbstractStructure] = {
    "DE": DE(drawn(CHANNELS, SIZE, SIZE)),
    "D": D(drawn(CHANNELS, SIZE)),
    "BD": BD(drawn(CHANNELS, 2, 2, 2)),
    "DDE": DDE(drawn(CHANNELS, 2), drawn(CHANNELS, 2, 2)),
    "S": S(drawn(len(PLACES)), PLACES, channels=CHANNELS, size=SIZE),
    "WH": WH(drawn(CHANNELS, SIZE)),
    "DPLR": DPLR(drawn(CHANNELS, SIZE), drawn(CHANNELS, SIZE, 1), drawn(CHANNELS, SIZE, 1)),
}


def path(seed: int = 0, channels: int = CHANNELS) -> np.ndarray:
    return np.cumsum(np.random.default_rng(seed).normal(size=(STEPS + 1, channels)), axis=0)


def layer(structure: AbstractStructure, flow: str = "exact", depth: int = 2) -> SLiCELayer:
    start = Affine(drawn(SIZE, CHANNELS), drawn(SIZE))
    return SLiCELayer(start, LogODE(structure, depth, SAMPLES), flow=flow)


@eqx.filter_jit
def all_states(model: SLiCELayer, increments: Increments, mode: str) -> jax.Array:
    return model(increments, output="all", mode=mode, chunk=2)


@eqx.filter_jit
def window_errors(A: jax.Array, v: jax.Array) -> dict[str, jax.Array]:
    """Errors of the flow over one window with steps v, against the product of the exponentials of its steps."""
    increments = Increments(v, jnp.ones(len(v)), jnp.ones(len(v), bool))
    fields = []
    for depth in (1, 2, 3):
        structure, windows = LogODE(DE(A), depth, len(v)).drive(increments)
        fields.append(structure.field(windows.dx[0]))
    # The other sign of the brackets.
    letters, areas = jnp.split(log_signatures(increments, len(v), 2).dx[0], [CHANNELS])
    fields.append(DE(brackets(A, 2)).field(jnp.concatenate([letters, -areas])))
    steps, omegas = DE(A).field(v), Dense(jnp.stack([field.matrix() for field in fields]))
    # Compiled once for all.
    every = Dense(jnp.concatenate([steps.matrix(), omegas.matrix()])).exponential().matrix()
    truth = jnp.eye(SIZE)
    for F in every[: len(v)]:
        truth = F @ truth
    flows: dict[str, jax.Array] = dict(zip(("exact 1", "exact 2", "exact 3", "turned"), every[len(v) :], strict=True))
    for depth, F in enumerate(omegas.plus_identity().matrix()[:3], start=1):
        flows[f"first-order {depth}"] = F
    return {name: jnp.max(jnp.abs(F - truth)) for name, F in flows.items()}


def test_a_window_leaves_an_error_of_the_order_of_its_depth_and_a_first_order_flow_does_not() -> None:
    rng = np.random.default_rng(0)
    A, v = jnp.asarray(rng.normal(size=(CHANNELS, SIZE, SIZE))), rng.normal(size=(5, CHANNELS))
    coarse, fine = (window_errors(A, jnp.asarray(v * scale)) for scale in (2**-6, 2**-7))
    orders = {name: float(np.log2(coarse[name] / fine[name])) for name in coarse}
    expected = {"exact 1": 2, "exact 2": 3, "exact 3": 4, "turned": 2}
    expected |= {f"first-order {depth}": 2 for depth in (1, 2, 3)}
    for name, order in expected.items():
        assert abs(orders[name] - order) <= 0.2, (name, orders)


@eqx.filter_jit
def window_flow(structure: LogODE, increments: Increments) -> tuple[jax.Array, jax.Array]:
    """The log-signature of a path that is one window, and its flow."""
    driven, windows = structure.drive(increments)
    return windows.dx[0], driven.field(windows.dx[0]).exponential().matrix()


@pytest.mark.parametrize("times", [(0.0, 1.0, 2.0, 3.0), (0.0, 0.03, 0.07, 0.25), (5.0, 5.5, 7.75, 8.0)])
def test_a_loop_of_area_one_half_acts_by_its_bracket(times: tuple[float, ...]) -> None:
    up, down = np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0, 0.0], [1.0, 0.0]])
    loop = LogODE(DE(np.stack([up, down])), 2, 3)
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    coordinates, flow = window_flow(loop, Increments.from_values(triangle, times))
    assert coordinates.tolist() == [0.0, 0.0, 0.5]
    # e^{(A²A¹ - A¹A²)/2}, however long the window takes.
    assert np.allclose(flow, np.diag(np.exp([-0.5, 0.5])), rtol=4 * EPS, atol=0)
    # A small loop acts so by its area alone: the solution along its three sides, up to the third order.
    s, one = 2**-10, np.eye(2)
    solution = (np.cosh(s) * one - np.sinh(s) * (up + down)) @ (one + s * down) @ (one + s * up)
    flow = window_flow(loop, Increments.from_values(s * triangle, times))[1]
    assert np.max(np.abs(flow - solution)) <= s**3


def published(A: np.ndarray, points: np.ndarray, start: np.ndarray) -> np.ndarray:
    """h + Σ λ_i A^i h + Σ_{i<j} λ_ij (A^j A^i - A^i A^j) h, window by window."""
    states, h = [], start
    for k in range(0, len(points) - 1, SAMPLES):
        own = points[k : k + SAMPLES + 1]
        steps, before = np.diff(own, axis=0), own[:-1] - own[0]
        omega = np.einsum("i,iab->ab", own[-1] - own[0], A)
        for i in range(CHANNELS):
            for j in range(i + 1, CHANNELS):
                area = 0.5 * np.sum(before[:, i] * steps[:, j] - before[:, j] * steps[:, i])
                omega = omega + area * (A[j] @ A[i] - A[i] @ A[j])
        h = h + omega @ h
        states.append(h)
    return np.stack(states)


def test_the_published_first_order_flow_is_an_option() -> None:
    structure, points = STRUCTURES["BD"], path()
    model = layer(structure, "first-order")
    found = all_states(model, Increments.from_values(points), "recurrent")
    start = np.asarray(model.initial(jnp.asarray(points[0])))
    expected = published(np.asarray(structure.matrices()), points, start)
    assert found.shape == (3, SIZE)
    assert np.max(np.abs(found - expected)) <= 200 * EPS * np.max(np.abs(expected))


@eqx.filter_jit
def bracketed(structures: dict[str, AbstractStructure]) -> dict[str, tuple[AbstractStructure, jax.Array, jax.Array]]:
    """Structures with their brackets, their matrices, and the brackets of the matrices."""
    found = {name: LogODE(structure, 2, SAMPLES).bracketed() for name, structure in structures.items()}
    return {name: (own, own.matrices(), brackets(structures[name].matrices(), 2)) for name, own in found.items()}


def test_brackets_of_a_structure_are_those_of_its_matrices() -> None:
    for name, (structure, found, expected) in bracketed(STRUCTURES).items():
        # Block by block where there are blocks; WH, DPLR and S become dense.
        assert type(structure).__name__ == (name if name in ("DE", "D", "BD", "DDE") else "DE")
        # All brackets of diagonal matrices are zero: windows are read at depth one.
        count = CHANNELS if name == "D" else CHANNELS * (CHANNELS + 1) // 2
        assert structure.channels == len(found) == count
        assert np.max(np.abs(found - expected[:count])) <= 20 * EPS
        assert name != "D" or (expected[count:] == 0).all()


@pytest.mark.parametrize("name", ["S", "WH", "DPLR"])
def test_depth_one_and_windows_of_one_step_keep_the_structure(name: str) -> None:
    structure = STRUCTURES[name]
    assert LogODE(structure, 1, SAMPLES).bracketed() is structure
    assert LogODE(structure, 2, 1).bracketed() is structure


def test_diagonal_matrices_lose_nothing_by_windows() -> None:
    structure, increments = STRUCTURES["D"], Increments.from_values(path())
    model = layer(structure)
    by_steps = all_states(SLiCELayer(model.initial, structure), increments, "recurrent")
    by_windows = all_states(model, increments, "recurrent")
    ends = by_steps[np.array([3, 7, 10])]
    assert np.max(np.abs(by_windows - ends)) <= 50 * EPS * np.max(np.abs(ends))


def test_modes_agree_and_padding_and_neighbours_are_not_seen() -> None:
    model, lengths = layer(STRUCTURES["BD"], "first-order"), (STEPS + 1, 7)
    points = np.stack([path(0), path(1)])
    increments = Increments.from_values(points, lengths=np.array(lengths))
    found = all_states(model, increments, "recurrent")
    in_parallel = all_states(model, increments, "chunked")
    assert np.max(np.abs(in_parallel - found)) <= 50 * EPS * np.max(np.abs(found))
    # Six steps are a window of four and one of two; the state then stays.
    alone = all_states(model, Increments.from_values(points[1, :7]), "recurrent")
    scale = np.max(np.abs(alone))
    assert np.max(np.abs(found[1, :2] - alone)) <= 50 * EPS * scale
    assert (found[1, 2] == found[1, 1]).all()
    # The same windows beside another path, with something else behind the end.
    other = points.copy()
    other[0] *= 1e100
    other[1, 7:] = 1e300
    beside = all_states(model, Increments.from_values(other, lengths=np.array(lengths)), "recurrent")
    assert (beside[1] == found[1]).all()


def test_a_stream_fed_by_whole_windows_is_the_path() -> None:
    model, increments = layer(STRUCTURES["BD"], "first-order"), Increments.from_values(path())
    whole = all_states(model, increments, "recurrent")
    state, found = model.start(point=path()[0]), []
    for part in (slice(0, 8), slice(8, None)):
        chunk = dataclasses.replace(
            increments, dx=increments.dx[part], dt=increments.dt[part], valid=increments.valid[part]
        )
        state, states = model.feed(state, chunk, output="all")
        found.append(states)
    assert np.max(np.abs(np.concatenate(found) - whole)) <= 50 * EPS * np.max(np.abs(whole))
    assert int(state.steps) == STEPS


def test_gradients_reach_the_structure_through_its_brackets_and_are_finite_where_nothing_moves() -> None:
    @eqx.filter_jit
    @eqx.filter_grad
    def slopes(model: SLiCELayer, points: jax.Array) -> jax.Array:
        return jnp.sum(model(Increments.from_values(points)) ** 2)

    still = slopes(layer(STRUCTURES["BD"], "first-order"), jnp.ones((STEPS + 1, CHANNELS)))
    assert all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(still))
    # A loop: the letters have no increment, so all that comes back comes through the brackets.
    loop = jnp.asarray(np.concatenate([np.zeros((1, 3)), np.eye(3), np.zeros((STEPS - 3, 3))]))
    slope = slopes(layer(STRUCTURES["BD"], "first-order"), loop).structure.structure.blocks
    assert float(jnp.max(jnp.abs(slope))) > 1e-3


def test_what_is_no_structure_or_a_bad_number_is_refused() -> None:
    structure = STRUCTURES["DE"]
    with pytest.raises(TypeError, match="LogODE takes a structure that reads single steps, such as BD or DE, got Log"):
        LogODE(LogODE(structure, 2, 2), 2, 2)
    with pytest.raises(ValueError, match="depth must be an integer of at least 1"):
        LogODE(structure, 0, 2)
    with pytest.raises(ValueError, match="samples must be an integer of at least 1"):
        LogODE(structure, 2, 0)


def test_a_window_of_one_step_is_the_step() -> None:
    structure, increments = STRUCTURES["DE"], Increments.from_values(path())
    found, windows = LogODE(structure, 3, 1).drive(increments)
    assert found is structure
    assert (windows.dx == increments.dx).all()
    assert signature.labels(CHANNELS, 1, basis="lyndon brackets") == ("1", "2", "3")
