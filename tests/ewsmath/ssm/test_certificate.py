"""Certificates: what they bound, and ten wrong conversions that they refute."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from ewsmath import EE, QQ, QQ_I, Balls, Matrix, exact, generators
from ewsmath.ssm import (
    FRACTIONS,
    LRU,
    S5,
    Certificate,
    Conversion,
    Converted,
    Gate,
    Layer,
    LinearSSM,
    LinOSS,
    Recurrence,
    Retention,
    SelectiveScan,
    Token,
    UndecidedError,
    certify,
    distance,
    selective,
)
from ewsmath.ssm import certificate as module

i = QQ_I.i
R = Balls(128)
MODEL = S5([2 * i - 1, i - 2], [1, QQ.ratio(1, 2)], [[1, i], [2, 1]], [[1, i]])
INPUTS = [[1, 2], [0, -1], [3, 1]]


def changed(change: Callable[[Layer], Layer]) -> Converted:
    good = Conversion(MODEL, R)
    return Converted([change(layer) for layer in good.layers], good.coordinates)


def dense(matrix: Matrix[Any]) -> generators.Dense:
    return generators.Dense(matrix)


MUTANTS: dict[str, Callable[[Layer], Layer]] = {
    "sign of the generator": lambda layer: Layer(dense(-layer.generator.matrix), layer.lift),
    "conjugate": lambda layer: Layer(dense(layer.generator.matrix.transpose()), layer.lift),
    "factor two of the lift": lambda layer: Layer(layer.generator, layer.lift * 2),
    "conjugate lift": lambda layer: Layer(layer.generator, Matrix(R, [layer.lift.rows[0], (-layer.lift).rows[1]])),
    "input map for lift": lambda layer: Layer(layer.generator, functions_of(layer) @ layer.lift),
    "half a step": lambda layer: Layer(dense(layer.generator.matrix * QQ.ratio(1, 2)), layer.lift),
}


def functions_of(layer: Layer) -> Matrix[Any]:
    from ewsmath.ssm.lift import phi1_matrix

    return phi1_matrix(layer.generator.matrix)


@pytest.mark.parametrize("name", MUTANTS)
def test_wrong_conversions_are_refuted(name: str) -> None:
    found = distance(Conversion(MODEL, R, changed(MUTANTS[name])), INPUTS)
    assert found.refuted
    assert not found.holds(1)
    assert not distance(Conversion(MODEL, R), INPUTS).refuted


def test_a_wrong_phi_1_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    inputs = [Gate([1], [1], [1], [1])] * 2
    assert certify(SelectiveScan([[1]]), inputs).holds(30)
    monkeypatch.setattr(selective, "todd", lambda ring, z: 1 + z * ring.ratio(1, 2))  # the series, cut off
    with pytest.raises(ArithmeticError, match="SelectiveScan and its EWS are certainly different"):
        certify(SelectiveScan([[1]]), inputs)
    assert distance(Conversion(SelectiveScan([[1]]), FRACTIONS), inputs).refuted


def test_a_wrong_half_turn_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    from ewsmath.ssm import linoss

    model = LinOSS([4], [1], [[1]], [[1]], discretisation="IMEX")
    assert certify(model, [[1], [2]]).holds(30)
    monkeypatch.setattr(linoss, "pi", lambda ring: ring.coerce(3))
    with pytest.raises(ArithmeticError, match="certainly different"):
        certify(model, [[1], [2]])


def test_a_frame_that_turns_backwards_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    model, tokens = Retention([EE.exp(-EE.one)], 2, 1, angle=[1]), [Token([[1, 0]], [[1, 2]], [[3]])] * 3
    forward = Retention.frame
    monkeypatch.setattr(Retention, "frame", lambda self, ring, j: forward(self, ring, -j))
    assert distance(Conversion(model, FRACTIONS), tokens).refuted


def test_a_conversion_in_floats_is_judged() -> None:
    # The generator rounded to double precision: the distance is certified, and it is not zero.
    good = Conversion(LRU([1], [1], [[1]], [[1]]), R)
    (layer,) = good.layers
    rounded = [[exact(float(x.value.mid())) for x in row] for row in layer.generator.matrix.rows]
    lift = [[exact(float(x.value.mid())) for x in row] for row in layer.lift.rows]
    other = Converted([Layer(generators.Dense(rounded, ring=R), Matrix(R, lift))], good.coordinates)
    found = distance(Conversion(good.model, R, other), [[1], [2]])
    assert found.refuted
    assert QQ.ratio(1, 10**20) < found.state < QQ.ratio(1, 10**15)
    assert found.holds(14)
    assert not found.holds(20)


def test_bounds_hold_and_shrink() -> None:
    coarse, fine = (distance(Conversion(MODEL, Balls(bits)), INPUTS) for bits in (64, 256))
    assert fine.state < coarse.state * QQ.ratio(1, 10**50)
    assert not fine.refuted
    largest = max(
        abs(complex(float(z.value.real), float(z.value.imag)))
        for h in Recurrence(MODEL, R).run(INPUTS).states
        for z in h
    )
    assert abs(float(int(fine.state_scale * 10**9)) / 10**9 - largest) < 1e-6
    assert repr(fine).startswith("Certificate(state=")


def test_zero_inputs_are_at_distance_zero() -> None:
    found = certify(MODEL, [[0, 0]] * 2)
    assert (found.state_scale, found.output_scale) == (0, 0)
    assert found.holds(30)


def test_digits_are_those_of_the_largest_state() -> None:
    ten = QQ.coerce(10)
    found = Certificate(ten**-35, QQ.zero, ten**-30, QQ.zero, refuted=False, ring=R)
    assert found.holds(5)
    assert not found.holds(6)


def test_digits_that_are_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LARGEST_PRECISION", 200)
    with pytest.raises(ArithmeticError, match="100 digits were not reached at 200 bits"):
        certify(MODEL, INPUTS, digits=100)
    monkeypatch.setattr(module, "LARGEST_PRECISION", 700)
    monkeypatch.setattr(MODEL.__class__, "convert", undecided)
    with pytest.raises(ArithmeticError, match="30 digits were not reached"):
        certify(MODEL, INPUTS)
    with pytest.raises(ValueError, match="the number of digits must be at least 1"):
        certify(MODEL, INPUTS, digits=0)


def undecided(*_: Any) -> Any:
    raise UndecidedError("for a test")


def test_models_print_their_sizes_and_options() -> None:
    text = "S5(discretisation='zoh', modes=2, inputs=2, output_factor=1)"
    assert repr(MODEL) == text
    assert repr(Recurrence(MODEL, R)) == f"Recurrence({text}, ring=Balls(prec=128))"
    assert repr(Conversion(MODEL, R)) == f"Conversion({text}, ring=Balls(prec=128), layers=2)"


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_compute_the_same(way: Callable[[Any], Any]) -> None:
    for x in (Recurrence(MODEL, FRACTIONS), Conversion(MODEL, FRACTIONS)):
        assert way(x).run(INPUTS) == x.run(INPUTS)
    with pytest.raises(AttributeError):
        MODEL.modes = 3


def test_identity_coordinates_and_readout() -> None:
    model = LinearSSM([[QQ.ratio(1, 2)]], [[1]], [[3]])
    found = Conversion(model, R)
    assert found.coordinates is None
    assert found.readout == Matrix(R, [[3]])
