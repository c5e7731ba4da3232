"""Docstrings cite the paper by labels that are known for certain, and by no others."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofs_checks.statement import LABELS

ROOT = Path(__file__).parent.parent
CITATION = re.compile(r"\b(Definition|Proposition|Theorem|Lemma|Corollary|Example|Def\.|Prop\.|Thm|Cor\.) ?(\d+)")
FULL = {"Def.": "Definition", "Prop.": "Proposition", "Thm": "Theorem", "Cor.": "Corollary"}


def citations(source: str) -> Iterator[str]:
    """The labels cited after ``Paper:`` in any docstring of a module's text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            for paper in re.findall(r"Paper:(.*?)(?:\n\s*\n|\Z)", ast.get_docstring(node) or "", re.DOTALL):
                yield from (f"{FULL.get(kind, kind)} {number}" for kind, number in CITATION.findall(paper))


@pytest.mark.parametrize("package", ["ewsmath", "ewsnn"])
def test_cited_statements_are_known(package: str) -> None:
    found = {
        (file.name, label)
        for file in (ROOT / package).rglob("*.py")
        for label in citations(file.read_text(encoding="utf-8"))
    }
    assert found, f"no docstring of {package} cites the paper"
    assert {(name, label) for name, label in found if label not in LABELS} == set()


def test_an_invented_number_is_seen() -> None:
    source = '"""A claim.\n\nPaper: Proposition 41; Thm 1(ii).\n"""'
    assert list(citations(source)) == ["Proposition 41", "Theorem 1"]
    assert "Proposition 41" not in LABELS
