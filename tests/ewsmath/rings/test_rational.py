"""The door of the rings and QQ: identities on draws, and the texts of the refusals."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpz
from hypothesis import given

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls
from ewsmath.rings import Field, MatrixRing, OrderedRing, Ring, supports
from ewsmath.strategies import rationals

EXACT = [QQ, QQ_I, EE]
ALL = [*EXACT, Balls(64), ComplexBalls(64)]


@pytest.mark.parametrize(
    ("x", "value"),
    [
        (3, fmpq(3)),
        (Fraction(-1, 3), fmpq(-1, 3)),
        (fmpz(2) ** 70, fmpq(2**70)),
        (2**63, fmpq(2**63)),
        (np.int64(2**63 - 1), fmpq(2**63 - 1)),
        (np.int8(-128), fmpq(-128)),
        (np.uint64(2**64 - 1), fmpq(2**64 - 1)),
        (np.array(7), fmpq(7)),
    ],
)
def test_integers_and_fractions_of_every_kind_keep_their_value(x: object, value: fmpq) -> None:
    assert QQ.coerce(x) == value
    for ring in ALL:
        assert ring.equal(ring.coerce(x), ring.coerce(value))


def test_products_of_numpy_integers_do_not_wrap() -> None:
    # 2^62 · 4 wraps in int64; coerced first it does not. -(-128) wraps in int8.
    assert QQ.coerce(np.int64(2**62)) * QQ.coerce(np.int64(4)) == 2**64
    assert -QQ.coerce(np.int8(-128)) == 128


@pytest.mark.parametrize("ring", ALL)
@pytest.mark.parametrize("x", [0.1, np.float64(0.1), np.float32(0.5), 1e300, float("nan")])
def test_floats_are_refused_with_a_way_out(ring: Ring, x: object) -> None:
    with pytest.raises(TypeError, match=r"A float is not exact: write it as a ratio"):
        ring.coerce(x)


def test_the_refusal_of_a_float_names_its_ratio_and_the_balls() -> None:
    with pytest.raises(TypeError, match=r"QQ takes int.*got 0\.1 of type float.*QQ\.ratio\(1, 10\).*Balls\(prec=128\)"):
        QQ.coerce(0.1)


@pytest.mark.parametrize("ring", ALL)
@pytest.mark.parametrize("x", ["1", None, [1], object()])
def test_other_things_are_refused(ring: Ring, x: object) -> None:
    with pytest.raises(TypeError, match="takes"):
        ring.coerce(x)


def test_complex_floats_are_refused() -> None:
    with pytest.raises(TypeError, match=r"QQ_I\.number\(real, imag\)"):
        EE.coerce(1 + 2j)


@given(rationals(), rationals())
def test_maximum_is_the_larger(x: fmpq, y: fmpq) -> None:
    larger = max(x, y)
    for ring in ALL:
        assert isinstance(ring, OrderedRing)
        assert ring.equal(ring.maximum(ring.coerce(x), ring.coerce(y)), ring.coerce(larger))


@given(rationals())
def test_square_root_inverts_the_square(x: fmpq) -> None:
    for ring in ALL:
        assert isinstance(ring, OrderedRing)
        assert ring.equal(ring.square_root(ring.coerce(x * x)), ring.coerce(abs(x)))


def test_irrational_and_negative_roots_are_refused() -> None:
    with pytest.raises(ValueError, match=r"irrational.*'l1'"):
        QQ.square_root(QQ.coerce(2))
    with pytest.raises(ValueError, match="negative"):
        QQ.square_root(QQ.coerce(-1))
    with pytest.raises(ValueError, match="negative"):
        Balls(64).square_root(Balls(64).coerce(-1))


def test_rings_say_what_they_can_do() -> None:
    assert [supports(ring, Field) for ring in ALL] == [True, True, False, True, True]
    assert [supports(ring, MatrixRing) for ring in ALL] == [True, False, False, True, True]


@pytest.mark.parametrize("ring", [QQ, QQ_I, Balls(64), ComplexBalls(64)])
def test_zero_has_no_inverse(ring: Field) -> None:
    assert ring.equal(ring.inverse(ring.ratio(2, 3)), ring.ratio(3, 2))
    with pytest.raises(ZeroDivisionError):
        ring.inverse(ring.zero)


def test_names() -> None:
    assert [repr(ring) for ring in ALL] == ["QQ", "QQ_I", "EE", "Balls(prec=64)", "ComplexBalls(prec=64)"]
