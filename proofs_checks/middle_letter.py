"""Cut at any of its letters, a level of the EWS is a prefix weighted to the end, the letter, and a plain suffix."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, ExpPolys, PiecewiseLinearPath, Tensor, TensorAlgebra, homomorphism
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator
from ewsmath.words import EMPTY
from proofs_checks import definition, faults, formulas
from proofs_checks.agreement import agree
from proofs_checks.definition import Speed, propagator, remaining, running_ews, weighted_speed
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def flowed_prefix(generator: AbstractGenerator, path: Sequence[Piece], j: int, depth: int) -> Tensor[Any]:
    """D^{θ_t−θ_u}S_{s,u}, for u on piece j, as a function of its fraction u."""
    E = propagator(generator, remaining(path)[j] + path[j].elapsed, -path[j].elapsed)
    return homomorphism(E, running_ews(generator, path[: j + 1], depth))


def suffix(generator: AbstractGenerator, path: Sequence[Piece], j: int, depth: int) -> Tensor[Any]:
    """S_{u,t}, for u on piece j, as a function of its fraction u; by its definition, from the last letter back."""
    functions = ExpPolys(generator.ring)
    algebra = TensorAlgebra(functions, generator.dim, depth)
    weights = remaining(path)
    later = algebra.one()  # S from the end of the piece on, at first of the last piece
    for k in range(len(path) - 1, j - 1, -1):
        so_far = left_from(weighted_speed(generator, path[k], weights[k]), later)
        later = algebra.tensor(definition.at(0, so_far).coefficients) if k > j else so_far
    return later


def left_from(speed: Speed, later: Tensor[Any]) -> Tensor[Any]:
    """The iterated integrals from the fraction u of a piece on, from those of what comes after it."""
    algebra = later.algebra
    found = {EMPTY: algebra.ring.one}
    for word in algebra.words():
        if word:
            integral = (speed[word[0] - 1] * found[word[1:]]).integral()  # over the first letter's time, from 0 to u
            found[word] = algebra.ring.coerce(integral(1)) - integral + later[word]
    return algebra.tensor(found)


def level(S: Tensor[Any], n: int, depth: int) -> Tensor[Any]:
    """Level n alone, among the tensors of a depth."""
    algebra = TensorAlgebra(S.algebra.ring, S.algebra.dim, depth)
    return algebra.tensor({word: c for word, c in S.coefficients.items() if len(word) == n})


def every_split(generator: AbstractGenerator, path: Sequence[Piece], n: int) -> None:
    """Compare ∫ (D^{θ_t−θ_u}S^{(a)}_{s,u}) ⊗ e^{−(θ_t−θ_u)A}B dX_u ⊗ S^{(b)}_{u,t} with the library's level n."""
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=n)
    whole = level(ews(PiecewiseLinearPath.from_increments([piece.v for piece in path], ring=generator.ring)), n, n)
    splits = [whole.algebra.zero() for _ in range(n)]
    for j, piece in enumerate(path):
        before, after = (part(generator, path, j, max(n - 1, 1)) for part in (flowed_prefix, suffix))
        functions = TensorAlgebra(before.algebra.ring, generator.dim, n)
        letter = functions.vector(weighted_speed(generator, piece, remaining(path)[j]))
        for a in range(n):
            integrand = level(before, a, n) @ letter @ level(after, n - 1 - a, n)
            integrals = {word: f.integral() for word, f in integrand.coefficients.items()}
            splits[a] = splits[a] + definition.at(1, functions.tensor(integrals))
    for a, split in enumerate(splits):
        agree(split, whole, f"level {n} cut at letter {a + 1} and level {n}")


@given(st.data())
def check_every_split_in_EE(data: st.DataObject) -> None:
    """All splits of levels up to 3 for drawn generators and up to two pieces."""
    generator = data.draw(exact_generators(EE))
    n = data.draw(depths())
    every_split(generator, data.draw(pieces(generator.dim, max_size=2)), n)


def check_every_split_symbolically() -> None:
    """All splits of levels 1 and 2, for all increments of clock and path on two pieces, and all 2 x 2 matrices."""
    for generator in formulas.all_matrices():
        for n in each_depth(2):
            every_split(generator, [formulas.piece(1), formulas.piece(2)], n)


def plain_prefix(generator: AbstractGenerator, path: Sequence[Piece], j: int, depth: int) -> Tensor[Any]:
    """S_{s,u}, not weighted to the end."""
    return running_ews(generator, path[: j + 1], depth)


def prefix_weighted_after_the_piece(
    generator: AbstractGenerator, path: Sequence[Piece], j: int, depth: int
) -> Tensor[Any]:
    """The prefix flows over the pieces after this one only."""
    E = propagator(generator, remaining(path)[j], 0 * path[j].elapsed)
    return homomorphism(E, running_ews(generator, path[: j + 1], depth))


def suffix_turned_round(generator: AbstractGenerator, path: Sequence[Piece], j: int, depth: int) -> Tensor[Any]:
    """The letters of the suffix in reverse, while those of the prefix are in order."""
    return faults.turned_round(suffix_in_order(generator, path, j, depth))


def flowed_suffix(generator: AbstractGenerator, path: Sequence[Piece], j: int, depth: int) -> Tensor[Any]:
    """The suffix is weighted once more."""
    E = propagator(generator, remaining(path)[j] + path[j].elapsed, -path[j].elapsed)
    return homomorphism(E, suffix_in_order(generator, path, j, depth))


suffix_in_order = suffix  # by this name the mutants have it, in whose place others stand

HERE = "proofs_checks.middle_letter"

STATEMENT = Statement(
    title="The middle letter: a weighted prefix and a plain suffix",
    claim=r"S^{(n)}_{s,t} = \int_s^t \big(D_A^{\theta_t-\theta_u}S^{(a)}_{s,u}\big)\otimes"
    r" e^{-(\theta_t-\theta_u)A}B\,dX_u\otimes S^{(b)}_{u,t} \qquad\text{for every } a+1+b=n",
    section="Theorem 1(ii)",
    method="symbolic",
    leaves_out="As a formula in all parameters at width 2 for levels 1 and 2 over two pieces; level 3 is drawn, with "
    "spectra in Q(i). Paths that are not piecewise linear.",
    covers=("Middle letter: prefix weighted to the end, suffix plain",),
    code=("ewsmath.EWS",),
    mutants=(
        Mutant("the prefix is not weighted", f"{HERE}:flowed_prefix", plain_prefix, keeps_depth_one=True),
        Mutant("the clock is read too late", f"{HERE}:flowed_prefix", prefix_weighted_after_the_piece, True),
        Mutant("the suffix is weighted too", f"{HERE}:suffix", flowed_suffix, keeps_depth_one=True),
        Mutant("the suffix in reverse", f"{HERE}:suffix", suffix_turned_round, keeps_depth_one=True),
    ),
)
