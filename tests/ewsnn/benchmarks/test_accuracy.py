"""The checks of accuracy: they see an error that is there, and what they judge is what they say."""

import json
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from ewsnn.benchmarks import accuracy, gpu, table8
from ewsnn.benchmarks.cases import UEA
from ewsnn.benchmarks.tables import accuracy_table

DATA = Path(__file__).parents[4] / "shared" / "data"


def test_errors_of_single_steps_are_told_for_each_engine_and_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    def rows() -> list[dict[str, Any]]:
        return accuracy.local_errors("zero", draws=1, sizes=(1.0,), m=2, depth=2)

    found = rows()
    assert [(row["engine"], row["dtype"]) for row in found] == [
        (e, d) for e in accuracy.ENGINES for d in accuracy.DTYPES
    ]
    for row in found:
        # A step of the plain signature is one product a level.
        assert max(row["errors"]) <= 4 * float(np.finfo(row["dtype"]).eps)
    assert "| zero | chunked | float64 | 1.0 |" in accuracy_table("local", found)
    computed = accuracy._computed
    monkeypatch.setattr(accuracy, "_computed", lambda *words: tuple(1.001 * x for x in computed(*words)))
    assert all(max(row["errors"]) == pytest.approx(1e-3, rel=1e-3) for row in rows())


def test_an_error_is_relative_to_the_largest_that_a_level_takes_on_the_way() -> None:
    # After a full turn level one of a step is zero again.
    rng = np.random.default_rng(0)
    turning = accuracy.FAMILIES["undamped"](rng, 2)
    full = np.float32(2 * np.pi / abs(np.asarray(turning.matrix())[1, 0]))
    step = accuracy._path(np.ones((1, 2), np.float32), np.full(1, full))
    (ratio,) = accuracy._end_over_largest(turning, step, 1)
    assert ratio < 1e-6


def test_motor_imagery_is_read_as_its_file_says() -> None:
    if not (DATA / "MotorImagery").exists():
        pytest.skip("the shared data are not at hand")
    paths, labels = table8.motor_imagery(DATA)
    (problem,) = (p for p in UEA if p.name == "MotorImagery")
    assert paths.shape == (278, problem.steps + 1, problem.channels)
    assert paths.min(axis=(0, 1)) == pytest.approx(-1)
    assert paths.max(axis=(0, 1)) == pytest.approx(1)
    # Channel c is channel 0 delayed by 64c samples, each scaled by its own range.
    a, b = paths[3, 64:200, 0], paths[3, :136, 1]
    assert np.corrcoef(a, b)[0, 1] == pytest.approx(1, abs=1e-6)
    assert set(labels.tolist()) == {0, 1}


def test_a_check_that_fails_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accuracy, "local_errors", lambda *_, **__: 1 / 0)
    accuracy.main(["local/zero", "--quick"])
    told = json.loads(capsys.readouterr().out)
    assert told == {"name": "local/zero", "failed": "ZeroDivisionError: division by zero"}


def test_without_a_gpu_nothing_is_run_or_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if jax.default_backend() == "gpu":
        pytest.skip("there is a GPU")
    assert gpu.main(["--json", str(tmp_path / "gpu.json")]) == 1
    assert "JAX finds no GPU here (it has cpu)" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []
