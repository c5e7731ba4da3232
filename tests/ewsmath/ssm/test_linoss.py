"""LinOSS and D-LinOSS: every discretisation and edge certified, forms decided, textbook angles of Table 3."""

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, Matrix
from ewsmath.rings import WorkingPrecision
from ewsmath.ssm import FRACTIONS, Conversion, DLinOSS, LinOSS, Recurrence, certify, distance, match
from ewsmath.ssm.fractions import sigmoid
from ewsmath.ssm.oscillator import DISCRETISATIONS, Block, obstacle, shifted_logarithm
from ewsmath.strategies import rationals

R = Balls(192)
HALF = QQ.ratio(1, 2)
INPUTS = [[1], [QQ.ratio(-2, 3)]]
NOT_REAL = "no real logarithm; use the doubled form"
UNDAMPED, DAMPED = ["IM", "IMEX"], ["DampedIM", "DampedIMEX1", "DampedIMEX2", "DampedEX"]
stiffnesses = st.builds(QQ.ratio, st.integers(0, 12), st.integers(1, 2))
dampings = st.builds(QQ.ratio, st.integers(0, 3), st.integers(1, 2))
steps = st.builds(QQ.ratio, st.integers(1, 3), st.integers(1, 2))


@given(st.sampled_from(UNDAMPED + DAMPED), stiffnesses, dampings, steps)
def test_every_discretisation_is_certified_or_refused(name: str, A, G, d) -> None:
    damping = None if name in UNDAMPED else [G]
    model = LinOSS([A], [d], [[QQ_I.i + 1]], [[2 - QQ_I.i]], [1], damping=damping, discretisation=name)
    Abar = model.block(FRACTIONS, 0).transition
    trace = (Abar[0, 0] + Abar[1, 1]).as_rational()
    det = (Abar[0, 0] * Abar[1, 1] - Abar[0, 1] * Abar[1, 0]).as_rational()
    reason = model.obstacle()
    if det == 0:
        assert reason == "transition is singular: no logarithm (oscillator 0)"
    elif det < 0:
        assert "outside the stability region" in (reason or "")
    else:
        assert reason is None
        found = Conversion(model, R)
        assert distance(found, INPUTS).holds(30)
        assert bool(found.generator.matrix[0, 2]) == (trace < 0)  # doubled exactly where the cosine is negative
        if trace >= 0:
            return
        strict = LinOSS([A], [d], [[1]], [[1]], damping=damping, discretisation=name, form="real")
        if trace**2 >= 4 * det:
            assert NOT_REAL in (strict.obstacle() or "")
            with pytest.raises(ValueError, match=NOT_REAL):
                Conversion(strict, R)
        else:
            assert certify(strict, INPUTS).holds(30)


@given(st.sampled_from(UNDAMPED + DAMPED), stiffnesses, dampings, steps)
def test_the_steady_state_is_one_over_the_stiffness(name: str, A, G, d) -> None:
    block = DISCRETISATIONS[name](QQ, A, QQ.zero if name in UNDAMPED else G, d)
    fixed = (QQ.zero, 1 / A) if A else None
    if fixed:
        moved = block.transition.apply(list(fixed))
        assert [x + f for x, f in zip(moved, block.drive, strict=True)] == list(fixed)


def angle(model: LinOSS) -> tuple[arb, arb]:
    """Damping and angle of the one oscillator of a model."""
    R2 = shifted_logarithm(model.block(R, 0), real=True).generator
    with WorkingPrecision(192):
        return R2[0, 0].value, (-R2[0, 1] * R2[1, 0]).value.sqrt()


@given(st.builds(QQ.ratio, st.integers(1, 8), st.integers(1, 3)), steps)
def test_angles_of_table_3(A, d) -> None:
    with WorkingPrecision(192):
        damping, psi = angle(LinOSS([A], [d], [[1]], [[1]]))
        assert psi.overlaps((d * arb(A).sqrt()).atan())
        assert damping.overlaps((1 + d * d * A * arb(1)).log() / 2)
        if d * d * A < 4:
            damping, phi = angle(LinOSS([A], [d], [[1]], [[1]], discretisation="IMEX"))
            assert phi.overlaps(2 * (d * arb(A).sqrt() / 2).asin())
            assert damping.overlaps(arb(0))
        G = QQ.ratio(1, 3)
        if (2 + d * G - d * d * A) ** 2 < 4 * (1 + d * G):
            damping, phi = angle(LinOSS([A], [d], [[1]], [[1]], damping=[G], discretisation="DampedIMEX1"))
            assert phi.overlaps((arb(2 + d * G - d * d * A) / (2 * arb(1 + d * G).sqrt())).acos())
            assert damping.overlaps(arb(1 + d * G).log() / 2)


@given(stiffnesses, steps)
def test_the_block_is_what_any_recurrence_becomes(A, d) -> None:
    # Twin: the general logarithm with Culver's condition, of the same 2 x 2 matrix.
    block = DISCRETISATIONS["IMEX"](QQ, A, QQ.zero, d)
    reason = obstacle(Matrix.over(FRACTIONS, block.transition))[1]
    if reason is not None:
        with pytest.raises(ValueError, match=NOT_REAL):
            match(block.transition, [[1], [0]], R, form="real")
        return
    (layer,), _ = match(block.transition, [[1], [0]], R)
    over = Block(Matrix.over(R, block.transition), tuple(map(R.coerce, block.drive)))
    shifted = shifted_logarithm(over, real=True)
    T = Matrix(R, [[R.one, shifted.shift], [R.zero, R.one]])
    assert T @ shifted.generator @ T.inverse() == layer.generator.matrix


def test_no_stiffness_is_a_jordan_block() -> None:
    # A = 0: z adds up, y adds up z; the lift tends to (d, d²/2) b.
    model = LinOSS([0], [HALF], [[1]], [[1]])
    found = Conversion(model, R)
    assert found.generator.matrix[1, 0] == -HALF
    assert found.generator.matrix[0, 1] == 0
    assert [x[0] for x in found.lift.rows] == [HALF, QQ.ratio(1, 8), 0, 0]
    assert certify(model, INPUTS).holds(30)


def test_the_order_of_the_state() -> None:
    model = LinOSS([1, 2], [1, 1], [[1], [QQ_I.i]], [[1, 0]], discretisation="IMEX")
    first = Recurrence(model, FRACTIONS).run([[3]])
    assert first.states == [[3, 3 * QQ_I.i, 3, 3 * QQ_I.i]]  # z_1, z_2, y_1, y_2
    assert first.outputs == [[3]]


def test_the_release() -> None:
    arrays = ([[[1, 2]], [[0, 1]]], [[[1, -1], [0, 1]]], [3])
    model = LinOSS.from_release([-1, 5], [0, 2], *arrays, discretisation="IMEX")
    assert model.stiffness == (0, 5)
    assert model.step == (HALF, sigmoid(2))
    assert certify(model, INPUTS).holds(30)


# A_diag, G_diag, dt of one oscillator; whether it is at A_+, decided.
CLAMPS = [
    (1, 0, 0, False),
    (16, 0, 0, True),  # d = 1/2: d²A = 4 exactly, without a clamp
    (16 - QQ.ratio(1, 10**40), 0, 0, False),
    (16 + QQ.ratio(1, 10**40), 0, 0, True),
    (10**6, 1, 2, True),
    (-5, 0, 1, False),  # A_- = 0
    (0, 1, 1, False),  # A_- > 0: a double positive eigenvalue
    (10**9, 2, -8, False),  # d² < 10^-6: both bounds are lower than the roots
    (0, 2, -8, False),
    (10**9, 2, -6, True),  # 10^-6 < d² < 10^-5: the roots themselves
    (3, -7, 0, False),  # a negative damping counts as 0
]


@pytest.mark.parametrize(("A", "G", "dt", "clamped"), CLAMPS)
def test_clamps_of_d_linoss(A, G, dt, clamped: bool) -> None:
    arrays = ([[[1, 2]]], [[[1, -1]]], [3])
    model = DLinOSS([A], [G], [dt], *arrays)
    assert certify(model, INPUTS).holds(30)
    strict = DLinOSS([A], [G], [dt], *arrays, form="real")
    assert strict.obstacle() == (f"{NOT_REAL} (oscillator 0)" if clamped else None)
    if clamped:
        with pytest.raises(ValueError, match=NOT_REAL):
            Conversion(strict, R)
    else:
        assert certify(strict, INPUTS).holds(30)


def test_the_clamped_block_has_a_double_negative_eigenvalue() -> None:
    block = DLinOSS([10**6], [1], [2], [[[1, 0]]], [[[1, 0]]]).block(R, 0).transition
    trace, det = block[0, 0] + block[1, 1], block[0, 0] * block[1, 1] - block[0, 1] * block[1, 0]
    assert trace * trace == 4 * det
    assert trace.value < 0
    assert det * (1 + R.coerce(sigmoid(2))) == 1  # -1/√(1 + dG), twice


@given(rationals(max_numerator=40), rationals(), rationals())
def test_d_linoss_draws(A, G, dt) -> None:
    assert certify(DLinOSS([A], [G], [dt], [[[1, 2]]], [[[1, -1]]]), INPUTS).holds(30)


def test_a_transcendental_edge_is_decided() -> None:
    # d = 1/(1 + e^{-1}), A = 4/d²: d²A = 4 in Frac(EE), which no ball can tell.
    d = sigmoid(1)
    edge = LinOSS([4 / (d * d)], [d], [[1]], [[1]], discretisation="IMEX", form="real")
    assert NOT_REAL in (edge.obstacle() or "")
    below = LinOSS([4 / (d * d) - QQ.ratio(1, 10**30)], [d], [[1]], [[1]], discretisation="IMEX", form="real")
    assert below.obstacle() is None
    doubled = LinOSS([4 / (d * d)], [d], [[1]], [[1]], discretisation="IMEX")
    assert certify(doubled, INPUTS).holds(30)


def test_doors() -> None:
    with pytest.raises(ValueError, match="unknown discretisation 'EX': choose one of IM, IMEX, DampedIM"):
        LinOSS([1], [1], [[1]], [[1]], discretisation="EX")
    with pytest.raises(ValueError, match="'IM' has no damping: take 'DampedIM'"):
        LinOSS([1], [1], [[1]], [[1]], damping=[1])
    with pytest.raises(ValueError, match="stiffness and damping are at least 0, got -1"):
        LinOSS([-1], [1], [[1]], [[1]])
    with pytest.raises(ValueError, match="a step must be above 0"):
        LinOSS([1], [-EE.one], [[1]], [[1]])
    with pytest.raises(ValueError, match="unknown form 'doubled': choose 'auto' or 'real'"):
        LinOSS([1], [1], [[1]], [[1]], form="doubled")
    with pytest.raises(ValueError, match=r"arccos|logarithm|root|not in Frac"):
        Conversion(LinOSS([1], [1], [[1]], [[1]]), FRACTIONS)
    assert ComplexBalls(64).coerce(LinOSS([1], [1], [[1]], [[1]]).input_map(FRACTIONS)[0, 0]) == HALF
