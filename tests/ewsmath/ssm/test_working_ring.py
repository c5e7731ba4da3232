"""The rings that models work in. Oracle: the algebra itself, on draws."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given

from ewsmath import EE, QQ_I, Balls, ComplexBalls
from ewsmath.ssm import FRACTIONS, UndecidedError, working_ring
from ewsmath.strategies import gaussians

R, C = Balls(128), ComplexBalls(128)
TINY = fmpq(1, 2**90)


@given(gaussians())
def test_parts_and_conjugates(z) -> None:
    rings: list[Any] = [C, FRACTIONS]
    for ring in rings:
        x = ring.coerce(z) * ring.exp(ring.coerce(QQ_I.i))
        i = ring.coerce(QQ_I.i)
        real, imag = working_ring.real_part(x), working_ring.imag_part(x)
        assert ring.coerce(real) + i * ring.coerce(imag) == x
        assert ring.coerce(real) - i * ring.coerce(imag) == working_ring.conjugate(x)
        assert working_ring.conjugate(x).radius < TINY if ring is C else True


def test_working_rings() -> None:
    assert working_ring.complexified(R) == C
    assert working_ring.complexified(FRACTIONS) is FRACTIONS
    with pytest.raises(TypeError, match=r"models work in Balls\(prec\) or in the exact field FRACTIONS, got EE"):
        working_ring.check_working_ring(EE)
    with pytest.raises(ValueError, match="take Balls"):
        working_ring.working_balls(FRACTIONS)


def test_a_value_that_no_ball_holds_is_undecided() -> None:
    with pytest.raises(UndecidedError, match="a value at 128 bits: its ball is unbounded"):
        working_ring.finite_ball(R, lambda: R.one.value / 0)
