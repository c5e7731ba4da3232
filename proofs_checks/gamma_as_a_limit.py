"""The EFM comes near the gamma kernel as the rate of its time letter tends to zero, and never reaches it."""

from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Balls
from proofs_checks.agreement import at_most
from proofs_checks.statement import Mutant, Statement

BALLS = Balls(256)


def fading(mu_0: fmpq, rate: fmpq, r: fmpq) -> Any:
    """The kernel e^{−λr} (1 − e^{−μ_0 r})/μ_0 of the word i 0 of the EFM, with rates λ and μ_0 > 0."""
    decay, ramp = (BALLS.exp(BALLS.coerce(-x * r)) for x in (rate, mu_0))
    return decay * (BALLS.one - ramp) * BALLS.coerce(1 / mu_0)


def gamma(rate: fmpq, r: fmpq) -> Any:
    """The gamma kernel r e^{−λr}."""
    return BALLS.coerce(r) * BALLS.exp(BALLS.coerce(-rate * r))


def bound(mu_0: fmpq, r: fmpq) -> fmpq:
    """The distance bound μ_0 r²/2, for λ ≥ 0: 0 ≤ x − (1 − e^{−x}) ≤ x²/2 with x = μ_0 r."""
    return mu_0 * r * r / 2


def rationals(low: int, high: int) -> st.SearchStrategy[fmpq]:
    """Sixths between two integers."""
    return st.integers(6 * low, 6 * high).map(lambda n: fmpq(n, 6))


@given(st.data())
def check_distance(data: st.DataObject) -> None:
    """|e^{−λr}(1 − e^{−μ_0 r})/μ_0 − r e^{−λr}| ≤ μ_0 r²/2 for λ ≥ 0, r ≥ 0 and μ_0 = 2^{-k}."""
    rate, r = data.draw(rationals(0, 2)), data.draw(rationals(0, 3))
    mu_0 = fmpq(1, 2 ** data.draw(st.integers(0, 40)))
    distance = (fading(mu_0, rate, r) - gamma(rate, r)).abs_upper()
    slack = QQ.ratio(1, 2**200)  # the width of the balls
    at_most(distance, bound(mu_0, r) + slack, "the distance of the kernels and μ_0 r²/2")


@given(st.data())
def check_the_rate_is_right(data: st.DataObject) -> None:
    """At λ = 0 and μ_0 r ≤ 1 the distance is at least a third of that bound: the limit is not reached faster.

    x − (1 − e^{−x}) ≥ x²/2 − x³/6 ≥ x²/3 for 0 ≤ x ≤ 1.
    """
    r = data.draw(rationals(0, 3))
    mu_0 = fmpq(1, 4 * 2 ** data.draw(st.integers(0, 40)))
    difference = gamma(QQ.zero, r) - fading(mu_0, QQ.zero, r)
    slack = QQ.ratio(1, 2**200)
    at_most(
        bound(mu_0, r) * fmpq(2, 3), difference.mid + difference.radius + slack, "two thirds of it and the distance"
    )


def fading_without_division(mu_0: fmpq, rate: fmpq, r: fmpq) -> Any:
    """e^{−λr}(1 − e^{−μ_0 r}): not divided by μ_0."""
    return true_fading(mu_0, rate, r) * BALLS.coerce(mu_0)


def gamma_of_order_two(rate: fmpq, r: fmpq) -> Any:
    """The kernel r² e^{−λr}."""
    return true_gamma(rate, r) * BALLS.coerce(r)


def quadratic_bound(mu_0: fmpq, r: fmpq) -> fmpq:
    """μ_0² r²/2: a rate that is too good."""
    return mu_0 * mu_0 * r * r / 2


true_fading: Any = fading  # the true ones, by the names that mutants use
true_gamma: Any = gamma

HERE = "proofs_checks.gamma_as_a_limit"

STATEMENT = Statement(
    title="EFM kernels tend to gamma kernels",
    claim=r"\Big|\, e^{-\lambda r}\,\frac{1 - e^{-\mu_0 r}}{\mu_0} - r e^{-\lambda r} \Big| \le \tfrac12 \mu_0 r^2"
    r" \qquad (\lambda, r \ge 0,\ \mu_0 > 0)",
    section="Proposition 2, and what follows from it",
    method="rigorous bound",
    leaves_out="Drawn rates and clock times, on [0, 3]; the kernel of ℓ = 1 with μ_i = λ fixed, not moving towards it. "
    "That no EFM word reaches the gamma kernel stands in `gamma_by_words`.",
    covers=("EFM kernels tend to gamma kernels as the rate of the time letter tends to zero",),
    code=("ewsmath.Balls",),
    no_depth="It compares two scalar kernels; which words and levels have them is checked in `fading_memory`.",
    mutants=(
        Mutant("not divided by the rate", f"{HERE}:fading", fading_without_division, keeps_depth_one=False),
        Mutant("a gamma kernel of the next order", f"{HERE}:gamma", gamma_of_order_two, keeps_depth_one=False),
        Mutant("bound off by a factor μ_0", f"{HERE}:bound", quadratic_bound, keeps_depth_one=False),
    ),
)
