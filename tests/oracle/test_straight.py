"""Signatures of long paths by matrix products against the exact side, on the same binary numbers. Kind: bridge."""

import numpy as np
import pytest

import ewsmath
from ewsmath import PiecewiseLinearPath
from ewsnn.signature import signature

# Of running sums in blocks, relative to the largest entry of the level, of paths that end far out.
BAR = 50 * 2.0**-52


@pytest.mark.parametrize(("m", "depth"), [(2, 3), (2, 4), (2, 5)])
def test_several_spans_are_exact(m: int, depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ewsnn.engine.straight._MOST", 128)
    points = np.cumsum(np.random.default_rng(0).normal(size=(300, m)).astype(np.float32), axis=0).astype(float)
    exact = ewsmath.signature(PiecewiseLinearPath(None, ewsmath.exact(points)), depth)
    for n, level in enumerate(signature(points, depth), start=1):
        truth = np.asarray(ewsmath.to_numpy(list(exact.level(n))), float)
        assert np.max(np.abs(np.ravel(level) - truth)) <= BAR * np.max(np.abs(truth))
