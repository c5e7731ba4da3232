"""Retention is an EWS of depth one; rotary keys turn its generator, and the state is read in a moving frame."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, QQ, QQ_I, PiecewiseLinearPath
from ewsmath.clocks import Given
from ewsmath.generators import Rotation
from ewsmath.rings import Ball
from ewsmath.ssm import FRACTIONS, Conversion, MultiScaleRetention, Retention, Token, functions, retention
from ewsmath.ssm.retention import AbstractRetention
from ewsmath.ssm.working_ring import real_part
from proofs_checks import recurrences
from proofs_checks.agreement import agree
from proofs_checks.recurrences import C, I, Run, arrays, exp, follows, root, small
from proofs_checks.statement import Mutant, Statement


def run(decay: Any, angle: Any, zeta: Any, tokens: list[tuple[Ball, Ball, list[Ball]]]) -> Run:
    """One head with one pair of keys, as a complex number: S_n = γ S_{n-1} + k̃_n v_nᵀ, y_n = q̃_n · S_n, n = 0, 1, ….

    Keys are turned by nϑ and divided by ζ^n, queries turned and multiplied. States are in order (key, value).
    """
    S, states, outputs, scale = [C.zero] * len(tokens[0][2]), [], [], C.one
    for n, (query, key, values) in enumerate(tokens):
        turn = exp(I * C.coerce(angle) * n)
        k, q = key * turn / scale, query * turn * scale
        S = [C.coerce(decay) * s + k * v for s, v in zip(S, values, strict=True)]
        states.append([C.coerce(s.real) for s in S] + [C.coerce(s.imag) for s in S])
        outputs.append([q.real * s.real + q.imag * s.imag for s in S])
        scale = scale * C.coerce(zeta)
    return Run(states, outputs)


def number(pair: Any) -> Ball:
    """A pair as a complex number."""
    return C.coerce(QQ_I.number(*pair))


def drawn_tokens(data: st.DataObject, values: int, positions: int = 3) -> tuple[list[Token], list[Any]]:
    """Tokens of one head with one pair of keys, and the same in complex numbers."""
    tokens = [Token(*(data.draw(arrays(small, 1, n)) for n in (2, 2, values))) for _ in range(positions)]
    numbers = [(number(t.query[0]), number(t.key[0]), [C.coerce(v) for v in t.value[0]]) for t in tokens]
    return tokens, numbers


@given(st.data())
def check_rotary_keys_and_xpos(data: st.DataObject) -> None:
    """Rational decays, angles (0: plain retention; 7: more than a turn) and factors of xPos; one or two values."""
    decay, zeta = (data.draw(st.sampled_from([QQ.one, QQ.ratio(1, 2), QQ.ratio(9, 10)])) for _ in range(2))
    angle = QQ.coerce(data.draw(st.sampled_from([0, 1, -2, 7])))
    tokens, numbers = drawn_tokens(data, data.draw(st.integers(1, 2)))
    model = Retention([decay], 2, len(tokens[0].value[0]), angle=[angle], scale=[zeta])
    follows(model, tokens, run(decay, angle, zeta, numbers))


@given(st.data())
def check_exactly(data: st.DataObject) -> None:
    """With γ = e^{-q} states are equal in Frac(EE), by ==: H_n = γ R(-ϑ) H_{n-1} + k_n v_n, and S_n = R(nϑ) H_n."""
    q, angle = data.draw(st.sampled_from([QQ.one, QQ.ratio(1, 2)])), QQ.coerce(data.draw(st.sampled_from([1, -2])))
    keys = data.draw(arrays(small, 2, 2))
    model = Retention([EE.exp(EE.coerce(-q))], 2, 1, angle=[angle])
    i = FRACTIONS.coerce(QQ_I.i)
    complex_keys = [key[0] + i * key[1] for key in keys]
    second = FRACTIONS.exp(-q) * complex_keys[0] + FRACTIONS.exp(i * angle) * complex_keys[1]
    found = Conversion(model, FRACTIONS).run([Token([[1, 0]], [key], [[1]]) for key in keys]).states
    agree([h[0] + i * h[1] for h in found], [complex_keys[0], second], "the states, and γ S + R(nϑ) k")


@given(st.data())
def check_released_layer(data: st.DataObject) -> None:
    """The released layer: projections, keys times K^{-1/2}, and outputs divided by the root of 1 + γ + … + γ^n."""
    decay, angle = data.draw(st.sampled_from([QQ.ratio(31, 32), QQ.ratio(1, 2)])), QQ.coerce(1)
    q_proj, k_proj, v_proj = (
        data.draw(arrays(small, 2, 1)),
        data.draw(arrays(small, 2, 1)),
        data.draw(arrays(small, 1, 1)),
    )
    inputs = data.draw(arrays(small, 3, 1))
    model = MultiScaleRetention(q_proj, k_proj, v_proj, [angle, angle], [decay])
    numbers = []
    for [x] in inputs:
        key = number([row[0] * x for row in k_proj]) / C.coerce(root(2))
        numbers.append((number([row[0] * x for row in q_proj]), key, [C.coerce(v_proj[0][0] * x)]))
    states, outputs = run(decay, angle, 1, numbers)
    total, power, scaled = QQ.one, QQ.one, []
    for row in outputs:
        scaled.append([y / root(total) for y in row])
        power = power * decay
        total = total + power
    follows(model, inputs, Run(states, scaled))


def turned_key(key: Any, position: Any) -> Any:
    """R(pϑ) k for ϑ = 1, as a complex number of EE."""
    i = EE.coerce(QQ_I.i)
    return EE.exp(i * position) * (key[0] + i * key[1])


@given(st.data())
def check_positions_as_a_clock(data: st.DataObject) -> None:
    """Rotary keys at any positions p_n: with R(-p_n ϑ) S_n for a state, the clock moves by p_n - p_{n-1}; in EE, by ==.

    The increments are k_n where the clock stands still, after each move of the clock alone.
    """
    positions = data.draw(arrays(small, 3))
    keys = data.draw(arrays(small, 3, 2))
    state, clock, moves, last = EE.zero, [], [], QQ.zero
    for p, key in zip(positions, keys, strict=True):
        state = state + turned_key(key, EE.coerce(p))
        clock += [p - last, QQ.zero]
        moves += [[0, 0], key]
        last = p
    H = EWS(Rotation(0, 1), clock=Given(clock), depth=1)(PiecewiseLinearPath.from_increments(moves)).level(1)
    i = EE.coerce(QQ_I.i)
    agree(EE.exp(i * EE.coerce(last)) * (H[0] + i * H[1]), state, "R(p ϑ) H and Σ R(p_n ϑ) k_n")


def backward_frame(model: AbstractRetention, ring: Any, j: int) -> Any:
    """R(-nϑ) where R(nϑ) belongs."""
    return frame(model, ring, -j)


def positions_from_one(model: AbstractRetention, ring: Any, j: int) -> Any:
    """R((n+1)ϑ) where R(nϑ) belongs."""
    return frame(model, ring, j + 1)


def growing(field: Any, *factors: Any) -> Any:
    """+log γ: the generator that makes a state grow."""
    return -logarithm(field, *factors)


def g_of_the_decay(ring: Any, z: Any) -> Any:
    """g(Re z): the turn within a step forgotten."""
    return functions.todd(ring, ring.coerce(z.real) if isinstance(z, Ball) else real_part(z))


def not_normalised(model: AbstractRetention, ring: Any, h: int, n: int) -> Any:
    """Outputs as they are."""
    return ring.one


def turned_back_key(key: Any, position: Any) -> Any:
    """R(-pϑ) k."""
    return true_turned_key(key, -position)


frame, true_turned_key = AbstractRetention.frame, turned_key
logarithm = retention._logarithm

STATEMENT = Statement(
    title="Retention and rotary keys are EWS of depth one",
    claim=r"S_n = \gamma S_{n-1} + \zeta^{-n} R(n\vartheta) k_n v_n^\top, \quad S_n = \zeta^{-n} R(n\vartheta) H_n:"
    r" \qquad A = \begin{pmatrix} \lambda & -\vartheta \\ \vartheta & \lambda \end{pmatrix}, \quad"
    r" \lambda = -\log(\gamma\zeta), \quad \Delta X_n = g(A) k_n v_n^\top, \quad g(z) = \frac{z}{1-e^{-z}}",
    section="Appendix E; Table 3",
    method="rigorous bound",
    leaves_out="One head with one pair of keys, three positions, at most two values; the group norm of the release. "
    "The distance is certified below 10^-25 in balls of 128 bits; with decays that are powers of e it is 0.",
    covers=("Table 3: retention and rotary keys",),
    code=("ewsmath.ssm.Retention", "ewsmath.ssm.MultiScaleRetention", "ewsmath.EWS"),
    no_depth="It is about the recurrence, which is depth one.",
    mutants=(
        Mutant("frame turned backwards", "ewsmath.ssm.retention:AbstractRetention.frame", backward_frame, False),
        Mutant("positions from one", "ewsmath.ssm.retention:AbstractRetention.frame", positions_from_one, False),
        Mutant("wrong sign of log γ", "ewsmath.ssm.retention:_logarithm", growing, False),
        Mutant("increments without g", "ewsmath.ssm.retention:todd", recurrences.without_g, False),
        Mutant("g of the decay alone", "ewsmath.ssm.retention:todd", g_of_the_decay, False),
        Mutant("conjugate generator", "ewsmath.ssm.retention:imag_part", recurrences.opposite_imaginary_part, False),
        Mutant("no normaliser", "ewsmath.ssm.retention:AbstractRetention._normaliser", not_normalised, False),
        Mutant("keys turned back", "proofs_checks.retention_conversion:turned_key", turned_back_key, False),
    ),
)
