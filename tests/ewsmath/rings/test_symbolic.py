"""SR: ring axioms by == on draws, the real form, the door to SymPy, and what is refused."""

import pickle
import subprocess
import sys
from typing import Any

import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, Functional, TensorAlgebra
from ewsmath.rings import RF, SR, ExponentialRing, OrderedRing, Symbolic, supports
from ewsmath.strategies import elements, gaussians, rationals

x, y = SR.symbols("x y")
X, Y = sympy.symbols("x y")


def rational_functions() -> st.SearchStrategy[Symbolic]:
    """A few rational functions of x and y. Shrinks to 0."""
    parts = gaussians(max_numerator=1, max_denominator=1)
    return st.one_of(
        st.sampled_from([SR.zero, x, SR.i * y, x * y, 1 / x, y / (x - SR.i)]),
        st.builds(lambda p, q: p * x + q * y, parts, parts),
    )


def formulas() -> st.SearchStrategy[Symbolic]:
    """Sums of two c e^q. Shrinks to 0."""
    term = st.builds(lambda c, q: c * SR.exp(q), rational_functions(), rational_functions())
    return st.builds(lambda f, g: f + g, term, st.one_of(term, elements(EE, max_terms=1)))


@given(formulas(), formulas(), rational_functions())
def test_ring_axioms(f: Symbolic, g: Symbolic, h: Symbolic) -> None:
    assert f * (g + h) == f * g + f * h
    assert (f * g) * h == f * (g * h)
    assert f * g == g * f
    assert f - g == -(g - f)
    assert hash(f + g - g) == hash(f)
    assert bool(f) == (f != 0)


@given(rational_functions(), rational_functions())
def test_exp_turns_sums_into_products(f: Symbolic, g: Symbolic) -> None:
    assert SR.exp(f + g) == SR.exp(f) * SR.exp(g)
    assert SR.exp(f) * SR.exp(-f) == 1
    assert SR.inverse(SR.exp(f)) == SR.exp(-f)
    assert SR.exp(f).derivative("x") == f.derivative("x") * SR.exp(f)


@given(formulas())
def test_the_round_trip_by_sympy_keeps_the_formula(f: Symbolic) -> None:
    assert SR.coerce(sympy.sympify(f)) == f


@given(formulas(), rational_functions(), st.integers(1, 3), rationals())
def test_putting_values_in_respects_sums_and_products(f: Symbolic, g: Symbolic, u: int, v: fmpq) -> None:
    values = {"x": u, "y": v}
    left, right = f.at(values), g.at(values)
    assert (f * g).at(values) == left * right
    assert (f + g).at(values) == left + right
    assert ComplexBalls(64).coerce(left) == ComplexBalls(64).coerce(EE.coerce(left))


@given(formulas(), formulas())
def test_conjugation_is_a_homomorphism(f: Symbolic, g: Symbolic) -> None:
    assert (f * g).conjugate() == f.conjugate() * g.conjugate()
    assert f.real + SR.i * f.imag == f
    assert f.real.is_real
    assert f.is_real == (not f.imag)


@given(formulas())
def test_names_have_no_influence(f: Symbolic) -> None:
    renamed = f.at({"x": SR.symbol("Tau_syn_in"), "y": SR.symbol("Tau")})
    assert renamed.at({"Tau_syn_in": x, "Tau": y}) == f
    back = {name: value for name, value in {"Tau_syn_in": x, "Tau": y}.items() if name in renamed.symbols}
    assert renamed.at({"Tau_syn_in": 7, "Tau": 7}, **back) == renamed.at(**back) == f
    assert renamed.is_real == f.is_real


def test_the_real_form() -> None:
    a, w, r = SR.symbols("a omega r")
    wave = SR.exp(-a * r) * (SR.exp(SR.i * w * r) + SR.exp(-SR.i * w * r)) / 2
    assert str(wave) == "exp(-a*r)*cos(omega*r)"
    assert wave._latex() == r"e^{- a r} \cos{\left(\omega r \right)}"
    assert wave._repr_latex_() == rf"$\displaystyle {wave._latex()}$"
    assert str(wave.derivative("r")) == "-a*exp(-a*r)*cos(omega*r) - omega*exp(-a*r)*sin(omega*r)"
    assert str(SR.exp(-SR.i * w)) == "-I*sin(omega) + cos(omega)"
    assert str(SR.zero) == "0"
    assert str(SR.exp(SR.one)) == "E"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (sympy.sin(X) ** 2 + sympy.cos(X) ** 2, SR.one),
        (sympy.cosh(X) + sympy.sinh(X), SR.exp(x)),
        (sympy.cosh(X) - sympy.sinh(X), SR.exp(-x)),
        (sympy.cos(X) + sympy.I * sympy.sin(X), SR.exp(SR.i * x)),
        (sympy.E**2 * sympy.Rational(1, 3), SR.exp(SR.coerce(2)) / 3),
        (sympy.E, SR.exp(SR.one)),
        (X**-2, x**-2),
        ((X + Y) * (X - Y) - X**2 + Y**2, SR.zero),
        (sympy.Integer(2**70), SR.coerce(2**70)),
    ],
)
def test_sympy_expressions_enter_by_their_structure(expression: Any, value: Symbolic) -> None:
    assert SR.coerce(expression) == value
    assert x + expression == expression + x == x + value
    assert x * expression == expression * x == x * value


def test_words_keep_their_order_whatever_the_coefficients_are() -> None:
    # Symbolic coefficients commute, letters do not: e2 e1 - e1 e2 is not zero, and d/dx touches coefficients only.
    T = TensorAlgebra(SR, dim=3, depth=3)
    e1, e2 = T.letter(1), T.letter(2)
    assert (e2 @ e1 - e1 @ e2).coefficients == {(2, 1): 1, (1, 2): -1}
    moved = T.exp(e1.scaled(x)) @ e2
    assert moved == e2 + (e1 @ e2).scaled(x) + (e1 @ e1 @ e2).scaled(x * x / 2)
    derivative = {word: c.derivative("x") for word, c in moved.coefficients.items()}
    assert T.tensor(derivative) == e1 @ e2 + (e1 @ e1 @ e2).scaled(x)
    assert Functional(SR, {(1, 2, 3): x}).antipode() == Functional(SR, {(3, 2, 1): -x})
    back = T.tensor({word: sympy.sympify(c) for word, c in moved.coefficients.items()})
    assert back == moved


def test_numbers_go_both_ways() -> None:
    e = EE.exp(EE.ratio(1, 2)) + QQ_I.i
    assert EE.coerce(SR.coerce(e)) == e
    assert QQ.coerce(SR.ratio(1, 3)) == QQ.ratio(1, 3)
    assert QQ_I.coerce(SR.i) == QQ_I.i
    assert Balls(64).coerce(SR.exp(SR.one)) == Balls(64).exp(Balls(64).one)
    assert hash(SR.ratio(1, 3)) == hash(QQ.ratio(1, 3))
    assert SR.coerce(RF.symbol("x")) == x
    assert 1 / x == x**-1
    assert 1 - x == -(x - 1)
    assert dict(x.terms) == {RF.zero: RF.symbol("x")}
    assert (x + SR.exp(y)).symbols == ("x", "y")
    assert x.ring == SR == pickle.loads(pickle.dumps(SR))
    assert pickle.loads(pickle.dumps(SR.exp(x / y))) == SR.exp(x / y)
    assert (repr(SR), SR.exponents) == ("SR", RF)
    assert SR.equal(x * y, y * x)
    assert supports(SR, ExponentialRing)
    assert not supports(SR, OrderedRing)  # whether x < y is not decided by their names
    assert x != "x"


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: SR.coerce(0.1), TypeError, r"A float is not exact.*SR\.ratio\(1, 10\)"),
        (lambda: SR.coerce(1.0 * X), TypeError, r"A float is not exact"),
        (lambda: SR.coerce("x"), TypeError, r"SR takes elements of QQ.*got x of type str"),
        (lambda: SR.coerce(True), TypeError, "truth value"),
        (lambda: SR.coerce(sympy.sqrt(X)), TypeError, r"equality is decided; got sqrt\(x\)"),
        (lambda: SR.coerce(sympy.pi), TypeError, r"got pi .*SR\.symbol\('c'\)"),
        (lambda: SR.coerce(X**Y), TypeError, r"got x\*\*y"),
        (lambda: SR.coerce(sympy.tan(X)), TypeError, r"got tan\(x\)"),
        (lambda: SR.coerce(sympy.Dummy("x")), TypeError, "got _x of type Dummy"),
        (lambda: SR.coerce(sympy.Symbol("q", commutative=False)), TypeError, "q does not commute.*words"),
        (lambda: SR.coerce(X + sympy.Symbol("x", real=True)), ValueError, "two symbols of one name"),
        (lambda: SR.coerce(sympy.exp(sympy.exp(X))), ValueError, r"SR\.exp takes a rational function"),
        (lambda: SR.coerce(1 / (1 + sympy.exp(X))), ValueError, "divides by rational functions and exponentials only"),
        (lambda: SR.exp(SR.exp(x)), ValueError, r"is not in SR"),
        (lambda: SR.zero.inverse(), ZeroDivisionError, "0 has no inverse"),
        (lambda: EE.coerce(x), ValueError, "depends on x"),
        (lambda: Balls(64).coerce(x), ValueError, "depends on x"),
        (lambda: (1 / (x - y)).at({"x": y}), ZeroDivisionError, "has a pole"),
        (lambda: SR.symbol("x").at(z=3), ValueError, r"x has no parameter z: it has x; .* at\(\{name: value\}\)"),
        (lambda: SR.exp(-x * y).at({"x": 1}, w=1, a=2), ValueError, r"has no parameter a, w: it has x, y"),
        (lambda: SR.one.at(x=3), ValueError, "1 has no parameter x: it has none"),
        (lambda: SR.symbol("E"), ValueError, "another name than E, which formulas write for Euler's number"),
        (lambda: SR.symbol("1"), ValueError, "would read '1' as something else; .* begins with no digit"),
        (lambda: SR.symbol("a+b"), ValueError, r"'a\+b' as something else"),
        (lambda: SR.symbol("a b"), ValueError, "'a b' as something else; .* no blanks"),
        (lambda: SR.symbol("f(x)"), ValueError, r"none of \( \) \* \+ , - \. / = \^"),
        (lambda: SR.symbols("a I"), ValueError, "another name than I, which formulas write for the imaginary unit"),
        (lambda: SR.coerce(sympy.Symbol("E")), ValueError, "another name than E"),
        (lambda: x + 0.5, TypeError, "A float is not exact"),  # type: ignore[operator]
        (lambda: x - 0.5, TypeError, "A float is not exact"),  # type: ignore[operator]
        (lambda: x * 0.5, TypeError, "A float is not exact"),  # type: ignore[operator]
        (lambda: x / 0.5, TypeError, "A float is not exact"),  # type: ignore[operator]
    ],
)
def test_what_is_refused(make, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_sympy_is_imported_by_the_first_formula_that_is_written_or_read() -> None:
    script = (
        "import sys\n"
        "import ewsmath, ewsmath.laws, ewsmath.strategies\n"
        "from ewsmath import SR\n"
        "a, r = SR.symbols('a r')\n"
        "f = SR.exp(-a * r).derivative('r') + 1\n"
        "assert f != a and 'sympy' not in sys.modules\n"
        "assert str(f) == '-a*exp(-a*r) + 1' and 'sympy' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
