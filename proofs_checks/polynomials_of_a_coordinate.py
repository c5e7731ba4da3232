"""A polynomial of degree p in a coordinate of level one is a linear functional of the EWS at depth p."""

from collections.abc import Sequence
from itertools import product
from math import comb, factorial, prod
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, SR, ExpPoly, ExpPolys, Functional
from ewsmath.generators import Jordan
from ewsmath.rings import Ring
from ewsmath.strategies import rationals
from proofs_checks import definition, formulas
from proofs_checks.agreement import agree, differ
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def functional(ring: Ring[Any], polynomial: Sequence[Any], ell: Sequence[Any]) -> Functional[Any]:
    """Σ_k p_k ℓ^{⧢k} for ℓ = Σ_j ℓ_j (j): the word j1…jk has the coefficient p_k · k! · ℓ_{j1} ⋯ ℓ_{jk}."""
    coefficients = {}
    for k, p in enumerate(polynomial):
        for word in product(range(1, len(ell) + 1), repeat=k):
            coefficients[word] = prod((ell[j - 1] for j in word), start=ring.coerce(p) * repetitions(k))
    return Functional(ring, coefficients)


def repetitions(k: int) -> int:
    """k!: how often each word occurs in the k-fold shuffle of a letter with itself."""
    return factorial(k)


def value(ring: Ring[Any], polynomial: Sequence[Any], g: Any) -> Any:
    """P(g), by Horner's rule."""
    total = ring.zero
    for p in reversed(polynomial):
        total = total * g + ring.coerce(p)
    return total


def gamma_coordinate(rate: Any, k: int, piece: Piece) -> Any:
    """∫ (−1)^k ((t−u)^k/k!) e^{−λ(t−u)} dX over a piece, as a formula."""
    r = piece.elapsed
    kernel = ExpPoly(SR, {(k, (-rate).as_rational_function()): sign(k) * SR.ratio(1, factorial(k))})
    speed = kernel.substituted(r, -r) * ExpPolys(SR).coerce(piece.v[0])
    return speed.integral()(1)


def sign(k: int) -> int:
    """(−1)^k."""
    return (-1) ** k


def check_all_polynomials() -> None:
    """P(ℓ_1 S^1 + ℓ_2 S^2) = ⟨P(ℓ), S⟩ for all P of degree p, ℓ, pieces and 2 x 2 matrices, at depth p."""
    piece, ell = formulas.piece(1), SR.symbols("l_1 l_2")
    for generator in formulas.all_matrices():
        for degree in each_depth(2):
            S = definition.ews(generator, [piece], degree)
            P = [SR.symbol(f"p_{k}") for k in range(degree + 1)]
            g = ell[0] * S[1] + ell[1] * S[2]
            agree(functional(SR, P, ell)(S), value(SR, P, g), "⟨P(ℓ), S⟩ and P(⟨ℓ, S⟩)")


def check_polynomials_of_gamma_kernels() -> None:
    """The same for the integrals against gamma kernels that a Jordan block of size 3 gives, for all λ, r and v.

    The lift feeds the last coordinate of the block.
    """
    rate, piece = SR.symbol("lambda"), Piece(SR.symbol("r"), [SR.symbol("x")])
    for degree in each_depth(2):
        S = definition.ews(Jordan(rate, 3), [Piece(piece.elapsed, [SR.zero, SR.zero, *piece.v])], degree)
        P = [SR.symbol(f"p_{k}") for k in range(degree + 1)]
        for k in range(3):
            g = gamma_coordinate(rate, k, piece)
            ell = [SR.coerce(int(j == 2 - k)) for j in range(3)]
            agree(functional(SR, P, ell)(S), value(SR, P, g), f"⟨P(ℓ), S⟩ and P of the gamma kernel {k}")


@given(st.data())
def check_drawn_polynomials(data: st.DataObject) -> None:
    """The same for drawn generators, paths of two pieces and polynomials of degrees up to 4; and by the shuffles."""
    generator = data.draw(exact_generators(EE)).over(EE)
    degree = data.draw(depths(max_depth=4))
    S = definition.ews(generator, data.draw(pieces(generator.dim, max_size=2)), degree)
    P = data.draw(st.lists(rationals(max_numerator=2), min_size=degree + 1, max_size=degree + 1))
    ell = data.draw(st.lists(st.integers(-2, 2).map(EE.coerce), min_size=generator.dim, max_size=generator.dim))
    g = sum((c * S[j] for j, c in enumerate(ell, start=1)), EE.zero)
    agree(functional(EE, P, ell)(S), value(EE, P, g), "⟨P(ℓ), S⟩ and P(⟨ℓ, S⟩)")
    letter, power, total = Functional(EE, {(j,): c for j, c in enumerate(ell, start=1)}), Functional(EE, {(): 1}), None
    for p in P:
        total = power * p if total is None else total + power * p
        power = power.shuffle(letter)
    agree(functional(EE, P, ell), total, "the words with their factorials and the powers of ℓ under ⧢")


@given(st.data())
def check_no_smaller_depth(data: st.DataObject) -> None:
    """g^p is linear at no smaller depth: Σ_k (−1)^{p−k} C(p,k) S(kX)^w = 0 for |w| < p, while g^p gives p! g^p ≠ 0."""
    generator = data.draw(exact_generators(EE)).over(EE)
    degree = data.draw(depths())
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    multiples = [Piece(piece.elapsed, [k * x for x in piece.v]) for k in range(degree + 1)]
    signs = [(-1) ** (degree - k) * comb(degree, k) for k in range(degree + 1)]
    values = [definition.ews(generator, [part], degree) for part in multiples]
    for word in values[0].algebra.words():
        if len(word) < degree:
            difference = sum((c * S[word] for c, S in zip(signs, values, strict=True)), EE.zero)
            agree(difference, EE.zero, f"the difference of order {degree} at {word} and 0")
    g = values[1][1]
    of_powers = sum((c * value(EE, [0] * degree + [1], S[1]) for c, S in zip(signs, values, strict=True)), EE.zero)
    agree(of_powers, factorial(degree) * value(EE, [0] * degree + [1], g), "the difference of g^p and p! g^p")
    if g:
        differ(of_powers, EE.zero, "the difference of g^p and 0")


def once(k: int) -> int:
    """The factorial is missing."""
    return 1


def factorial_of_the_rest(k: int) -> int:
    """(k−1)!: the number of words with the last letter fixed."""
    return factorial(max(k - 1, 0))


def positive(k: int) -> int:
    """No sign."""
    return 1


def lowered(ring: Ring[Any], polynomial: Sequence[Any], g: Any) -> Any:
    """The coefficients of P in reverse order."""
    return value_of(ring, list(reversed(polynomial)), g)


value_of = value  # by this name the mutant has it, in whose place it stands

HERE = "proofs_checks.polynomials_of_a_coordinate"

STATEMENT = Statement(
    title="A polynomial of degree p in a coordinate is linear at depth p",
    claim=r"P\big(\langle\ell,S\rangle\big) = \Big\langle\sum_{k=0}^{p} p_k\,\ell^{⧢ k},\ S\Big\rangle, \qquad"
    r" \ell^{⧢ k} = k!\sum_{j_1,\dots,j_k}\ell_{j_1}\cdots\ell_{j_k}\,(j_1\cdots j_k)",
    section="Proposition 2, and what follows from it",
    method="symbolic",
    leaves_out="As formulas for all parameters on one piece: width 2 (Jordan block of size 3), degrees up to 2; "
    "degrees up to 4 and two pieces are drawn. That no smaller depth does is shown under a clock that "
    "does not read the path, by scaling the path.",
    covers=("A polynomial of degree p in a coordinate is linear in the EWS at depth p",),
    code=("ewsmath.Functional",),
    mutants=(
        Mutant("missing factorial", f"{HERE}:repetitions", once, keeps_depth_one=True),
        Mutant("factorial of one less", f"{HERE}:repetitions", factorial_of_the_rest, keeps_depth_one=True),
        Mutant("gamma kernels without their sign", f"{HERE}:sign", positive, keeps_depth_one=False),
        Mutant("coefficients in reverse order", f"{HERE}:value", lowered, keeps_depth_one=False),
    ),
)
