"""The same numbers on every device: twins of the definition, run on a CPU by all and on a GPU by the benchmarks there.

The module imports nothing of the exact side, which a GPU machine may not have.
"""

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.clocks import Given
from ewsnn.engine import states
from ewsnn.generators import AbstractGenerator, Rotation, Skew
from ewsnn.paths import Increments
from tests.ewsnn.reference import errors, exact_states

pytestmark = pytest.mark.gpu

STEPS, DEPTH = 5, 3
RNG = np.random.default_rng(0)
DX = RNG.normal(size=(STEPS, 2)).astype(np.float32)
ELAPSED = RNG.uniform(0, 0.5, STEPS).astype(np.float32)
FAMILIES = {
    "rotation": Rotation(np.array([0.5], np.float32), np.array([3.0], np.float32)),
    "skew": Skew(np.array([1.5], np.float32)),
}


@pytest.mark.parametrize(
    ("engine", "output", "family", "dtype"),
    [
        ("chunked", "terminal", "rotation", np.float32),
        ("chunked", "terminal", "skew", np.float64),
        ("chunked", "all", "rotation", np.float32),
        ("scan", "all", "rotation", np.float32),
        ("sequential", "all", "rotation", np.float64),
    ],
)
def test_states_are_those_of_the_definition(engine: str, output: str, family: str, dtype: type) -> None:
    generator = FAMILIES[family]
    exact = exact_states(np.asarray(generator.matrix()), ELAPSED, DX, DEPTH)
    # A step costs up to 10 eps, and its products as much again; a device that rounds products to TF32 has 1e-3.
    tolerance = 50 * float(np.finfo(dtype).eps) * STEPS
    found = computed(generator, engine, output, dtype)
    for step in (0, STEPS - 1) if output == "all" else (STEPS - 1,):
        levels = [level[step] for level in found] if output == "all" else found
        assert max(errors(levels, exact[step])) <= tolerance


def computed(generator: AbstractGenerator, engine: str, output: str, dtype: type) -> tuple[jax.Array, ...]:
    generator = jax.tree.map(lambda x: jnp.asarray(x, dtype) if eqx.is_inexact_array(x) else x, generator)
    increments = Increments.integral(DX.astype(dtype)).with_elapsed(ELAPSED.astype(dtype))
    call = eqx.filter_jit(states)
    return call(increments, jnp.eye(2, dtype=dtype), generator, Given(), depth=DEPTH, output=output, engine=engine)
