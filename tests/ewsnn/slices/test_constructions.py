"""SLiCEs set by hand that track a state exactly: parity and the word problem of A5. Oracle: counting, permutations."""

import itertools

import equinox as eqx
import jax
import numpy as np
import pytest

from ewsnn import Increments
from ewsnn.affine import Affine
from ewsnn.slices import BD, DE, AbstractStructure, D, SLiCELayer

Permutation = tuple[int, ...]

SWAP = np.array([[0.0, 1.0], [1.0, 0.0]])
TURN = np.pi * np.array([[0.0, -1.0], [1.0, 0.0]])


@eqx.filter_jit
def states(layer: SLiCELayer, dx: np.ndarray) -> jax.Array:
    return layer(Increments.integral(dx), output="all")


def fixed(structure: AbstractStructure, start: list[float], flow: str) -> SLiCELayer:
    """A layer that starts at one state, whatever the first point is."""
    return SLiCELayer(Affine(np.zeros((len(start), structure.channels)), start), structure, flow=flow)


@pytest.mark.parametrize(
    "layer",
    [
        fixed(DE(TURN[None]), [1.0, 0.0], "exact"),
        fixed(DE(SWAP[None] - np.eye(2)), [1.0, -1.0], "first-order"),
        # I + A = -1: first-order flows have negative eigenvalues, so that even a diagonal one solves parity.
        fixed(D([[-2.0]]), [1.0], "first-order"),
    ],
    ids=["rotation, exact", "swap, first-order", "sign, first-order"],
)
def test_parity_is_exact_on_ten_thousand_bits(layer: SLiCELayer) -> None:
    bits = np.random.default_rng(0).integers(0, 2, 10_000)
    found = np.asarray(states(layer, np.asarray(bits[:, None], float)))[:, 0]
    parity = np.cumsum(bits) % 2
    assert ((found < 0) == (parity == 1)).all()
    # Not only the sign: rounding adds up to half a turn's error times the number of ones.
    assert np.max(np.abs(found - (1 - 2 * parity))) <= 1e-10


def compose(p: Permutation, q: Permutation) -> Permutation:
    """q acts first."""
    return tuple(p[i] for i in q)


def even(p: Permutation) -> bool:
    return sum(a > b for a, b in itertools.combinations(p, 2)) % 2 == 0


A5 = [p for p in itertools.permutations(range(5)) if even(p)]


def icosahedral() -> dict[Permutation, np.ndarray]:
    """A5 as the rotations of the icosahedron: by the generators s, t with s² = t³ = (st)⁵ = 1 on both sides."""
    golden = (1 + 5**0.5) / 2
    axis = np.array([1.0, golden, golden - 1]) / 2
    half_turn = 2 * np.outer(axis, axis) - np.eye(3)
    third_turn = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    return generated({(1, 0, 3, 2, 4): half_turn, (2, 1, 4, 3, 0): third_turn})


def generated(generators: dict[Permutation, np.ndarray]) -> dict[Permutation, np.ndarray]:
    found = {tuple(range(5)): np.eye(3)}
    waiting = list(found)
    for p in waiting:
        for q, matrix in generators.items():
            if compose(p, q) not in found:
                found[compose(p, q)] = found[p] @ matrix
                waiting.append(compose(p, q))
    return found


def rotation_logarithm(R: np.ndarray) -> np.ndarray:
    angle = np.arccos(np.clip((np.trace(R) - 1) / 2, -1, 1))
    if angle < 1e-6:
        return np.zeros((3, 3))
    if angle > np.pi - 1e-6:
        # A half turn is symmetric: its axis spans the columns of R + I.
        axis = (R + np.eye(3))[:, np.argmax(np.diag(R))]
        x, y, z = np.pi * axis / np.linalg.norm(axis)
        return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return angle / (2 * np.sin(angle)) * (R - R.T)


def test_rotations_represent_the_group() -> None:
    rho = icosahedral()
    assert sorted(rho) == A5
    for p, q in itertools.product(A5, A5):
        assert np.allclose(rho[compose(p, q)], rho[p] @ rho[q], rtol=0, atol=1e-13)


@pytest.mark.parametrize("flow", ["exact", "first-order"])
def test_the_word_problem_of_a5_is_exact_on_a_thousand_tokens(flow: str) -> None:
    # The newest factor of x₁∘⋯∘x_k stands on the right and flows pile up on the left, so a token acts by its inverse.
    rho = icosahedral()
    inverses = [rho[p].T for p in A5]
    A = [rotation_logarithm(R) if flow == "exact" else R - np.eye(3) for R in inverses]
    # Two blocks, which start at different points.
    start = np.array([1.0, 2.0, 4.0, -3.0, 1.0, 0.5])
    layer = fixed(BD(np.stack([A, A], axis=1)), start.tolist(), flow)
    tokens = np.random.default_rng(0).integers(0, 60, 1000)
    h = np.asarray(states(layer, np.eye(60)[tokens]))
    # All states have one length, so a linear read-out and a maximum give the element.
    read_out = np.stack([np.concatenate([R @ start[:3], R @ start[3:]]) for R in inverses])
    answers = np.argmax(h @ read_out.T, axis=1)
    products = list(itertools.accumulate((A5[token] for token in tokens), compose))
    assert [A5[answer] for answer in answers] == products
