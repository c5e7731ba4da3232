"""MP: against balls of more digits; its context is its own."""

import operator
import pickle
from typing import Any

import mpmath
import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, QQ_I, Balls, ComplexBalls, Matrix, exact
from ewsmath.rings import MP, SR, ExponentialRing, Field, MatrixExponentialRing, MPNumber, OrderedRing, supports
from ewsmath.strategies import elements, gaussians, square_matrices

R = MP(30)
BALLS = ComplexBalls(300)


def error(x: MPNumber, y: Any) -> Any:
    """The distance of a number from a true value, by balls."""
    raw = [QQ.coerce(exact_part(part)) for part in (x.value.real, x.value.imag)]
    return (BALLS.coerce(QQ_I.number(*raw)) - BALLS.coerce(y)).abs_upper()


def exact_part(x: Any) -> Any:
    sign, mantissa, exponent, _ = x._mpf_
    return QQ.coerce((-1) ** int(sign) * int(mantissa)) * QQ.coerce(2) ** int(exponent)


@given(elements(EE), elements(EE))
def test_sums_and_products_of_numbers_in_ee(x: Any, y: Any) -> None:
    for found, true in [(R.coerce(x) * R.coerce(y), x * y), (R.coerce(x) - R.coerce(y), x - y), (-R.coerce(x), -x)]:
        assert error(found, true) < QQ.ratio(1, 10**35)
        assert found == R.coerce(true)


@given(square_matrices(2), gaussians())
def test_the_exponential_of_a_matrix(A: Matrix[Any], z: Any) -> None:
    A = Matrix.over(QQ_I, A) * z
    found = R.matrix_exponential(Matrix.over(R, A).entries, 2)
    true = BALLS.matrix_exponential(Matrix.over(BALLS, A).entries, 2)
    largest = max(x.abs_upper() for x in true)
    assert max(error(x, y) for x, y in zip(found, true, strict=True)) < largest * QQ.ratio(1, 10**40)


def test_a_badly_scaled_matrix() -> None:
    # Entries of 10^11 and 10^-12 side by side; and a spectrum of which one end cancels in a plain Taylor series.
    rows = [[-(10**3), 10**3, 0], [0, QQ.ratio(-1, 10**12), 10**3], [0, 0, -1]]
    found = R.matrix_exponential(Matrix(R, rows).entries, 3)
    true = BALLS.matrix_exponential(Matrix(BALLS, rows).entries, 3)
    assert max(error(x, y) for x, y in zip(found, true, strict=True)) < QQ.ratio(1, 10**35)


def test_zero_and_nilpotent_matrices() -> None:
    assert R.matrix_exponential([R.zero] * 4, 2) == [1, 0, 0, 1]
    assert R.matrix_exponential(Matrix(R, [[0, 1, 0], [0, 0, 1], [0, 0, 0]]).entries, 3) == [
        *(1, 1, QQ.ratio(1, 2)),
        *(0, 1, 1),
        *(0, 0, 1),
    ]


def test_an_exponential_that_cannot_be_had_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="finite entries"):
        R.matrix_exponential([R.coerce(mpmath.inf)], 1)
    monkeypatch.setattr("ewsmath.rings.mp_exponential._LARGEST_PRECISION", 100)
    with pytest.raises(ValueError, match="no two runs that agree"):
        R.matrix_exponential([R.one], 1)


@given(st.integers(1, 60))
def test_equality_is_to_the_stated_digits(digits: int) -> None:
    ring = MP(digits)
    step = ring.ratio(1, 10 ** (digits + 1))
    assert ring.one + step == ring.one
    assert ring.one + step * 20 != ring.one
    assert ring.coerce(10**70) + ring.coerce(10**70) * step == ring.coerce(10**70)


def test_constants_and_functions() -> None:
    assert error(R.exp(R.one), EE.exp(EE.one)) < QQ.ratio(1, 10**40)
    assert error(R.exp(R.i), EE.exp(EE.coerce(QQ_I.i))) < QQ.ratio(1, 10**40)
    assert error(R.inverse(R.coerce(3)), QQ.ratio(1, 3)) < QQ.ratio(1, 10**40)
    assert R.square_root(R.coerce(2)) * R.square_root(R.coerce(2)) == 2
    assert R.maximum(R.one, R.coerce(2)) == 2
    assert R.maximum(R.zero, R.coerce(-2)) == 0
    assert (R.one + R.i).conjugate() == R.one - R.i
    assert ((R.one + 2 * R.i).real, (R.one + 2 * R.i).imag) == (1, 2)
    assert R.coerce(SR.exp(SR.ratio(1, 2))) == R.exp(R.ratio(1, 2))
    assert str(R.ratio(1, 3)) == "0." + "3" * 30
    assert 1 - R.one == 0
    assert R.one / 2 == R.ratio(1, 2)
    assert (bool(R.zero), bool(R.one)) == (False, True)
    assert R.one != "1"
    assert repr(R) == "MP(30)"


def test_numbers_of_mpmath_enter_by_their_value() -> None:
    assert exact_part(R.coerce(mpmath.mpf("0.1")).value) == exact(0.1)
    assert error(R.coerce(mpmath.mpc(1, -2)), QQ_I.number(1, -2)) == 0


def test_fewer_digits_are_rounded_to_and_more_are_not_made_up() -> None:
    third = MP(40).ratio(1, 3)
    assert R.coerce(third) == R.ratio(1, 3)
    with pytest.raises(ValueError, match=r"MP\(40\): .* known to 30 digits only. Compute it in MP\(40\)"):
        MP(40).coerce(R.one)


def test_no_global_precision_is_read_or_touched() -> None:
    before = (mpmath.mp.prec, ctx.prec)
    with mpmath.workdps(3):
        coarse = MP(50).exp(MP(50).ratio(1, 7))
    E = MP(50).matrix_exponential([MP(50).ratio(1, 7)], 1)
    assert coarse == E[0]
    assert error(coarse, EE.exp(EE.ratio(1, 7))) < QQ.ratio(1, 10**60)
    assert (mpmath.mp.prec, ctx.prec) == before
    assert MP(50).context is not mpmath.mp


@pytest.mark.parametrize("x", [R.ratio(1, 3), R.exp(R.i), R.zero, -R.ratio(1, 10**50)])
def test_a_number_is_restored_to_the_last_bit(x: MPNumber) -> None:
    found = pickle.loads(pickle.dumps(x))
    assert found.value == x.value
    assert found.ring == x.ring


def test_it_says_what_it_can_do() -> None:
    assert all(supports(R, kind) for kind in (ExponentialRing, Field, OrderedRing, MatrixExponentialRing))
    with pytest.raises(TypeError, match="unhashable"):
        hash(R.one)


@pytest.mark.parametrize(
    ("make", "error_type", "message"),
    [
        (lambda: R.coerce(0.1), TypeError, r"A float is not exact.*MP\(30\)\.ratio\(1, 10\)"),
        (lambda: R.coerce(Balls(64).one), TypeError, r"MP\(30\) takes int"),
        (lambda: R.coerce("1"), TypeError, r"got 1 of type str"),
        (lambda: R.one + MP(31).one, TypeError, r"MP\(30\) and MP\(31\) are not mixed"),
        (lambda: R.one * 0.5, TypeError, r"MP\(30\) takes .*A float is not exact"),  # type: ignore[operator]
        (lambda: R.coerce(SR.symbol("x")), ValueError, "depends on x"),
        (lambda: R.square_root(-R.one), ValueError, "is negative"),
        (lambda: R.maximum(R.i, R.one), ValueError, "orders real numbers only"),
        (lambda: R.inverse(R.zero), ZeroDivisionError, "0 has no inverse"),
        (lambda: MP(0), ValueError, "number of digits must be at least 1"),
        (lambda: MP(2.5), TypeError, "number of digits is a whole number"),  # type: ignore[arg-type]
    ],
)
def test_what_is_refused(make, error_type: type[Exception], message: str) -> None:
    with pytest.raises(error_type, match=message):
        make()


def test_precision_rises_where_squarings_cost_digits() -> None:
    # A rotation by 10^20: seventy squarings, each of which may cost a bit. The first two runs do not agree.
    w = 10**20
    found = R.matrix_exponential(Matrix(R, [[0, -w], [w, 0]]).entries, 2)
    cosine = (EE.exp(EE.coerce(QQ_I.i * w)) + EE.exp(EE.coerce(-QQ_I.i * w))) / 2
    assert error(found[0], cosine) < QQ.ratio(1, 10**40)


def test_numbers_are_divided_by_those_of_mp() -> None:
    ring = MP(30)
    assert 1 / ring.coerce(3) == ring.ratio(1, 3) != ring.ratio(1, 2)
    with pytest.raises(TypeError):
        operator.truediv(0.5, ring.one)
