"""Paths of both sides, made the same way: they have the same increments and the same Δt. Kind: bridge."""

import numpy as np
import pytest
from flint import fmpq

import ewsmath
from ewsmath import PiecewiseLinearPath
from ewsnn import Increments

VALUES = [[2, 1], [5, 1], [4, -3]]
STAMPS = [3, 5, 6]


@pytest.mark.parametrize(
    ("exact", "fast"),
    [
        (PiecewiseLinearPath(None, VALUES), Increments.from_values(VALUES)),
        (PiecewiseLinearPath(None, VALUES).with_base_point(), Increments.from_values(VALUES).with_base_point()),
        (
            PiecewiseLinearPath(None, VALUES).with_base_point().with_time(),
            Increments.from_values(VALUES).with_base_point().with_time(),
        ),
        (
            PiecewiseLinearPath(STAMPS, VALUES).with_base_point(),
            Increments.from_values(VALUES, STAMPS).with_base_point(),
        ),
        (
            PiecewiseLinearPath(STAMPS, VALUES).with_base_point(start=fmpq(5, 2)),
            Increments.from_values(VALUES, STAMPS, start_time=2.5).with_base_point(),
        ),
    ],
    ids=["values", "base point", "base point and time", "stamps", "start time"],
)
def test_both_sides_read_the_same_path(exact: PiecewiseLinearPath, fast: Increments) -> None:
    assert exact.gaps == list(ewsmath.exact(np.asarray(fast.dt)))
    assert exact.increments == [tuple(row) for row in ewsmath.exact(np.asarray(fast.dx))]
