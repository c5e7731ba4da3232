"""What checks draw: the depth, which the runner can hold at one."""

import contextlib
import contextvars
from collections.abc import Iterator

from hypothesis import strategies as st

_ONLY: contextvars.ContextVar[int | None] = contextvars.ContextVar("only depth", default=None)


def depths(max_depth: int = 3) -> st.SearchStrategy[int]:
    """Depths 1 … max_depth, deep ones as often as shallow ones. Shrinks to depth one."""
    only = _ONLY.get()
    return st.integers(1, max_depth) if only is None else st.just(only)


@contextlib.contextmanager
def only_depth(depth: int) -> Iterator[None]:
    """Within the block, every check draws this depth."""
    token = _ONLY.set(depth)
    try:
        yield
    finally:
        _ONLY.reset(token)
