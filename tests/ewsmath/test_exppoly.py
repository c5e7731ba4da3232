"""Exponential polynomials: calculus by == on draws."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ExpPoly, ExpPolys
from ewsmath.strategies import elements, gaussians, rationals

RING = ExpPolys(EE)


def functions() -> st.SearchStrategy[ExpPoly]:
    """Sums of a few c u^k e^{αu}. Shrinks to 0."""
    keys = st.tuples(st.integers(0, 3), gaussians(max_numerator=2))
    return st.dictionaries(keys, elements(EE, max_terms=2), max_size=3).map(lambda terms: ExpPoly(EE, terms))


@given(functions(), functions(), functions())
def test_ring_axioms(f: ExpPoly, g: ExpPoly, h: ExpPoly) -> None:
    assert f * (g + h) == f * g + f * h
    assert (f * g) * h == f * (g * h)
    assert f * g == g * f
    assert f - g == -(g - f)
    assert f * RING.one == f + RING.zero == f


@given(functions(), functions())
def test_derivative_obeys_the_product_rule(f: ExpPoly, g: ExpPoly) -> None:
    assert (f * g).derivative() == f.derivative() * g + f * g.derivative()


@given(functions())
def test_integral_is_the_antiderivative_that_starts_at_zero(f: ExpPoly) -> None:
    assert f.integral().derivative() == f
    assert f.integral()(0) == 0
    assert f.derivative().integral() == f - RING.coerce(f(0))


@given(functions(), functions(), rationals())
def test_value_at_a_point_respects_sums_and_products(f: ExpPoly, g: ExpPoly, u: fmpq) -> None:
    assert (f * g)(u) == f(u) * g(u)
    assert (f + g)(u) == f(u) + g(u)


@given(functions(), rationals(), rationals(), rationals())
def test_substitution_is_composition(f: ExpPoly, start: fmpq, speed: fmpq, u: fmpq) -> None:
    assert f.substituted(start, speed)(u) == f(start + speed * u)


@given(functions(), functions())
def test_equal_functions_have_equal_hashes(f: ExpPoly, g: ExpPoly) -> None:
    assert hash(f + g - g) == hash(f)


def test_a_known_integral() -> None:
    # ∫_0^1 u^2 e^{-u} du = 2 - 5/e
    f = RING.variable * RING.variable * RING.exponential(-1)
    assert f.integral()(1) == 2 - 5 * EE.exp(EE.coerce(-1))


def test_rational_coefficients_do_without_exponentials_only() -> None:
    polynomials = ExpPolys(QQ)
    assert (polynomials.variable * polynomials.ratio(1, 2)).integral()(2) == 1
    with pytest.raises(ValueError, match="take coefficients in EE"):
        polynomials.exponential(1)(1)
    assert polynomials.coerce(RING.variable) == polynomials.variable
    assert RING.coerce(polynomials.variable) == RING.variable


def test_balls_are_refused() -> None:
    with pytest.raises(ValueError, match="decidable zero"):
        ExpPolys(Balls(64))


def test_rings_are_not_mixed() -> None:
    other: Any = ExpPolys(QQ).one
    with pytest.raises(ValueError, match="not mixed"):
        _ = RING.coerce(1) + other
    assert RING.one != ExpPolys(QQ).one
    assert RING.equal(RING.ratio(1, 2), RING.coerce(fmpq(1, 2)))
    assert RING.name == "ExpPolys(EE)"


def test_it_is_immutable_and_reads_as_written() -> None:
    u = RING.variable
    f = 2 * EE.one * EE.one
    g = u * u + RING.coerce(f) - u * RING.exponential(QQ_I.i) + RING.exponential(-2).scaled(EE.exp(EE.one) + 1)
    assert str(g) == "2 + (1 + e^(1))*e^(-2u) - u*e^(iu) + u^2"
    assert str(RING.zero) == "0"
    assert dict(u.terms) == {(1, QQ_I.zero): 1}
    with pytest.raises(AttributeError):
        setattr(u, "ring", QQ)  # noqa: B010
