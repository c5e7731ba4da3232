"""The wheel in a fresh environment: what a user gets who installs nothing but what the package asks for."""

import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# The two sides of the README's example, each a fenced block of the interpreter's prompts.
EXAMPLES = re.findall(r"```pycon\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


def call(*command: str | Path, cwd: Path) -> str:
    """Run a command outside the checkout, so that nothing is imported from it."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    result = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False, env=environment
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT, cwd=folder)
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an empty environment."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder / "env", with_pip=True)
    return folder / "env" / ("Scripts" if os.name == "nt" else "bin") / "python"


def test_the_wheel_is_pure_and_holds_the_three_packages_alone(wheel: Path) -> None:
    assert wheel.name.endswith("-py3-none-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {
        "ewsmath",
        "ewsnn",
        "proofs_checks",
    }
    assert {f"{package}/py.typed" for package in ("ewsmath", "ewsnn", "proofs_checks")} <= set(names)


def test_the_readme_example_runs_from_the_wheel(wheel: Path, fresh: Path, tmp_path: Path) -> None:
    exact, fast = EXAMPLES
    (tmp_path / "exact.txt").write_text(exact, encoding="utf-8")
    (tmp_path / "fast.txt").write_text(fast, encoding="utf-8")

    # ewsmath alone: no JAX, no NumPy is there to be imported.
    call(fresh, "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    installed = call(fresh, "-m", "pip", "list", "--format=freeze", cwd=tmp_path).lower()
    assert "jax" not in installed
    assert "numpy" not in installed
    call(fresh, "-m", "doctest", "exact.txt", cwd=tmp_path)

    # ewsnn with its run-time needs.
    call(fresh, "-m", "pip", "install", "--quiet", f"{wheel}[nn]", cwd=tmp_path)
    call(fresh, "-m", "doctest", "fast.txt", cwd=tmp_path)
    assert "train" in call(fresh, "-m", "ewsnn", "--help", cwd=tmp_path)


def test_a_wrong_example_is_seen(tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text(">>> 1 + 1\n3\n", encoding="utf-8")
    with pytest.raises(AssertionError, match="Expected"):
        call(sys.executable, "-m", "doctest", "wrong.txt", cwd=tmp_path)
