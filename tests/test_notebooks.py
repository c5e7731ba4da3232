"""Notebooks are kept without outputs: what the pages show was computed by the build that made them."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def stored(text: str) -> list[int]:
    """The places of code cells that hold an output or an execution count, and a foreign kernel as -1."""
    notebook = json.loads(text)
    found = [
        place
        for place, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code" and (cell["outputs"] or cell["execution_count"] is not None)
    ]
    return found if notebook["metadata"]["kernelspec"]["name"] == "python3" else [-1, *found]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_notebooks_hold_no_outputs(file: Path) -> None:
    assert stored(file.read_text(encoding="utf-8")) == []


def test_an_output_is_seen() -> None:
    [file, *_] = NOTEBOOKS
    notebook = json.loads(file.read_text(encoding="utf-8"))
    code = next(place for place, cell in enumerate(notebook["cells"]) if cell["cell_type"] == "code")
    notebook["cells"][code]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "1"}]
    notebook["metadata"]["kernelspec"]["name"] = "venv"
    assert stored(json.dumps(notebook)) == [-1, code]
