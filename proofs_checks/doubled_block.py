"""Two negative eigenvalues, or one defective: there is no real 2 x 2 logarithm, but a real 4 x 4 one of two copies."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, QQ_I, SR, Matrix
from ewsmath.rings import Ball
from ewsmath.spectrum import exponential
from ewsmath.ssm import Conversion, LinearSSM, LinOSS, functions, logarithm, match, realification
from proofs_checks import recurrences
from proofs_checks.agreement import agree, at_most, differ
from proofs_checks.real_logarithms import rank
from proofs_checks.recurrences import (
    C,
    R,
    arrays,
    complex_number,
    follows,
    is_close,
    linear,
    pi,
    read,
    small,
)
from proofs_checks.statement import Mutant, Statement

PRECISE = 256
"""Bits where eigenvalues coincide."""


def doubled(S: Matrix[Any], w: Any) -> Matrix[Any]:
    """[[S, wI], [-wI, S]], in coordinates (Re h, Im h): the real form of S - iwI."""
    unit = Matrix.identity(S.ring, S.shape[0])
    turn = Matrix(S.ring, [[S.ring.zero, w], [-w, S.ring.zero]])
    return Matrix.identity(S.ring, 2).kronecker(S) + turn.kronecker(unit)


def check_flow_of_the_doubled_block() -> None:
    """e^{-[[S, wI], [-wI, S]]} = [[cos w, -sin w], [sin w, cos w]] ⊗ e^{-S} for all w and all S = diag(a, b) or aI + N.

    At w = π this is -I ⊗ e^{-S}: two copies of the recurrence with the eigenvalues -e^{-a} and -e^{-b}.
    """
    a, b, w = SR.symbols("a b w")
    rotation = (SR.exp(SR.i * w) + SR.exp(-SR.i * w)) / 2, (SR.exp(SR.i * w) - SR.exp(-SR.i * w)) / (2 * SR.i)
    turned = Matrix(SR, [[rotation[0], -rotation[1]], [rotation[1], rotation[0]]])
    for S in (Matrix(SR, [[a, 0], [0, b]]), Matrix(SR, [[a, 1], [0, a]])):
        expected = turned.kronecker(exponential(-S))
        agree(exponential(-doubled(S, w)), expected, "the flow of the doubled block, and a rotation times e^(-S)")


def check_half_turn() -> None:
    """[[cos π, -sin π], [sin π, cos π]] = -I in balls: what of the formula is used."""
    turn = exponential(-doubled(Matrix.zeros(R, 1, 1), pi()))
    is_close(turn, -Matrix.identity(R, 2), "the rotation by π, and -I")


def transition(data: st.DataObject) -> Matrix[Any]:
    """A rational 2 x 2 matrix with two negative eigenvalues, equal or not, defective or not a multiple of I."""
    first, second = (-QQ.ratio(data.draw(st.integers(1, 4)), 2) for _ in range(2))
    coupling = data.draw(st.sampled_from([1, -2]))
    P = Matrix(QQ, [[1, data.draw(st.integers(-1, 1))], [0, 1]]) @ Matrix(
        QQ, [[1, 0], [data.draw(st.integers(-1, 1)), 1]]
    )
    return P @ Matrix(QQ, [[first, coupling], [0, second]]) @ P.inverse()


@given(st.data())
def check_no_real_logarithm(data: st.DataObject) -> None:
    """None of width 2 exists: what commutes with Abar is pI + qAbar, and has then real eigenvalues.

    So e^{-(pI + qAbar)} has positive eigenvalues for any p and q, and cannot be Abar, whose trace is negative. That the
    eigenvalues are real, and that the traces differ, is compared at drawn p and q.
    """
    Abar = transition(data)
    agree(commutant_dimension(Abar), 2, "the dimension of what commutes with Abar, and that of the span of I and Abar")
    p, q = data.draw(small), data.draw(small)
    X = Matrix.identity(QQ, 2) * p + Abar * q
    discriminant = (X[0, 0] - X[1, 1]) * (X[0, 0] - X[1, 1]) + 4 * X[0, 1] * X[1, 0]
    at_most(QQ.zero, discriminant, "0 and the discriminant of pI + qAbar, whose eigenvalues are so real")
    flow = exponential(-Matrix.over(R, X))
    differ(flow[0, 0] + flow[1, 1], R.coerce(Abar[0, 0] + Abar[1, 1]), "the traces of e^(-X) and of Abar")
    agree(LinearSSM(Abar, [[1], [0]], form="real").obstacle(), "no real logarithm; use the doubled form", "the refusal")


@given(st.data())
def check_any_two_negative_eigenvalues(data: st.DataObject) -> None:
    """What is found has width 4, and its flow is Abar ⊗ I_2 on interleaved coordinates; the states are the same."""
    Abar, B = transition(data), data.draw(arrays(small, 2, 1, 2))
    inputs = data.draw(arrays(small, 2, 1))
    numbers = [[QQ_I.number(*z) for z in row] for row in B]
    [layer] = match(Abar, numbers, recurrences.Balls(PRECISE)).layers
    flow = exponential(-Matrix.over(R, layer.generator.matrix))
    is_close(flow, Matrix.over(R, Abar).kronecker(Matrix.identity(R, 2)), "e^(-A) and two copies of Abar")
    Bbar = Matrix(C, [[complex_number(z) for z in row] for row in B])
    states = linear(Matrix.over(C, Abar), Bbar, inputs)
    model = LinearSSM(Abar, numbers, [[1, 0]])
    follows(model, inputs, read(Matrix(C, [[1, 0]]), [0], inputs, states), PRECISE)


def commutant_dimension(M: Matrix[Any]) -> int:
    """The dimension of the matrices that commute with M: 4 less the rank of X ↦ MX - XM."""
    unit = Matrix.identity(QQ, 2)
    L = M.kronecker(unit) - unit.kronecker(M.transpose())
    return 4 - rank(L)


def check_oscillator_beyond_the_edge() -> None:
    """LinOSS-IMEX with d²A = 5 > 4: eigenvalues -e^{±t} with 2 cosh t = 3, and a generator of width 4."""
    model = LinOSS([5], [1], [[1]], [[QQ_I.i]], discretisation="IMEX")
    found = Conversion(model, R)
    agree(found.generator.dim, 4, "the width of the generator, and 4")
    [T] = [M for M in (found.coordinates,) if M is not None]
    flow = Matrix.over(C, exponential(-found.generator.matrix))
    is_close(T @ flow, Matrix(C, [[1, -5], [1, -4]]) @ T, "T e^(-A) and Abar T")


def quarter_turn(ring: Any) -> Any:
    """π/2 where π belongs."""
    return half_turn(ring) / 2


def turns_with_one_sign(S: Matrix[Any], w: Any) -> Matrix[Any]:
    """[[S, wI], [wI, S]]."""
    mirrored = Matrix(S.ring, [[S.ring.zero, w], [w, S.ring.zero]])
    return Matrix.identity(S.ring, 2).kronecker(S) + mirrored.kronecker(Matrix.identity(S.ring, S.shape[0]))


def undoubled_turn(S: Matrix[Any], w: Any) -> Matrix[Any]:
    """Two copies of S, without the turn."""
    return Matrix.identity(S.ring, 2).kronecker(S)


def logarithm_of_the_opposite(M: Matrix[Any], eigenvalues: Any, turn: Ball) -> Matrix[Any]:
    """log(-M), real, where log M belongs."""
    return logarithm.principal_logarithm(-M, [-z for z in eigenvalues])


def equal_and_not_defective(data: st.DataObject) -> Matrix[Any]:
    """A negative multiple of I, which is a rotation by π and has a real logarithm."""
    return Matrix.identity(QQ, 2) * -data.draw(st.integers(1, 4))


def interleaved_wrongly(matrix: Matrix[Any], ring: Any) -> Matrix[Any]:
    """The real form of the conjugate."""
    return realification.realified(matrix, ring).transpose()


half_turn = functions.pi
HERE = "proofs_checks.doubled_block"

STATEMENT = Statement(
    title="The doubled block for two negative eigenvalues",
    claim=r"\bar A = -e^{-R}: \qquad \exp\Big(\!-\begin{pmatrix} R & \pi I \\ -\pi I & R \end{pmatrix}\Big) ="
    r" \begin{pmatrix} \bar A & 0 \\ 0 & \bar A \end{pmatrix}, \text{ and no real } 2\times2 \text{ logarithm"
    r" unless } \bar A = \lambda I",
    section="Appendix E",
    method="symbolic",
    leaves_out="Symbolic is the flow of the block alone, for all R of the two Jordan forms. All else is on draws: of "
    "rational transitions, for which the library finds such a block, in balls; and non-existence, of which the "
    "dimension of the commutant is exact for each transition, while that pI + qAbar has real eigenvalues, and an "
    "exponential with another trace, is compared at drawn p and q; for the others it is the argument that e^x > 0. The "
    "paper asks for distinct eigenvalues; defective ones are no other case.",
    covers=("The doubled block for two negative eigenvalues",),
    code=("ewsmath.ssm.match", "ewsmath.ssm.LinearSSM", "ewsmath.ssm.LinOSS"),
    no_depth="It is about the generator of a recurrence, which is depth one.",
    mutants=(
        Mutant("both turns with one sign", f"{HERE}:doubled", turns_with_one_sign, False),
        Mutant("two copies without the turn", f"{HERE}:doubled", undoubled_turn, False),
        Mutant("a quarter of a turn", "ewsmath.ssm.linoss:pi", quarter_turn, False),
        Mutant("logarithm of -Abar", "ewsmath.ssm.match:turned_logarithm", logarithm_of_the_opposite, False),
        Mutant("real form of the conjugate", "ewsmath.ssm.match:realified", interleaved_wrongly, False),
        Mutant("equal eigenvalues, not defective", f"{HERE}:transition", equal_and_not_defective, False),
    ),
)
