"""S4 is an EWS of depth one: the generator is an inverse hyperbolic tangent of its diagonal plus low-rank matrix."""

from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import Balls, ComplexBalls, Matrix
from ewsmath.rings import Ball, Ring
from ewsmath.spectrum import exponential
from ewsmath.ssm import S4, Conversion
from ewsmath.ssm.model import Reading
from ewsmath.ssm.realification import stacked
from proofs_checks import recurrences
from proofs_checks.recurrences import C, I, arrays, complex_number, exp, follows, is_close, linear, read, small
from proofs_checks.statement import Mutant, Statement

PRECISE = 256
"""Bits for the conversion, whose eigenvalues may coincide."""


def conjugate(z: Ball) -> Ball:
    """The conjugate of a complex ball."""
    return C.coerce(z.real) - I * C.coerce(z.imag)


def extended(vector: list[Ball]) -> list[Ball]:
    """(v, v̄)."""
    return vector + [conjugate(z) for z in vector]


def continuous(eigenvalues: list[Ball], vectors: list[list[Ball]]) -> Matrix[Ball]:
    """diag(Λ) - Σ P_r P_r^*, on the state (h, h̄)."""
    A = Matrix.diagonal(C, extended(eigenvalues))
    for vector in vectors:
        p = extended(vector)
        A = A - Matrix.column(C, p) @ Matrix(C, [[conjugate(z) for z in p]])
    return A


def bilinear(A: Matrix[Ball], step: Ball, B: list[Ball]) -> tuple[Matrix[Ball], Matrix[Ball]]:
    """(I - ΔA/2)^{-1}(I + ΔA/2) and (I - ΔA/2)^{-1} ΔB."""
    unit, half = Matrix.identity(C, A.shape[0]), A.scaled(step / 2)
    inverse = (unit - half).inverse()
    return inverse @ (unit + half), (inverse @ Matrix.column(C, B)).scaled(step)


class Release(NamedTuple):
    """A channel of the release: the model, inputs, and what its recurrence is made of."""

    model: S4
    inputs: Any
    A: Matrix[Ball]
    step: Ball
    B: list[Ball]
    C: list[Ball]
    D: Any


def drawn(data: st.DataObject, N: int, length: int = 0) -> Release:
    """A channel with N modes and a low rank of one, with C or C̃ stored."""
    # The steps are e and 1/e, so that no ΔA, whose entries are e^q and rationals, has the eigenvalue 2 or -2.
    inv_dt = data.draw(st.sampled_from([-1, 1]))
    A_real, A_imag = data.draw(arrays(small, N)), [data.draw(st.sampled_from([1, 2])) + 2 * n for n in range(N)]
    B, P, weights = (data.draw(arrays(small, N, 2)) for _ in range(3))
    D, inputs = data.draw(small), data.draw(arrays(small, 2, 1))
    model = S4.from_release([[inv_dt]], [A_real], [A_imag], [[B]], [[P]], [[weights]], [D], l_kernel=length)
    eigenvalues = [-exp(x) - I * y for x, y in zip(A_real, A_imag, strict=True)]
    A = continuous(eigenvalues, [[complex_number(z) for z in P]])
    B, weights = (extended([complex_number(z) for z in stored]) for stored in (B, weights))
    return Release(model, inputs, A, exp(inv_dt), B, weights, D)


def recurrence_of(release: Release, C_row: Matrix[Ball]) -> None:
    """Compare the conversion with the recurrence and its read-out."""
    Abar, Bbar = bilinear(release.A, release.step, release.B)
    reference = read(C_row, [release.D], release.inputs, linear(Abar, Bbar, release.inputs))
    follows(release.model, release.inputs, reference, PRECISE)


@given(st.data())
def check_release(data: st.DataObject) -> None:
    """The recurrence on (h, h̄), with y = Re(C h + C̄ h̄) = 2 Re(C h) + D u."""
    release = drawn(data, data.draw(st.integers(1, 2)))
    recurrence_of(release, Matrix(C, [release.C]))


@given(st.data())
def check_stored_kernel_length(data: st.DataObject) -> None:
    """What is stored for a kernel of length K is C̃ = (I - Abar^K)ᵀ C."""
    K = data.draw(st.integers(1, 3))
    release = drawn(data, 1, K)
    Abar, _ = bilinear(release.A, release.step, release.B)
    power = unit = Matrix.identity(C, 2)
    for _ in range(K):
        power = power @ Abar
    recurrence_of(release, Matrix(C, [release.C]) @ (unit - power).inverse())


@given(st.data())
def check_generator_and_lift(data: st.DataObject) -> None:
    """T e^{-A} = Abar T for the coordinates h = T s; and A s_∞ is the lift for the fixed point T s_∞ = -A_c^{-1} B."""
    release = drawn(data, 1)
    found = Conversion(release.model, Balls(PRECISE))
    T, A, L = (Matrix.over(C, M) for M in (found.coordinates, found.generator.matrix, found.lift) if M is not None)
    Abar, _ = bilinear(release.A, release.step, release.B)
    is_close(T @ exponential(-A), Abar @ T, "T e^(-A) and Abar T")
    constant = release.A @ T @ A.inverse() @ L
    is_close(constant, -Matrix.column(C, release.B), "A_c T s_∞ and -B, where A s_∞ is the lift")


def without_conjugate(model: S4, ring: Ring[Any], c: int) -> tuple[Matrix[Any], Any]:
    """Diag(Λ) - P Pᵀ, halved and times Δ, in real form: p = (Re P, Im P) to the left, (Re P, -Im P) to the right."""
    half, step = continuous_half(model, ring, c)
    for vectors in model.low_rank:
        p = stacked(Matrix.column(ComplexBalls(PRECISE), vectors[c]), ring)
        twice = Matrix.column(ring, [2 * x if k % 2 else ring.zero for k, x in enumerate(p.entries)])
        half = half + (p @ twice.transpose()).scaled(step)
    return half, step


def half_of_the_low_rank(model: S4, ring: Ring[Any], c: int) -> tuple[Matrix[Any], Any]:
    """Diag(Λ) - P P^*/2, halved and times Δ."""
    half, step = continuous_half(model, ring, c)
    for vectors in model.low_rank:
        p = stacked(Matrix.column(ComplexBalls(PRECISE), vectors[c]), ring)
        half = half + (p @ p.transpose()).scaled(step * ring.ratio(1, 2))
    return half, step


def half_a_step(model: S4, ring: Ring[Any], c: int) -> tuple[Matrix[Any], Any]:
    """ΔA_c/4 where ΔA_c/2 belongs."""
    half, step = continuous_half(model, ring, c)
    return half * ring.ratio(1, 2), step


def half_of_the_readout(model: S4, ring: Ring[Any]) -> Reading:
    """Re(C h) where 2 Re(C h) belongs."""
    weights, skip = readout(model, ring)
    return Reading(weights * weights.ring.ratio(1, 2), skip)


def readout_as_stored(model: S4, ring: Ring[Any]) -> Reading:
    """C̃ in the place of C."""
    return Reading(Matrix(ComplexBalls(PRECISE), [extended_in_full(model.C[0])]), model.D)


def extended_in_full(vector: Any) -> list[Any]:
    """(v, v̄), exact."""
    return [*vector, *(z.conjugate() for z in vector)]


continuous_half = S4._continuous
readout = S4.readout

STATEMENT = Statement(
    title="S4 is an EWS of depth one",
    claim=r"\bar A = (I - \tfrac\Delta2 A_c)^{-1}(I + \tfrac\Delta2 A_c), \quad A_c = \mathrm{diag}(\Lambda) - P P^*,"
    r" \quad \bar B = (I - \tfrac\Delta2 A_c)^{-1}\Delta B: \qquad A = -2\,\mathrm{artanh}(\tfrac\Delta2 A_c)"
    r" = -\log\bar A, \quad \text{lift } -A A_c^{-1} B; \qquad \tilde C = (I - \bar A^K)^\top C",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="More than two modes (one where C̃ is stored for a length K), one channel and rank one; the "
    "initialisations of the release, which are far from normal. That the generator is the artanh is seen from "
    "e^(-A) alone, the branch being any. The distance is certified below 10^-25 in balls of 256 bits.",
    covers=("Table 3: S4",),
    code=("ewsmath.ssm.S4", "ewsmath.ssm.Conversion"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("P Pᵀ for P P^*", "ewsmath.ssm.s4:S4._continuous", without_conjugate, False),
        Mutant("half of the low rank", "ewsmath.ssm.s4:S4._continuous", half_of_the_low_rank, False),
        Mutant("half a step", "ewsmath.ssm.s4:S4._continuous", half_a_step, False),
        Mutant("the input map as the lift", "ewsmath.ssm.match:lift", recurrences.input_map_for_lift, False),
        Mutant("read-out without its factor 2", "ewsmath.ssm.s4:S4.readout", half_of_the_readout, False),
        Mutant("C̃ read as C", "ewsmath.ssm.s4:S4.readout", readout_as_stored, False),
    ),
)
