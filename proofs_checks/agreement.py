"""The one comparison that checks use, and the one failure that refutes a mutant."""

from typing import Any

from ewsmath import Tensor


class Refuted(AssertionError):
    """Two values that a statement holds equal are not; the message shows both."""


def agree(left: Any, right: Any, what: str) -> None:
    """Demand that two values of one kind are equal.

    Args:
        left: What one side of the statement gives.
        right: What the other gives.
        what: The comparison in words, for the message.

    Raises:
        Refuted: Where they differ.
        TypeError: Where they are not of one kind, or are tensors of different algebras: then there is nothing
            to compare, and the check is at fault, not the statement.
    """
    if type(left) is not type(right):
        raise TypeError(f"{what}: {type(left).__name__} and {type(right).__name__} cannot be compared")
    if isinstance(left, Tensor) and left.algebra != right.algebra:
        raise TypeError(f"{what}: tensors of {left.algebra} and of {right.algebra} cannot be compared")
    if left != right:
        raise Refuted(f"{what}:\n    {left}\nis not\n    {right}")
