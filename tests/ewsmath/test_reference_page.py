"""What stands on the page of docs/reference on ewsmath says what it takes and gives, and shows it by an example.

An argument stands in its docstring with its meaning, a result under "Returns" or "Yields", and an example runs. What a
method that overrides another takes and gives is said where it comes from; what is abstract is shown by what is not.
"""

import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import ewsmath

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "ewsmath.md").read_text(encoding="utf-8")
DIRECTIVES = re.findall(r"^\.\. automodule:: (\S+)\n((?:   :.*\n)*)", PAGE, re.MULTILINE)
ALONE = re.findall(r"^\.\. auto(?:class|function):: ewsmath\.(\w+)$", PAGE, re.MULTILINE)
MODULES = [
    *sorted({getattr(ewsmath, name).__module__ for name in ALONE}),
    *(name for name, options in DIRECTIVES if ":no-members:" not in options),
]

NO_EXAMPLE = {
    "ewsmath.benchmarks.opponents.signature_opponents": "what is at hand differs from machine to machine",
}
"""What has no example, with the reason."""


def members(module: ModuleType) -> Iterator[tuple[str, Any, type | None]]:
    """The classes, methods and functions that the page shows of a module: name, object, and the class of a method."""
    public = getattr(module, "__all__", ())
    for name, x in vars(module).items():
        if name.startswith("_") or not (getattr(x, "__module__", None) == module.__name__ or name in public):
            continue
        if inspect.isfunction(x):
            yield f"{module.__name__}.{name}", x, None
        elif inspect.isclass(x):
            yield f"{module.__name__}.{name}", x, None
            for inner, y in vars(x).items():
                method = y.__func__ if isinstance(y, classmethod | staticmethod) else y
                if inspect.isfunction(method) and method.__doc__ and not inner.startswith("_"):
                    yield f"{module.__name__}.{name}.{inner}", method, x


def faults(x: Any, owner: type | None = None) -> list[str]:
    """What the docstring of a class, a function, or a method of a class leaves out."""
    text = inspect.getdoc(x) or ""
    found = []
    if inspect.isclass(x):
        overrides = False
        made_here = "__init__" in vars(x) and not getattr(x.__init__, "__isabstractmethod__", False)
        says_its_own = made_here and not getattr(x, "_is_protocol", False)
    else:
        overrides = owner is not None and any(hasattr(base, x.__name__) for base in owner.__mro__[1:])
        says_its_own = not overrides
    if says_its_own:
        signature = inspect.signature(x)
        taken = [name for name in signature.parameters if name not in ("self", "cls")]
        found += [f"nothing on {name}" for name in taken if not re.search(rf"^ +\*{{0,2}}{name}: ", text, re.MULTILINE)]
        gives = not inspect.isclass(x) and signature.return_annotation not in (None, "None")
        if gives and not re.search(r"^(Returns|Yields):$", text, re.MULTILINE):
            found.append("no Returns")
    abstract = inspect.isabstract(x) or getattr(x, "__isabstractmethod__", False)
    if ">>> " not in text and not abstract and not overrides:
        found.append("no example")
    return found


def test_docstrings_are_whole() -> None:
    shown = [one for module in MODULES for one in members(importlib.import_module(module))]
    assert len(shown) > 800
    assert {"ewsmath.ews.front.EWS.segments", "ewsmath.signature.signature"} <= {name for name, _, _ in shown}
    left_out = {name: found for name, x, owner in shown if (found := faults(x, owner))}
    assert left_out == {name: ["no example"] for name in NO_EXAMPLE}


class Parent:
    """A class.

    >>> Parent().bare(1, 2)
    3
    """

    def documented(self, x: int) -> int:
        """A number.

        Args:
            x: It.

        Returns:
            It.

        >>> Parent().documented(1)
        1
        """
        return x

    def bare(self, x: int, *others: int) -> int:
        """A number: x, and: others."""
        return x + sum(others)


class Child(Parent):
    """A class without an example."""

    def __init__(self, size: int) -> None:
        self.size = size

    def documented(self, x: int) -> int:
        """Another number."""
        return x + self.size


def test_what_is_left_out_is_seen() -> None:
    assert faults(Parent) == faults(Parent.documented, Parent) == faults(Child.documented, Child) == []
    assert faults(Parent.bare, Parent) == ["nothing on x", "nothing on others", "no Returns", "no example"]
    assert faults(Child) == ["nothing on size", "no example"]
