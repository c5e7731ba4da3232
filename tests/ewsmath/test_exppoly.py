"""Exponential polynomials: calculus by == on draws."""

from typing import Any

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, SR, Balls, ExpPoly, ExpPolys, Matrix
from ewsmath.exppoly import NotConstant
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


@given(functions(), rationals(), elements(EE), st.integers(0, 4))
def test_numbers_stand_for_constant_functions(f: ExpPoly, q: fmpq, c: Any, n: int) -> None:
    for x in (q, c, n):
        constant = RING.coerce(x)
        assert f + x == x + f == f + constant
        assert f * x == x * f == f.scaled(x) == f * constant
        assert f - x == -(x - f) == f - constant
    power = RING.one
    for _ in range(n):
        power = power * f
    assert f**n == power


@given(functions(), gaussians(), st.integers(-3, 3), gaussians(max_numerator=2))
def test_units_divide(f: ExpPoly, z: Any, n: int, alpha: Any) -> None:
    unit = RING.exponential(alpha) * (z or 3) * EE.exp(EE.coerce(n))
    assert f / unit * unit == f
    assert 1 / unit * f == f / unit
    assert unit**n * unit**-n == RING.one


def test_a_polynomial_is_written_as_on_a_blackboard() -> None:
    u, a = RING.variable, SR.symbol("a")
    assert str((2 * u - 1) ** 2 / 2 + QQ.ratio(1, 3)) == "5/6 - 2*u + 2*u^2"
    assert (1 - u / 2)(2) == 0
    assert a * ExpPolys(SR).variable / (2 * a) == ExpPolys(SR).variable / 2
    assert sum([u, u], 1) == 2 * u + 1


half: Any = 0.5
NO_SUMS: list[tuple[Any, type[Exception], str]] = [
    *(
        (operation, TypeError, r"EE\) takes .*, got 0\.5 of type float\. A float is not exact")
        for operation in (lambda u: u + half, lambda u: half + u, lambda u: u - half, lambda u: half - u)
    ),
    (lambda u: u * half, TypeError, "A float is not exact"),
    (lambda u: half * u, TypeError, "A float is not exact"),
    (lambda u: u.scaled(half), TypeError, "A float is not exact"),
    (lambda u: u.scaled(Balls(64).one), TypeError, "EE takes"),
    (lambda u: u / half, TypeError, "A float is not exact"),
    (lambda u: u * True, TypeError, "A truth value is no number"),
    (lambda u: u**half, TypeError, r"a power x \*\* n needs a whole number n"),
    (lambda u: u / 0, ZeroDivisionError, "0 has no inverse"),
    (
        lambda u: 1 / u,
        ValueError,
        r"1/\(u\) is no exponential polynomial: numbers and single terms c\*e\^\(αu\) divide",
    ),
    (lambda u: 1 / (1 + u), ValueError, r"1/\(1 \+ u\) is no exponential polynomial"),
    (lambda u: u**-1, ValueError, r"1/\(u\) is no"),
    (lambda u: u / (EE.exp(EE.one) + 1), TypeError, "has no inverse in EE"),
    (lambda u: u + "1", TypeError, "unsupported operand"),
    (lambda u: None - u, TypeError, r"ExpPolys\(EE\) takes .*, got None"),
    (lambda u: u * None, TypeError, "unsupported operand"),
    (lambda u: u + ExpPolys(QQ).one, ValueError, "are not mixed"),
]


@pytest.mark.parametrize(("operation", "error", "message"), NO_SUMS)
def test_what_is_no_sum_or_quotient(operation: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        operation(RING.variable)


def test_a_function_scales_matrices_over_functions() -> None:
    u = RING.variable
    assert u * Matrix(RING, [[u]]) == Matrix(RING, [[u**2]])


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


def test_sums_as_factors_are_written_in_brackets_and_names_with_stars() -> None:
    z = QQ_I.number(-1, QQ.ratio(1, 2))
    f = RING.coerce(z) + RING.exponential(z).scaled(EE.coerce(z))
    assert str(f) == "-1+1/2i + (-1+1/2i)*e^((-1+1/2i)u)"
    a, rate = SR.symbols("a lambda")
    symbolic = ExpPolys(SR)
    assert str(symbolic.exponential(-rate)) == "e^(-lambda*u)"
    g = symbolic.exponential(a - rate) * symbolic.variable
    assert str(g.scaled(a + 1)) == "(a + 1)*u*e^((a - lambda)*u)"


@given(functions(), rationals(), rationals(), rationals())
def test_composition_with_an_affine_function(f: ExpPoly, a: fmpq, b: fmpq, x: fmpq) -> None:
    g = RING.coerce(a) + RING.variable.scaled(EE.coerce(b))
    assert f.composed(g)(x) == f(a + b * x)


@given(st.lists(rationals(), max_size=4), st.lists(rationals(), max_size=4), rationals())
def test_composition_of_polynomials(p: list[fmpq], q: list[fmpq], x: fmpq) -> None:
    def polynomial(coefficients: list[fmpq]) -> ExpPoly:
        return ExpPoly(QQ, {(k, QQ_I.zero): c for k, c in enumerate(coefficients)})

    f, g = polynomial(p), polynomial(q)
    assert f.composed(g)(x) == f(g(x))
    assert f.over(EE).composed(g)(x) == f(g(x))
    trimmed = f.coefficients(of=QQ)
    assert trimmed == p[: len(trimmed)]
    assert not any(p[len(trimmed) :])


@given(functions(), functions())
def test_conjugation_is_an_automorphism(f: ExpPoly, g: ExpPoly) -> None:
    assert (f * g).conjugate() == f.conjugate() * g.conjugate()
    assert f.conjugate().conjugate() == f
    assert (f + f.conjugate()).is_real
    assert (f * f.conjugate()).is_real
    assert f.conjugate()(2) == f(2).conjugate()


def test_sine_and_cosine() -> None:
    sine, cosine = RING.sine(3), RING.cosine(3)
    assert sine * sine + cosine * cosine == RING.one
    assert sine.derivative() == cosine.scaled(EE.coerce(3))
    assert (sine(0), cosine(0)) == (0, 1)
    assert sine.is_real
    assert not RING.exponential(QQ_I.i).is_real
    assert ExpPolys(QQ_I).cosine(1).is_real
    assert ExpPolys(QQ).variable.is_real


def test_constants_and_the_order_of_functions_that_differ_by_one() -> None:
    u = RING.variable
    assert RING.ratio(1, 2).constant() == fmpq(1, 2)
    assert RING.zero.constant() == 0
    assert RING.maximum(u, u + RING.one) == RING.maximum(u + RING.one, u) == u + RING.one
    assert RING.square_root(RING.ratio(9, 4)) == RING.ratio(3, 2)
    with pytest.raises(NotConstant, match="u is no constant"):
        u.constant()
    with pytest.raises(NotConstant):
        RING.maximum(u, RING.zero)
    with pytest.raises(NotConstant):
        RING.square_root(u)
    with pytest.raises(TypeError, match=r"ExpPolys\(SR\) compares no functions, since SR does not order"):
        ExpPolys(SR).maximum(ExpPolys(SR).one, ExpPolys(SR).zero)
    with pytest.raises(ValueError, match="orders real functions only"):
        RING.maximum(RING.zero, RING.exponential(QQ_I.i))
    with pytest.raises(ValueError, match="is no polynomial"):
        RING.exponential(1).coefficients()
    with pytest.raises(ValueError, match="is no polynomial"):
        RING.exponential(1).composed(u * u)
    with pytest.raises(ValueError, match="is no polynomial"):
        u.composed(RING.exponential(1))
