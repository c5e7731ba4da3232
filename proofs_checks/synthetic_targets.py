"""Targets of the synthetic experiments: damped filters at depth one, their energy and their areas at depth two."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ_I, ExpPoly, ExpPolys, Tensor
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Rotation
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.strategies.numbers import rates
from proofs_checks.agreement import agree
from proofs_checks.definition import remaining
from proofs_checks.draws import Piece, depths, pieces
from proofs_checks.statement import Mutant, Statement


def damped(a: Any, w: Any, piece: Piece, remains: Any) -> tuple[ExpPoly[Any], ExpPoly[Any]]:
    """e^{−ar} cos ωr and e^{−ar} sin ωr at r = θ_t − θ_u, as functions of the fraction u of a piece."""
    functions = ExpPolys(EE)
    decay, turn = QQ_I.coerce(-a), QQ_I.i * w
    # By Euler's formula, e^{(−a ± iω)(remains + elapsed (1 − u))}.
    plus, minus = (
        functions.exponential(-(decay + s * turn) * piece.elapsed).scaled(
            EE.exp(EE.coerce((decay + s * turn) * (remains + piece.elapsed)))
        )
        for s in (1, -1)
    )
    half = EE.ratio(1, 2)
    return (plus + minus).scaled(half), (plus - minus).scaled(half * EE.coerce(-QQ_I.i))


def filters(a: Any, w: Any, path: Sequence[Piece]) -> list[Any]:
    """F_1 = (∫ e^{−ar}(cos ωr dX^1 + sin ωr dX^2), ∫ e^{−ar}(−sin ωr dX^1 + cos ωr dX^2)), r = θ_t − θ_u."""
    total = [EE.zero, EE.zero]
    for piece, remains in zip(path, remaining(path), strict=True):
        cosine, sine = damped(a, w, piece, remains)
        x, y = (EE.coerce(v) for v in piece.v)
        for k, f in enumerate((cosine.scaled(x) + sine.scaled(y), cosine.scaled(y) - sine.scaled(x))):
            total[k] += f.integral()(1)
    return total


def energy(S: Tensor[Any]) -> Any:
    """2 (S^{11} + S^{22})."""
    return EE.coerce(2) * (S[1, 1] + S[2, 2])


def symmetric_part(S: Tensor[Any], i: int, j: int) -> Any:
    """½ S^i S^j."""
    return EE.ratio(1, 2) * S[i] * S[j]


def area(S: Tensor[Any], i: int, j: int) -> Any:
    """½ (S^{ij} − S^{ji})."""
    return EE.ratio(1, 2) * (S[i, j] - S[j, i])


def ews_of(generator: AbstractGenerator, path: Sequence[Piece], depth: int) -> Tensor[Any]:
    """The EWS as the library computes it."""
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=depth)
    return ews(PiecewiseLinearPath.from_increments([piece.v for piece in path]))


@given(st.data())
def check_filters_and_their_products(data: st.DataObject) -> None:
    """F_1 is level one of a rotation; |F_1|² = 2(S^{11} + S^{22}); S^{ij} = ½S^iS^j + ½(S^{ij} − S^{ji})."""
    a, w = data.draw(rates()), data.draw(rates())
    depth, path = data.draw(depths(2)), data.draw(pieces(2, max_size=2))
    S = ews_of(Rotation([a], [w], ring=EE), path, depth)
    F = filters(a, w, path)
    agree(S.level(1), F, "level one and the damped filters")
    if depth > 1:
        agree(energy(S), F[0] * F[0] + F[1] * F[1], "2(S^11 + S^22) and the energy of the filters")
        for i, j in ((1, 1), (1, 2), (2, 1)):
            agree(S[i, j], symmetric_part(S, i, j) + area(S, i, j), f"S^{i}{j} and its parts")


def trace(S: Tensor[Any]) -> Any:
    """S^{11} + S^{22}: the factor two of the shuffle is missing."""
    return S[1, 1] + S[2, 2]


def area_turned(S: Tensor[Any], i: int, j: int) -> Any:
    """½ (S^{ji} − S^{ij})."""
    return EE.ratio(1, 2) * (S[j, i] - S[i, j])


def whole_product(S: Tensor[Any], i: int, j: int) -> Any:
    """S^i S^j."""
    return S[i] * S[j]


def filters_turned(a: Any, w: Any, path: Sequence[Piece]) -> list[Any]:
    """The filters of the frequency −ω."""
    return true_filters(a, -w, path)


true_filters: Any = filters  # by this name the mutant has them

HERE = "proofs_checks.synthetic_targets"

STATEMENT = Statement(
    title="Damped filters at depth one, their energy and their areas at depth two",
    claim=r"F_1 = S^{(1)} \text{ of a rotation}, \qquad \|F_1\|^2 = 2\,(S^{11} + S^{22}), \qquad"
    r" S^{ij} = \tfrac12 S^i S^j + \tfrac12 (S^{ij} - S^{ji})",
    section="Section 2; synthetic experiments",
    method="exact on draws",
    leaves_out="One rotation block, B = I, one or two pieces; the sum over several blocks adds nothing but terms. That "
    "a model learns these targets is not checked here.",
    covers=("Synthetic targets: damped filters at depth one, their energy and their areas at depth two",),
    code=("ewsmath.EWS", "ewsmath.generators.Rotation"),
    mutants=(
        Mutant("factor two forgotten", f"{HERE}:energy", trace, keeps_depth_one=True),
        Mutant("area of the other orientation", f"{HERE}:area", area_turned, keeps_depth_one=True),
        Mutant("product without its half", f"{HERE}:symmetric_part", whole_product, keeps_depth_one=True),
        Mutant("frequency of the other sign", f"{HERE}:filters", filters_turned, keeps_depth_one=False),
    ),
)
