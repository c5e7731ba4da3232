"""What the signature of (t, X) and the EFM have of the gamma kernels: one word for λ = 0, and nothing else.

The negative parts rest on finite certificates: a few paths with weights, on which every word up to a depth comes out as
zero, and the gamma integral does not. So no linear functional of that depth is the integral.
"""

from collections.abc import Sequence
from functools import reduce
from math import factorial
from operator import mul
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ_I, SR, ExpPoly, ExpPolyPath, ExpPolys, PiecewiseLinearPath, Tensor, signature
from ewsmath.generators import Jordan
from ewsmath.rings import RF
from ewsmath.strategies import rationals
from ewsmath.words import Word
from proofs_checks import definition
from proofs_checks.agreement import agree, differ
from proofs_checks.annihilators import annihilated, blind_path
from proofs_checks.definition import iterated_integrals
from proofs_checks.draws import Piece, depths, each_depth
from proofs_checks.statement import Mutant, Statement

TIME, CHANNEL = 1, 2
"""The letters of the path (t, X)."""

HALVES = rationals(max_numerator=3, max_denominator=2)
FUNCTIONS = ExpPolys(EE)


def word(power: int) -> Word:
    """The channel, then ℓ time letters."""
    return (CHANNEL, *[TIME] * power)


def sign(power: int) -> int:
    """(−1)^ℓ, with which coordinate ℓ of a Jordan block comes."""
    return (-1) ** power


def gamma(power: int, rate: Any) -> ExpPoly[Any]:
    """The kernel r^ℓ e^{-λr}/ℓ!."""
    return ExpPoly(EE, {(power, -QQ_I.coerce(rate)): EE.ratio(1, factorial(power))})


def against(kernel: ExpPoly[Any], speed: ExpPoly[Any]) -> Any:
    """∫_0^1 K(1−u) x(u) du."""
    return (kernel.substituted(1, -1) * speed).integral()(1)


def weights(depth: int) -> list[tuple[int, fmpq]]:
    """Numbers c with weights w for which Σ w c^j is 1 for j = 1, and 0 for j = 0, 2, …, N: Lagrange's, for f'(0)."""
    nodes = range(depth + 1)
    found = []
    for c in nodes:
        others = [b for b in nodes if b != c]
        slope = sum((fmpq(reduce(mul, [-b for b in others if b != left], 1)) for left in others), fmpq(0))
        found.append((c, slope / reduce(mul, [c - b for b in others], 1)))
    return found


def certificate(weight_of_letters: Sequence[ExpPoly[Any]], speed: ExpPoly[Any], depth: int) -> Tensor[Any]:
    """Σ w S(t, cX) over the scales c: what is left are the words with X in one place, the others scale like c^j."""
    clock, channel = weight_of_letters
    parts = [
        iterated_integrals(EE, [[clock, (channel * speed).scaled(EE.coerce(c))]], depth).scaled(EE.coerce(w))
        for c, w in weights(depth)
    ]
    return reduce(lambda a, b: a + b, parts)


def demand_no_functional(
    letters: Sequence[ExpPoly[Any]], exponents: Sequence[Any], kernel: ExpPoly[Any], depth: int
) -> None:
    """Demand that on some weighted paths all words up to a depth vanish, and the integral of a kernel does not."""
    power = max(k for k, _ in kernel.terms)
    seen = []
    for more in range(power + 1):
        x = blind_path(EE, exponents, more)
        total = certificate(letters, x, depth)
        agree(total, total.algebra.zero(), f"the words up to level {depth} on the weighted paths, and 0")
        seen.append(against(kernel, x))
    differ(seen, [EE.zero] * (power + 1), f"the integrals of {kernel} on these paths, and zeros")


@given(st.data())
def check_zero_rate_is_a_word(data: st.DataObject) -> None:
    """For λ = 0 coordinate ℓ is (−1)^ℓ times the word of ℓ + 1 letters; EWS by the definition, clocks of any sign."""
    depth = data.draw(depths(4))
    steps = data.draw(st.lists(st.tuples(HALVES, HALVES), min_size=1, max_size=3))
    size = depth
    pieces = [Piece(r, [fmpq(0)] * (size - 1) + [x]) for r, x in steps]
    S = signature(PiecewiseLinearPath.from_increments(steps), depth)
    level = definition.ews(Jordan(0, size), pieces, 1).level(1)
    for power in range(depth):
        agree(level[size - 1 - power], sign(power) * S[word(power)], f"coordinate {power} and its word")


def check_no_smaller_depth() -> None:
    """Up to depth N ≤ ℓ no functional of the signature of (t, X) is ∫ (t−u)^ℓ/ℓ! dX: a certificate for each N."""
    one = FUNCTIONS.one
    for depth in each_depth(3):
        for power in (depth, depth + 1):
            demand_no_functional([one, one], [0] * depth, gamma(power, 0), depth)


@given(st.data())
def check_no_depth_for_positive_rates(data: st.DataObject) -> None:
    """For λ ≠ 0, ℓ ≥ 0 and every depth that is tried, no functional of the signature of (t, X) is the integral."""
    depth, one = data.draw(depths(3)), FUNCTIONS.one
    rate = data.draw(HALVES.filter(bool))
    demand_no_functional([one, one], [0] * depth, gamma(data.draw(st.integers(0, 2)), rate), depth)


def check_no_depth_for_all_rates() -> None:
    """D^n, which kills the kernels of all words up to level n, leaves (−λ)^n r^ℓ e^{-λr} + …, for all λ ≠ 0."""
    rate = SR.symbol("lambda")
    exponent: Any = (-rate).as_rational_function()
    for n in each_depth(6):
        for power in range(4):
            found = annihilated(ExpPoly(SR, {(power, exponent): SR.one}), [RF.zero] * n)
            agree(found.terms[power, exponent], (-rate) ** n, f"the coefficient at r^{power} e^(-λr) and (-λ)^{n}")


def time_rate() -> st.SearchStrategy[fmpq]:
    """The rate μ_0 of the time letter of an EFM: above zero."""
    return st.builds(fmpq, st.integers(1, 3), st.integers(1, 2))


@given(st.data())
def check_no_depth_of_the_efm(data: st.DataObject) -> None:
    """For ℓ ≥ 1 and all λ no functional of the EFM of (t, X) is the integral: its kernels have exponents μ + jμ_0."""
    depth = data.draw(depths(3))
    clock_rate, rate = data.draw(time_rate()), data.draw(time_rate())
    letters = [FUNCTIONS.exponential(z).substituted(1, -1) for z in (-clock_rate, -rate)]
    exponents = [-(rate + j * clock_rate) for j in range(depth)]
    wanted = data.draw(st.sampled_from([fmpq(0), rate, rate + clock_rate, fmpq(5)]))
    demand_no_functional(letters, exponents, gamma(data.draw(st.integers(1, 2)), wanted), depth)


def efm_kernel(before: int, after: int, clock_rate: Any, rate: Any) -> ExpPoly[Any]:
    """The kernel of the EFM word 0^p i 0^q over [0, 1], as a function of r = 1 − u.

    It is ((e^{-μ_0 r} − e^{-μ_0})/μ_0)^p/p! · e^{-μr} · ((1 − e^{-μ_0 r})/μ_0)^q/q!.
    """
    functions = ExpPolys(SR)
    fading = functions.exponential(-clock_rate)
    first = (fading - functions.coerce(SR.exp(SR.coerce(-clock_rate)))).scaled(SR.coerce(1 / clock_rate))
    last = (functions.one - fading).scaled(SR.coerce(1 / clock_rate))
    kernel = functions.exponential(-rate).scaled(SR.ratio(1, factorial(before) * factorial(after)))
    return reduce(mul, [first] * before + [last] * after, kernel)


def check_kernels_of_the_words() -> None:
    """The formula for the kernel of an EFM word, for all rates, on dX = e^{zu} du with z a parameter."""
    clock_rate, rate, z = (x.as_rational_function() for x in SR.symbols("mu_0 mu z"))
    functions = ExpPolys(SR)
    probe = functions.exponential(z)
    letters = [functions.exponential(-x).substituted(1, -1) for x in (clock_rate, rate)]
    for n in each_depth(3):
        S = iterated_integrals(SR, [[letters[0], letters[1] * probe]], n)
        for before in range(n):
            efm_word = (*[TIME] * before, CHANNEL, *[TIME] * (n - 1 - before))
            kernel = efm_kernel(before, n - 1 - before, clock_rate, rate)
            agree(S[efm_word], against(kernel, probe), f"the word {efm_word} and the integral of its kernel")


def check_the_efm_of_the_library() -> None:
    """`EWS.efm` has these words: on a polynomial path, rates 1 and 1/2."""
    u = FUNCTIONS.variable
    for n in each_depth(2):
        letters = [FUNCTIONS.exponential(z).substituted(1, -1) for z in (-1, fmpq(-1, 2))]
        found = EWS.efm([1, fmpq(1, 2)], n)(ExpPolyPath.from_functions([0, 1], [u, u * u]))
        mine = iterated_integrals(EE, [[letters[0], letters[1] * (u + u)]], n)
        agree(found.coefficients == mine.coefficients, True, "the EFM of the library and the definition, word by word")


def check_a_time_letter_that_is_not_forgotten() -> None:
    """With μ_0 = 0, against the hypothesis, the EFM word i 0^ℓ is the gamma integral with λ = μ: positive is needed."""
    rate = fmpq(1, 2)
    x = FUNCTIONS.variable + FUNCTIONS.one
    letters = [FUNCTIONS.one, FUNCTIONS.exponential(-rate).substituted(1, -1)]
    for n in each_depth(3):
        S = iterated_integrals(EE, [[letters[0], letters[1] * x]], n)
        agree(S[word(n - 1)], against(gamma(n - 1, rate), x), f"the word of {n} letters and the gamma integral")


def time_first(power: int) -> Word:
    """The time letters, then the channel."""
    return (*[TIME] * power, CHANNEL)


def no_sign(power: int) -> int:
    """1, as if the block had −N."""
    return 1


def never_forgotten() -> st.SearchStrategy[fmpq]:
    """μ_0 = 0, and with it μ = 0."""
    return st.just(fmpq(0))


def one_power_less(power: int, rate: Any) -> ExpPoly[Any]:
    """The kernel r^{ℓ−1} e^{-λr}/(ℓ−1)!, and for ℓ = 0 itself."""
    return gamma_as_it_is(max(power - 1, 0), rate)


gamma_as_it_is = gamma

HERE = "proofs_checks.gamma_by_words"

STATEMENT = Statement(
    title="Gamma kernels by words of the signature and of the EFM",
    claim=r"\int \frac{(t-u)^\ell}{\ell!}\,dX^i = S(t,X)^{i0^\ell}, \text{ and no functional of } S(t,X)^{\le \ell};"
    r"\quad \int (t-u)^\ell e^{-\lambda(t-u)}\,dX^i:\ \text{for } \lambda > 0 \text{ none of any } S(t,X)^{\le N},"
    r"\ \text{for } \ell\ge1 \text{ none of any } \mathrm{EFM}(t,X)^{\le N}",
    section="Section 2; Appendix D",
    label="Proposition 2",
    method="exact on draws",
    leaves_out="Certificates are computed up to depth 3, each of which denies all functionals of that depth; that it "
    "goes on is the argument of the operators D^n and Π(D + μ + jμ_0), which is executed for the first for n up to "
    "6 and all λ. The EFM needs a positive rate of its time letter: with rate zero its word i0^ℓ is the gamma "
    "integral, and that is checked too. One channel beside time, on the interval [0, 1].",
    covers=("Proposition 2: λ = 0 is depth ℓ + 1 of the signature, and no less; λ > 0 none; the EFM none",),
    code=("ewsmath.signature", "ewsmath.EWS.efm"),
    mutants=(
        Mutant("the time letters first", f"{HERE}:word", time_first, keeps_depth_one=True),
        Mutant("no alternating sign", f"{HERE}:sign", no_sign, keeps_depth_one=True),
        Mutant("rates of the EFM zero", f"{HERE}:time_rate", never_forgotten, keeps_depth_one=True),
        Mutant("one depth less already denied", f"{HERE}:gamma", one_power_less, keeps_depth_one=False),
    ),
)
