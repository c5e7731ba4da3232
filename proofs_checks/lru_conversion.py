"""The LRU is an EWS of depth one, whose exponents are stored; its frequencies are known modulo 2π only."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import Matrix
from ewsmath.generators import Rotation
from ewsmath.rings import Ball
from ewsmath.ssm import LRU, Conversion, Converted, Layer
from ewsmath.ssm.diagonal import AbstractDiagonal
from ewsmath.ssm.model import Reading
from ewsmath.strategies import rationals
from proofs_checks import recurrences
from proofs_checks.agreement import at_most
from proofs_checks.recurrences import (
    ERROR,
    C,
    I,
    R,
    Run,
    arrays,
    complex_number,
    distance,
    exp,
    follows,
    is_close,
    linear,
    pi,
    read,
    small,
)
from proofs_checks.statement import Mutant, Statement


def divided_by_phi_1(z: Ball, x: Ball) -> Ball:
    """g(z) x, where g(z) = z/(1 - e^{-z}) and Re z > 0."""
    return z / (1 - exp(-z)) * x


def part(stored: Any, which: int) -> Any:
    """The real or the imaginary parts of stored complex numbers."""
    return [[z[which] for z in row] for row in stored]


def drawn(data: st.DataObject) -> tuple[LRU, list[Any], Run, list[tuple[Ball, Ball]], Matrix[Ball]]:
    """A model, inputs, what its recurrence does on them; and ν and ϑ of its modes, and its input map."""
    P, H = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    nu_log, gamma_log = data.draw(arrays(small, P)), data.draw(arrays(small, P))
    theta_log = data.draw(arrays(rationals(max_numerator=3, max_denominator=2), P))
    B, weights, D = data.draw(arrays(small, P, H, 2)), data.draw(arrays(small, H, P, 2)), data.draw(arrays(small, H))
    inputs = data.draw(arrays(small, 2, H))
    exponents = [(exp(x).real, exp(y).real) for x, y in zip(nu_log, theta_log, strict=True)]
    Abar = Matrix.diagonal(C, [exp(-C.coerce(nu) + I * C.coerce(theta)) for nu, theta in exponents])
    Bbar = Matrix(C, [[exp(x) * complex_number(b) for b in row] for x, row in zip(gamma_log, B, strict=True)])
    readout = Matrix(C, [[complex_number(z) for z in row] for row in weights])
    model = LRU.from_release(
        nu_log, theta_log, gamma_log, part(B, 0), part(B, 1), part(weights, 0), part(weights, 1), D
    )
    return model, inputs, read(readout, D, inputs, linear(Abar, Bbar, inputs)), exponents, Bbar


@given(st.data())
def check_release(data: st.DataObject) -> None:
    """The release: Abar = e^{-ν + iϑ} of stored logarithms; and its generator in Table 3, ϑ reduced to [-π, π]."""
    model, inputs, reference, exponents, _ = drawn(data)
    follows(model, inputs, reference)
    blocks = []
    for nu, theta in exponents:
        while theta.value > pi().value:
            theta = theta - 2 * pi()
        blocks.append(Matrix(R, [[nu, theta], [-theta, nu]]))
    expected = Matrix.block_diagonal(R, blocks)
    is_close(Conversion(model, R).generator.matrix, expected, "the generator and [[ν, ϑ], [-ϑ, ν]]")


@given(st.data())
def check_other_branches(data: st.DataObject) -> None:
    """With ϑ + 2πk in place of ϑ, and the lift that goes with it, the EWS has the same states."""
    model, inputs, reference, exponents, Bbar = drawn(data)
    layers = []
    for (nu, theta), row in zip(exponents, Bbar.rows, strict=True):
        turned = theta + 2 * pi() * data.draw(st.sampled_from([-3, -1, 1, 2]))
        lift = [divided_by_phi_1(C.coerce(nu) - I * C.coerce(turned), b) for b in row]
        rows = Matrix(R, [[z.real for z in lift], [z.imag for z in lift]])
        layers.append(Layer(Rotation(nu, -turned, ring=R), rows))
    converted = Converted(layers, Conversion(model, R).coordinates)
    states = Conversion(model, R, converted).run(inputs).states
    at_most(distance(states, reference.states), ERROR, "the states of another branch, less those of the recurrence")


def cut_off_g(ring: Any, z: Any) -> Any:
    """The series of g, cut off: 1 + z/2."""
    return 1 + z / 2


def reduced_by_half_turns(ring: Any, angle: Any) -> Any:
    """The angle modulo π."""
    return angle - C.coerce(pi()) * int((angle.mid.real / pi().mid).floor())


def doubled_readout(model: AbstractDiagonal, ring: Any) -> Reading:
    """2 Re(C h), as if conjugate modes were not stored."""
    return Reading(Matrix(C, model.C) * 2, model.D)


def input_map_of_another_branch(z: Ball, x: Ball) -> Ball:
    """The lift of the branch that is stored, whatever the branch of z."""
    turns = int((z.imag.mid / (2 * pi().mid) + recurrences.QQ.ratio(1, 2)).floor())
    return divided(z - I * C.coerce(2 * pi() * turns), x)


divided = divided_by_phi_1

STATEMENT = Statement(
    title="The LRU is an EWS of depth one",
    claim=r"h_k \gets e^{-\nu_k + i\vartheta_k} h_k + B_k u: \qquad A = \begin{pmatrix} \nu & \vartheta \\"
    r" -\vartheta & \nu \end{pmatrix}, \quad \text{lift } g(\nu - i\vartheta) B, \quad g(z) = \frac{z}{1-e^{-z}},"
    r" \qquad \vartheta \text{ modulo } 2\pi",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="Models with more than two modes or channels, and longer inputs; the stored logarithms of ϑ are "
    "at most 3. The distance is certified below 10^-25 in balls of 128 bits.",
    covers=("Table 3: LRU",),
    code=("ewsmath.ssm.LRU", "ewsmath.ssm.Conversion"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("lift without g", "ewsmath.ssm.lru:todd", recurrences.without_g, False),
        Mutant("series of g cut off", "ewsmath.ssm.lru:todd", cut_off_g, False),
        Mutant("angle modulo π", "ewsmath.ssm.lru:reduced_angle", reduced_by_half_turns, False),
        Mutant("output factor 2", "ewsmath.ssm.diagonal:AbstractDiagonal.readout", doubled_readout, False),
        Mutant("conjugate generator", "ewsmath.ssm.diagonal:imag_part", recurrences.opposite_imaginary_part, False),
        Mutant(
            "the lift of the stored branch for all branches",
            "proofs_checks.lru_conversion:divided_by_phi_1",
            input_map_of_another_branch,
            False,
        ),
    ),
)
