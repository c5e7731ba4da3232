"""The EWS by coordinates, as sums of scalar integrals, and by levels, as a chain of linear differential equations."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, SR, Matrix, PiecewiseLinearPath, Tensor
from ewsmath.clocks import Given
from ewsmath.ews.weighted import Stretch
from ewsmath.generators import AbstractGenerator
from ewsmath.paths import AbstractPath
from ewsmath.rings import Ring
from ewsmath.strategies import paths, rationals
from ewsmath.words import Word
from proofs_checks import faults, formulas
from proofs_checks.agreement import agree
from proofs_checks.clock_causality import cases
from proofs_checks.definition import iterated_integrals, propagator, remaining
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def by_coordinates(generator: AbstractGenerator, path: Sequence[Piece], depth: int) -> Tensor[Any]:
    """S^{i1…in} = Σ_j ∫ E_{i1 j1} d(BX)^{j1} ⋯ E_{in jn} d(BX)^{jn}, with E = e^{−(θ_t−θ_u)A}.

    Each pair (i, j) is a channel of its own, whose speed on a piece is a scalar function of the fraction u.
    """
    m, ring = generator.dim, generator.ring
    channels = [(i, j) for i in range(m) for j in range(m)]
    speeds = []
    for piece, remains in zip(path, remaining(path), strict=True):
        E = propagator(generator, remains + piece.elapsed, -piece.elapsed)
        speeds.append([E[i, j].scaled(ring.coerce(piece.v[j])) for i, j in channels])
    integrals = iterated_integrals(ring, speeds, depth)
    total: dict[Word, Any] = {}
    for word, c in integrals.coefficients.items():
        left = letters([channels[k - 1] for k in word])
        total[left] = total.get(left, ring.zero) + c
    return EWS(generator, depth=depth).algebra.tensor(total)


def letters(chosen: Sequence[tuple[int, int]]) -> Word:
    """The word i1…in of the pairs (i1,j1), …, (in,jn)."""
    return tuple(i + 1 for i, _ in chosen)


def ews_of(generator: AbstractGenerator, lift: Any, path: Sequence[Piece], depth: int, ring: Ring[Any]) -> Tensor[Any]:
    """The EWS as the library computes it; here the pieces are increments of the path before its lift."""
    ews = EWS(generator, lift, Given([piece.elapsed for piece in path]), depth)
    return ews(PiecewiseLinearPath.from_increments([piece.v for piece in path], ring=ring))


def check_coordinates_symbolically() -> None:
    """Every coordinate over two pieces is the sum of scalar integrals, for all pieces and 2 x 2 matrices."""
    path = [formulas.piece(1), formulas.piece(2)]
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            left = ews_of(generator, None, path, depth, SR)
            agree(left, by_coordinates(generator, path, depth), "the EWS and its coordinates")


@given(st.data())
def check_coordinates_with_a_lift(data: st.DataObject) -> None:
    """The same for drawn generators, paths of one to three channels and lifts B: the letters are those of BX."""
    generator = data.draw(exact_generators(EE))
    depth, channels = data.draw(depths()), data.draw(st.integers(1, 3))
    rows = st.lists(rationals(max_numerator=2), min_size=channels, max_size=channels)
    B = Matrix(generator.ring, data.draw(st.lists(rows, min_size=generator.dim, max_size=generator.dim)))
    path = data.draw(pieces(channels, max_size=2))
    lifted = [Piece(piece.elapsed, B.apply([generator.ring.coerce(x) for x in piece.v])) for piece in path]
    left = ews_of(generator, B, path, depth, generator.ring)
    agree(left, by_coordinates(generator, lifted, depth), "the EWS and its coordinates")


@given(st.data())
def check_the_clock_reads_the_path_before_its_lift(data: st.DataObject) -> None:
    """The clock is θ(X), not θ(BX): every clock of the table, by its formula, on the increments of X.

    B is square here, so that a clock that reads BX gets what it can read.
    """
    generator = data.draw(exact_generators(EE))
    depth, m = data.draw(depths(2)), generator.dim
    rows = st.lists(rationals(max_numerator=2), min_size=m, max_size=m)
    B = Matrix(generator.ring, data.draw(st.lists(rows, min_size=m, max_size=m)))
    case, X = data.draw(cases(m)), data.draw(paths(m, min_steps=1, max_steps=2))
    lifted = [
        Piece(case.formula(v, gap), B.apply([generator.ring.coerce(x) for x in v]))
        for v, gap in zip(X.increments, X.gaps, strict=True)
    ]
    left = EWS(generator, B, case.clock, depth)(X)
    agree(left, by_coordinates(generator, lifted, depth), "the EWS under a clock θ(X) and its coordinates")


def check_levels_symbolically() -> None:
    """dS^{(n)} = −Λ_A S^{(n)} dθ + S^{(n−1)} ⊗ B dX, coordinate by coordinate, at all times of the second piece."""
    u = SR.symbol("u")
    first, second = formulas.piece(1), formulas.piece(2)
    for generator in formulas.all_matrices():
        A = generator.matrix
        for depth in each_depth(2):
            path = [first, Piece(u * second.elapsed, [u * x for x in second.v])]
            S = ews_of(generator, None, path, depth, SR)
            for word in S.algebra.words():
                right = SR.zero if not word else S[word[:-1]] * second.v[word[-1] - 1]
                for k, j in product(range(len(word)), (1, 2)):
                    right -= second.elapsed * A[word[k] - 1, j - 1] * S[(*word[:k], j, *word[k + 1 :])]
                agree(S[word].derivative("u"), right, f"the derivative at {word} and −rΛS + S ⊗ v there")


def second_letters(chosen: Sequence[tuple[int, int]]) -> Word:
    """j1…jn in the place of i1…in: E transposed."""
    return tuple(j + 1 for _, j in chosen)


def stretches_of_a_lifted_clock(self: EWS, path: AbstractPath[Any], s: Any = None, t: Any = None) -> list[Stretch]:
    """The clock reads BX."""
    seen = path.over(self.ring).lift(self.lift)
    return [
        Stretch(
            self.ring.coerce(end - start) * self.clock.increment(seen, j, self.ring),
            self.lifted(path.piece(j).between(start, end).speed),
        )
        for j, start, end in path.portions(s, t)
    ]


def letters_turned_round(chosen: Sequence[tuple[int, int]]) -> Word:
    """in…i1: the last letter is integrated first."""
    return letters_in_order(chosen)[::-1]


letters_in_order = letters  # by this name the mutant has it, in whose place the other stands

HERE = "proofs_checks.coordinates_and_levels"

STATEMENT = Statement(
    title="The EWS by coordinates and by levels",
    claim=r"S^{i_1\cdots i_n}_{s,t} = \sum_{j}\int_{s<t_1<\cdots<t_n<t}\prod_{l} E_{i_lj_l}(\theta_t-\theta_{t_l})\,"
    r"d(BX)^{j_1}_{t_1}\cdots d(BX)^{j_n}_{t_n}, \quad E(r) = e^{-rA}; \qquad"
    r" dS^{(n)} = -\Lambda_A S^{(n)}d\theta + S^{(n-1)}\otimes B\,dX",
    section="Section 2",
    label="Definition 2",
    method="symbolic",
    leaves_out="As formulas in all parameters at width 2, depths up to 2, two pieces; depth 3 and lifts are drawn, "
    "with spectra in Q(i). Paths and clocks that are not piecewise linear; that the integrals exist for "
    "rough paths.",
    covers=("Definition 2: the EWS by coordinates and by levels",),
    code=("ewsmath.EWS",),
    mutants=(
        Mutant("the propagator transposed", f"{HERE}:letters", second_letters, keeps_depth_one=False),
        Mutant(
            "the clock reads the path behind its lift",
            "ewsmath.ews.weighted:AbstractWeightedSignature.stretches",
            stretches_of_a_lifted_clock,
            keeps_depth_one=False,
        ),
        Mutant("letters in reverse", f"{HERE}:letters", letters_turned_round, keeps_depth_one=True),
        Mutant("wrong sign of the flow between pieces", "ewsmath.ews.chen:flow", faults.backward_flow, False),
        Mutant(
            "the flow acts on the last letter alone",
            "ewsmath.ews.chen:flow",
            faults.flow_of_the_last_letter,
            keeps_depth_one=True,
        ),
    ),
)
