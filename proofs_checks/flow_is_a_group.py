"""The flow operators D_A^r are a one-parameter group of automorphisms of the tensor algebra."""

from math import prod
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, SR, Matrix, Tensor, TensorAlgebra, flow
from ewsmath.generators import AbstractGenerator
from ewsmath.operators import homomorphism
from ewsmath.strategies import generators, rationals, tensors
from proofs_checks import faults, formulas
from proofs_checks.agreement import agree
from proofs_checks.draws import depths, each_depth
from proofs_checks.statement import Mutant, Statement


def letter_by_letter(E: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """The definition: ⟨i1…in, D a⟩ = Σ_j E_{i1 j1} ⋯ E_{in jn} a^{j1…jn}."""
    algebra = a.algebra
    total = {}
    for word in algebra.words():
        total[word] = algebra.ring.zero
        for v in algebra.words(len(word)):
            weight = prod((E[i - 1, j - 1] for i, j in zip(word, v, strict=True)), start=algebra.ring.one)
            total[word] += weight * a[v]
    return algebra.tensor(total)


def check_flow_acts_by_the_propagator() -> None:
    """D^r acts on every letter by E(r) with E' = −AE and E(0) = I, for all r, A and a: by what defines e^{−rA}."""
    r = SR.symbol("r")
    for generator in formulas.families():
        A = generator.matrix
        columns = [flow(generator, r, TensorAlgebra(SR, 2, 1).letter(j)).level(1) for j in (1, 2)]
        E = Matrix(SR, columns).transpose()
        agree(E.map(SR, lambda f: f.derivative("r")), -(A @ E), "dE/dr and −AE")
        agree(E.map(SR, lambda f: f.at({"r": 0})), Matrix.identity(SR, 2), "E(0) and I")
        for depth in each_depth(3):
            a = formulas.tensor("a", depth)
            agree(flow(generator, r, a), letter_by_letter(E, a), "D^r a and E on every letter of a")


def check_one_parameter_group() -> None:
    """D^s D^r a = D^{r+s} a and D^0 a = a, for all r, s, all 2 x 2 matrices A and all tensors a."""
    r, s = SR.symbols("r s")
    for generator in formulas.families():
        for depth in each_depth(3):
            a = formulas.tensor("a", depth)
            agree(flow(generator, s, flow(generator, r, a)), flow(generator, r + s, a), "D^s D^r a and D^{r+s} a")
            agree(flow(generator, SR.zero, a), a, "D^0 a and a")


def check_flow_is_multiplicative() -> None:
    """D^r(a ⊗ b) = D^r a ⊗ D^r b and D^r 1 = 1, for all r, A, a and b."""
    r = SR.symbol("r")
    for generator in formulas.families():
        for depth in each_depth(3):
            a, b = formulas.tensor("a", depth), formulas.tensor("b", depth)
            agree(flow(generator, r, a @ b), flow(generator, r, a) @ flow(generator, r, b), "D(a ⊗ b) and Da ⊗ Db")
            agree(flow(generator, r, a.algebra.one()), a.algebra.one(), "D1 and 1")
            agree(flow(generator, r, a)[()], a[()], "level 0 of Da and of a")


@given(st.data())
def check_group_of_automorphisms_in_EE(data: st.DataObject) -> None:
    """The same laws for drawn generators of every family up to width 3, with spectrum in Q(i)."""
    generator = data.draw(generators()).over(EE)
    algebra = TensorAlgebra(EE, generator.dim, data.draw(depths()))
    a, b = data.draw(tensors(algebra, max_terms=3)), data.draw(tensors(algebra, max_terms=3))
    r, s = data.draw(rationals(max_numerator=2)), data.draw(rationals(max_numerator=2))
    agree(flow(generator, s, flow(generator, r, a)), flow(generator, r + s, a), "D^s D^r a and D^{r+s} a")
    agree(flow(generator, -r, flow(generator, r, a)), a, "D^{−r} D^r a and a")
    agree(flow(generator, r, a @ b), flow(generator, r, a) @ flow(generator, r, b), "D(a ⊗ b) and Da ⊗ Db")


def first_order_flow(generator: AbstractGenerator, r: Any, a: Tensor[Any]) -> Tensor[Any]:
    """I − rA where e^{−rA} belongs."""
    return homomorphism(Matrix.identity(generator.ring, generator.dim) - generator.matrix * r, a)


def turned_round(matrix: Matrix[Any], a: Tensor[Any]) -> Tensor[Any]:
    """The letters come back in reverse order: D(a ⊗ b) = Db ⊗ Da."""
    return faults.turned_round(homomorphism(matrix, a))


HERE = "proofs_checks.flow_is_a_group"

STATEMENT = Statement(
    title="The flow operators are a one-parameter group of automorphisms",
    claim=r"D_A^{r}(v_1\otimes\cdots\otimes v_n) = e^{-rA}v_1\otimes\cdots\otimes e^{-rA}v_n, \qquad"
    r" D_A^{s} D_A^{r} = D_A^{r+s}, \quad D_A^0 = \mathrm{id}, \quad"
    r" D_A^r(a\otimes b) = D_A^r a\otimes D_A^r b, \quad D_A^r 1 = 1",
    section="Section 2; Appendix C.2",
    label="Lemma 1",
    method="symbolic",
    leaves_out="Formulas for all r, rates and tensors are at width 2, depths up to 3; width 3 is drawn. Tensors of "
    "infinitely many levels, and continuity in r on them.",
    covers=("Lemma 1: the flow operators are a one-parameter group of automorphisms",),
    code=("ewsmath.flow", "ewsmath.homomorphism"),
    mutants=(
        Mutant("wrong sign of the flow", f"{HERE}:flow", faults.backward_flow, keeps_depth_one=False),
        Mutant("the propagator to first order", f"{HERE}:flow", first_order_flow, keeps_depth_one=False),
        Mutant(
            "the flow acts on the last letter alone",
            "ewsmath.operators.tensors:homomorphism",
            faults.on_the_last_letter,
            keeps_depth_one=True,
        ),
        Mutant("letters in reverse", "ewsmath.operators.tensors:homomorphism", turned_round, keeps_depth_one=True),
    ),
)
