"""Half-shuffles are integrals in time for signatures and for S(Z^{[t]})_{s,τ}, and are not along t ↦ S_𝔸(X)_{s,t}."""

from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, SR, ExpPolys, Functional, Tensor, TensorAlgebra, adjoint_derivation
from ewsmath.generators import AbstractGenerator, Zero
from ewsmath.rings import Ring
from ewsmath.words import Word
from proofs_checks import definition, faults, formulas
from proofs_checks.agreement import agree, differ
from proofs_checks.definition import remaining, running_ews, running_integrals, weighted_speed
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def half_shuffle(ring: Ring[Any], u: Word, w: Word) -> Functional[Any]:
    """U ≻ w, in which the last letter is that of w."""
    return Functional.word(ring, *u).right_half_shuffle(Functional.word(ring, *w))


def pairs(dim: int, depth: int) -> list[tuple[Word, Word]]:
    """Words u and w with |u| + |w| ≤ N, w not empty."""
    words = list(TensorAlgebra(EE, dim, depth).words())
    return [(u, w) for u, w in product(words, words) if w and len(u) + len(w) <= depth]


def time_integral(S: Tensor[Any], u: Word, w: Word) -> Any:
    """∫⟨u, S⟩ d⟨w, S⟩ over a piece along which S is given as a function of the fraction."""
    return (S[u] * S[w].derivative()).integral()(1)


def integrals_over(running: list[Tensor[Any]], ring: Ring[Any], u: Word, w: Word) -> Any:
    """The same over several pieces."""
    return sum((time_integral(S, u, w) for S in running), ring.zero)


def along_tau(generator: AbstractGenerator, path: list[Piece], depth: int) -> list[Tensor[Any]]:
    """τ ↦ S(Z^{[t]})_{s,τ} on each piece, t being the end of the path for all of them."""
    reached = TensorAlgebra(generator.ring, generator.dim, depth).one()
    running = []
    for piece, remains in zip(path, remaining(path), strict=True):
        running.append(running_integrals(reached, weighted_speed(generator, piece, remains)))
        reached = definition.at(1, running[-1])
    return running


def along_t(generator: AbstractGenerator, path: list[Piece], depth: int) -> list[Tensor[Any]]:
    """T ↦ S_𝔸(X)_{s,t} on each piece."""
    return [running_ews(generator, path[: j + 1], depth) for j in range(len(path))]


@given(st.data())
def check_signatures(data: st.DataObject) -> None:
    """∫⟨u,S⟩ d⟨w,S⟩ = ⟨u ≻ w, S⟩ for the signature of drawn paths of up to two pieces."""
    dim, depth = data.draw(st.integers(1, 2)), data.draw(depths())
    path = data.draw(pieces(dim, max_size=2))
    signature = Zero(dim, ring=EE)
    end, running = definition.ews(signature, path, depth), along_t(signature, path, depth)
    for u, w in pairs(dim, depth):
        agree(integrals_over(running, EE, u, w), half_shuffle(EE, u, w)(end), f"∫⟨{u}⟩ d⟨{w}⟩ and ⟨{u} ≻ {w}⟩")


@given(st.data())
def check_reweighted_paths(data: st.DataObject) -> None:
    """The same for τ ↦ S(Z^{[t]})_{s,τ}, t fixed, whose end is the EWS; for drawn generators."""
    generator = data.draw(exact_generators(EE)).over(EE)
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim, max_size=2))
    end, running = definition.ews(generator, path, depth), along_tau(generator, path, depth)
    for u, w in pairs(generator.dim, depth):
        agree(integrals_over(running, EE, u, w), half_shuffle(EE, u, w)(end), f"∫⟨{u}⟩ d⟨{w}⟩ and ⟨{u} ≻ {w}⟩")


def check_reweighted_path_symbolically() -> None:
    """The same on a piece, for all r, v and 2 x 2 matrices."""
    path = [formulas.piece(1)]
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            end, running = definition.ews(generator, path, depth), along_tau(generator, path, depth)
            for u, w in pairs(formulas.M, depth):
                expected = half_shuffle(SR, u, w)(end)
                agree(integrals_over(running, SR, u, w), expected, f"∫⟨{u}⟩ d⟨{w}⟩ and ⟨{u} ≻ {w}⟩")


def check_failure_along_t() -> None:
    """Along t ↦ S_{s,t} the rule fails, as formulas in every family, for all u ≠ w but u = ∅."""
    path = [formulas.piece(1)]
    for generator in formulas.families():
        for depth in each_depth(2):
            end, running = definition.ews(generator, path, depth), along_t(generator, path, depth)
            for u, w in pairs(formulas.M, depth):
                found, expected = integrals_over(running, SR, u, w), half_shuffle(SR, u, w)(end)
                # ∫g dg is g²/2 along any path: for equal letters the rule cannot fail.
                compare = agree if not u or u == w else differ
                compare(found, expected, f"∫⟨{u}⟩ d⟨{w}⟩ along t and ⟨{u} ≻ {w}⟩")


def check_differential_along_t() -> None:
    """d⟨wj,S⟩ = −⟨Λ*(wj),S⟩ dθ + ⟨w,S⟩ d(BX)^j along t, at all times of a second piece, for all parameters."""
    path = [formulas.piece(1), formulas.piece(2)]
    last = path[-1]
    for generator in formulas.all_matrices():
        functions = ExpPolys(SR)
        A = generator.matrix.map(functions, functions.coerce)
        for depth in each_depth(2):
            S = along_t(generator, path, depth)[-1]
            for word in S.algebra.words():
                if word:
                    faded = adjoint_derivation(A, Functional.word(functions, *word))(S)
                    moved = S[word[:-1]].scaled(last.v[word[-1] - 1])
                    agree(S[word].derivative(), moved - faded.scaled(last.elapsed), f"d⟨{word}, S⟩ and the two terms")


def left_half_shuffle(ring: Ring[Any], u: Word, w: Word) -> Functional[Any]:
    """U ≺ w, in which the last letter is that of u; ∅ ≺ w, which is 0, is left as it should be."""
    if not u:
        return Functional.word(ring, *w)
    return Functional.word(ring, *u).left_half_shuffle(Functional.word(ring, *w))


def concatenation(ring: Ring[Any], u: Word, w: Word) -> Functional[Any]:
    """uw: one of the words of u ≻ w alone."""
    return Functional.word(ring, *u, *w)


def flow_from_the_start(generator: AbstractGenerator, path: list[Piece], depth: int) -> list[Tensor[Any]]:
    """T ↦ S(Z^{[t]}) where the letters are weighted to t, in the place of a fixed end."""
    return [running_ews(generator, path[: j + 1], depth) for j in range(len(path))]


HERE = "proofs_checks.half_shuffles_and_time"

STATEMENT = Statement(
    title="Half-shuffles are time integrals of signatures, not along t of the EWS",
    claim=r"\int\langle u,S\rangle\,d\langle w,S\rangle = \langle u\succ w, S\rangle"
    r" \text{ for } \tau\mapsto S(Z^{[t]})_{s,\tau},\ \text{not for } t\mapsto S_{\mathbb A}(X;\theta)_{s,t}, \quad"
    r" \text{where } d\langle wj,S\rangle = -\langle\Lambda^*(wj),S\rangle\,d\theta + \langle w,S\rangle\,d(BX)^j",
    section="Theorem 1(i); Appendix B",
    method="symbolic",
    leaves_out="As formulas in all parameters at width 2, depths up to 2; depth 3 and two pieces are drawn for the "
    "two positive rules. That the rule fails along t is a statement of formulas: for single parameters it "
    "may hold, and for equal words it always does.",
    covers=("Half-shuffles are time integrals for signatures, not along t for the EWS",),
    code=("ewsmath.Functional.right_half_shuffle", "ewsmath.adjoint_derivation"),
    mutants=(
        Mutant("the other half-shuffle", f"{HERE}:half_shuffle", left_half_shuffle, keeps_depth_one=True),
        Mutant("concatenation in its place", f"{HERE}:half_shuffle", concatenation, keeps_depth_one=True),
        Mutant("the weights move with t", f"{HERE}:along_tau", flow_from_the_start, keeps_depth_one=True),
        Mutant(
            "shuffle without repetition count",
            "ewsmath.words:shuffle",
            faults.shuffle_without_repetition,
            keeps_depth_one=True,
        ),
    ),
)
