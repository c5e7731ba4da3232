"""QQ_I: the field axioms on draws, by ==."""

import pickle
import sys
from fractions import Fraction

import pytest
from flint import fmpq
from hypothesis import example, given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I
from ewsmath.rings import Gaussian
from ewsmath.strategies import gaussians, rationals


@given(gaussians(), gaussians(), gaussians())
def test_field_axioms(x: Gaussian, y: Gaussian, z: Gaussian) -> None:
    assert (x + y) + z == x + (y + z)
    assert (x * y) * z == x * (y * z)
    assert x * (y + z) == x * y + x * z
    assert x * y == y * x
    assert x - y == -(y - x)
    if y:
        assert (x / y) * y == x
        assert 1 / y == y.inverse() == y**-1


@given(gaussians(), gaussians())
def test_product_of_parts(x: Gaussian, y: Gaussian) -> None:
    assert (x * y).real == x.real * y.real - x.imag * y.imag
    assert (x * y).imag == x.real * y.imag + x.imag * y.real
    assert x * x.conjugate() == x.real**2 + x.imag**2


@given(rationals(), gaussians())
def test_equal_numbers_have_equal_hashes(q: fmpq, z: Gaussian) -> None:
    assert QQ_I.coerce(q) == q
    assert hash(QQ_I.coerce(q)) == hash(q)
    assert hash(QQ_I.number(z.real, z.imag)) == hash(z)
    assert pickle.loads(pickle.dumps(z)) == z


def test_powers() -> None:
    assert [QQ_I.i**k for k in range(5)] == [1, QQ_I.i, -1, -QQ_I.i, 1]
    assert QQ_I.number(1, 1) ** 4 == -4


def test_the_denominator_is_positive_and_lowest() -> None:
    assert (Gaussian(2, -4, -6).p, Gaussian(2, -4, -6).q, Gaussian(2, -4, -6).n) == (-1, 2, 3)
    with pytest.raises(ZeroDivisionError):
        Gaussian(1, 0, 0)


def test_coming_down_loses_nothing_or_is_refused() -> None:
    assert QQ.coerce(QQ_I.ratio(1, 2)) == fmpq(1, 2)
    with pytest.raises(ValueError, match="not real"):
        QQ.coerce(QQ_I.i)
    assert QQ_I.coerce(EE.coerce(QQ_I.i)) == QQ_I.i
    with pytest.raises(ValueError, match="no Gaussian rational"):
        QQ_I.coerce(EE.exp(EE.one))
    with pytest.raises(ValueError, match="not real"):
        QQ_I.maximum(QQ_I.i, QQ_I.one)


def test_it_reads_as_written() -> None:
    found = [QQ_I.number(a, b) for a, b in [(0, 0), (1, 0), (0, 1), (0, -1), (1, 1), (2, -3)]]
    assert list(map(str, found)) == ["0", "1", "i", "-i", "1+i", "2-3i"]
    assert str(QQ_I.number(fmpq(1, 2), fmpq(-1, 3))) == "1/2-1/3i"


def test_it_is_immutable_and_mixes_with_exact_numbers_only() -> None:
    with pytest.raises(AttributeError):
        QQ_I.i.p = 3
    for operation in (lambda: QQ_I.i + 0.5, lambda: 0.5 * QQ_I.i, lambda: QQ_I.i - 0.5, lambda: QQ_I.i / 0.5):
        with pytest.raises(TypeError):
            operation()
    assert QQ_I.i != "i"
    assert 2 - QQ_I.i == QQ_I.number(2, -1)


PRIME = sys.hash_info.modulus


@given(st.integers(), st.integers(min_value=1))
@example(1, PRIME)
@example(-3, 2 * PRIME)
@example(-PRIME, 2)
@example(-2, 1)
@example(PRIME - 1, 2)
def test_real_numbers_hash_as_the_fractions_they_equal(p: int, n: int) -> None:
    assert Gaussian(p, 0, n) == Fraction(p, n)
    assert hash(Gaussian(p, 0, n)) == hash(Fraction(p, n))
