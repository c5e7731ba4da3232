"""Arithmetic and AbstractExactRing: what QQ_I, EE, RF and SR inherit is the same in each of them."""

import operator
from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I
from ewsmath.exppoly import ExpPolys
from ewsmath.rings import RF, SR, AbstractExactRing
from ewsmath.strategies import rationals

# A unit of each ring that no other of them contains, and a rational function or formula for the last two.
UNITS: list[tuple[Any, Any]] = [
    (QQ_I, QQ_I.number(3, 4)),
    (EE, 2 * EE.exp(EE.ratio(1, 3))),
    (RF, RF.symbol("a") + RF.i),
    (SR, SR.symbol("a") * SR.exp(SR.symbol("r"))),
]


@pytest.mark.parametrize(("ring", "x"), UNITS)
@given(n=st.integers(-4, 4), q=rationals())
def test_what_follows_from_sums_products_and_inverses(ring: Any, x: Any, n: int, q: fmpq) -> None:
    c = ring.coerce(q)
    assert q - x == -(x - q) == c - x
    assert q + x == x + q
    assert q * x == x * q
    assert q / x * x == c
    assert x**n * x**-n == ring.one
    assert x ** (n + 1) == x**n * x


@pytest.mark.parametrize(("ring", "x"), UNITS)
def test_a_power_takes_a_whole_number(ring: Any, x: Any) -> None:
    for power in (0.5, True, fmpq(1, 2)):
        with pytest.raises(TypeError, match=r"a power x \*\* n needs a whole number n, got"):
            operator.pow(x, power)
    assert x**0 == ring.one


@pytest.mark.parametrize(("ring", "x"), UNITS)
def test_what_is_no_number_is_left_to_the_other_side(ring: Any, x: Any) -> None:
    for operation in (operator.add, operator.sub, operator.mul, operator.truediv):
        for strange in (object(), None):
            with pytest.raises(TypeError, match="unsupported operand"):
                operation(x, strange)
            with pytest.raises(TypeError, match=rf"^{ring.name} takes .*, got .* Convert it first"):
                operation(strange, x)
        for first, second in ((x, 0.5), (0.5, x)):
            with pytest.raises(TypeError, match=rf"^{ring.name} takes .*, got 0\.5 .* A float is not exact"):
                operation(first, second)
    assert x != "1"


@given(rationals())
def test_what_is_rational_comes_down(q: fmpq) -> None:
    for ring, x in UNITS:
        assert ring.coerce(q).as_rational() == q
        with pytest.raises(ValueError, match=r"QQ|QQ_I"):
            x.as_rational()


@given(st.integers(-9, 9), st.integers(1, 9))
def test_ratios_and_equality_in_every_exact_ring(p: int, q: int) -> None:
    rings: list[Any] = [QQ, QQ_I, EE, RF, SR, ExpPolys(EE)]
    assert all(isinstance(ring, AbstractExactRing) for ring in rings)
    for ring in rings:
        x = ring.ratio(p, q)
        assert x * ring.coerce(q) == ring.coerce(p)
        assert ring.equal(x, ring.ratio(2 * p, 2 * q))
        assert not ring.equal(x, x + ring.one)
        assert repr(ring) == ring.name
        with pytest.raises(ZeroDivisionError):
            ring.ratio(p, 0)
        with pytest.raises(TypeError):
            ring.ratio(0.5, 1)
