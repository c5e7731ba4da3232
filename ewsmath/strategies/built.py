"""Strategies for values that a failing example shows as they are."""

from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")


def built(build: Callable[..., T], *parts: st.SearchStrategy[Any]) -> st.SearchStrategy[T]:
    """The values of a function at draws.

    ``st.builds`` and ``.map`` print the call of the function, which helps nobody whose test fails when it is none that
    they can call; what ``st.composite`` draws is printed by its ``repr``.

    Args:
        build: The function.
        parts: A strategy for each of its arguments.

    Returns:
        The strategy. Shrinks as the arguments do.
    """

    @st.composite
    def values(draw: st.DrawFn) -> T:
        return build(*[draw(part) for part in parts])

    return values()
