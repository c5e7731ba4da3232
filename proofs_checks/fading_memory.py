"""Special cases of the EWS: the signature, A = 0, and the exponentially fading memory signature, A diagonal."""

from collections.abc import Sequence
from itertools import pairwise
from math import factorial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, SR, ExpPoly, ExpPolys, PiecewiseLinearPath, Tensor, TensorAlgebra
from ewsmath.generators import Diagonal, Zero
from ewsmath.strategies import clocks, rationals
from proofs_checks.agreement import agree
from proofs_checks.definition import Speed, iterated_integrals
from proofs_checks.draws import depths, each_depth
from proofs_checks.faults import flow_of_the_last_letter
from proofs_checks.statement import Mutant, Statement


@given(st.data())
def check_zero_generator_is_the_signature(data: st.DataObject) -> None:
    """A = 0: under every clock the EWS is exp(ΔX_1) ⊗ ⋯ ⊗ exp(ΔX_J), the signature, of the lifted path BX."""
    depth = data.draw(depths())
    vector = st.lists(rationals(max_numerator=2, max_denominator=2), min_size=2, max_size=2)
    X = PiecewiseLinearPath.from_increments([data.draw(vector) for _ in range(data.draw(st.integers(1, 3)))])
    lift, clock = [data.draw(vector) for _ in range(2)], data.draw(clocks(2, X.steps))
    S = EWS(Zero(2), lift, clock, depth)(X)
    algebra = S.algebra
    expected = algebra.one()
    for dx in X.increments:
        lifted = [sum((b * x for b, x in zip(row, dx, strict=True)), QQ.zero) for row in lift]
        expected = expected @ exponential(algebra, lifted)
    agree(S, expected, "the EWS with A = 0 and the signature of BX")


def exponential(algebra: TensorAlgebra[Any], v: Sequence[Any]) -> Tensor[Any]:
    """Σ v^{⊗n}/n!, written out."""
    power = total = algebra.one()
    for n in range(1, algebra.depth + 1):
        power = power @ algebra.vector(v)
        total = total + power.scaled(algebra.ring.ratio(1, factorial(n)))
    return total


def fading_speed(rates: Sequence[Any], begins: Any, ends: Any, v: Sequence[Any]) -> Speed:
    """The speed e^{−λ_i(t−u)} ΔX^i of letter i on a piece, from t − u = begins to t − u = ends."""
    functions, length = ExpPolys(EE), begins - ends
    return [
        functions.exponential(rate * length).scaled(EE.exp(EE.coerce(-rate * begins)) * x)
        for rate, x in zip(rates, v, strict=True)
    ]


@given(st.data())
def check_diagonal_generator_is_the_efm(data: st.DataObject) -> None:
    """A = diag(λ), B = I, time clock: the iterated integrals of the letters e^{−λ_i(t−u)} dX^i_u, by the formula."""
    depth, dim = data.draw(depths()), data.draw(st.integers(1, 2))
    small = rationals(max_numerator=2, max_denominator=2)
    rates = data.draw(st.lists(small, min_size=dim, max_size=dim))
    times = data.draw(st.sampled_from([[0, 1], [-1, 1, 3]]))
    X = PiecewiseLinearPath(times, [data.draw(st.lists(small, min_size=dim, max_size=dim)) for _ in times])
    ages = [X.times[-1] - t for t in X.times]
    speeds = [fading_speed(rates, *both, dx) for both, dx in zip(pairwise(ages), X.increments, strict=True)]
    faded = iterated_integrals(EE, speeds, depth)
    agree(EWS(Diagonal(rates, ring=EE), depth=depth)(X), faded, "the EWS and the EFM signature")
    agree([EE.coerce(x) for x in EWS.efm(rates, depth)(X).vector()], faded.vector(), "EWS.efm and the EFM signature")


def until(rate: Any, t: Any) -> ExpPoly[Any]:
    """The function e^{−μ(t−u)} of the fraction x of [0, t], u = tx."""
    return ExpPolys(SR).exponential(rate * t).scaled(SR.exp(-rate * t))


def power(f: ExpPoly[Any], q: int) -> ExpPoly[Any]:
    """The divided power f^q/q!."""
    total = ExpPolys(SR).one
    for k in range(1, q + 1):
        total = (total * f).scaled(SR.ratio(1, k))
    return total


def efm_kernel(mu_0: Any, mu_i: Any, t: Any, q_0: int, q_1: int) -> ExpPoly[Any]:
    """The kernel of the word 0^{q_0} i 0^{q_1} of the EFM of (t, X), as the specification writes it."""
    one, recent = ExpPolys(SR).one, until(mu_0, t)
    before = (recent - one.scaled(SR.exp(-mu_0 * t))).scaled(1 / mu_0)
    after = (one - recent).scaled(1 / mu_0)
    return power(before, q_0) * until(mu_i, t) * power(after, q_1)


def signature_kernel(t: Any, q_0: int, q_1: int) -> ExpPoly[Any]:
    """The kernel u^{q_0}/q_0! (t−u)^{q_1}/q_1! of that word of the signature."""
    u = ExpPolys(SR).variable.scaled(t)
    return power(u, q_0) * power(ExpPolys(SR).coerce(t) - u, q_1)


def against(kernel: ExpPoly[Any], speed: ExpPoly[Any]) -> Any:
    """The integral of a kernel against dX = speed du."""
    return (kernel * speed).integral()(1)


def check_kernels_of_words_with_time() -> None:
    """⟨0…0 i 0…0, S⟩ = ∫ kernel dX^i, EFM and signature, all rates; dX^i = e^{su} du for every s, and so for all X.

    Letter 1 is the time, letter 2 the channel.
    """
    mu_0, mu_i, t, s = SR.symbols("mu_0 mu_i t s")
    speed = ExpPolys(SR).exponential(s)
    for depth in each_depth(3):
        fading, plain = EWS(Diagonal([mu_0, mu_i]), depth=depth), EWS(Zero(2, ring=SR), depth=depth)
        S, signature = (ews.local(t, [t, speed], "iterated") for ews in (fading, plain))
        for q_0 in range(depth):
            q_1 = depth - 1 - q_0
            word = (1,) * q_0 + (2,) + (1,) * q_1
            agree(S[word], against(efm_kernel(mu_0, mu_i, t, q_0, q_1), speed), f"⟨{word}, EFM⟩ and its kernel")
            agree(signature[word], against(signature_kernel(t, q_0, q_1), speed), f"⟨{word}, S⟩ and its kernel")


def power_without_factorial(f: ExpPoly[Any], q: int) -> ExpPoly[Any]:
    """The power f^q."""
    total = ExpPolys(SR).one
    for _ in range(q):
        total = total * f
    return total


def since(rate: Any, t: Any) -> ExpPoly[Any]:
    """The function e^{+μ(t−u)}."""
    return ExpPolys(SR).exponential(-rate * t).scaled(SR.exp(rate * t))


def letters_reversed(mu_0: Any, mu_i: Any, t: Any, q_0: int, q_1: int) -> ExpPoly[Any]:
    """The kernel of the word 0^{q_1} i 0^{q_0}."""
    return kernel_of_the_word(mu_0, mu_i, t, q_1, q_0)


def one_rate(rates: Sequence[Any], begins: Any, ends: Any, v: Sequence[Any]) -> Speed:
    """All letters fade at the rate of the first."""
    return speeds_of_letters([rates[0]] * len(rates), begins, ends, v)


kernel_of_the_word: Any = efm_kernel  # the true ones, by the names that mutants use
speeds_of_letters: Any = fading_speed

HERE = "proofs_checks.fading_memory"

STATEMENT = Statement(
    title="The signature and the EFM signature as special cases",
    claim=r"A = 0: S_{\mathbb A}(X) = S(BX); \qquad A = \operatorname{diag}(\lambda), B = I, \theta_t = t:"
    r" S_{\mathbb A}(X) = \mathrm{EFM}(X); \qquad \langle 0^{q_0} i\, 0^{q_1}, \mathrm{EFM}(t, X)\rangle ="
    r" \int \tfrac{1}{q_0!}\big(\tfrac{e^{-\mu_0(t-u)} - e^{-\mu_0 t}}{\mu_0}\big)^{q_0} e^{-\mu_i(t-u)}"
    r" \tfrac{1}{q_1!}\big(\tfrac{1 - e^{-\mu_0(t-u)}}{\mu_0}\big)^{q_1} dX^i_u",
    section="Section 2; Appendix D",
    method="symbolic",
    leaves_out="Symbolic are the kernels, up to depth 3, for words with one letter besides the time. The EFM is that "
    "on [s, t]: the original one, on (−∞, t] with positive rates, is not built. Paths that are not piecewise linear.",
    covers=("Appendix D: EFM and Volterra signature",),
    code=("ewsmath.EWS", "ewsmath.EWS.efm"),
    mutants=(
        Mutant("missing factorial in the kernel", f"{HERE}:power", power_without_factorial, keeps_depth_one=True),
        Mutant("times before and after exchanged", f"{HERE}:efm_kernel", letters_reversed, keeps_depth_one=True),
        Mutant("the kernel grows", f"{HERE}:until", since, keeps_depth_one=False),
        Mutant("all letters fade at one rate", f"{HERE}:fading_speed", one_rate, keeps_depth_one=False),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
    ),
)
