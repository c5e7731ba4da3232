"""The kernels of every family of generators, for all parameters and all r at once."""

from collections.abc import Sequence
from math import factorial
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, SR, ExpPolys, Matrix
from ewsmath.generators import AbstractGenerator, ComplexJordan, Dense, Diagonal, Jordan, Rotation, Skew, Zero
from ewsmath.kernels import table
from ewsmath.rings import RF, Symbolic
from ewsmath.strategies import generators
from proofs_checks.agreement import agree
from proofs_checks.statement import Mutant, Statement

a, b, c, rate, first, second, omega, r = SR.symbols("a b c lambda lambda_1 lambda_2 omega r")

Rows = Sequence[Sequence[Any]]


def cosine(angle: Symbolic) -> Symbolic:
    """The cosine of a formula, by Euler."""
    return (SR.exp(SR.i * angle) + SR.exp(-SR.i * angle)) / 2


def sine(angle: Symbolic) -> Symbolic:
    """The sine of a formula, by Euler."""
    return (SR.exp(SR.i * angle) - SR.exp(-SR.i * angle)) * RF.i * -1 / 2


def chain(rows: Rows, size: int) -> list[list[Any]]:
    """Blocks on the diagonal, and the identity on the superdiagonal of blocks."""
    width = len(rows)

    def entry(i: int, j: int) -> Any:
        if i // width == j // width:
            return rows[i % width][j % width]
        return int(j == i + width)

    return [[entry(i, j) for j in range(width * size)] for i in range(width * size)]


ROTATION = [[a, -omega], [omega, a]]
"""The block of a rotation."""


def families() -> list[tuple[AbstractGenerator, Rows]]:
    """Each family with named parameters, and its matrix as the table has it. New ones: a generator keeps its kernel."""
    return [
        (Zero(2, ring=SR), [[0, 0], [0, 0]]),
        (Diagonal([first, second]), [[first, 0], [0, second]]),
        (Rotation(a, omega), ROTATION),
        (Skew([omega]), [[0, omega], [-omega, 0]]),
        (
            Skew([omega, 2 * omega, 2 * omega]),
            [[0, omega, 2 * omega], [-omega, 0, 2 * omega], [-2 * omega, -2 * omega, 0]],
        ),
        (Dense([[a, b], [SR.zero, c]]), [[a, b], [0, c]]),
        (Jordan(rate, 3), chain([[rate]], 3)),
        (ComplexJordan(a, omega, 2), chain(ROTATION, 2)),
    ]


def propagator(generator: AbstractGenerator) -> Matrix[Any]:
    """K(r) = e^{-rA}, as the library has it."""
    return generator.exponential(r)


def check_the_exponential_of_each_family() -> None:
    """K(0) = I and K' = −AK for all r and parameters, A written out: a linear equation has one solution, e^{-rA}."""
    for generator, rows in families():
        name, A, K = type(generator).__name__, Matrix(SR, rows), propagator(generator)
        unit = Matrix.identity(SR, len(rows))
        agree(K.map(SR, lambda x: x.at({"r": 0})), unit, f"{name}: K(0) and I")
        agree(K.map(SR, lambda x: x.derivative("r")), -(A @ K), f"{name}: K' and −AK")


def expected_kernels() -> dict[str, list[Symbolic]]:
    """The column of kernels of the table: r^ℓ e^{-ar} cos ωr and so on, with their signs and factorials."""
    wave = [SR.exp(-a * r) * cosine(omega * r), SR.exp(-a * r) * sine(omega * r)]
    return {
        "Zero": [SR.one],
        "Diagonal": [SR.exp(-first * r), SR.exp(-second * r)],
        "Rotation": wave,
        "Skew": [cosine(omega * r), -sine(omega * r)],
        "Dense": [(SR.exp((b - a) * r) + sign * SR.exp(-(a + b) * r)) * sign / 2 for sign in (1, -1)],
        "Jordan": [power(-r, k) * SR.exp(-rate * r) / factorial(k) for k in range(3)],
        "ComplexJordan": [*wave, *(-r * x for x in wave)],
    }


def power(x: Symbolic, k: int) -> Symbolic:
    """The power x^k."""
    return x**k


def check_the_table_of_the_library() -> None:
    """`kernels.table` shows these families with these kernels, no more and no less."""
    found = {row.family: list(row.kernels) for row in table()}
    agree(found, expected_kernels(), "the table of kernels of the library and that of the paper")


@given(st.data())
def check_drawn_generators(data: st.DataObject) -> None:
    """K(0) = I and K' = −AK as functions of r, for generators of every family with rational parameters."""
    generator = data.draw(generators(max_dim=3)).over(EE)
    functions = ExpPolys(EE)
    K = generator.kernel()
    A = generator.matrix.map(functions, functions.coerce)
    agree(K.map(EE, lambda f: f(0)), Matrix.identity(EE, generator.dim), "K(0) and I")
    agree(K.map(functions, lambda f: f.derivative()), -(A @ K), "K' and −AK")


def backwards(generator: AbstractGenerator) -> Matrix[Any]:
    """e^{+rA}."""
    return generator.exponential(-r)


def transposed(generator: AbstractGenerator) -> Matrix[Any]:
    """The transposed propagator: the rotation the other way round, Jordan blocks fed at the other end."""
    return generator.exponential(r).transpose()


def negated_sine(angle: Symbolic) -> Symbolic:
    """−sin."""
    return (SR.exp(SR.i * angle) - SR.exp(-SR.i * angle)) * RF.i / 2


def no_factorial(k: int) -> int:
    """1 in place of k!."""
    return 1


HERE = "proofs_checks.table_of_kernels"

STATEMENT = Statement(
    title="The kernels of every family of generators",
    claim=r"\text{zero: } 1;\ \text{diagonal: } e^{-\lambda r};\ \text{rotation: } e^{-ar}\cos\omega r,\,"
    r" e^{-ar}\sin\omega r;\ \text{Jordan: } \tfrac{(-r)^\ell}{\ell!}e^{-\lambda r};\ \text{complex Jordan: }"
    r" \tfrac{(-r)^\ell}{\ell!}e^{-ar}\cos\omega r,\, \tfrac{(-r)^\ell}{\ell!}e^{-ar}\sin\omega r",
    section="Table 1",
    method="symbolic",
    leaves_out="Skew and dense matrices with all entries as parameters, whose spectrum is not rational in them: a "
    "skew one of width 2, one axis of width 3 and a triangular dense one stand for them, and drawn ones. Blocks of "
    "size 3 and 2; the numbers of parameters are another statement.",
    covers=("Table 1: the kernels of every family",),
    code=("ewsmath.kernels.table", "ewsmath.generators.AbstractGenerator.exponential"),
    no_depth="The statement is of kernels, which are what happens at depth one.",
    mutants=(
        Mutant("wrong sign of r", f"{HERE}:propagator", backwards, keeps_depth_one=False),
        Mutant("the propagator transposed", f"{HERE}:propagator", transposed, keeps_depth_one=False),
        Mutant("sine with the other sign", f"{HERE}:sine", negated_sine, keeps_depth_one=False),
        Mutant("missing factorial", f"{HERE}:factorial", no_factorial, keeps_depth_one=False),
        Mutant(
            "missing factorial in the Jordan form",
            "ewsmath.jordan_form:factorial",
            no_factorial,
            keeps_depth_one=False,
        ),
    ),
)
