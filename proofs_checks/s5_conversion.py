"""S5 is an EWS of depth one: one diagonal model that all channels feed, with clipped eigenvalues and rescaled steps."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix
from ewsmath.rings import Ball
from ewsmath.ssm import S5, Conversion
from ewsmath.ssm.diagonal import AbstractDiagonal, AbstractDiscretised
from ewsmath.ssm.model import Reading
from proofs_checks import recurrences
from proofs_checks.recurrences import C, I, R, arrays, complex_number, exp, follows, is_close, linear, read, small
from proofs_checks.statement import Mutant, Statement


def recurrence(z: Ball, step: Ball, discretisation: str) -> tuple[Ball, Ball]:
    """The factor of the state and that of B, for z = Δλ."""
    if discretisation == "bilinear":
        return (1 + z / 2) / (1 - z / 2), step / (1 - z / 2)
    return exp(z), step * (exp(z) - 1) / z if z else step


@given(st.data())
def check_release(data: st.DataObject) -> None:
    """Every option of the release: conjugate modes, clipped eigenvalues, rescaled steps, both discretisations."""
    P, H = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    real, imag = data.draw(arrays(small, P)), data.draw(arrays(small, P))
    log_step = data.draw(arrays(small.filter(bool), P, 1))  # then Δλ, which is not rational, is not ±2
    B, weights, D = data.draw(arrays(small, P, H, 2)), data.draw(arrays(small, H, P, 2)), data.draw(arrays(small, H))
    inputs, discretisation = data.draw(arrays(small, 2, H)), data.draw(st.sampled_from(["zoh", "bilinear"]))
    conj_sym, clip_eigs, rescale = data.draw(st.booleans()), data.draw(st.booleans()), data.draw(st.integers(1, 2))
    limit = QQ.ratio(-1, 10**4)
    factors, blocks = [], []
    for x, y, [log] in zip(real, imag, log_step, strict=True):
        eigenvalue, step = C.coerce(min(x, limit) if clip_eigs else x) + I * y, rescale * exp(log) / 2
        factors.append(recurrence(step * eigenvalue, step, discretisation))
        gamma, omega = -eigenvalue.real, eigenvalue.imag
        blocks.append(Matrix(R, [[gamma, omega], [-omega, gamma]]).scaled(step.real))
    model = S5.from_release(
        real, imag, B, weights, D, log_step,
        conj_sym=conj_sym, clip_eigs=clip_eigs, step_rescale=QQ.ratio(rescale, 2), discretisation=discretisation,
    )  # fmt: skip
    rows = [[f * complex_number(b) for b in row] for (_, f), row in zip(factors, B, strict=True)]
    states = linear(Matrix.diagonal(C, [factor for factor, _ in factors]), Matrix(C, rows), inputs)
    kappa = 2 if conj_sym else 1
    follows(
        model, inputs, read(Matrix(C, [[kappa * complex_number(z) for z in row] for row in weights]), D, inputs, states)
    )
    if discretisation == "zoh":
        expected = Matrix.block_diagonal(R, blocks)
        is_close(Conversion(model, R).generator.matrix, expected, "the generator and Δ[[γ, ω], [-ω, γ]]")


def not_clipped(*arrays: Any, **options: Any) -> S5:
    """Eigenvalues as they are stored."""
    return from_release(*arrays, **{**options, "clip_eigs": False})


def not_rescaled(*arrays: Any, **options: Any) -> S5:
    """Steps as they are stored."""
    return from_release(*arrays, **{**options, "step_rescale": 1})


def always_doubled(model: AbstractDiagonal, ring: Any) -> Reading:
    """2 Re(C h), also where all modes are stored."""
    return Reading(Matrix(C, model.C) * 2, model.D)


def first_order_lift(model: AbstractDiscretised, ring: Any, k: int) -> tuple[Any, Any]:
    """The lift Δ(1 + z/2), as if Δ were the factor of the input map: the quotient by φ_1 cut off."""
    alpha, factor = ews_factors(model, ring, k)
    return alpha, factor * (1 + model._at(ring, k)[2] / 2)


def real_logarithm(model: AbstractDiscretised, ring: Any, k: int) -> tuple[Any, Any]:
    """The exponent without its imaginary part: e^{-α} = |Abar|."""
    alpha, factor = ews_factors(model, ring, k)
    return C.coerce(alpha.real), factor


from_release = S5.from_release
ews_factors = AbstractDiscretised.ews_factors
FACTORS = "ewsmath.ssm.diagonal:AbstractDiscretised.ews_factors"

STATEMENT = Statement(
    title="S5 is an EWS of depth one",
    claim=r"h_k \gets e^{\Delta_k\lambda_k} h_k + \Delta_k\varphi_1(\Delta_k\lambda_k) B_k u, \quad"
    r" y = \kappa\,\mathrm{Re}(Ch) + Du: \qquad \alpha_k = -\Delta_k\lambda_k, \quad \text{lift } \Delta_k B_k;"
    r" \qquad \text{bilinear: } \alpha_k = -2\,\mathrm{artanh}(\Delta_k\lambda_k/2), \quad"
    r" \text{lift } -(\alpha_k/\lambda_k) B_k",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="Models with more than two modes or channels, longer inputs, and the layers around the recurrence. The "
    "distance is certified below 10^-25 in balls of 128 bits.",
    covers=("Table 3: S5",),
    code=("ewsmath.ssm.S5", "ewsmath.ssm.Conversion"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("eigenvalues not clipped", "ewsmath.ssm:S5.from_release", not_clipped, False),
        Mutant("steps not rescaled", "ewsmath.ssm:S5.from_release", not_rescaled, False),
        Mutant("output factor 2 for all modes", "ewsmath.ssm.diagonal:AbstractDiagonal.readout", always_doubled, False),
        Mutant("quotient by φ_1 cut off", FACTORS, first_order_lift, False),
        Mutant("exponent without its imaginary part", FACTORS, real_logarithm, False),
        Mutant("conjugate generator", "ewsmath.ssm.diagonal:imag_part", recurrences.opposite_imaginary_part, False),
    ),
)
