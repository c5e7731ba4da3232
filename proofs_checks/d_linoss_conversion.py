"""D-LinOSS is an EWS of depth one: damped oscillators, whose stiffness is kept where they oscillate."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, Matrix
from ewsmath.rings import Ball, WorkingPrecision
from ewsmath.spectrum import exponential
from ewsmath.ssm import Conversion, DLinOSS, LinOSS, oscillator
from ewsmath.ssm.oscillator import Block
from proofs_checks.agreement import at_most, differ
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
    linear,
    pi,
    read,
    root,
    sigmoid,
    small,
)
from proofs_checks.statement import Mutant, Statement


def step(scheme: str, A: Any, G: Any, d: Any, z: Any, y: Any, force: Any) -> tuple[Any, Any]:
    """One step of z' = -A y - G z + force, y' = z, with old or new values on the right.

    New are: all (DampedIM); z in the damping and in y' (DampedIMEX1); z in y' (DampedIMEX2); none (DampedEX).
    """
    if scheme in ("DampedIM", "DampedIMEX1"):
        moved = (z + d * (force - A * y)) / (1 + d * G + (d * d * A if scheme == "DampedIM" else 0))
    else:
        moved = z + d * (force - A * y - G * z)
    return moved, y + d * (z if scheme == "DampedEX" else moved)


def matrices(scheme: str, A: Any, G: Any, d: Any) -> tuple[Matrix[Ball], list[Ball]]:
    """The matrix of a step and what a unit force adds, from the images of the three unit vectors."""
    A, G, d = (C.coerce(x) for x in (A, G, d))
    (p, r), (q, s), drive = (
        step(scheme, A, G, d, *(C.coerce(x) for x in e)) for e in ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    )
    return Matrix(C, [[p, q], [r, s]]), list(drive)


def run(blocks: list[tuple[Matrix[Ball], list[Ball]]], B: Any, weights: Any, D: Any, inputs: Any) -> Run:
    """The oscillators, state (z_1, …, z_P, y_1, …, y_P), with y_out = Re(C y) + D u."""
    P = len(blocks)
    rows = [[C.zero] * (2 * P) for _ in range(2 * P)]
    for k, (block, _) in enumerate(blocks):
        for i in range(2):
            for j in range(2):
                rows[k + i * P][k + j * P] = block[i, j]
    drive = [[blocks[k][1][i] * complex_number(b) for b in B[k]] for i in range(2) for k in range(P)]
    readout = [[C.zero] * P + [complex_number(c) for c in row] for row in weights]
    return read(Matrix(C, readout), D, inputs, linear(Matrix(C, rows), Matrix(C, drive), inputs))


def clamped(A: Any, G: Any, d: Ball) -> Ball:
    """The stiffness between ((√S - 1)/d)² and ((√S + 1)/d)², S = 1 + dG."""
    A, s = R.coerce(A), root(1 + d * R.coerce(G))
    low, high = ((s - 1) / d) * ((s - 1) / d), ((s + 1) / d) * ((s + 1) / d)
    if A.value < low.value:
        return low
    return high if A.value > high.value else A


@given(st.data())
def check_release(data: st.DataObject) -> None:
    """The release, with its clamped stiffness: below, between and above the bounds."""
    P, H = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    stored = st.sampled_from([QQ.coerce(x) for x in (1, 0, 4, 300, -1)])
    A_diag, G_diag, dt = data.draw(arrays(stored, P)), data.draw(arrays(small, P)), data.draw(arrays(small, P))
    B, weights = data.draw(arrays(small, P, H, 2)), data.draw(arrays(small, H, P, 2))
    D, inputs = data.draw(arrays(small, H)), data.draw(arrays(small, 2, H))
    blocks = []
    for A, G, x in zip(A_diag, G_diag, dt, strict=True):
        G, d = max(G, QQ.zero), sigmoid(x)
        blocks.append(matrices("DampedIMEX1", clamped(A, G, d), G, d))
    follows(DLinOSS(A_diag, G_diag, dt, B, weights, D), inputs, run(blocks, B, weights, D, inputs))


@given(st.data())
def check_other_schemes(data: st.DataObject) -> None:
    """The four schemes of the release, with rational parameters and without bounds."""
    scheme = data.draw(st.sampled_from(["DampedIM", "DampedIMEX1", "DampedIMEX2", "DampedEX"]))
    A, G = data.draw(st.sampled_from([1, 0, 5])), data.draw(st.sampled_from([QQ.zero, QQ.one, QQ.ratio(1, 2)]))
    d, inputs = data.draw(st.sampled_from([QQ.ratio(1, 2), QQ.ratio(2, 3)])), data.draw(arrays(small, 2, 1))
    model = LinOSS([A], [d], [[1]], [[1]], damping=[G], discretisation=scheme)
    follows(model, inputs, run([matrices(scheme, A, G, d)], [[[1, 0]]], [[[1, 0]]], [0], inputs))


@given(st.data())
def check_spectrum_of_table_3(data: st.DataObject) -> None:
    """Damping log(1 + dG)/2 and angle φ = arccos((2 + dG - d²A)/(2√(1 + dG))); π - φ in the doubled form, cos φ < 0."""
    A, G, d = (QQ.coerce(data.draw(st.sampled_from(x))) for x in ([1, 2, 3], [1, 2], [QQ.ratio(1, 2), 1]))
    model = LinOSS([A], [d], [[1]], [[1]], damping=[G], discretisation="DampedIMEX1")
    M = Conversion(model, R).generator.matrix
    a = (M[0, 0] + M[1, 1]) / 2
    angle = root(M[0, 0] * M[1, 1] - M[0, 1] * M[1, 0] - a * a)
    cosine = R.coerce(2 + d * G - d * d * A) / (2 * root(1 + d * G))
    with WorkingPrecision(PREC):
        damping, phi = Ball(R, (1 + d * R.coerce(G).value).log() / 2), Ball(R, cosine.value.acos())
    at_most((a - damping).abs_upper(), ERROR, "the damping, less log(1 + dG)/2")
    expected = pi() - phi if cosine.value < 0 else phi
    at_most((angle - expected).abs_upper(), ERROR, "the angle, less that of Table 3")


@given(st.data())
def check_continuous_block_is_not_the_generator(data: st.DataObject) -> None:
    """The continuous block is not the generator: e^{-d[[G, A], [-1, 0]]} ≠ Abar, but T e^{-A} = Abar T for ours."""
    A, G, d = (QQ.coerce(data.draw(st.sampled_from(x))) for x in ([1, 2], [0, 1], [QQ.ratio(1, 2), 1]))
    read_off = exponential(Matrix(C, [[-G, -A], [1, 0]]) * d)
    differ(read_off, transition_of_a_step(A, G, d), "e^(-dA_k) and Abar")
    model = LinOSS([A], [d], [[1]], [[1]], damping=[G], discretisation="DampedIMEX1")
    found = Conversion(model, R)
    [T] = [M for M in (found.coordinates,) if M is not None]
    flow = Matrix.over(C, exponential(-found.generator.matrix))
    is_close(T @ flow, matrices("DampedIMEX1", A, G, d)[0] @ T, "T e^(-A) and Abar T")


def transition_of_a_step(A: Any, G: Any, d: Any) -> Matrix[Ball]:
    """Abar of DampedIMEX1."""
    return matrices("DampedIMEX1", A, G, d)[0]


def exact_flow(A: Any, G: Any, d: Any) -> Matrix[Ball]:
    """e^{-d[[G, A], [-1, 0]]}, what a scheme without any error would do."""
    return exponential(Matrix(C, [[-G, -A], [1, 0]]) * d)


def unclamped(model: DLinOSS, ring: Any, k: int) -> Block:
    """The stiffness as it is stored, but not below 0."""
    A = ring.coerce(QQ.maximum(model.A_diag[k], QQ.zero))
    return oscillator.damped_imex1(ring, A, ring.coerce(model.G_diag[k]), sigmoid(model.dt[k]))


def undamped(model: DLinOSS, ring: Any, k: int) -> Block:
    """The block without damping, the stiffness clamped as with it."""
    A = clamped(model.A_diag[k], model.G_diag[k], sigmoid(model.dt[k]))
    return oscillator.damped_imex1(ring, A, ring.zero, sigmoid(model.dt[k]))


def no_turn(ring: Any) -> Any:
    """0 where π belongs: the doubled form without its half turn."""
    return ring.zero


def twice_the_logarithm(ring: Any, z: Any) -> Any:
    """2 log ρ = log det Abar where log ρ belongs."""
    return 2 * logarithm(ring, z)


def angle_of_the_wrong_side(ring: Any, c: Any) -> Any:
    """(π - φ)/sin φ where φ/sin φ belongs."""
    return arc_ratio(ring, -c) if c != 1 else arc_ratio(ring, c)


logarithm, arc_ratio = oscillator.logarithm, oscillator.arc_ratio
HERE = "proofs_checks.d_linoss_conversion"

STATEMENT = Statement(
    title="D-LinOSS is an EWS of depth one",
    claim=r"(1+dG) z_1 = z + d(f - Ay), \quad y_1 = y + d z_1, \quad"
    r" A \text{ in } \Big[\big(\tfrac{\sqrt{1+dG}-1}{d}\big)^2, \big(\tfrac{\sqrt{1+dG}+1}{d}\big)^2\Big]: \qquad"
    r" \log\bar A \text{ has spectrum } -\tfrac12\log(1+dG) \pm i\arccos\frac{2+dG-d^2A}{2\sqrt{1+dG}}",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="More than two oscillators or channels, and longer inputs; steps d below 1/1000, where the release "
    "moves the bounds of the stiffness. The distance is certified below 10^-25 in balls of 128 bits. That the "
    "block of the continuous oscillator is no generator is checked at eight points.",
    covers=("Table 3: D-LinOSS",),
    code=("ewsmath.ssm.DLinOSS", "ewsmath.ssm.LinOSS", "ewsmath.ssm.Conversion"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("stiffness not clamped", "ewsmath.ssm.linoss:DLinOSS.block", unclamped, False),
        Mutant("damping forgotten", "ewsmath.ssm.linoss:DLinOSS.block", undamped, False),
        Mutant("doubled form without its half turn", "ewsmath.ssm.linoss:pi", no_turn, False),
        Mutant("decay log det for half of it", "ewsmath.ssm.oscillator:logarithm", twice_the_logarithm, False),
        Mutant("π - φ for φ", "ewsmath.ssm.oscillator:arc_ratio", angle_of_the_wrong_side, False),
        Mutant("a scheme without error", f"{HERE}:transition_of_a_step", exact_flow, False),
    ),
)
