"""Clocks are made of increments, and what a clock shows at an observation depends on nothing that comes after."""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, PiecewiseLinearPath, clocks
from ewsmath.clocks import AbstractClock, AbstractIncrementClock
from ewsmath.norms import Norm
from ewsmath.paths import AbstractPath
from ewsmath.rings import Ring
from ewsmath.strategies import paths
from ewsmath.strategies.numbers import rates
from proofs_checks.agreement import agree, differ
from proofs_checks.statement import Mutant, Statement

Formula = Callable[[Sequence[fmpq], fmpq], fmpq]
"""The step f(v, Δt) of a clock."""


class Case(NamedTuple):
    """A clock of the library beside its formula, written out."""

    clock: AbstractIncrementClock
    formula: Formula


def l1(v: Sequence[fmpq]) -> fmpq:
    """Σ |v_i|."""
    return sum((max(x, -x) for x in v), QQ.zero)


def affine(w: Sequence[fmpq], b: fmpq, v: Sequence[fmpq], gap: fmpq) -> fmpq:
    """w·v + b Δt."""
    return sum((x * y for x, y in zip(w, v, strict=True)), b * gap)


def clip(x: fmpq, low: int, high: int | None = None) -> fmpq:
    """The nearest number to x between the two."""
    x = max(x, QQ.coerce(low))
    return x if high is None else min(x, QQ.coerce(high))


def gated(w: list[fmpq], b: fmpq) -> Case:
    """The gate that opens where w·v + bΔt > 0."""
    return Case(clocks.Gated(w, b), lambda v, gap: clip(affine(w, b, v, gap), 0))


def clamped(units: list[tuple[list[fmpq], fmpq]]) -> Case:
    """Units that move by at most one each."""
    clock = clocks.Clamped([w for w, _ in units], [b for _, b in units])
    return Case(clock, lambda v, gap: sum((clip(affine(w, b, v, gap), 0, 1) for w, b in units), QQ.zero))


def cases(dim: int, weights: st.SearchStrategy[list[fmpq]] | None = None) -> st.SearchStrategy[Case]:
    """Every clock of the table with its formula; norms are ℓ1. Shrinks to the time clock."""
    if weights is None:
        weights = st.lists(rates(), min_size=dim, max_size=dim)
    units = st.lists(st.tuples(weights, rates()), min_size=1, max_size=2)
    betas = st.sampled_from([fmpq(1), fmpq(1, 2)])
    return st.one_of(
        st.just(Case(clocks.Time(), lambda v, gap: gap)),
        st.just(Case(clocks.Observation(), lambda v, gap: QQ.one)),
        st.just(Case(clocks.Variation("l1"), lambda v, gap: l1(v))),
        betas.map(lambda beta: Case(clocks.Blended(beta, "l1"), lambda v, gap: gap + beta * l1(v))),
        st.builds(gated, weights, st.one_of(st.just(QQ.zero), rates())),
        units.map(clamped),
    )


@given(st.data())
def check_made_of_increments(data: st.DataObject) -> None:
    """θ_{t_j} = Σ_{i≤j} f(ΔX_i, Δt_i), with the formulas of the table written out here."""
    dim = data.draw(st.integers(1, 2))
    case, X = data.draw(cases(dim)), data.draw(paths(dim, min_steps=1))
    steps = [case.formula(v, gap) for v, gap in zip(X.increments, X.gaps, strict=True)]
    agree(case.clock(X), list(accumulate(steps, initial=QQ.zero)), f"{case.clock} at the knots, and Σ f(ΔX, Δt)")


@given(st.data())
def check_euclidean_variation(data: st.DataObject) -> None:
    """‖(3c, 4c)‖₂ = 5|c|: the Euclidean variation clock where it is rational."""
    c = data.draw(rates())
    X = PiecewiseLinearPath(None, [[0, 0], [3 * c, 4 * c], [3 * c, 4 * c + 1]])
    five = 5 * max(c, -c)
    agree(clocks.Variation("l2")(X), [QQ.zero, five, five + 1], "the Euclidean variation clock and 5|c|, 5|c| + 1")


@given(st.data())
def check_future_changes_nothing(data: st.DataObject) -> None:
    """Of two paths that agree up to a knot, every clock shows the same up to it, whatever they do afterwards."""
    dim = data.draw(st.integers(1, 2))
    clock = data.draw(cases(dim)).clock
    past = data.draw(paths(dim, min_steps=1, max_steps=2))
    first, second = (data.draw(paths(dim, min_steps=1, max_steps=2)) for _ in range(2))
    shown = [clock(past.then(future))[: past.steps + 1] for future in (first, second)]
    agree(shown[0], shown[1], f"{clock} before two futures")


@given(st.data())
def check_inside_a_piece(data: st.DataObject) -> None:
    """Between knots too θ_t reads X up to t only, for those clocks that no subdivision changes."""
    dim = data.draw(st.integers(1, 2))
    clock = data.draw(cases(dim).filter(lambda case: bool(case.clock.additive))).clock
    X = data.draw(paths(dim, min_steps=1).filter(lambda X: X.gaps[-1] > 0))
    t = X.times[-1] - X.gaps[-1] / 3
    seen = clock(X.restrict(None, t))[-1]
    agree(at(clock, X, t), seen, f"{clock} at {t}, by X and by X up to there")


def check_not_inside_a_piece_for_all() -> None:
    """The observation clock, linear between knots, shows inside a piece when the next observation comes."""
    X = PiecewiseLinearPath([0, 1], [[0], [1]])
    t = QQ.ratio(1, 2)
    differ(
        at(clocks.Observation(), X, t), clocks.Observation()(X.restrict(None, t))[-1], "half a piece and a whole one"
    )


def at(clock: AbstractClock, X: AbstractPath[Any], t: fmpq) -> fmpq:
    """θ_t, which is linear between the knots."""
    return PiecewiseLinearPath(X.times, [[value] for value in clock(X)])(t)[0]


step: Any = AbstractIncrementClock.increment  # the true one, by the name that mutants use


def of_the_next_piece(self: AbstractIncrementClock, path: AbstractPath[Any], j: int, ring: Ring[Any]) -> Any:
    """The step over the piece after j, where there is one."""
    return step(self, path, min(j + 1, path.steps - 1), ring)


def counted_back(self: AbstractClock, path: AbstractPath[Any]) -> list[Any]:
    """The clock counts back from the end: θ_t less what it will show there."""
    values = list(accumulate(self.increments(path), initial=path.ring.zero))
    return [value - values[-1] for value in values]


def signed_sum(ring: Ring[Any], v: Sequence[Any], kind: Norm) -> Any:
    """Σ v_i without absolute values."""
    return sum(v, ring.zero)


def unclamped(self: clocks.Clamped, ring: Ring[Any], v: Sequence[Any], gap: fmpq) -> Any:
    """Units that know no largest step."""
    units = zip(self.weight, self.bias or (), strict=True)
    return sum((clip(affine(w, b, v, gap), 0) for w, b in units), QQ.zero)


STATEMENT = Statement(
    title="Clocks are causal, and made of increments",
    claim=r"\theta(X)_{t_j} = \sum_{i \le j} f(\Delta X_i, \Delta t_i); \qquad"
    r" X|_{[0,t]} = Y|_{[0,t]} \;\Rightarrow\; \theta(X)_t = \theta(Y)_t",
    section="Definition 1; the clock table",
    label="Definition 1",
    method="exact on draws",
    leaves_out="Clocks on curves; Euclidean norms that are irrational. The observation and the clamped clock are "
    "causal at observations only: drawn linearly in between, they show when the next one comes (checked).",
    covers=("Definition 1: clocks are causal, and made of increments",),
    code=("ewsmath.clocks.AbstractClock", "ewsmath.clocks.AbstractIncrementClock"),
    no_depth="A clock is a real path: it has no levels.",
    mutants=(
        Mutant(
            "the step of the next piece", "ewsmath.clocks:AbstractIncrementClock.increment", of_the_next_piece, False
        ),
        Mutant("counted back from the end", "ewsmath.clocks:AbstractClock.__call__", counted_back, False),
        Mutant("variation without absolute values", "ewsmath.clocks.variation:norm", signed_sum, False),
        Mutant("units without a largest step", "ewsmath.clocks:Clamped._step", unclamped, False),
    ),
)
