"""How many real rates a damped cosine needs: the bound, its proof step by step, and fits that come near it."""

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise, product
from math import cos, exp
from operator import mul
from typing import Any, NamedTuple

from flint import arb, fmpq, fmpq_mat, fmpq_poly
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, ExpPoly, bounds
from ewsmath.bounds import fewest_rates
from ewsmath.rings import QQ_I, Ball, Balls, WorkingPrecision
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree, at_most
from proofs_checks.statement import Mutant, Statement

PREC = 96
END, CELLS = 12, 1600
"""The error of a fit is enclosed on so many cells of [0, 12]; beyond, every term by itself."""


class Fit(NamedTuple):
    """A sum Σ c_k e^{-λ_k r}."""

    rates: list[fmpq]
    coefficients: list[fmpq]


def most_zeros(terms: int) -> int:
    """How many real zeros a sum of real exponentials with distinct rates has at most: one less than terms."""
    return terms - 1


def positive_roots(p: fmpq_poly) -> int:
    """The number of distinct roots x > 0 of a polynomial, by Sturm's chain."""
    while not p[0]:
        p = p // fmpq_poly([0, 1])
    chain = [p, p.derivative()]
    while chain[-1]:
        chain.append(-(chain[-2] % chain[-1]))
    at_zero = [q[0] for q in chain if q]
    at_infinity = [q[q.degree()] for q in chain if q]
    return sign_changes(at_zero) - sign_changes(at_infinity)


def sign_changes(numbers: Sequence[fmpq]) -> int:
    """The number of changes of sign in a sequence, zeros left out."""
    signs = [x > 0 for x in numbers if x]
    return sum(a != b for a, b in pairwise(signs))


def best_fit(rates: Sequence[fmpq], damping: fmpq, frequency: fmpq) -> Fit:
    """The sum with these rates that is nearest to e^{-ar}cos ωr in L² of r ≥ 0: rational, since all integrals are."""
    m = len(rates)
    gram = fmpq_mat(m, m, [1 / (x + y) for x in rates for y in rates])
    right = [(x + damping) / ((x + damping) ** 2 + frequency**2) for x in rates]
    return Fit(list(rates), gram.solve(fmpq_mat(m, 1, right)).entries())


def sampled_error(fit: Fit, frequency: fmpq) -> float:
    """The largest error on a grid, in floats, for damping 1: it chooses among fits, and proves nothing."""
    terms = [(int(c.p) / int(c.q), int(x.p) / int(x.q)) for c, x in zip(fit.coefficients, fit.rates, strict=True)]
    grid = [k / 12 for k in range(72)]
    wave = int(frequency.p) / int(frequency.q)
    return max(abs(sum(c * exp(-x * r) for c, x in terms) - exp(-r) * cos(wave * r)) for r in grid)


def candidates(width: int) -> Iterator[list[fmpq]]:
    """Rates in arithmetic and in geometric progression."""
    starts, steps = (fmpq(7, 10), fmpq(3, 2), fmpq(2), fmpq(3)), (fmpq(1, 5), fmpq(1, 2), fmpq(1), fmpq(2))
    for start, step in product(starts, steps):
        yield [start + step * k for k in range(width)]
        yield [start * (1 + step) ** k for k in range(width)]


def certified_error(fit: Fit, damping: fmpq, frequency: fmpq) -> fmpq:
    """A rational that |Σ c_k e^{-λ_k r} − e^{-ar}cos ωr| exceeds for no r ≥ 0.

    On a cell the value in its middle and a ball around the derivative decide. From r = 12 on all terms fall, so that
    the sum of their absolute values there is a bound.
    """
    with WorkingPrecision(PREC):
        a, w = arb(damping), arb(frequency)
        pairs = [(arb(c), arb(x)) for c, x in zip(fit.coefficients, fit.rates, strict=True)]

        def error(r: arb) -> arb:
            return sum((c * (-x * r).exp() for c, x in pairs), arb(0)) - (-a * r).exp() * (w * r).cos()

        def slope(r: arb) -> arb:
            wave = a * (w * r).cos() + w * (w * r).sin()
            return sum((-x * c * (-x * r).exp() for c, x in pairs), arb(0)) + (-a * r).exp() * wave

        tail = sum((abs(c) * (-x * END).exp() for c, x in pairs), arb(0)) + (-a * END).exp()
        largest, half = tail, arb(END) / (2 * CELLS)
        for k in range(CELLS):
            middle = (2 * k + 1) * half
            cell = arb(middle.mid(), half + middle.rad())
            largest = largest.max(abs(error(middle)) + half * abs(slope(cell)))
    return Ball(Balls(PREC), largest).abs_upper()


@given(st.data())
def check_number_of_zeros(data: st.DataObject) -> None:
    """Σ c_k e^{-n_k r} has at most m − 1 zeros: with x = e^{-r} it is a polynomial, whose roots x > 0 Sturm counts."""
    powers = data.draw(st.lists(st.integers(0, 7), min_size=1, max_size=5, unique=True))
    numbers = data.draw(st.lists(rationals().filter(bool), min_size=len(powers), max_size=len(powers)))
    p = sum((fmpq_poly([0] * n + [c]) for n, c in zip(powers, numbers, strict=True)), fmpq_poly())
    coefficients = [p[n] for n in range(p.degree() + 1)]
    at_most(positive_roots(p), sign_changes(coefficients), "zeros, and changes of sign of the coefficients (Descartes)")
    at_most(sign_changes(coefficients), most_zeros(len(powers)), "changes of sign and the number of terms minus one")


@given(st.data())
def check_step_of_the_induction(data: st.DataObject) -> None:
    """Rolle: (e^{λ_m r} f)' has one zero less at most, and one term less: real rates, any number of terms."""
    rates = data.draw(st.lists(rationals(), min_size=1, max_size=6, unique=True))
    numbers = data.draw(st.lists(rationals().filter(bool), min_size=len(rates), max_size=len(rates)))
    terms = {(0, QQ_I.coerce(-x)): c for x, c in zip(rates, numbers, strict=True)}
    turned = ExpPoly(QQ_I, {(k, z + rates[-1]): QQ_I.coerce(c) for (k, z), c in terms.items()})
    agree(len(turned.derivative().terms), len(rates) - 1, "the number of terms after the step, and before it minus one")


def check_the_number_of_zeros_is_reached() -> None:
    """(x − 1)(x − 1/2) ⋯ has as many zeros r ≥ 0 as its number of terms allows."""
    for m in range(1, 6):
        p = reduce(mul, [fmpq_poly([-fmpq(1, k), 1]) for k in range(1, m)], fmpq_poly([1]))
        agree(positive_roots(p), most_zeros(m), f"the zeros of a sum of {m} terms, and the most there can be")


@given(st.data())
def check_the_bound_counts_alternations(data: st.DataObject) -> None:
    """⌈(ω/πa) log(1/ε)⌉ is how often |(−1)^n e^{-anπ/ω}| exceeds ε, n = 0, 1, …: so many signs alternate, by balls."""
    a, w = (data.draw(st.builds(fmpq, st.integers(1, 6), st.integers(1, 2))) for _ in range(2))
    error = data.draw(st.builds(fmpq, st.integers(1, 9), st.sampled_from([10, 100, 10000])))
    n = 0
    with WorkingPrecision(PREC):
        while (-arb(a) * n * arb.pi() / arb(w)).exp() > arb(error):
            n += 1
    agree(fewest_rates(a, w, error), n, "fewest_rates and the number of values above ε")


def check_fits() -> None:
    """Sums of m rates found by search, their error certified on r ≥ 0: the bound allows them, its double does not."""
    for frequency, most in ((fmpq(1), 2), (fmpq(2), 3), (fmpq(4), 4)):
        for width in range(1, most + 1):
            fits = (best_fit(rates, fmpq(1), frequency) for rates in candidates(width))
            best = min(fits, key=lambda fit: sampled_error(fit, frequency))
            error = certified_error(best, fmpq(1), frequency)
            at_most(
                fewest_rates(1, frequency, error), width, f"the rates that an error of {error} needs, and those used"
            )
            at_most(width + 1, doubled(1, frequency, error), f"one more than the {width} used, and twice the bound")


def doubled(damping: Any, frequency: Any, error: Any) -> int:
    """The bound with 2ω in place of ω."""
    return bounds.fewest_rates(damping, 2 * QQ.coerce(frequency), error)


def rounded_down(damping: Any, frequency: Any, error: Any) -> int:
    """The bound rounded down."""
    return bounds.fewest_rates(damping, frequency, error) - 1


def two_less(terms: int) -> int:
    """Two zeros less than terms."""
    return terms - 2


def without_pi(damping: Any, frequency: Any, error: Any) -> int:
    """The bound without its factor 1/π, here 22/7."""
    return bounds.fewest_rates(damping, fmpq(22, 7) * QQ.coerce(frequency), error)


HERE = "proofs_checks.damped_cosine_width"

STATEMENT = Statement(
    title="How many real rates a damped cosine needs",
    claim=r"\Big|\sum_{k=1}^m c_k e^{-\lambda_k r} - e^{-ar}\cos\omega r\Big| \le \varepsilon \ (r \ge 0)"
    r" \ \Rightarrow\ m \ge \Big\lceil \frac{\omega}{\pi a}\log\frac1\varepsilon \Big\rceil",
    section="Section 2",
    label="Proposition 6",
    method="rigorous bound",
    leaves_out="That the bound is of the right order is an experiment: the fits are the best of a search among rates "
    "in progression, nearest in L², not the best there are. With up to 4 rates, for ω/a up to 4, they refute a "
    "bound twice as large; one larger by less may hold. Zeros are counted for whole rates; for all others Rolle's "
    "induction is executed step by step. m counts distinct rates that are used.",
    covers=("Proposition 6: how many real exponentials a damped cosine needs",),
    code=("ewsmath.bounds.fewest_rates",),
    no_depth="The statement is of kernels, which are what happens at depth one.",
    mutants=(
        Mutant("twice the bound", f"{HERE}:fewest_rates", doubled, keeps_depth_one=False),
        Mutant("the factor 1/π left out", f"{HERE}:fewest_rates", without_pi, keeps_depth_one=False),
        Mutant("rounded down", f"{HERE}:fewest_rates", rounded_down, keeps_depth_one=False),
        Mutant("m − 2 zeros at most", f"{HERE}:most_zeros", two_less, keeps_depth_one=False),
    ),
)
