"""Parameters that stay in the stable set. Oracle: eigenvalues by NumPy."""

import equinox as eqx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ewsnn.parameters import Dissipative, Positive, parameter, value


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_dissipative_matrices_have_no_negative_symmetric_part(seed, m):
    A = np.asarray(Dissipative(np.random.default_rng(seed).normal(size=(m, m))).value)
    # Round-off of a sum of m products of numbers of size about 3.
    assert np.linalg.eigvalsh(A + A.T).min() >= -100 * 2.0**-52 * m


def test_every_dissipative_matrix_is_reached():
    A = np.array([[2.0, 3.0, 0.0], [-1.0, 5.0, 1.0], [1.0, 0.5, 1.5]])
    lower = np.linalg.cholesky((A + A.T) / 2)
    upper = np.triu((A - A.T) / 2, 1)
    np.testing.assert_allclose(Dissipative(lower + upper).value, A, rtol=0, atol=20 * 2.0**-52)


@pytest.mark.parametrize("step", [-1e3, -1.0, 1.0, 5.0])
def test_positive_numbers_stay_positive_wherever_the_optimiser_goes(step):
    start = Positive([0.5, 2.0])
    moved = eqx.tree_at(lambda positive: positive.log, start, start.log + step)
    assert (moved.value >= 0).all()


def test_positive_refuses_zero():
    with pytest.raises(ValueError, match="Positive needs values above 0"):
        Positive([1.0, 0.0])


def test_plain_arrays_are_taken_exactly_as_they_are():
    assert value(parameter("rate", [-0.1, 0.3])).tolist() == [-0.1, 0.3]
