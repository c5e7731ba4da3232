"""The levels of the signature decay like the factorials: no level is larger than a straight line of the same length."""

from functools import reduce
from math import factorial
from operator import mul
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, ExpPoly, ExpPolyPath, ExpPolys, PiecewiseLinearPath, signature
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree, at_most
from proofs_checks.definition import iterated_integrals
from proofs_checks.draws import depths, each_depth
from proofs_checks.euclidean import Move, moves, not_above, square
from proofs_checks.statement import Mutant, Statement

FUNCTIONS = ExpPolys(QQ)


def speeds(path: list[Move]) -> list[list[ExpPoly[fmpq]]]:
    """The speeds of the pieces, each a constant function of its fraction."""
    return [[FUNCTIONS.coerce(x) for x in move.v] for move in path]


def length(path: list[Move]) -> fmpq:
    """The Euclidean length ‖X‖_1."""
    return sum((move.length for move in path), fmpq(0))


def bound(variation: fmpq, n: int) -> fmpq:
    """‖X‖_1^n / n!"""
    return variation**n / factorial(n)


def coordinate_sum(level: list[Any]) -> fmpq:
    """The sum of the absolute values of the coordinates of a level."""
    return sum((abs(x) for x in level), fmpq(0))


@given(st.data())
def check_euclidean_norm(data: st.DataObject) -> None:
    """‖S^{(n)}‖ ≤ ‖X‖_1^n/n! for a path of pieces of rational length; S by the definition."""
    depth, path = data.draw(depths()), data.draw(moves(st.just(fmpq(0)), max_size=4))
    S = iterated_integrals(QQ, speeds(path), depth)
    for n in range(1, depth + 1):
        not_above(square(S.level(n)), bound(length(path), n) ** 2, f"‖S^({n})‖² and the square of the bound")


@given(st.data())
def check_sum_norm(data: st.DataObject) -> None:
    """Σ_w |S^w| ≤ ‖X‖_1^n/n! with lengths in ℓ1, for the signature that the library computes."""
    depth, dim = data.draw(depths()), data.draw(st.integers(1, 3))
    increments = data.draw(st.lists(st.lists(rationals(), min_size=dim, max_size=dim), min_size=1, max_size=4))
    S = signature(PiecewiseLinearPath.from_increments(increments), depth)
    variation = sum((coordinate_sum(v) for v in increments), fmpq(0))
    for n in range(1, depth + 1):
        at_most(coordinate_sum(S.level(n)), bound(variation, n), f"the sum over level {n} and the bound")


@given(st.data())
def check_curve(data: st.DataObject) -> None:
    """The same for curves (c_1 u^p, c_2 u^q) whose coordinates increase, so that the ℓ1 length is c_1 + c_2."""
    depth = data.draw(depths())
    ends = data.draw(st.lists(st.integers(0, 3).map(fmpq), min_size=2, max_size=2))
    powers = data.draw(st.lists(st.integers(1, 4), min_size=2, max_size=2))
    curve = [reduce(mul, [FUNCTIONS.variable] * p).scaled(c) for p, c in zip(powers, ends, strict=True)]
    S = signature(ExpPolyPath.from_functions([0, 1], curve, QQ), depth)
    for n in range(1, depth + 1):
        at_most(coordinate_sum(S.level(n)), bound(sum(ends, fmpq(0)), n), f"the sum over level {n} and the bound")


def check_a_line_reaches_the_bound() -> None:
    """On a straight line both sides are equal at every level, so that nothing in the bound can be less."""
    line = [Move(fmpq(0), [fmpq(3), fmpq(4)], fmpq(5))]
    for n in each_depth(5):
        S = iterated_integrals(QQ, speeds(line), n)
        agree(square(S.level(n)).as_rational(), bound(length(line), n) ** 2, f"‖S^({n})‖² and the square of the bound")


def bound_with_factorials_squared(variation: fmpq, n: int) -> fmpq:
    """‖X‖_1^n / n!², which no line obeys from level two on."""
    return variation**n / factorial(n) ** 2


def displacement(path: list[Move]) -> fmpq:
    """|X_t − X_s|, from start to end in ℓ1, as if the way between did not count."""
    ends = [sum(xs, fmpq(0)) for xs in zip(*(move.v for move in path), strict=True)]
    return coordinate_sum(ends)


def longest_piece(path: list[Move]) -> fmpq:
    """The longest piece in place of all together."""
    return max(move.length for move in path)


HERE = "proofs_checks.signature_decay"

STATEMENT = Statement(
    title="Factorial decay of the signature",
    claim=r"\big\| S(X)^{(n)}_{s,t} \big\| \le \frac{\|X\|_{1;[s,t]}^n}{n!}",
    section="Appendix B",
    method="exact on draws",
    leaves_out="Paths of finite p-variation with p > 1, whose bound has (n/p)! in it: paths here are of bounded "
    "variation, piecewise linear or polynomial. Norms are the Euclidean one and the sum of the coordinates; depths up "
    "to 3, up to 5 on a line.",
    covers=("Appendix B: factorial decay of the signature",),
    code=("ewsmath.signature",),
    mutants=(
        Mutant("n!² in place of n!", f"{HERE}:bound", bound_with_factorials_squared, keeps_depth_one=True),
        Mutant("the displacement in place of the length", f"{HERE}:length", displacement, keeps_depth_one=False),
        Mutant("the longest piece in place of the length", f"{HERE}:length", longest_piece, keeps_depth_one=False),
    ),
)
