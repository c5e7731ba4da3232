"""An increment clock is invariant exactly when f(cv) = c f(v) for c > 0 and f reads no time stamps."""

from collections.abc import Callable, Sequence
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, PiecewiseLinearPath
from ewsmath.clocks import AbstractClock, Increment
from ewsmath.paths import AbstractPath
from ewsmath.rings import Ring
from ewsmath.strategies import rationals, reparametrisations
from proofs_checks.agreement import agree, differ
from proofs_checks.clock_causality import at, l1
from proofs_checks.statement import Mutant, Statement

Step = Callable[[Sequence[fmpq], fmpq], fmpq]

DIM = 2


def homogeneous(data: st.DataObject) -> Step:
    """Draw a positively homogeneous f: norms, gates, linear forms, their maxima; signed ones run clocks back."""
    a, b = (data.draw(st.lists(rationals(), min_size=DIM, max_size=DIM)) for _ in range(2))

    def form(w: Sequence[fmpq], v: Sequence[fmpq]) -> fmpq:
        return sum((x * y for x, y in zip(w, v, strict=True)), QQ.zero)

    def ratio(v: Sequence[fmpq], gap: fmpq) -> fmpq:
        return v[0] ** 2 / l1(v) if any(v) else QQ.zero

    shapes: list[Step] = [
        lambda v, gap: l1(v),
        lambda v, gap: form(a, v),
        lambda v, gap: max(form(a, v), QQ.zero),
        lambda v, gap: max(form(a, v), form(b, v)),
        ratio,
    ]
    return data.draw(st.sampled_from(shapes))


def two_runs(clock: AbstractClock, X: AbstractPath[Any], phi: PiecewiseLinearPath[fmpq]) -> tuple[Any, Any]:
    """θ(X∘φ) and θ(X)∘φ at the knots of X∘φ; φ leads from 0 to 1 on [0, 1], in whatever direction it runs."""
    knots = sorted({*phi.times, *passages(phi, X.times)})
    Y = PiecewiseLinearPath(knots, [X(phi(t)[0]) for t in knots])
    return clock(Y), [at(clock, X, phi(t)[0]) for t in knots]


def passages(phi: PiecewiseLinearPath[fmpq], heights: Sequence[fmpq]) -> list[fmpq]:
    """The times at which φ passes one of these heights."""
    found = []
    for j in range(phi.steps):
        (low,), (high,) = phi.values[j], phi.values[j + 1]
        for height in heights:
            if min(low, high) < height < max(low, high):
                share = (height - low) / (high - low)
                found.append(phi.times[j] + share * (phi.times[j + 1] - phi.times[j]))
    return found


def on_the_unit_interval(data: st.DataObject) -> PiecewiseLinearPath[fmpq]:
    """Draw a path over [0, 1] with three pieces."""
    point = st.lists(rationals(max_numerator=3, max_denominator=2), min_size=DIM, max_size=DIM)
    return PiecewiseLinearPath([0, fmpq(1, 3), fmpq(1, 2), 1], [data.draw(point) for _ in range(4)])


def clock_of(f: Step) -> Increment:
    """The clock with this step."""
    return Increment(f)


@given(st.data())
def check_homogeneous_clocks_are_invariant(data: st.DataObject) -> None:
    """f(cv) = c f(v) ⇒ θ(X∘φ) = θ(X)∘φ at every knot, for drawn f, X and φ; φ may rest."""
    clock, X = clock_of(homogeneous(data)), on_the_unit_interval(data)
    left, right = two_runs(clock, X, data.draw(reparametrisations()))
    agree(left, right, "θ(X∘φ) and θ(X)∘φ")


def one_kink(f: Step, v: Sequence[fmpq], share: fmpq) -> tuple[fmpq, fmpq]:
    """θ(X∘φ) and θ(X)∘φ at a kink of φ that cuts a piece with increment v, over [0, 1], at a share of it."""
    X = PiecewiseLinearPath([0, 1], [[0] * DIM, v])
    left, right = two_runs(Increment(f), X, PiecewiseLinearPath([0, fmpq(1, 2), 1], [[0], [share], [1]]))
    return left[1], right[1]


@given(st.data())
def check_one_kink_asks_for_homogeneity(data: st.DataObject) -> None:
    """At a kink at share c of a piece v: θ(X∘φ) = f(cv, 1/2) and θ(X)∘φ = c f(v, 1); invariance asks for no less."""
    coefficients = data.draw(st.lists(rationals(), min_size=4, max_size=4))

    def f(v: Sequence[fmpq], gap: fmpq) -> fmpq:
        terms = (QQ.one, v[0], v[0] * v[1], gap)
        return sum((c * x for c, x in zip(coefficients, terms, strict=True)), QQ.zero)

    v = data.draw(st.lists(rationals(), min_size=DIM, max_size=DIM))
    c = data.draw(st.sampled_from([fmpq(1, 4), fmpq(1, 2), fmpq(2, 3)]))
    left, right = one_kink(f, v, c)
    agree(left, f([c * x for x in v], fmpq(1, 2)), "θ(X∘φ) at the kink and f(cv, Δt)")
    agree(right, c * f(v, QQ.one), "θ(X)∘φ at the kink and c f(v, Δt)")


def check_each_hypothesis_is_needed() -> None:
    """‖v‖², 1 + ‖v‖ and the count are not homogeneous; Δt + ‖v‖ reads stamps: each has θ(X∘φ) ≠ θ(X)∘φ."""
    v = [QQ.one, QQ.coerce(2)]
    dropped: dict[str, Step] = {
        "‖v‖², homogeneous of degree two": lambda v, gap: l1(v) ** 2,
        "1 + ‖v‖, affine": lambda v, gap: 1 + l1(v),
        "1 wherever v ≠ 0, homogeneous of degree zero": lambda v, gap: QQ.coerce(int(any(v))),
        "‖v‖ + Δt, which reads the stamps": lambda v, gap: l1(v) + gap,
    }
    for name, f in dropped.items():
        differ(*one_kink(f, v, fmpq(1, 4)), f"θ(X∘φ) and θ(X)∘φ for f = {name}")


class Height(AbstractClock):
    """A clock with the step ‖X‖·‖ΔX‖: homogeneous in the increment, but it reads where the path stands."""

    invariant = can_stop = additive = causal = None

    def increment(self, path: AbstractPath[Any], j: int, ring: Ring[Any]) -> Any:
        """The norm of the point before the piece times that of the increment."""
        moved = [y - x for x, y in zip(path.values[j], path.values[j + 1], strict=True)]
        return l1(path.values[j]) * l1(moved)


def check_points_may_not_be_read() -> None:
    """A step that reads the point too is no function of increments: a kink tells it, though f(X, cv) = c f(X, v)."""
    X = PiecewiseLinearPath([0, 1], [[1] * DIM, [2] * DIM])
    differ(*two_runs(Height(), X, PiecewiseLinearPath([0, fmpq(1, 2), 1], [[0], [fmpq(1, 4)], [1]])), "two runs")


def check_only_forward() -> None:
    """A φ that turns back is no reparametrisation: there ‖v‖ fails, for which f(−v) ≠ −f(v); a linear f does not."""
    X = PiecewiseLinearPath([0, 1], [[0, 0], [1, 2]])
    there_and_back = PiecewiseLinearPath([0, fmpq(1, 3), fmpq(2, 3), 1], [[0], [fmpq(1, 2)], [fmpq(1, 4)], [1]])
    differ(*two_runs(Increment(lambda v, gap: l1(v)), X, there_and_back), "the variation clock run back and forth")
    left, right = two_runs(Increment(lambda v, gap: v[0] - v[1]), X, there_and_back)
    agree(left, right, "a linear clock run back and forth")


def affine_step(f: Step) -> Increment:
    """The step f(v) + 1."""
    return Increment(lambda v, gap: f(v, gap) + 1)


def with_stamps(f: Step) -> Increment:
    """The step f(v) + Δt."""
    return Increment(lambda v, gap: f(v, gap) + gap)


def of_degree_two(f: Step) -> Increment:
    """The step f(v)²."""
    return Increment(lambda v, gap: f(v, gap) ** 2)


HERE = "proofs_checks.increment_clocks"

STATEMENT = Statement(
    title="Invariant increment clocks",
    claim=r"\theta_{t_j} = \sum_{i\le j} f(\Delta X_i): \quad f(cv) = c\,f(v) \text{ for } c > 0"
    r" \;\iff\; \theta(X\circ\varphi) = \theta(X)\circ\varphi \text{ for all } X, \varphi",
    section="Companions of Theorem 1",
    label="Proposition 5",
    method="exact on draws",
    leaves_out="Reparametrisations that are not piecewise linear; paths that are not. The converse is by one kink: "
    "both sides there are computed for quadratic f and found to be f(cv) and c f(v), so that any other f fails.",
    covers=("Proposition 5: which increment clocks are invariant",),
    code=("ewsmath.clocks.Increment",),
    no_depth="A clock is a real path: it has no levels.",
    mutants=(
        Mutant("f + 1: affine", f"{HERE}:clock_of", affine_step, False),
        Mutant("f + Δt: the stamps are read", f"{HERE}:clock_of", with_stamps, False),
        Mutant("f²: homogeneous of degree two", f"{HERE}:clock_of", of_degree_two, False),
    ),
)
