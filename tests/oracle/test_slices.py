"""The SLiCE layer against the exact side, on the same binary numbers: structure × flow × mode. Kind: bridge.

The exact side has structures, flows and compositions of its own, in balls of 128 bits.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ewsmath
from ewsmath import Matrix, PiecewiseLinearPath
from ewsmath import structures as exact
from ewsmath.linear_cde import ews as exact_ews
from ewsmath.rings import Balls
from ewsnn import EWSLayer, Increments, clocks, generators, oracle, slices
from ewsnn.affine import Affine
from ewsnn.slices import SLiCELayer

EPS = float(np.finfo(np.float64).eps)
CHANNELS, SIZE, STEPS = 2, 4, 3
RING = Balls(128)
# A field costs a product with dω terms, its exponential some tens of eps at the norms here, which are up to 4.
TOLERANCE = 50 * EPS * STEPS


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape)


POINTS = drawn(STEPS + 1, CHANNELS)
STRUCTURES = {
    "DE": slices.DE(drawn(CHANNELS, SIZE, SIZE) / 2),
    "D": slices.D(drawn(CHANNELS, SIZE)),
    "BD": slices.BD(drawn(CHANNELS, 2, 2, 2)),
    "DDE": slices.DDE(drawn(CHANNELS, 1), drawn(CHANNELS, 3, 3) / 2),
    "WH": slices.WH(drawn(CHANNELS, SIZE)),
    "DPLR": slices.DPLR(drawn(CHANNELS, SIZE), drawn(CHANNELS, SIZE, 1), drawn(CHANNELS, SIZE, 1) / 2),
    "S": slices.S(drawn(5), [[0, 0, 1], [0, 2, 2], [1, 3, 0], [1, 0, 1], [1, 3, 1]], channels=CHANNELS, size=SIZE),
}


def matrix(array: Any) -> Matrix:
    return Matrix(RING, ewsmath.exact(np.asarray(array)))


def numbers(array: Any) -> Any:
    return ewsmath.exact(np.asarray(array))


def twin(name: str) -> exact.SLiCE:
    """The exact side's structures of the same name, from the parameters."""
    one: Any = STRUCTURES[name]

    def of(i: int) -> exact.AbstractStructure:
        match name:
            case "DE":
                return exact.Dense(matrix(one.dense[i]))
            case "D":
                return exact.Diagonal(RING, numbers(one.diagonal[i]))
            case "BD":
                return exact.BlockDiagonal([matrix(block) for block in one.blocks[i]])
            case "DDE":
                return exact.DiagonalDense(numbers(one.diagonal[i]), matrix(one.dense[i]))
            case "WH":
                return exact.WalshHadamard(RING, numbers(one.diagonal[i]))
            case "DPLR":
                return exact.DiagonalLowRank(numbers(one.diagonal[i]), matrix(one.left[i]), matrix(one.right[i]))
        places = zip(one.places.tolist(), numbers(one.values), strict=True)
        return exact.Sparse(RING, SIZE, {(row, column): x for (channel, row, column), x in places if channel == i})

    return exact.SLiCE([of(i) for i in range(CHANNELS)])


@eqx.filter_jit
def every_mode(layer: SLiCELayer, increments: Increments, start: Any) -> list[jax.Array]:
    modes = ("recurrent", "chunked", "full")
    return [layer(increments, start, output="all", mode=mode, chunk=2) for mode in modes]


def path_of(increments: Increments) -> PiecewiseLinearPath:
    return PiecewiseLinearPath.from_increments(ewsmath.exact(np.asarray(increments.dx)), None, RING)


@pytest.mark.parametrize("flow", ["exact", "first-order"])
@pytest.mark.parametrize("name", STRUCTURES)
def test_every_mode_gives_the_exact_states(name: str, flow: str) -> None:
    start = drawn(SIZE)
    layer = SLiCELayer(Affine(np.eye(SIZE), np.zeros(SIZE)), STRUCTURES[name], flow=flow)
    increments = Increments.from_values(POINTS)
    model, X = twin(name), path_of(increments)
    truth = model.solve(X, ewsmath.exact(start)) if flow == "first-order" else model.cde.solve(X, ewsmath.exact(start))
    for found in every_mode(layer, increments, start):
        assert oracle.relative_error(found, [x for state in truth[1:] for x in state]) <= TOLERANCE


def test_the_propagator_of_a_path_is_the_product_of_its_flows() -> None:
    layer = SLiCELayer(Affine(np.eye(SIZE), np.zeros(SIZE)), STRUCTURES["BD"], flow="first-order")
    increments = Increments.from_values(POINTS)
    batch = jax.tree.map(lambda leaf: jnp.broadcast_to(leaf, (SIZE, *leaf.shape)), increments)
    columns = eqx.filter_jit(layer)(batch, np.eye(SIZE), mode="full")
    truth = twin("BD").propagator(path_of(increments)).matrix
    assert oracle.relative_error(np.asarray(columns).T, [x for row in truth.rows for x in row]) <= TOLERANCE


def test_the_ews_has_the_matrices_and_the_states_of_the_exact_side() -> None:
    layer = EWSLayer(drawn(2, 3), generators.Dense(drawn(2, 2)), clocks.Gated([0.5, -1.0, 0.25], 0.5), depth=2)
    one = slices.slice_of(layer)
    A, B = (matrix(x) for x in (layer.generator.matrix(), layer.lift))
    for found, M in zip(
        np.asarray(eqx.filter_jit(lambda EWS: EWS.matrices())(one.structure)), exact_ews.matrices(A, B, 2), strict=True
    ):
        assert oracle.relative_error(found, [x for row in M.rows for x in row]) <= EPS
    increments = Increments.from_values(drawn(STEPS + 1, 3))
    truth = oracle.exact_stream(layer, increments)
    states = eqx.filter_jit(one)(slices.driven(layer.clock, increments), output="all")
    errors, _ = oracle.level_errors((states[:, 1:3], states[:, 3:].reshape(-1, 2, 2)), truth[1:])
    assert max(errors) <= TOLERANCE
