"""The EWS is continuous in the path, with a rate, where the clock is; without a continuous clock it is not."""

from collections.abc import Sequence
from itertools import pairwise
from math import factorial
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, Matrix, PiecewiseLinearPath, Tensor
from ewsmath.clocks import AbstractClock, Given, Observation, Time, Variation
from ewsmath.generators import AbstractGenerator, Diagonal, Zero
from ewsmath.strategies import generators, rationals
from proofs_checks import definition
from proofs_checks.agreement import agree, at_most
from proofs_checks.definition import remaining
from proofs_checks.draws import Piece, depths, each_depth
from proofs_checks.euclidean import above, largest, not_above
from proofs_checks.statement import Mutant, Statement

Moves = list[list[fmpq]]

SMALL = rationals(max_numerator=2, max_denominator=2)


def size(vector: Sequence[Any]) -> Any:
    """The sum norm ‖x‖ of real numbers of EE; all norms here belong to it, so that none is a root."""
    return sum((largest([x, -EE.coerce(x)]) for x in vector), EE.zero)


def operator_norm(A: Matrix[Any]) -> Any:
    """The largest column sum ‖A‖."""
    return largest(size(column) for column in A.transpose().rows)


def of(clock: AbstractClock, path: Moves) -> list[Piece]:
    """The pieces of a path with the increments of a clock."""
    increments = clock.increments(PiecewiseLinearPath.from_increments(path))
    return [Piece(r, v) for r, v in zip(increments, path, strict=True)]


def clock_distance(X: list[Piece], Y: list[Piece]) -> fmpq:
    """δ = sup_u |(θ_t − θ_u) − (η_t − η_u)|: both are affine between knots, so the knots decide."""
    starts = [[piece.elapsed + R for piece, R in zip(path, remaining(path), strict=True)] for path in (X, Y)]
    return max(abs(x - y) for x, y in zip(*starts, strict=True))


def path_distance(X: list[Piece], Y: list[Piece]) -> fmpq:
    """‖X − Y‖_1 for two paths with the same knots."""
    return sum((abs(a - b) for x, y in zip(X, Y, strict=True) for a, b in zip(x.v, y.v, strict=True)), fmpq(0))


def bound_of_level(n: int, distance: Any, length: Any) -> Any:
    """‖Z − Z'‖_1 M^{n−1}/(n−1)!, where M is a bound of the variation of Z up to u and of Z' from u on."""
    power = EE.one
    for _ in range(n - 1):
        power = power * length
    return distance * power * EE.ratio(1, factorial(n - 1))


def bound(generator: AbstractGenerator, X: list[Piece], Y: list[Piece], n: int) -> Any:
    """The bound of ‖S^{(n)}(X;θ) − S^{(n)}(Y;η)‖; C = e^{‖A‖R}, where R bounds |θ_t − θ_u| and |η_t − η_u|."""
    norm = operator_norm(generator.matrix)
    R = largest(sum((abs(piece.elapsed) for piece in path), fmpq(0)) for path in (X, Y)).as_rational()
    C = EE.exp(norm * R)
    lengths = [size(piece.v) for piece in Y]
    Z_distance = C * (path_distance(X, Y) + norm * clock_distance(X, Y) * sum(lengths, EE.zero))
    M = C * sum((largest([size(x.v), size(y.v)]) for x, y in zip(X, Y, strict=True)), EE.zero)
    return bound_of_level(n, Z_distance, M)


def draw_two_paths(data: st.DataObject, dim: int, steps: int) -> tuple[Moves, Moves]:
    """Two paths with the same knots."""
    path = st.lists(st.lists(SMALL, min_size=dim, max_size=dim), min_size=steps, max_size=steps)
    return data.draw(path), data.draw(path)


def compare(generator: AbstractGenerator, X: list[Piece], Y: list[Piece], depth: int) -> None:
    """Hold the difference of two EWS, by the definition, against its bound."""
    difference = definition.ews(generator, X, depth) - definition.ews(generator, Y, depth)
    for n in range(1, depth + 1):
        not_above(size(difference.level(n)), bound(generator, X, Y, n), f"the difference of level {n} and its bound")


@given(st.data())
def check_bound_for_any_clocks(data: st.DataObject) -> None:
    """The EWS of two paths, each with a clock of its own, differ by at most a multiple of ‖X − Y‖_1 + ‖θ − η‖_∞."""
    depth, generator = data.draw(depths(2)), data.draw(generators(max_dim=2)).over(EE)
    steps = data.draw(st.integers(1, 2))
    clocks = st.lists(SMALL, min_size=steps, max_size=steps).map(Given)
    X, Y = (of(data.draw(clocks), path) for path in draw_two_paths(data, generator.dim, steps))
    compare(generator, X, Y, depth)


@given(st.data())
def check_continuous_clocks(data: st.DataObject) -> None:
    """Time and variation are continuous for p = 1: δ ≤ ‖X − Y‖_1, so that the EWS is continuous in the path alone."""
    depth, generator = data.draw(depths(2)), data.draw(generators(max_dim=2)).over(EE)
    clock = data.draw(st.sampled_from([Time(), Variation("l1")]))
    X, Y = (of(clock, path) for path in draw_two_paths(data, generator.dim, data.draw(st.integers(1, 2))))
    at_most(clock_distance(X, Y), path_distance(X, Y), "the distance of the clocks and that of the paths")
    compare(generator, X, Y, depth)


def check_the_bound_is_reached() -> None:
    """For A = 0 on a line, from 1 to 1 + ε, the bound is more than the difference by a factor of at most 1 + ε."""
    X, Y = [Piece(fmpq(0), [fmpq(1)])], [Piece(fmpq(0), [fmpq(11, 10)])]
    for n in each_depth(3):
        difference = definition.ews(Zero(1, ring=EE), Y, n) - definition.ews(Zero(1, ring=EE), X, n)
        most = bound(Zero(1, ring=EE), X, Y, n)
        not_above(size(difference.level(n)), most, f"the difference of level {n} and its bound")
        not_above(most, size(difference.level(n)) * fmpq(11, 10) ** n, "the bound and (1 + ε)^n times the difference")


def check_the_rate_is_one() -> None:
    """Measured: halving the perturbation halves the difference of each level, up to 2^{-k} of it."""
    generator, clock = Diagonal([1, 2]), Variation("l1")
    path, push = [[1, 0], [1, 1]], [[1, 1], [-1, 2]]

    def difference(n: int, k: int) -> Any:
        moved = [[fmpq(x) + fmpq(y, 2**k) for x, y in zip(*rows, strict=True)] for rows in zip(path, push, strict=True)]
        still = [[fmpq(x) for x in v] for v in path]
        S, T = (definition.ews(generator, of(clock, one), n) for one in (moved, still))
        return size((S - T).level(n))

    for n in each_depth(2):
        for k in (3, 6):
            coarse, fine = difference(n, k), difference(n, k + 1)
            gap = largest([coarse - 2 * fine, 2 * fine - coarse])
            not_above(gap, coarse * fmpq(4, 2**k), f"level {n}: the gap from a factor of 2 at ε = 2^-{k}")


def zigzag(teeth: int) -> Moves:
    """One unit of channel 1, then so many teeth in channel 2, of total length 1, that lead nowhere."""
    height = fmpq(1, 2 * teeth)
    return [[fmpq(1), fmpq(0)], *[[fmpq(0), height], [fmpq(0), -height]] * teeth]


def at_rest(teeth: int) -> Moves:
    """The same without the teeth: what the zigzags approach."""
    return [[fmpq(1), fmpq(0)], *[[fmpq(0), fmpq(0)]] * (2 * teeth)]


def variation_to_the_power(values: Sequence[fmpq], p: int) -> fmpq:
    """‖x‖_p^p of a piecewise-linear path in R: the largest Σ|Δx|^p over all partitions at knots."""
    best = [fmpq(0)]
    for k in range(1, len(values)):
        best.append(max(best[j] + abs(values[k] - values[j]) ** p for j in range(k)))
    return best[-1]


def discontinuous_clock() -> AbstractClock:
    """The variation clock, which is not continuous in p-variation for p > 1."""
    return Variation("l1")


def ews_of(clock: AbstractClock, path: Moves, depth: int) -> Tensor[Any]:
    """The EWS of the library for A = I."""
    stamps = [fmpq(0), fmpq(1), *(1 + fmpq(j, len(path) - 1) for j in range(1, len(path)))]
    return EWS(Diagonal([1, 1]), clock=clock, depth=depth)(PiecewiseLinearPath.from_increments(path, stamps))


def check_variation_clock_in_two_variation() -> None:
    """Zigzags with ‖X − Y‖_2² = 1/(2k) → 0 have EWS that stay apart: at 1…1 by (1 − e^{-1})^n (1 − e^{-n})/n!."""
    for teeth in (1, 2, 4):
        heights = [fmpq(0), *[fmpq(1, 2 * teeth), fmpq(0)] * teeth]
        agree(variation_to_the_power(heights, 2), fmpq(1, 2 * teeth), "the 2-variation of the zigzag, squared")
        for n in each_depth(2):
            gap = ews_of(discontinuous_clock(), at_rest(teeth), n) - ews_of(discontinuous_clock(), zigzag(teeth), n)
            e = EE.exp(EE.coerce(-1))
            base, lost = EE.one, EE.one
            for _ in range(n):
                base, lost = base * (EE.one - e), lost * e
            agree(gap[(1,) * n], base * (EE.one - lost) * EE.ratio(1, factorial(n)), f"the gap at 1…1 on level {n}")


def check_time_clock_in_two_variation() -> None:
    """On the same zigzags the time clock has no such gap: the difference is at most 2/k, and goes to 0."""
    for teeth in (1, 2, 4):
        for n in each_depth(2):
            gap = ews_of(Time(), at_rest(teeth), n) - ews_of(Time(), zigzag(teeth), n)
            not_above(size(gap.level(n)), fmpq(2, teeth), f"the difference of level {n} and 2/k")


def check_observation_clock() -> None:
    """A clock that counts observations is not continuous at all: one more knot on the same path changes the EWS."""
    for n in each_depth(2):
        ews = EWS(Diagonal([1]), clock=Observation(), depth=n)
        once, twice = (ews(PiecewiseLinearPath(None, points)) for points in ([[0], [2]], [[0], [1], [2]]))
        above(
            size((once - twice).level(n)),
            fmpq(1, 4),
            f"the difference of level {n} of one path with two knots and three",
        )


def factorial_of_n(n: int, distance: Any, length: Any) -> Any:
    """‖Z − Z'‖_1 M^{n−1}/n!."""
    return bound_as_it_is(n, distance, length) * EE.ratio(1, n)


bound_as_it_is = bound_of_level


def clocks_taken_for_equal(X: list[Piece], Y: list[Piece]) -> fmpq:
    """δ = 0."""
    return fmpq(0)


def first_variation(values: Sequence[fmpq], p: int) -> fmpq:
    """‖x‖_1, whatever p."""
    return sum((abs(y - x) for x, y in pairwise(values)), fmpq(0))


HERE = "proofs_checks.continuity"

STATEMENT = Statement(
    title="The EWS is continuous in the path where the clock is",
    claim=r"\big\|S^{(n)}(X;\theta)-S^{(n)}(Y;\eta)\big\| \le \frac{M^{n-1}}{(n-1)!}\,C\big(\|X-Y\|_1 +"
    r" \|A\|\,\|Y\|_1 \sup_u |(\theta_t-\theta_u)-(\eta_t-\eta_u)|\big)",
    section="Section 2",
    label="Corollary 2",
    method="exact on draws",
    leaves_out="Continuity in p-variation for 1 < p < 2: the bound is for bounded variation, p = 1, on a common grid "
    "of linear pieces; its constants are ours. In 2-variation only the counter-example is checked, and the time "
    "clock on the paths of the counter-example. The rate is measured on one example. Widths and depths up to 2.",
    covers=("Corollary 2: continuity, with a rate",),
    code=("ewsmath.EWS", "ewsmath.clocks.Variation", "ewsmath.clocks.Time", "ewsmath.clocks.Observation"),
    mutants=(
        Mutant("n! in place of (n−1)!", f"{HERE}:bound_of_level", factorial_of_n, keeps_depth_one=True),
        Mutant("the clocks taken for equal", f"{HERE}:clock_distance", clocks_taken_for_equal, keeps_depth_one=False),
        Mutant("a continuous clock in the counter-example", f"{HERE}:discontinuous_clock", Time, keeps_depth_one=False),
        Mutant("1-variation in place of 2-variation", f"{HERE}:variation_to_the_power", first_variation, False),
    ),
)
