"""State-space models as the recurrences of their releases, in balls: the references of the conversions.

Written from the published formulas; of ewsmath.ssm only what is judged is in it, and what mutants need.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flint import arb, fmpq
from hypothesis import strategies as st

from ewsmath import QQ, QQ_I, Balls, ComplexBalls, Matrix
from ewsmath.rings import Ball, WorkingPrecision
from ewsmath.ssm import AbstractModel, Conversion, Increment, Layer
from ewsmath.ssm.oscillator import Block, Shifted, shifted_logarithm
from ewsmath.strategies import rationals
from proofs_checks.agreement import at_most

PREC = 128
R, C = Balls(PREC), ComplexBalls(PREC)
I = C.coerce(QQ_I.i)  # noqa: E741

ERROR = QQ.ratio(1, 10**25)
"""What the certified distance of a state or an output from its reference must not exceed."""


class Run(NamedTuple):
    """What a recurrence does.

    Attributes:
        states: The state after each input.
        outputs: The output at each input.
    """

    states: list[list[Ball]]
    outputs: list[list[Ball]]


def exp(x: Any) -> Ball:
    """The exponential of a number, in complex balls."""
    return C.exp(C.coerce(x))


def complex_number(pair: Sequence[Any]) -> Ball:
    """The number that is stored as (real part, imaginary part)."""
    return C.coerce(QQ_I.number(*pair))


def real(x: Any) -> Ball:
    """A number in real balls; a complex ball gives its real part."""
    return x.real if isinstance(x, Ball) else R.coerce(x)


def softplus(x: Ball) -> Ball:
    """log(1 + e^x)."""
    with WorkingPrecision(PREC):
        return Ball(R, (1 + x.value.exp()).log())


def sigmoid(x: Any) -> Ball:
    """1/(1 + e^{-x}), of a number or a ball."""
    return R.inverse(1 + R.exp(-R.coerce(x)))


def root(x: Any) -> Ball:
    """The root of x ≥ 0."""
    return R.square_root(R.coerce(x))


def pi() -> Ball:
    """π."""
    with WorkingPrecision(PREC):
        return Ball(R, arb.pi())


def linear(Abar: Matrix[Ball], Bbar: Matrix[Ball], inputs: Sequence[Sequence[Any]]) -> list[list[Ball]]:
    """The states of h_j = Abar h_{j-1} + Bbar x_j, from h_0 = 0."""
    state, states = [C.zero] * Abar.shape[0], []
    for x in inputs:
        drive = Bbar.apply([C.coerce(u) for u in x])
        state = [a + b for a, b in zip(Abar.apply(state), drive, strict=True)]
        states.append(state)
    return states


def read(weights: Matrix[Ball], skip: Sequence[Any], inputs: Sequence[Sequence[Any]], states: list[list[Ball]]) -> Run:
    """The outputs Re(C h_j) + D ∘ x_j, beside the states."""
    outputs = []
    for h, x in zip(states, inputs, strict=True):
        outputs.append([y.real + R.coerce(d) * R.coerce(u) for y, d, u in zip(weights.apply(h), skip, x, strict=True)])
    return Run(states, outputs)


def distance(found: Sequence[Sequence[Ball]], reference: Sequence[Sequence[Ball]]) -> fmpq:
    """A rational that no |x - y| of corresponding entries exceeds; the ones found may be of any precision."""
    pairs = [(x, y) for a, b in zip(found, reference, strict=True) for x, y in zip(a, b, strict=True)]
    return max(((y.ring.coerce(x) - y).abs_upper() for x, y in pairs), default=QQ.zero)


def follows(model: AbstractModel, inputs: Sequence[Any], reference: Run, prec: int = PREC) -> None:
    """Demand that the EWS that a model becomes has the states and outputs of its recurrence, with a certified error.

    Where a generator is found from eigenvalues that may coincide, more bits are needed.
    """
    found = Conversion(model, Balls(prec)).run(inputs)
    at_most(distance(found.states, reference.states), ERROR, "the states of the EWS, less those of the recurrence")
    at_most(distance(found.outputs, reference.outputs), ERROR, "its outputs, less those of the recurrence")


def is_close(found: Matrix[Ball], reference: Matrix[Ball], what: str) -> None:
    """Demand that all entries of two matrices are close."""
    at_most(distance(found.rows, reference.rows), ERROR, what)


small = rationals(max_numerator=2, max_denominator=2)
"""Parameters and inputs: whole and half numbers from -2 to 2."""

pairs = st.lists(small, min_size=2, max_size=2)
"""Stored complex numbers."""


def arrays(entries: st.SearchStrategy[Any], *shape: int) -> st.SearchStrategy[Any]:
    """Nested lists of a shape. Shrinks to the smallest entries."""
    for n in reversed(shape):
        entries = st.lists(entries, min_size=n, max_size=n)
    return entries


# What several statements plant as mutants.


def stream_without_phi_1(layer: Layer, increments: Sequence[Increment]) -> list[list[Any]]:
    """S_j = e^{-Δθ A} S_{j-1} + B ΔX_j: the local term without φ_1."""
    state, states = [layer.lift.ring.zero] * layer.generator.dim, []
    for dtheta, dx in increments:
        moved = layer.generator.exponential(dtheta).apply(state)
        state = [x + y for x, y in zip(moved, layer.lift.apply(list(dx)), strict=True)]
        states.append(state)
    return states


def opposite_imaginary_part(z: Any) -> Any:
    """-Im z."""
    return -z.imag


def input_map_for_lift(A: Matrix[Any], Bbar: Matrix[Any]) -> Matrix[Any]:
    """Bbar where φ_1(-A)^{-1} Bbar belongs."""
    return Bbar


def without_g(ring: Any, z: Any) -> Any:
    """1 where g(z) = z/(1 - e^{-z}) = 1/φ_1(-z) belongs."""
    return ring.one


def not_shifted(block: Block, real: bool) -> Shifted:
    """The generator of an oscillator in its shifted basis, read in that of the model."""
    return shifted_logarithm(block, real)._replace(shift=R.zero)
