"""The levels of the EWS decay like the factorials, for any generator and any clock."""

from collections.abc import Sequence
from math import factorial, prod
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, PiecewiseLinearPath
from ewsmath.bounds import factorial_bound
from ewsmath.clocks import Given
from ewsmath.generators import Diagonal, Zero
from ewsmath.strategies import generators
from proofs_checks import definition
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths, each_depth
from proofs_checks.euclidean import (
    CLOCK,
    LIFTS,
    Move,
    largest,
    largest_propagator,
    lifted,
    moves,
    normal_generators,
    not_above,
    square,
)
from proofs_checks.statement import Mutant, Statement


def bound(C: Any, lift_norm: fmpq, length: fmpq, n: int) -> Any:
    """(C‖B‖‖X‖_1)^n / n!"""
    power = EE.one
    for _ in range(n):
        power = power * C * EE.coerce(lift_norm * length)
    return power * EE.ratio(1, factorial(n))


def total_length(path: Sequence[Move]) -> fmpq:
    """‖X‖_1."""
    return sum((move.length for move in path), fmpq(0))


@given(st.data())
def check_bound(data: st.DataObject) -> None:
    """‖S^{(n)}‖ ≤ (C‖B‖‖X‖_1)^n/n! with C and ‖B‖ known in closed form; S by the definition, the order decided."""
    depth, (generator, rates) = data.draw(depths(2)), data.draw(normal_generators())
    rows, lift_norm = data.draw(st.sampled_from(LIFTS))
    path = data.draw(moves(CLOCK))
    S = definition.ews(generator, lifted(rows, path), depth)
    C = largest_propagator(rates, [move.elapsed for move in path])
    for n in range(1, depth + 1):
        most = bound(C, lift_norm, total_length(path), n)
        not_above(square(S.level(n)), most * most, f"‖S^({n})‖² and the square of the bound")


@given(st.data())
def check_certified_bound_of_the_library(data: st.DataObject) -> None:
    """`factorial_bound`, a rational, is not below ‖S^{(n)}‖: for every family of generators."""
    depth, generator = data.draw(depths(2)), data.draw(generators(max_dim=2))
    path = data.draw(moves(CLOCK))
    clock = Given([move.elapsed for move in path])
    rows = [[1, 2], [-1, 1]][: generator.dim]
    ews = EWS(generator.over(EE), rows, clock, depth)
    X = PiecewiseLinearPath.from_increments([move.v for move in path])
    S = definition.ews(generator.over(EE), lifted(rows, path), depth)
    for n in range(1, depth + 1):
        not_above(square(S.level(n)), factorial_bound(ews, X, n) ** 2, f"‖S^({n})‖² and the certified bound squared")


def check_it_is_reached() -> None:
    """Without forgetting a straight line has ‖S^{(n)}‖ = (‖B‖‖X‖)^n/n!, at every level."""
    move = Move(fmpq(1), [fmpq(3), fmpq(4)], fmpq(5))
    for rows, lift_norm in LIFTS[:2]:
        for n in each_depth(4):
            S = definition.ews(Zero(2, ring=EE), lifted(rows, [move]), n)
            most = bound(EE.one, lift_norm, move.length, n)
            agree(square(S.level(n)), most * most, f"‖S^({n})‖² and the square of the bound")


def check_a_clock_that_goes_back() -> None:
    """With A = 1 and a clock that first runs and then goes back, C is more than sup over [0, θ_t − θ_s]."""
    path = [Move(fmpq(1), [fmpq(1)], fmpq(1)), Move(fmpq(-3), [fmpq(1)], fmpq(1))]
    for depth in each_depth(2):
        S = definition.ews(Diagonal(1), [Piece(move.elapsed, move.v) for move in path], depth)
        C = largest_propagator([fmpq(1)], [move.elapsed for move in path])
        agree(C, EE.exp(EE.coerce(3)), "C and e³")
        most = bound(C, fmpq(1), fmpq(2), depth)
        not_above(square(S.level(depth)), most * most, f"‖S^({depth})‖² and the square of the bound")


def between_start_and_end(elapsed: Sequence[fmpq]) -> list[fmpq]:
    """[0, θ_t − θ_s], as if the clock were monotone."""
    return [fmpq(0), sum(elapsed, fmpq(0))]


def at_the_start(rates: Sequence[fmpq], elapsed: Sequence[fmpq]) -> Any:
    """‖e^{-(θ_t−θ_s)A}‖ in place of the supremum."""
    return largest(EE.exp(EE.coerce(-rate * sum(elapsed, fmpq(0)))) for rate in rates)


def factorial_squared(n: int) -> int:
    """The number n!² in place of n!."""
    return prod(range(1, n + 1)) ** 2


HERE = "proofs_checks.factorial_decay"

STATEMENT = Statement(
    title="Factorial decay of the EWS",
    claim=r"\big\| S_{\mathbb A}(X;\theta)^{(n)}_{s,t} \big\| \le \frac{(C\,\|B\|\,\|X\|_1)^n}{n!}, \qquad"
    r" C = \sup_{u\in[s,t]} \big\| e^{-(\theta_t-\theta_u)A} \big\|",
    section="Section 2",
    method="exact on draws",
    leaves_out="Paths that are not piecewise linear; finite p-variation with p > 1; widths above 2, depths above 2. "
    "The norm is the Euclidean one. C is known exactly for normal generators; for the others the certified bound of "
    "the library stands for it.",
    covers=("Factorial decay of the EWS",),
    code=("ewsmath.bounds.factorial_bound", "ewsmath.bounds.propagator_bound"),
    mutants=(
        Mutant("n!² in place of n!", f"{HERE}:factorial", factorial_squared, keeps_depth_one=True),
        Mutant("n!² in the certified bound", "ewsmath.bounds:factorial", factorial_squared, keeps_depth_one=True),
        Mutant(
            "C over [0, θ_t − θ_s] alone",
            "proofs_checks.euclidean:extremes",
            between_start_and_end,
            keeps_depth_one=False,
        ),
        Mutant("C at u = s alone", f"{HERE}:largest_propagator", at_the_start, keeps_depth_one=False),
        Mutant(
            "the certified C is 1",
            "ewsmath.bounds:_propagator_bound",
            lambda ews, pieces: fmpq(1),
            keeps_depth_one=False,
        ),
    ),
)
