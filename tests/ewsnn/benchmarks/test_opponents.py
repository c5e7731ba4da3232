"""The opponents compute what our layer computes: twins, in float64."""

import ast
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.benchmarks import opponents
from ewsnn.benchmarks.case import Case
from ewsnn.benchmarks.problems import Problem
from ewsnn.benchmarks.step import build

EPS = float(np.finfo(np.float64).eps)
FILES = sorted(Path(opponents.__file__).parent.glob("*_scan.py"))


@pytest.mark.parametrize(
    ("problem", "opponent", "tolerance"),
    [
        # An odd number of steps; ‖ΔθA‖ = 1.5, where eight nodes leave 1e-12 (numerics: 7 nodes, 1e-13 at 1).
        (Problem("terminal", 2, 7, 3, 4, 3, elapsed=0.5), "plain_scan", 1e-11),
        (Problem("mean", 2, 4, 3, 4, 2, clock="gated", elapsed=0.1, output="mean"), "plain_scan", 100 * EPS),
        (Problem("all", 2, 7, 3, 4, 1, "free rotation", output="all"), "diagonal_scan", 100 * EPS),
    ],
    ids=lambda x: getattr(x, "name", ""),
)
def test_values_and_gradients_are_those_of_our_layer(problem: Problem, opponent: str, tolerance: float) -> None:
    with jax.numpy_rank_promotion("allow"), jax.numpy_dtype_promotion("standard"):
        value, theirs = run(Case("deep", problem, opponent, "float64"))
    expected, ours = run(Case("deep", problem, "sequential", "float64"))
    assert abs(value - expected) <= tolerance * problem.features**0.5 * 10
    leaves = list(zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True))
    assert len(leaves) >= 4  # path, times or clock increments, lift, generator (and clock)
    for mine, other in leaves:
        assert jnp.max(jnp.abs(mine - other)) <= 10 * tolerance * (1 + jnp.max(jnp.abs(mine)))
    assert any(jnp.max(jnp.abs(mine)) > 0.1 for mine, _ in leaves)


def run(case: Case) -> tuple[float, object]:
    function, arguments = build(case).gradient()
    value, gradient = jax.jit(function)(*arguments)
    return float(value), gradient


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_opponents_are_short_and_stand_alone(file: Path) -> None:
    source = file.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 60
    imported = {
        name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert imported <= {"jax", "jax.numpy", "numpy", "numpy.polynomial", "jaxtyping"}


@pytest.mark.parametrize(
    ("problem", "opponent", "message"),
    [
        (Problem("skew", 1, 2, 2, 2, 1, "skew"), "plain_scan", "written for rotations, skew has Skew"),
        (Problem("deep", 1, 2, 2, 2, 2, output="all"), "diagonal_scan", "at depth one, not deep"),
    ],
)
def test_what_an_opponent_cannot_do_is_refused(problem: Problem, opponent: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        run(Case("deep", problem, opponent))
