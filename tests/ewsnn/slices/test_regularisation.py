"""The regularisation. Oracle: the Frobenius norms of the matrices with all their entries."""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import EWSBlock
from ewsnn.affine import Affine
from ewsnn.slices import BD, DDE, DE, DPLR, WH, AbstractStructure, D, LogODE, S, SLiCELayer, penalty

EPS = float(np.finfo(np.float64).eps)


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape)


STRUCTURES: dict[str, AbstractStructure] = {
    "DE": DE(drawn(3, 4, 4)),
    "D": D(drawn(3, 4)),
    "BD": BD(drawn(3, 2, 2, 2)),
    "DDE": DDE(drawn(3, 2), drawn(3, 2, 2)),
    "S": S(drawn(5), [[0, 1, 2], [0, 3, 3], [1, 0, 0], [2, 0, 1], [2, 2, 2]], channels=3, size=4),
    "WH": WH(drawn(3, 4)),
    "DPLR": DPLR(drawn(3, 4), drawn(3, 4, 2), drawn(3, 4, 2)),
}
value_and_slope = eqx.filter_jit(eqx.filter_value_and_grad(penalty))


def by_definition(structure: AbstractStructure) -> float:
    return float(np.mean([np.linalg.norm(A, "fro") for A in np.asarray(structure.matrices())]))


@pytest.mark.parametrize("name", STRUCTURES)
def test_it_is_the_mean_frobenius_norm_of_the_matrices_for_every_structure(name: str) -> None:
    structure = STRUCTURES[name]
    found, slope = value_and_slope(structure)
    expected = by_definition(structure)
    assert abs(found - expected) <= 20 * EPS * expected
    # No part of a structure is left out: neither D-DE as a whole, nor the factors of DPLR.
    assert all(bool((leaf != 0).all()) for leaf in jax.tree.leaves(slope))


def test_structures_of_a_model_add_up_and_nothing_else_counts() -> None:
    start = Affine(drawn(4, 3), drawn(4))
    parts = [SLiCELayer(start, STRUCTURES["BD"]), SLiCELayer(start, LogODE(STRUCTURES["D"], 2, 3)), {"head": start}]
    expected = by_definition(STRUCTURES["BD"]) + by_definition(STRUCTURES["D"])
    # The brackets of a window have no parameters of their own.
    assert abs(float(penalty(parts)) - expected) <= 20 * EPS * expected
    assert float(penalty(start)) == 0
    block = eqx.filter_eval_shape(EWSBlock.init, jax.random.key(0), 4, 2, 1)
    assert float(penalty(block)) == 0


@pytest.mark.parametrize("name", ["DE", "WH", "DPLR"])
def test_the_gradient_at_matrices_of_zeros_is_zero(name: str) -> None:
    zeros = jax.tree.map(jnp.zeros_like, STRUCTURES[name])
    found, slope = value_and_slope(zeros)
    assert float(found) == 0
    assert all(bool((leaf == 0).all()) for leaf in jax.tree.leaves(slope))
