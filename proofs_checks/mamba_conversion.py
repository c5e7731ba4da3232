"""S6, Mamba and Mamba-2 are families of EWS of depth one, whose clocks are the accumulated steps."""

from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import Matrix
from ewsmath.rings import Ball
from ewsmath.ssm import (
    FRACTIONS,
    S6,
    Conversion,
    Gate,
    Increment,
    Mamba1,
    Mamba2,
    SelectiveScan,
    convolution,
    functions,
)
from ewsmath.ssm.selective import AbstractSelective
from proofs_checks import recurrences
from proofs_checks.agreement import agree
from proofs_checks.recurrences import C, R, Run, arrays, follows, sigmoid, small, softplus
from proofs_checks.statement import Mutant, Statement

Vector = list[Ball]


def silu(x: Ball) -> Ball:
    """x/(1 + e^{-x})."""
    return x * sigmoid(x)


def product(rows: Any, x: Sequence[Ball]) -> Vector:
    """A matrix of rationals times a vector."""
    return Matrix(R, rows).apply(list(x))


def convolved(taps: Any, bias: Any, xs: list[Vector]) -> list[Vector]:
    """silu(b + Σ_k w_k x_{j-k}): the last tap multiplies the current sample."""
    found = []
    for j in range(len(xs)):
        sample = []
        for e, row in enumerate(taps):
            terms = [R.coerce(w) * xs[j - back][e] for back, w in enumerate(reversed(row)) if back <= j]
            sample.append(silu(sum(terms, R.coerce(bias[e]))))
        found.append(sample)
    return found


def scan(rates: list[Vector], D: Any, gates: list[tuple[Vector, Vector, Vector, Vector]]) -> Run:
    """h_en ← e^{-Δ_e a_en} h_en + Δ_e B_n x_e and y_e = Σ_n C_n h_en + D_e x_e, for gates (x, Δ, B, C)."""
    E, N = len(rates), len(rates[0])
    h, states, outputs = [[R.zero] * N for _ in range(E)], [], []
    for x, delta, B, weights in gates:
        for e in range(E):
            for n in range(N):
                h[e][n] = R.exp(-delta[e] * rates[e][n]) * h[e][n] + delta[e] * B[n] * x[e]
        states.append([C.coerce(z) for row in h for z in row])
        outputs.append(
            [sum((c * z for c, z in zip(weights, h[e], strict=True)), R.coerce(D[e]) * x[e]) for e in range(E)]
        )
    return Run(states, outputs)


def gates(xs: list[Vector], x_proj: Any, weight: Any, bias: Any, N: int) -> list[tuple[Vector, Vector, Vector, Vector]]:
    """What the scan is given: (r, B, C) = W_x x and Δ = log(1 + exp(W_Δ r + b))."""
    found = []
    for x in xs:
        projected = product(x_proj, x)
        rank = len(projected) - 2 * N
        steps = [softplus(s + R.coerce(b)) for s, b in zip(product(weight, projected[:rank]), bias, strict=True)]
        found.append((x, steps, projected[rank : rank + N], projected[rank + N :]))
    return found


@given(st.data())
def check_s6(data: st.DataObject) -> None:
    """S6: the inputs enter the scan as they are."""
    E, N = data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))
    A_log, x_proj = data.draw(arrays(small, E, N)), data.draw(arrays(small, 1 + 2 * N, E))
    D, weight, bias = data.draw(arrays(small, E)), data.draw(arrays(small, E, 1)), data.draw(arrays(small, E))
    inputs = data.draw(arrays(small, 2, E))
    rates = [[R.exp(R.coerce(x)) for x in row] for row in A_log]
    xs = [[R.coerce(x) for x in u] for u in inputs]
    follows(S6(A_log, D, x_proj, weight, bias), inputs, scan(rates, D, gates(xs, x_proj, weight, bias, N)))


@given(st.data())
def check_mamba(data: st.DataObject) -> None:
    """Mamba: projection, causal convolution with two taps, scan, gate silu(z) and projection."""
    E, N, M = data.draw(st.integers(1, 2)), 1, 1
    A_log, x_proj = data.draw(arrays(small, E, N)), data.draw(arrays(small, 1 + 2 * N, E))
    D, weight, bias = data.draw(arrays(small, E)), data.draw(arrays(small, E, 1)), data.draw(arrays(small, E))
    in_proj, out_proj = data.draw(arrays(small, 2 * E, M)), data.draw(arrays(small, M, E))
    taps, conv_bias = data.draw(arrays(small, E, 1, 2)), data.draw(arrays(small, E))
    inputs = data.draw(arrays(small, 2, M))
    model = Mamba1(
        A_log, D, x_proj, weight, bias, in_proj=in_proj, conv1d_weight=taps, conv1d_bias=conv_bias, out_proj=out_proj
    )
    projected = [product(in_proj, [R.coerce(x) for x in u]) for u in inputs]
    xs = convolved([row[0] for row in taps], conv_bias, [row[:E] for row in projected])
    rates = [[R.exp(R.coerce(x)) for x in row] for row in A_log]
    states, inner = scan(rates, D, gates(xs, x_proj, weight, bias, N))
    outputs = []
    for y, row in zip(inner, projected, strict=True):
        outputs.append(product(out_proj, [v * silu(z) for v, z in zip(y, row[E:], strict=True)]))
    follows(model, inputs, Run(states, outputs))


@given(st.data())
def check_mamba_2(data: st.DataObject) -> None:
    """Mamba-2: two heads of one value and one weight, the norm after or before the gate, and an initial state."""
    H, N, M = 2, 1, 1
    A_log, dt_bias, D = (data.draw(arrays(small, H)) for _ in range(3))
    in_proj, out_proj = data.draw(arrays(small, 3 * H + 2 * N, M)), data.draw(arrays(small, M, H))
    taps, conv_bias = data.draw(arrays(small, H + 2 * N, 1, 1)), data.draw(arrays(small, H + 2 * N))
    norm, before = data.draw(arrays(small, H)), data.draw(st.booleans())
    start = data.draw(arrays(small, H, 1, N))
    inputs = data.draw(arrays(small, 2, M))
    model = Mamba2(
        A_log, dt_bias, D, in_proj, taps, conv_bias, norm, out_proj,
        headdim=1, norm_before_gate=before, init_states=start,
    )  # fmt: skip
    projected = [product(in_proj, [R.coerce(x) for x in u]) for u in inputs]  # [z | x | B | C | Δ]
    mixed = convolved([row[0] for row in taps], conv_bias, [row[H : 2 * H + 2 * N] for row in projected])
    h, states, outputs = [R.coerce(row[0][0]) for row in start], [], []
    for row, (*x, B, weight) in zip(projected, mixed, strict=True):
        steps = [softplus(s + R.coerce(b)) for s, b in zip(row[-H:], dt_bias, strict=True)]
        rates = [R.exp(R.coerce(a)) for a in A_log]
        h = [R.exp(-a * d) * z + d * v * B for a, d, z, v in zip(rates, steps, h, x, strict=True)]
        y = [z * weight + R.coerce(d) * v for z, d, v in zip(h, D, x, strict=True)]
        gate = [silu(z) for z in row[:H]]
        gated = normed(y, norm, gate, before)
        states.append([C.coerce(z) for z in h])
        outputs.append(product(out_proj, gated))
    follows(model, inputs, Run(states, outputs))


def normed(y: Vector, weight: Any, gate: Vector, before: bool) -> Vector:
    """W v/√(mean v² + 10^-5) for v = y gate, or times the gate for v = y."""
    v = y if before else [a * g for a, g in zip(y, gate, strict=True)]
    mean = sum((a * a for a in v), R.zero) / len(v) + R.ratio(1, 10**5)
    found = [R.coerce(w) * a / R.square_root(mean) for w, a in zip(weight, v, strict=True)]
    return [a * g for a, g in zip(found, gate, strict=True)] if before else found


@given(st.data())
def check_scan_exactly(data: st.DataObject) -> None:
    """The scan with rational rates and steps, Δ = 0 among them: states are equal in Frac(EE), by ==."""
    rate = [data.draw(st.integers(1, 2)), data.draw(st.integers(1, 2))]
    inputs = []
    for _ in range(2):
        x, B, weights = (data.draw(arrays(small, n)) for n in (1, 2, 2))
        inputs.append(Gate(x, [abs(data.draw(small))], B, weights))
    h, states = [FRACTIONS.zero] * 2, []
    for x, delta, B, _ in inputs:
        decays = [FRACTIONS.exp(-delta[0] * a) for a in rate]
        h = [q * z + delta[0] * b * x[0] for q, z, b in zip(decays, h, B, strict=True)]
        states.append(h)
    found = Conversion(SelectiveScan([rate]), FRACTIONS).run(inputs)
    agree(found.states, states, "the states of the EWS, and e^{-Δa} h + Δ B x")


def cut_off_g(ring: Any, z: Any) -> Any:
    """The series of g, cut off: 1 + z/2."""
    return 1 + z * ring.ratio(1, 2)


def opposite_g(ring: Any, z: Any) -> Any:
    """g(-z), which is g(z) - z."""
    return functions.todd(ring, -z)


def unit_clock(model: AbstractSelective, ring: Any, inputs: Any) -> list[list[Increment]]:
    """The clock moves by 1 at each input."""
    return [[move._replace(dtheta=ring.one) for move in moves] for moves in increments(model, ring, inputs)]


def rates_as_stored(model: AbstractSelective, ring: Any) -> list[list[Any]]:
    """A_log for exp(A_log)."""
    return [[Ball(ring, x.value.log()) if isinstance(x, Ball) else x for x in row] for row in rates_of(model, ring)]


def steps_by_exp(ring: Any, x: Any) -> Any:
    """e^x where log(1 + e^x) belongs."""
    return ring.exp(x)


def convolution_of_the_future(ring: Any, weight: Any, bias: Any, xs: Any) -> Any:
    """The first tap multiplies the current sample."""
    return convolution.causal_convolution(ring, [row[::-1] for row in weight], bias, xs)


def initial_state_forgotten(model: Mamba2, ring: Any, inputs: Any) -> list[list[Increment]]:
    """The increment at the start is 0."""
    found = heads_increments(model, ring, inputs)
    if model.initial_state is None:
        return found
    return [[moves[0]._replace(dx=[0 * x for x in moves[0].dx]), *moves[1:]] for moves in found]


increments, rates_of, heads_increments = AbstractSelective.increments, AbstractSelective._rates, Mamba2.increments

STATEMENT = Statement(
    title="Mamba and Mamba-2 are families of EWS of depth one",
    claim=r"h_{en} \gets e^{-\Delta_e a_{en}} h_{en} + \Delta_e B_n x_e: \qquad"
    r" A_e = \mathrm{diag}(a_{e1}, \dots, a_{eN}), \quad \Delta\theta = \Delta_e, \quad \Delta X_n ="
    r" g(\Delta_e a_{en}) \Delta_e B_n x_e, \quad g(z) = \frac{z}{1 - e^{-z}}",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="Small layers only, of two channels or heads and at most two weights; several groups, several values of "
    "a head, and limits of the steps. The distance is certified below 10^-25 in balls of 128 bits; that of the scan "
    "alone, with rational parameters, is 0.",
    covers=("Table 3: Mamba and Mamba-2",),
    code=("ewsmath.ssm.S6", "ewsmath.ssm.Mamba1", "ewsmath.ssm.Mamba2", "ewsmath.ssm.SelectiveScan"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("increments without g", "ewsmath.ssm.selective:todd", recurrences.without_g, False),
        Mutant("series of g cut off", "ewsmath.ssm.ssd:todd", cut_off_g, False),
        Mutant("g of the opposite", "ewsmath.ssm.selective:todd", opposite_g, False),
        Mutant("unit clock", "ewsmath.ssm.selective:AbstractSelective.increments", unit_clock, False),
        Mutant("rates as stored", "ewsmath.ssm.selective:AbstractSelective._rates", rates_as_stored, False),
        Mutant("e^x for softplus", "ewsmath.ssm.s6:softplus", steps_by_exp, False),
        Mutant("taps in reverse", "ewsmath.ssm.s6:causal_convolution", convolution_of_the_future, False),
        Mutant("initial state forgotten", "ewsmath.ssm.mamba2:Mamba2.increments", initial_state_forgotten, False),
    ),
)
