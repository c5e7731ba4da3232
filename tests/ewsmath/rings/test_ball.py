"""Balls: enclosures of exact values, and a global precision that nobody touches."""

import operator
from typing import Any

import flint
import pytest
from flint import acb, arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ_I, Balls, ComplexBalls
from ewsmath.rings import AbstractBalls, Ball, Gaussian, WorkingPrecision
from ewsmath.strategies import gaussians, rationals


@pytest.mark.parametrize("ring", [Balls(64), ComplexBalls(64)])
@given(x=rationals(), y=rationals())
def test_operations_enclose_the_exact_value(ring: AbstractBalls, x: fmpq, y: fmpq) -> None:
    a, b = ring.coerce(x), ring.coerce(y)
    assert a + b == ring.coerce(x + y)
    assert a - b == ring.coerce(x - y)
    assert a * b == ring.coerce(x * y)
    assert x - b == ring.coerce(x - y)
    assert -a == ring.coerce(-x)
    if y:
        assert a / b == ring.coerce(x / y)
    assert (a == b) == (x == y)


@given(gaussians())
def test_complex_balls_enclose_gaussian_rationals(z: Gaussian) -> None:
    ball = ComplexBalls(64).coerce(z)
    assert ball.real == z.real
    assert ball.imag == z.imag
    assert ball * ball == ComplexBalls(64).coerce(z * z)


@given(st.integers(2, 400), st.integers(2, 400))
def test_results_have_the_precision_of_the_ring_whatever_the_global_one(inside: int, outside: int) -> None:
    before = flint.ctx.prec
    with WorkingPrecision(outside):
        third = Balls(inside).one / Balls(inside).coerce(3)
        assert flint.ctx.prec == outside
    assert flint.ctx.prec == before
    # 1/3 rounded to p bits is within 2^-p/3 of it; the radius bounds that, up to its own rounding upwards.
    assert fmpq(1, 2 ** (inside + 4)) < third.radius < fmpq(1, 2 ** (inside - 1))
    assert abs(third.mid - fmpq(1, 3)) <= third.radius


def test_no_operation_rounds_to_the_global_precision() -> None:
    ring = Balls(256)
    third = ring.ratio(1, 3)
    negated: list[list[Ball]] = []
    for outside in (53, 2, 3000):
        with WorkingPrecision(outside):
            negated.append([-third, ring.exp(-third), ring.maximum(-third, third), (-third).real, ring.coerce(-third)])
    for balls in negated:
        # A dozen roundings at 256 bits, far from the 2^-55 that a rounding to the global precision would leave.
        assert all(ball.radius < fmpq(1, 2**200) for ball in balls)
        assert [(x.mid, x.radius) for x in balls] == [(x.mid, x.radius) for x in negated[0]]


def test_the_global_precision_returns_after_an_error() -> None:
    before = flint.ctx.prec
    with pytest.raises(ZeroDivisionError):
        _ = Balls(300).one / Balls(300).zero
    with pytest.raises(ZeroDivisionError):
        Balls(300).inverse(Ball(Balls(300), arb(0, 1)))
    assert flint.ctx.prec == before


def test_overlap_is_equality() -> None:
    ring = Balls(64)
    wide = Ball(ring, arb(0, 1))
    assert ring.equal(wide, ring.ratio(1, 2))
    assert wide == 1
    assert wide != 2
    assert wide.overlaps(ring.one)
    assert wide != "1"
    with pytest.raises(TypeError, match="unhashable"):
        hash(wide)


def test_only_the_exact_zero_is_false() -> None:
    assert not Balls(64).zero
    assert Ball(Balls(64), arb(0, 1e-30))
    assert ComplexBalls(64).coerce(QQ_I.i)


def test_precisions_are_not_mixed_unseen() -> None:
    with pytest.raises(TypeError, match=r"Balls\(prec=64\) and Balls\(prec=65\) are not mixed"):
        _ = Balls(64).one + Balls(65).one
    with pytest.raises(TypeError):
        _ = Balls(64).one + 0.5
    assert Balls(64).coerce(Balls(65).ratio(1, 3)) == Balls(64).ratio(1, 3)
    assert ComplexBalls(64).coerce(Balls(64).one) == 1


def test_what_is_not_real_does_not_enter_real_balls() -> None:
    assert Balls(64).coerce(acb(2)) == 2
    assert Balls(64).coerce(arb(2)) == 2
    for x in (QQ_I.i, ComplexBalls(64).coerce(QQ_I.i), acb(0, 1)):
        with pytest.raises(ValueError, match=r"Use ComplexBalls\(prec=64\)"):
            Balls(64).coerce(x)
    with pytest.raises(ValueError, match="orders real numbers only"):
        ComplexBalls(64).maximum(ComplexBalls(64).coerce(QQ_I.i), ComplexBalls(64).one)


@given(gaussians())
def test_exp_agrees_with_the_exact_ring(z: Gaussian) -> None:
    ring = ComplexBalls(64)
    assert ring.exp(ring.coerce(z)) == ring.coerce(EE.exp(EE.coerce(z)))


def test_exp_takes_every_number_of_the_ring_and_no_other() -> None:
    assert Balls(64).exp(1) == Balls(64).exp(Balls(64).one) == Balls(64).coerce(EE.exp(1))  # type: ignore[arg-type]
    assert EE.exp(1) == EE.exp(fmpq(1)) == EE.exp(EE.one)  # type: ignore[arg-type]
    for ring in (Balls(64), ComplexBalls(64), EE):
        with pytest.raises(TypeError, match="A float is not exact"):
            ring.exp(0.5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not real"):
        Balls(64).exp(ComplexBalls(64).coerce(QQ_I.i))


def test_midpoint_radius_and_bound_are_exact_numbers() -> None:
    ball = Ball(Balls(64), arb(fmpq(-3, 4), fmpq(1, 8)))
    assert ball.mid == fmpq(-3, 4)
    slack = 1 + fmpq(1, 2**28)  # flint keeps 30 bits of a radius, and rounds up
    assert fmpq(1, 8) <= ball.radius <= fmpq(1, 8) * slack
    assert fmpq(7, 8) <= ball.abs_upper() <= fmpq(7, 8) * slack
    box = Ball(ComplexBalls(64), acb(arb(3, 1), arb(-4, 1)))
    assert box.mid == QQ_I.number(3, -4)
    assert 2 <= box.radius <= 2 * slack
    assert 41 <= box.abs_upper() ** 2 <= 42  # the corner 4 - 5i


def test_an_unbounded_ball_has_no_bound() -> None:
    with pytest.raises(ValueError, match="unbounded"):
        Ball(Balls(64), arb.pos_inf()).abs_upper()


def test_huge_exponents_are_bounded_or_refused_but_never_written_out() -> None:
    ring = Balls(64)
    tiny, huge = ring.exp(ring.coerce(-(10**11))), ring.exp(ring.coerce(10**11))
    limit = fmpq(1, 2 ** (2**24 - 64))  # bounds have mantissas of at most 64 bits
    assert 0 < tiny.abs_upper() <= limit
    assert 0 < tiny.radius <= limit
    assert ring.coerce(-3).abs_upper() == 3
    for use in (lambda: tiny.mid, lambda: huge.mid, lambda: huge.radius, lambda: huge.abs_upper()):
        with pytest.raises(ValueError, match="too long as a rational"):
            use()


def test_maximum_of_overlapping_balls_encloses_both_cases() -> None:
    ring = Balls(64)
    relu = ring.maximum(Ball(ring, arb(0, 1)), ring.zero)
    assert relu == 1
    assert relu == 0
    assert relu != fmpq(-1, 2)


@pytest.mark.parametrize(("prec", "error"), [(1, ValueError), (64.0, TypeError), (True, TypeError)])
def test_bad_precisions_are_refused(prec: int, error: type[Exception]) -> None:
    with pytest.raises(error, match="prec"):
        Balls(prec)


def test_a_ball_is_immutable_and_reads_as_flint_writes_it() -> None:
    with pytest.raises(AttributeError):
        Balls(53).one.value = 2
    assert str(Balls(53).one) == "1.00000000000000"


@pytest.mark.parametrize("ring", [Balls(64), ComplexBalls(64)])
def test_numbers_are_divided_by_balls(ring: Any) -> None:
    third = 1 / ring.coerce(3)
    assert third.ring == ring
    assert third == ring.ratio(1, 3)
    assert third.radius < fmpq(1, 2**60)
    assert fmpq(2, 3) / ring.coerce(2) == ring.ratio(1, 3)
    with pytest.raises(ZeroDivisionError, match="may be zero"):
        operator.truediv(1, ring.zero)
    with pytest.raises(TypeError):
        operator.truediv(0.5, ring.one)
