"""S4: certified against the release's own complex recurrence, with singular transitions decided exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, Matrix
from ewsmath.rings import ComplexBalls
from ewsmath.ssm import FRACTIONS, S4, S4D, Conversion, Recurrence, Softplus, certify, distance
from ewsmath.strategies import gaussians

INPUTS = [[1], [QQ.ratio(-2, 3)]]
i = QQ_I.i


@given(gaussians(), gaussians(), st.builds(QQ.ratio, st.integers(1, 2), st.integers(1, 3)), gaussians(), gaussians())
def test_a_mode_with_a_low_rank_part(eigenvalue, p, step, b, c) -> None:
    model = S4([[eigenvalue]], [[[p]]], [step], [[b]], [[c]])
    # The real form of ΔA_c is Δ(Λ - 2ppᵀ), 2 x 2: det(±2 - ΔA_c) = 4 ∓ 2 trace + det.
    trace = step * (2 * eigenvalue.real - 2 * (p.real**2 + p.imag**2))
    a, w, x, y = eigenvalue.real, eigenvalue.imag, p.real, p.imag
    det = step**2 * ((a - 2 * x * x) * (a - 2 * y * y) - (-w - 2 * x * y) * (w - 2 * x * y))
    if 4 + 2 * trace + det == 0:
        assert model.obstacle() == "transition is singular: no logarithm"
        with pytest.raises(ValueError, match="transition is singular"):
            Conversion(model, Balls(64))
    elif 4 - 2 * trace + det == 0:
        assert "the bilinear transform is undefined in channel 0" in (model.obstacle() or "")
    else:
        assert model.obstacle() is None
        found = Conversion(model, Balls(192))
        assert distance(found, INPUTS).holds(30)
        # Exactly as wide as it need be: doubled only for one of two negative eigenvalues of Abar, or a defective one.
        real = S4([[eigenvalue]], [[[p]]], [step], [[b]], [[c]], form="real").obstacle() is None
        assert found.generator.dim == (2 if real else 4)


def test_without_a_low_rank_part_it_is_s4d_bilinear() -> None:
    inputs = [[1, 2], [3, -1], [0, 1]]
    eigenvalue, B, C = [[i - 1, 2 * i - 1], [-1, -2]], [[1, i], [1, 1]], [[i, 1], [2, 1 + i]]
    own = S4(eigenvalue, [[[0, 0], [0, 0]]], [1, QQ.ratio(1, 2)], B, C, [1, 2])
    other = S4D(eigenvalue, [1, QQ.ratio(1, 2)], B, C, [1, 2], discretisation="bilinear")
    first, second = Recurrence(own, FRACTIONS).run(inputs), Recurrence(other, FRACTIONS).run(inputs)
    assert first.outputs == second.outputs
    assert first.states[-1][:2] == second.states[-1][:2]
    assert first.states[-1][2:4] == [x.conjugate() for x in second.states[-1][:2]]
    assert Conversion(own, Balls(96)).run(inputs).outputs == Recurrence(other, Balls(96)).run(inputs).outputs


def test_two_modes_of_rank_two_in_two_channels() -> None:
    vectors = [[[1, i], [QQ.ratio(1, 2), 1]], [[0, 1], [i, 0]]]
    model = S4([[i - 1, 2 * i], [-1, i]], vectors, [QQ.ratio(1, 3), 1], [[1, 1], [1, i]], [[1, 2], [i, 1]])
    assert certify(model, [[1, 2], [-1, 1]]).holds(30)


@pytest.mark.parametrize("length", [1, 2, 5])
def test_the_stored_read_out_of_a_kernel(length: int) -> None:
    model = S4([[i - 1]], [[[QQ.ratio(1, 2)]]], [1], [[1]], [[2 + i]])
    ring = ComplexBalls(128)
    Abar = model.transition(Balls(128))[0]
    C = Matrix(ring, [[2 + i, 2 - i]])
    power = identity = Matrix.identity(ring, 2)
    for _ in range(length):
        power = power @ Abar
    stored = C @ (identity - power)
    rational = [[z.mid for z in stored.entries][:1]]
    found = S4([[i - 1]], [[[QQ.ratio(1, 2)]]], [1], [[1]], rational, kernel_length=length)
    difference = found.readout(Balls(128)).matrix - C
    assert max(x.abs_upper() for x in difference.entries) < QQ.ratio(1, 10**30)
    assert certify(found, INPUTS).holds(30)


def test_the_release() -> None:
    arrays = {"B": [[[[1, 0]]]], "P": [[[[QQ.ratio(1, 2), 1]]]], "C": [[[[1, 1]], [[0, 1]]]]}
    model = S4.from_release([[0], [-1]], [[0]], [[3]], **arrays)
    assert model.eigenvalue[0][0] == model.eigenvalue[1][0] == QQ_I.number(-1, -3)  # minus
    assert model.step[1] == EE.exp(-EE.one)
    assert certify(model, [[1, 2], [0, 1]]).holds(30)
    soft = S4.from_release([[0]], [[0]], [[3]], arrays["B"], arrays["P"], [[[[1, 1]]]], dt_transform="softplus")
    assert isinstance(soft.step[0], Softplus)
    assert certify(soft, INPUTS).holds(30)
    with pytest.raises(ValueError, match="2 copies of the modes do not divide 1 channels"):
        S4.from_release([[0]], [[0]] * 2, [[3]] * 2, [arrays["B"][0] * 2], [arrays["P"][0] * 2], [[[[1, 1]]]])


def test_a_transcendental_singularity_is_decided() -> None:
    # ΔΛ = e^{-1} · (-2e) = -2 exactly, which no ball can tell.
    model = S4([[EE.exp(EE.one) * -2]], [[[0]]], [EE.exp(-EE.one)], [[1]], [[1]])
    assert model.obstacle() == "transition is singular: no logarithm"
    near = S4([[EE.exp(EE.one) * -2]], [[[0]]], [EE.exp(-EE.one) * QQ.ratio(10**50, 10**50 + 1)], [[1]], [[1]])
    assert near.obstacle() is None


def test_doors() -> None:
    with pytest.raises(ValueError, match="kernel_length is a whole number from 0 on, got -1"):
        S4([[1]], [[[0]]], [1], [[1]], [[1]], kernel_length=-1)
    with pytest.raises(ValueError, match="S4: B: 2 entries on an axis of 1"):
        S4([[1]], [[[0]]], [1], [[1, 2]], [[1]])
    with pytest.raises(ValueError, match=r"no real logarithm; use the doubled form \(channel 0\)"):
        Conversion(S4([[i]], [[[3]]], [1], [[1]], [[1]], form="real"), Balls(64))


@pytest.mark.parametrize(("distance", "reason"), [(0, "transition is singular: no logarithm"), (1, None)])
def test_a_transition_too_close_to_singular_for_balls_is_decided(distance: int, reason: str | None) -> None:
    # Eigenvalue -2 + 2^-600, or -2 itself: the 512 bits of the balls see no difference.
    model = S4([[QQ.ratio(-2 * 2**600 + distance, 2**600)]], [[[0]]], [1], [[1]], [[1]])
    assert model._may_be_singular(0, 1)
    assert model.obstacle() == reason
