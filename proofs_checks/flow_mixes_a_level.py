"""The flow of a general matrix mixes the coordinates within a level; that of a diagonal one scales each word."""

from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, SR, Matrix, Tensor, TensorAlgebra, flow, level_flow
from ewsmath.generators import AbstractGenerator, Diagonal
from ewsmath.operators import homomorphism
from ewsmath.strategies import rationals
from ewsmath.words import Word
from proofs_checks import faults, formulas
from proofs_checks.agreement import agree, differ
from proofs_checks.draws import depths, each_depth
from proofs_checks.statement import Mutant, Statement


def total_rate(rates: Any, word: Word) -> Any:
    """λ_{i1} + ⋯ + λ_{in}: the rate of a word."""
    return sum((rates[i - 1] for i in word), 0 * rates[0])


def images(generator: AbstractGenerator, r: Any, algebra: TensorAlgebra[Any]) -> dict[tuple[Word, Word], Any]:
    """The numbers ⟨w, D^r e_v⟩ for all words w and v."""
    moved = {v: flow(generator, r, algebra.tensor({v: 1})) for v in algebra.words()}
    return {(w, v): moved[v][w] for w, v in product(algebra.words(), repeat=2)}


def check_diagonal_flow_scales_each_word() -> None:
    """D^r e_w = e^{−r(λ_{i1}+⋯+λ_{in})} e_w, for all r and all rates."""
    r, rates = SR.symbol("r"), SR.symbols("lambda mu")
    for depth in each_depth(3):
        a = formulas.tensor("a", depth)
        scaled = {word: SR.exp(-r * total_rate(rates, word)) * c for word, c in a.coefficients.items()}
        agree(flow(Diagonal(rates), r, a), a.algebra.tensor(scaled), "D^r a and a, each word scaled")


@given(st.data())
def check_drawn_diagonal_flow(data: st.DataObject) -> None:
    """The same for up to three rates, drawn."""
    rates = data.draw(st.lists(rationals(max_numerator=2), min_size=1, max_size=3))
    r = data.draw(rationals(max_numerator=2))
    algebra = TensorAlgebra(EE, len(rates), data.draw(depths()))
    a = algebra.tensor(dict.fromkeys(algebra.words(), 1))
    scaled = {word: EE.exp(EE.coerce(-r * total_rate(rates, word))) for word in algebra.words()}
    agree(flow(Diagonal(rates), r, a), algebra.tensor(scaled), "D^r a and a, each word scaled")


def check_levels_never_mix() -> None:
    """⟨w, D^r e_v⟩ = 0 for words of different lengths, for all r and all 2 x 2 matrices."""
    r = SR.symbol("r")
    for depth in each_depth(2):
        algebra = TensorAlgebra(SR, formulas.M, depth)
        for (w, v), c in images(formulas.any_matrix(), r, algebra).items():
            if len(w) != len(v):
                agree(c, SR.zero, f"⟨{w}, D e_{v}⟩ and 0")


def check_general_flow_mixes_all_words_of_a_level() -> None:
    """Of a rotation, as of a matrix in general, no ⟨w, D^r e_v⟩ with |w| = |v| vanishes identically in r and A."""
    r = SR.symbol("r")
    for generator in (formulas.rotation(), formulas.any_matrix()):
        for depth in each_depth(2):
            algebra = TensorAlgebra(SR, formulas.M, depth)
            for (w, v), c in images(generator, r, algebra).items():
                if len(w) == len(v):
                    differ(c, SR.zero, f"⟨{w}, D e_{v}⟩ and 0")


def check_matrix_of_a_level() -> None:
    """On level n the flow is the n-fold Kronecker power of e^{−rA}, as the library writes it down."""
    r = SR.symbol("r")
    for generator in formulas.families():
        for depth in each_depth(2):
            algebra = TensorAlgebra(SR, formulas.M, depth)
            found = images(generator, r, algebra)
            level = list(algebra.words(depth))
            expected = Matrix(SR, [[found[w, v] for v in level] for w in level])
            agree(level_flow(generator, r, depth), expected, "e^{−rA} ⊗ ⋯ ⊗ e^{−rA} and the flow of the level")


def product_of_rates(rates: Any, word: Word) -> Any:
    """λ_{i1} ⋯ λ_{in} where the sum belongs."""
    total = 0 * rates[0] + (1 if word else 0)
    for i in word:
        total = total * rates[i - 1]
    return total


def opposite_rate(rates: Any, word: Word) -> Any:
    """−(λ_{i1} + ⋯ + λ_{in})."""
    return -sum((rates[i - 1] for i in word), 0 * rates[0])


def diagonal_of_the_propagator(matrix: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """The entries off the diagonal of e^{−rA} are dropped: nothing mixes."""
    size = matrix.shape[0]
    return homomorphism(Matrix.diagonal(matrix.ring, [matrix[k, k] for k in range(size)]), a)


HERE = "proofs_checks.flow_mixes_a_level"

STATEMENT = Statement(
    title="The flow mixes the coordinates of a level",
    claim=r"\langle i_1\cdots i_n, D_A^r a\rangle = \sum_{j_1,\dots,j_n} E_{i_1j_1}(r)\cdots E_{i_nj_n}(r)\,"
    r" a^{j_1\cdots j_n}, \quad E(r) = e^{-rA}; \qquad"
    r" A = \operatorname{diag}\lambda:\ D_A^r e_{i_1\cdots i_n} = e^{-r(\lambda_{i_1}+\cdots+\lambda_{i_n})}"
    r" e_{i_1\cdots i_n}",
    section="Section 2",
    label="Example 2",
    method="symbolic",
    leaves_out="Width 2, depths up to 3; three rates are drawn. That no coefficient vanishes identically does not say "
    "where single ones do: those of a rotation vanish at multiples of a quarter turn.",
    covers=("Example 2: the flow mixes the coordinates of a level",),
    code=("ewsmath.flow", "ewsmath.level_flow"),
    mutants=(
        Mutant("the rate of a word is a product", f"{HERE}:total_rate", product_of_rates, keeps_depth_one=True),
        Mutant("wrong sign of the flow", f"{HERE}:total_rate", opposite_rate, keeps_depth_one=False),
        Mutant(
            "only the diagonal of the propagator flows",
            "ewsmath.operators.tensors:homomorphism",
            diagonal_of_the_propagator,
            keeps_depth_one=False,
        ),
        Mutant(
            "the flow acts on the last letter alone",
            "ewsmath.operators.tensors:homomorphism",
            faults.on_the_last_letter,
            keeps_depth_one=True,
        ),
    ),
)
