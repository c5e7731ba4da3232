"""The re-weighted path is of finite variation where the path is."""

from collections.abc import Sequence
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, SR, ExpPolys, PiecewiseLinearPath
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Diagonal, Zero
from proofs_checks import definition
from proofs_checks.agreement import agree
from proofs_checks.definition import remaining
from proofs_checks.draws import Piece
from proofs_checks.euclidean import (
    CLOCK,
    LIFTS,
    Move,
    above,
    largest_propagator,
    lifted,
    moves,
    normal_generators,
    not_above,
    square,
)
from proofs_checks.statement import Mutant, Statement

FRACTIONS = [fmpq(0), fmpq(1, 3), fmpq(1, 2), fmpq(1)]
"""The knots of the partition within a piece."""


def chord(generator: AbstractGenerator, piece: Piece, remains: Any, start: fmpq, end: fmpq) -> list[Any]:
    """The increment of Z between two fractions of a piece: its speed e^{-(R+r(1-u))A} v, integrated."""
    speed = definition.weighted_speed(generator, piece, remains)
    return [f.integral()(end) - f.integral()(start) for f in speed]


def library_chord(
    generator: AbstractGenerator, path: Sequence[Move], rows: Any, j: int, ends: tuple[fmpq, fmpq]
) -> Any:
    """The same increment of the path that the library re-weights."""
    ews = EWS(generator.over(EE), rows, Given([move.elapsed for move in path]))
    Z = ews.reweighted(PiecewiseLinearPath.from_increments([move.v for move in path]))
    return [f(ends[1]) - f(ends[0]) for f in Z.piece(j).functions]


def most(C: Any, lift_norm: fmpq, length: fmpq) -> Any:
    """The bound C‖B‖‖ΔX‖ of a chord."""
    return C * EE.coerce(lift_norm * length)


@given(st.data())
def check_every_chord(data: st.DataObject) -> None:
    """‖Z_b − Z_a‖ ≤ C‖B‖‖X_b − X_a‖ within a piece, so ‖Z‖_1 ≤ C‖B‖‖X‖_1 whatever the partition."""
    generator, rates = data.draw(normal_generators())
    rows, lift_norm = data.draw(st.sampled_from(LIFTS))
    path = data.draw(moves(CLOCK))
    pieces = lifted(rows, path)
    C = largest_propagator(rates, [move.elapsed for move in path])
    start, end = sorted(data.draw(st.lists(st.sampled_from(FRACTIONS), min_size=2, max_size=2, unique=True)))
    for j, (move, remains) in enumerate(zip(path, remaining(pieces), strict=True)):
        found = chord(generator.over(EE), pieces[j], remains, start, end)
        bound = most(C, lift_norm, (end - start) * move.length)
        not_above(square(found), bound * bound, "a chord of Z, squared, and its bound, squared")
        agree(found, library_chord(generator, path, rows, j, (start, end)), "the chord and that of EWS.reweighted")


def check_variation_in_one_dimension() -> None:
    """For A = λ, X = Lθ the variation of Z is (L/λ)(1 − e^{−λr}): for all λ, L and r, by differentiating in r."""
    L, rate, r = SR.symbols("L lambda r")
    speed = ExpPolys(SR).exponential((rate * r).as_rational_function()).scaled(L * r * SR.exp(-rate * r))
    variation = speed.integral()(1)  # the speed has one sign, so this is its total variation
    agree(variation.derivative("r"), L - rate * variation, "the derivative of ‖Z‖_1 in r and L − λ‖Z‖_1")
    agree(variation.at({"r": 0}), SR.zero, "the variation over no clock time and 0")


def check_equality_without_forgetting() -> None:
    """For A = 0, Z = BX: the bound is reached with C = 1."""
    for rows, lift_norm in LIFTS[:2]:
        [piece] = lifted(rows, [Move(fmpq(2), [fmpq(3), fmpq(4)], fmpq(5))])
        found = chord(Zero(2, ring=EE), piece, EE.zero, fmpq(0), fmpq(1))
        bound = most(EE.one, lift_norm, fmpq(5))
        agree(square(found), bound * bound, "the chord of Z, squared, and its bound, squared")


def check_the_path_from_its_reweighted_path() -> None:
    """Back again ‖ΔX‖ ≤ C'‖ΔZ‖ with C' = sup ‖e^{+(θ_t−θ_u)A}‖, here e^{λr}: the one is finite where the other is."""
    for rate in (1, 2):
        [z] = chord(Diagonal(rate), Piece(fmpq(1), [fmpq(1)]), fmpq(0), fmpq(0), fmpq(1))
        not_above(1, EE.exp(EE.coerce(rate)) * z, "ΔX and C'ΔZ")


def check_the_supremum_is_needed() -> None:
    """Where the clock runs and then goes back, by 1 and −3, e^{-(θ_t−θ_s)A} is too small for C."""
    [z] = chord(Diagonal(1), Piece(fmpq(1), [fmpq(1)]), fmpq(-3), fmpq(0), fmpq(1))
    above(z, most(EE.exp(EE.coerce(2)), fmpq(1), fmpq(1)), "the chord of Z and the bound with e² in place of C = e³")
    not_above(z, most(largest_propagator([fmpq(1)], [fmpq(1), fmpq(-3)]), fmpq(1), fmpq(1)), "the chord and its bound")


def growing_chord(generator: AbstractGenerator, piece: Piece, remains: Any, start: fmpq, end: fmpq) -> list[Any]:
    """e^{+(R + r(1-u))A} v, integrated."""
    return chord_as_defined(generator, Piece(-piece.elapsed, piece.v), -remains, start, end)


chord_as_defined = chord


def without_the_lift(C: Any, lift_norm: fmpq, length: fmpq) -> Any:
    """C‖ΔX‖, as if every lift had norm 1."""
    return C * EE.coerce(length)


def at_the_end(rates: Sequence[fmpq], elapsed: Sequence[fmpq]) -> Any:
    """The propagator at u = t, which is 1, in place of the supremum."""
    return EE.one


HERE = "proofs_checks.reweighted_variation"

STATEMENT = Statement(
    title="The re-weighted path is of bounded variation where the path is",
    claim=r"\big\| Z^{[t]} \big\|_1 \le C\,\|B\|\,\|X\|_1, \qquad"
    r" C = \sup_{u\in[s,t]} \big\| e^{-(\theta_t-\theta_u)A} \big\|",
    section="Section 2",
    method="exact on draws",
    leaves_out="Bounded variation, p = 1, is all that is checked; the claim for 1 < p < 2, where the integral is "
    "that of Young, is not. Chords within linear pieces of a path, which make up every partition; normal generators "
    "of width 2, for which C is known exactly.",
    covers=("The re-weighted path is of finite variation where the path is",),
    code=("ewsmath.EWS",),
    no_depth="The statement is of a path, before its signature is taken: it has no levels.",
    mutants=(
        Mutant("wrong sign of the weight", f"{HERE}:chord", growing_chord, keeps_depth_one=False),
        Mutant("the norm of the lift left out", f"{HERE}:most", without_the_lift, keeps_depth_one=False),
        Mutant("C at u = t alone", f"{HERE}:largest_propagator", at_the_end, keeps_depth_one=False),
    ),
)
