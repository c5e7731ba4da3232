"""The door for floats: exact in, nearest out."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, Matrix, TensorAlgebra, exact, to_numpy


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


def test_matrices_and_tensors_go_out_in_their_shape() -> None:
    assert to_numpy(Matrix(QQ, [[1, 2], [3, 4]])).tolist() == [[1, 2], [3, 4]]
    algebra = TensorAlgebra(QQ, 2, 2)
    levels = to_numpy(algebra.tensor({(): 1, (2,): 3, (1, 2): 5}))
    assert [level.tolist() for level in levels] == [1.0, [0, 3], [[0, 5], [0, 0]]]
