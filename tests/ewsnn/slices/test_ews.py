"""The EWS as a SLiCE equals the EWS layer, which goes another way. Kind: twin."""

import equinox as eqx
import jax
import numpy as np
import pytest

from ewsnn import EWSLayer, Increments, clocks, generators, tensor
from ewsnn.slices import EWS, driven, slice_of

EPS = float(np.finfo(np.float64).eps)
rng = np.random.default_rng(0)
LAYER = EWSLayer(rng.normal(size=(2, 3)), generators.Rotation([0.3], [2.0]), clocks.Variation(), depth=2)
X = rng.normal(size=(2, 6, 3)) / 2


def test_the_states_are_those_of_the_layer() -> None:
    increments = Increments.from_values(X, lengths=[6, 4])

    @eqx.filter_jit
    def everywhere(layer: EWSLayer, increments: Increments) -> tuple[jax.Array, jax.Array]:
        # The recurrence is compared with the exact side.
        found = slice_of(layer)(driven(layer.clock, increments), output="all", mode="full")
        return found, tensor.features(layer(increments, output="all"))

    found, expected = map(np.asarray, everywhere(LAYER, increments))
    # Both routes round some tens of times in each of 5 steps.
    np.testing.assert_allclose(found, expected, rtol=0, atol=500 * EPS * np.abs(expected).max())


def test_few_numbers_give_large_matrices() -> None:
    structure = slice_of(LAYER).structure
    assert jax.eval_shape(structure.matrices).shape == (4, 7, 7)
    assert sum(leaf.size for leaf in jax.tree.leaves(eqx.filter(structure, eqx.is_inexact_array))) == 6 + 2
    assert (structure.channels, structure.size) == (4, 7)


def test_bad_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="generator"):
        EWS(np.eye(2), 3, 1)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match=r"\(m, d\) with m = 2"):
        EWS(np.eye(3), LAYER.generator, 1)
