"""Imports go down only: the picture in docs/explanation/architecture.md, read by machine.

A module may import from its own package only what stands on a lower row of its table.
"""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

# Rows from the top down. A folder stands for all its modules, whose mutual imports must be free of cycles
# (the last test).
ROWS = {
    "ewsmath": [
        ["benchmarks", "strategies", "volterra"],
        ["bounds", "laws", "log_signature", "ssm"],
        ["ews"],
        ["structures", "word_problem"],
        ["linear_cde"],
        ["signature", "kernels"],
        ["generators", "clocks"],
        ["paths", "operators", "iterated_integrals"],
        ["spectrum"],
        ["exppoly", "jordan_form", "hopf", "norms", "matrix_norms"],
        ["functional", "interop", "digits", "lie"],
        ["tensor", "matrix"],
        ["capacity", "floats"],
        ["words"],
        ["rings"],
        ["latex"],
    ],
    "ewsnn": [
        ["__main__"],
        ["cli"],
        ["benchmarks"],
        ["oracle", "train", "baselines"],
        ["convert", "slices"],
        ["models", "sequence", "data", "signature"],
        ["batch_norm", "blocks", "front_ends", "heads", "multi_head", "sharded"],
        ["layers", "functional", "level_gain"],
        ["engine"],
        ["generators", "clocks"],
        ["propagators", "paths"],
        ["moments", "multiples"],
        ["affine", "angles", "tensor", "linalg", "parameters"],
        ["arrays"],
    ],
}
FORBIDDEN = {
    "ewsmath": {"jax", "jaxlib", "equinox", "optax", "ewsnn", "proofs_checks"},
    "ewsnn": {"ewsmath", "proofs_checks"},
}
EXCEPTIONS = {("ewsnn.oracle", "ewsmath"), ("ewsnn.cli", "ewsnn.oracle")}
NUMPY_DOOR = "ewsmath.interop"


def modules(package: str) -> dict[str, Path]:
    """Dotted name → file, for every module of a package."""
    found = {}
    for file in sorted((ROOT / package).rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


def imports(name: str, source: str, known: set[str]) -> set[str]:
    """Every module that ``source``, the text of module ``name``, imports, with full dotted names."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: write imports with their full names"
            for alias in node.names:
                full = f"{node.module}.{alias.name}"
                found.add(full if full in known else str(node.module))
    return found


def row(module: str) -> int:
    """The row of a module in its package's table; the package itself stands above all rows."""
    package, *rest = module.split(".")
    if not rest:
        return -1
    for index, names in enumerate(ROWS[package]):
        if rest[0] in names:
            return index
    raise AssertionError(f"{module} stands in no row of tests/test_layers.py")


def faults(name: str, imported: set[str]) -> list[str]:
    """What the imports of one module break, as sentences."""
    package, *rest = name.split(".")
    found = []
    for other in sorted(imported):
        top, *inner = other.split(".")
        if any((name == a or name.startswith(a + ".")) and other.startswith(b) for a, b in EXCEPTIONS):
            continue
        if top in FORBIDDEN[package]:
            found.append(f"{name} imports {other}, which {package} must not")
        if package == "ewsmath" and top == "numpy" and name != NUMPY_DOOR:
            found.append(f"{name} imports numpy: floats enter through {NUMPY_DOOR} alone")
        if top == package and rest and (not inner or (inner[0] != rest[0] and row(other) <= row(name))):
            found.append(f"{name} imports {other}, which does not stand below it")
    return found


@pytest.mark.parametrize("package", ROWS)
def test_imports_go_down(package: str) -> None:
    known = modules(package)
    broken = []
    for name, file in known.items():
        broken += faults(name, imports(name, file.read_text(encoding="utf-8"), set(known)))
    assert broken == []


@pytest.mark.parametrize("package", ROWS)
def test_imports_have_no_cycle(package: str) -> None:
    known = modules(package)
    graph = {
        name: imports(name, file.read_text(encoding="utf-8"), set(known)) & set(known)
        for name, file in known.items()
        if file.name != "__init__.py"  # a package's own file gathers its public names
    }
    while graph:
        leaves = [name for name, below in graph.items() if not below & set(graph)]
        assert leaves, f"a cycle among {sorted(graph)}"
        graph = {name: below for name, below in graph.items() if name not in leaves}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("ewsmath.tensor", "import jax"),
        ("ewsmath.tensor", "import numpy"),
        ("ewsmath.words", "from ewsmath.tensor import Tensor"),
        ("ewsnn.layers", "from ewsmath import QQ"),
        ("ewsnn.linalg", "from ewsnn.engine.scan import chen"),
        ("ewsnn.models", "from ewsnn import ews"),
    ],
)
def test_a_forbidden_import_is_seen(name: str, source: str) -> None:
    assert faults(name, imports(name, source, set(modules("ewsmath")) | set(modules("ewsnn"))))
