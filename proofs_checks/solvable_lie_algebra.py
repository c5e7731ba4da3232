"""The matrices of the EWS generate a solvable Lie algebra, so that commutators of its flows are unipotent."""

from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, SR, Matrix
from ewsmath.linear_cde import MatrixLieAlgebra, commutator, generator_matrix, lift_matrix, matrices
from ewsmath.rings import Ring
from ewsmath.spectrum import exponential
from ewsmath.strategies import rationals, square_matrices
from proofs_checks import faults, formulas
from proofs_checks.agreement import agree, at_most, differ
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def level_of(row: int, dim: int) -> int:
    """The level to which a row of R^K belongs."""
    n, first = 0, 1
    while row >= first:
        n += 1
        first += dim**n
    return n


def lowest_step(X: Matrix[Any], dim: int) -> int:
    """The least k such that some entry of X goes from a level n to the level n + k; a large number for X = 0."""
    steps = [level_of(i, dim) - level_of(j, dim) for i, j in product(range(X.shape[0]), repeat=2) if X[i, j]]
    return min(steps, default=X.shape[0])


def reach(k: int) -> int:
    """The number of levels by which the k-th derived algebra goes up at least."""
    return 2 ** (k - 1)


def trace(X: Matrix[Any]) -> Any:
    """The trace."""
    return sum((X[k, k] for k in range(X.shape[0])), X.ring.zero)


def check_brackets() -> None:
    """[−L, ρ(v)] = −ρ(Av) for all 2 x 2 matrices A and all v; and [ρ(v), ρ(w)] goes up two levels at once."""
    A = formulas.entries("alpha beta gamma delta")
    v, w = list(SR.symbols("v_1 v_2")), list(SR.symbols("w_1 w_2"))
    for depth in each_depth(3):
        L = generator_matrix(A, depth)
        rho = lift_matrix(SR, v, depth)
        agree(commutator(-L, rho), -lift_matrix(SR, A.apply(v), depth), "[−L, ρ(v)] and −ρ(Av)")
        at_most(2, lowest_step(commutator(rho, lift_matrix(SR, w, depth)), 2), "2 and the step of [ρ(v), ρ(w)]")


@given(st.data())
def check_derived_series(data: st.DataObject) -> None:
    """The k-th derived algebra goes up 2^{k−1} levels at least; so the series reaches 0, and the algebra is solvable.

    By Cartan's criterion too, which knows no levels: tr(X[Y, Z]) = 0 for all X, Y and Z.
    """
    dim, depth = data.draw(st.integers(1, 2)), data.draw(depths())
    A = data.draw(square_matrices(dim))
    g = MatrixLieAlgebra(matrices(A, Matrix.identity(QQ, dim), depth))
    series = g.derived_series
    for k, ideal in enumerate(series[1:], start=1):
        for X in ideal.basis:
            at_most(reach(k), lowest_step(X, dim), f"the reach and the step in the derived algebra {k}")
    agree(series[-1].dimension, 0, "the last term of the derived series and 0")
    agree(g.is_solvable, True, "the exact decision and True")
    for X, Y, Z in product(g.basis[:4], g.basis[:4], g.basis):
        agree(trace(X @ commutator(Y, Z)), X.ring.zero, "tr(X[Y, Z]) and 0")


def check_a_free_algebra_is_not_solvable() -> None:
    """Without the structure the decision is no: e_12 and e_21 generate sl_2, where tr(X[Y, Z]) is not 0."""
    up, down = Matrix(QQ, [[0, 1], [0, 0]]), Matrix(QQ, [[0, 0], [1, 0]])
    agree(MatrixLieAlgebra([up, down]).is_solvable, False, "the exact decision and False")
    differ(trace(up @ commutator(down, commutator(up, down))), QQ.zero, "tr(X[Y, Z]) and 0")


def flow(ring: Ring[Any], A: Matrix[Any], piece: Piece, depth: int) -> Matrix[Any]:
    """The flow e^{−rL + ρ(v)} of a piece on R^K."""
    L = generator_matrix(Matrix.over(ring, A), depth)
    return exponential(L * -piece.elapsed + lift_matrix(ring, piece.v, depth))


@given(st.data())
def check_commutators_of_flows_are_unipotent(data: st.DataObject) -> None:
    """F G F⁻¹ G⁻¹ is I plus strictly block-lower terms, and F's diagonal blocks are e^{−rL}, whatever the path is."""
    generator = data.draw(exact_generators(EE))
    depth, ring = data.draw(depths(max_depth=2)), EE
    first, second = data.draw(pieces(generator.dim, min_size=2, max_size=2))
    rest = [Piece(piece.elapsed, [QQ.zero] * generator.dim) for piece in (first, second)]
    back = [Piece(-piece.elapsed, [-x for x in piece.v]) for piece in (first, second)]
    F, G, at_rest, also_at_rest = (flow(ring, generator.matrix, p, depth) for p in (first, second, *rest))
    F_inverse, G_inverse = (flow(ring, generator.matrix, p, depth) for p in back)
    one = Matrix.identity(ring, F.shape[0])
    agree(F @ F_inverse, one, "F F⁻¹ and 1")
    at_most(1, lowest_step(F - at_rest, generator.dim), "1 and the step of e^{−rL+ρ(v)} − e^{−rL}")
    agree(at_rest @ also_at_rest, also_at_rest @ at_rest, "the diagonal parts in either order")
    unipotent = F @ G @ F_inverse @ G_inverse - one
    at_most(1, lowest_step(unipotent, generator.dim), "1 and the step of F G F⁻¹ G⁻¹ − 1")
    power = one
    for _ in range(depth + 1):
        power = power @ unipotent
    agree(power, Matrix.zeros(ring, *one.shape), "(F G F⁻¹ G⁻¹ − 1)^{N+1} and 0")


@given(st.data())
def check_brackets_in_QQ(data: st.DataObject) -> None:
    """[−L, ρ(v)] = −ρ(Av) for drawn matrices of width up to 3."""
    dim, depth = data.draw(st.integers(1, 3)), data.draw(depths())
    A = data.draw(square_matrices(dim))
    v = data.draw(st.lists(rationals(), min_size=dim, max_size=dim))
    left = commutator(-generator_matrix(A, depth), lift_matrix(QQ, v, depth))
    agree(left, -lift_matrix(QQ, A.apply(v), depth), "[−L, ρ(v)] and −ρ(Av)")


def lift_with_feedback(ring: Ring[Any], v: list[Any], depth: int) -> Matrix[Any]:
    """ρ(v) + ρ(v)ᵀ: letters are also taken off."""
    rho = lift_matrix(ring, v, depth)
    return rho + rho.transpose()


def threefold_reach(k: int) -> int:
    """3^{k−1} in the place of 2^{k−1}."""
    return 3 ** (k - 1)


def anticommutator(X: Matrix[Any], Y: Matrix[Any]) -> Matrix[Any]:
    """XY + YX."""
    return X @ Y + Y @ X


HERE = "proofs_checks.solvable_lie_algebra"

STATEMENT = Statement(
    title="The Lie algebra of the EWS is solvable",
    claim=r"[-L, \rho(v)] = -\rho(Av), \qquad \mathfrak g = \mathrm{Lie}\{-L, \rho(Be_i)\},\quad"
    r" \mathfrak g^{(k)} \subseteq \bigoplus_{j\ge 2^{k-1}} \mathrm{Hom}(\text{level } n, \text{level } n+j),\quad"
    r" \mathfrak g^{(k)} = 0 \text{ for } 2^{k-1} > N",
    section="Appendix C.3",
    method="exact on draws",
    leaves_out="The bracket holds as a formula for all A and v at width 2, depths up to 3; the derived series, "
    "Cartan's criterion and the flows are drawn. That a finite group which one layer with exact linear "
    "read-out tells apart is abelian, even cyclic, is argued from unipotency and not checked; stacks of "
    "layers are not covered by it.",
    covers=("Appendix C.3: the Lie algebra is solvable",),
    code=("ewsmath.linear_cde.MatrixLieAlgebra", "ewsmath.linear_cde.matrices", "ewsmath.linear_cde.commutator"),
    mutants=(
        Mutant("letters are also taken off", "ewsmath.linear_cde.ews:lift_matrix", lift_with_feedback, False),
        Mutant("anticommutator", f"{HERE}:commutator", anticommutator, keeps_depth_one=False),
        Mutant("the reach grows threefold", f"{HERE}:reach", threefold_reach, keeps_depth_one=True),
        Mutant(
            "Kronecker product in place of the sum",
            "ewsmath.linear_cde.ews:level_generator",
            faults.level_product,
            keeps_depth_one=True,
        ),
    ),
)
