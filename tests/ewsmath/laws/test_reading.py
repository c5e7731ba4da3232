"""Results as they come from many libraries, and what is turned away."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from ewsmath import QQ, TensorAlgebra, laws, strategies
from ewsmath.floats import FORMATS
from ewsmath.laws.drive import Drive
from ewsmath.laws.reading import format_of, read

T = TensorAlgebra(QQ, 2, 2)
WANTED = T.tensor({(): 1, (1,): 1, (2,): 2, (1, 2): 3, (2, 2): 4})
LEVELS = [np.array([1.0, 2.0]), np.array([[0.0, 3.0], [0.0, 4.0]])]


@pytest.mark.parametrize(
    "result",
    [
        WANTED,
        LEVELS,
        [np.array(1.0), *LEVELS],
        (np.array([1.0]), LEVELS[0], LEVELS[1].ravel()),
        np.array([1, 2, 0, 3, 0, 4.0]),
        np.array([1, 1, 2, 0, 3, 0, 4.0]),
        [1, 2, 0, 3, 0, 4],
        [Fraction(1), 1, 2, 0, 3, 0, 4],
        [[1.0, 2.0], [[0.0, 3.0], [0.0, 4.0]]],
    ],
)
def test_one_tensor_has_many_forms(result: Any) -> None:
    assert read(result, 2).tensor == WANTED
    assert read(result, 2, depth=2).tensor == WANTED


@pytest.mark.parametrize("with_constant", [False, True])
def test_over_one_letter_the_depth_tells_the_form(with_constant: bool) -> None:
    wanted = TensorAlgebra(QQ, 1, 3).tensor({(): 1, (1,): 2, (1, 1): 2})
    vector = [1.0] * with_constant + [2.0, 2.0, 0.0]
    for result in (vector, np.array(vector), [[x] for x in vector]):
        assert read(result, 1, depth=3).tensor == wanted
        with pytest.raises(ValueError, match=r"over one letter .* give depth="):
            read(result, 1)


@pytest.mark.parametrize(
    ("x", "name"),
    [
        (np.zeros(2, "float32"), "float32"),
        ([np.zeros(2, "float16"), np.zeros((2, 2))], "float16"),
        ((1, 2.0), "float64"),
        (np.float32(1), "float32"),
    ],
)
def test_the_coarsest_format_counts(x: Any, name: str) -> None:
    assert format_of(x) is FORMATS[name]


@pytest.mark.parametrize("x", [1, [1, 2], np.zeros(2, int), Fraction(1, 2), WANTED])
def test_exact_results_have_no_format(x: Any) -> None:
    assert format_of(x) is None


@pytest.mark.parametrize(
    ("result", "depth", "message"),
    [
        (np.zeros((2, 2)), None, "an array with 2 axes came back"),
        (None, None, "gave None of type NoneType: give a Tensor"),
        ([np.zeros(2), np.zeros(3)], None, "level 2 over 2 letters has 4 entries, got 3"),
        (np.zeros(5), None, "5 entries are no levels over 2 letters"),
        (np.zeros(1), None, "1 entries are no levels over 2 letters"),
        (np.zeros(6), 3, "the result has depth 2, depth=3 was asked for"),
        (WANTED, 3, "the result has depth 2, depth=3 was asked for"),
    ],
)
def test_results_of_no_size_are_refused(result: Any, depth: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read(result, 2, depth)


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_results_that_are_not_finite_fail_the_law(bad: float) -> None:
    with pytest.raises(AssertionError, match=r"the result is not finite: .* draw smaller values"):
        laws.shuffle(lambda path: np.array([bad, 0, 0, 0, 0, 0]), np.zeros((2, 2)))


@pytest.mark.parametrize(
    ("path", "dtheta", "error", "message"),
    [
        ([[0, 0], [1, 1]], None, TypeError, "a law takes an array of floats or a PiecewiseLinearPath"),
        (np.zeros(3), None, ValueError, r"an array of shape \(points, d\)"),
        (np.zeros((0, 2)), None, ValueError, r"an array of shape \(points, d\)"),
        (np.zeros((3, 2)), [1.0], ValueError, "1 clock increments for 2 pieces"),
    ],
)
def test_paths_of_no_shape_are_refused(path: Any, dtheta: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Drive.of(path, dtheta)


@given(strategies.path_arrays(2, dtype="float32"), strategies.reparametrisations())
def test_a_function_gets_arrays_of_the_dtype_that_came(path: Any, phi: Any) -> None:
    seen = []

    def levels(x: Any) -> Any:
        seen.append((type(x), x.dtype, x.ndim))
        return np.array([0, 0], "float32")

    laws.reparametrisation(levels, path, phi)
    assert seen == [(np.ndarray, np.float32, 2)] * 2
