"""What stays an EWS: direct sums, products of coordinates, other bases and scales; and how few parameters it takes."""

from collections.abc import Sequence
from itertools import product
from typing import Any

from flint import fmpq, fmpq_mat
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, SR, Matrix, PiecewiseLinearPath, Tensor, TensorAlgebra, homomorphism
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Dense, Diagonal, DirectSum, Jordan
from ewsmath.strategies import rationals
from ewsmath.words import Word, words
from proofs_checks import formulas
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.faults import on_the_last_letter
from proofs_checks.signature_shuffle import interleavings, without_the_last_place
from proofs_checks.statement import Mutant, Statement

Rows = list[list[Any]]


def ews_of(generator: AbstractGenerator, lift: Rows, path: Sequence[Piece], depth: int) -> Tensor[Any]:
    """The EWS as the library computes it."""
    ews = EWS(generator, lift, Given([piece.elapsed for piece in path]), depth)
    return ews(PiecewiseLinearPath.from_increments([piece.v for piece in path]))


def scaled_clock(ews: EWS, c: Any, r: Any, v: Sequence[Any]) -> Tensor[Any]:
    """The EWS of a piece under the clock cθ."""
    return ews.local(c * r, v, "iterated")


def dilated(S: Tensor[Any], c: Any) -> Tensor[Any]:
    """The dilation of a tensor: level n is multiplied by c^n."""
    return S.algebra.from_levels([[c**n * x for x in S.level(n)] for n in range(S.algebra.depth + 1)])


def check_scales_for_all_parameters() -> None:
    """Clock cθ with A is clock θ with cA; the path cX multiplies level n by c^n: for all c, r, v and rates."""
    c = SR.symbol("c")
    r, v = formulas.piece(1)
    for generator in (formulas.diagonal(), formulas.jordan(), formulas.rotation()):
        for depth in each_depth(2):
            ews, faster = (EWS(A, depth=depth) for A in (generator, Dense(generator.matrix * c)))
            agree(scaled_clock(ews, c, r, v), faster.local(r, v, "iterated"), "clock cθ with A, and θ with cA")
            larger = ews.local(r, [c * x for x in v], "iterated")
            agree(larger, dilated(ews.local(r, v, "iterated"), c), "the EWS of cX and the dilated one of X")


def check_change_of_basis_for_all_parameters() -> None:
    """With PAP^{−1} and PB the EWS is P(S): for all P, diagonal A, r and v."""
    r, v = formulas.piece(1)
    P = Matrix(SR, [[1, SR.symbol("p")], [SR.symbol("q"), 1]])
    for depth in each_depth(2):
        in_eigenbasis = EWS(formulas.diagonal(), depth=depth).local(r, v, "iterated")
        elsewhere = EWS(formulas.any_matrix(), P, depth=depth).local(r, v, "iterated")
        agree(elsewhere, homomorphism(P, in_eigenbasis), "the EWS of (PAP^{−1}, PB) and P(S)")


def beside(first: AbstractGenerator, second: AbstractGenerator) -> AbstractGenerator:
    """The direct sum of two generators."""
    return DirectSum(first, second)


def shifted(word: Word, by: int) -> Word:
    """The word in the letters of the second summand."""
    return tuple(letter + by for letter in word)


def two_ews(data: st.DataObject) -> tuple[list[AbstractGenerator], list[Rows], list[Piece]]:
    """Draw a generator of width one or two and one of width one, a lift of R^1 for each, and a path that both read."""
    narrow = Diagonal(data.draw(rationals(max_numerator=2, max_denominator=2)))
    found = data.draw(st.permutations([data.draw(exact_generators(EE)), narrow]))
    entry = st.sampled_from([QQ.one, QQ.coerce(-1), QQ.coerce(2)])
    lifts = [[[data.draw(entry)] for _ in range(generator.dim)] for generator in found]
    return found, lifts, data.draw(pieces(1, max_size=2))


@given(st.data())
def check_direct_sums(data: st.DataObject) -> None:
    """All coordinates of two EWS of one path are coordinates of one, that of A_1 ⊕ A_2 with the lifts stacked."""
    (first, second), lifts, path = two_ews(data)
    depth = data.draw(depths(2))
    S = ews_of(beside(first, second), [*lifts[0], *lifts[1]], path, depth)
    for generator, lift, by in ((first, lifts[0], 0), (second, lifts[1], first.dim)):
        alone = ews_of(generator, lift, path, depth)
        for word in alone.algebra.words():
            agree(EE.coerce(S[shifted(word, by)]), EE.coerce(alone[word]), f"coordinate {word} in the sum and alone")


@given(st.data())
def check_products_of_two_ews(data: st.DataObject) -> None:
    """The product of a coordinate of one EWS and one of another is linear in the EWS of A_1 ⊕ A_2: a shuffle."""
    (first, second), lifts, path = two_ews(data)
    depth = data.draw(depths())
    S = ews_of(beside(first, second), [*lifts[0], *lifts[1]], path, depth)
    for n in range(1, depth):
        left, right = ews_of(first, lifts[0], path, n), ews_of(second, lifts[1], path, depth - n)
        u = data.draw(st.sampled_from(list(words(first.dim, n))))
        w = data.draw(st.sampled_from(list(words(second.dim, depth - n))))
        terms = (EE.coerce(count * S[word]) for word, count in interleavings(u, shifted(w, first.dim)).items())
        agree(EE.coerce(left[u]) * EE.coerce(right[w]), sum(terms, EE.zero), "a product of two EWS, and the shuffle")


@given(st.data())
def check_clock_scale_on_paths(data: st.DataObject) -> None:
    """Over several pieces too the clock cθ with A is the clock θ with cA, for drawn diagonal A and either sign of c."""
    rates = data.draw(st.lists(rationals(max_numerator=2, max_denominator=2), min_size=1, max_size=2))
    c = data.draw(st.sampled_from([QQ.coerce(2), QQ.ratio(1, 2), QQ.coerce(-1)]))
    path, depth = data.draw(pieces(len(rates), max_size=2)), data.draw(depths())
    identity = [[int(i == j) for j in range(len(rates))] for i in range(len(rates))]
    scaled = [Piece(c * piece.elapsed, piece.v) for piece in path]
    left, right = Diagonal(rates), Diagonal([c * rate for rate in rates])
    agree(over_EE(ews_of(left, identity, scaled, depth)), over_EE(ews_of(right, identity, path, depth)), "cθ and cA")


def over_EE(S: Tensor[Any]) -> Tensor[Any]:
    """The tensor over EE: where all rates vanish the ring is QQ."""
    algebra = TensorAlgebra(EE, S.algebra.dim, S.algebra.depth)
    return algebra.tensor(dict(S.coefficients))


def check_few_parameters_span_all_words() -> None:
    """One channel, m = 2: m² + md = 6 parameters, K = Σ m^n coordinates, and 27 paths whose coordinates span R^K."""
    m, d = 2, 1
    steps = list(product([fmpq(-1), fmpq(1), fmpq(2)], repeat=3))
    for depth in each_depth(3):
        ews = EWS(Jordan(0, m), [[0]] * (m - 1) + [[1]], depth=depth)
        rows = [ews(PiecewiseLinearPath.from_increments([[x] for x in move])).vector() for move in steps]
        K = sum(m**n for n in range(depth + 1))
        agree(ews.algebra.size, K, "the number of coordinates and Σ m^n")
        agree(fmpq_mat(rows).rank(), K, "the rank of the coordinates over 27 paths, and K")
        parameters = [*ews.generator.matrix.entries, *ews.lift.entries]
        agree(len(parameters), m * m + m * d, "the number of parameters and m² + md, whatever the depth")


def in_the_other_order(first: AbstractGenerator, second: AbstractGenerator) -> AbstractGenerator:
    """A_2 ⊕ A_1 below lifts that are stacked the other way."""
    return DirectSum(second, first)


def unscaled(ews: EWS, c: Any, r: Any, v: Sequence[Any]) -> Tensor[Any]:
    """The clock as it was."""
    return ews.local(r, v, "iterated")


def dilated_once(S: Tensor[Any], c: Any) -> Tensor[Any]:
    """Every level but the lowest multiplied by c."""
    return S.algebra.from_levels([[(c if n else 1) * x for x in S.level(n)] for n in range(S.algebra.depth + 1)])


HERE = "proofs_checks.closure_and_scale"

STATEMENT = Statement(
    title="Closure, parameter count and scale",
    claim=r"\langle u, S_{A_1}\rangle\langle w, S_{A_2}\rangle = \langle u ⧢ w, S_{A_1\oplus A_2}\rangle; \qquad"
    r" S_A(X; c\theta) = S_{cA}(X;\theta), \quad S_A(cX)^{(n)} = c^n S_A(X)^{(n)}; \qquad"
    r" K = \sum_{n\le N} m^n",
    section="Section 2.2",
    method="symbolic",
    leaves_out="Scales and bases are formulas on one piece, at width 2 and depth 2; sums and products are drawn, from "
    "two generators of widths up to two and one. That the K coordinates are independent is shown for one generator at "
    "m = 2, up to depth 3. Both EWS of a product read one path and one clock.",
    covers=("Section 2.2: closure, parameter count and scale",),
    code=("ewsmath.EWS", "ewsmath.generators.DirectSum", "ewsmath.homomorphism"),
    mutants=(
        Mutant("summands in the other order", f"{HERE}:beside", in_the_other_order, keeps_depth_one=False),
        Mutant("the clock keeps its scale", f"{HERE}:scaled_clock", unscaled, keeps_depth_one=False),
        Mutant("every level is scaled by c", f"{HERE}:dilated", dilated_once, keeps_depth_one=True),
        Mutant("P acts on the last letter alone", f"{HERE}:homomorphism", on_the_last_letter, keeps_depth_one=True),
        Mutant("one interleaving left out", f"{HERE}:interleavings", without_the_last_place, keeps_depth_one=True),
    ),
)
