"""Cut at every place, at knots and inside steps, the parts of a path join by the modified Chen identity, in floats."""

from collections.abc import Callable

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Array

from ewsnn.clocks import Given
from ewsnn.engine import Segment, chen, local_segments, reduce
from ewsnn.generators import AbstractGenerator
from ewsnn.tensor import group_product
from proofs_checks.draws import depths
from proofs_checks.floats import binary
from proofs_checks.floats.binary import DEPTH, STEPS, in_double_precision, with_clock
from proofs_checks.statement import Mutant, Statement


@eqx.filter_jit
def segments(generator: AbstractGenerator, elapsed: Array, v: Array) -> Segment:
    """The segments of several paths; a step that neither moves nor takes clock time is the unit of ⋆."""
    return reduce(local_segments(generator, elapsed, v, DEPTH))


def joined(first: Segment, second: Segment) -> Segment:
    """The pair of both by ⋆, compiled once for each ⋆."""
    return _joined(chen, first, second)


@eqx.filter_jit
def _joined(star: Callable[[Segment, Segment], Segment], first: Segment, second: Segment) -> Segment:
    return star(first, second)


def earlier_shares(inside: float) -> np.ndarray:
    """For every cut, how much of each step comes before it: a row for each knot, and one for a place in each step."""
    cuts = np.concatenate([np.arange(STEPS + 1), np.arange(STEPS) + inside])
    return np.clip(cuts[:, None] - np.arange(STEPS), 0.0, 1.0)


@given(st.data())
@in_double_precision
def check_every_cut(data: st.DataObject) -> None:
    """D(S_{s,u}) ⊗ S_{u,t} is the exact S_{s,t} for u at every knot, ends too, and at one place inside every step."""
    generator, clock = data.draw(binary.generators()), data.draw(binary.clocks())
    path, depth = with_clock(binary.path(data), clock), data.draw(depths())
    exact, elapsed = binary.exact_states(generator, path, clock), Given()(path)
    # Halves and quarters of a float are floats.
    shares = jnp.asarray(earlier_shares(data.draw(st.sampled_from([0.5, 0.25]))))
    first, second = (
        segments(generator, share * elapsed[None], share[..., None] * path.dx[None]) for share in (shares, 1 - shares)
    )
    both = joined(first, second)
    for j, share in enumerate(np.sum(shares, axis=-1)):
        found = tuple(np.asarray(level)[j] for level in both.levels)
        binary.close(found, exact[-1], exact, depth, f"of the parts before and after {share}, joined")


@given(st.data())
@in_double_precision
def check_three_parts(data: st.DataObject) -> None:
    """(g₁ ⋆ g₂) ⋆ g₃ and g₁ ⋆ (g₂ ⋆ g₃) are both the exact EWS, so the propagators are composed as they should."""
    generator, clock = data.draw(binary.generators()), data.draw(binary.clocks())
    path, depth = with_clock(binary.path(data), clock), data.draw(depths())
    exact, elapsed = binary.exact_states(generator, path, clock), Given()(path)
    start, stop = sorted(data.draw(st.tuples(*2 * (st.integers(0, STEPS),))))
    place = np.arange(STEPS)
    within = [place < start, (start <= place) & (place < stop), place >= stop]
    # As many rows as there are cuts above: the same compilation.
    rows = 2 * STEPS + 1
    g1, g2, g3 = (
        segments(
            generator,
            jnp.broadcast_to(jnp.where(kept, elapsed, 0.0), (rows, STEPS)),
            jnp.broadcast_to(jnp.where(kept[:, None], path.dx, 0.0), (rows, *path.dx.shape)),
        )
        for kept in within
    )
    for name, all_three in (("(12)3", joined(joined(g1, g2), g3)), ("1(23)", joined(g1, joined(g2, g3)))):
        found = tuple(np.asarray(level)[0] for level in all_three.levels)
        binary.close(found, exact[-1], exact, depth, f"of three parts, joined as {name}")


def classical_chen(first: Segment, second: Segment) -> Segment:
    """S_{s,u} ⊗ S_{u,t}."""
    return Segment(first.propagator.then(second.propagator), group_product(first.levels, second.levels))


def chen_on_the_wrong_factor(first: Segment, second: Segment) -> Segment:
    """S_{s,u} ⊗ D(S_{u,t})."""
    flowed = second.propagator.flow(second.levels)
    return Segment(first.propagator.then(second.propagator), group_product(first.levels, flowed))


def chen_in_reverse(first: Segment, second: Segment) -> Segment:
    """S_{u,t} ⊗ D(S_{s,u})."""
    flowed = second.propagator.flow(first.levels)
    return Segment(first.propagator.then(second.propagator), group_product(second.levels, flowed))


def chen_with_a_late_clock(first: Segment, second: Segment) -> Segment:
    """Transport over θ_t − θ_s where θ_t − θ_u belongs."""
    whole = first.propagator.then(second.propagator)
    return Segment(whole, group_product(whole.flow(first.levels), second.levels))


def chen_that_forgets_the_first_clock(first: Segment, second: Segment) -> Segment:
    """The pair keeps the clock increment of the later part alone."""
    return Segment(second.propagator, group_product(second.propagator.flow(first.levels), second.levels))


HERE = "proofs_checks.floats.chunk_joins"

STATEMENT = Statement(
    title="Chunks join at every place",
    claim=r"S_{s,t} = D_A^{\theta_t-\theta_u}(S_{s,u})\otimes S_{u,t} \quad\text{to round-off, for every } u",
    section="Theorem 1(ii); Section 2.2",
    method="experiment",
    leaves_out="Seven steps, two letters, float64, diagonal generators and damped rotations; one place inside each "
    "step at a time. As a formula it is checked in `modified_chen`.",
    covers=("The engine: chunks join at every place by the modified Chen identity",),
    code=("ewsnn.engine.chen", "ewsnn.engine.Segment", "ewsnn.engine.reduce"),
    mutants=(
        Mutant("classical Chen", f"{HERE}:chen", classical_chen, keeps_depth_one=False),
        Mutant("the flow acts on the later factor", f"{HERE}:chen", chen_on_the_wrong_factor, keeps_depth_one=False),
        Mutant("factors exchanged", f"{HERE}:chen", chen_in_reverse, keeps_depth_one=True),
        Mutant("the clock is read too late", f"{HERE}:chen", chen_with_a_late_clock, keeps_depth_one=False),
        Mutant("the pair forgets the first clock", f"{HERE}:chen", chen_that_forgets_the_first_clock, False),
    ),
)
