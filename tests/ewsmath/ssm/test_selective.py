"""S6, Mamba-1, Mamba-2 and retention: exact with == for exact steps, certified in balls, and by hand at small size."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls
from ewsmath.ssm import (
    FRACTIONS,
    LRU,
    S6,
    Conversion,
    Gate,
    HeadGate,
    Mamba1,
    Mamba2,
    MultiScaleRetention,
    Recurrence,
    Retention,
    SelectiveScan,
    Softplus,
    SSDScan,
    Token,
    certify,
    distance,
)
from ewsmath.ssm.convolution import causal_convolution
from ewsmath.ssm.functions import silu
from ewsmath.strategies import rationals

R = Balls(128)
HALF = QQ.ratio(1, 2)
rates = st.builds(QQ.ratio, st.integers(1, 3), st.integers(1, 2))
deltas = st.builds(QQ.ratio, st.integers(0, 3), st.integers(1, 2))


def lists(entries: Any, *shape: int) -> Any:
    for n in reversed(shape):
        entries = st.lists(entries, min_size=n, max_size=n)
    return entries


def gates(E: int, N: int):
    return st.builds(Gate, lists(rationals(), E), lists(deltas, E), lists(rationals(), N), lists(rationals(), N))


def assert_exact(model, inputs) -> None:
    found = distance(Conversion(model, FRACTIONS), inputs)
    assert (found.state, found.output, found.refuted) == (0, 0, False)


scans = st.tuples(
    st.builds(SelectiveScan, lists(rates, 1, 2), lists(rationals(), 1)),
    lists(gates(1, 2), 2),
)
head_gates = st.builds(
    HeadGate, lists(rationals(), 1, 2), lists(deltas, 1), lists(rationals(), 1, 1), lists(rationals(), 1, 1)
)
heads = st.tuples(
    st.builds(
        SSDScan,
        lists(rates, 1),
        st.just(2),
        st.just(1),
        D=lists(rationals(), 1),
        initial_state=st.none() | lists(rationals(), 1, 2, 1),
    ),
    lists(head_gates, 2),
)


@given(scans | heads)
def test_scans_are_families_of_ews_exactly(drawn) -> None:
    assert_exact(*drawn)


def test_a_scan_by_hand() -> None:
    # h = e^{-2} · 3 · 5 · 1 + 2 · 5 · 7 after two steps with a = 1; then C = 4 and D = 11.
    inputs = [Gate([1], [3], [5], [4]), Gate([7], [2], [5], [4])]
    found = Recurrence(SelectiveScan([[1]], [11]), FRACTIONS).run(inputs)
    e = EE.exp(EE.coerce(-2))
    assert found.states == [[15], [15 * e + 70]]
    assert found.outputs == [[71], [4 * (15 * e + 70) + 77]]


def test_each_channel_has_its_rates_as_generator() -> None:
    layers = Conversion(SelectiveScan([[1, 2], [HALF, 3]]), FRACTIONS).layers
    assert [[layer.generator.matrix[k, k] for k in range(2)] for layer in layers] == [[1, 2], [HALF, 3]]


def test_where_the_step_is_zero_nothing_moves() -> None:
    (own,) = Conversion(SelectiveScan([[1]]), FRACTIONS).increments([Gate([7], [0], [5], [4])])
    assert own[0].dtheta == 0
    assert list(own[0].dx) == [0]


S6_ARRAYS = ([[0, 1], [-1, 0]], [1, 2], [[1, 0], [0, 1], [HALF, 1], [1, 1], [-1, 2]], [[1], [HALF]], [0, -1])
MIXER = {
    "in_proj": [[1, 0, 1], [0, 1, 0], [1, 1, 0], [0, -1, 1]],
    "conv1d_weight": [[[1, HALF]], [[0, 2]]],
    "conv1d_bias": [0, 1],
    "out_proj": [[1, 1], [0, 1], [1, -1]],
}


def test_the_gates_of_s6_by_hand() -> None:
    (gate,) = S6(*S6_ARRAYS).gates(R, [[1, 2]])
    assert list(gate.x) == [1, 2]
    assert gate.delta[0] == R.coerce(Softplus(1))
    assert gate.delta[1] == R.coerce(Softplus(-HALF))
    assert (list(gate.B), list(gate.C)) == ([2, QQ.ratio(5, 2)], [3, 3])


def test_the_last_tap_of_the_convolution_multiplies_the_current_sample() -> None:
    xs = [[R.coerce(1)], [R.coerce(3)]]
    found = causal_convolution(R, [[2, 5]], [1], xs)
    assert found[0][0] == silu(R, R.coerce(1 + 5))
    assert found[1][0] == silu(R, R.coerce(1 + 5 * 3 + 2))


def test_mamba1_around_its_scan_by_hand() -> None:
    model = Mamba1(*S6_ARRAYS, **MIXER)
    inputs = [[1, 2, -1], [0, 1, 1]]
    run = Recurrence(model, R).run(inputs)
    gates = model.gates(R, inputs)
    h = run.states[1]
    y = [
        (h[2 * e].real * gates[1].C[0] + h[2 * e + 1].real * gates[1].C[1]) + model.D[e] * gates[1].x[e] for e in (0, 1)
    ]
    z = [R.coerce(1), R.coerce(0)]  # rows 3 and 4 of in_proj on (0, 1, 1)
    v = [a * silu(R, b) for a, b in zip(y, z, strict=True)]
    assert run.outputs[1] == [v[0] + v[1], v[1], v[0] - v[1]]


def mamba2(**options) -> Mamba2:
    # H = 2 heads of P = 1, N = 1: in_proj rows z (2), x (2), B (1), C (1), dt (2).
    in_proj = [[1, 0], [0, 1], [1, 1], [1, -1], [2, 0], [0, 1], [1, 0], [0, HALF]]
    taps = [[[1, 2]], [[0, 1]], [[1, 1]], [[0, 1]]]
    parts = ([0, 1], [0, -1], [1, 2], in_proj, taps, [0, 1, 0, 1], [1, HALF], [[1, 2], [0, 1]])
    return Mamba2(*parts, headdim=1, **options)


PROJECTED = {
    "S6": S6(*S6_ARRAYS),
    "Mamba1": Mamba1(*S6_ARRAYS, **MIXER),
    "Mamba2": mamba2(),
    "Mamba2, norm first": mamba2(norm_before_gate=True),
}


@given(st.sampled_from(sorted(PROJECTED)), lists(lists(rationals(), 3), 2))
def test_models_that_compute_their_gates_are_certified(name: str, inputs) -> None:
    vectors = inputs if name == "Mamba1" else [u[:2] for u in inputs]
    assert certify(PROJECTED[name], vectors).holds(30)


def test_mamba2_options() -> None:
    inputs = [[1, 2], [0, 1]]
    limited = mamba2(dt_limit=[QQ.ratio(1, 10), QQ.ratio(6, 5)])
    assert list(limited.gates(R, inputs)[0].delta) == [QQ.ratio(6, 5), R.coerce(Softplus(0))]
    started = mamba2(init_states=[[[3]], [[-1]]])
    assert certify(limited, inputs).holds(30)
    assert certify(started, inputs).holds(30)
    # h_1 = e^{-aΔ} H_0 + Δ x B; without a start the first summand is missing.
    gate = started.gates(R, inputs)[0]
    difference = Recurrence(started, R).run(inputs).states[0][0] - Recurrence(mamba2(), R).run(inputs).states[0][0]
    assert difference.real == 3 * R.exp(-gate.delta[0])
    with pytest.raises(ValueError, match="3 convolved channels are no 2 \\+ 2·1·N"):
        Mamba2([0, 1], [0, 0], [1, 1], [[1]] * 9, [[[1]]] * 3, [0] * 3, [1, 1], [[1, 1]], headdim=1)


@pytest.mark.parametrize("before", [False, True])
def test_mamba2_around_its_heads_by_hand(before: bool) -> None:
    model, inputs = mamba2(norm_before_gate=before), [[1, 2]]
    (gate,) = model.gates(R, inputs)
    # y_h = C Δ_h x_h B + D_h x_h, gated by z = (1, 2), normed with weights (1, 1/2), projected.
    y = [gate.C[0][0] * gate.delta[h] * gate.x[h][0] * gate.B[0][0] + model.D[h][0] * gate.x[h][0] for h in (0, 1)]
    g = [silu(R, R.coerce(1)), silu(R, R.coerce(2))]
    v = y if before else [y[0] * g[0], y[1] * g[1]]
    root = R.square_root((v[0] * v[0] + v[1] * v[1]) * HALF + QQ.ratio(1, 10**5))
    v = [v[0] / root, v[1] / root * HALF]
    v = [v[0] * g[0], v[1] * g[1]] if before else v
    assert Recurrence(model, R).run(inputs).outputs == [[v[0] + v[1] * 2, v[1]]]


def test_the_norm_of_mamba2_by_groups() -> None:
    model = mamba2()
    v = [R.coerce(3), R.coerce(4)]
    scale = R.square_root(R.coerce(QQ.ratio(25, 2) + QQ.ratio(1, 10**5)))
    assert model._normed(R, v) == [R.coerce(3) / scale, R.coerce(2) / scale]
    parts = ([0, 0], [0, 0], [1, 1], [[1]] * 10, [[[1]]] * 6, [0] * 6, [1, 1], [[1, 1]])
    alone = Mamba2(*parts, headdim=1, ngroups=2)._normed(R, v)
    assert alone[0] * alone[0] * (9 + QQ.ratio(1, 10**5)) == 9


def test_skips_for_each_value() -> None:
    parts = ([0], [0], [1, 2], [[1]] * 7, [[[1]]] * 4, [0] * 4, [1, 1], [[1, 1]])
    model = Mamba2(*parts, headdim=2)
    assert model.D == ((1, 2),)
    assert certify(model, [[1], [2]]).holds(30)
    assert SSDScan([1], 2, 1).D == ((0, 0),)


@st.composite
def tokens(draw: st.DrawFn, H: int, K: int, V: int) -> Token:
    return Token(*(draw(lists(rationals(), H, n)) for n in (K, K, V)))


@given(lists(rates, 1), lists(rationals(), 1), lists(rationals(max_numerator=1), 1), lists(tokens(1, 2, 1), 2))
def test_retention_with_rotary_keys_and_xpos_is_an_ews_exactly(rate, angle, growth, inputs) -> None:
    decay = [EE.exp(EE.coerce(-x)) for x in rate]
    scale = [EE.exp(EE.coerce(x)) for x in growth]
    assert_exact(Retention(decay, 2, 1, angle=angle, scale=scale), inputs)


@given(lists(st.builds(QQ.ratio, st.integers(1, 3), st.integers(2, 4)), 1), lists(tokens(1, 2, 2), 2), st.booleans())
def test_retention_is_certified(decay, inputs, normalised: bool) -> None:
    model = Retention(decay, 2, 2, angle=[7], normalised=normalised)
    assert certify(model, inputs).holds(30)


def test_retention_by_hand() -> None:
    # S_1 = γ k_0 v_0 + R(ϑ) k_1 v_1, read by the turned query R(ϑ) q: q·k_1 v_1 + γ (R(ϑ)q)·k_0 v_0.
    decay = EE.exp(-EE.one)
    model = Retention([decay], 2, 1, angle=[HALF])
    run = Recurrence(model, FRACTIONS).run([Token([[0, 0]], [[1, 0]], [[3]]), Token([[2, 0]], [[5, 1]], [[1]])])
    turn = EE.exp(EE.coerce(QQ_I.number(0, HALF)))
    cosine = (turn + turn.conjugate()) / 2
    assert run.outputs[1] == [10 + 6 * decay * cosine]
    plain = Recurrence(Retention([decay], 2, 1), FRACTIONS).run([Token([[1, 1]], [[1, 2]], [[3]])] * 2)
    assert plain.states[1] == [3 + 3 * decay, 6 + 6 * decay]


def test_the_normaliser_of_retention() -> None:
    tokens = [Token([[1, 0]], [[1, 0]], [[1]])] * 3
    model = Retention([HALF], 2, 1, normalised=True)
    outputs = Recurrence(model, R).run(tokens).outputs
    assert [y[0] * y[0] for y in outputs] == [1, QQ.ratio(3, 2), QQ.ratio(7, 4)]  # S_n/√S_n = √S_n here


def test_undecayed_turns_of_whole_circles_are_refused_by_nobody() -> None:
    # γ = 1 and an angle near 2π: reduced first, so that no pole of g comes near.
    angle = QQ.ratio(6283185307179586, 10**15)
    assert certify(Retention([1], 2, 1, angle=[angle]), [Token([[1, 0]], [[1, 2]], [[3]])] * 2).holds(30)


def test_multi_scale_retention() -> None:
    q, k, v = [[1, 0], [0, 1], [1, 1], [0, 2]], [[1, 1], [0, 1], [2, 0], [1, 0]], [[1, 0], [1, -1]]
    model = MultiScaleRetention(q, k, v, [1, 1], [HALF, QQ.ratio(3, 4)])
    assert (model.keys, model.values, model.angle) == (2, 1, (1,))
    assert certify(model, [[1, 2], [0, -1], [1, 1]]).holds(30)
    (token,) = model.tokens(R, [[1, 2]])
    assert token.key[0][0] * token.key[0][0] * 2 == 9
    with pytest.raises(ValueError, match="the two keys of a pair are equal: repeat each"):
        MultiScaleRetention(q, k, v, [1, 2], [HALF, HALF])
    with pytest.raises(ValueError, match="3 values for 2 heads"):
        MultiScaleRetention(q, k, [*v, [1, 1]], [1, 1], [HALF, HALF])


@pytest.mark.parametrize(
    ("decay", "text"), [(0, "transition is singular: no logarithm"), (-HALF, "no real logarithm: the decay or factor")]
)
def test_decays_that_are_not_positive(decay, text: str) -> None:
    model = Retention([decay], 2, 1)
    with pytest.raises(ValueError, match=text):
        Conversion(model, R)
    assert Recurrence(model, FRACTIONS).run([Token([[1, 0]], [[1, 2]], [[3]])] * 2).states[1] == [
        3 + 3 * decay,
        6 + 6 * decay,
    ]


def test_doors() -> None:
    with pytest.raises(TypeError, match="SelectiveScan takes gates"):
        Conversion(SelectiveScan([[1]]), FRACTIONS).run([[1]])
    with pytest.raises(ValueError, match="input 0: a step is at least 0, got -1"):
        Recurrence(SelectiveScan([[1]]), FRACTIONS).run([Gate([1], [-1], [1], [1])])
    with pytest.raises(ValueError, match=r"input 0: a step is at least 0, got 1 - e\^\(1\)"):
        Recurrence(SelectiveScan([[1]]), FRACTIONS).run([Gate([1], [EE.one - EE.exp(EE.one)], [1], [1])])
    with pytest.raises(ValueError, match="a rate must be above 0"):
        SelectiveScan([[0]])
    with pytest.raises(
        TypeError, match=r"SelectiveScan: the rates: this place takes exact .* a ratio, QQ\.ratio\(1, 2\),"
    ):
        SelectiveScan([[0.5]])  # type: ignore[list-item]
    with pytest.raises(
        TypeError, match=r"LRU: the decays: this place takes exact .* write it as a ratio, QQ\.ratio\(1, 2\),"
    ):
        LRU([0.5], [1], [[1]], [[1]])
    with pytest.raises(TypeError, match=r"write it as a ratio, QQ\.ratio\(1, 2\),"):
        FRACTIONS.coerce(0.5)
    steps = [Softplus(-1), EE.exp(EE.one) - 1]
    scan = SelectiveScan([[1], [1]])
    assert certify(scan, [Gate([1, 1], steps, [1], [1])]).holds(20)
    with pytest.raises(TypeError, match="SSDScan takes gates"):
        Recurrence(SSDScan([1], 1, 1), FRACTIONS).run([[1]])
    with pytest.raises(ValueError, match="3 heads do not come in 2 groups"):
        SSDScan([1, 1, 1], 1, 1, groups=2)
    with pytest.raises(TypeError, match="Retention takes tokens"):
        Recurrence(Retention([1], 2, 1), FRACTIONS).run([[1]])
    with pytest.raises(ValueError, match="keys come in pairs, got 3"):
        Retention([1], 3, 1)
    with pytest.raises(ValueError, match="the logarithm of 1/2 is not in Frac"):
        Conversion(Retention([HALF], 2, 1), FRACTIONS)
    with pytest.raises(ValueError, match="softplus"):
        Recurrence(S6(*S6_ARRAYS), FRACTIONS).run([[1, 2]])
    with pytest.raises(ValueError, match="SelectiveScan has no one generator: its layers have clocks of their own"):
        _ = Conversion(SelectiveScan([[1]]), FRACTIONS).generator
    with pytest.raises(TypeError, match="A float is not exact"):
        Recurrence(S6(*S6_ARRAYS), R).run([[1, 0.5]])


def test_groups_of_heads_share_their_weights() -> None:
    gate = HeadGate([[1], [1], [1], [1]], [1] * 4, [[1], [10]], [[1], [1]])
    run = Recurrence(SSDScan([1] * 4, 1, 1, groups=2), FRACTIONS).run([gate])
    assert run.states == [[1, 1, 10, 10]]
