"""The EWS solves a linear CDE on the truncated tensor algebra, whose matrices are L and ρ."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, SR, Matrix, Tensor, TensorAlgebra, derivation, operators
from ewsmath.linear_cde import generator_matrix, lift_matrix
from ewsmath.rings import Ring
from ewsmath.spectrum import exponential
from ewsmath.strategies import rationals, square_matrices, tensors
from proofs_checks import definition, faults, formulas
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def attach(S: Tensor[Any], v: list[Any]) -> Tensor[Any]:
    """The product S ⊗ v."""
    return S @ S.algebra.vector(v)


def slope(S: Tensor[Any], derivative: Callable[[Any], Any]) -> Tensor[Any]:
    """The derivative of every coordinate."""
    return Tensor(S.algebra, {word: derivative(f) for word, f in S.coefficients.items()})


def differential_equation(ring: Ring[Any], data: st.DataObject) -> None:
    """Differentiate the EWS along a piece; compare with the right side of the linear CDE."""
    generator = data.draw(exact_generators(ring))
    depth = data.draw(depths())
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    S = definition.running_ews(generator, [piece], depth)
    r = S.algebra.ring.coerce(piece.elapsed)
    right = attach(S, piece.v) - derivation(generator.matrix, S).scaled(r)
    agree(slope(S, lambda f: f.derivative()), right, "dS/du and −rΛS + S ⊗ v")
    agree(definition.at(0, S), TensorAlgebra(generator.ring, generator.dim, depth).one(), "S at the start and 1")
    agree(definition.at(1, S), definition.ews(generator, [piece], depth), "S at the end and its definition")


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


def check_differential_equation_symbolically() -> None:
    """dS/du = −rΛ_A S + S ⊗ v on the second piece of a path, for all u, r, v, first pieces and 2 x 2 matrices A."""
    u = SR.symbol("u")
    first, second = formulas.piece(1), formulas.piece(2)
    until_u = Piece(u * second.elapsed, [u * x for x in second.v])
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            S = definition.ews(generator, [first, until_u], depth)
            right = attach(S, second.v) - derivation(generator.matrix, S).scaled(second.elapsed)
            agree(slope(S, lambda f: f.derivative("u")), right, "dS/du and −rΛS + S ⊗ v")


def opposite_derivation(A: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """−Λ_A."""
    return -operators.derivation(A, a)


def attach_in_front(S: Tensor[Any], v: list[Any]) -> Tensor[Any]:
    """The product v ⊗ S."""
    return S.algebra.vector(v) @ S


HERE = "proofs_checks.linear_cde_form"

STATEMENT = Statement(
    title="The EWS solves a linear CDE",
    claim=r"dS = -\Lambda_A S\,d\theta + S \otimes B\,dX, \quad S_{s,s} = 1; \qquad"
    r" d\Phi(S) = \Big(-L\,d\theta + \sum_i \rho(Be_i)\,dX^i\Big)\Phi(S)",
    section="Section 2; Appendix C.3",
    label="Proposition 1",
    method="symbolic",
    leaves_out="The differential equation holds as a formula in all parameters at width 2 and depths up to 2; depth "
    "3, and the flow by matrix exponentials, are drawn, with spectra in Q(i). Drivers that are not "
    "piecewise linear.",
    covers=("Proposition 1 and Lemma 4: the EWS solves a linear CDE",),
    code=("ewsmath.derivation", "ewsmath.linear_cde.generator_matrix", "ewsmath.linear_cde.lift_matrix"),
    mutants=(
        Mutant("wrong sign of Λ", f"{HERE}:derivation", opposite_derivation, keeps_depth_one=False),
        Mutant("Λ acts on the last letter alone", f"{HERE}:derivation", faults.derivation_of_the_last_letter, True),
        Mutant("the path is attached in front", f"{HERE}:attach", attach_in_front, keeps_depth_one=True),
        Mutant("Kronecker order of ρ swapped", f"{HERE}:lift_matrix", faults.swapped_lift_matrix, keeps_depth_one=True),
        Mutant(
            "Kronecker product in place of the sum",
            "ewsmath.linear_cde.ews:level_generator",
            faults.level_product,
            keeps_depth_one=True,
        ),
    ),
)
