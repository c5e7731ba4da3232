"""When equal EWS mean equal paths: the conditions of Corollary 4, and a counter-example for each one dropped."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, PiecewiseLinearPath
from ewsmath.clocks import AbstractClock, Gated, Time, Variation
from ewsmath.generators import Diagonal
from ewsmath.norms import norm
from ewsmath.rings import Ring
from ewsmath.strategies import reparametrisations
from proofs_checks.agreement import agree, differ
from proofs_checks.draws import depths, each_depth
from proofs_checks.faults import flow_of_the_last_letter
from proofs_checks.statement import Mutant, Statement

Path = PiecewiseLinearPath[Any]

VARIATION = Variation("l1")

LIFT = [[1, 0], [2, 0], [0, 1]]
"""An injective lift of R² that shows the first channel twice, β_1 = 1 and β_2 = 2."""

ENOUGH = 2
"""The depth that tells the paths below apart: their data are rational. Depth one does not tell all of them."""

UPS, SIDES = [fmpq(1), fmpq(1, 2)], [fmpq(-1), fmpq(0), fmpq(1, 2), fmpq(1)]


def ews_of(depth: int, clock: AbstractClock = VARIATION, rates: Any = (0, 1, 0), lift: Any = LIFT) -> EWS:
    """The EWS with A = diag(α_1, α_2, …); the conditions ask for α_1 = 0, α_2 ≠ 0 and an injective lift."""
    return EWS(Diagonal(rates), lift, clock, depth)


def traces(X: Path) -> list[tuple[Any, ...]]:
    """What all X∘φ have in common: the start, and the increments with pieces in one direction made one.

    Piecewise-linear paths without a rest have these in common exactly when one is the other run through otherwise.
    """
    found: list[tuple[Any, ...]] = []
    for dx in X.increments:
        if found and same_direction(X.ring, found[-1], dx):
            dx = tuple(x + y for x, y in zip(found.pop(), dx, strict=True))
        found.append(dx)
    return [X.values[0], *found]


def same_direction(ring: Ring[Any], v: Sequence[Any], w: Sequence[Any]) -> bool:
    """Whether two vectors are positive multiples of one."""
    return all(x * norm(ring, w, "l1") == y * norm(ring, v, "l1") for x, y in zip(v, w, strict=True))


@given(st.data())
def check_equal_ews_iff_reparametrised(data: st.DataObject) -> None:
    """X¹ and Y¹ strictly increase, same start: S(X) = S(Y) exactly when X = Y∘φ; also for α_1 = 1, α_2 = 2."""
    depth = data.draw(depths(3))
    steps = st.lists(st.tuples(st.sampled_from(UPS), st.sampled_from(SIDES)), min_size=1, max_size=2)
    X, Y = (PiecewiseLinearPath.from_increments(data.draw(steps)) for _ in range(2))
    ews = ews_of(depth, rates=data.draw(st.sampled_from([(0, 1, 0), (1, 2, 0)])))
    if traces(X) == traces(Y):
        agree(ews(X), ews(Y), "S(X) and S(Y), X = Y∘φ")
    elif depth >= ENOUGH:
        differ(ews(X), ews(Y), "S(X) and S(Y), X ≠ Y∘φ")


@given(st.data())
def check_reparametrised_paths(data: st.DataObject) -> None:
    """X∘φ has the trace of X, and its EWS."""
    X = PiecewiseLinearPath([0, fmpq(1, 2), 1], [[0, 0], [1, data.draw(st.sampled_from(SIDES))], [2, 0]])
    Y: Any = X.compose(data.draw(reparametrisations(max_kinks=2, rests=False)))
    ews = ews_of(data.draw(depths()))
    agree(traces(X), traces(Y), "what X and X∘φ have in common")
    agree(ews(X), ews(Y), "S(X) and S(X∘φ)")


def check_all_paths_of_two_pieces() -> None:
    """Of all 72 paths with one or two pieces of drawn size, as many EWS differ as paths do up to reparametrisation."""
    steps = list(product(UPS, SIDES))
    paths = [PiecewiseLinearPath.from_increments(v) for J in (1, 2) for v in product(steps, repeat=J)]
    for depth in each_depth(ENOUGH):
        if depth == ENOUGH:
            found = {tuple(ews_of(depth)(X).vector()) for X in paths}
            agree(len(found), len({tuple(traces(X)) for X in paths}), "the number of EWS and of paths")


def same(left: tuple[EWS, Path], right: tuple[EWS, Path], what: str) -> None:
    """A counter-example: equal EWS of paths that are not X and X∘φ."""
    differ(traces(left[1]), traces(right[1]), f"{what}: the two paths")
    agree(left[0](left[1]), right[0](right[1]), f"{what}: the two EWS")


def check_each_condition_is_needed() -> None:
    """For each condition that is dropped, two different paths that have one EWS at every depth tried."""
    X = PiecewiseLinearPath.from_increments([[1, 1], [1, 0]])
    e = EE.exp(EE.coerce(-1))
    for depth in each_depth(3):
        ews = ews_of(depth)
        there_and_back = PiecewiseLinearPath.from_increments([[0, 1], [0, -1], [1, 1], [1, 0]])
        same((ews, X), (ews, there_and_back), "channel 1 rests on an excursion at the start")

        moved = PiecewiseLinearPath(None, [[x + 1 for x in point] for point in X.values])
        same((ews, X), (ews, moved), "another start")

        blind = ews_of(depth, Gated([1, 0]), (0, 1), [[1, 0], [2, 0]])
        same((blind, X), (blind, PiecewiseLinearPath.from_increments([[1, 5], [1, -1]])), "B kills channel 2")

        # The memory of channel 2 is longer by one unit in Y, and its step larger by e: no other coordinate sees it.
        without = ews_of(depth, Time(), (0, 0, 1))
        late = PiecewiseLinearPath([0, 1, 3], [[0, 0], [1, EE.exp(EE.one)], [2, EE.exp(EE.one)]], EE)
        same((without, X), (without, late), "α_2 = 0 = α_1, under the time clock")

        # Both channels of Z are the same multiple of one straight line.
        equal = ews_of(depth, Time(), (1, 1), [[1], [2]])
        short = PiecewiseLinearPath([0, 1], [[0], [1 - e * e]], EE)
        long = PiecewiseLinearPath([0, 2], [[0], [2 * (1 - e)]], EE)
        same((equal, short), (equal, long), "α_1 = α_2 = 1, under the time clock")


def check_clock_must_be_invariant() -> None:
    """Under the time clock X = Y∘φ does not give equal EWS."""
    X = PiecewiseLinearPath.from_increments([[1, 1], [1, 0]])
    for depth in each_depth(2):
        ews = ews_of(depth, Time())
        differ(ews(X), ews(X.reparametrise(lambda t: t * t)), "S(X) and S(X∘φ) under the time clock")


def check_equivalence_is_of_reweighted_paths() -> None:
    """What counts is whether Z is tree-like: X may be while Z is not, and Z may be while X is not."""
    X, W = PiecewiseLinearPath.from_increments([[1, 1], [1, 0]]), PiecewiseLinearPath.from_increments([[2, 3]])
    taking_time = X.restrict(None, 1).then(W).then(W.reversed()).then(X.restrict(1, None))
    e = EE.exp(EE.coerce(-1))
    comes_back = PiecewiseLinearPath([0, 1, 1], [[0], [1], [e]], EE)  # a jump by −(1 − e^{−1})
    for depth in each_depth(3):
        ews, plain = ews_of(depth, Time()), EWS.signature(2, depth)
        agree(ews(X), ews(X.with_excursion(W, 1)), "S of X and of X with an excursion on which the clock stands still")
        agree(plain(X), plain(taking_time), "signatures of X and of X with an excursion that takes time")
        differ(ews(X), ews(taking_time), "EWS of X and of X with an excursion that takes time")
        one = EWS(Diagonal(1), depth=depth)
        agree(one(comes_back), one.algebra.one(), "the EWS of a path that ends at e^{−1}, and 1")


def traces_of_each_piece(X: Path) -> list[tuple[Any, ...]]:
    """The increments as they are: a path with a knot more counts as another."""
    return [X.values[0], *X.increments]


def traces_without_start(X: Path) -> list[tuple[Any, ...]]:
    """The increments alone: paths are the same wherever they start."""
    return traced(X)[1:]


def of_the_stamps(self: Variation, ring: Ring[Any], v: Any, gap: fmpq) -> Any:
    """Δt in place of ‖v‖."""
    return ring.coerce(gap)


def with_both_rates(depth: int, clock: AbstractClock = VARIATION, rates: Any = (0, 1, 0), lift: Any = LIFT) -> EWS:
    """α_1 = 0 and α_2 = 1 even where the condition is to be dropped."""
    return EWS(Diagonal([0, 1, *rates[2:]]), lift, clock, depth)


traced: Any = traces  # the true one, by the name that mutants use

HERE = "proofs_checks.uniqueness"

STATEMENT = Statement(
    title="Uniqueness: when equal EWS mean equal paths",
    claim=r"X^1, Y^1 \text{ strictly monotone},\ X_0 = Y_0,\ B \text{ injective},\ \alpha_1 = 0 \ne \alpha_2,"
    r"\ \theta \text{ invariant}: \qquad S_{\mathbb A}(X) = S_{\mathbb A}(Y) \iff X = Y\circ\varphi",
    section="Theorem 1, uniqueness",
    label="Corollary 4",
    method="exact on draws",
    leaves_out="The theorem speaks of all depths and paths; here depth 2 decides, on paths with at most two pieces of "
    "a few sizes. The counter-examples are equal up to depth 3. Those to α_1 = 0 and α_2 ≠ 0 use the time clock; all "
    "that is needed of the two is that they differ (drawn too). That tree-like Z have equal EWS is shown by examples.",
    covers=("Corollary 4: uniqueness, and each of its hypotheses",),
    code=("ewsmath.EWS", "ewsmath.PiecewiseLinearPath.with_excursion"),
    mutants=(
        Mutant("every knot counts", f"{HERE}:traces", traces_of_each_piece, keeps_depth_one=False),
        Mutant("the start does not count", f"{HERE}:traces", traces_without_start, keeps_depth_one=False),
        Mutant("the clock reads the stamps", "ewsmath.clocks:Variation._step", of_the_stamps, keeps_depth_one=False),
        Mutant("α_1 ≠ α_2 where it is dropped", f"{HERE}:ews_of", with_both_rates, keeps_depth_one=False),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
    ),
)
