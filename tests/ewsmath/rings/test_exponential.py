"""EE: ring axioms by ==, decidable equality, order, and enclosure by balls (a twin of another kind)."""

import math
import operator
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls
from ewsmath.rings import Exponential, Gaussian
from ewsmath.ssm import FRACTIONS
from ewsmath.strategies import elements, gaussians


@given(elements(EE), elements(EE), elements(EE))
def test_ring_axioms(x: Exponential, y: Exponential, z: Exponential) -> None:
    assert (x + y) + z == x + (y + z)
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x * y == y * x
    assert not x - x


@given(gaussians(), gaussians())
def test_exp_turns_sums_into_products(p: Gaussian, q: Gaussian) -> None:
    assert EE.exp(EE.coerce(p + q)) == EE.exp(EE.coerce(p)) * EE.exp(EE.coerce(q))


@given(elements(EE), elements(EE))
def test_no_zero_divisors(x: Exponential, y: Exponential) -> None:
    assert bool(x * y) == (bool(x) and bool(y))


@given(elements(EE), elements(EE))
def test_balls_enclose_sums_and_products(x: Exponential, y: Exponential) -> None:
    field = ComplexBalls(80)
    assert field.coerce(x * y) == field.coerce(x) * field.coerce(y)
    assert field.coerce(x - y) == field.coerce(x) - field.coerce(y)


@given(elements(EE), elements(EE))
def test_equal_numbers_have_equal_hashes_and_survive_pickling(x: Exponential, y: Exponential) -> None:
    total = x + y
    assert hash(total - y) == hash(x)
    assert pickle.loads(pickle.dumps(total)) == total
    assert Exponential(total.terms) == total


def test_a_constant_hashes_as_the_number_it_equals() -> None:
    assert EE.coerce(2) == 2
    assert hash(EE.coerce(2)) == hash(2)
    assert hash(EE.zero) == hash(0)


@given(elements(EE))
def test_conjugation_decides_reality(x: Exponential) -> None:
    assert (x + x.conjugate()).is_real
    assert (x * x.conjugate()).is_real
    assert x.is_real == (not x - x.conjugate())


@given(st.lists(st.tuples(gaussians(), gaussians()), max_size=3))
def test_values_agree_with_floats(terms: list[tuple[Gaussian, Gaussian]]) -> None:
    total, value = EE.zero, 0j
    for q, c in terms:
        total += c * EE.exp(EE.coerce(q))
        value += complex(float(c.real), float(c.imag)) * complex(
            math.exp(float(q.real)) * math.cos(float(q.imag)), math.exp(float(q.real)) * math.sin(float(q.imag))
        )
    ball = ComplexBalls(80).coerce(total)
    found = complex(float(ball.real.mid), float(ball.imag.mid))
    # Three terms of at most 3√2·e^2 with a few roundings each: well under 100 eps of 32.
    assert abs(found - value) < 100 * 2**-52 * 32


def test_order_is_decided() -> None:
    e = EE.exp(EE.one)
    close = e - EE.coerce(QQ.ratio(2718281828459045235360287, 10**24))
    assert EE.maximum(close, EE.zero) == close  # e = 2.718281828459045235360287471…
    assert EE.maximum(EE.zero, -close) == EE.zero
    assert EE.maximum(e, e) == e
    with pytest.raises(ValueError, match="real numbers only"):
        EE.maximum(EE.coerce(QQ_I.i), EE.one)


def test_a_difference_far_below_the_first_precision_is_still_ordered() -> None:
    tiny = EE.exp(EE.coerce(-300))  # 2^-432
    assert EE.maximum(EE.one + tiny, EE.one) == EE.one + tiny


def test_numbers_beyond_every_float_are_ordered() -> None:
    huge, tiny = EE.exp(EE.coerce(10**11)), EE.exp(EE.coerce(-(10**11)))
    assert EE.maximum(tiny, huge) == huge
    assert EE.maximum(EE.zero, -tiny) == EE.zero


def test_exp_of_an_exponential_is_refused() -> None:
    with pytest.raises(ValueError, match="its exponential is not in EE"):
        EE.exp(EE.exp(EE.one))


def test_constants_divide() -> None:
    e = EE.exp(EE.one)
    assert (e / 2) * 2 == e
    assert e / QQ_I.i * QQ_I.i == e


def test_real_numbers_go_to_real_balls_and_others_do_not() -> None:
    cosine = EE.exp(EE.coerce(QQ_I.i)) + EE.exp(EE.coerce(-QQ_I.i))
    # 2 cos 1 is 1.0806… and correctly rounded by libm to within one unit
    assert abs(float(Balls(80).coerce(cosine).mid) - 2 * math.cos(1)) <= 2**-51
    with pytest.raises(ValueError, match="is not real"):
        Balls(80).coerce(EE.exp(EE.coerce(QQ_I.i)))


def test_it_reads_as_written() -> None:
    e = EE.exp(EE.one)
    assert str(EE.zero) == "0"
    assert str(2 * e * e - e + QQ_I.i) == "i - e^(1) + 2*e^(2)"
    assert str(QQ_I.number(1, 1) * e) == "(1+i)*e^(1)"


def test_it_is_immutable_and_mixes_with_exact_numbers_only() -> None:
    with pytest.raises(AttributeError):
        setattr(EE.one, "terms", {})  # noqa: B010
    for operation in (lambda: EE.one + 0.5, lambda: 0.5 * EE.one, lambda: EE.one - 0.5, lambda: EE.one / 0.5):
        with pytest.raises(TypeError):
            operation()
    assert EE.one != "1"
    assert 1 - EE.exp(EE.zero) == 0


@given(elements(QQ_I).filter(bool), elements(QQ_I), elements(EE))
def test_single_terms_divide(c: Gaussian, q: Gaussian, x: Exponential) -> None:
    unit = c * EE.exp(EE.coerce(q))
    assert unit * unit**-1 == EE.one == unit**0
    assert (x * unit) / unit == x == x / unit * unit
    assert 1 / unit == unit**-1 == EE.coerce(c.inverse()) * EE.exp(EE.coerce(-q))
    assert unit**-3 * unit * unit * unit == 1
    assert x**3 == x * x * x


def test_quotients_and_order_that_are_not_in_the_ring_say_what_to_do() -> None:
    e = EE.exp(EE.one)
    assert e / EE.exp(EE.coerce(2)) == EE.exp(EE.coerce(-1))
    for operation in (lambda: e / (e + 1), lambda: 1 / (e + 1), lambda: (e + 1) ** -2):
        with pytest.raises(TypeError, match=r"1 \+ e\^\(1\) has no inverse in EE.*ssm.FRACTIONS.*Balls"):
            operation()
    for operation in (lambda: e / EE.zero, lambda: 1 / EE.zero, lambda: e / 0, lambda: EE.zero**-1):
        with pytest.raises(ZeroDivisionError):
            operation()
    for operation in (lambda: e < e * e, lambda: e <= 3, lambda: e > 2, lambda: e <= 2):
        with pytest.raises(TypeError, match=r"EE\.maximum"):
            operation()
    with pytest.raises(TypeError, match="whole number"):
        operator.pow(e, 0.5)
    assert FRACTIONS.one / e == e**-1
    assert e / FRACTIONS.coerce(e + 1) * FRACTIONS.coerce(e + 1) == e


@given(elements(EE), elements(EE))
def test_products_are_the_sums_over_all_pairs_of_terms(x: Exponential, y: Exponential) -> None:
    total: dict[Gaussian, Gaussian] = {}
    for q, a in x.terms.items():
        for r, b in y.terms.items():
            total[q + r] = total.get(q + r, QQ_I.zero) + a * b
    assert dict((x * y).terms) == {q: c for q, c in total.items() if c}


def test_coefficients_that_become_real_or_zero_are_seen() -> None:
    i = EE.coerce(QQ_I.i)
    e = EE.exp(EE.one)
    assert (i * e) * (i * e) == -(e * e)
    assert hash((i * e) * (i * e)) == hash(-(e * e))
    assert (e * (1 + i)) + (e * (1 - i)) == 2 * e
    assert not e * (1 + i) - e - i * e
    assert (1 + i) * e * ((1 - i) * e + 1) * i == 2 * i * e * e + (i - 1) * e
    assert dict((e * i).terms) == {QQ_I.one: QQ_I.i}
