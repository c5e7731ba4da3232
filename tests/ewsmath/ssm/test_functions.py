"""The functions of the models: balls against exact twins, other formulas, and the points where quotients are 0/0."""

from math import pi as PI
from typing import Any

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls
from ewsmath.rings import Ball, WorkingPrecision
from ewsmath.ssm import FRACTIONS, Softplus, UndecidedError, functions
from ewsmath.ssm.numbers import array, number, pairs, positive, transformed
from ewsmath.strategies import gaussians, rationals

R, C = Balls(128), ComplexBalls(128)
TINY = fmpq(1, 2**90)


def around(x, ring: Any = C) -> Any:
    """A ball of radius 2^-90 around a point."""
    z = ring.coerce(x)
    with WorkingPrecision(ring.prec):
        return Ball(ring, z.value + type(z.value)(arb(0, arb(2) ** -90)))


@given(gaussians(max_numerator=20))
def test_phi1_is_exact_and_enclosed(z) -> None:
    exact = functions.phi1(FRACTIONS, FRACTIONS.coerce(z))
    assert exact * z == FRACTIONS.exp(FRACTIONS.coerce(z)) - 1 if z else exact == 1
    for point in (C.coerce(z), around(z)):
        ball = functions.phi1(C, point)
        assert ball == C.coerce(exact)
        assert ball.radius < TINY * 10**10 * 4**20


@given(gaussians(max_numerator=2))
def test_todd_is_the_series_of_bernoulli_numbers(z) -> None:
    total, factor = C.zero, C.one  # |z| < 2π, and the terms from 120 on are below 4 (2.9/6.2)^120
    for k in range(120):
        total = total + factor * (fmpq.bernoulli(k) * (-1) ** k)
        factor = factor * C.coerce(z) / (k + 1)
    assert (functions.todd(C, C.coerce(z)) - total).abs_upper() < TINY  # 2^-90
    assert C.coerce(functions.todd(FRACTIONS, FRACTIONS.coerce(z))) == functions.todd(C, C.coerce(z))
    assert functions.todd(C, around(0)) == 1


@given(gaussians(max_numerator=5))
def test_logarithms_are_logarithms_and_principal(z) -> None:
    if not z:
        with pytest.raises(UndecidedError, match="may be zero"):
            functions.logarithm(C, C.coerce(z))
        return
    log = functions.logarithm(C, C.coerce(z))
    assert C.exp(log) == C.coerce(z)
    assert -PI < float(log.value.imag) <= PI + 1e-15
    assert functions.logarithm(C, around(z)).radius < TINY * 1000  # narrow on the negative axis, too


def test_the_logarithm_below_the_negative_axis_is_principal() -> None:
    below = functions.logarithm(C, C.coerce(QQ_I.number(-1, QQ.ratio(-1, 1000))))
    assert float(below.value.imag) < -3.14


@given(gaussians(max_numerator=5))
def test_artanh_ratio(w) -> None:
    if w in (1, -1):
        return
    ratio = functions.artanh_ratio(C, C.coerce(w))
    value = 2 * ratio * C.coerce(w)
    assert C.exp(value) * (1 - C.coerce(w)) == 1 + C.coerce(w)  # e^{2 artanh w} = (1 + w)/(1 - w)
    assert -PI - 1e-15 < float(value.value.imag) <= PI + 1e-15
    small = C.coerce(w * QQ.ratio(1, 100))
    assert functions.artanh_ratio(C, small) * small == functions.artanh_ratio(C, -small) * small
    assert C.exp(2 * functions.artanh_ratio(C, small) * small) * (1 - small) == 1 + small
    assert functions.artanh_ratio(C, around(0)) == 1


@given(rationals(max_numerator=30, max_denominator=10))
def test_arc_ratio(c) -> None:
    if c <= -1:
        with pytest.raises(UndecidedError, match="unbounded"):
            functions.arc_ratio(R, R.coerce(-1))
        return
    ratio = functions.arc_ratio(R, R.coerce(c)).value
    with WorkingPrecision(128):
        if c < 1:
            root = (1 - arb(c) ** 2).sqrt()
            assert (ratio * root).overlaps(arb(c).acos())
        elif c > 1:
            root = (arb(c) ** 2 - 1).sqrt()
            assert (ratio * root).overlaps(arb(c).acosh())
        else:
            assert ratio.overlaps(arb(1))
    assert functions.arc_ratio(R, around(1, R)) == 1


@given(rationals())
def test_softplus_and_sigmoid_and_silu(x) -> None:
    ball = R.coerce(x)
    assert R.exp(functions.softplus(R, ball)) == 1 + R.exp(ball)
    assert R.coerce(Softplus(x)) == functions.softplus(R, ball)
    assert functions.softplus(R, ball) - functions.softplus(R, -ball) == ball
    assert functions.silu(R, ball) == ball * R.coerce(transformed("sigmoid", x, "x"))


def test_transforms() -> None:
    assert transformed("exp", 2, "x") == EE.exp(EE.coerce(2))
    assert transformed("none", 2, "x") == 2
    tiny = QQ.ratio(1, 10_000)
    assert (transformed("relu", -2, "x"), transformed("relu", 2, "x")) == (tiny, 2 + tiny)
    assert repr(transformed("softplus", 1, "x")) == "Softplus(1)"
    with pytest.raises(ValueError, match="unknown transform 'tanh': 'exp', 'none'"):
        transformed("tanh", 1, "x")


@given(st.integers(-50, 50), rationals(max_numerator=3, max_denominator=4))
def test_angles_are_reduced(turns: int, x) -> None:
    angle = R.coerce(x) + 2 * functions.pi(R) * turns
    assert functions.reduced_angle(R, angle) == R.coerce(x)
    assert functions.reduced_angle(FRACTIONS, FRACTIONS.coerce(100)) == 100


def test_an_exact_ring_has_no_roots() -> None:
    with pytest.raises(ValueError, match="the root of 2 is not in"):
        functions.square_root(FRACTIONS, FRACTIONS.coerce(2))


def test_numbers_at_the_door() -> None:
    assert number(QQ_I.i, "x") == QQ_I.i
    assert array([[1, 2], [3, 4]], [None, 2], "x") == ((1, 2), (3, 4))
    assert pairs([[1, 2], [0, -1]], [2], "x") == (QQ_I.number(1, 2), QQ_I.number(0, -1))
    with pytest.raises(TypeError, match="A float is not exact"):
        number(0.5, "x")
    with pytest.raises(TypeError, match="x: this place takes entries as a sequence, got 1"):
        array([1, 2], [None, 2], "x")
    with pytest.raises(ValueError, match="x: 2 entries on an axis of 3"):
        array([1, 2], [3], "x")
    with pytest.raises(ValueError, match="at least 1"):
        array([], [None], "x")
    for value in (0, -1, -EE.exp(EE.one)):
        with pytest.raises(ValueError, match="x must be above 0"):
            positive(value, "x")
    assert positive(Softplus(-3), "x").argument == -3
