"""Certified digits: known decimals, giving up, and nothing global."""

import copy
import pickle
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import (
    EE,
    EWS,
    MP,
    QQ,
    QQ_I,
    Balls,
    ComplexBalls,
    Digits,
    PiecewiseLinearPath,
    Tensor,
    TensorAlgebra,
    digits,
)
from ewsmath.clocks import Gated
from ewsmath.digits import sharpened
from ewsmath.ews import EWSValue
from ewsmath.generators import Dense, Diagonal, DirectSum, Rotation
from ewsmath.rings import Ball
from ewsmath.strategies import generators, paths

LINE = PiecewiseLinearPath([0, 1], [[0], [1]])
PLANE = PiecewiseLinearPath([0, 1, 3], [[0, 0], [1, 2], [fmpq(1, 3), 0]])
IRRATIONAL = [[1, 2], [2, 2]]  # eigenvalues (3 ± √17)/2


def one(ring: Any, x: Any) -> Tensor[Any]:
    return TensorAlgebra(ring, 1, 1).tensor({(1,): x})


def test_known_decimals() -> None:
    e = EE.exp(EE.one)
    assert digits(one(EE, e), 30)[1] == "2.71828182845904523536028747135"
    assert digits(one(EE, 1 - EE.exp(-EE.one)), 30)[1] == "0.632120558828557678404476229839"
    assert digits(one(QQ, QQ.ratio(-2, 3)), 5)[1] == "-0.66667"
    found = digits(one(QQ_I, QQ_I.number(QQ.ratio(1, 3), -2)), 4)
    assert found.tensor.algebra.ring == ComplexBalls(found.prec)
    assert found[1] == "0.3333 - 2.000i"


def test_the_precision_rises_until_the_digits_are_there() -> None:
    # e^60 times the difference to its rational neighbour: 200 digits cancel.
    near = EE.ratio(*_ratio(10**200))
    x = EE.exp(EE.one) - near
    found = digits(one(EE, x), 10)
    assert found
    assert found.prec > 64 + 4 * 10 + 600
    assert found.undecided == ()
    lower = digits(one(EE, x), 10, limit=200)
    assert not lower
    assert (lower.prec, lower.undecided) == (200, ((1,),))
    assert lower[1].startswith("[")
    assert "gave up at 200 bits with 1 of 2 coordinates undecided" in str(lower)


def _ratio(scale: int) -> tuple[int, int]:
    ball = EE.exp(EE.one).ball(900).real
    return int((ball.mid * scale).p // (ball.mid * scale).q), scale


@given(st.data(), st.integers(1, 40))
def test_every_printed_digit_is_true(data: st.DataObject, n: int) -> None:
    generator = data.draw(generators(max_dim=2))
    X = data.draw(paths(generator.dim, max_steps=2))
    S = EWS(generator)(X)
    found = S.digits(n)
    assert found
    for word, c in S.coefficients.items():
        exact = Balls(2000).coerce(c)
        printed = fmpq(*_decimal(found[word]))
        unit = fmpq(10) ** (1 - n) * exact.abs_upper()  # a unit of digit n is at most that
        assert (exact - printed).abs_upper() <= unit


def _decimal(text: str) -> tuple[int, int]:
    mantissa, _, exponent = text.partition("e")
    whole, _, rest = mantissa.partition(".")
    power = int(exponent or 0) - len(rest)
    number = int(whole + rest)
    return (number * 10**power, 1) if power >= 0 else (number, 10**-power)


def test_values_over_balls_are_computed_anew_from_the_data_as_given() -> None:
    A, B, clock = IRRATIONAL, [[fmpq(1, 3), 0], [0, fmpq(2, 7)]], Gated([fmpq(1, 3), 0], fmpq(1, 7))
    S = EWS(Dense(A, ring=Balls(8)), B, clock, 2)(PLANE)
    found = S.digits(40)
    assert found
    assert found.tensor.algebra.ring == Balls(found.prec)
    truth = EWS(Dense(A, ring=Balls(1000)), B, clock, 2)(PLANE)
    assert all(found.tensor[word] == Balls(found.prec).coerce(c) for word, c in truth.coefficients.items())
    assert max(c.radius for c in found.tensor.vector()) < fmpq(1, 10**40)
    part = EWS(Dense(A, ring=ComplexBalls(8)), depth=1)(PLANE, fmpq(1, 2), 2)
    assert (
        part.digits(20).tensor == EWS(Dense(A, ring=ComplexBalls(184)), depth=1)(PLANE, fmpq(1, 2), 2).digits(20).tensor
    )
    assert part.digits(20)[1].endswith("i")


def test_a_zero_is_certified_where_it_is_exact_and_given_up_where_not() -> None:
    known = EWS(Diagonal([1, 2]))(PiecewiseLinearPath(None, [[0, 0], [1, 0]])).digits(30)
    assert known
    assert known[2] == "0"
    # e_1 − e_2 at equal rates is zero, but balls do not know.
    hidden = EWS(Diagonal([1], ring=Balls(64)), [[1, -1]], depth=1)(PiecewiseLinearPath(None, [[0, 0], [1, 1], [0, 2]]))
    equal = EWS(Dense([[1, 0], [0, 1]], ring=Balls(64)), [[1], [1]], depth=1)
    cancelling = equal(LINE)
    S = cancelling - cancelling
    assert S.coefficients.keys() == {(1,), (2,)}
    found = sharpened(lambda ring: equal.over(ring)(LINE) - equal.over(ring)(LINE), Balls, 10, limit=300)
    assert not found
    assert set(found.undecided) == {(1,), (2,)}
    assert found.prec == 300
    assert hidden.digits(10).undecided == ()


def test_balls_that_are_wide_by_themselves_are_given_up() -> None:
    ring = Balls(32)
    wide = ring.ratio(1, 3)
    S = EWS(Diagonal(wide), depth=1)(LINE)
    assert not S.digits(30)
    assert S.digits(8)


@pytest.mark.parametrize(("radius", "enough"), [("0.9e-10", True), ("2e-10", False), ("9e-10", False)])
def test_ten_digits_are_a_relative_radius_of_at_most_ten_to_the_minus_ten(radius: str, enough: bool) -> None:
    found = sharpened(lambda ring: one(ring, Ball(ring, arb(f"1 +/- {radius}"))), Balls, 10)
    assert bool(found) is enough


def test_a_direct_sum_with_an_irrational_part() -> None:
    A = DirectSum(Dense(IRRATIONAL, ring=Balls(64)), Diagonal(1))
    S = EWS(A, depth=2)(PiecewiseLinearPath([0, 1], [[0, 0, 0], [1, 0, 1]]))
    found = S.digits(30)
    assert found
    assert found[3] == "0.632120558828557678404476229839"


def test_letters_that_are_never_reached_are_exactly_zero() -> None:
    A = DirectSum(Dense(IRRATIONAL, ring=Balls(64)), Diagonal(1))
    S = EWS(A, depth=2)(PiecewiseLinearPath(None, [[0, 0, 0], [1, 0, 0], [3, 1, 0]]))
    assert all(3 not in word for word in S.coefficients)
    found = S.digits(30)
    assert found
    assert found[1, 3] == "0"
    twin = EWS(Dense(IRRATIONAL, ring=Balls(200)), depth=2)(PiecewiseLinearPath(None, [[0, 0], [1, 0], [3, 1]]))
    assert found[2, 1] == twin.digits(30)[2, 1]


def test_nothing_global_is_touched() -> None:
    before = ctx.prec, mpmath.mp.prec
    EWS(Dense(IRRATIONAL, ring=Balls(64)))(PLANE).digits(60)
    EWS(Rotation(1, 2))(PLANE).digits(60)
    str(digits(one(EE, EE.exp(EE.one)), 60))
    assert (ctx.prec, mpmath.mp.prec) == before


@pytest.mark.parametrize(
    ("generator", "balls"), [(Rotation(1, 2), Balls), (Diagonal([1, QQ_I.i]), ComplexBalls)], ids=["real", "complex"]
)
def test_a_value_over_mp_is_certified_from_the_data_that_were_given(generator: Any, balls: type) -> None:
    S = EWS(generator.over(MP(10)))(PLANE)
    found = S.digits(40)
    assert isinstance(found.tensor.algebra.ring, balls)
    exact = EWS(generator)(PLANE).digits(40)
    assert found.tensor == exact.tensor  # the balls meet
    assert found[2] == exact[2]
    assert bool(found)


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_a_copied_value_has_the_same_digits(way: Any) -> None:
    S = EWS(Dense(IRRATIONAL, ring=Balls(64)))(PLANE)
    assert isinstance(way(S), EWSValue)
    assert str(way(S).digits(30)) == str(S.digits(30))
    with pytest.raises(AttributeError):
        S.algebra = None  # type: ignore[misc]


def test_what_is_made_of_a_value_is_a_plain_tensor() -> None:
    S = EWS(Rotation(1, 2))(PLANE)
    for made in (S + S, S - S, -S, S @ S, S * 2, S.scaled(EE.one), S.antipode()):
        assert type(made) is Tensor
    assert S == S * 1
    assert digits(S * 1, 20)[1] == S.digits(20)[1]


def test_the_record() -> None:
    found = EWS(Diagonal(1))(LINE).digits(5)
    assert isinstance(found, Digits)
    assert (found.digits, found.prec, found.undecided, bool(found)) == (5, 84, (), True)
    assert str(found) == "1    1.0000\ne1   0.63212\ne11  0.19979\n5 certified digits, at 84 bits"
    assert repr(found) == "Digits(digits=5, prec=84, undecided=())"
    assert digits(TensorAlgebra(EE, 12, 1).vector([0] * 11 + [1]), 3)[12] == "1.00"
    assert "\ne12,  1.00" in str(digits(TensorAlgebra(EE, 12, 1).vector([0] * 11 + [1]), 3))
    # As the tensor itself is written: the letter 11 is no word 11.
    t = TensorAlgebra(EE, 12, 2).tensor({(11,): 1, (1, 1): 2, (1, 11): 3})
    assert str(t) == "e11, + 2*e11 + 3*e1,11"
    rows = str(digits(t, 3)).splitlines()
    assert [row for row in rows if not row.endswith(" 0")][:-1] == ["e11,    1.00", "e11     2.00", "e1,11   3.00"]
    assert len({row.split()[0] for row in rows[:-1]}) == len(rows) - 1
    with pytest.raises(AttributeError):
        found.prec = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("use", "error", "message"),
    [
        (lambda: digits(5, 3), TypeError, "digits takes a tensor, got 5"),  # type: ignore[arg-type]
        (lambda: digits(one(QQ, 1), 0), ValueError, "the number of digits must be at least 1"),
        (lambda: digits(one(QQ, 1), 2.5), TypeError, "the number of digits is a whole number"),  # type: ignore[arg-type]
        (lambda: digits(one(QQ, 1), 3, limit=0), ValueError, "the limit, a number of bits, must be at least 1"),
        (lambda: digits(one(Balls(64), 1), 3), ValueError, r"raise the precision where it is made, or ask the"),
        (lambda: digits(one(MP(30), 1), 3), ValueError, r"over MP\(30\) has digits without a bound.*such as EE, or"),
        (
            lambda: EWS(Diagonal(MP(30).one, ring=MP(30)))(LINE).digits(3),
            TypeError,
            r"digits of a value over MP\(30\) are certified from exact data: Balls.* got 1.0 of type MPNumber",
        ),
    ],
)
def test_bad_arguments_are_refused(use: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        use()
