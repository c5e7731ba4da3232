"""LinOSS and D-LinOSS as EWS against the exact side, on the same binary numbers. Kind: bridge.

The exact side has its own blocks, its own logarithms and its own lifts, in balls of 128 bits, and certifies that its
EWS follows the recurrence. Each float is a few dozen roundings away, 64 eps of the largest. An oscillator at the end of
its range is worse: one rounding of its step is multiplied by the steps twice, 2048 eps for eight steps.
"""

from typing import Any

import numpy as np
import pytest

from ewsmath import Balls, exact, to_numpy
from ewsmath.ssm import AbstractModel, Conversion, DLinOSS, LinOSS, distance
from ewsnn.convert import AbstractConverted, convert

BALLS, STEPS, EPS = Balls(128), 8, float(np.finfo(np.float64).eps)
CLOSE, DEFECTIVE = 64 * EPS, 2048 * EPS
RNG = np.random.default_rng(0)


def draw(*shape: int) -> np.ndarray:
    return RNG.normal(size=shape)


def error(found: np.ndarray, wanted: Any) -> float:
    numbers = np.asarray(to_numpy(wanted))
    assert found.size == numbers.size
    return float(np.abs(found.ravel() - numbers.ravel()).max() / np.abs(numbers).max())


MATRICES = {"B": draw(3, 2, 2), "C": draw(2, 3, 2), "D": draw(2)}
# Steps are 1/2 where they are stored as 0. With dt = 0 and G = 1 the range of D-LinOSS is 0.2… to 19.8….
CASES: dict[str, tuple[str, dict[str, np.ndarray], float]] = {
    "implicit": ("linoss-im", {"A_diag": np.array([0.5, 1.0, 3.0]), "steps": draw(3)}, CLOSE),
    "implicit, no stiffness": ("linoss-im", {"A_diag": np.array([0.0, -1.0, 3.0]), "steps": draw(3)}, CLOSE),
    "mixed": ("linoss-imex", {"A_diag": np.array([0.5, 1.0, 3.0]), "steps": draw(3)}, CLOSE),
    "mixed, negative": (
        "linoss-imex",
        {"A_diag": np.array([16.0, 17.0, 1.0]), "steps": np.zeros(3)},
        CLOSE,
    ),
    "damped": (
        "dlinoss",
        {"A_diag": np.array([1.0, 5.0, 14.0]), "G_diag": np.array([0.2, 1.0, -1.0]), "dt": np.zeros(3)},
        CLOSE,
    ),
    "damped, clipped": (
        "dlinoss",
        {"A_diag": np.array([0.0, 50.0, 10.0]), "G_diag": np.array([1.0, 1.0, 0.0]), "dt": np.array([0.0, 0.5, 0.0])},
        DEFECTIVE,
    ),
}


def both(kind: str, stored: dict[str, np.ndarray]) -> tuple[AbstractConverted, AbstractModel]:
    parameters = stored | MATRICES
    numbers = {name: exact(array) for name, array in parameters.items()}
    if kind == "dlinoss":
        model: AbstractModel = DLinOSS(**numbers)
    else:
        model = LinOSS.from_release(**numbers, discretisation=kind.rpartition("-")[2].upper())
    return convert(kind, parameters), model


@pytest.mark.parametrize("name", CASES)
def test_states_and_outputs_are_exact(name: str) -> None:
    kind, stored, tolerance = CASES[name]
    found, model = both(kind, stored)
    u = np.random.default_rng(1).normal(size=(STEPS, 2))
    conversion, inputs = Conversion(model, BALLS), exact(u)
    assert distance(conversion, inputs).holds(25)
    truth = conversion.run(inputs)
    assert error(found.states(u), truth.states) <= tolerance
    assert error(found.outputs(u), truth.outputs) <= tolerance


@pytest.mark.parametrize("name", ["implicit, no stiffness", "mixed, negative"])
def test_generators_and_lifts_are_exact(name: str) -> None:
    """Where one block has no eigenvectors, both sides have all blocks in the same letters, up to their order."""
    kind, stored, _ = CASES[name]
    found, model = both(kind, stored)
    # Here (Re z', Im z', Re y, Im y), there (Re z', Re y, Im z', Im y).
    order = [0, 2, 1, 3]
    for head, layer in enumerate(Conversion(model, BALLS).layers):
        A = found.generator.matrix()[head][np.ix_(order, order)]
        assert error(A, layer.generator.matrix.rows) <= CLOSE
        assert error(found.lift[head][order], layer.lift.rows) <= CLOSE
