"""Formats of floats: NumPy's own limits, and which rationals they hold."""

from typing import Any

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import exact
from ewsmath.floats import FORMATS, FloatFormat, float_format
from ewsmath.strategies import rationals


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_limits_are_those_of_numpy(dtype: str) -> None:
    mine, theirs = FORMATS[dtype], np.finfo(dtype)
    assert mine.eps == exact(theirs.eps)
    assert mine.largest == exact(theirs.max)
    assert mine.smallest_normal == exact(theirs.smallest_normal)
    for x in (theirs.max, theirs.smallest_subnormal, -theirs.smallest_normal):
        assert mine.holds(exact(x))
    assert not mine.holds(exact(theirs.smallest_subnormal) / 2)
    assert not mine.holds(exact(theirs.max) + 1)
    assert not mine.holds(3 * exact(theirs.smallest_subnormal) / 2)


@given(st.one_of(st.floats(width=16, allow_nan=False, allow_infinity=False).map(exact), rationals(max_denominator=64)))
def test_a_format_holds_what_numpy_does_not_round(x: fmpq) -> None:
    nearest = np.float16(int(x.p) / int(x.q))
    assert FORMATS["float16"].holds(x) == (exact(nearest) == x)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_single_precision_holds_what_numpy_does_not_round(x: float) -> None:
    with np.errstate(over="ignore"):
        nearest = np.float32(x)
    assert FORMATS["float32"].holds(exact(x)) == (float(nearest) == x)


@pytest.mark.parametrize("dtype", ["float32", np.float32, np.dtype("float32"), "torch.float32", np.float32(1).dtype])
def test_a_dtype_has_many_names(dtype: Any) -> None:
    assert float_format(dtype) is FORMATS["float32"]


@pytest.mark.parametrize("dtype", ["int32", np.int8, "float", None, "half"])
def test_other_dtypes_are_refused(dtype: Any) -> None:
    with pytest.raises(ValueError, match="a dtype is one of float16, bfloat16, float32, float64, got"):
        float_format(dtype)


def test_bfloat16_has_the_range_of_single_precision() -> None:
    found = FORMATS["bfloat16"]
    assert (found.eps, found.smallest_normal) == (fmpq(1, 128), FORMATS["float32"].smallest_normal)
    assert found == FloatFormat("bfloat16", 8, -126, 128)
    assert found.largest == fmpq(255) * fmpq(2) ** 120
