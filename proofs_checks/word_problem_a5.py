"""A5 is represented exactly by blocks of size 4, and by no linear CDE whose matrices span a solvable algebra."""

from functools import reduce
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix, linear_cde
from ewsmath.linear_cde import LinearCDE, MatrixLieAlgebra
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.strategies import square_matrices
from ewsmath.word_problem import WordProblem, cyclic_group, standard_representation
from ewsmath.word_problem.representations import cyclotomic_representation
from proofs_checks.agreement import agree
from proofs_checks.statement import Mutant, Statement

Permutation = tuple[int, ...]

GENERATORS: list[Permutation] = [(1, 2, 3, 4, 0), (1, 2, 0, 3, 4)]
"""A cycle of five and one of three, which generate A5."""


def after(p: Permutation, q: Permutation) -> Permutation:
    """p∘q: q acts first."""
    return tuple(p[i] for i in q)


def inverse(p: Permutation) -> Permutation:
    """The inverse."""
    return tuple(sorted(range(len(p)), key=lambda i: p[i]))


def group_commutator(p: Permutation, q: Permutation) -> Permutation:
    """P q p^{-1} q^{-1}."""
    return after(after(p, q), after(inverse(p), inverse(q)))


def generated(steps: set[Permutation]) -> set[Permutation]:
    """The group that permutations generate."""
    found = {tuple(range(len(next(iter(steps)))))}
    waiting = list(found)
    for p in waiting:
        for q in steps:
            if (r := after(p, q)) not in found:
                found.add(r)
                waiting.append(r)
    return found


def problem() -> WordProblem:
    """The model with two tokens."""
    return WordProblem(GENERATORS, standard_representation, [1, 2, 3, 4])


@given(st.data())
def check_blocks_represent_it(data: st.DataObject) -> None:
    """Words of two tokens: the answer after each is the product of the permutations; states and flows are rational."""
    word = data.draw(st.lists(st.integers(0, 1), min_size=1, max_size=12))
    A5 = problem()
    products, so_far = [], tuple(range(5))
    for token in word:
        so_far = after(so_far, GENERATORS[token])
        products.append(so_far)
    agree([tuple(A5.elements[k]) for k in A5.answers(word)], products, "the answers, and the products of the word")


def check_all_elements_are_told_apart() -> None:
    """60 elements, 60 states, from one block of size 4; and the Lie algebra of the two matrices is not solvable."""
    A5 = problem()
    agree(len(A5.elements), 60, "the number of elements of A5, and 60")
    states = {
        tuple(standard_representation(inverse(g)).apply([QQ.coerce(x) for x in (1, 2, 3, 4)])) for g in A5.elements
    }
    agree(len(states), 60, "the number of states, and 60")
    g = MatrixLieAlgebra(A5.cde.matrices)
    agree(g.is_solvable, False, "whether the algebra of the blocks is solvable, and False")


def check_group_is_perfect() -> None:
    """The commutators of A5 generate A5, so that commutators nested as deep as one likes are not all the identity."""
    A5 = generated(set(GENERATORS))
    derived = generated({group_commutator(p, q) for p in A5 for q in A5})
    agree(sorted(derived), sorted(A5), "the derived group and the group")


def nested(factors: list[Matrix[Any]]) -> Matrix[Any]:
    """Commutators XYX^{-1}Y^{-1} of commutators of …, of 2^k invertible matrices."""
    while len(factors) > 1:
        pairs = zip(factors[::2], factors[1::2], strict=True)
        factors = [X @ Y @ X.inverse() @ Y.inverse() for X, Y in pairs]
    return factors[0]


def triangular(data: st.DataObject) -> Matrix[Any]:
    """A lower triangular 3 x 3 matrix with no 0 on its diagonal."""
    M = data.draw(square_matrices(3))
    return Matrix(QQ, [[M[i, j] if j < i else int(i == j) * (abs(M[i, j]) + 1) for j in range(3)] for i in range(3)])


@given(st.data())
def check_triangular_groups_are_not_perfect(data: st.DataObject) -> None:
    """In triangular matrices of size 3 all commutators nested three deep are the identity.

    Over the complex numbers a solvable algebra is triangular in some basis (Lie), and so are its flows. A linear
    read-out that depends on a word through its product in A5 alone makes a representation of A5 on the states that are
    reached, modulo those that are not seen, which is triangular then; and A5 being perfect, it is trivial.
    """
    factors = [triangular(data) for _ in range(8)]
    agree(nested(factors), Matrix.identity(QQ, 3), "a commutator nested three deep, and I")


def solvable_flows(data: st.DataObject) -> LinearCDE:
    """The linear CDE of an EWS with a drawn generator of width 1 or 2 at depth 2, with its clock as a channel."""
    m = data.draw(st.integers(1, 2))
    return LinearCDE(linear_cde.matrices(data.draw(square_matrices(m)), Matrix.identity(QQ, m), depth=2))


@given(st.data())
def check_algebra_of_the_ews_is_solvable(data: st.DataObject) -> None:
    """The matrices -L and ρ(v) of an EWS of depth 2, with any generator: their commutators are strictly block-lower."""
    cde = solvable_flows(data)
    agree(MatrixLieAlgebra(cde.matrices).is_solvable, True, "whether the algebra of an EWS is solvable, and True")


def check_cyclic_groups_by_a_solvable_algebra() -> None:
    """Z5 on the other hand is represented with a single matrix, whose algebra is abelian."""
    tokens = [cyclic_group(5)[1]]
    Z5 = WordProblem(tokens, cyclotomic_representation(5), [1, 0, 0, 0])
    agree(MatrixLieAlgebra(Z5.cde.matrices).is_abelian, True, "whether the algebra is abelian, and True")
    expected = [reduce(after, tokens * k) for k in range(1, 8)]
    agree([tuple(Z5.elements[k]) for k in Z5.answers([0] * 7)], expected, "the answers, and the shifts")


def oldest_on_the_left(cde: LinearCDE, path: PiecewiseLinearPath[Any], start: Any, flow: Any = None) -> list[Any]:
    """F_1 ⋯ F_k h_0."""
    flows, states = cde.flows(path, flow), [tuple(QQ.coerce(x) for x in start)]
    for k in range(1, len(flows) + 1):
        state = list(states[0])
        for F in reversed(flows[:k]):
            state = F.apply(state)
        states.append(tuple(state))
    return states


def flow_not_inverted(p: Permutation) -> Permutation:
    """The permutation itself: flows ρ(x) where ρ(x)^{-1} belongs."""
    return tuple(p)


def two_dense_blocks(data: st.DataObject) -> LinearCDE:
    """Two dense matrices of size 2, as of a SLiCE with dense blocks."""
    return LinearCDE([Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, data.draw(st.integers(0, 3))]])])


def dense(data: st.DataObject) -> Matrix[Any]:
    """A matrix that is not triangular, with determinant 1."""
    x, y = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    return Matrix(QQ, [[1, x, 0], [0, 1, 0], [0, 0, 1]]) @ Matrix(QQ, [[1, 0, 0], [y, 1, x], [0, 0, 1]])


def symmetric_group_of_three(steps: set[Permutation]) -> set[Permutation]:
    """S3, which is solvable, in the place of A5; of its commutators the group that they generate."""
    return true_generated(
        {tuple(p) for p in steps} if len(steps) != len(GENERATORS) else {(1, 2, 0, 3, 4), (1, 0, 2, 3, 4)}
    )


true_generated = generated
HERE = "proofs_checks.word_problem_a5"

STATEMENT = Statement(
    title="A5 by blocks, and not by a solvable algebra",
    claim=r"F_x = I + A^x = \rho(x)^{-1} \text{ on } \mathbb R^4 \text{ solves the word problem of } A_5; \qquad"
    r" [A_5, A_5] = A_5, \text{ while } T^{(k)} = 1 \text{ for triangular groups } T",
    section="Appendix C.3; SLiCE (NeurIPS 2025)",
    method="exact on draws",
    leaves_out="That no solvable algebra does it is about a linear read-out of one layer. It rests on Lie's theorem, "
    "and on the argument in check_triangular_groups_are_not_perfect, whose two ingredients are checked, one at size "
    "3. A threshold, which may read a word off one real number, and stacks of layers are not covered. Words of at most "
    "12 tokens.",
    covers=("SLiCE: A5 by blocks, not by a solvable algebra",),
    code=(
        "ewsmath.word_problem.WordProblem",
        "ewsmath.word_problem.standard_representation",
        "ewsmath.linear_cde.MatrixLieAlgebra",
    ),
    no_depth="It is about flows of a linear CDE; there are no levels but those of one EWS of depth 2.",
    mutants=(
        Mutant("flows composed in reverse", "ewsmath.linear_cde:LinearCDE.solve", oldest_on_the_left, False),
        Mutant("flows not inverted", "ewsmath.word_problem.flow:inverse", flow_not_inverted, False),
        Mutant("a solvable group", f"{HERE}:generated", symmetric_group_of_three, False),
        Mutant("matrices that are not triangular", f"{HERE}:triangular", dense, False),
        Mutant("dense blocks for an EWS", f"{HERE}:solvable_flows", two_dense_blocks, False),
    ),
)
