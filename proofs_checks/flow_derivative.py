"""Λ_A is a derivation and a coderivation, and what the flow does in an instant: −d/dr D_A^r = Λ_A D_A^r."""

from itertools import combinations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, SR, Matrix, Tensor, TensorAlgebra, derivation, flow, hopf, operators
from ewsmath.strategies import square_matrices, tensors
from ewsmath.words import Word, deshuffle
from proofs_checks import faults, formulas
from proofs_checks.agreement import agree
from proofs_checks.draws import depths, each_depth
from proofs_checks.statement import Mutant, Statement

Pairs = dict[tuple[Word, Word], Any]


def deshuffled(a: Tensor[Any]) -> Pairs:
    """Δa by its definition: the letters of each word are dealt to two words, in every way."""
    total: Pairs = {}
    for word, c in a.coefficients.items():
        places = range(len(word))
        for left in (chosen for n in range(len(word) + 1) for chosen in combinations(places, n)):
            pair = (tuple(word[k] for k in left), tuple(word[k] for k in places if k not in left))
            total[pair] = total.get(pair, a.algebra.ring.zero) + c
    return {pair: c for pair, c in total.items() if c}


def on_pairs(algebra: TensorAlgebra[Any], image: Any, pairs: Pairs) -> Pairs:
    """A linear map of pairs of words; ``image`` takes two words, as tensors, to a list of pairs of tensors."""
    total: Pairs = {}
    for (u, w), c in pairs.items():
        for left, right in image(algebra.tensor({u: 1}), algebra.tensor({w: 1})):
            for v, x in left.coefficients.items():
                for z, y in right.coefficients.items():
                    total[v, z] = total.get((v, z), algebra.ring.zero) + c * x * y
    return {pair: c for pair, c in total.items() if c}


def check_product_rule() -> None:
    """Λ(a ⊗ b) = Λa ⊗ b + a ⊗ Λb and Λ1 = 0, for all 2 x 2 matrices A, and all tensors a and b."""
    A = formulas.entries("alpha beta gamma delta")
    for depth in each_depth(3):
        a, b = formulas.tensor("a", depth), formulas.tensor("b", depth)
        agree(derivation(A, a @ b), derivation(A, a) @ b + a @ derivation(A, b), "Λ(a ⊗ b) and Λa ⊗ b + a ⊗ Λb")
        agree(derivation(A, a.algebra.one()), a.algebra.zero(), "Λ1 and 0")
        agree(derivation(A, a.algebra.vector([1, 0])).level(1), A.apply([SR.one, SR.zero]), "Λe_1 and Ae_1")


def check_derivative_of_the_flow() -> None:
    """−d/dr D^r a = Λ D^r a for all r, and so −d/dr D^r a = Λa at r = 0; for all matrices and tensors."""
    r = SR.symbol("r")
    for generator in formulas.families():
        for depth in each_depth(2):
            a = formulas.tensor("a", depth)
            moved = flow(generator, r, a)
            slope = a.algebra.tensor({word: -c.derivative("r") for word, c in moved.coefficients.items()})
            agree(slope, derivation(generator.matrix, moved), "−d/dr D^r a and Λ D^r a")
            start = a.algebra.tensor({word: c.at({"r": 0}) for word, c in slope.coefficients.items()})
            agree(start, derivation(generator.matrix, a), "−d/dr D^r a at r = 0 and Λa")


def check_coderivation() -> None:
    """ΔΛa = (Λ ⊗ 1 + 1 ⊗ Λ)Δa for the deshuffle coproduct Δ, for all matrices and tensors."""
    A = formulas.entries("alpha beta gamma delta")
    for depth in each_depth(3):
        a = formulas.tensor("a", depth)
        expected = on_pairs(a.algebra, lambda u, w: [(derivation(A, u), w), (u, derivation(A, w))], deshuffled(a))
        agree(dict(hopf.deshuffle(derivation(A, a))), expected, "ΔΛa and (Λ ⊗ 1 + 1 ⊗ Λ)Δa")


def check_flow_is_a_coalgebra_map() -> None:
    """ΔD^r a = (D^r ⊗ D^r)Δa: so ⟨u ⧢ w, D^r g⟩ = ⟨u, D^r g⟩⟨w, D^r g⟩ for group-like g, which is Δg = g ⊗ g."""
    r = SR.symbol("r")
    for generator in formulas.families()[:3]:
        for depth in each_depth(2):
            a = formulas.tensor("a", depth)
            expected = on_pairs(
                a.algebra,
                lambda u, w, generator=generator: [(flow(generator, r, u), flow(generator, r, w))],
                deshuffled(a),
            )
            agree(dict(hopf.deshuffle(flow(generator, r, a))), expected, "ΔD^r a and (D^r ⊗ D^r)Δa")


@given(st.data())
def check_product_rule_in_QQ(data: st.DataObject) -> None:
    """The product rule for drawn matrices and tensors of width up to 3."""
    algebra = TensorAlgebra(QQ, data.draw(st.integers(1, 3)), data.draw(depths()))
    A = data.draw(square_matrices(algebra.dim))
    a, b = data.draw(tensors(algebra)), data.draw(tensors(algebra))
    agree(derivation(A, a @ b), derivation(A, a) @ b + a @ derivation(A, b), "Λ(a ⊗ b) and Λa ⊗ b + a ⊗ Λb")


def opposite(A: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """−Λ: a derivation too, but not what the flow does."""
    return -operators.derivation(A, a)


def mean_over_places(A: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """The mean over the places of a word where the sum belongs."""
    ring = a.algebra.ring
    moved = operators.derivation(A, a).coefficients
    return a.algebra.tensor({word: ring.ratio(1, len(word)) * c for word, c in moved.items()})


def without_repetition(word: Word) -> dict[tuple[Word, Word], int]:
    """Each pair of words once, in however many ways the letters are dealt."""
    return dict.fromkeys(deshuffle(word), 1)


HERE = "proofs_checks.flow_derivative"

STATEMENT = Statement(
    title="Λ is a derivation and a coderivation, and the flow's derivative",
    claim=r"\Lambda_A(a\otimes b) = \Lambda_A a\otimes b + a\otimes\Lambda_A b, \qquad"
    r" -\tfrac{d}{dr} D_A^r = \Lambda_A D_A^r, \qquad"
    r" \Delta\Lambda_A = (\Lambda_A\otimes 1 + 1\otimes\Lambda_A)\Delta",
    section="Appendix C.2",
    method="symbolic",
    leaves_out="Width 2, depths up to 3 (2 for the derivative in r); width 3 is drawn. Bounds of Λ on tensors of "
    "infinitely many levels.",
    covers=("Appendix C.2: Λ is a derivation, and the flow's derivative",),
    code=("ewsmath.derivation", "ewsmath.flow", "ewsmath.hopf.deshuffle"),
    mutants=(
        Mutant("wrong sign of Λ", f"{HERE}:derivation", opposite, keeps_depth_one=False),
        Mutant(
            "Λ acts on the last letter alone",
            f"{HERE}:derivation",
            faults.derivation_of_the_last_letter,
            keeps_depth_one=True,
        ),
        Mutant("the mean over places", f"{HERE}:derivation", mean_over_places, keeps_depth_one=True),
        Mutant(
            "deshuffle without repetition count", "ewsmath.words:deshuffle", without_repetition, keeps_depth_one=True
        ),
    ),
)
