"""Frac(EE): laws of a field by ==, signs decided, and balls around the same numbers as a twin."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls
from ewsmath.ssm import FRACTIONS
from ewsmath.ssm.fractions import Quotient, sigmoid, sign
from ewsmath.strategies import elements, gaussians, rationals


@st.composite
def quotients(draw: st.DrawFn) -> Quotient:
    numerator, exponent = draw(elements(EE, max_terms=1)), draw(gaussians(max_numerator=1))
    return Quotient(numerator, draw(st.sampled_from([EE.one, EE.exp(EE.coerce(exponent)) + 2])))


@given(quotients(), quotients(), quotients())
def test_laws_of_a_field(x: Quotient, y: Quotient, z: Quotient) -> None:
    assert (x + y) * z == x * z + y * z
    assert x + y == y + x
    assert x - y == -(y - x)
    assert 1 - x == -(x - 1)
    assert (x * y).conjugate() == x.conjugate() * y.conjugate()
    if y:
        assert x / y * y == x
        assert 1 / y == y.inverse() == FRACTIONS.inverse(y)
        assert y * y.inverse() == FRACTIONS.one
    assert bool(x - x) is False
    assert x - x == FRACTIONS.zero

    ring = ComplexBalls(128)  # a twin: the same sums and products of balls
    assert ring.coerce(x) * ring.coerce(y) == ring.coerce(x * y)
    assert ring.coerce(x) + ring.coerce(y) == ring.coerce(x + y)
    assert x.is_real == (not (x - x.conjugate()))
    if not x.is_real:
        with pytest.raises(ValueError, match="only real numbers have a sign"):
            sign(x)


@given(rationals(), rationals())
def test_signs_are_those_of_the_numbers(p, q) -> None:
    e = EE.exp(EE.coerce(q))
    x = Quotient(e - EE.exp(EE.coerce(p)), e + 1)
    assert sign(x) == sign(q - p)
    assert sign(-x) == -sign(x)
    assert sign(q) == (q > 0) - (q < 0)


def test_a_close_sign_is_decided_by_more_bits() -> None:
    e = EE.exp(EE.one)
    convergent = QQ.coerce(0)
    for digit in reversed([2, *(d for k in range(1, 40) for d in (1, 2 * k, 1))]):  # e = [2; 1, 2, 1, 1, 4, 1, …]
        convergent = QQ.coerce(digit) + (1 / convergent if convergent else 0)
    assert abs(sign(e - convergent)) == 1
    assert sign(e - convergent) == -sign(convergent - e)
    assert sign(Quotient(EE.one, e - convergent)) == sign(e - convergent)
    assert Balls(300).coerce(Quotient(EE.one, e - convergent)) * Balls(300).coerce(e - convergent) == 1


def test_a_quotient_by_a_unit_of_ee_is_in_ee() -> None:
    e = FRACTIONS.exp(FRACTIONS.one)
    assert (1 / e).denominator == EE.one
    assert repr(1 / e) == "e^(-1)"
    assert repr((1 + e).inverse()) == "(1)/(1 + e^(1))"


def test_sigmoid() -> None:
    assert sigmoid(0) == QQ.ratio(1, 2)
    assert sigmoid(3) + sigmoid(-3) == 1
    with pytest.raises(TypeError, match="A float is not exact"):
        sigmoid(0.5)


def test_constants_come_back_down() -> None:
    half = Quotient(EE.coerce(QQ_I.i), EE.coerce(2))
    assert half.as_gaussian() == QQ_I.number(0, QQ.ratio(1, 2))
    assert FRACTIONS.ratio(1, 3).as_rational() == QQ.ratio(1, 3)
    with pytest.raises(ValueError, match="is no Gaussian rational"):
        sigmoid(1).as_gaussian()


def test_doors() -> None:
    assert repr(FRACTIONS) == FRACTIONS.name == "Frac(EE)"
    with pytest.raises(TypeError, match="A float is not exact"):
        FRACTIONS.coerce(0.5)
    with pytest.raises(ZeroDivisionError, match="divided by 0"):
        _ = FRACTIONS.one / FRACTIONS.zero
    with pytest.raises(ValueError, match="takes a Gaussian rational"):
        FRACTIONS.exp(sigmoid(1))
    for operation in (lambda x: x + 0.5, lambda x: x - 0.5, lambda x: x * 0.5, lambda x: x / 0.5):
        with pytest.raises(TypeError):
            operation(FRACTIONS.one)
    assert FRACTIONS.one != "1"


def test_copies_are_equal() -> None:
    x = sigmoid(2)
    assert copy.deepcopy(x) is x
    assert pickle.loads(pickle.dumps(x)) == x
    with pytest.raises(AttributeError):
        x.numerator = EE.one
