"""Sizes are refused before anything is computed, with the number of features."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from ewsmath import EWS, PiecewiseLinearPath, VolterraSignature, capacity, signature
from ewsmath.generators import Zero

WIDE = PiecewiseLinearPath(None, [[0] * 1345, [1] * 1345])
MANY = Zero(64)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda: signature(WIDE, 2), r"the signature: 1345 letters at depth 2 = 1,810,370 features.*the axes are"),
        (lambda: signature(WIDE, 30), "1345 letters at depth 30"),
        (lambda: EWS(MANY, depth=4), r"EWS: 64 letters at depth 4 = 17,043,520 features, more than 1,000,000"),
        (lambda: VolterraSignature(MANY, depth=4), "VolterraSignature: 64 letters at depth 4"),
        (lambda: EWS.signature(64, 4), "64 letters at depth 4"),
    ],
)
def test_absurd_sizes_are_refused_at_once(use: Callable[[], Any], message: str) -> None:
    started = time.process_time()
    with pytest.raises(ValueError, match=message):
        use()
    assert time.process_time() - started < 1  # seconds; the tensor alone would take minutes


def test_what_fits_is_counted() -> None:
    assert capacity.check_size(16, 3, "the EWS") == 4369
    assert capacity.check_size(999_999, 1, "the EWS") == capacity.LARGEST_SIZE
    with pytest.raises(ValueError, match="1000000 letters at depth 1 = 1,000,000 features"):
        capacity.check_size(1_000_000, 1, "the EWS")
