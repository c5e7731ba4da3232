"""The matrices L and ρ(v) on R^K: their blocks, the worked example, and that they are Λ_A and right multiplication."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, SR, Matrix, Tensor, TensorAlgebra, derivation, flow, flow_matrix
from ewsmath.linear_cde import generator_matrix, level_generator, lift_matrix
from ewsmath.strategies import rationals, square_matrices
from ewsmath.words import Word
from proofs_checks import faults, formulas
from proofs_checks.agreement import agree
from proofs_checks.draws import depths, each_depth
from proofs_checks.statement import Mutant, Statement

EXAMPLE = "alpha beta gamma delta"
"""The entries of A = [[α, β], [γ, δ]]."""


def place(word: Word, dim: int) -> int:
    """Where a word stands in R^K: after all shorter ones, in lexicographic order."""
    shorter = sum(dim**n for n in range(len(word)))
    return shorter + sum((letter - 1) * dim**k for k, letter in enumerate(reversed(word)))


def check_worked_example() -> None:
    """L^{(2)} of [[α,β],[γ,δ]] as the paper writes it, and L = 0 ⊕ A ⊕ L^{(2)}; at depth one, L = 0 ⊕ A."""
    A = formulas.entries(EXAMPLE)
    a, b, c, d = SR.symbols(EXAMPLE)
    levels = [
        Matrix(SR, [[0]]),
        Matrix(SR, [[a, b], [c, d]]),
        Matrix(SR, [[2 * a, b, b, 0], [c, a + d, 0, b], [c, 0, a + d, b], [0, c, c, 2 * d]]),
    ]
    for depth in each_depth(2):
        agree(level_generator(A, depth), levels[depth], f"L^({depth})")
        agree(generator_matrix(A, depth), Matrix.block_diagonal(SR, levels[: depth + 1]), "L and its blocks")


def check_places_of_the_lifts() -> None:
    """ρ(e_1) has ones at (1,0), (3,1), (5,2) and ρ(e_2) at (2,0), (4,1), (6,2), and zeros elsewhere, at depth 2."""
    places = {1: [(1, 0), (3, 1), (5, 2)], 2: [(2, 0), (4, 1), (6, 2)]}
    for depth in each_depth(2):
        size = {1: 3, 2: 7}[depth]
        for letter, ones in places.items():
            expected = Matrix(QQ, [[int((i, j) in ones) for j in range(size)] for i in range(size)])
            agree(lift_matrix(QQ, [int(letter == k) for k in (1, 2)], depth), expected, f"ρ(e_{letter})")


def check_kronecker_sums() -> None:
    """L^{(n)} = Σ_k I_{m^{k−1}} ⊗ A ⊗ I_{m^{n−k}} for n up to 3, for all A."""
    A = formulas.entries(EXAMPLE)
    for n in each_depth(3):
        total = Matrix.zeros(SR, 2**n, 2**n)
        for k in range(1, n + 1):
            before, after = Matrix.identity(SR, 2 ** (k - 1)), Matrix.identity(SR, 2 ** (n - k))
            total = total + before.kronecker(A).kronecker(after)
        agree(level_generator(A, n), total, "L^(n) and the sum over the places")


def check_matrices_act_as_the_operators() -> None:
    """LΦ(a) = Φ(Λ_A a) and ρ(v)Φ(a) = Φ(a ⊗ v), for all A, v and all tensors a."""
    A, v = formulas.entries(EXAMPLE), list(SR.symbols("v_1 v_2"))
    for depth in each_depth(3):
        a = formulas.tensor("a", depth)
        agree(generator_matrix(A, depth).apply(vector(a)), vector(derivation(A, a)), "LΦ(a) and Φ(Λa)")
        agree(lift_matrix(SR, v, depth).apply(vector(a)), vector(a @ a.algebra.vector(v)), "ρ(v)Φ(a) and Φ(a ⊗ v)")


def check_flow_matrix() -> None:
    """e^{−rL}Φ(a) = Φ(D^r a), and d/dr e^{−rL} = −L e^{−rL}, for all r, 2 x 2 matrices A and tensors a."""
    r = SR.symbol("r")
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            a = formulas.tensor("a", depth)
            F, L = flow_matrix(generator, r, depth), generator_matrix(generator.matrix, depth)
            agree(F.apply(vector(a)), vector(flow(generator, r, a)), "e^{−rL}Φ(a) and Φ(D^r a)")
            agree(F.map(SR, lambda f: f.derivative("r")), -(L @ F), "d/dr e^{−rL} and −Le^{−rL}")


@given(st.data())
def check_blocks_in_QQ(data: st.DataObject) -> None:
    """L is block-diagonal, and ρ(v) strictly block-lower with e_w ↦ Σ_j v_j e_{wj}; drawn, of width up to 3."""
    dim, depth = data.draw(st.integers(1, 3)), data.draw(depths())
    A = data.draw(square_matrices(dim))
    v = data.draw(st.lists(rationals(), min_size=dim, max_size=dim))
    words = list(TensorAlgebra(QQ, dim, depth).words())
    L, rho = generator_matrix(A, depth), lift_matrix(QQ, v, depth)
    for w in words:
        for u in words:
            row, column = place(w, dim), place(u, dim)
            attached = v[w[-1] - 1] if w and w[:-1] == u else QQ.zero
            agree(rho[row, column], QQ.coerce(attached), f"ρ(v) at ({w}, {u})")
            changed = [k for k in range(len(w)) if w[k] != u[k]] if len(w) == len(u) else [0, 0]
            if len(changed) == 0:
                expected = sum((A[i - 1, i - 1] for i in w), QQ.zero)
            elif len(changed) == 1:
                expected = A[w[changed[0]] - 1, u[changed[0]] - 1]
            else:
                expected = QQ.zero
            agree(L[row, column], expected, f"L at ({w}, {u})")


def vector(a: Tensor[Any]) -> list[Any]:
    """Φ(a): the coefficients, each at the place of its word."""
    entries = [a.algebra.ring.zero] * a.algebra.size
    for word, c in a.coefficients.items():
        entries[place(word, a.algebra.dim)] = c
    return entries


def by_the_last_letter_first(word: Word, dim: int) -> int:
    """Words of one length in the order of their last letters."""
    return place_in_order(word[::-1], dim)


def transposed_generator(A: Matrix[Any], n: int) -> Matrix[Any]:
    """The Kronecker sum of the transposed A."""
    return level_generator_of(A.transpose(), n)


place_in_order = place  # by these names the mutants have them, in whose places others stand
level_generator_of = level_generator

HERE = "proofs_checks.structured_matrices"

STATEMENT = Statement(
    title="The structured matrices L and ρ",
    claim=r"L = \bigoplus_{n=0}^N L^{(n)}, \quad L^{(n)} = \sum_{k=1}^n I_{m^{k-1}}\otimes A\otimes I_{m^{n-k}}, \qquad"
    r" \rho(v)|_{n-1\to n} = I_{m^{n-1}}\otimes v, \qquad"
    r" L\,\Phi(a) = \Phi(\Lambda_A a), \quad \rho(v)\Phi(a) = \Phi(a\otimes v)",
    section="Appendix C.3",
    method="symbolic",
    leaves_out="Width 2, depths up to 3, for all entries of A, v and a; width 3 is drawn. The order of the words is "
    "taken to be by length, then lexicographic, as the example has it.",
    covers=("Appendix C.3: the matrices L and ρ, and the worked example",),
    code=("ewsmath.linear_cde.generator_matrix", "ewsmath.linear_cde.lift_matrix", "ewsmath.flow_matrix"),
    mutants=(
        Mutant("Kronecker order of ρ swapped", f"{HERE}:lift_matrix", faults.swapped_lift_matrix, keeps_depth_one=True),
        Mutant(
            "Kronecker product in place of the sum",
            "ewsmath.linear_cde.ews:level_generator",
            faults.level_product,
            keeps_depth_one=True,
        ),
        Mutant("A transposed", "ewsmath.linear_cde.ews:level_generator", transposed_generator, keeps_depth_one=False),
        Mutant("words by their last letters", f"{HERE}:place", by_the_last_letter_first, keeps_depth_one=True),
    ),
)
