"""The Log-ODE method against the exact side, on the same binary numbers. Kind: bridge.

The exact side takes the logarithm of the signature word by word and acts by words, so that it has no basis of brackets;
its flows are exponentials in balls.
"""

from typing import Any

import equinox as eqx
import jax
import numpy as np
import pytest

import ewsmath
from ewsmath import Matrix, PiecewiseLinearPath
from ewsmath.linear_cde import LinearCDE, log_ode
from ewsmath.rings import Balls
from ewsnn import Increments, oracle
from ewsnn.affine import Affine
from ewsnn.slices import BD, DE, AbstractStructure, LogODE, SLiCELayer

EPS = float(np.finfo(np.float64).eps)
CHANNELS, SIZE, STEPS, SAMPLES = 3, 4, 5, 3
RING = Balls(128)
STEP_OF = {"exact": "exact", "first-order": "euler"}


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape)


# The last channel is the time, unevenly spaced; the last window has two steps of three.
TIMES = np.array([0.0, 0.25, 1.0, 1.125, 2.0, 4.0])
POINTS = np.concatenate([drawn(STEPS + 1, CHANNELS - 1), TIMES[:, None]], axis=1)
START = drawn(SIZE)


@eqx.filter_jit
def states(layer: SLiCELayer, increments: Increments) -> jax.Array:
    return layer(increments, POINTS[0], output="all")


def exact_states(structure: AbstractStructure, depth: int, step: Any) -> list[list[Any]]:
    """The states behind the windows."""
    cde = LinearCDE([Matrix(RING, ewsmath.exact(A)) for A in np.asarray(structure.matrices())])
    X = PiecewiseLinearPath(ewsmath.exact(TIMES), ewsmath.exact(POINTS), RING)
    h, found = [RING.coerce(x) for x in ewsmath.exact(START)], []
    for F in log_ode(cde, X, depth, SAMPLES, step):
        h = F.apply(h)
        found.append(h)
    return found


DENSE, BLOCKS = DE(drawn(CHANNELS, SIZE, SIZE) / 4), BD(drawn(CHANNELS, 2, 2, 2) / 2)


@pytest.mark.parametrize(
    ("structure", "depth", "flow"),
    [
        (DENSE, 3, "exact"),
        (DENSE, 2, "first-order"),
        (BLOCKS, 1, "exact"),
        (BLOCKS, 2, "exact"),
        (BLOCKS, 3, "first-order"),
    ],
)
def test_windows_are_the_log_ode_of_the_exact_side(structure: AbstractStructure, depth: int, flow: str) -> None:
    layer = SLiCELayer(Affine(np.zeros((SIZE, CHANNELS)), START), LogODE(structure, depth, SAMPLES), flow=flow)
    # The time of the increments is that of the stamps, and comes by its own channel.
    increments = Increments.from_values(POINTS[:, :-1], TIMES).with_time()
    found = np.asarray(states(layer, increments))
    truth = exact_states(structure, depth, STEP_OF[flow])
    assert found.shape == (2, SIZE)
    for h, exact in zip(found, truth, strict=True):
        # Some tens of sums of products for the log-signature, the brackets and the flow.
        assert oracle.relative_error(h, exact) <= 100 * EPS
