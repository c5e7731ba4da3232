"""The re-weighted path inherits a monotone channel: where row k of A is α e_kᵀ and row k of B is (β, 0, …, 0)."""

from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, SR, ExpPolys, Matrix, PiecewiseLinearPath
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Dense, Rotation
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree, at_most
from proofs_checks.draws import depths
from proofs_checks.faults import flow_of_the_last_letter
from proofs_checks.statement import Mutant, Statement

M, D = 2, 2
"""Width of the lift, channels of the path. The channel that is inherited is the last one, k = M."""

nonzero = rationals(max_numerator=2, max_denominator=2).filter(bool)


def generator_of(alpha: Any, rest: list[Any]) -> AbstractGenerator:
    """A matrix whose last row is (0, …, 0, α): below a first row of any kind."""
    return Dense([rest, [0, alpha]])


def lift_of(beta: Any, rest: list[Any]) -> list[list[Any]]:
    """A lift whose last row is (β, 0, …, 0)."""
    return [rest, [beta, 0]]


def check_projection_commutes_for_all_parameters() -> None:
    """π e^{−rA} = e^{−αr} π and π B = β π_1 as formulas in all entries and in r, π the last coordinate."""
    alpha, beta, a, b, c, d, r = SR.symbols("alpha beta a b c d r")
    pi = Matrix(SR, [[0, 1]])
    A, B = generator_of(alpha, [a, b]), Matrix(SR, lift_of(beta, [c, d]))
    agree(pi @ A.exponential(r), pi * SR.exp(-alpha * r), "π e^{−rA} and e^{−αr} π")
    agree(pi @ B, Matrix(SR, [[beta, 0]]), "π B and β π_1")


def draw(data: st.DataObject, depth: int) -> tuple[EWS, fmpq, fmpq, PiecewiseLinearPath[fmpq]]:
    """Draw such a pair (A, B) with a path of two pieces whose first channel strictly increases; α and β beside them."""
    small = rationals(max_numerator=2, max_denominator=2)
    alpha, beta = data.draw(small), data.draw(nonzero)
    rest = [data.draw(st.lists(small, min_size=M, max_size=M)) for _ in range(2)]
    ups = data.draw(st.lists(st.sampled_from([fmpq(1), fmpq(1, 2), fmpq(2)]), min_size=2, max_size=2))
    X = PiecewiseLinearPath.from_increments([[up, data.draw(small)] for up in ups])
    clock = Given(data.draw(st.lists(small, min_size=2, max_size=2)))
    return EWS(generator_of(alpha, rest[0]), lift_of(beta, rest[1]), clock, depth), alpha, beta, X


@given(st.data())
def check_channel_is_strictly_monotone(data: st.DataObject) -> None:
    """The slope of πZ on each piece is one exponential, its coefficient of the sign of β, whatever the clock does."""
    ews, alpha, beta, X = draw(data, 1)
    inherited = ews.reweighted(X)
    remains = sum(ews.clock.increments(X), QQ.zero)
    for j, (v, r) in enumerate(zip(X.increments, ews.clock.increments(X), strict=True)):
        slope = inherited.piece(j).functions[-1].derivative()
        # e^{−α(R + r(1−u))} β ΔX^1, written out
        expected = ExpPolys(EE).exponential(alpha * r).scaled(EE.exp(EE.coerce(-alpha * remains)) * beta * v[0])
        agree(slope.over(EE), expected, "the slope of πZ and β e^{−α(θ_t−θ_u)} dX¹")
        [((power, exponent), c)] = slope.over(EE).terms.items()
        [(q, scale)] = c.terms.items()
        agree((power, exponent.is_real, q.is_real), (0, True, True), "the slope is c e^{x} with real x")
        at_most(0, scale.as_rational() * beta, "0 and c β")
        remains = remains - r


@given(st.data())
def check_words_of_that_letter(data: st.DataObject) -> None:
    """N! ⟨k…k, S⟩ = ⟨k, S⟩^n, and ⟨k, S⟩ is that of the first channel alone with the generator α and the lift β."""
    depth = data.draw(depths())
    ews, alpha, beta, X = draw(data, depth)
    S = ews(X)
    alone = EWS(Dense([[alpha]]), [[beta]], ews.clock, 1)(X.lift([[1, 0]]))
    power, factorial = EE.one, 1
    for n in range(1, depth + 1):
        power, factorial = power * EE.coerce(alone[1]), factorial * n
        agree(EE.coerce(S[(M,) * n]) * factorial, power, f"{n}! ⟨k…k, S⟩ and the power of the channel alone")


def slope(generator: AbstractGenerator, lift: list[list[Any]], v: list[int], u: int) -> int:
    """The sign of the slope of πZ at a fraction u of one piece with increment v, over one unit of clock time."""
    Z = EWS(generator, lift).reweighted(PiecewiseLinearPath.from_increments([v]))
    value = EE.coerce(Z.piece(0).functions[-1].derivative()(u))
    if not value:
        return 0
    return 1 if EE.maximum(value, EE.zero) == value else -1


def check_each_hypothesis_is_needed() -> None:
    """X¹ rises, yet πZ turns back under a rotation, falls under a lift that reads X² too, and rests where β = 0."""
    turns = [slope(Rotation(0, 3), [[0], [1]], [1], u) for u in (0, 1)]  # cos 3(1−u)
    agree(turns, [-1, 1], "the signs of the slope of πZ under a rotation, at start and end")
    agree(slope(Dense([[1]]), [[1, 1]], [1, -4], 1), -1, "the sign of the slope of πZ, π B = π_1 + π_2")
    agree(slope(Dense([[1]]), [[0, 0]], [1, -4], 1), 0, "the slope of πZ where β = 0")


def column_in_place_of_row(alpha: Any, rest: list[Any]) -> AbstractGenerator:
    """The transposed matrix: α e_k is the last column."""
    return Dense([[rest[0], 0], [rest[1], alpha]])


def lift_that_mixes(beta: Any, rest: list[Any]) -> list[list[Any]]:
    """A lift whose last row reads the second channel too."""
    return [rest, [beta, 1]]


HERE = "proofs_checks.inherited_channel"

STATEMENT = Statement(
    title="The re-weighted path inherits a monotone channel",
    claim=r"\pi e^{-rA} = e^{-\alpha r}\pi,\ \pi B = \beta\pi_1,\ \beta \ne 0: \qquad"
    r" d(\pi Z^{[t]})_u = \beta\, e^{-\alpha(\theta_t-\theta_u)}\, dX^1_u",
    section="Theorem 1, uniqueness",
    label="Lemma 10",
    method="symbolic",
    leaves_out="Symbolic is that π commutes, at width 2; the slope of πZ is on draws of two pieces, rational rates. "
    "Paths that are not piecewise linear; complex α, for which there is no monotone channel.",
    covers=("Lemma 10: the re-weighted path inherits a monotone channel",),
    code=("ewsmath.EWS.reweighted",),
    mutants=(
        Mutant("α in a column, not in a row", f"{HERE}:generator_of", column_in_place_of_row, keeps_depth_one=False),
        Mutant("the lift reads another channel too", f"{HERE}:lift_of", lift_that_mixes, keeps_depth_one=False),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
    ),
)
