"""Parity: no real diagonal linear CDE solves it by its exact flow, the smallest one does by its first-order flow."""

from collections.abc import Sequence
from itertools import accumulate, product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Balls, Matrix
from ewsmath.linear_cde import LinearCDE
from ewsmath.strategies import rationals
from ewsmath.word_problem import ParityModel, first_failure, rotation_parity, sign_parity, swap_parity
from proofs_checks.agreement import agree, at_most
from proofs_checks.recurrences import PREC, R, pi
from proofs_checks.statement import Mutant, Statement


def strings(length: int) -> list[tuple[int, ...]]:
    """All strings of bits of a length."""
    return list(product((0, 1), repeat=length))


def parities(bits: Sequence[int]) -> list[int]:
    """The parity after each bit."""
    return [S % 2 for S in accumulate(bits)]


def transition(rate: Any) -> Any:
    """What one bit of 1 does to a coordinate, by the exact flow: e^λ."""
    return EE.exp(EE.coerce(rate))


def says_one(rates: Sequence[Any], weights: Sequence[Any], threshold: Any, S: int) -> bool:
    """Whether Σ c_i e^{λ_i S} > τ: equality decided in EE, and the sign in balls."""
    f = EE.coerce(-threshold)
    for rate, weight in zip(rates, weights, strict=True):
        term = EE.coerce(weight)
        for _ in range(S):
            term = term * transition(rate)
        f = f + term
    return bool(f) and bool(R.coerce(f).value > 0)


def bound(m: int) -> int:
    """The number of ones at which a model with m rates is wrong at the latest."""
    return m + 1


@given(st.data())
def check_diagonal_models_fail(data: st.DataObject) -> None:
    """Any m real rates, weights and threshold: right for fewer than S ones, wrong for S, and S is at most m + 1."""
    m = data.draw(st.integers(0, 3))
    numbers = rationals(max_numerator=3, max_denominator=2)
    rates, weights = (data.draw(st.lists(numbers, min_size=m, max_size=m)) for _ in range(2))
    threshold = data.draw(numbers)
    S = first_failure(rates, weights, threshold)
    answers = [says_one(rates, weights, threshold, k) for k in range(S + 1)]
    agree(answers, [k % 2 == 1 for k in range(S)] + [S % 2 == 0], "the answers up to the first failure, the last wrong")
    at_most(S, bound(m), "the number of ones at the first failure, and m + 1")


ATTAINED = (
    ([], [], 0, 1),
    ([-1], [-3], -2, 2),
    ([-1, -2], [15, -14], 3, 3),
    ([-1, -2, -3], [-51, 167, -120], -3, 4),
    ([-1, 1], [-5, -1], -5, 3),
)
"""Rates, weights, threshold, and the number of ones at which the model is wrong first."""


def check_bound_is_attained() -> None:
    """There are models that are right for all m ones and fewer, and wrong for m + 1."""
    for rates, weights, threshold, S in ATTAINED:
        agree(S, len(rates) + 1, "the number, and m + 1")
        answers = [says_one(rates, weights, threshold, k) for k in range(S)]
        agree(answers, [k % 2 == 1 for k in range(S)], "the answers for 0, …, m ones, and the parities")
        at_most(S, bound(len(rates)), "the first failure, and the bound")
        agree(first_failure(rates, weights, threshold), S, "the first failure, and m + 1")


def diagonal_by_euler() -> ParityModel:
    """One coordinate with A = (-2): by the first-order flow a one flips its sign, I + A = (-1)."""
    return sign_parity()


def rotation() -> ParityModel:
    """A block of size 2 that turns by π, by its exact flow."""
    return rotation_parity(Balls(PREC))


def check_models_that_solve_it() -> None:
    """All strings of length 6: the diagonal model and the swap by the first-order flow, a rotation by the exact one."""
    for model in (diagonal_by_euler(), swap_parity(), rotation()):
        for bits in strings(6):
            agree(model.answers(bits), parities(bits), f"the answers to {bits}, and its parities")


def check_diagonal_model_by_its_exact_flow() -> None:
    """The same A = (-2) by its exact flow: e^{-2} > 0, so that it never says 1 and is wrong after a single one."""
    exact = ParityModel(LinearCDE([Matrix(R, [[-2]])]), (1,), exact=True)
    agree(exact.answers([1, 0, 1]), [0, 0, 0], "the answers, and 0")
    state = LinearCDE([Matrix(EE, [[-2]])]).flow([1])[0, 0]
    agree(state, transition(-2), "the exact flow of a one, and e^(-2)")


def no_slack(m: int) -> int:
    """m: as if the threshold did not count among the exponentials."""
    return max(m, 1)


def first_order(rate: Any) -> Any:
    """1 + λ, the first-order flow."""
    return 1 + EE.coerce(rate)


def diagonal_by_exact_flow() -> ParityModel:
    """A = (-2) by the exact flow."""
    return ParityModel(LinearCDE([Matrix(R, [[-2]])]), (1,), exact=True)


def third_of_a_turn() -> ParityModel:
    """A rotation by 2π/3."""
    angle = pi() * QQ.ratio(2, 3)
    return ParityModel(LinearCDE([Matrix(R, [[R.zero, -angle], [angle, R.zero]])]), (1, 0), exact=True)


def one_later(rates: Any, weights: Any, threshold: Any) -> int:
    """The number after the first failure."""
    return true_first_failure(rates, weights, threshold) + 1


true_first_failure = first_failure
HERE = "proofs_checks.slice_parity"

STATEMENT = Statement(
    title="Parity under the exact and under the first-order flow",
    claim=r"\sum_{i\le m} c_i e^{\lambda_i S} > \tau \iff S \text{ odd: fails for some } S \le m+1; \qquad"
    r" I + A = (-1) \text{ for } A = (-2), \quad e^{A} = -I \text{ for a rotation by } \pi",
    section="SLiCE (NeurIPS 2025)",
    method="exact on draws",
    leaves_out="The bound for all real rates rests on zeros of exponential sums; it is drawn for rational rates, at "
    "most three, where signs are decided exactly, and is attained for m up to 3. That diagonal models fail is "
    "about the exact flow only: published models take the first-order flow, under which one coordinate is enough.",
    covers=("SLiCE: parity under the exact and under the first-order flow",),
    code=(
        "ewsmath.word_problem.first_failure",
        "ewsmath.word_problem.sign_parity",
        "ewsmath.word_problem.swap_parity",
        "ewsmath.word_problem.rotation_parity",
    ),
    no_depth="It is about flows of a linear CDE; there are no levels.",
    mutants=(
        Mutant("bound m", f"{HERE}:bound", no_slack, False),
        Mutant("first-order flow for the exact one", f"{HERE}:transition", first_order, False),
        Mutant("exact flow for the first-order one", f"{HERE}:diagonal_by_euler", diagonal_by_exact_flow, False),
        Mutant("rotation by 2π/3", f"{HERE}:rotation", third_of_a_turn, False),
        Mutant("the failure one later", f"{HERE}:first_failure", one_later, False),
    ),
)
