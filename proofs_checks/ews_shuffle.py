"""The shuffle identity of the EWS: products of its coordinates are sums of its coordinates, for every generator."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, SR, PiecewiseLinearPath, Segment, Tensor, chen
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Diagonal, Jordan, Rotation
from ewsmath.operators import flow
from ewsmath.rings import Ring
from ewsmath.strategies import functionals
from ewsmath.words import words
from proofs_checks import definition
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.faults import concatenated, flow_of_the_last_letter
from proofs_checks.signature_shuffle import interleavings, without_repetitions
from proofs_checks.statement import Mutant, Statement


def products_are_shuffles(S: Tensor[Any]) -> None:
    """Compare ⟨u, S⟩⟨w, S⟩ with ⟨u ⧢ w, S⟩ for all pairs of words, neither empty, that fit the truncation."""
    algebra = S.algebra
    for n in range(1, algebra.depth):
        for k in range(n, algebra.depth - n + 1):  # the rest by symmetry
            for u in words(algebra.dim, n):
                for w in words(algebra.dim, k):
                    terms = (algebra.ring.coerce(count) * S[word] for word, count in interleavings(u, w).items())
                    shuffled = sum(terms, algebra.ring.zero)
                    agree(S[u] * S[w], shuffled, f"⟨{u}, S⟩⟨{w}, S⟩ and ⟨{u} ⧢ {w}, S⟩")


def check_for_all_rates_and_clocks() -> None:
    """Two pieces of any direction over clock times r and s; diagonal, rotation, Jordan; for all parameters at once."""
    a, b, r, s = SR.symbols("a b r s")
    first, second = SR.symbols("x y"), SR.symbols("z w")
    for depth in each_depth(2):
        for generator in (Diagonal([a, b]), Rotation(a, b), Jordan(a, 2)):
            ews = EWS(generator, depth=depth)
            parts = [Segment(generator, t, ews.local(t, v, "iterated")) for t, v in ((r, first), (s, second))]
            products_are_shuffles(chen(*parts).ews)


def ews_of(generator: AbstractGenerator, path: list[Piece], depth: int) -> Tensor[Any]:
    """The EWS as the library computes it."""
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=depth)
    return ews(PiecewiseLinearPath.from_increments([piece.v for piece in path]))


def shuffles_on_draws(ring: Ring[Any], data: st.DataObject) -> None:
    """Draw a path on which the clock may stop and run back; compare all products of two coordinates."""
    generator = data.draw(exact_generators(ring))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim, max_size=2))
    products_are_shuffles(ews_of(generator, path, depth))


@given(st.data())
def check_in_QQ(data: st.DataObject) -> None:
    """Nilpotent generators, clocks that stop and run back, in rational numbers."""
    shuffles_on_draws(QQ, data)


@given(st.data())
def check_in_EE(data: st.DataObject) -> None:
    """Every family with spectrum in Q(i), clocks that stop and run back."""
    shuffles_on_draws(EE, data)


@given(st.data())
def check_functionals(data: st.DataObject) -> None:
    """⟨l, S⟩⟨k, S⟩ = ⟨l ⧢ k, S⟩ with the library's shuffle of functionals, S by the definition."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    S = definition.ews(generator, data.draw(pieces(generator.dim, max_size=2)), depth)
    n = data.draw(st.integers(0, depth))  # the product fits the truncation
    l, k = (  # noqa: E741
        data.draw(functionals(generator.ring, dim=generator.dim, min_length=min(1, m), max_length=m, max_terms=2))
        for m in (n, depth - n)
    )
    agree(l(S) * k(S), l.shuffle(k)(S), "⟨l, S⟩⟨k, S⟩ and ⟨l ⧢ k, S⟩")


def side_by_side(first: Segment, second: Segment) -> Segment:
    """D(S_{s,u}) + S_{u,t} − 1: two parts that do not know of each other, equal to ⋆ on level one."""
    moved = flow(first.generator, second.elapsed, first.ews)
    sum_of_both = moved + second.ews - moved.algebra.one()
    return Segment(first.generator, first.elapsed + second.elapsed, sum_of_both)


HERE = "proofs_checks.ews_shuffle"

STATEMENT = Statement(
    title="Shuffle identity of the EWS",
    claim=r"\langle u, S_{\mathbb A}(X;\theta)\rangle \langle w, S_{\mathbb A}(X;\theta)\rangle"
    r" = \langle u ⧢ w, S_{\mathbb A}(X;\theta)\rangle",
    section="Theorem 1(i)",
    label="Lemma 9",
    method="symbolic",
    leaves_out="For all parameters at once: depth 2, width 2 and two pieces only. Depth 3 is on draws. Paths that are "
    "not piecewise linear; spectra that leave Q(i).",
    covers=("Lemma 9: the shuffle identity of the EWS",),
    code=("ewsmath.EWS", "ewsmath.Functional.shuffle", "ewsmath.words.shuffle"),
    mutants=(
        Mutant("shuffle without repetition count", f"{HERE}:interleavings", without_repetitions, keeps_depth_one=True),
        Mutant("words are concatenated", "ewsmath:Functional.shuffle", concatenated, keeps_depth_one=True),
        Mutant("the flow acts on the last letter alone", "ewsmath.ews.chen:flow", flow_of_the_last_letter, True),
        Mutant("pieces do not meet", "ewsmath.ews.chen:chen", side_by_side, keeps_depth_one=True),
    ),
)
