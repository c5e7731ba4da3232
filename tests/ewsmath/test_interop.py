"""The door for floats: exact in, nearest out."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb, fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, MP, QQ, QQ_I, SR, Balls, ComplexBalls, Matrix, TensorAlgebra, exact, to_numpy
from ewsmath.generators import Diagonal
from ewsmath.rings import RF


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_survive_the_round_trip(x: float) -> None:
    value = exact(x)
    assert Fraction(int(value.p), int(value.q)) == Fraction(x)
    assert float(to_numpy([value])[0]) == x
    # A double has 53 bits, so the ball of that precision is exact.
    assert (Balls(53).coerce(value).mid, Balls(53).coerce(value).radius) == (value, 0)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_singles_keep_their_own_value(x: float) -> None:
    assert exact(np.float32(x)) == exact(x)
    assert exact(np.array([x], dtype=np.float32)) == [exact(x)]


def test_arrays_keep_their_shape() -> None:
    found = exact(np.array([[0.1, -2.0], [0.5, 3.0]]))
    assert found == [[fmpq(3602879701896397, 2**55), -2], [fmpq(1, 2), 3]]
    assert exact(np.array([2**62, 3])) == [2**62, 3]
    assert exact(np.float64(0.5)) == fmpq(1, 2)
    assert exact([1, (2, 0.25)]) == [1, [2, fmpq(1, 4)]]
    assert exact(0.5 - 2j) == QQ_I.number(fmpq(1, 2), -2)
    assert exact(np.array(0.5)) == fmpq(1, 2)
    assert exact([fmpq(1, 3), fmpz(2), Fraction(1, 7)]) == [fmpq(1, 3), 2, fmpq(1, 7)]
    assert exact(np.clongdouble(0.5 - 2j)) == QQ_I.number(fmpq(1, 2), -2)


@pytest.mark.parametrize("x", [math.nan, math.inf, -math.inf, np.array([1.0, np.nan]), np.float32("inf")])
def test_what_is_not_finite_is_refused(x: object) -> None:
    with pytest.raises(ValueError, match="remove NaN and infinities"):
        exact(x)


@pytest.mark.parametrize("x", ["0.1", None, {}])
def test_what_is_no_number_is_refused(x: object) -> None:
    with pytest.raises(TypeError, match="exact takes numbers"):
        exact(x)


def test_every_kind_of_number_goes_out_as_the_nearest_float() -> None:
    e = EE.exp(EE.one)
    assert to_numpy([e, e * 0, QQ.ratio(1, 3)]).tolist() == [math.e, 0.0, 1 / 3]
    assert to_numpy([Balls(96).ratio(1, 3), ComplexBalls(96).ratio(2, 3)]).tolist() == [1 / 3, 2 / 3]
    assert to_numpy([QQ_I.number(1, fmpq(1, 2))]).tolist() == [1 + 0.5j]
    turned = to_numpy([EE.exp(EE.coerce(QQ_I.i))])[0]
    assert turned == complex(math.cos(1), math.sin(1))


def test_numbers_of_mp_and_formulas_without_parameters_go_out() -> None:
    ring = MP(30)
    assert to_numpy(ring.ratio(1, 3)) == 1 / 3
    assert to_numpy([ring.one, ring.coerce(QQ_I.number(1, -2))]).tolist() == [1, 1 - 2j]
    assert to_numpy(SR.coerce(1)) == 1
    assert to_numpy([SR.exp(SR.one), RF.ratio(1, 3)]).tolist() == [math.e, 1 / 3]
    for parameter in (SR.symbol("a"), RF.symbol("a")):
        with pytest.raises(ValueError, match=r"a depends on a and has no nearest float: give values, at\(\{…\}\)"):
            to_numpy(parameter)


@pytest.mark.parametrize("depth", [1, 4, 5, 6])
def test_cancellation_costs_no_digit(depth: int) -> None:
    # At rate λ → 0 level n tends to 1/n!, while the terms of its closed form grow like λ^-n.
    slow = EWS(Diagonal(fmpq(1, 10**12)), depth=depth).local(1, [1])
    # The next term is at most λ n/n!: a relative n·10^-12.
    assert to_numpy(slow)[depth].item() == pytest.approx(1 / math.factorial(depth), rel=2 * depth * 1e-12)


def test_numbers_beyond_the_range_of_floats_round_to_zero_or_infinity() -> None:
    slow_and_fast = EWS(Diagonal([fmpq(1, 10**12), 10**11]), depth=1).local(1, [1, 1])
    # (1 - e^-λ)/λ = 1 - λ/2 + … and 1/μ, each to the nearest float.
    assert to_numpy(slow_and_fast)[1].tolist() == [1 - 5e-13, 1e-11]
    huge = 10**11
    assert to_numpy([EE.exp(EE.coerce(-huge)), EE.exp(EE.coerce(huge)), -EE.exp(EE.coerce(1000))]).tolist() == [
        0.0,
        math.inf,
        -math.inf,
    ]
    ring = Balls(64)
    assert to_numpy([ring.exp(ring.coerce(-huge)), ring.exp(ring.coerce(huge))]).tolist() == [0.0, math.inf]
    assert to_numpy([QQ.coerce(-(10**400)), QQ.ratio(1, 10**400)]).tolist() == [-math.inf, 0.0]


@pytest.mark.parametrize("x", ["1", 0.5, None])
def test_what_is_in_no_ring_does_not_go_out(x: object) -> None:
    with pytest.raises(TypeError, match="to_numpy takes"):
        to_numpy([x])


@pytest.mark.parametrize("x", [arb.nan(), arb.pos_inf(), arb(0, arb.pos_inf())])
def test_an_unbounded_ball_has_no_nearest_float(x: arb) -> None:
    with pytest.raises(ValueError, match="unbounded"):
        to_numpy([Balls(64).coerce(x)])


def test_matrices_and_tensors_go_out_in_their_shape() -> None:
    assert to_numpy(Matrix(QQ, [[1, 2], [3, 4]])).tolist() == [[1, 2], [3, 4]]
    algebra = TensorAlgebra(QQ, 2, 2)
    levels = to_numpy(algebra.tensor({(): 1, (2,): 3, (1, 2): 5}))
    assert [level.tolist() for level in levels] == [1.0, [0, 3], [[0, 5], [0, 0]]]
