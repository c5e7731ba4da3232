"""S4D, S5 and LRU: exact with == where the generator is in Frac(EE), certified in balls, and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, Matrix, PiecewiseLinearPath
from ewsmath.rings import ComplexBalls
from ewsmath.ssm import FRACTIONS, LRU, S4D, S5, Conversion, Recurrence, Softplus, certify, distance
from ewsmath.ssm.s5 import CLIP
from ewsmath.strategies import gaussians, rationals

HALF = QQ.ratio(1, 2)
INPUTS = [[1], [QQ.ratio(-2, 3)]]
positive_rationals = st.builds(QQ.ratio, st.integers(1, 4), st.integers(1, 3))
releases = rationals(max_numerator=3, max_denominator=2)


def rows(entries, n: int, d: int):
    row = st.lists(entries, min_size=d, max_size=d)
    return st.lists(row, min_size=n, max_size=n)


@given(gaussians(max_numerator=6), positive_rationals, gaussians(), gaussians(), rationals())
def test_zero_order_hold_is_an_ews_exactly(a, step, b, c, d) -> None:
    model = S5([a], [step], [[b]], [[c]], [d], output_factor=2)
    found = Conversion(model, FRACTIONS)
    exact = distance(found, INPUTS)
    assert exact.state == exact.output == 0
    z = step * a  # generator -Δa in real form, whose exponential is the transition
    assert found.generator.matrix == Matrix(FRACTIONS, [[-z.real, z.imag], [-z.imag, -z.real]])
    transition = model.transition(FRACTIONS)[0][0, 0]
    assert transition == FRACTIONS.exp(FRACTIONS.coerce(z))
    column = found.generator.exponential(1).transpose().rows[0]
    assert column[0] + QQ_I.i * column[1] == transition


@given(gaussians(max_numerator=6), positive_rationals, gaussians(), gaussians(), rationals())
def test_bilinear_is_certified_or_refused(a, step, b, c, d) -> None:
    model = S5([a], [step], [[b]], [[c]], [d], discretisation="bilinear")
    reason = {-2: "transition is singular: no logarithm", 2: "the bilinear transform is undefined"}
    z = step * a
    if z in (-2, 2):
        text = reason[int(z.real)]
        assert text in (model.obstacle() or "")
        with pytest.raises(ValueError, match=text):
            Conversion(model, Balls(64))
        return
    assert certify(model, INPUTS).holds(30)
    (transition,) = model.transition(FRACTIONS)  # the recurrence itself stays in the exact field
    assert transition[0, 0] * (2 - z) == 2 + z


@pytest.mark.parametrize("step", [1, HALF, EE.exp(EE.one)])
def test_bilinear_edges_are_decided(step) -> None:
    for a, text in ((-2, "transition is singular"), (2, "the bilinear transform is undefined")):
        at = a / FRACTIONS.coerce(step)  # step times eigenvalue is exactly a
        for eigenvalue, reason in ((at, text), (at * QQ.ratio(10**40 + 1, 10**40), None)):
            found = S5([eigenvalue], [step], [[1]], [[1]], discretisation="bilinear").obstacle()
            assert found is None if reason is None else reason in (found or "")


@given(positive_rationals, rationals(max_numerator=9), gaussians(), gaussians())
def test_lru_is_an_ews_exactly_and_in_balls(decay, angle, b, c) -> None:
    model = LRU([decay], [angle], [[b]], [[c]], [1])
    exact = distance(Conversion(model, FRACTIONS), INPUTS)
    assert exact.state == exact.output == 0
    assert certify(model, INPUTS, digits=40).holds(40)
    generator = Conversion(model, Balls(64)).layers[0].generator.matrix
    assert -4 < float(generator[1, 0].value) < 4  # reduced to [-π, π]


@given(rows(releases, 2, 1), rows(releases, 2, 1), st.sampled_from(["zoh", "bilinear"]), st.data())
def test_the_kernel_release_of_s4d(modes, steps, disc, data) -> None:
    pairs = rows(st.tuples(releases, releases), 2, 1)
    B, C = data.draw(pairs), data.draw(pairs)
    model = S4D.from_release(steps, modes, modes[::-1], [B], [C], disc=disc)
    for c in range(2):
        # A minus sign before the frequency, and no exponential.
        assert model.eigenvalue[c] == -EE.exp(EE.coerce(modes[c][0])) - QQ_I.i * modes[1 - c][0]
        assert model.step[c] == EE.exp(EE.coerce(steps[c][0]))
        assert model.B[c][1 - c] == 0
    assert certify(model, [[1, 2], [-1, HALF]]).holds(30)


def test_copies_and_transforms_of_the_kernel_release() -> None:
    one = [[[[1, 0]]]]
    model = S4D.from_release([[0], [1]], [[1]], [[3]], one, [[[[1, 0]], [[0, 1]]]], real_transform="relu")
    assert [a.as_gaussian() for a in model.eigenvalue] == [QQ_I.number(QQ.ratio(-10_001, 10_000), -3)] * 2
    turning = S4D.from_release([[1]], [[1]], [[3]], one, one, imag_transform="exp")
    assert certify(turning, INPUTS).holds(30)
    soft = S4D.from_release([[1]], [[1]], [[3]], one, one, dt_transform="softplus", disc="bilinear")
    assert soft.step == (soft.step[0],)
    assert isinstance(soft.step[0], Softplus)
    assert certify(soft, INPUTS).holds(30)
    with pytest.raises(ValueError, match=r"inv_dt of shape \(3, 1\) with 2 copies"):
        S4D.from_release([[0]] * 3, [[1]] * 2, [[1]] * 2, [one[0][0] * 2], [[[[1, 0]]] * 3])
    steps_of_modes = S4D.from_release([[0, 1]], [[1, 1]], [[3, 4]], [[[[1, 0]] * 2]], [[[[1, 0]] * 2]])
    assert steps_of_modes.step[1] == EE.exp(EE.one)


def test_the_minimal_release_of_s4d() -> None:
    model = S4D.from_minimal_release([0, -1], [[0], [1]], [[2], [-3]], [[[1, 0]], [[0, 1]]], [1, 2])
    assert model.eigenvalue[0] == QQ_I.number(-1, 2)  # plus
    assert model.eigenvalue[1] == -EE.exp(EE.one) - 3 * QQ_I.i
    inputs = [[1, 2], [3, 4]]
    assert certify(model, inputs).holds(30)
    own = Recurrence(model, FRACTIONS)
    with pytest.raises(ValueError, match="takes a Gaussian rational"):  # e^{-e} is in no exact ring here
        own.run(inputs)
    # y_1 = 2 Re(C h) + D u with h = (e^a - 1)/a for a = -1 + 2i and C = 1.
    first = Recurrence(model, Balls(128)).run(inputs).outputs[0][0]
    a = ComplexBalls(128).coerce(QQ_I.number(-1, 2))
    assert first == 2 * ((ComplexBalls(128).exp(a) - 1) / a).real + 1


@pytest.mark.parametrize("imag", [2, -2, 0])
@pytest.mark.parametrize("length", [1, 2])
def test_frequencies_keep_their_sign_and_conjugate_pairs_give_the_same_output(imag: int, length: int) -> None:
    # The field's fault: an exponential on the imaginary part, so that it could be neither 0 nor negative.
    tenth = QQ.ratio(-1, 10)
    stored = S5.from_release([tenth], [imag], [[[1, 0]]], [[[1, 0]]], [0], [[0]])
    both = S5([QQ_I.number(tenth, imag), QQ_I.number(tenth, -imag)], [1, 1], [[1], [1]], [[1, 1]])
    one, two = (Recurrence(model, FRACTIONS).run(INPUTS[:length]) for model in (stored, both))
    assert one.outputs == two.outputs
    assert len(one.states) == length
    assert distance(Conversion(stored, FRACTIONS), INPUTS[:length]).state == 0
    assert Conversion(stored, FRACTIONS).generator.matrix[0, 1] == imag


def test_the_state_after_the_first_input_is_its_drive() -> None:
    model = S5([QQ_I.number(0, 0)], [HALF], [[3]], [[1]])  # a = 0: the limit Δ B u
    assert Recurrence(model, FRACTIONS).run([[2], [5]]).states == [[3], [3 + HALF * 15]]
    bilinear = S5([QQ_I.number(0, 0)], [HALF], [[3]], [[1]], discretisation="bilinear")
    assert Recurrence(bilinear, FRACTIONS).run([[2]]).states == [[3]]
    assert certify(bilinear, INPUTS).holds(30)


def test_s5_options() -> None:
    parts = ([[[1, 0]]], [[[0, 1]]], [1], [[0]])
    clipped = S5.from_release([1], [2], *parts, clip_eigs=True, step_rescale=HALF, conj_sym=False)
    assert clipped.eigenvalue[0] == QQ_I.number(CLIP, 2)
    assert clipped.step[0] == HALF
    assert clipped.output_factor == 1
    assert S5.from_release([-1], [2], *parts, clip_eigs=True).eigenvalue[0] == QQ_I.number(-1, 2)
    with pytest.raises(TypeError, match="conj_sym is True or False"):
        S5.from_release([1], [2], *parts, conj_sym=1)  # type: ignore[arg-type]


def test_lru_release() -> None:
    model = LRU.from_release([0], [1], [-1], [[1]], [[2]], [[3]], [[4]], [5])
    assert model.decay == (EE.one,)
    assert model.angle == (EE.exp(EE.one),)
    assert model.B[0][0] == EE.exp(-EE.one) * QQ_I.number(1, 2)
    assert certify(model, INPUTS).holds(30)


def test_the_whole_generator_is_the_ews_of_the_front_door() -> None:
    i = QQ_I.i
    model = S5([i - 1, 2 * i - HALF], [1, HALF], [[1, 0], [i, 1]], [[1, i]])
    inputs = [[1, 2], [0, -1], [3, HALF]]
    found = Conversion(model, FRACTIONS)
    values = found.ews.stream(PiecewiseLinearPath.from_increments(inputs))
    run = found.run(inputs)
    for value, state, output in zip(values[1:], run.states, run.outputs, strict=True):
        level = value.level(1)
        assert [level[0] + i * level[1], level[2] + i * level[3]] == state
        assert found.readout.apply(level) == output


def test_doors() -> None:
    with pytest.raises(ValueError, match="unknown discretisation 'euler': choose 'zoh' or 'bilinear'"):
        S5([1], [1], [[1]], [[1]], discretisation="euler")
    with pytest.raises(ValueError, match="a step must be above 0, got 0"):
        S5([1], [0], [[1]], [[1]])
    with pytest.raises(ValueError, match="the output factor is 1 or 2"):
        S5([1], [1], [[1]], [[1]], output_factor=3)
    with pytest.raises(ValueError, match="a decay must be above 0"):
        LRU([0], [0], [[1]], [[1]])
    with pytest.raises(TypeError, match="A float is not exact"):
        S5([0.5], [1], [[1]], [[1]])
    with pytest.raises(ValueError, match="a diagonal D needs as many outputs as inputs"):
        S5([1], [1], [[1, 2]], [[1]], [1])
    assert S5([1], [1], [[1, 2]], [[1]], [[5, 6]]).D == ((5, 6),)
    model = S5([1], [1], [[1, 2]], [[1]])
    with pytest.raises(ValueError, match="a model needs at least one input, got none"):
        Recurrence(model, FRACTIONS).run([])
    with pytest.raises(ValueError, match="input 1: 1 entries on an axis of 2"):
        Recurrence(model, FRACTIONS).run([[1, 2], [1]])
    with pytest.raises(TypeError, match="A float is not exact"):
        Conversion(model, FRACTIONS).run([[1, 0.5]])
    with pytest.raises(TypeError, match="Recurrence takes a model"):
        Recurrence("S5", FRACTIONS)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="Conversion takes a model"):
        Conversion("S5", FRACTIONS)  # type: ignore[arg-type]
