"""The recursive form of the EWS: what has been integrated, and the next letter, flow together from then on."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, ExpPolys, Matrix, Tensor, TensorAlgebra, homomorphism
from ewsmath.generators import AbstractGenerator
from proofs_checks import definition, faults, formulas
from proofs_checks.agreement import agree
from proofs_checks.definition import propagator, remaining, running_ews
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def flowed(E: Matrix[Any], S: Tensor[Any], v: Tensor[Any]) -> Tensor[Any]:
    """D(S ⊗ v), for the flow with propagator E."""
    return homomorphism(E, S @ v)


def remaining_flow(generator: AbstractGenerator, path: Sequence[Piece], j: int) -> Matrix[Any]:
    """e^{−(θ_t−θ_u)A}, for u on piece j and t the end of the path, as a function of the fraction u."""
    return propagator(generator, remaining(path)[j] + path[j].elapsed, -path[j].elapsed)


def recursion(generator: AbstractGenerator, path: Sequence[Piece], depth: int) -> Tensor[Any]:
    """1 + ∫_s^t D^{θ_t−θ_u}(S_{s,u} ⊗ B dX_u), piece by piece, with S_{s,u} by its definition."""
    functions = TensorAlgebra(ExpPolys(generator.ring), generator.dim, depth)
    total = functions.one()
    for j, piece in enumerate(path):
        S = running_ews(generator, path[: j + 1], depth)
        integrand = flowed(remaining_flow(generator, path, j), S, functions.vector(piece.v))
        total = total + functions.tensor({word: f.integral() for word, f in integrand.coefficients.items()})
        total = functions.tensor(definition.at(1, total).coefficients)
    return definition.at(1, total)


@given(st.data())
def check_recursion_of_the_library(data: st.DataObject) -> None:
    """The library's solution of the recursive form on a piece is the EWS."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    [piece] = data.draw(pieces(generator.dim, max_size=1))
    recursive = EWS(generator, depth=depth).local(piece.elapsed, piece.v, route="recursion")
    agree(recursive, definition.ews(generator, [piece], depth), "the library's recursion and the definition")


@given(st.data())
def check_recursive_form_in_EE(data: st.DataObject) -> None:
    """The same for drawn generators and up to three pieces, at depths up to 3."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim))
    agree(recursion(generator, path, depth), definition.ews(generator, path, depth), "recursion and definition")


def check_recursive_form_symbolically() -> None:
    """The recursive form is the EWS, for all increments of clock and path on two pieces, and all 2 x 2 matrices."""
    path = [formulas.piece(1), formulas.piece(2)]
    for generator in formulas.all_matrices():
        for depth in each_depth(2):
            agree(recursion(generator, path, depth), definition.ews(generator, path, depth), "recursion and definition")


def new_letter_alone(E: Matrix[Any], S: Tensor[Any], v: Tensor[Any]) -> Tensor[Any]:
    """S ⊗ Dv: what has been integrated does not flow on."""
    return S @ homomorphism(E, v)


def old_letters_alone(E: Matrix[Any], S: Tensor[Any], v: Tensor[Any]) -> Tensor[Any]:
    """D(S) ⊗ v: the new letter does not flow."""
    return homomorphism(E, S) @ v


def letter_in_front(E: Matrix[Any], S: Tensor[Any], v: Tensor[Any]) -> Tensor[Any]:
    """D(v ⊗ S)."""
    return homomorphism(E, v @ S)


def flow_from_the_start(generator: AbstractGenerator, path: Sequence[Piece], j: int) -> Matrix[Any]:
    """e^{−(θ_t−θ_s)A}: the clock is read at the start."""
    return propagator(generator, sum((piece.elapsed for piece in path), 0 * path[j].elapsed), 0)


HERE = "proofs_checks.recursive_form"

STATEMENT = Statement(
    title="The recursive form of the EWS",
    claim=r"S_{s,t} = 1 + \int_s^t D_A^{\theta_t-\theta_u}\big(S_{s,u}\otimes B\,dX_u\big)",
    section="Section 2; Appendix C.3",
    method="symbolic",
    leaves_out="As a formula in all parameters at width 2, depths up to 2, two pieces; depth 3 is drawn, with "
    "spectra in Q(i). Paths that are not piecewise linear.",
    covers=("Recursive form of the EWS",),
    code=("ewsmath.EWS", "ewsmath.ews.local_recursion"),
    mutants=(
        Mutant("only the new letter flows", f"{HERE}:flowed", new_letter_alone, keeps_depth_one=True),
        Mutant("the new letter does not flow", f"{HERE}:flowed", old_letters_alone, keeps_depth_one=False),
        Mutant("the new letter comes first", f"{HERE}:flowed", letter_in_front, keeps_depth_one=True),
        Mutant("clock read at the start", f"{HERE}:remaining_flow", flow_from_the_start, keeps_depth_one=False),
        Mutant(
            "in the library, the last letter alone flows",
            "ewsmath.ews.recursion:homomorphism",
            faults.on_the_last_letter,
            keeps_depth_one=True,
        ),
    ),
)
