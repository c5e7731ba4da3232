"""No diagonalisable generator, of whatever size, has a gamma kernel: a linear independence, executed exactly."""

from collections.abc import Sequence
from functools import reduce
from operator import mul
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ_I, SR, ExpPoly, ExpPolys, Matrix
from ewsmath.generators import AbstractGenerator, Conjugated, Diagonal, Jordan, Rotation
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree, differ
from proofs_checks.annihilators import annihilated, blind_path
from proofs_checks.definition import iterated_integrals
from proofs_checks.statement import Mutant, Statement

RATES = rationals(max_numerator=3, max_denominator=2)
FUNCTIONS = ExpPolys(EE)


def gamma(power: int, rate: Any) -> ExpPoly[Any]:
    """The function r^ℓ e^{-λr}."""
    return ExpPoly(EE, {(power, -QQ_I.coerce(rate)): EE.one})


def least_power() -> int:
    """The least power ℓ of the kernels that are denied."""
    return 1


def distinct(eigenvalues: Sequence[Any]) -> list[Any]:
    """The eigenvalues once each: the roots of the minimal polynomial, which are simple since A is diagonalisable."""
    return list(dict.fromkeys(eigenvalues))


def drawn_generator(data: st.DataObject) -> AbstractGenerator:
    """A diagonalisable generator of size 1 to 4, real or complex spectrum, in a basis that is drawn."""
    if data.draw(st.booleans()):
        inner: AbstractGenerator = Diagonal(data.draw(st.lists(RATES, min_size=1, max_size=4)))
    else:
        blocks = data.draw(st.lists(st.tuples(RATES, RATES), min_size=1, max_size=2))
        inner = Rotation([a for a, _ in blocks], [w for _, w in blocks])
    return Conjugated(drawn_basis(data, inner.dim), inner)


def drawn_basis(data: st.DataObject, size: int) -> list[list[int]]:
    """An invertible matrix: a lower triangle with ones on its diagonal."""
    return [[data.draw(st.integers(-1, 1)) if j < i else int(i == j) for j in range(size)] for i in range(size)]


def read(data: st.DataObject, generator: AbstractGenerator) -> ExpPoly[Any]:
    """A kernel cᵀe^{-rA}b of the generator, for a read-out c and a lift b that are drawn."""
    c, b = (data.draw(st.lists(st.integers(-2, 2), min_size=generator.dim, max_size=generator.dim)) for _ in range(2))
    propagator = Matrix.over(FUNCTIONS, generator.over(EE).kernel())
    return (Matrix(FUNCTIONS, [c]) @ propagator @ Matrix.column(FUNCTIONS, [FUNCTIONS.coerce(x) for x in b]))[0, 0]


def leading_factor(rates: Sequence[Any], rate: Any) -> Any:
    """P(−λ) = Π (λ_i − λ), for P(D) = Π (D + λ_i)."""
    return reduce(mul, [other - rate for other in rates], SR.one)


def check_the_operator_for_all_rates() -> None:
    """P(D)(r^ℓ e^{-λr}) begins with P(−λ) r^ℓ, or where λ = λ_1 with ℓ Π_{i>1}(λ_i − λ_1) r^{ℓ−1}: never both are zero.

    For all rates at once, up to four of them, while P(D) e^{-λ_i r} = 0.
    """
    everyone = SR.symbols("lambda_1 lambda_2 lambda_3 lambda_4")
    other = SR.symbol("lambda")
    for size in range(1, 5):
        rates = everyone[:size]
        exponents = [(-rate).as_rational_function() for rate in rates]
        for exponent in exponents:
            agree(annihilated(ExpPolys(SR).exponential(exponent), exponents), ExpPolys(SR).zero, "P(D)e^{-λ_i r} and 0")
        for power in range(1, 4):
            for rate, factors in ((other, rates), (rates[0], rates[1:])):
                exponent: Any = (-rate).as_rational_function()
                found = annihilated(ExpPoly(SR, {(power, exponent): SR.one}), exponents).terms
                degree = power - (size - len(factors))
                most = max(k for k, _ in found)
                agree(most, degree, "the degree of P(D)(r^ℓ e^{-λr}) and ℓ, or ℓ − 1")
                scale = leading_factor(factors, rate) * (1 if degree == power else power)
                agree(found[degree, exponent], scale, "its leading coefficient and P(−λ), or ℓP'(−λ)")


@given(st.data())
def check_drawn_generators(data: st.DataObject) -> None:
    """P(D) annihilates every kernel cᵀe^{-rA}b and no r^ℓ e^{-λr}, λ in the spectrum or not: so none is the other."""
    generator = drawn_generator(data)
    exponents = [-z for z in distinct(generator.eigenvalues)]
    rate = data.draw(st.one_of(st.sampled_from(generator.eigenvalues), RATES))
    power = data.draw(st.integers(least_power(), 3))
    agree(annihilated(read(data, generator), exponents), FUNCTIONS.zero, "P(D) cᵀe^{-rA}b and 0")
    differ(annihilated(gamma(power, rate), exponents), FUNCTIONS.zero, "P(D) r^ℓ e^{-λr} and 0")


@given(st.data())
def check_a_path_that_tells_them_apart(data: st.DataObject) -> None:
    """On some path all features e^{-λ_i r} of a spectrum vanish, while the gamma kernel leaves a number."""
    rates = sorted(data.draw(st.lists(RATES, min_size=1, max_size=3, unique=True)))
    rate = data.draw(st.one_of(st.sampled_from(rates), RATES))
    power = data.draw(st.integers(least_power(), 2))
    exponents = [-QQ_I.coerce(x) for x in rates]
    seen = []
    for more in range(power + 1):
        x = blind_path(EE, exponents, more)
        for alpha in exponents:
            agree(feature(FUNCTIONS.exponential(alpha), x), EE.zero, "∫ e^{-λ_i(1-u)} dX and 0")
        seen.append(feature(gamma(power, rate), x))
    differ(seen, [EE.zero] * (power + 1), "the integrals of (1-u)^ℓ e^{-λ(1-u)} against these paths and zeros")


def feature(kernel: ExpPoly[Any], speed: ExpPoly[Any]) -> Any:
    """∫ K(1−u) x(u) du, by the definition: a word of one letter."""
    return iterated_integrals(EE, [[kernel.substituted(1, -1) * speed]], 1).level(1)[0]


def with_a_jordan_block(data: st.DataObject) -> AbstractGenerator:
    """A generator that is not diagonalisable."""
    inner = Jordan(data.draw(RATES), data.draw(st.integers(2, 3)))
    return Conjugated(drawn_basis(data, inner.dim), inner)


def each_twice(eigenvalues: Sequence[Any]) -> list[Any]:
    """The eigenvalues twice each: as if the minimal polynomial had double roots."""
    return [z for z in dict.fromkeys(eigenvalues) for _ in range(2)]


def no_power() -> int:
    """ℓ = 0: the exponential itself, which a diagonal generator has."""
    return 0


def sum_of_differences(rates: Sequence[Any], rate: Any) -> Any:
    """Σ (λ_i − λ) where the product belongs."""
    return sum((other - rate for other in rates), SR.zero)


HERE = "proofs_checks.no_diagonalisable_gamma"

STATEMENT = Statement(
    title="No diagonalisable generator has a gamma kernel",
    claim=r"\ell \ge 1,\ A \text{ diagonalisable (real or complex), of any size} \ \Rightarrow\ "
    r" c^\top e^{-rA} b \ne r^\ell e^{-\lambda r} \ \text{ for all } b, c, \lambda",
    section="Section 2",
    label="Proposition 2",
    method="symbolic",
    leaves_out="Spectra of more than four eigenvalues are covered by the argument (Leibniz' rule for P(D), in which "
    "only the simple roots of P enter), not by a computation; drawn generators have size at most 4. Approximation "
    "is not denied: combinations of exponentials come as near as one likes.",
    covers=("Proposition 2: no diagonalisable generator of any size gives them",),
    code=("ewsmath.generators.Conjugated", "ewsmath.generators.AbstractGenerator.kernel"),
    no_depth="The statement is of kernels, which are what happens at depth one.",
    mutants=(
        Mutant("the generator has a Jordan block", f"{HERE}:drawn_generator", with_a_jordan_block, False),
        Mutant("double roots of the minimal polynomial", f"{HERE}:distinct", each_twice, keeps_depth_one=False),
        Mutant("ℓ = 0 allowed", f"{HERE}:least_power", no_power, keeps_depth_one=False),
        Mutant("the sum of the differences, not their product", f"{HERE}:leading_factor", sum_of_differences, False),
    ),
)
