"""LinOSS is an EWS of depth one: an implicit or half-explicit step of an oscillator is a damped or a plain rotation."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Matrix
from ewsmath.rings import Ball, WorkingPrecision
from ewsmath.ssm import Conversion, LinOSS, oscillator
from ewsmath.ssm.model import Reading
from ewsmath.ssm.oscillator import Block, Shifted
from proofs_checks import recurrences
from proofs_checks.agreement import agree, at_most
from proofs_checks.recurrences import (
    ERROR,
    PREC,
    C,
    R,
    Run,
    arrays,
    complex_number,
    follows,
    is_close,
    root,
    sigmoid,
    small,
)
from proofs_checks.statement import Mutant, Statement


def oscillate(scheme: str, A: Any, d: Any, z: Any, y: Any, force: Any) -> tuple[Any, Any]:
    """One step of z' = -A y + force, y' = z: the new y enters the force (IM), or the old one (IMEX).

    z₁ = z + d(-A y₁ + force) and y₁ = y + d z₁, solved for z₁; or z₁ = z + d(-A y + force) and y₁ = y + d z₁.
    """
    moved = z + d * (force - A * y)
    if scheme == "IM":
        moved = moved / (1 + d * d * A)
    return moved, y + d * moved


def run(scheme: str, A: list[Ball], d: list[Ball], B: Any, weights: Any, D: Any, inputs: Any) -> Run:
    """The oscillators side by side, state (z_1, …, z_P, y_1, …, y_P), with y_out = Re(C y) + D u."""
    P = len(A)
    z, y, states, outputs = [C.zero] * P, [C.zero] * P, [], []
    for u in inputs:
        for k in range(P):
            force = sum((complex_number(b) * x for b, x in zip(B[k], u, strict=True)), C.zero)
            z[k], y[k] = oscillate(scheme, C.coerce(A[k]), C.coerce(d[k]), z[k], y[k], force)
        states.append([*z, *y])
        read = [sum((complex_number(c) * x for c, x in zip(row, y, strict=True)), C.zero).real for row in weights]
        outputs.append([x + R.coerce(s) * R.coerce(v) for x, s, v in zip(read, D, u, strict=True)])
    return Run(states, outputs)


@given(st.data())
def check_release(data: st.DataObject) -> None:
    """The release, with A = relu(A_diag) and d = sigmoid(steps), A = 0 among them; both schemes."""
    P, H = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    A_diag, steps, D = data.draw(arrays(small, P)), data.draw(arrays(small, P)), data.draw(arrays(small, H))
    B, weights = data.draw(arrays(small, P, H, 2)), data.draw(arrays(small, H, P, 2))
    inputs, scheme = data.draw(arrays(small, 2, H)), data.draw(st.sampled_from(["IM", "IMEX"]))
    A, d = [R.coerce(max(x, QQ.zero)) for x in A_diag], [sigmoid(x) for x in steps]
    model = LinOSS.from_release(A_diag, steps, B, weights, D, discretisation=scheme)
    follows(model, inputs, run(scheme, A, d, B, weights, D, inputs))


def damping_and_angle(model: LinOSS) -> tuple[Ball, Ball]:
    """The eigenvalues a ± iφ of the first block of the generator, from its trace and determinant."""
    M = Conversion(model, R).generator.matrix
    a = (M[0, 0] + M[1, 1]) / 2
    return a, root(M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0] - a * a)


@given(st.data())
def check_spectrum_of_table_3(data: st.DataObject) -> None:
    """IM: damping log(1 + d²A)/2 and angle ψ = arctan(d√A); IMEX: no damping, and angle 2 arcsin(d√A/2)."""
    A, d = data.draw(st.sampled_from([1, 2, 3])), data.draw(st.sampled_from([QQ.ratio(1, 2), QQ.one, QQ.ratio(1, 3)]))
    with WorkingPrecision(PREC):
        x = d * root(A).value
        implicit, plain = (1 + x * x).log() / 2, 2 * (x / 2).asin()
        expected = {"IM": (Ball(R, implicit), Ball(R, x.atan())), "IMEX": (R.zero, Ball(R, plain))}
    for scheme, pair in expected.items():
        model = LinOSS([A], [d], [[1]], [[1]], discretisation=scheme)
        if scheme == "IMEX" and 2 - d * d * A < 0:
            continue  # beyond a quarter turn the doubled form is taken
        for found, known, what in zip(damping_and_angle(model), pair, ("damping", "angle"), strict=True):
            at_most((found - known).abs_upper(), ERROR, f"the {what} of {scheme}, less that of Table 3")


@given(st.data())
def check_steady_state(data: st.DataObject) -> None:
    """A unit force rests at (z, y) = (0, 1/A): in the recurrence exactly, and T A^{-1} L = (0, 1/A) for the lift."""
    A, d = data.draw(st.sampled_from([QQ.one, QQ.ratio(3, 2)])), data.draw(st.sampled_from([QQ.one, QQ.ratio(1, 3)]))
    scheme = data.draw(st.sampled_from(["IM", "IMEX"]))
    agree(oscillate(scheme, A, d, QQ.zero, 1 / A, QQ.one), (QQ.zero, 1 / A), "(0, 1/A) a step later, and (0, 1/A)")
    found = Conversion(LinOSS([A], [d], [[1]], [[1]], discretisation=scheme), R)
    rest = found.generator.matrix.inverse() @ found.lift
    [T] = [M for M in (found.coordinates,) if M is not None]
    is_close(T @ Matrix.over(C, rest), Matrix.column(C, [0, 1 / A]), "T A^(-1) L and (0, 1/A)")


def turn_of_another_angle(ring: Any, c: Any) -> Any:
    """φ for φ/sin φ."""
    return arc_ratio(ring, c) * root(1 - c * c)


def undamped(block: Block, real: bool) -> Shifted:
    """The generator without -log ρ on its diagonal."""
    (_, q), (r, _) = shifted_logarithm(block, real).generator.rows
    return shifted_logarithm(block, real)._replace(generator=Matrix(R, [[R.zero, q], [r, R.zero]]))


def explicit(ring: Any, A: Any, G: Any, d: Any) -> Block:
    """Both old: z + d(-A y + f) and y + d z."""
    return Block(Matrix(ring, [[1, -d * A], [d, 1]]), (d, ring.zero))


def explicit_in_both_schemes(model: LinOSS, ring: Any, k: int) -> Block:
    """The explicit scheme in the place of the two."""
    return explicit(ring, *(ring.coerce(x[k]) for x in (model.stiffness, model.damping, model.step)))


def step_as_stored(x: Any) -> Any:
    """e^x where 1/(1 + e^{-x}) belongs."""
    return EE.exp(EE.coerce(x))


def readout_of_velocities(model: LinOSS, ring: Any) -> Reading:
    """Re(C z) where Re(C y) belongs."""
    return Reading(Matrix(C, [list(row) + [0] * model.modes for row in model.C]), model.D)


arc_ratio, shifted_logarithm = oscillator.arc_ratio, oscillator.shifted_logarithm

STATEMENT = Statement(
    title="LinOSS is an EWS of depth one",
    claim=r"\text{IM: } \log\bar A \text{ has spectrum } -\tfrac12\log(1+d^2A) \pm i\arctan(d\sqrt A); \qquad"
    r" \text{IMEX: } \pm 2i\arcsin(d\sqrt A/2); \qquad e^{-A_k} = \bar A_k, \quad \text{lift } A_k (0, 1/A)^\top b",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="More than two oscillators or channels, and longer inputs. The distance is certified below 10^-25 in "
    "balls of 128 bits. The spectrum of IMEX is not in Table 3. The edges have a statement of their own.",
    covers=("Table 3: LinOSS-IM and LinOSS-IMEX",),
    code=("ewsmath.ssm.LinOSS", "ewsmath.ssm.Conversion"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("φ for φ/sin φ", "ewsmath.ssm.oscillator:arc_ratio", turn_of_another_angle, False),
        Mutant("generator without damping", "ewsmath.ssm.linoss:shifted_logarithm", undamped, False),
        Mutant("shift of the basis forgotten", "ewsmath.ssm.linoss:shifted_logarithm", recurrences.not_shifted, False),
        Mutant("explicit scheme", "ewsmath.ssm.linoss:LinOSS.block", explicit_in_both_schemes, False),
        Mutant("e^x for the logistic function", "ewsmath.ssm.linoss:sigmoid", step_as_stored, False),
        Mutant("velocities read for positions", "ewsmath.ssm.linoss:LinOSS.readout", readout_of_velocities, False),
    ),
)
