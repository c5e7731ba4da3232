"""The classical Chen identity fails for t ↦ S_{s,t}: without the flow the first factor does not fade."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, SR, PiecewiseLinearPath, Tensor, flow
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Diagonal, Zero
from proofs_checks import definition, faults, formulas
from proofs_checks.agreement import agree, differ
from proofs_checks.definition import remaining
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement


def defect(generator: AbstractGenerator, first: list[Piece], second: list[Piece], depth: int) -> Tensor[Any]:
    """S_{s,t} − S_{s,u} ⊗ S_{u,t}, each by its definition."""
    whole, before, after = (definition.ews(generator, path, depth) for path in (first + second, first, second))
    return whole - before @ after


def check_failure_at_level_two_alone() -> None:
    """A square that is closed while the clock stands still leaves level one as it is; its area fades by λ + μ."""
    rates, (r, x, y) = SR.symbols("lambda mu"), SR.symbols("r x y")
    square = [Piece(SR.zero, [x, SR.zero]), Piece(SR.zero, [SR.zero, y])]
    square += [Piece(SR.zero, [-x, SR.zero]), Piece(SR.zero, [SR.zero, -y])]
    after = [Piece(r, [SR.zero, SR.zero])]
    for depth in each_depth(2):
        found = defect(Diagonal(rates), square, after, depth)
        agree(found.level(1), [SR.zero, SR.zero], "the defect of level one and 0")
        if depth > 1:
            area = x * y * (SR.exp(-r * (rates[0] + rates[1])) - SR.one)
            agree(found.level(2), [SR.zero, area, -area, SR.zero], "the defect of level two and what the area lost")


@given(st.data())
def check_when_it_holds(data: st.DataObject) -> None:
    """The defect is (D S_{s,u} − S_{s,u}) ⊗ S_{u,t}: 0 exactly when the flow fixes S_{s,u}, as when A = 0."""
    generator = data.draw(exact_generators(EE))
    depth = data.draw(depths())
    path = data.draw(pieces(generator.dim, min_size=2))
    first, second = path[:1], path[1:]
    before, after = definition.ews(generator, first, depth), definition.ews(generator, second, depth)
    elapsed = sum((piece.elapsed for piece in second), 0 * path[0].elapsed)
    faded = flow(generator, elapsed, before) - before
    agree(defect(generator, first, second, depth), faded @ after, "the defect and (DS − S) ⊗ S")
    signature = Zero(generator.dim, ring=EE)
    agree(defect(signature, first, second, depth), before.algebra.zero(), "the defect of the signature and 0")
    still = [Piece(0 * piece.elapsed, piece.v) for piece in second]
    agree(
        defect(generator, first, still, depth), before.algebra.zero(), "the defect while the clock stands still and 0"
    )


@given(st.data())
def check_failure_of_the_library(data: st.DataObject) -> None:
    """The library's EWS of two equal moves, rate 1, time clock, is not the product of theirs, at any level."""
    depth = data.draw(depths())
    [piece] = data.draw(pieces(1, max_size=1).filter(lambda drawn: any(drawn[0].v)))
    ews = EWS(Diagonal(1), clock=Given([1, 1]), depth=depth)
    path = PiecewiseLinearPath.from_increments([piece.v, piece.v])
    product = ews(path, 0, 1) @ ews(path, 1, 2)
    for n in range(1, depth + 1):
        differ(ews(path).level(n), product.level(n), f"level {n} of S_{{0,2}} and of S_{{0,1}} ⊗ S_{{1,2}}")


def check_failure_symbolically() -> None:
    """S_{s,t} is not S_{s,u} ⊗ S_{u,t}: already at level one the two are different formulas, for every family."""
    first, second = [formulas.piece(1)], [formulas.piece(2)]
    for generator in formulas.families():
        for depth in each_depth(2):
            found = defect(generator, first, second, depth)
            for word in found.algebra.words(1):
                differ(found[word], SR.zero, f"the defect at {word} and 0")


def nothing_remains(path: list[Piece]) -> list[Any]:
    """Every piece is weighted to its own end only: then the classical identity would hold."""
    return [0 * piece.elapsed for piece in path]


def twice_what_remains(path: list[Piece]) -> list[Any]:
    """The clock after a piece runs twice as fast."""
    return [2 * r for r in remaining(path)]


HERE = "proofs_checks.classical_chen_fails"

STATEMENT = Statement(
    title="The classical Chen identity fails along t",
    claim=r"S_{s,t} \ne S_{s,u}\otimes S_{u,t}; \qquad"
    r" S_{s,t} - S_{s,u}\otimes S_{u,t} = \big(D_A^{\theta_t-\theta_u}S_{s,u} - S_{s,u}\big)\otimes S_{u,t}",
    section="Theorem 1(ii)",
    method="symbolic",
    leaves_out="That the two sides are different formulas says that they differ for almost all parameters; where "
    "they agree is decided by the defect, which is drawn, with spectra in Q(i).",
    covers=("Classical Chen fails for t ↦ S_{s,t}",),
    code=("ewsmath.EWS", "ewsmath.flow"),
    mutants=(
        Mutant("weights to the end of the piece alone", "proofs_checks.definition:remaining", nothing_remains, False),
        Mutant("what remains counts twice", "proofs_checks.definition:remaining", twice_what_remains, False),
        Mutant("the flow acts on the last letter alone", f"{HERE}:flow", faults.flow_of_the_last_letter, True),
        Mutant("nothing flows in the library", "ewsmath.ews.chen:flow", faults.no_flow, keeps_depth_one=False),
    ),
)
