"""Products of segments under ⋆ are the EWS up to each knot, however they are bracketed; the inverse runs backwards."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, PiecewiseLinearPath, Segment, flow
from ewsmath.clocks import Given
from ewsmath.ews import inverse, prefixes, unit
from ewsmath.generators import AbstractGenerator
from proofs_checks import definition, formulas
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.modified_chen import chen_in_reverse, chen_with_a_late_clock
from proofs_checks.statement import Mutant, Statement


def segment(generator: AbstractGenerator, path: Sequence[Piece], depth: int) -> Segment:
    """The pair of what elapses over some pieces and the EWS by its definition; the unit where there are none."""
    if not path:
        return unit(generator, depth)
    elapsed = sum((piece.elapsed for piece in path), generator.ring.zero)
    return Segment(generator, elapsed, definition.ews(generator, path, depth))


def compare(found: Segment, expected: Segment, what: str) -> None:
    """Compare both parts of a pair."""
    agree(found.elapsed, expected.elapsed, f"the elapsed clock time of {what}")
    agree(found.ews, expected.ews, f"the EWS of {what}")


def by_doubling(segments: Sequence[Segment]) -> list[Segment]:
    """All prefix products, with brackets that double in length, as a parallel scan sets them."""
    found, step = list(segments), 1
    while step < len(found):
        found = [found[i - step] @ g if i >= step else g for i, g in enumerate(found)]
        step *= 2
    return found


def backwards(path: Sequence[Piece]) -> list[Piece]:
    """The pieces in reverse order, clock and path running back."""
    return [Piece(-piece.elapsed, [-x for x in piece.v]) for piece in reversed(path)]


@given(st.data())
def check_prefixes_in_EE(data: st.DataObject) -> None:
    """g_1 ⋆ ⋯ ⋆ g_j is the pair of the first j pieces: in sequence, by doubling, and as the library's stream."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim, max_size=4))
    ones = [segment(generator, [piece], depth) for piece in path]
    found, doubled = prefixes(ones, unit(generator, depth)), by_doubling(ones)
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=depth)
    stream = ews.stream(PiecewiseLinearPath.from_increments([piece.v for piece in path]))
    for j in range(len(path) + 1):
        expected = segment(generator, path[:j], depth)
        compare(found[j], expected, f"g_1 ⋆ ⋯ ⋆ g_{j}")
        agree(stream[j], expected.ews, f"the stream at knot {j}")
        if j:
            compare(doubled[j - 1], expected, f"g_1 ⋆ ⋯ ⋆ g_{j} by doubling")


@given(st.data())
def check_inverse_in_EE(data: st.DataObject) -> None:
    """The inverse of the pair of a path is the pair of the path run backwards, drawn with up to three pieces."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim))
    compare(inverse(segment(generator, path, depth)), segment(generator, backwards(path), depth), "the inverse")


def check_inverse_symbolically() -> None:
    """The inverse of a piece is the piece (−r, −v), for all r, v and 2 x 2 matrices."""
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            piece = [formulas.piece(1)]
            found = inverse(segment(generator, piece, depth))
            compare(found, segment(generator, backwards(piece), depth), "the inverse")


def check_prefixes_symbolically() -> None:
    """g_1, g_1 ⋆ g_2 are the pairs of one and two pieces, for all their increments and all 2 x 2 matrices."""
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            path = [formulas.piece(1), formulas.piece(2)]
            found = prefixes([segment(generator, [piece], depth) for piece in path], unit(generator, depth))
            for j in (1, 2):
                compare(found[j], segment(generator, path[:j], depth), f"the product of {j}")


def inverse_without_flow(g: Segment) -> Segment:
    """(−r, S^{−1})."""
    return Segment(g.generator, -g.elapsed, g.ews.algebra.inverse(g.ews))


def inverse_by_signs(g: Segment) -> Segment:
    """(−1)^n in the place of the antipode, which also turns words round."""
    signed = {word: -c if len(word) % 2 else c for word, c in g.ews.coefficients.items()}
    return Segment(g.generator, -g.elapsed, flow(g.generator, -g.elapsed, g.ews.algebra.tensor(signed)))


def pieces_in_order(path: Sequence[Piece]) -> list[Piece]:
    """Each piece runs back, but they come in the order of the path."""
    return [Piece(-piece.elapsed, [-x for x in piece.v]) for piece in path]


def clock_runs_on(path: Sequence[Piece]) -> list[Piece]:
    """The path runs back while the clock runs on."""
    return [Piece(piece.elapsed, [-x for x in piece.v]) for piece in reversed(path)]


HERE = "proofs_checks.scan_prefixes"

STATEMENT = Statement(
    title="Scan prefixes, and the inverse as the reversed piece",
    claim=r"g_1\star\cdots\star g_j = (\theta_{t_j}-\theta_{t_0},\ S_{t_0,t_j}), \qquad"
    r" (r,S)^{-1} = \big(-r, D_A^{-r}(S^{-1})\big),\quad (r,\sigma(r,v))^{-1} = (-r,\sigma(-r,-v))",
    section="Theorem 1(ii); Section 2.2",
    method="symbolic",
    leaves_out="As formulas in all parameters at width 2, depths up to 2, for one and two pieces; longer paths and "
    "depth 3 are drawn, with spectra in Q(i). Of bracketings, that in sequence and that of doubling.",
    covers=("Scan prefixes, and the inverse as the reversed piece",),
    code=("ewsmath.ews.prefixes", "ewsmath.ews.inverse", "ewsmath.EWS"),
    mutants=(
        Mutant("order of ⊗ reversed", "ewsmath.ews.chen:chen", chen_in_reverse, keeps_depth_one=True),
        Mutant("clock read too late", "ewsmath.ews.chen:chen", chen_with_a_late_clock, keeps_depth_one=False),
        Mutant("no flow in the inverse", "ewsmath.ews.chen:Segment.inverse", inverse_without_flow, False),
        Mutant("words not turned round", "ewsmath.ews.chen:Segment.inverse", inverse_by_signs, keeps_depth_one=True),
        Mutant("pieces in the order of the path", f"{HERE}:backwards", pieces_in_order, keeps_depth_one=False),
        Mutant("the clock runs on", f"{HERE}:backwards", clock_runs_on, keeps_depth_one=False),
    ),
)
