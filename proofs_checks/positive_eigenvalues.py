"""Transition matrices of a generator with real spectrum have positive eigenvalues, so none flips a sign."""

from itertools import product
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ_I, SR, ComplexBalls, Matrix, level_flow
from ewsmath.generators import AbstractGenerator, Conjugated, Diagonal, Rotation
from ewsmath.rings import Balls, WorkingPrecision
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree, differ
from proofs_checks.draws import depths, each_depth
from proofs_checks.euclidean import above
from proofs_checks.statement import Mutant, Statement

HALVES = rationals(max_numerator=3, max_denominator=2)


def diagonal(rates: list[fmpq]) -> AbstractGenerator:
    """The generator diag(λ)."""
    return Diagonal(rates).over(EE)


def transition(generator: AbstractGenerator, r: Any, level: int) -> Matrix[Any]:
    """D_A^r on level n, the transition of the linear recurrence of that level."""
    return level_flow(generator, r, level)


def eigenvalue(rates: list[fmpq], word: tuple[int, ...], r: fmpq) -> Any:
    """Π e^{-λ_i r} over the letters of a word."""
    return EE.exp(EE.coerce(-sum((rates[i - 1] for i in word), fmpq(0)) * r))


def words(dim: int, level: int) -> list[tuple[int, ...]]:
    """The words of a level in order."""
    return list(product(range(1, dim + 1), repeat=level))


@given(st.data())
def check_diagonal_generators(data: st.DataObject) -> None:
    """The transition of level n is diag(Π e^{-λ_i r}), each entry above zero, for rates and clocks of any sign."""
    rates = data.draw(st.lists(HALVES, min_size=1, max_size=2))
    r, depth = data.draw(HALVES), data.draw(depths())
    for n in range(1, depth + 1):
        T = transition(diagonal(rates), r, n)
        found = [T[k, k] for k in range(len(rates) ** n)]
        agree(T, Matrix.diagonal(EE, found), f"the transition of level {n} and its diagonal")
        for word, z in zip(words(len(rates), n), found, strict=True):
            agree(z, eigenvalue(rates, word, r), f"the eigenvalue at {word} and the product of exponentials")
            above(z, 0, f"the eigenvalue at {word}")


@given(st.data())
def check_diagonalisable_with_real_spectrum(data: st.DataObject) -> None:
    """In any basis: tensor products of eigenvectors of A are eigenvectors of level n, with the same eigenvalues."""
    rates = data.draw(st.lists(HALVES, min_size=2, max_size=2))
    r, depth = data.draw(HALVES), data.draw(depths(2))
    x, y = data.draw(st.integers(-2, 2)), data.draw(st.integers(-2, 2))
    P = Matrix(EE, [[1 + x * y, x], [y, 1]])
    generator = Conjugated(P, diagonal(rates), ring=EE)
    columns = P.transpose().rows
    for n in range(1, depth + 1):
        T = transition(generator, r, n)
        for word in words(2, n):
            vector = [EE.one]
            for i in word:
                vector = [x * y for x in vector for y in columns[i - 1]]
            z = eigenvalue(rates, word, r)
            agree(T.apply(vector), [z * x for x in vector], f"T v and the eigenvalue times v, v = p_{word}")


def check_for_all_rates() -> None:
    """For all real λ and r at once every eigenvalue is a square, (e^{-λr/2})², of a unit that is real: so positive."""
    first, second, r = SR.symbols("lambda_1 lambda_2 r")
    for n in each_depth(3):
        T = transition(Diagonal([first, second]), r, n)
        half = transition(Diagonal([first / 2, second / 2]), r, n)
        for k, word in enumerate(words(2, n)):
            exponent = sum(((first, second)[i - 1] for i in word), SR.zero)
            agree(T[k, k], half[k, k] * half[k, k], f"the eigenvalue at {word} and a square")
            agree(half[k, k], SR.exp(-exponent * r / 2), f"its root at {word} and a real exponential")


def check_a_rotation_flips() -> None:
    """Without a real spectrum it fails: a rotation by π is −I on odd levels, in balls."""
    with WorkingPrecision(128):
        half_turn = Balls(128).coerce(Balls(128).one.value.pi())
    generator = Rotation(None, 1, ring=ComplexBalls(128))
    for n in each_depth(3):
        T = transition(generator, ComplexBalls(128).coerce(half_turn), n)
        unit = Matrix.identity(ComplexBalls(128), 2**n)
        agree(T, unit * (-1) ** n, f"the half turn on level {n} and ±I")
        if n % 2:
            differ(T, unit, f"the half turn on level {n} and I")


def check_a_rotation_by_a_rational_angle() -> None:
    """A rotation by a rational angle has the eigenvalues e^{±iωr}, which are not even real."""
    for angle in (fmpq(1), fmpq(3, 2)):
        T = transition(Rotation(0, 1), angle, 1)
        for turn in (QQ_I.i * angle, -QQ_I.i * angle):
            z = EE.exp(EE.coerce(turn))
            determinant = (T[0, 0] - z) * (T[1, 1] - z) - T[0, 1] * T[1, 0]
            agree(determinant, EE.zero, "det(T − z) and 0")
            differ(z, z.conjugate(), "the eigenvalue and its conjugate")


def of_the_last_letter(rates: list[fmpq], word: tuple[int, ...], r: fmpq) -> Any:
    """e^{-λ_i r} of the last letter alone."""
    return EE.exp(EE.coerce(-rates[word[-1] - 1] * r))


def sum_of_eigenvalues(rates: list[fmpq], word: tuple[int, ...], r: fmpq) -> Any:
    """The sum over the letters, as of a Kronecker sum."""
    return sum((EE.exp(EE.coerce(-rates[i - 1] * r)) for i in word), EE.zero)


def backwards(rates: list[fmpq], word: tuple[int, ...], r: fmpq) -> Any:
    """Π e^{+λ_i r}."""
    return EE.exp(EE.coerce(sum((rates[i - 1] for i in word), fmpq(0)) * r))


def spinning(rates: list[fmpq]) -> AbstractGenerator:
    """A rotation where there is room for one."""
    return (Diagonal(rates) if len(rates) == 1 else Rotation(*rates)).over(EE)


HERE = "proofs_checks.positive_eigenvalues"

STATEMENT = Statement(
    title="Real diagonal generators have positive transition eigenvalues",
    claim=r"A = P\operatorname{diag}(\lambda)P^{-1},\ \lambda \in \mathbb R^m \ \Rightarrow\ D_A^r \text{ has}"
    r" \text{ on level } n \text{ the eigenvalues } \prod_{k=1}^n e^{-\lambda_{i_k} r} > 0",
    section="Section 2",
    method="exact on draws",
    leaves_out="Widths above 2, depths above 3. What follows for tasks, that no layer of this kind with a linear "
    "read-out tracks parity, is another statement. The half turn is computed in balls, since π is in no exact ring "
    "here.",
    covers=("Real diagonal generators have positive transition eigenvalues",),
    code=("ewsmath.level_flow", "ewsmath.generators.Diagonal", "ewsmath.generators.Conjugated"),
    mutants=(
        Mutant("the eigenvalue of the last letter alone", f"{HERE}:eigenvalue", of_the_last_letter, True),
        Mutant("sums of eigenvalues, not products", f"{HERE}:eigenvalue", sum_of_eigenvalues, keeps_depth_one=True),
        Mutant("wrong sign of the flow", f"{HERE}:eigenvalue", backwards, keeps_depth_one=False),
        Mutant("a spectrum that is not real", f"{HERE}:diagonal", spinning, keeps_depth_one=False),
    ),
)
