"""S4D, S5 and LRU as EWS: against recurrences written out here, and against released trajectories. Kind: outside.

Recurrences differ from the EWS by a few roundings for each step, and a mode that turns fast carries its phase, so the
tolerance is 1e-13 of the largest entry throughout, as for released trajectories.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ewsnn.convert import convert

VECTORS = Path(__file__).parents[4] / "shared" / "vectors"
CLOSE, STEPS = 1e-13, 12
H, N, P = 3, 4, 5


def error(found: np.ndarray, wanted: np.ndarray) -> float:
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


def draw(seed: int, shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


U = np.random.default_rng(0).normal(size=(STEPS, H))
S4D = draw(1, {"inv_dt": (H, 1), "A_real": (H, N), "A_imag": (H, N), "B": (1, H, N, 2), "C": (1, H, N, 2)})
MINIMAL = draw(2, {"log_dt": (H,), "log_A_real": (H, N), "A_imag": (H, N), "C": (H, N, 2), "D": (H,)})
S5 = draw(3, {"Lambda_re": (P,), "Lambda_im": (P,), "B": (P, H, 2), "C": (H, P, 2), "D": (H,), "log_step": (P, 1)})
LRU = draw(4, {"nu_log": (P,), "theta_log": (P,), "gamma_log": (P,), "D": (H,), "B_re": (P, H), "B_im": (P, H)})
LRU |= draw(5, {"C_re": (H, P), "C_im": (H, P)})


def pair(stored: np.ndarray) -> np.ndarray:
    return stored[..., 0] + 1j * stored[..., 1]


def discrete(a: np.ndarray, step: np.ndarray, rule: str) -> tuple[np.ndarray, np.ndarray]:
    if rule == "zoh":
        return np.exp(step * a), (np.exp(step * a) - 1) / a
    return (1 + step * a / 2) / (1 - step * a / 2), step / (1 - step * a / 2)


def run(Abar: np.ndarray, drive: np.ndarray) -> np.ndarray:
    state, states = np.zeros_like(drive[0]), []
    for x in drive:
        state = Abar * state + x
        states.append(state)
    return np.array(states)


FUNCTIONS = {
    "exp": np.exp,
    "none": lambda x: x,
    "relu": lambda x: np.maximum(x, 0) + 1e-4,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.log1p(np.exp(x)),
}


def plain_s4d(p: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    real = p.get("is_real", False)
    B, C = (p[name] if real else pair(p[name]) for name in "BC")
    step = np.sinh(p["inv_dt"]) if p.get("dt_fast", False) else p["inv_dt"]
    step = FUNCTIONS[p.get("dt_transform", "exp")](step)
    a = -FUNCTIONS[p.get("real_transform", "exp")](p["A_real"]) + 0j
    if not real:
        a = a - 1j * FUNCTIONS[p.get("imag_transform", "none")](p["A_imag"])
    copies = H // len(a)
    a, B = np.concatenate([a] * copies), np.concatenate([B[0]] * copies)
    C = C * (step * np.abs(np.imag(a)) / (2 * np.pi) < p.get("bandlimit", np.inf) / 2)
    Abar, factor = discrete(a, step, p.get("disc", "zoh"))
    states = run(Abar, factor * B * U[:, :, None])
    outputs = 2 * np.einsum("chn,lhn->lch", C, states).real
    if "D" in p:
        outputs = outputs + p["D"].reshape(-1, H) * U[:, None]
    return states, outputs.reshape(STEPS, -1)


def plain_minimal(p: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    a, step = -np.exp(p["log_A_real"]) + 1j * p["A_imag"], np.exp(p["log_dt"])[:, None]
    Abar, factor = discrete(a, step, "zoh")
    states = run(Abar, factor * U[:, :, None])
    return states, 2 * np.einsum("hn,lhn->lh", pair(p["C"]), states).real + p["D"] * U


def plain_s5(p: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    re = np.minimum(p["Lambda_re"], -1e-4) if p.get("clip_eigs", False) else p["Lambda_re"]
    step = p.get("step_rescale", 1.0) * np.exp(p["log_step"][:, 0])
    Abar, factor = discrete(re + 1j * p["Lambda_im"], step, p.get("discretisation", "zoh"))
    states = run(Abar, factor * (U @ pair(p["B"]).T))
    return states, (2 if p.get("conj_sym", True) else 1) * np.real(states @ pair(p["C"]).T) + p["D"] * U


def plain_lru(p: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    Abar = np.exp(-np.exp(p["nu_log"]) + 1j * np.exp(p["theta_log"]))
    B = np.exp(p["gamma_log"])[:, None] * (p["B_re"] + 1j * p["B_im"])
    states = run(Abar, U @ B.T)
    return states, (states @ (p["C_re"] + 1j * p["C_im"]).T).real + p["D"] * U


PLAIN = {"s4d": plain_s4d, "s4dmin": plain_minimal, "s5": plain_s5, "lru": plain_lru}
DRAWN = {"s4d": S4D, "s4dmin": MINIMAL, "s5": S5, "lru": LRU}
SHARED = {"A_real": S4D["A_real"][:1], "A_imag": S4D["A_imag"][:1], "B": S4D["B"][:, :1]}
FOUR = draw(6, {"inv_dt": (6, 1), "C": (1, 6, N, 2)})
REAL = draw(7, {"B": (1, H, N), "C": (1, H, N)})
# Half a step times a mode beyond 1: a negative real transition.
LONG = {"inv_dt": np.full((H, 1), 2.0), "A_real": np.full((H, N), 0.5), "disc": "bilinear"}
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "s4d": ("s4d", {}),
    "s4d bilinear": ("s4d", {"disc": np.array("bilinear")}),
    "s4d with a step for each mode": ("s4d", draw(8, {"inv_dt": (H, N)})),
    "s4d with one copy for all channels": ("s4d", SHARED),
    "s4d with many outputs a channel": ("s4d", draw(9, {"C": (2, H, N, 2), "D": (2, H)})),
    "s4d with a skip": ("s4d", draw(10, {"D": (H,)})),
    "s4d by other transforms": (
        "s4d",
        {"dt_transform": "softplus", "real_transform": "sigmoid", "imag_transform": "relu"},
    ),
    "s4d by exponents": ("s4d", {"real_transform": "softplus", "imag_transform": "exp"}),
    "s4d with fast steps": ("s4d", {"dt_fast": True}),
    "s4d with a limited band": ("s4d", {"bandlimit": 0.2}),
    "s4d of real numbers": ("s4d", REAL | {"is_real": True}),
    "s4d of real numbers, bilinear": ("s4d", REAL | LONG | {"is_real": True}),
    "s4d with negative transitions": ("s4d", LONG | {"A_imag": np.zeros((H, N))}),
    "s4dmin": ("s4dmin", {}),
    "s5": ("s5", {}),
    "s5 bilinear": ("s5", {"discretisation": "bilinear"}),
    "s5 clipped": ("s5", {"clip_eigs": np.array(True)}),
    "s5 without conjugates": ("s5", {"conj_sym": False, "step_rescale": 0.5}),
    "lru": ("lru", {}),
    # Angles beyond half a turn.
    "lru turning fast": ("lru", {"theta_log": np.log(np.linspace(3, 30, P))}),
}


def parameters_of(name: str) -> tuple[str, dict[str, Any]]:
    kind, more = CASES[name]
    parameters = DRAWN[kind] | more
    return kind, {k: v for k, v in parameters.items() if not (parameters.get("is_real") and k == "A_imag")}


@pytest.mark.parametrize("name", CASES)
def test_the_ews_is_the_recurrence(name: str) -> None:
    kind, parameters = parameters_of(name)
    plain = {
        key: value.item() if np.ndim(value) == 0 and hasattr(value, "item") else value
        for key, value in parameters.items()
    }
    states, outputs = PLAIN[kind](plain)
    found = convert(kind, parameters)
    assert error(found.states(U), states) <= CLOSE
    assert error(found.outputs(U), outputs) <= CLOSE
    if name not in DRAWN:
        # The option did something.
        usual = convert(kind, DRAWN[kind]).outputs(U)
        assert usual.shape != outputs.shape or error(outputs, usual) > 1e-3


def test_copies_are_repeated_as_a_whole() -> None:
    """Channels 0, 2, 4 have the first copy of the modes, 1, 3, 5 the second."""
    two = {"A_real": S4D["A_real"][:2], "A_imag": S4D["A_imag"][:2], "B": S4D["B"][:, :2]} | FOUR
    found = convert("s4d", two)
    for c in range(6):
        one = {name: value[c % 2 : c % 2 + 1] for name, value in two.items() if name in ("A_real", "A_imag")}
        one |= {"B": two["B"][:, c % 2 : c % 2 + 1], "inv_dt": two["inv_dt"][c : c + 1], "C": two["C"][:, c : c + 1]}
        np.testing.assert_array_equal(convert("s4d", one).generator.matrix()[0], found.generator.matrix()[c])
        np.testing.assert_array_equal(convert("s4d", one).lift[0], found.lift[c])


@pytest.mark.parametrize("kind", ["s4d", "s5", "lru"])
def test_batches_are_paths_of_their_own(kind: str) -> None:
    found, u = convert(kind, DRAWN[kind]), np.random.default_rng(9).normal(size=(2, 2, STEPS, H))
    assert error(found.states(u)[1, 0], found.states(u[1, 0])) <= CLOSE
    assert error(found.outputs(u)[0, 1], found.outputs(u[0, 1])) <= CLOSE


def test_generators_are_damped_rotations_of_pairs() -> None:
    found = convert("lru", LRU | {"theta_log": np.log(np.linspace(0.5, 3, P))})
    nu, theta = np.exp(LRU["nu_log"]), np.linspace(0.5, 3, P)
    wanted = np.zeros((2 * P, 2 * P))
    for k in range(P):
        wanted[2 * k : 2 * k + 2, 2 * k : 2 * k + 2] = [[nu[k], theta[k]], [-theta[k], nu[k]]]
    np.testing.assert_allclose(found.generator.matrix()[0], wanted, rtol=1e-15)
    assert (found.heads, found.m, found.d, found.width) == (1, 2 * P, H, H)
    channels = convert("s4d", S4D)
    assert (channels.heads, channels.m, channels.d, channels.width) == (H, 2 * N, 1, H)
    np.testing.assert_allclose(
        np.diagonal(channels.generator.matrix()[0])[::2], np.exp(S4D["inv_dt"][0] + S4D["A_real"][0]), rtol=1e-14
    )


def test_real_models_have_real_letters() -> None:
    found = convert("s4d", {k: v for k, v in (S4D | REAL).items() if k != "A_imag"}, is_real=True)
    assert found.m == N
    assert found.states(U).dtype == np.float64


def test_a_mode_that_stands_still_gathers_its_inputs() -> None:
    still = S5 | {"Lambda_re": np.zeros(P), "Lambda_im": np.zeros(P)}
    step = np.exp(S5["log_step"][:, 0])
    for rule in ("zoh", "bilinear"):
        states = convert("s5", still, discretisation=rule).states(U)
        assert error(states, step * np.cumsum(U @ pair(S5["B"]).T, axis=0)) <= CLOSE


def test_keywords_win_over_the_mapping_and_names_have_two_spellings() -> None:
    both = S5 | {"discretisation": "zoh"}
    found = convert("s5", both, discretisation="bilinear")
    np.testing.assert_array_equal(found.lift, convert("s5", S5 | {"discretisation": "bilinear"}).lift)
    complex_ones = S5 | {"B": pair(S5["B"]), "C": pair(S5["C"])}
    np.testing.assert_array_equal(convert("s5", complex_ones).lift, convert("s5", S5).lift)


# A step of one, so that ±2 are the modes where the bilinear transition is 0 or has no value.
UNIT = {"Lambda_im": np.zeros(P), "log_step": np.zeros((P, 1)), "discretisation": "bilinear"}
COPIES = {"A_real": np.ones((2, N)), "A_imag": np.ones((2, N)), "B": np.ones((1, 2, N, 2))}
STRICT = REAL | LONG | {"is_real": True, "logarithm": "principal"}
WRONG: dict[str, tuple[str, dict[str, Any], str]] = {
    "a singular transition": ("s5", UNIT | {"Lambda_re": np.full(P, -2.0)}, "transition is singular: no logarithm"),
    "an undefined transition": ("s5", UNIT | {"Lambda_re": np.full(P, 2.0)}, "undefined"),
    "no real logarithm": ("s4d", STRICT, "no real logarithm; use the doubled form"),
    "an unknown rule": ("s4d", {"disc": "dss"}, r"disc must be one of 'zoh', 'bilinear', got 'dss'"),
    "an unknown transform": ("s4d", {"dt_transform": "square"}, "dt_transform must be one of 'exp'"),
    "an unknown logarithm": ("lru", {"logarithm": "real"}, "logarithm must be one of 'doubled', 'principal'"),
    "a kernel of the other kind": ("s4d", {"l_kernel": 8}, "use the kind s4"),
    "copies that do not divide": ("s4d", COPIES, "2 copies of A and B do not divide 3 channels"),
    "a step of zero": ("s4d", {"inv_dt": np.zeros((H, 1)), "dt_transform": "none"}, "steps must be above 0"),
    "a number that is none": ("lru", {"D": np.full(H, np.nan)}, r"D must be finite, got nan at index \(0,\)"),
    "an unknown key": ("lru", {"steps": 1.0}, "lru has no 'steps'; its parameters and options are nu_log"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_model_is_refused(name: str) -> None:
    kind, wrong, message = WRONG[name]
    parameters = DRAWN[kind] | wrong
    if parameters.get("is_real"):
        parameters = {k: v for k, v in parameters.items() if k != "A_imag"}
    with pytest.raises(ValueError, match=message):
        convert(kind, parameters)


@pytest.mark.skipif(not VECTORS.is_dir(), reason="the stored trajectories are not at hand")
@pytest.mark.parametrize("pattern", ["s4d[-_]*", "s4dmin*", "s5*", "lru*"])
def test_released_trajectories(pattern: str) -> None:
    files = sorted(VECTORS.glob(f"{pattern}.npz"))
    assert files
    for file in files:
        with np.load(file) as stored:
            parameters = dict(stored)
        u, states, outputs = (parameters.pop(name) for name in ("input", "state", "output"))
        found = convert(file.name.replace("_", "-").split("-")[0], parameters)
        assert error(found.states(u), states) <= CLOSE, file.name
        assert error(found.outputs(u), outputs) <= CLOSE, file.name
