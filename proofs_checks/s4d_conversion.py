"""S4D is an EWS of depth one: a rotation block for each mode, in both released parametrisations."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix
from ewsmath.rings import Ball
from ewsmath.ssm import FRACTIONS, S4D, Conversion, numbers
from ewsmath.ssm.diagonal import AbstractDiagonal, AbstractDiscretised
from ewsmath.ssm.model import Reading
from proofs_checks import recurrences
from proofs_checks.agreement import agree
from proofs_checks.recurrences import C, I, R, Run, arrays, complex_number, exp, follows, is_close, linear, read, small
from proofs_checks.statement import Mutant, Statement


def recurrence(a: Ball, step: Ball, b: Ball, discretisation: str) -> tuple[Ball, Ball]:
    """The factor of the state and that of the input of one mode."""
    if discretisation == "zoh":
        return exp(step * a), (exp(step * a) - 1) / a * b
    return (1 + step * a / 2) / (1 - step * a / 2), step / (1 - step * a / 2) * b


def run(modes: list[list[tuple[Ball, Ball]]], weights: list[list[Ball]], D: list[Any], inputs: list[Any]) -> Run:
    """The channels, each with modes of its own, from the factors of each mode: y = 2 Re(C h) + D u."""
    H, N = len(modes), len(modes[0])
    Abar = Matrix.diagonal(C, [factor for channel in modes for factor, _ in channel])
    Bbar = [[w if i == c else C.zero for i in range(H)] for c, channel in enumerate(modes) for _, w in channel]
    rows = [[2 * weights[c][n] if i == c else C.zero for i in range(H) for n in range(N)] for c in range(H)]
    return read(Matrix(C, rows), D, inputs, linear(Abar, Matrix(C, Bbar), inputs))


@given(st.data())
def check_minimal_release(data: st.DataObject) -> None:
    """The short release: a = -exp(log_A_real) + i A_imag, b = 1, zero-order hold; and its generator in Table 3."""
    H, N = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    log_dt, D = data.draw(arrays(small, H)), data.draw(arrays(small, H))
    log_A_real, A_imag = data.draw(arrays(small, H, N)), data.draw(arrays(small, H, N))
    weights, inputs = data.draw(arrays(small, H, N, 2)), data.draw(arrays(small, 2, H))
    modes, blocks = [], []
    for c in range(H):
        step = exp(log_dt[c])
        eigenvalues = [-exp(x) + I * y for x, y in zip(log_A_real[c], A_imag[c], strict=True)]
        modes.append([recurrence(a, step, C.one, "zoh") for a in eigenvalues])
        for a in eigenvalues:
            gamma, omega = -a.real, a.imag
            blocks.append(Matrix(R, [[gamma, omega], [-omega, gamma]]).scaled(step.real))
    model = S4D.from_minimal_release(log_dt, log_A_real, A_imag, weights, D)
    follows(model, inputs, run(modes, [[complex_number(z) for z in row] for row in weights], D, inputs))
    expected = Matrix.block_diagonal(R, blocks)
    is_close(Conversion(model, R).generator.matrix, expected, "the generator and Δ[[γ, ω], [-ω, γ]]")


@given(st.data())
def check_kernel_of_the_full_release(data: st.DataObject) -> None:
    """The full release: a = -exp(A_real) - i A_imag, any b, zero-order hold or bilinear; one copy for two channels."""
    H, N = 2, data.draw(st.integers(1, 2))
    inv_dt, D = data.draw(arrays(small, H, 1)), data.draw(arrays(small, H))
    A_real, A_imag = data.draw(arrays(small, 1, N)), data.draw(arrays(small, 1, N))
    B, weights = data.draw(arrays(small, 1, 1, N, 2)), data.draw(arrays(small, 1, H, N, 2))
    inputs, discretisation = data.draw(arrays(small, 2, H)), data.draw(st.sampled_from(["zoh", "bilinear"]))
    eigenvalues = [-exp(x) - I * y for x, y in zip(A_real[0], A_imag[0], strict=True)]
    b = [complex_number(z) for z in B[0][0]]
    modes = [
        [recurrence(a, exp(row[0]), z, discretisation) for a, z in zip(eigenvalues, b, strict=True)] for row in inv_dt
    ]
    model = S4D.from_release(inv_dt, A_real, A_imag, B, weights, D, disc=discretisation)
    follows(model, inputs, run(modes, [[complex_number(z) for z in row] for row in weights[0]], D, inputs))


@given(st.data())
def check_exactly(data: st.DataObject) -> None:
    """One mode with rational a = -γ + iω and Δ, zero-order hold: the states are equal in Frac(EE), by ==."""
    gamma, omega = data.draw(small) + 3, data.draw(small)
    step, inputs = abs(data.draw(small)) + QQ.ratio(1, 2), data.draw(arrays(small, 2, 1))
    i = FRACTIONS.coerce(recurrences.QQ_I.i)
    a = i * omega - gamma
    decay = FRACTIONS.exp(a * step)
    first = (decay - 1) / a * inputs[0][0]
    second = decay * first + (decay - 1) / a * inputs[1][0]
    found = Conversion(S4D([[a]], [step], [[1]], [[1]]), FRACTIONS).run(inputs)
    agree(found.states, [[first], [second]], "the states of the EWS, and e^{Δa} h + a^{-1}(e^{Δa} - 1) u")


def conjugate_eigenvalues(decays: Any, frequencies: Any, transforms: Any, sign: int, what: str) -> Any:
    """-f(decay) ∓ i g(frequency)."""
    return stored_eigenvalues(decays, frequencies, transforms, -sign, what)


def exponential_frequencies(decays: Any, frequencies: Any, transforms: Any, sign: int, what: str) -> Any:
    """-exp(decay) ± i exp(frequency)."""
    return stored_eigenvalues(decays, frequencies, ("exp", "exp"), sign, what)


def undoubled_readout(model: AbstractDiagonal, ring: Any) -> Reading:
    """Re(C h) where 2 Re(C h) belongs."""
    return Reading(Matrix(C, model.C), model.D)


def input_map_for_lift(model: AbstractDiscretised, ring: Any, k: int) -> tuple[Any, Any]:
    """The lift f = Δ φ_1(Δa) where Δ belongs: φ_1 is applied twice."""
    return ews_factors(model, ring, k)[0], model.recurrence_factors(ring, k)[1]


def step_forgotten(model: AbstractDiscretised, ring: Any, k: int) -> tuple[Any, Any]:
    """The lift 1 where Δ belongs."""
    alpha, factor = ews_factors(model, ring, k)
    return alpha, factor / model._at(ring, k)[1]


def held_exponent(model: AbstractDiscretised, ring: Any, k: int) -> tuple[Any, Any]:
    """The generator and lift of the zero-order hold for both discretisations."""
    _, step, z = model._at(ring, k)
    return -z, step


stored_eigenvalues = numbers.stored_eigenvalues
ews_factors = AbstractDiscretised.ews_factors
FACTORS = "ewsmath.ssm.diagonal:AbstractDiscretised.ews_factors"

STATEMENT = Statement(
    title="S4D is an EWS of depth one",
    claim=r"h \gets e^{\Delta a} h + a^{-1}(e^{\Delta a} - 1) b\,u, \quad y = 2\,\mathrm{Re}(Ch) + Du:\qquad"
    r" A = \Delta \begin{pmatrix} \gamma & \omega \\ -\omega & \gamma \end{pmatrix}, \quad a = -\gamma + i\omega,"
    r" \qquad B = \Delta b; \qquad \text{bilinear: } \alpha = -2\,\mathrm{artanh}(\Delta a/2),\quad B = -(\alpha/a) b",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="Models with more than two channels or modes, longer inputs, the transforms softplus, sinh and relu of "
    "stored parameters. The distance is certified below 10^-25 in balls of 128 bits; with rational parameters it is 0.",
    covers=("Table 3: S4D",),
    code=("ewsmath.ssm.S4D", "ewsmath.ssm.Conversion"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("conjugate eigenvalues", "ewsmath.ssm.s4d:stored_eigenvalues", conjugate_eigenvalues, False),
        Mutant("exp of the imaginary part", "ewsmath.ssm.s4d:stored_eigenvalues", exponential_frequencies, False),
        Mutant(
            "read-out without its factor 2", "ewsmath.ssm.diagonal:AbstractDiagonal.readout", undoubled_readout, False
        ),
        Mutant(
            "generator conjugated, lift not",
            "ewsmath.ssm.diagonal:imag_part",
            recurrences.opposite_imaginary_part,
            False,
        ),
        Mutant("φ_1 applied twice", FACTORS, input_map_for_lift, False),
        Mutant("φ_1 forgotten", "ewsmath.ssm.conversion:_stream", recurrences.stream_without_phi_1, False),
        Mutant("step forgotten in the lift", FACTORS, step_forgotten, False),
        Mutant("generator of the zero-order hold for the bilinear one", FACTORS, held_exponent, False),
    ),
)
