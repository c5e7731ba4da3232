"""What importing a package may not do: load JAX, or change a setting of JAX, mpmath or flint."""

import subprocess
import sys

import pytest


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


NO_JAX = "import sys\nimport {package}\nassert 'jax' not in sys.modules and 'numpy' not in sys.modules"

SETTINGS = """
import jax, mpmath, flint
state = lambda: (jax.config.values.copy(), mpmath.mp.prec, mpmath.iv.prec, flint.ctx.prec)
before = state()
import {package}
assert state() == before, [(a, b) for a, b in zip(before, state()) if a != b]
assert jax.numpy.ones(1).dtype == "float32"
"""


@pytest.mark.parametrize("package", ["ewsmath", "ewsmath.strategies"])
def test_the_exact_side_loads_no_jax(package: str) -> None:
    result = run(NO_JAX.format(package=package).replace(" and 'numpy' not in sys.modules", ""))
    assert result.returncode == 0, result.stderr


def test_the_exact_side_loads_no_numpy() -> None:
    result = run(NO_JAX.format(package="ewsmath"))
    assert result.returncode == 0, result.stderr


def test_a_loaded_jax_is_seen() -> None:
    assert "AssertionError" in run(NO_JAX.format(package="ewsnn")).stderr


@pytest.mark.parametrize("package", ["ewsmath", "ewsnn", "ewsnn.oracle", "proofs_checks"])
def test_importing_leaves_every_setting_alone(package: str) -> None:
    result = run(SETTINGS.format(package=package))
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(
    "change",
    ["jax.config.update('jax_enable_x64', True)", "mpmath.mp.prec = 99", "flint.ctx.prec = 99"],
)
def test_a_changed_setting_is_seen(change: str) -> None:
    assert "AssertionError" in run(SETTINGS.replace("import {package}", change)).stderr
