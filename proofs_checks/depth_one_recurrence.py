"""At depth one the EWS is the recurrence of a state-space model, with φ_1 in the place of its input map."""

from collections.abc import Sequence
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, SR, Matrix, PiecewiseLinearPath
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Diagonal, Jordan, Rotation
from ewsmath.spectrum import exponential
from ewsmath.ssm import match
from ewsmath.strategies import square_matrices
from proofs_checks import definition, recurrences
from proofs_checks.agreement import agree
from proofs_checks.draws import Piece, exact_generators, pieces
from proofs_checks.recurrences import R, arrays, is_close, small
from proofs_checks.statement import Mutant, Statement


def augmented(A: Matrix[Any], r: Any) -> Matrix[Any]:
    """The exponential of [[-rA, I], [0, 0]] = [[e^{-rA}, φ_1(-rA)], [0, I]], without a quotient."""
    ring, m = A.ring, A.shape[0]
    unit, zeros = Matrix.identity(ring, m).rows, [[ring.zero] * (2 * m)] * m
    return exponential(Matrix(ring, [[*row, *e] for row, e in zip((-A.scaled(r)).rows, unit, strict=True)] + zeros))


def recurrence(generator: AbstractGenerator, path: Sequence[Piece]) -> list[Any]:
    """S_j = e^{-Δθ_j A} S_{j-1} + φ_1(-Δθ_j A) BΔX_j, from S_0 = 0: the last one."""
    ring, m = generator.ring, generator.dim
    state = [ring.zero] * m
    for piece in path:
        both = augmented(generator.matrix, ring.coerce(piece.elapsed)).rows[:m]
        state = Matrix(ring, both).apply([*state, *(ring.coerce(x) for x in piece.v)])
    return state


def integral(generator: AbstractGenerator, r: Any, v: list[Any]) -> list[Any]:
    """∫_0^1 e^{-r(1-u)A} v du, the EWS of one piece at depth one by its definition."""
    return [f.integral()(1) for f in definition.weighted_speed(generator, Piece(r, v), generator.ring.zero)]


def moved(S: EWS, r: Any, v: list[Any]) -> list[Any]:
    """The level one of one piece, as the library computes it."""
    return S.local(r, v).level(1)


@given(st.data())
def check_recurrence(data: st.DataObject) -> None:
    """Over several pieces, with clocks of either sign: the recurrence, the definition and the library."""
    generator = data.draw(exact_generators(EE))
    path = data.draw(pieces(generator.dim))
    expected = recurrence(generator, path)
    agree(definition.ews(generator, path, 1).level(1), expected, "level one by its definition, and the recurrence")
    ews = EWS(generator, clock=Given([piece.elapsed for piece in path]), depth=1)
    found = ews(PiecewiseLinearPath.from_increments([piece.v for piece in path]))
    agree(found.level(1), expected, "level one of the EWS, and the recurrence")


def check_phi_1_for_all_parameters() -> None:
    """RA ∫_0^1 e^{-r(1-u)A} v du = (I - e^{-rA}) v, for all r, v and parameters of three families, as formulas."""
    r, a, w, x, y = SR.symbols("r a w x y")
    for generator in (Diagonal([a, w]), Rotation(a, w), Jordan(a, 2)):
        decayed = generator.exponential(r).apply([x, y])
        expected = [p - q for p, q in zip([x, y], decayed, strict=True)]
        for name, phi_1 in (
            ("the integral", integral(generator, r, [x, y])),
            ("the library", moved(EWS(generator, depth=1), r, [x, y])),
        ):
            agree([r * z for z in generator.matrix.apply(phi_1)], expected, f"rA times {name}, and (I - e^(-rA))v")


def steady_state(Abar: Matrix[Any], Bbar: Matrix[Any]) -> Matrix[Any]:
    """(I - Abar)^{-1} Bbar, the response to a constant unit input."""
    return (Matrix.identity(Abar.ring, Abar.shape[0]) - Abar).inverse() @ Bbar


@given(st.data())
def check_generator_and_lift_of_a_recurrence(data: st.DataObject) -> None:
    """e^{-A} = Abar and φ_1(-A) B = Bbar for what ``match`` finds; and B = A h_∞ where 1 is no eigenvalue of Abar.

    The transitions are MᵀM + I/2, symmetric and positive.
    """
    M = data.draw(square_matrices(2))
    Abar = M.transpose() @ M + Matrix.identity(M.ring, 2) * fmpq(1, 2)
    Bbar = Matrix(M.ring, data.draw(arrays(small, 2, 1)))
    [layer] = match(Abar, Bbar, R).layers
    both = augmented(layer.generator.matrix, R.one).rows[:2]
    is_close(Matrix(R, [row[:2] for row in both]), Matrix.over(R, Abar), "e^(-A) and Abar")
    phi_1 = Matrix(R, [row[2:] for row in both])
    is_close(phi_1 @ layer.lift, Matrix.over(R, Bbar), "φ_1(-A) B and Bbar")
    trace, determinant = Abar[0, 0] + Abar[1, 1], Abar[0, 0] * Abar[1, 1] - Abar[0, 1] * Abar[1, 0]
    if 1 - trace + determinant != 0:
        h = Matrix.over(R, steady_state(Abar, Bbar))
        is_close(layer.generator.matrix @ h, layer.lift, "A h_∞ and B")


def without_phi_1(S: EWS, r: Any, v: list[Any]) -> list[Any]:
    """V itself."""
    return [S.generator.ring.coerce(x) for x in v]


def at_the_end(generator: AbstractGenerator, r: Any, v: list[Any]) -> list[Any]:
    """e^{-rA} v: the whole increment forgotten over the whole piece."""
    return generator.exponential(r).apply(v)


def growing(A: Matrix[Any], r: Any) -> Matrix[Any]:
    """e^{+rA} and φ_1(+rA)."""
    return augmented_matrix(A, -r)


def phi_1_of_the_opposite(A: Matrix[Any], r: Any) -> Matrix[Any]:
    """e^{-rA} beside φ_1(+rA)."""
    m, ring = A.shape[0], A.ring
    rows = zip(augmented_matrix(A, r).rows, augmented_matrix(A, -r).rows, strict=True)
    return Matrix(ring, [[*first[:m], *second[m:]] for first, second in rows])


def response_without_identity(Abar: Matrix[Any], Bbar: Matrix[Any]) -> Matrix[Any]:
    """-Abar^{-1} Bbar."""
    return -(Abar.inverse() @ Bbar)


augmented_matrix = augmented
HERE = "proofs_checks.depth_one_recurrence"

STATEMENT = Statement(
    title="At depth one the EWS is the recurrence of a state-space model",
    claim=r"S_j = e^{-\Delta\theta_j A} S_{j-1} + \varphi_1(-\Delta\theta_j A)\, B\, \Delta X_j, \qquad"
    r" \varphi_1(z) = \frac{e^z - 1}{z}; \qquad e^{-A} = \bar A, \quad \varphi_1(-A) B = \bar B",
    section="Appendix E, (42)–(44), (7)–(9)",
    method="exact on draws",
    leaves_out="Paths that are not piecewise linear; generators whose spectrum leaves Q(i), but for three families "
    "with free parameters. The lift of a recurrence is checked in balls, for symmetric transitions (the models have "
    "statements of their own).",
    covers=("Appendix E: the depth-one recurrence",),
    code=("ewsmath.EWS", "ewsmath.ssm.match"),
    no_depth="It is the statement about depth one.",
    mutants=(
        Mutant("the local term without φ_1", f"{HERE}:moved", without_phi_1, keeps_depth_one=False),
        Mutant("e^(-rA) in the place of φ_1(-rA)", f"{HERE}:integral", at_the_end, keeps_depth_one=False),
        Mutant("wrong sign of the generator", f"{HERE}:augmented", growing, keeps_depth_one=False),
        Mutant("wrong sign within φ_1 alone", f"{HERE}:augmented", phi_1_of_the_opposite, keeps_depth_one=False),
        Mutant(
            "the input map as the lift", "ewsmath.ssm.match:lift", recurrences.input_map_for_lift, keeps_depth_one=False
        ),
        Mutant("h_∞ without the identity", f"{HERE}:steady_state", response_without_identity, keeps_depth_one=False),
    ),
)
