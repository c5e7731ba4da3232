"""The door through which numbers enter. Oracle: the values themselves."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.arrays import as_float, default_float, real


@pytest.mark.parametrize("given", [[[1, 2], [3, 4]], np.array([[1, 2], [3, 4]], np.int8), jnp.array([[1, 2], [3, 4]])])
def test_integers_become_floats(given):
    array = as_float("matrix", given)
    assert array.dtype == default_float()
    assert array.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("given", [[True], [1j], ["1"], jnp.array([1j]), np.array([False])])
def test_what_is_no_real_number_is_refused(given):
    with pytest.raises(TypeError, match="rate must be real numbers, got an array of"):
        as_float("rate", given)


def test_numpy_arrays_stay_in_numpy_with_all_digits():
    array = real("path", np.array([1.0, 2.0**-40]))
    assert isinstance(array, np.ndarray)
    assert array[1] == 2.0**-40


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_floating_point_type_is_kept(dtype):
    assert as_float("rate", np.ones(2, dtype)).dtype == dtype


def test_import_leaves_the_flags_of_jax_alone():
    code = (
        "import jax; before = dict(jax.config.values); import ewsnn; assert jax.config.values == before; "
        "assert jax.numpy.ones(1).dtype == 'float32'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_x64_a_float64_parameter_is_rounded():
    with jax.enable_x64(False):
        assert as_float("rate", np.array([0.1])).dtype == np.float32
