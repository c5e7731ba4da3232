"""Objects that never change once they are built, and so need no copies."""

from __future__ import annotations

from typing import Any, Self


class Immutable:
    """What every immutable class of this package inherits: its attributes are set once, by its constructor.

    A copy is the object itself. Pickle restores the attributes as they were, without the constructor.
    """

    __slots__ = ()

    def _set(self, **attributes: Any) -> None:
        """Set attributes: for constructors."""
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable, {name} cannot be set: build a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable, {name} cannot be deleted")

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    def __setstate__(self, state: Any) -> None:
        # What pickle keeps: a dictionary of attributes, or a pair of one (or None) and another of slots.
        for attributes in state if isinstance(state, tuple) else (state,):
            self._set(**(attributes or {}))
