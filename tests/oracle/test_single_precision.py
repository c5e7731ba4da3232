"""A user's process has JAX's x64 flag off, unlike these tests: there, too, every family is what it should be."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent

PROGRAM = """
import jax, jax.numpy as jnp, numpy as np
import ewsnn
from ewsnn.oracle import certify
from tests.conftest import CLOCKS, GENERATORS

assert not jax.config.jax_enable_x64
rng = np.random.default_rng(0)
points = rng.normal(size=(7, 3)).astype(np.float32)
increments = ewsnn.Increments.from_values(points).with_elapsed(rng.uniform(0, 1, 6).astype(np.float32))

def single(arguments):
    return tuple(single(x) if isinstance(x, tuple) else x.astype(np.float32) if isinstance(x, np.ndarray) else x
                 for x in arguments)

def judge(generator, clock, note):
    layer = ewsnn.EWSLayer(jnp.eye(4, 3), generator, clock, depth=2)
    certificate = certify(layer, increments)
    assert certificate.dtype == "float32", note
    assert certificate.ok, f"{note}\\n{certificate.table()}"

for case in GENERATORS:
    judge(case.fast(single(case.arguments(0, 4))), ewsnn.clocks.Time(), str(case))
for case in CLOCKS:
    judge(ewsnn.generators.Diagonal(np.ones(4, np.float32)), case.fast(single(case.arguments(0, 3))), str(case))

slope = jax.grad(lambda A: jnp.sum(ewsnn.ews(points, A, depth=2)[1]))(jnp.eye(3))
assert slope.dtype == "float32" and bool(jnp.all(jnp.isfinite(slope)))
"""


def test_every_family_and_clock_works_with_x64_off() -> None:
    result = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
