"""RF: field axioms by == on draws, canonical form, roots; nothing depends on the names of parameters."""

import pickle
from fractions import Fraction
from typing import Any

import pytest
import sympy
from flint import fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I
from ewsmath.rings import RF, SR, Field, RationalFunction, supports
from ewsmath.strategies import gaussians, rationals

a, b, c = RF.symbols("a, b c")
i = RF.i


def polynomials() -> st.SearchStrategy[RationalFunction]:
    """Polynomials in a and b with a few terms over Q(i). Shrinks to 0."""
    terms = st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 1)), gaussians(), max_size=2)
    return terms.map(lambda found: sum((RF.coerce(z) * a**k * b**n for (k, n), z in found.items()), RF.zero))


def functions() -> st.SearchStrategy[RationalFunction]:
    """Quotients of small polynomials. Shrinks to 0."""
    return st.builds(lambda p, q: p / q if q else p, polynomials(), polynomials())


@given(functions(), functions(), functions())
def test_field_axioms(f: RationalFunction, g: RationalFunction, h: RationalFunction) -> None:
    assert f * (g + h) == f * g + f * h
    assert (f * g) * h == f * (g * h)
    assert f * g == g * f
    assert f - g == -(g - f)
    assert bool(f) == (f != RF.zero)
    if f:
        assert f * f.inverse() == 1
        assert g / f * f == g


@given(functions(), functions())
def test_equal_functions_have_equal_parts_and_hashes(f: RationalFunction, g: RationalFunction) -> None:
    again = (f + g) * (a - c) / (a - c) - g
    assert again == f
    assert hash(again) == hash(f)
    assert (again.p, again.q, again.n, again.symbols) == (f.p, f.q, f.n, f.symbols)
    assert set(f.symbols) <= {"a", "b"}


@given(functions(), functions(), rationals(), rationals())
def test_putting_values_in_respects_sums_and_products(
    f: RationalFunction, g: RationalFunction, x: fmpq, y: fmpq
) -> None:
    values = {"a": x, "b": y}
    try:
        left, right = f.at(values), g.at(values)
    except ZeroDivisionError:
        assume(False)
    assert (f * g).at(values) == left * right
    assert (f + g).at(values) == left + right
    assert left.symbols == ()


@given(functions(), functions())
def test_derivative_obeys_the_product_rule(f: RationalFunction, g: RationalFunction) -> None:
    assert (f * g).derivative("a") == f.derivative("a") * g + f * g.derivative("a")
    assert f.derivative("b").derivative("a") == f.derivative("a").derivative("b")
    assert f.derivative("c") == 0


@given(functions())
def test_real_and_imaginary_parts(f: RationalFunction) -> None:
    assert f.real + i * f.imag == f
    assert f.conjugate() == f.real - i * f.imag
    assert f.real.is_real
    assert (f * f.conjugate()).is_real
    assert f.is_real == (f == f.conjugate())


@pytest.mark.parametrize(
    "text", ["(a - I*b)**3/(a**2 + b**2)", "1/a + 1/b - (a + b)/(a*b) + I", "(a**2 - b**2)/(a - b)**2", "a*b/7 - 2*I*a"]
)
def test_sympy_agrees(text: str) -> None:
    # An independent judge: SymPy's normal form, and its value at a point.
    expression: Any = sympy.sympify(text)
    found = RF.coerce(expression)
    assert sympy.cancel(sympy.sympify(found) - expression) == 0
    value = found.at({"a": Fraction(7, 3), "b": Fraction(-11, 5)}).as_gaussian()
    expected = expression.subs({"a": sympy.Rational(7, 3), "b": sympy.Rational(-11, 5)})
    assert sympy.expand_complex(expected - sympy.sympify(RF.coerce(value))) == 0


@given(functions())
def test_the_round_trip_by_sympy_keeps_the_function(f: RationalFunction) -> None:
    assert RF.coerce(sympy.sympify(f)) == f


@given(polynomials(), polynomials())
def test_roots_of_a_product_are_found(f: RationalFunction, g: RationalFunction) -> None:
    found = RF.roots([f * g, -f - g, RF.one])
    assert {f, g} <= set(found)
    assert len(set(found)) == len(found)


def test_roots_that_are_no_rational_functions_are_left_out() -> None:
    assert RF.roots([-a, RF.zero, RF.one]) == []  # z² = a
    assert RF.roots([a, RF.zero, RF.zero, RF.one]) == []  # z³ = -a
    assert RF.roots([RF.coerce(-2), RF.zero, RF.one]) == []
    assert set(RF.roots([a * a, RF.zero, RF.one])) == {i * a, -i * a}


@given(functions())
def test_names_have_no_influence(f: RationalFunction) -> None:
    renamed = f.at({"a": RF.symbol("Tau_syn_in"), "b": RF.symbol("Τ"), "c": RF.symbol("λ")})
    assert renamed.at({"Tau_syn_in": a, "Τ": b}) == f


def test_it_reads_as_written() -> None:
    assert str(1 / (a + i * b)) == "(a - I*b)/(a**2 + b**2)"
    assert str(2 * a / (2 * a + b) - 1) == "-b/(2*a + b)"
    assert (a / (b * (a + b)))._latex() == r"\frac{a}{b \left(a + b\right)}"
    assert str(RF.ratio(1, 2)) == "1/2"
    assert repr(RF) == RF.name == "RF"


def test_numbers_go_both_ways() -> None:
    assert RF.coerce(EE.coerce(QQ_I.i)) == i
    assert RF.coerce(SR.symbol("a")) == a
    assert QQ.coerce(a - a + fmpq(1, 2)) == fmpq(1, 2)
    assert QQ_I.coerce(a / a * i) == QQ_I.i
    assert hash(RF.coerce(3)) == hash(3)
    assert RF.equal(RF.inverse(a), 1 / a)
    assert a - 1 == -(1 - a)
    assert 2 / a == a**-1 * 2
    assert supports(RF, Field)
    assert pickle.loads(pickle.dumps(1 / (a + i * c))) == 1 / (a + i * c)
    assert a != "a"


def test_sympy_expressions_stay_in_the_field_from_either_side() -> None:
    x: Any = sympy.Symbol("a")
    assert (RF.coerce(x) + a, x + SR.symbol("a")) == (2 * a, SR.coerce(2 * a))
    assert RF.coerce((x + sympy.I) ** -2) == (a + i) ** -2


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: RF.coerce(0.5), TypeError, r"A float is not exact.*RF\.ratio\(1, 2\)"),
        (
            lambda: RF.coerce(sympy.exp(sympy.Symbol("a"))),
            TypeError,
            r"whole powers and I, in which equality is decided",
        ),
        (lambda: RF.coerce(SR.exp(SR.symbol("a"))), ValueError, "no rational function"),
        (lambda: RF.coerce(EE.exp(EE.one)), ValueError, "no Gaussian rational"),
        (lambda: a.as_gaussian(), ValueError, r"depends on a\. Keep it in SR"),
        (lambda: RF.symbol(""), ValueError, "not empty"),
        (lambda: RF.symbol(1), TypeError, "a string for a name, got 1 of type int"),  # type: ignore[arg-type]
        (lambda: (1 / (a - b)).at({"a": b}), ZeroDivisionError, "has a pole at"),
        (lambda: RF.zero.inverse(), ZeroDivisionError, "no denominator 0"),
        (lambda: a.at(b=2), ValueError, "a has no parameter b: it has a"),
        (lambda: RF.symbol("I"), ValueError, "another name than I"),
        (lambda: a + "b", TypeError, "unsupported"),  # type: ignore[operator]
        (lambda: a * 0.5, TypeError, "A float is not exact"),  # type: ignore[operator]
        (lambda: a - 0.5, TypeError, "A float is not exact"),  # type: ignore[operator]
        (lambda: a / 0.5, TypeError, "A float is not exact"),  # type: ignore[operator]
    ],
)
def test_what_is_refused(make, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()
