"""Which clocks are invariant under reparametrisation, which can stop, and which know no subdivision: exactly those."""

from itertools import pairwise
from typing import Any, NamedTuple

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, PiecewiseLinearPath, clocks
from ewsmath.clocks import AbstractClock
from ewsmath.paths import AbstractPath
from ewsmath.rings import Ring
from ewsmath.strategies import rationals, reparametrisations
from ewsmath.strategies.numbers import rates
from proofs_checks.agreement import agree, at_most, differ
from proofs_checks.clock_causality import affine, at, cases, clip, l1
from proofs_checks.statement import Mutant, Statement

FAR = 12
"""A step so long that it decides every gate and every unit, weights being at least 1/2 and biases at most 3."""


class Row(NamedTuple):
    """What the table says of a clock."""

    invariant: bool
    can_stop: bool
    additive: bool


TABLE: dict[type[AbstractClock], Row] = {
    clocks.Time: Row(invariant=False, can_stop=False, additive=True),
    clocks.Observation: Row(invariant=False, can_stop=False, additive=False),
    clocks.Variation: Row(invariant=True, can_stop=False, additive=True),
    clocks.Blended: Row(invariant=False, can_stop=False, additive=True),
    clocks.Gated: Row(invariant=False, can_stop=True, additive=True),
    clocks.Clamped: Row(invariant=False, can_stop=True, additive=False),
}
"""The clock table, gated clocks with a bias; without one they are invariant."""


def row(clock: AbstractClock) -> Row:
    """The row of a clock, not read from the library."""
    found = TABLE[type(clock)]
    return found._replace(invariant=True) if isinstance(clock, clocks.Gated) and clock.bias == 0 else found


def weights(dim: int) -> st.SearchStrategy[list[fmpq]]:
    """Weights that are not all zero."""
    return st.lists(rates(), min_size=dim, max_size=dim).filter(any)


def clocks_of_the_table(dim: int) -> st.SearchStrategy[AbstractClock]:
    """All clocks of the table, without those that never move."""
    return cases(dim, weights(dim)).map(lambda case: case.clock)


def on_the_unit_interval(data: st.DataObject, dim: int) -> PiecewiseLinearPath[fmpq]:
    """Draw a path over [0, 1] with up to three pieces."""
    times = data.draw(st.sampled_from([[0, 1], [0, fmpq(1, 4), 1], [0, fmpq(1, 2), fmpq(3, 4), 1]]))
    point = st.lists(rationals(max_numerator=2, max_denominator=2), min_size=dim, max_size=dim)
    return PiecewiseLinearPath(times, [data.draw(point) for _ in times])


def run_otherwise(clock: AbstractClock, X: AbstractPath[Any], phi: PiecewiseLinearPath[fmpq]) -> tuple[Any, Any]:
    """θ(X∘φ) and θ(X)∘φ, at the knots of X∘φ."""
    Y = X.compose(phi)
    return clock(Y), [at(clock, X, phi(t)[0]) for t in Y.times]


def long_steps(dim: int) -> list[list[int]]:
    """No step, and a long one along each axis in either direction."""
    axes = [[sign * FAR if i == j else 0 for j in range(dim)] for i in range(dim) for sign in (1, -1)]
    return [[0] * dim, *axes]


@given(st.data())
def check_what_the_library_says(data: st.DataObject) -> None:
    """(`invariant`, `can_stop`, `additive`) of every family, gated without a bias and with one, and TABLE."""
    w, b, beta = data.draw(weights(2)), data.draw(rates().filter(bool)), data.draw(st.sampled_from([1, fmpq(1, 2)]))
    gates, units = [clocks.Gated(w, 0), clocks.Gated(w, b)], [clocks.Clamped([w]), clocks.Clamped([w, w], [b, 0])]
    others = [clocks.Time(), clocks.Observation(), clocks.Variation("l1"), clocks.Blended(beta, "l1")]
    for clock in [*others, *gates, *units]:
        agree((clock.invariant, clock.can_stop, clock.additive), tuple(row(clock)), f"the flags of {clock} and its row")


@given(st.data())
def check_invariant(data: st.DataObject) -> None:
    """Clocks said to be invariant: θ(X∘φ) = θ(X)∘φ for every drawn path and reparametrisation."""
    dim = data.draw(st.integers(1, 2))
    clock = data.draw(clocks_of_the_table(dim).filter(lambda clock: row(clock).invariant))
    phi = data.draw(reparametrisations(rests=False))
    left, right = run_otherwise(clock, on_the_unit_interval(data, dim), phi)
    agree(left, right, f"θ(X∘φ) and θ(X)∘φ for {clock}")


@given(st.data())
def check_not_invariant(data: st.DataObject) -> None:
    """The others are not, whatever their weights: one piece, half of the time for its first quarter, tells them."""
    dim = data.draw(st.integers(1, 2))
    clock = data.draw(clocks_of_the_table(dim).filter(lambda clock: not row(clock).invariant))
    phi = PiecewiseLinearPath([0, fmpq(1, 2), 1], [[0], [fmpq(1, 4)], [1]])
    runs = [run_otherwise(clock, PiecewiseLinearPath([0, 1], [[0] * dim, v]), phi) for v in long_steps(dim)]
    differ([left for left, _ in runs], [right for _, right in runs], f"θ(X∘φ) and θ(X)∘φ for {clock}")


@given(st.data())
def check_cannot_stop(data: st.DataObject) -> None:
    """Clocks said not to stop move wherever both the path and its time stamp do."""
    dim = data.draw(st.integers(1, 2))
    clock = data.draw(clocks_of_the_table(dim).filter(lambda clock: not row(clock).can_stop))
    v = data.draw(st.lists(rationals(), min_size=dim, max_size=dim).filter(any))
    gap = data.draw(st.sampled_from([fmpq(1, 8), fmpq(1), fmpq(3)]))
    [step] = clock.increments(PiecewiseLinearPath([0, gap], [[0] * dim, v]))
    at_most(0, step, f"0 and the step of {clock}")
    differ(step, QQ.zero, f"the step of {clock} and 0")


@given(st.data())
def check_can_stop(data: st.DataObject) -> None:
    """Clocks said to stop, gated ones and one clamped unit, stand still on a long step against their weights."""
    dim = data.draw(st.integers(1, 2))
    one_unit = clocks_of_the_table(dim).filter(lambda clock: not isinstance(clock, clocks.Clamped) or units(clock) == 1)
    clock = data.draw(one_unit.filter(lambda clock: row(clock).can_stop))
    steps = [clock.increments(PiecewiseLinearPath([0, 1], [[0] * dim, v]))[0] for v in long_steps(dim)[1:]]
    agree(min(steps), QQ.zero, f"the least step of {clock} and 0")


def units(clock: clocks.Clamped) -> int:
    """The number of units of a clamped clock."""
    return len(clock.weight)


@given(st.data())
def check_opposed_units_never_stop(data: st.DataObject) -> None:
    """Whether several units can all stand still depends on them: those with weights w and −w, and no bias, never do."""
    w, v = data.draw(rates().filter(bool)), data.draw(rationals().filter(bool))
    [step] = clocks.Clamped([[w], [-w]]).increments(PiecewiseLinearPath([0, 1], [[0], [v]]))
    differ(step, QQ.zero, "the step of two opposed units and 0")


def check_gates_that_never_open_are_invariant() -> None:
    """A gate with w = 0 and b < 0 never moves, and so is invariant: the table speaks of clocks that move."""
    phi = PiecewiseLinearPath([0, fmpq(1, 2), 1], [[0], [fmpq(1, 4)], [1]])
    left, right = run_otherwise(clocks.Gated([0], -1), PiecewiseLinearPath([0, 1], [[0], [FAR]]), phi)
    agree(left, right, "θ(X∘φ) and θ(X)∘φ for a gate that stays shut")


@given(st.data())
def check_subdivision(data: st.DataObject) -> None:
    """The third column: what a clock shows at the end is the same after any subdivision, or is told by one."""
    dim = data.draw(st.integers(1, 2))
    clock = data.draw(clocks_of_the_table(dim))
    if row(clock).additive:
        X = on_the_unit_interval(data, dim)
        agree(subdivided(clock, X), clock(X)[-1], f"{clock} after a subdivision and before")
    else:
        runs = [PiecewiseLinearPath([0, 1], [[0] * dim, v]) for v in long_steps(dim)]
        differ([subdivided(clock, X) for X in runs], [clock(X)[-1] for X in runs], f"{clock} after a subdivision")


def subdivided(clock: AbstractClock, X: AbstractPath[Any]) -> Any:
    """The clock at the end of X, every piece of which is cut in the middle, with the stamp there."""
    times = sorted({*X.times, *((s + t) / 2 for s, t in pairwise(X.times))})
    return clock(PiecewiseLinearPath(times, [X(t) for t in times]))[-1]


def squared(self: clocks.Variation, ring: Ring[Any], v: Any, gap: fmpq) -> Any:
    """‖v‖²."""
    return l1(v) ** 2


def of_the_path_alone(self: clocks.Blended, ring: Ring[Any], v: Any, gap: fmpq) -> Any:
    """β‖v‖ without Δt."""
    return self.beta * l1(v)


def without_a_gate(self: clocks.Gated, ring: Ring[Any], v: Any, gap: fmpq) -> Any:
    """w·v + bΔt, of either sign."""
    return affine(self.weight, self.bias, v, gap)


def unclamped(self: clocks.Clamped, ring: Ring[Any], v: Any, gap: fmpq) -> Any:
    """Units that know no largest step: with b = 0 they are homogeneous."""
    rows = zip(self.weight, self.bias or (), strict=True)
    return sum((clip(affine(w, b, v, gap), 0) for w, b in rows), QQ.zero)


NOT_SAID: Any = None
YES: Any = True

STATEMENT = Statement(
    title="The clock table",
    claim=r"\theta(X\circ\varphi) = \theta(X)\circ\varphi \text{ for all } X, \varphi \iff"
    r" \theta \text{ is variation, or gated with } b = 0; \qquad"
    r" f(v, \Delta t) = 0 \text{ for some } v \ne 0, \Delta t > 0 \iff \theta \text{ is gated or clamped}; \qquad"
    r" \theta \text{ is unchanged by subdivision} \iff \theta \text{ is neither observation nor clamped}",
    section="The clock table",
    method="exact on draws",
    leaves_out="Euclidean norms; clocks with w = 0, some of which never move and some of which never stop. “Can stop” "
    "is said of the clamped family: several units stop together only where one step is against all of them, and two "
    "opposed ones never do (checked). The paper's table is lost; this is the reconstructed one.",
    covers=("The clock table: which clocks are invariant, and which can stop",),
    code=("ewsmath.clocks",),
    no_depth="A clock is a real path: it has no levels.",
    mutants=(
        Mutant("variation is not said to be invariant", "ewsmath.clocks:Variation.invariant", NOT_SAID, False),
        Mutant("a blended clock is said to stop", "ewsmath.clocks:Blended.can_stop", YES, False),
        Mutant("variation squared", "ewsmath.clocks:Variation._step", squared, False),
        Mutant("blended without Δt", "ewsmath.clocks:Blended._step", of_the_path_alone, False),
        Mutant("the gate is always open", "ewsmath.clocks:Gated._step", without_a_gate, False),
        Mutant("units without a largest step", "ewsmath.clocks:Clamped._step", unclamped, False),
    ),
)
