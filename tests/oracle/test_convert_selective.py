"""Selective models as EWS against the exact side, on the same binary numbers. Kind: bridge.

The exact side has its own recurrence, its own increments and its own EWS, in balls of 128 bits, and certifies that they
agree; here the floats are held against its numbers. Each float is a few dozen roundings away: 64 eps of the largest.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ewsmath import Balls, exact, to_numpy
from ewsmath.ssm import (
    S6,
    AbstractModel,
    Conversion,
    HeadGate,
    Mamba1,
    Mamba2,
    MultiScaleRetention,
    Retention,
    SSDScan,
    Token,
    distance,
)
from ewsnn.convert import convert
from ewsnn.convert.attention import LinearAttention, retention, ssd

BALLS, CLOSE, STEPS = Balls(128), 64 * np.finfo(np.float64).eps, 4
RNG = np.random.default_rng(0)


def draw(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape) / np.sqrt(shape[-1])


def error(found: np.ndarray, wanted: Any) -> float:
    numbers = to_numpy(wanted)
    assert found.size == numbers.size
    return float(np.abs(found.ravel() - numbers.ravel()).max() / np.abs(numbers).max())


S6_PARAMETERS = {
    "A_log": draw(3, 2),
    "D": draw(3),
    "x_proj.weight": draw(5, 3),
    "dt_proj.weight": draw(3, 1),
    "dt_proj.bias": draw(3),
}
MAMBA1_PARAMETERS = S6_PARAMETERS | {
    "in_proj.weight": draw(6, 2),
    "conv1d.weight": draw(3, 1, 2),
    "conv1d.bias": draw(3),
    "out_proj.weight": draw(2, 3),
}
# Two heads of two values in two groups, two weights: 4 channels, 4 + 2·2·2 convolved, 4 + 12 + 2 projected.
MAMBA2_PARAMETERS = {
    "A_log": draw(2),
    "dt_bias": draw(2),
    "D": draw(2),
    "in_proj.weight": draw(18, 2),
    "conv1d.weight": draw(12, 1, 2),
    "conv1d.bias": draw(12),
    "norm.weight": draw(4),
    "out_proj.weight": draw(2, 4),
    "headdim": 2,
    "ngroups": 2,
    "init_states": draw(2, 2, 2),
    "dt_limit": np.array([0.25, 1.0]),
    "norm_before_gate": True,
}
RETENTION_PARAMETERS = {
    "q_proj.weight": draw(8, 2),
    "k_proj.weight": draw(8, 2),
    "v_proj.weight": draw(6, 2),
    "angle": np.repeat([0.75, 4.5], 2),
    "decay": np.array([0.9, 0.5]),
    "num_heads": 2,
}


def numbers(parameters: dict[str, Any], *names: str) -> list[Any]:
    return [exact(parameters[name]) for name in names]


def s6() -> AbstractModel:
    return S6(*numbers(S6_PARAMETERS, *S6_PARAMETERS))


def mamba1() -> AbstractModel:
    p = MAMBA1_PARAMETERS
    rest = dict(zip(("in_proj", "conv1d_weight", "conv1d_bias", "out_proj"), list(p)[5:], strict=True))
    return Mamba1(*numbers(p, *S6_PARAMETERS), **{name: exact(p[key]) for name, key in rest.items()})


def mamba2() -> AbstractModel:
    p = MAMBA2_PARAMETERS
    return Mamba2(
        *numbers(p, *list(p)[:8]),
        headdim=2,
        ngroups=2,
        norm_before_gate=True,
        dt_limit=exact(p["dt_limit"]),
        init_states=exact(p["init_states"]),
    )


def multi_scale_retention() -> AbstractModel:
    return MultiScaleRetention(*numbers(RETENTION_PARAMETERS, *list(RETENTION_PARAMETERS)[:5]))


CASES: dict[str, tuple[dict[str, Any], int, Callable[[], AbstractModel]]] = {
    "s6": (S6_PARAMETERS, 3, s6),
    "mamba1": (MAMBA1_PARAMETERS, 2, mamba1),
    "mamba2": (MAMBA2_PARAMETERS, 2, mamba2),
    "retention": (RETENTION_PARAMETERS, 2, multi_scale_retention),
}


@pytest.mark.parametrize("kind", CASES)
def test_states_outputs_and_path_are_exact(kind: str) -> None:
    parameters, width, model = CASES[kind]
    u = np.random.default_rng(1).normal(size=(STEPS, width))
    conversion, inputs = Conversion(model(), BALLS), exact(u)
    assert distance(conversion, inputs).holds(30)
    truth, found = conversion.run(inputs), convert(kind, parameters)
    assert error(found.states(u), truth.states) <= CLOSE
    assert error(found.outputs(u), truth.outputs) <= CLOSE
    dx, dtheta = found.path(u)
    moves = conversion.increments(inputs)
    if kind == "retention":
        # There a layer is a head and a pair of keys, with the pairs of all values; here a head and a value, with all
        # keys: (head, value, pair, two) becomes (head, pair, value, two).
        dx = dx.reshape(len(dx), 2, 3, 2, 2).swapaxes(2, 3).reshape(len(dx), 4, 6)
        dtheta = dtheta[:, :4]
    assert error(np.swapaxes(dx, 0, 1), [[move.dx for move in layer] for layer in moves]) <= CLOSE
    assert error(dtheta.T, [[move.dtheta for move in layer] for layer in moves]) <= CLOSE


def judge(found: LinearAttention, model: AbstractModel, inputs: list[Any], states: np.ndarray) -> None:
    conversion = Conversion(model, BALLS)
    assert distance(conversion, inputs).holds(30)
    truth = conversion.run(inputs)
    assert error(states, truth.states) <= CLOSE
    assert error(found.outputs(), truth.outputs) <= CLOSE


def test_retention_with_rotary_keys_is_exact() -> None:
    q, k, v = draw(STEPS, 2, 4), draw(STEPS, 2, 4), draw(STEPS, 2, 3)
    decay, angle = np.array([0.9, 1.0]), np.array([0.75, 4.5])
    model = Retention(exact(decay), keys=4, values=3, angle=exact(angle))
    found = retention(q, k, v, decay, angle)
    judge(found, model, [Token(*exact(list(token))) for token in zip(q, k, v, strict=True)], found.states())


def test_ssd_is_exact() -> None:
    x, delta, B, C = draw(STEPS, 2, 3), np.exp(draw(STEPS, 2)), draw(STEPS, 1, 2), draw(STEPS, 1, 2)
    rate, D, start = np.array([0.5, 2.0]), draw(2), draw(2, 3, 2)
    model = SSDScan(exact(rate), values=3, weights=2, D=exact(D), initial_state=exact(start))
    found = ssd(x, delta, rate, B, C, D, np.swapaxes(start, 1, 2))
    gates = [HeadGate(*exact(list(gate))) for gate in zip(x, delta, B, C, strict=True)]
    judge(found, model, gates, np.swapaxes(found.states(), -1, -2))
