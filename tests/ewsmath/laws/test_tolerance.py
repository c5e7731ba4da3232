"""Tolerances: by dtype, level and length; ``assert_close``; and what the doors of the laws refuse."""

import dataclasses
import math
import re
from typing import Any

import numpy as np
import pytest
from flint import fmpq

from ewsmath import (
    EE,
    EWS,
    QQ,
    QQ_I,
    ComplexBalls,
    PiecewiseLinearPath,
    TensorAlgebra,
    exact,
    generators,
    laws,
    signature,
    to_numpy,
)
from ewsmath.floats import FORMATS
from ewsmath.laws.tolerance import shown, written

X = PiecewiseLinearPath([0, 1], [[0, 0], [1, 2]])
ews = EWS(generators.Diagonal([1, 2]), depth=3)


def test_the_formula() -> None:
    found = laws.Tolerance(FORMATS["float32"], ulps=2, steps=3, length=fmpq(5), condition=fmpq(3))
    eps, tiny = fmpq(1, 2**23), fmpq(1, 2**126)
    assert found.at(2) == 2 * 2 * 4 * 3 * eps * fmpq(25, 2) + 4 * tiny * 25
    assert found.at(0) == 2 * 4 * 3 * eps + 4 * tiny
    assert str(found) == "2 ulps · level · 4 (pieces + 1) · 3 (clock) · eps(float32) · 5^level / level!"
    assert " 4 (pieces + 1) · eps" in str(dataclasses.replace(found, condition=fmpq(1)))


@pytest.mark.parametrize(("dtype", "eps"), [("float16", 2.0**-10), ("float32", 2.0**-23), ("float64", 2.0**-52)])
def test_assert_close_goes_by_the_dtype(dtype: str, eps: float) -> None:
    truth = ews(X)
    near = [level.astype(dtype) for level in to_numpy(truth)]
    laws.assert_close(near, truth)
    laws.assert_close(near[1:], truth, depth=3)
    # The largest entry of level 2 may be off by 2 · 2 · 2 eps of it: 4 eps pass, 12 eps do not.
    level = near[2].astype(float)
    for off, passes in ((4, True), (12, False)):
        moved = level.copy()
        moved[1, 1] += off * eps * np.abs(level).max()
        levels = [near[1].astype(float), moved, near[3].astype(float)]
        if passes:
            laws.assert_close(levels, truth, dtype=dtype)
        else:
            with pytest.raises(AssertionError, match=rf"(?s)closeness fails at word 22.*eps\({dtype}\)"):
                laws.assert_close(levels, truth, dtype=dtype)


def test_assert_close_takes_levels_on_both_sides() -> None:
    levels = [np.array([1.0, 2.0]), np.array([[0.5, 1.0], [1.0, 2.0]])]
    laws.assert_close(levels, levels)
    laws.assert_close(levels, [np.array(1.0), *levels])
    flat = np.concatenate([level.ravel() for level in levels])
    laws.assert_close(flat, flat, dim=2)
    with pytest.raises(ValueError, match="the number of letters cannot be told from the levels: give dim="):
        laws.assert_close(flat, flat)
    with pytest.raises(ValueError, match="exact results are compared with =="):
        laws.assert_close(ews(X), ews(X))
    with pytest.raises(AssertionError, match="results of different shapes"):
        laws.assert_close(levels, ews(X))


def test_words_and_numbers_are_shown_to_be_read() -> None:
    assert (written(()), written((1, 2)), written((1, 12))) == ("word ∅", "word 12", "word 1,12")
    assert (written((11,)), written((1, 1))) == ("word 11,", "word 11")
    assert shown(QQ.ratio(1, 3)) == "1/3"
    assert shown(fmpq(1, 2**80) + 1) == "1.0"
    number = EE.exp(EE.one) + EE.exp(EE.coerce(fmpq(1, 3))) - EE.ratio(1, 7)
    assert shown(number) == "-1/7 + e^(1/3) + e^(1)"
    long = number + EE.exp(EE.ratio(1, 5))
    assert shown(long).startswith(f"{long} ≈ 5.19243986884816")
    assert shown(ComplexBalls(128).exp(ComplexBalls(128).coerce(QQ_I.i))).startswith("(0.540302305868139")


def signature_of(path: Any) -> Any:
    return signature(path, 2)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: laws.chen(signature_of, X.restrict(0, 0)), ValueError, "chen says nothing of a single point"),
        (lambda: laws.chen(None, X), TypeError, "chen takes the function under test, got None"),  # type: ignore[arg-type]
        (lambda: laws.shuffle(signature_of, X, dtheta=[1]), ValueError, "tried with both, dtheta= and generator="),
        (lambda: laws.chen(signature_of, X, ulps=0), ValueError, "chen: ulps must be at least 1"),
        (
            lambda: laws.reparametrisation(signature_of, X, PiecewiseLinearPath([0, 1], [[0], [2]])),
            ValueError,
            "a reparametrisation is an increasing path in R\\^1 from 0 to 1",
        ),
        (lambda: laws.reparametrisation(signature_of, X, X), ValueError, "a reparametrisation is an increasing path"),
        (
            lambda: laws.group_law(lambda x, y: x + y, 1, 2, 3, inverse=lambda x: -x),
            ValueError,
            "give unit=, too",
        ),
        (
            lambda: laws.group_law(lambda x, y: x + y, 1.0, 2.0, 3.0, generator=generators.Diagonal(1)),
            TypeError,
            r"the elements are pairs \(r, levels\), got 1.0 of type float",
        ),
        (
            lambda: laws.group_law(lambda x, y: [0] * (2 * len(x) + len(y)), [1], [1], [3]),
            AssertionError,
            "has 7 entries, a",
        ),
    ],
)
def test_the_doors(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_coarser_dtype_can_be_named() -> None:
    path = np.array([[0.1, 0.2], [0.7, 0.3], [0.4, 0.9]])

    def single_inside(x: Any) -> Any:
        return [level.astype("float32").astype(float) for level in to_numpy(signature(_path(x), 3))]

    laws.chen(single_inside, path, dtype="float32")
    laws.group_law(lambda x, y: np.float32(x) + np.float32(y), 0.1, 0.2, 0.3, dtype="float32")
    with pytest.raises(AssertionError, match=r"eps\(float64\)"):
        laws.chen(single_inside, path)


@pytest.mark.parametrize(
    ("levels", "depth"), [([[1.0], [0.0, 0.0]], 1), ([[0.0] * 2, [0.0] * 4], 2), ([1.0] + [0.0] * 14, 3)]
)
def test_flows_back_widen_the_tolerance_of_the_group_law(levels: list, depth: int) -> None:
    # Two steps back at the larger rate give g = e^(2·2), to the power of the depth; κ = 1 + 2 (1 + 1 + 1/2); the
    # largest number that comes out is 2.5.
    def wrong(x: Any, y: Any) -> Any:
        return x[0] - y[0], x[1]

    pairs = (0.5, levels), (-1.0, levels), (-1.0, levels)
    scale = f"{2.5 * math.exp(4 * depth):.4g}"
    with pytest.raises(AssertionError, match=rf"\d+ · 6 \(clock\) · eps\(float64\) · scale {re.escape(scale)}"):
        laws.group_law(wrong, *pairs, generator=generators.Diagonal([1, 2]))
    laws.group_law(lambda x, y: (x[0] + y[0], x[1]), *pairs, generator=generators.Diagonal([1, 2]))


def _path(x: Any) -> Any:
    return PiecewiseLinearPath(None, exact(x))


def test_floats_may_come_from_an_exact_path() -> None:
    laws.chen(lambda path: to_numpy(signature(path, 3)), X)
    with pytest.raises(AssertionError, match=r"eps\(float64\) · 2\^level"):
        laws.chen(lambda path: [1.001 * level for level in to_numpy(signature(path, 3))], X)


def test_levels_of_tensors_of_floats_are_given_to_the_derivation_as_they_came() -> None:
    T = TensorAlgebra(QQ, 2, 2)
    a = to_numpy(T.tensor({(1,): 1, (1, 2): 3}))
    seen = []

    def derive(levels: Any) -> Any:
        seen.append([level.shape for level in levels])
        return [np.zeros(()), np.zeros(2), np.zeros((2, 2))]

    laws.derivation(derive, np.zeros((2, 2)), a, a)
    assert seen == [[(), (2,), (2, 2)]] * 5
