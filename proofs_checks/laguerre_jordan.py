"""HiPPO-LagT, the state-space model of Laguerre polynomials, is one Jordan block in another basis."""

from math import comb, factorial
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, SR, Matrix, Tensor, homomorphism
from ewsmath.generators import Dense, Jordan
from ewsmath.jordan_form import JordanForm
from ewsmath.rings import Symbolic
from ewsmath.strategies import rationals
from proofs_checks import definition
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths
from proofs_checks.statement import Mutant, Statement

SIZES = (1, 2, 3, 4)

HALVES = rationals(max_numerator=3, max_denominator=2)


def lagt(rate: Any, size: int) -> list[list[Any]]:
    """The matrix of LagT: λ on the diagonal, ones below; the lift of its one channel is (1, …, 1)."""
    return [[rate if i == j else int(j < i) for j in range(size)] for i in range(size)]


def block(rate: Any, size: int) -> list[list[Any]]:
    """One Jordan block λI + N."""
    return [[rate if i == j else int(j == i + 1) for j in range(size)] for i in range(size)]


def basis(size: int) -> list[list[int]]:
    """The basis Q with C(i, j) in row i and column size − 1 − j: it takes the last unit vector to (1, …, 1)."""
    return [[binomial(i, size - 1 - column) for column in range(size)] for i in range(size)]


def binomial(i: int, j: int) -> int:
    """The binomial coefficient C(i, j)."""
    return comb(i, j)


def laguerre(k: int) -> list[fmpq]:
    """The coefficients of the Laguerre polynomial L_k(r) = Σ_j C(k, j)(−r)^j/j!, from the constant one up."""
    return [fmpq((-1) ** j * comb(k, j), factorial(j)) for j in range(k + 1)]


def kernel(k: int, rate: Symbolic, r: Symbolic) -> Symbolic:
    """The function e^{-λr} L_k(r)."""
    return sum((c * r**j for j, c in enumerate(laguerre(k))), SR.zero) * SR.exp(-rate * r)


def found_form(rows: list[list[Any]]) -> JordanForm:
    """The Jordan form as the library finds it."""
    return Dense(rows).jordan_form()


def check_it_is_one_block() -> None:
    """A = Q(λI + N)Q^{-1} with a matrix of binomial coefficients, for every λ; the library finds one block as well."""
    rate = SR.symbol("lambda")
    for size in SIZES:
        A, J, Q = Matrix(SR, lagt(rate, size)), Matrix(SR, block(rate, size)), Matrix(SR, basis(size))
        agree(A @ Q, Q @ J, f"AQ and QJ at size {size}")
        inverse = Matrix(QQ, basis(size)).inverse()
        agree(inverse @ Matrix(QQ, basis(size)), Matrix.identity(QQ, size), "Q^{-1}Q and I")
        fed_last = [int(k == size - 1) for k in range(size)]
        agree(inverse.apply([fmpq(1)] * size), [fmpq(x) for x in fed_last], "Q^{-1}(1, …, 1) and the last unit vector")
        blocks = [
            (SR.coerce(z), n) for z, n in found_form([[SR.coerce(x) for x in row] for row in lagt(rate, size)]).blocks
        ]
        agree(blocks, [(rate, size)], "the blocks that the library finds and one of full size")


def check_its_kernels_are_laguerre_functions() -> None:
    """With e^{-λr}L_k(r) for K_k: K' = −AK and K(0) = (1, …, 1), for all λ and r; so K = e^{-rA}(1, …, 1)."""
    rate, r = SR.symbols("lambda r")
    for size in SIZES:
        K = [kernel(k, rate, r) for k in range(size)]
        slope = (-Matrix(SR, lagt(rate, size))).apply(K)
        agree([f.derivative("r") for f in K], slope, f"K' and −AK at size {size}")
        agree([f.at({"r": 0}) for f in K], [SR.one] * size, "K(0) and (1, …, 1)")
        propagator = Dense([[SR.coerce(x) for x in row] for row in lagt(rate, size)]).exponential(r)
        agree(propagator.apply([SR.one] * size), K, "e^{-rA}(1, …, 1) of the library and Laguerre functions")


def check_they_are_orthonormal() -> None:
    """∫_0^∞ L_j(r) L_k(r) e^{-r} dr is 1 for j = k, else 0: these are the polynomials of the textbook."""
    for j in SIZES:
        for k in SIZES:
            products = (x * y * factorial(p + q) for p, x in enumerate(laguerre(j)) for q, y in enumerate(laguerre(k)))
            agree(sum(products, fmpq(0)), fmpq(int(j == k)), f"the pairing of L_{j} and L_{k}")


@given(st.data())
def check_the_ews_in_the_other_basis(data: st.DataObject) -> None:
    """The EWS of LagT is that of the Jordan block with Q in every tensor slot; both by the definition."""
    depth, size, rate = data.draw(depths()), data.draw(st.integers(1, 2)), data.draw(HALVES)
    steps = data.draw(st.lists(st.tuples(HALVES, HALVES), min_size=1, max_size=2))
    A, J = Dense(lagt(rate, size), ring=EE), Jordan(rate, size, ring=EE)
    S = definition.ews(A, [Piece(r, [x] * size) for r, x in steps], depth)
    T = definition.ews(J, [Piece(r, [fmpq(0)] * (size - 1) + [x]) for r, x in steps], depth)
    agree(S, homomorphism(Matrix(EE, basis(size)), T), "the EWS of LagT and that of the Jordan block, mapped")


def diagonal_that_grows(rate: Any, size: int) -> list[list[Any]]:
    """The eigenvalues λ, λ + 1, … as in HiPPO-LegS: a matrix that is diagonalisable."""
    return [[rate + i if i == j else int(j < i) for j in range(size)] for i in range(size)]


def no_factorial(n: int) -> int:
    """1 in place of j!."""
    return 1


def last_slot_alone(matrix: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """Q on the last letter of a word alone."""
    levels = [a.level(0)]
    for n in range(1, a.algebra.depth + 1):
        rows = Matrix.flat(a.algebra.ring, a.level(n), a.algebra.dim)
        levels.append(list((rows @ matrix.transpose()).entries))
    return a.algebra.from_levels(levels)


def next_binomial(i: int, j: int) -> int:
    """C(i + 1, j + 1), the row below."""
    return comb(i + 1, j + 1)


HERE = "proofs_checks.laguerre_jordan"

STATEMENT = Statement(
    title="HiPPO-LagT is a Jordan block",
    claim=r"A_{ij} = \lambda\,\delta_{ij} + [j<i] = Q(\lambda I + N)Q^{-1}, \qquad"
    r" e^{-rA}(1,\dots,1)^\top = \big(e^{-\lambda r} L_k(r)\big)_{k=0,1,\dots}",
    section="Section 2; Table 1",
    method="symbolic",
    leaves_out="Sizes above 4 (2 for the EWS of drawn paths). λ is any number here: publications have 1/2 or 1 on "
    "the diagonal, and HiPPO's sign is that of −A. Which λ the paper takes is not known to us.",
    covers=("HiPPO-LagT is a Jordan block",),
    code=("ewsmath.generators.Dense", "ewsmath.generators.Jordan", "ewsmath.homomorphism"),
    mutants=(
        Mutant("Q in the last slot alone", f"{HERE}:homomorphism", last_slot_alone, keeps_depth_one=True),
        Mutant("distinct eigenvalues", f"{HERE}:lagt", diagonal_that_grows, keeps_depth_one=False),
        Mutant("Laguerre polynomials without factorials", f"{HERE}:factorial", no_factorial, keeps_depth_one=False),
        Mutant("binomial coefficients of the next row", f"{HERE}:binomial", next_binomial, keeps_depth_one=False),
    ),
)
