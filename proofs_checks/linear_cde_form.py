"""The EWS solves a linear CDE on the truncated tensor algebra, whose matrices are L and ρ."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, ExpPolys, Matrix, Tensor, TensorAlgebra, derivation, homomorphism, operators
from ewsmath.generators import AbstractGenerator
from ewsmath.linear_cde import generator_matrix, lift_matrix
from ewsmath.rings import Ring
from ewsmath.spectrum import exponential
from ewsmath.strategies import rationals, square_matrices, tensors
from ewsmath.words import EMPTY, size
from proofs_checks import definition
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def attach(S: Tensor[Any], v: list[Any]) -> Tensor[Any]:
    """The product S ⊗ v."""
    return S @ S.algebra.vector(v)


def along_a_piece(generator: AbstractGenerator, piece: Piece, depth: int) -> Tensor[Any]:
    """The EWS from the start of a piece to its fraction u, coordinates being functions of u, by the definition.

    The weights e^{-r(u-x)A} are D^{ru} after e^{rxA}, and D^{ru} is an automorphism.
    """
    ring = generator.ring
    functions = ExpPolys(ring)
    algebra = TensorAlgebra(functions, generator.dim, depth)
    back = definition.weighted_speed(generator, piece, -piece.elapsed)  # e^{rxA} v
    integrals = {EMPTY: functions.one}
    for n in range(1, depth + 1):
        for word in algebra.words(n):
            integrals[word] = (integrals[word[:-1]] * back[word[-1] - 1]).integral()
    forward = generator.kernel().map(functions, lambda f: f.substituted(0, piece.elapsed))  # e^{-ruA}
    return homomorphism(forward, algebra.tensor(integrals))


def differential_equation(ring: Ring[Any], data: st.DataObject) -> None:
    """Differentiate the EWS along a piece; compare with the right side of the linear CDE."""
    generator = data.draw(exact_generators(ring))
    depth = data.draw(depths())
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    S = along_a_piece(generator, piece, depth)
    algebra = S.algebra
    slope = Tensor(algebra, {word: f.derivative() for word, f in S.coefficients.items()})
    r = algebra.ring.coerce(piece.elapsed)
    agree(slope, attach(S, piece.v) - derivation(generator.matrix, S).scaled(r), "dS/du and −rΛS + S ⊗ v")
    at_start, at_end = (
        TensorAlgebra(generator.ring, generator.dim, depth).tensor({w: f(u) for w, f in S.coefficients.items()})
        for u in (0, 1)
    )
    agree(at_start, at_start.algebra.one(), "S at the start and 1")
    agree(at_end, definition.ews(generator, [piece], depth), "S at the end and its definition")


@given(st.data())
def check_differential_equation_in_QQ(data: st.DataObject) -> None:
    """At all times of a piece at once dS = −Λ_A S dθ + S ⊗ B dX, and S_{s,s} = 1; for nilpotent generators."""
    differential_equation(QQ, data)


@given(st.data())
def check_differential_equation_in_EE(data: st.DataObject) -> None:
    """At all times of a piece at once dS = −Λ_A S dθ + S ⊗ B dX, and S_{s,s} = 1; for spectra in Q(i)."""
    differential_equation(EE, data)


@given(st.data())
def check_matrices_are_the_operators(data: st.DataObject) -> None:
    """LΦ(a) = Φ(Λ_A a) and ρ(v)Φ(a) = Φ(a ⊗ v), for any tensor a and matrix A."""
    dim, depth = data.draw(st.integers(1, 3)), data.draw(depths())
    a = data.draw(tensors(TensorAlgebra(QQ, dim, depth)))
    A = data.draw(square_matrices(dim))
    v = data.draw(st.lists(rationals(), min_size=dim, max_size=dim))
    agree(generator_matrix(A, depth).apply(a.vector()), derivation(A, a).vector(), "LΦ(a) and Φ(Λa)")
    agree(lift_matrix(QQ, v, depth).apply(a.vector()), attach(a, v).vector(), "ρ(v)Φ(a) and Φ(a ⊗ v)")


def matrix_flow(ring: Ring[Any], data: st.DataObject) -> None:
    """Solve the linear CDE by matrix exponentials on R^K; compare with the EWS by its definition."""
    generator = data.draw(exact_generators(ring))
    depth = data.draw(depths(max_depth=2))
    path = data.draw(pieces(generator.dim, max_size=2))
    algebra = TensorAlgebra(generator.ring, generator.dim, depth)
    state = Matrix.column(generator.ring, algebra.one().vector())
    for piece in path:
        L = generator_matrix(generator.matrix, depth)
        state = exponential(L * -piece.elapsed + lift_matrix(generator.ring, piece.v, depth)) @ state
    agree(
        algebra.from_vector(state.entries),
        definition.ews(generator, path, depth),
        "the flow of the linear CDE and the EWS",
    )


@given(st.data())
def check_matrix_flow_in_QQ(data: st.DataObject) -> None:
    """Φ(S) is the product of the exponentials e^{−rL + ρ(v)} of the pieces, for nilpotent generators."""
    matrix_flow(QQ, data)


@given(st.data())
def check_matrix_flow_in_EE(data: st.DataObject) -> None:
    """Φ(S) is the product of the exponentials e^{−rL + ρ(v)} of the pieces, for spectra in Q(i)."""
    matrix_flow(EE, data)


@given(st.data())
def check_recursive_form(data: st.DataObject) -> None:
    """The recursive form S = 1 + ∫ D^{θ_t−θ_u}(S_{s,u} ⊗ B dX_u), as the library solves it on a piece."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    recursive = EWS(generator, depth=depth).local(piece.elapsed, piece.v, route="recursion")
    agree(recursive, definition.ews(generator, [piece], depth), "the recursive form and the definition")


def opposite_derivation(A: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """−Λ_A."""
    return -operators.derivation(A, a)


def derivation_of_the_last_letter(A: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """A acts on the last letter of a word alone."""
    A = Matrix.over(a.algebra.ring, A)
    levels = [[a.algebra.ring.zero]]
    for n in range(1, a.algebra.depth + 1):
        levels.append(list((Matrix.flat(a.algebra.ring, a.level(n), a.algebra.dim) @ A.transpose()).entries))
    return a.algebra.from_levels(levels)


def attach_in_front(S: Tensor[Any], v: list[Any]) -> Tensor[Any]:
    """The product v ⊗ S."""
    return S.algebra.vector(v) @ S


def swapped_lift_matrix(ring: Ring[Any], v: list[Any], depth: int) -> Matrix[Any]:
    """The blocks v ⊗ I_{m^{n-1}} where I_{m^{n-1}} ⊗ v belong."""
    m = len(v)
    rows = [[ring.zero] * size(m, depth) for _ in range(size(m, depth))]
    for n in range(1, depth + 1):
        below, left = size(m, n - 1), size(m, n - 1) - m ** (n - 1)
        block = Matrix.column(ring, v).kronecker(Matrix.identity(ring, m ** (n - 1)))
        for i, row in enumerate(block.rows):
            rows[below + i][left : left + len(row)] = row
    return Matrix(ring, rows)


def level_product(A: Matrix[Any], n: int) -> Matrix[Any]:
    """A ⊗ … ⊗ A where the Kronecker sum belongs."""
    L = A if n else Matrix.zeros(A.ring, 1, 1)
    for _ in range(n - 1):
        L = L.kronecker(A)
    return L


HERE = "proofs_checks.linear_cde_form"

STATEMENT = Statement(
    title="The EWS solves a linear CDE",
    claim=r"dS = -\Lambda_A S\,d\theta + S \otimes B\,dX, \quad S_{s,s} = 1; \qquad"
    r" d\Phi(S) = \Big(-L\,d\theta + \sum_i \rho(Be_i)\,dX^i\Big)\Phi(S)",
    section="Section 2; Appendix C.3",
    label="Proposition 1",
    method="exact on draws",
    leaves_out="Drivers that are not piecewise linear; generators whose spectrum leaves Q(i); widths above 2 (3 for "
    "the matrices), depths above 3.",
    covers=("Proposition 1 and Lemma 4: the EWS solves a linear CDE",),
    code=("ewsmath.derivation", "ewsmath.EWS"),
    mutants=(
        Mutant("wrong sign of Λ", f"{HERE}:derivation", opposite_derivation, keeps_depth_one=False),
        Mutant("Λ acts on the last letter alone", f"{HERE}:derivation", derivation_of_the_last_letter, True),
        Mutant("the path is attached in front", f"{HERE}:attach", attach_in_front, keeps_depth_one=True),
        Mutant("Kronecker order of ρ swapped", f"{HERE}:lift_matrix", swapped_lift_matrix, keeps_depth_one=True),
        Mutant(
            "Kronecker product in place of the sum",
            "ewsmath.linear_cde.ews:level_generator",
            level_product,
            keeps_depth_one=True,
        ),
    ),
)
