"""Split at any of its letters, a level of the EWS is the same: by quadrature over the re-weighted path, in floats."""

from typing import NamedTuple

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Array

from ewsnn.arrays import Levels
from ewsnn.clocks import Given, Observation
from ewsnn.engine import signature_at_nodes
from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.generators import AbstractGenerator, Zero
from proofs_checks.draws import depths
from proofs_checks.floats import binary
from proofs_checks.floats.binary import DEPTH, LETTERS, STEPS, in_double_precision
from proofs_checks.statement import Mutant, Statement

NODES = DEPTH + 6
"""So many are exact to round-off where ‖ΔθA‖ ≤ 1 (``ewsnn.engine.local``)."""


@eqx.filter_jit
def velocity(generator: AbstractGenerator, elapsed: Array, v: Array) -> Array:
    """e^{−(θ_t−θ_u)A}ΔX_j at the nodes u of each step j, weighted to the end in one factor."""
    after = jnp.cumsum(elapsed[::-1])[::-1][:, None] - elapsed[:, None] * gauss_legendre(NODES)[0][None]
    return generator.propagator(after).apply(jnp.broadcast_to(v[:, None], (STEPS, NODES, LETTERS)))


signature = eqx.filter_jit(signature_at_nodes)


class Curve(NamedTuple):
    """A curve known by its velocity, and the quadrature on each of its steps.

    Attributes:
        velocity: At the nodes of each step, (steps, nodes, m).
        weights: Of the quadrature over a step, (nodes,).
        inside: The integration matrix, up to each node, (nodes, nodes).
    """

    velocity: np.ndarray
    weights: np.ndarray
    inside: np.ndarray


def outer(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The tensor product at every node."""
    return (a[..., :, None] * b[..., None, :]).reshape(*a.shape[:-1], -1)


def prefixes(curve: Curve, depth: int) -> list[np.ndarray]:
    """Levels 0 to depth from the start to every node."""
    found = [np.ones((*curve.velocity.shape[:2], 1))]
    for _ in range(depth):
        integrand = outer(found[-1], curve.velocity)
        steps = np.einsum("q,jqf->jf", curve.weights, integrand)
        before = np.cumsum(steps, axis=0) - steps
        found.append(before[:, None] + np.einsum("pq,jqf->jpf", curve.inside, integrand))
    return found


def suffixes(curve: Curve, depth: int) -> list[np.ndarray]:
    """Levels 0 to depth from every node to the end, summed from the end."""
    found = [np.ones((*curve.velocity.shape[:2], 1))]
    for _ in range(depth):
        integrand = outer(curve.velocity, found[-1])
        steps = np.einsum("q,jqf->jf", curve.weights, integrand)
        after = np.cumsum(steps[::-1], axis=0)[::-1] - steps
        found.append(after[:, None] + np.einsum("pq,jqf->jpf", curve.weights - curve.inside, integrand))
    return found


def split(curve: Curve, n: int, k: int) -> np.ndarray:
    """Level n by its letter k: ∫ S^{(k−1)}_{s,u} ⊗ dZ_u ⊗ S^{(n−k)}_{u,t}."""
    before, after = prefixes(curve, k - 1)[-1], suffixes(curve, n - k)[-1]
    return np.einsum("q,jqf->f", curve.weights, outer(outer(before, curve.velocity), after))


@given(st.data())
@in_double_precision
def check_every_split(data: st.DataObject) -> None:
    """The engine's level n is the exact EWS, and so is each split, for the re-weighted paths of drawn generators."""
    generator, path, depth = data.draw(binary.generators()), binary.path(data), data.draw(depths())
    exact = binary.exact_states(generator, path, Given())
    at_nodes = velocity(generator, Given()(path), path.dx)
    binary.close(signature(at_nodes, DEPTH), exact[-1], exact, depth, "by the engine")
    curve = Curve(np.asarray(at_nodes), *gauss_legendre(NODES)[1:])
    for k in range(1, depth + 1):
        # For levels below k the middle letter is their last.
        levels: Levels = tuple(jnp.asarray(split(curve, n, min(k, n))) for n in range(1, depth + 1))
        binary.close(levels, exact[-1], exact, depth, f"split at letter {k}")


@given(st.data())
@in_double_precision
def check_the_plain_signature(data: st.DataObject) -> None:
    """For a polygon ⌈N/2⌉ nodes in each step are enough."""
    path, depth = binary.path(data), data.draw(depths())
    exact = binary.exact_states(Zero(LETTERS), path, Observation())
    nodes = (DEPTH + 1) // 2
    at_nodes = jnp.broadcast_to(path.dx[:, None], (STEPS, nodes, LETTERS))
    binary.close(signature(at_nodes, DEPTH), exact[-1], exact, depth, "of the polygon, by the engine")


def total_minus_prefix(curve: Curve, depth: int) -> list[np.ndarray]:
    """The suffix as the total minus the prefix, which is right for one letter only."""
    rows = prefixes(curve, depth)
    integrands = (outer(row, curve.velocity) for row in rows)
    totals = (np.einsum("q,jqf->f", curve.weights, integrand) for integrand in integrands)
    return [rows[0], *(total - row for total, row in zip(totals, rows[1:], strict=False))]


def without_the_part_inside(curve: Curve, depth: int) -> list[np.ndarray]:
    """Prefixes up to the start of the step where they should go on to the node."""
    return whole_prefixes(curve._replace(inside=np.zeros_like(curve.inside)), depth)


def suffix_in_reverse(curve: Curve, depth: int) -> list[np.ndarray]:
    """The letters of the suffix in reverse."""
    steps, nodes, m = curve.velocity.shape
    turned = []
    for n, row in enumerate(whole_suffixes(curve, depth)):
        axes = range(n + 1, 1, -1)
        turned.append(row.reshape(steps, nodes, *n * (m,)).transpose(0, 1, *axes).reshape(row.shape))
    return turned


def equal_weights(q: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The nodes of Gauss and Legendre, all of one weight."""
    nodes, _, inside = gauss_legendre(q)
    return nodes, np.full(q, 1 / q), inside


def nothing_inside(q: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Prefixes up to the start of a step, suffixes from there on."""
    nodes, weights, inside = gauss_legendre(q)
    return nodes, weights, np.zeros_like(inside)


whole_prefixes, whole_suffixes = prefixes, suffixes  # by these names the mutants have them

HERE = "proofs_checks.floats.split_at_a_letter"

STATEMENT = Statement(
    title="A level may be split at each of its letters",
    claim=r"S^{(n)} = \sum_j\sum_q b_q\, S^{(k-1)}_{s,u_{jq}}\otimes\dot Z_{u_{jq}}\otimes S^{(n-k)}_{u_{jq},t}"
    r" \quad\text{to round-off, for every } k",
    section="Theorem 1(ii)",
    method="experiment",
    leaves_out="Seven steps, two letters, levels up to three, float64, ‖ΔθA‖ ≤ 1. The engine itself splits at the "
    "middle letter alone; the other splits are written out in the check. As a formula the identity is checked in "
    "`middle_letter`, the order of the quadrature in `gauss_collocation`.",
    covers=("The engine: a level may be split at each of its letters",),
    code=("ewsnn.engine.signature_at_nodes", "ewsnn.engine.quadrature.gauss_legendre"),
    mutants=(
        Mutant("suffix as total minus prefix", f"{HERE}:suffixes", total_minus_prefix, keeps_depth_one=True),
        Mutant("the suffix in reverse", f"{HERE}:suffixes", suffix_in_reverse, keeps_depth_one=True),
        Mutant("the prefix ends where the step starts", f"{HERE}:prefixes", without_the_part_inside, True),
        Mutant("in the library, equal weights", "ewsnn.engine.nodes:gauss_legendre", equal_weights, False),
        Mutant("in the library, nothing inside a step", "ewsnn.engine.nodes:gauss_legendre", nothing_inside, True),
    ),
)
