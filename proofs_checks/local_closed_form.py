"""The EWS of one linear piece in closed form: divided differences of exp, and their derivatives for Jordan blocks."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from math import factorial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, SR, Balls, Tensor, TensorAlgebra
from ewsmath.ews import closed_form, local_closed
from ewsmath.generators import Diagonal, Rotation
from ewsmath.words import Word
from proofs_checks import definition, formulas
from proofs_checks.agreement import agree, at_most
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def points(exponents: Sequence[Any]) -> list[Any]:
    """0, A_1, …, A_n: the partial sums A_k = a_1 + ⋯ + a_k."""
    sums = [SR.zero]
    for a in exponents:
        sums.append(sums[-1] + a)
    return sums


def difference(f: Callable[[Any], Any], z: Sequence[Any]) -> Any:
    """f[z_0, …, z_n] by its recursion, at points of which no two are equal."""
    if len(z) == 1:
        return f(z[0])
    return (difference(f, z[1:]) - difference(f, z[:-1])) / (z[-1] - z[0])


def check_diagonal_generator() -> None:
    """⟨i1…in, σ⟩ = v_{i1} ⋯ v_{in} exp[0, A_1, …, A_n] with a_k = −rλ_{ik}, for all r, v and rates."""
    rates, piece = SR.symbols("lambda mu"), formulas.piece(1)
    for depth in each_depth(3):
        sigma = definition.ews(Diagonal(rates), [piece], depth)
        expected = {}
        for word in sigma.algebra.words():
            expected[word] = difference(SR.exp, points([-piece.elapsed * rates[i - 1] for i in word]))
            for i in word:
                expected[word] *= piece.v[i - 1]
        agree(sigma, sigma.algebra.tensor(expected), "σ by its definition and by divided differences")


def jordan_coordinate(word: Word, piece: Piece) -> Any:
    """Σ_ℓ Π_k [(−r)^{ℓk}/ℓk! v_{ik+ℓk}] (Π_k ∂_{ak}^{ℓk}) exp[0, A_1, …, A_n] at a_k = −rλ, in one block of size 2.

    The difference is a formula in a_1, …, a_n, which is differentiated as it stands.
    """
    rate = SR.symbol("lambda")
    total = SR.zero
    for shifts in product(*(range(formulas.M - i + 1) for i in word)):
        names = [f"a_{k}" for k in range(len(word))]
        term = difference(SR.exp, points([SR.symbol(name) for name in names]))
        for name, i, shift in zip(names, word, shifts, strict=True):
            for _ in range(shift):
                term = term.derivative(name)
            term = term * (-piece.elapsed) ** shift * SR.ratio(1, factorial(shift)) * piece.v[i + shift - 1]
        total = total + term.at(dict.fromkeys(names, -piece.elapsed * rate))
    return total


def check_jordan_block() -> None:
    """The same with parameter derivatives, for the Jordan block of size 2: for all r, v and λ."""
    piece = formulas.piece(1)
    for depth in each_depth(2):
        sigma = definition.ews(formulas.jordan(), [piece], depth)
        expected = {word: jordan_coordinate(word, piece) for word in sigma.algebra.words()}
        agree(sigma, sigma.algebra.tensor(expected), "σ by its definition and by derivatives of differences")


def check_differences_solve_opitz() -> None:
    """g_k(r) = e^{rz}[z_0, …, z_k] solves g_k' = z_k g_k + g_{k−1}: a column of the exponential of Opitz' matrix."""
    r = SR.symbol("r")
    before = None
    for k in range(4):
        z = [SR.symbol(f"z_{j}") for j in range(k + 1)]
        g = difference(lambda x: SR.exp(r * x), z)
        right = z[-1] * g if before is None else z[-1] * g + before
        agree(g.derivative("r"), right, f"g_{k}' and z_{k} g_{k} + g_{k - 1}")
        agree(g.at({"r": 0}), SR.one if k == 0 else SR.zero, f"g_{k} at r = 0")
        before = g


def special_generators() -> list[Any]:
    """The families, and others with points that coincide: rates 0, opposite rates, an undamped rotation."""
    rate, omega = SR.symbols("lambda omega")
    confluent = [Diagonal([rate, 0]), Diagonal([rate, -rate]), Diagonal([rate, rate]), Rotation(0, omega)]
    return [*formulas.families(), *confluent]


def check_library_symbolically() -> None:
    """The library's closed form is σ, for all r, v and parameters, also where points coincide."""
    piece = formulas.piece(1)
    for generator in special_generators():
        for depth in each_depth(2):
            closed = local_closed(generator, piece.elapsed, piece.v, depth)
            agree(closed, definition.ews(generator, [piece], depth), "the closed form and the definition")


def check_function_of_the_clock_time() -> None:
    """The library's F(r) = r^n σ_n(r, v), the EWS of a piece with speed v that lasts for r, for all r and v."""
    piece = formulas.piece(1)
    whole = Piece(piece.elapsed, [piece.elapsed * x for x in piece.v])
    for generator in formulas.families():
        for depth in each_depth(2):
            F = closed_form(generator, piece.v, depth)
            value = TensorAlgebra(SR, 2, depth).tensor({word: f(piece.elapsed) for word, f in F.coefficients.items()})
            agree(value, definition.ews(generator, [whole], depth), "F(r) and the definition")


@given(st.data())
def check_library_in_EE(data: st.DataObject) -> None:
    """The closed form is σ for drawn generators, and e^v where the clock stands still."""
    generator = data.draw(exact_generators(EE, max_dim=3))
    depth = data.draw(depths(max_depth=2))
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    closed = local_closed(generator, piece.elapsed, piece.v, depth)
    agree(closed, definition.ews(generator, [piece], depth), "the closed form and the definition")
    algebra = closed.algebra
    stopped = local_closed(generator, 0, piece.v, depth)
    agree(stopped, exponential_series(algebra.vector(piece.v)), "σ(0, v) and Σ v^{⊗n}/n!")


@given(st.data())
def check_library_in_balls(data: st.DataObject) -> None:
    """In balls the differences come from Opitz' matrix; they hold the exact values, and are small."""
    rates = data.draw(st.lists(st.integers(-2, 2), min_size=1, max_size=2))
    depth = data.draw(depths())
    [piece] = data.draw(pieces(len(rates), max_size=1))
    ring = Balls(96)
    exact = definition.ews(Diagonal(rates, ring=EE), [piece], depth)
    found = local_closed(Diagonal(rates, ring=ring), piece.elapsed, piece.v, depth)
    agree(found, found.algebra.tensor(exact.coefficients), "the balls and the exact numbers")
    for ball in found.coefficients.values():
        at_most(ball.radius, QQ.ratio(1, 2**60), "the radius of a ball and 2^{−60}")


def exponential_series(v: Tensor[Any]) -> Tensor[Any]:
    """Σ_n v^{⊗n}/n!."""
    total = power = v.algebra.one()
    for n in range(1, v.algebra.depth + 1):
        power = power @ v
        total = total + power.scaled(v.algebra.ring.ratio(1, factorial(n)))
    return total


def sums_from_the_end(exponents: Sequence[Any]) -> list[Any]:
    """The partial sums a_n + ⋯ + a_k, as if the last letter were integrated first."""
    return partial_sums(list(exponents)[::-1])


def opposite_points(exponents: Sequence[Any]) -> list[Any]:
    """The points of −A."""
    return [-z for z in partial_sums(exponents)]


def derivatives_in_one_sum(powers: Sequence[int]) -> Counter[tuple[int, ...]]:
    """∂_{a_k} acts on A_k alone, though A_k, A_{k+1}, … all depend on a_k."""
    return Counter({tuple(powers): 1})


def without_factorials(field: Any) -> Callable[[Any, int], Any]:
    """f[z, …, z] = f^{(k)}(z), with no 1/k!."""
    return lambda z, k: field.exp(field.coerce(z))


partial_sums = points  # by this name the mutants have them, in whose place others stand

HERE = "proofs_checks.local_closed_form"

STATEMENT = Statement(
    title="The local EWS in closed form",
    claim=r"\langle i_1\cdots i_n,\sigma(r,v)\rangle = v_{i_1}\cdots v_{i_n}\,\exp[0,A_1,\dots,A_n], \quad"
    r" A_k = -r(\lambda_{i_1}+\cdots+\lambda_{i_k}); \qquad"
    r" \lambda I+N:\ \sum_{\ell}\prod_k\Big[\tfrac{(-r)^{\ell_k}}{\ell_k!} v_{i_k+\ell_k}\Big]"
    r"\Big(\prod_k\partial_{a_k}^{\ell_k}\Big)\exp[0,A_1,\dots,A_n]",
    section="Definition 2, on one linear piece",
    method="symbolic",
    leaves_out="As formulas for all r, v and rates at width 2: depths up to 3 for diagonal generators, up to 2 for "
    "others; the rest is drawn, with Jordan blocks of size 3 at most. How many digits the quotients lose "
    "near points that coincide.",
    covers=("Local EWS: divided differences of exp in closed form",),
    code=("ewsmath.ews.local_closed", "ewsmath.ews.closed_form"),
    mutants=(
        Mutant("partial sums from the end", f"{HERE}:points", sums_from_the_end, keeps_depth_one=True),
        Mutant("wrong sign of the exponents", f"{HERE}:points", opposite_points, keeps_depth_one=False),
        Mutant(
            "the derivative acts on one partial sum alone",
            "ewsmath.ews.closed:_derivatives",
            derivatives_in_one_sum,
            keeps_depth_one=True,
        ),
        Mutant("missing factorial", "ewsmath.ews.closed:_exponential", without_factorials, keeps_depth_one=False),
    ),
)
