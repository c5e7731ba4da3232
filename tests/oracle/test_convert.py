"""S4D, S5, LRU and S4 as EWS against the exact side, on the same binary numbers. Kind: bridge.

The exact side has its own logarithms, lifts and coordinates, in balls of 128 bits, and certifies that its EWS follows
the recurrence. Each float is a few dozen roundings away: 64 eps of the largest. S4 goes through functions of 4×4
matrices: 512 eps.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ewsmath import Balls, exact, to_numpy
from ewsmath.ssm import LRU, S4, S4D, S5, AbstractModel, Conversion, distance
from ewsnn.convert import convert

BALLS, STEPS, CLOSE = Balls(128), 8, 64 * float(np.finfo(np.float64).eps)
H, N, P = 2, 2, 3
RNG = np.random.default_rng(0)
U = RNG.normal(size=(STEPS, H))


def draw(**shapes: tuple[int, ...]) -> dict[str, np.ndarray]:
    return {name: RNG.normal(size=shape) for name, shape in shapes.items()}


def error(found: np.ndarray, wanted: Any) -> float:
    numbers = np.asarray(to_numpy(wanted))
    assert found.size == numbers.size
    return float(np.abs(found.ravel() - numbers.ravel()).max() / np.abs(numbers).max())


KERNEL = draw(inv_dt=(H, 1), A_real=(H, N), A_imag=(H, N), B=(1, H, N, 2), C=(1, H, N, 2), D=(H,))
SHARED = KERNEL | {name: KERNEL[name][:1] for name in ("A_real", "A_imag")} | {"B": KERNEL["B"][:, :1]}
MODES = draw(Lambda_re=(P,), Lambda_im=(P,), B=(P, H, 2), C=(H, P, 2), D=(H,), log_step=(P, 1))
STORED = draw(nu_log=(P,), theta_log=(P,), gamma_log=(P,), B_re=(P, H), B_im=(P, H), C_re=(H, P), C_im=(H, P), D=(H,))
# Half a step times the modes beyond 1, so that transitions are negative.
LONG = {"inv_dt": np.ones((H, 1)), "A_real": np.ones((H, N)), "A_imag": np.zeros((H, N))}
CASES: dict[str, tuple[str, Callable[..., AbstractModel], dict[str, np.ndarray], dict[str, Any]]] = {
    "s4d": ("s4d", S4D.from_release, KERNEL, {}),
    "s4d bilinear": ("s4d", S4D.from_release, KERNEL, {"disc": "bilinear"}),
    "s4d with a step for each mode": ("s4d", S4D.from_release, KERNEL | draw(inv_dt=(H, N)), {}),
    "s4d, negative": ("s4d", S4D.from_release, KERNEL | LONG, {"disc": "bilinear"}),
    "s4d with one copy and a limited band": ("s4d", S4D.from_release, SHARED, {"bandlimit": 0.25}),
    "s4d by other transforms": (
        "s4d",
        S4D.from_release,
        KERNEL,
        {"dt_transform": "softplus", "real_transform": "sigmoid", "imag_transform": "exp", "dt_fast": True},
    ),
    "s4dmin": (
        "s4dmin",
        S4D.from_minimal_release,
        draw(log_dt=(H,), log_A_real=(H, N), A_imag=(H, N), C=(H, N, 2), D=(H,)),
        {},
    ),
    "s5": ("s5", S5.from_release, MODES, {"conj_sym": False}),
    "s5 bilinear": ("s5", S5.from_release, MODES, {"discretisation": "bilinear", "clip_eigs": True}),
    "s5 rescaled": ("s5", S5.from_release, MODES, {"step_rescale": 0.5}),
    "lru": ("lru", LRU.from_release, STORED, {}),
    "s4": ("s4", S4.from_release, KERNEL | draw(P=(1, H, N, 2)), {}),
    "s4 of a kernel": ("s4", S4.from_release, KERNEL | draw(P=(2, H, N, 2)), {"l_kernel": 4}),
}


@pytest.mark.parametrize("name", CASES)
def test_states_and_outputs_are_exact(name: str) -> None:
    kind, release, stored, options = CASES[name]
    numbers = {key: exact(value) if isinstance(value, float) else value for key, value in options.items()}
    model = release(**{key: exact(array) for key, array in stored.items()}, **numbers)
    found, conversion, inputs = convert(kind, stored, **options), Conversion(model, BALLS), exact(U)
    assert distance(conversion, inputs).holds(25)
    truth, tolerance = conversion.run(inputs), 8 * CLOSE if kind == "s4" else CLOSE
    states = np.asarray(to_numpy(truth.states)).reshape(STEPS, *found.states(U).shape[1:-1], -1)
    # The exact side has the states of S4 with their conjugates behind them.
    wanted = states[..., : states.shape[-1] // 2] if kind == "s4" else states
    assert np.abs(found.states(U) - wanted).max() <= tolerance * np.abs(wanted).max()
    assert error(found.outputs(U), truth.outputs) <= tolerance


@pytest.mark.parametrize("name", ["s5", "s5 bilinear", "lru"])
def test_generators_lifts_and_read_outs_are_exact(name: str) -> None:
    kind, release, stored, options = CASES[name]
    conversion = Conversion(release(**{key: exact(array) for key, array in stored.items()}, **options), BALLS)
    found: Any = convert(kind, stored, **options)
    assert error(found.generator.matrix(), conversion.generator.matrix.rows) <= CLOSE
    assert error(found.generator.exponential(), conversion.generator.exponential(1).rows) <= CLOSE
    assert error(found.lift, conversion.lift.rows) <= CLOSE
    assert error(found.readout.matrix, conversion.readout.rows) <= CLOSE
