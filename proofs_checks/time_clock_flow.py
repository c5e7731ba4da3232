"""Under the time clock the total flow depends on the length of the interval alone, under other clocks on the path."""

from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, PiecewiseLinearPath, Tensor
from ewsmath.clocks import AbstractClock, Observation, Time, Variation
from ewsmath.generators import AbstractGenerator, Diagonal
from ewsmath.norms import norm
from ewsmath.operators import homomorphism
from ewsmath.rings import Ring
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree, differ
from proofs_checks.draws import depths, each_depth, exact_generators
from proofs_checks.faults import flow_of_the_last_letter
from proofs_checks.statement import Mutant, Statement


def over(data: st.DataObject, dim: int, length: fmpq) -> PiecewiseLinearPath[fmpq]:
    """Draw a path with one or two pieces that takes so long; it may jump at its end."""
    times = data.draw(st.sampled_from([[0, length], [0, length / 3, length], [0, length, length]]))
    point = st.lists(rationals(max_numerator=2, max_denominator=2), min_size=dim, max_size=dim)
    return PiecewiseLinearPath(times, [data.draw(point) for _ in times])


def without(whole: Tensor[Any], last: Tensor[Any]) -> Tensor[Any]:
    """S_{0,t} ⊗ S_{s,t}^{−1}: what is left at time t of what was reached at time s."""
    return whole @ last.algebra.inverse(last)


def left_of_the_past(ews: EWS, past: PiecewiseLinearPath[fmpq], X: PiecewiseLinearPath[fmpq]) -> Tensor[Any]:
    """The total flow over X, at the tensor that the past has reached."""
    return without(ews(past.then(X)), ews(X))


def flowed(generator: AbstractGenerator, r: fmpq, a: Tensor[Any]) -> Tensor[Any]:
    """D_A^r a, letter by letter."""
    return homomorphism(generator.exponential(r), a)


@given(st.data())
def check_flow_is_of_the_length(data: st.DataObject) -> None:
    """S_{0,t} ⊗ S_{s,t}^{−1} = D_A^{t−s} S_{0,s} for drawn paths before s and between s and t."""
    generator, depth = data.draw(exact_generators(EE)), data.draw(depths())
    length = data.draw(st.sampled_from([fmpq(1), fmpq(1, 2), fmpq(2), fmpq(0)]))
    ews = EWS(generator, clock=Time(), depth=depth)
    past, X = over(data, generator.dim, fmpq(1)), over(data, generator.dim, length)
    agree(left_of_the_past(ews, past, X), flowed(generator, length, ews(past)), "the total flow and D_A^{t−s}")


@given(st.data())
def check_two_paths_of_one_length(data: st.DataObject) -> None:
    """Two paths of one length leave the same of one past, for nilpotent generators of widths 1 and 2."""
    generator, depth = data.draw(exact_generators(QQ)), data.draw(depths())
    length = data.draw(st.sampled_from([fmpq(1), fmpq(1, 2), fmpq(2)]))
    ews, past = EWS(generator, clock=Time(), depth=depth), over(data, generator.dim, fmpq(1))
    left, right = (left_of_the_past(ews, past, over(data, generator.dim, length)) for _ in range(2))
    agree(left, right, "what two paths of one length leave of the past")


def check_other_clocks_look_at_the_path() -> None:
    """A = 1: a path that rests and one that moves in two pieces, of one length, leave different parts of a past."""
    past = PiecewiseLinearPath([0, 1], [[0], [1]])
    rests, moves = PiecewiseLinearPath([0, 1], [[0], [0]]), PiecewiseLinearPath([0, fmpq(1, 2), 1], [[0], [1], [0]])
    clocks: list[AbstractClock] = [Variation("l1"), Observation()]
    for depth in each_depth(2):
        for clock in clocks:
            ews = EWS(Diagonal(1), clock=clock, depth=depth)
            left, right = (left_of_the_past(ews, past, X) for X in (rests, moves))
            differ(left, right, f"what two paths of one length leave under {clock}")


def of_the_path(self: Time, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
    """‖v‖ in place of Δt."""
    return norm(ring, v, "l1")


def of_the_count(self: Time, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
    """One for each piece in place of Δt."""
    return ring.one


def from_the_left(whole: Tensor[Any], last: Tensor[Any]) -> Tensor[Any]:
    """S_{s,t}^{−1} ⊗ S_{0,t}."""
    return last.algebra.inverse(last) @ whole


HERE = "proofs_checks.time_clock_flow"

STATEMENT = Statement(
    title="Time clock: the total flow depends on the length alone",
    claim=r"\theta_t = t: \qquad S_{0,t} \otimes S_{s,t}^{-1} = D_A^{t-s}(S_{0,s}),"
    r" \text{ whatever } X \text{ does on } [s, t]",
    section="Section 2",
    method="exact on draws",
    leaves_out="Paths that are not piecewise linear; generators whose spectrum leaves Q(i). That other clocks look at "
    "the path is shown by one example each of variation and observation.",
    covers=("Time clock: the total flow depends on the length alone",),
    code=("ewsmath.clocks.Time", "ewsmath.EWS"),
    mutants=(
        Mutant("the clock reads the path", "ewsmath.clocks:Time._step", of_the_path, keeps_depth_one=False),
        Mutant("the clock counts the pieces", "ewsmath.clocks:Time._step", of_the_count, keeps_depth_one=False),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
        Mutant("divided from the left", f"{HERE}:without", from_the_left, keeps_depth_one=True),
    ),
)
