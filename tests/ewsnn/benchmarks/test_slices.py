"""The benchmark of SLiCEs, small: opponents and layers agree, a case says what was measured. No time is asserted."""

import equinox as eqx
import jax
import numpy as np
import pytest

from ewsnn.benchmarks import slices


def gradient(case: str) -> list[np.ndarray]:
    """Value and gradient of a case on paths of nine observations."""
    function, inputs = slices.build(case, 9)
    arrays, rest = eqx.partition(inputs, eqx.is_inexact_array)
    with jax.numpy_rank_promotion("allow"):  # an opponent broadcasts as its authors would
        found = jax.jit(lambda arrays: function(arrays, rest))(arrays)
    return [np.asarray(leaf) for leaf in jax.tree.leaves(found)]


@pytest.mark.parametrize(("opponent", "ours"), [("block_scan", "BD/recurrent/1"), ("dense_hadamard/1024", "WH/1024")])
def test_opponents_have_the_values_and_gradients_of_the_layer(opponent: str, ours: str) -> None:
    for theirs, own in zip(gradient(opponent), gradient(ours), strict=True):
        # Eight steps in single precision, of sums of 1024 numbers.
        np.testing.assert_allclose(theirs, own, rtol=0, atol=2e-5 * max(1, np.abs(own).max()))


def test_brackets_one_by_one_are_those_together() -> None:
    (together,), (each,) = (gradient(f"brackets/{how}") for how in ("together", "one by one"))
    np.testing.assert_allclose(together, each, rtol=0, atol=1e-6)


def test_a_case_says_what_was_measured() -> None:
    found = slices.measured("D/recurrent/1", 1, 9)
    assert found["seconds"] > 0 < found["compile_seconds"]
    assert found["norm"] > 0
