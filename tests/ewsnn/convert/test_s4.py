"""S4 as EWS: against a recurrence written out here, and against released trajectories. Kind: outside.

The recurrence is that of the definition, with matrices of up to 12×12: 1e-13 of the largest entry, as for released
models of 16 states; those of more states have tolerances of their own, which say how far from normal they are.
"""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ewsnn.convert import LinearConverted, convert
from ewsnn.convert.blocks import Blocks
from ewsnn.convert.matrix_functions import artanh, exponential_and_phi1
from ewsnn.convert.s4 import extended

VECTORS = Path(__file__).parents[4] / "shared" / "vectors"
CLOSE, STEPS, H, N, R = 1e-13, 12, 2, 3, 2
RNG = np.random.default_rng(0)
U = RNG.normal(size=(STEPS, H))
DRAWN = {
    "inv_dt": np.log(RNG.uniform(0.1, 0.5, (H, 1))),
    "A_real": RNG.normal(size=(H, N)) / 2,
    "A_imag": RNG.uniform(0, 5, (H, N)),
    "B": RNG.normal(size=(1, H, N, 2)),
    "P": RNG.normal(size=(R, H, N, 2)) / 2,
    "C": RNG.normal(size=(1, H, N, 2)),
}


def error(found: np.ndarray, wanted: np.ndarray) -> float:
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


def pair(stored: np.ndarray) -> np.ndarray:
    return stored[..., 0] + 1j * stored[..., 1]


def both(v: np.ndarray) -> np.ndarray:
    return np.concatenate([v, v.conj()], axis=-1)


def discrete(p: dict[str, Any], c: int) -> tuple[np.ndarray, np.ndarray]:
    copy = c % len(p["A_real"])
    A = np.diag(both(-np.exp(p["A_real"][copy]) - 1j * p["A_imag"][copy]))
    for vector in pair(p["P"])[:, copy]:
        A = A - np.outer(both(vector), both(vector).conj())
    step, unit = np.exp(p["inv_dt"][c, 0]), np.eye(len(A))
    inverse = np.linalg.inv(unit - step / 2 * A)
    return inverse @ (unit + step / 2 * A), inverse @ (step * both(pair(p["B"])[0, copy]))


def plain(p: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """The states of the extended recurrence, of which the release keeps the first half, and the outputs."""
    channels, copies = p["C"].shape[1], p["C"].shape[0]
    states, outputs = [], np.empty((STEPS, copies, channels))
    for c in range(channels):
        Abar, Bbar = discrete(p, c)
        state, own = np.zeros(len(Abar), complex), []
        for u in U:
            state = Abar @ state + Bbar * u[c]
            own.append(state)
        states.append(np.array(own)[:, : len(Abar) // 2])
        outputs[:, :, c] = np.real(np.array(own) @ both(pair(p["C"])[:, c]).T)
    if "D" in p:
        outputs = outputs + p["D"] * U[:, None]
    return np.stack(states, axis=1), outputs.reshape(STEPS, -1)


def check(parameters: dict[str, Any], wanted: dict[str, Any], tolerance: float = CLOSE) -> LinearConverted:
    found = convert("s4", parameters)
    assert isinstance(found, LinearConverted)
    states, outputs = plain(wanted)
    assert error(found.states(U), states) <= tolerance
    assert error(found.outputs(U), outputs) <= tolerance
    return found


MORE: dict[str, dict[str, Any]] = {
    "as it is": {},
    "one copy for both channels": {name: DRAWN[name][..., :1, :, :] for name in ("B", "P")}
    | {name: DRAWN[name][:1] for name in ("A_real", "A_imag")},
    "many outputs and a skip": {"C": RNG.normal(size=(2, H, N, 2)), "D": RNG.normal(size=(2, H))},
    # Half a step times a mode beyond 1: negative transitions, which have no real logarithm each by itself.
    "long steps": {"inv_dt": np.full((H, 1), np.log(4.0)), "A_imag": np.zeros((H, N))},
    # Modes that stand still have no response to a constant input, from which the lift is else computed.
    "no modes and no rank": {
        "A_real": np.full((H, N), -800.0),
        "A_imag": np.zeros((H, N)),
        "P": np.zeros((1, H, N, 2)),
    },
}


@pytest.mark.parametrize("name", MORE)
def test_the_ews_is_the_recurrence(name: str) -> None:
    parameters = DRAWN | MORE[name]
    found = check(parameters, parameters)
    assert (found.heads, found.m, found.d) == (H, 4 * N, 1)


def test_the_stored_read_out_of_a_kernel_is_recovered() -> None:
    K, stored = 16, np.empty_like(DRAWN["C"])
    for c in range(H):
        Abar, _ = discrete(DRAWN, c)
        row = (both(pair(DRAWN["C"])[0, c]) @ (np.eye(2 * N) - np.linalg.matrix_power(Abar, K)))[:N]
        stored[0, c] = np.stack([row.real, row.imag], axis=-1)
    found = check(DRAWN | {"C": stored, "l_kernel": np.array(K)}, DRAWN)
    assert error(convert("s4", DRAWN | {"C": stored}).outputs(U), found.outputs(U)) > 1e-3


def test_generators_are_principal_logarithms() -> None:
    found = convert("s4", DRAWN)
    assert isinstance(found.generator, Blocks)
    for c in range(H):
        eigenvalues = np.linalg.eigvals(found.generator.A[c, 0])
        wanted = -np.log(np.linalg.eigvals(discrete(DRAWN, c)[0]))
        order = (np.lexsort((np.round(np.real(z), 8), np.round(np.imag(z), 8))) for z in (eigenvalues, wanted))
        first, second = order
        np.testing.assert_allclose(eigenvalues[first], wanted[second], rtol=1e-10)


def far_from_normal(size: int) -> dict[str, Any]:
    """LegS's matrix as the release stores it, rounded to float32, with steps in which its logarithm overflows."""
    root = np.sqrt(2 * np.arange(2 * size) + 1)
    skew = np.tril(np.outer(root, root), -1) / 2
    frequencies, V = np.linalg.eigh(1j * (skew - skew.T))
    order = np.argsort(-frequencies)[:size]
    stored = {"inv_dt": np.log([[0.05], [0.1]]), "A_real": np.full((1, size), np.log(0.5))}
    stored |= {"A_imag": frequencies[order][None]}
    for name, vector in (("B", root), ("P", root / np.sqrt(2))):
        numbers = V.conj().T[order] @ vector
        stored[name] = np.stack([np.real(numbers), np.imag(numbers)], axis=-1)[None, None]
    stored["C"] = np.random.default_rng(1).normal(size=(1, 2, size, 2))
    return {name: array.astype(np.float32).astype(np.float64) for name, array in stored.items()}


def test_a_matrix_far_from_normal_is_converted_in_other_coordinates_and_warned_of() -> None:
    parameters = far_from_normal(16)
    with pytest.warns(UserWarning, match=r"conversion inaccurate: states of channel \d differ by \d\.\de-0\d"):
        found = convert("s4", parameters)
    # The first channel has the coordinates of Schur, the second eigenvectors.
    assert isinstance(found.generator, Blocks)
    first, second = found.generator.A[:, 0]
    assert (np.tril(first, -1) == 0).all()
    assert (first != np.diag(np.diag(first))).any()
    assert (second == np.diag(np.diag(second))).all()
    states, outputs = plain(parameters)
    assert error(found.states(U), states) <= 1e-7
    assert error(found.outputs(U), outputs) <= 1e-7


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "a singular transition": (
        {"A_real": np.log(np.full((H, N), 2.0)), "A_imag": np.zeros((H, N)), "P": np.zeros((1, H, N, 2))}
        | {"inv_dt": np.zeros((H, 1))},
        "transition is singular: no logarithm",
    ),
    "an undefined transition": (
        {"A_real": np.full((H, N), -2.0), "A_imag": np.zeros((H, N)), "P": np.zeros((1, H, N, 2))}
        | {"inv_dt": np.ones((H, 1)), "real_transform": "none", "dt_transform": "none"},
        "undefined",
    ),
    "another rule": ({"disc": "zoh"}, "disc must be one of 'bilinear', got 'zoh'"),
    "a step for each mode": ({"inv_dt": np.zeros((H, N))}, "steps are one a channel"),
    "real numbers": ({"is_real": True}, "s4 has no 'is_real'"),
    "a length below zero": ({"l_kernel": -1}, "l_kernel must be a whole number of at least 0"),
    "other copies of P": ({"P": np.zeros((1, 1, N, 2))}, r"P must be \(rank, S, N, 2\)"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_model_is_refused(name: str) -> None:
    wrong, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        convert("s4", DRAWN | wrong)


def test_functions_of_matrices_are_those_of_eigenvalues() -> None:
    V = RNG.normal(size=(5, 5))
    for scale in (1e-6, 1.0, 40.0):
        z = scale * (RNG.normal(size=5) + 1j * RNG.normal(size=5))
        X = V @ np.diag(z) @ np.linalg.inv(V)
        wanted = V @ np.diag(np.arctanh(z)) @ np.linalg.inv(V)
        assert error(artanh(X), wanted) <= 1e-12  # the condition of V is some tens
    E, Phi = exponential_and_phi1(X / 40)
    z = z / 40
    assert error(E, V @ np.diag(np.exp(-z)) @ np.linalg.inv(V)) <= 1e-12
    assert error(Phi, V @ np.diag((1 - np.exp(-z)) / z) @ np.linalg.inv(V)) <= 1e-12
    assert extended(np.array([1j])).tolist() == [1j, -1j]


# The suggested tolerance of each file, and whether the self-check warns.
RELEASED = {"s4": 1e-13, "s4-ctilde": 1e-13, "s4-fout": 1e-12, "s4-fout-n32": 1e-12, "s4-fout-n64": 1e-12}
HARD = {"s4-n32": 1e-7, "s4-n64": 1e-7}


@pytest.mark.skipif(not VECTORS.is_dir(), reason="the stored trajectories are not at hand")
@pytest.mark.parametrize("name", RELEASED | HARD)
def test_released_trajectories(name: str) -> None:
    with np.load(VECTORS / f"{name}_0.npz") as stored:
        parameters = dict(stored)
    u, states, outputs = (parameters.pop(key) for key in ("input", "state", "output"))
    convolved, tolerance = parameters.pop("output_conv", outputs), (RELEASED | HARD)[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = convert("s4", parameters)
    assert ["conversion inaccurate" in str(one.message) for one in caught] == [True] * (name in HARD)
    assert error(found.states(u), states) <= tolerance
    assert error(found.outputs(u), outputs) <= tolerance
    assert error(found.outputs(u), convolved) <= tolerance
