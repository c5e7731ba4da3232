"""The comparisons that checks use, and the one failure that refutes a mutant."""

from typing import Any

from flint import fmpq, fmpz

from ewsmath import Tensor


class Refuted(AssertionError):
    """Two values do not stand to each other as a statement says; the message shows both."""


def _kind(x: Any) -> type:
    """The type, the values of an EWS counting as the tensors that they are."""
    return Tensor if isinstance(x, Tensor) else type(x)


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
    if _kind(left) is not _kind(right):
        raise TypeError(f"{what}: {type(left).__name__} and {type(right).__name__} cannot be compared")
    if isinstance(left, Tensor) and left.algebra != right.algebra:
        raise TypeError(f"{what}: tensors of {left.algebra} and of {right.algebra} cannot be compared")
    if left != right:
        raise Refuted(f"{what}:\n    {left}\nis not\n    {right}")


def differ(left: Any, right: Any, what: str) -> None:
    """Demand that two values of one kind are certainly not equal: what negative statements say.

    Args:
        left: What one side gives.
        right: What the other gives.
        what: The comparison in words.

    Raises:
        Refuted: Where they are equal (for balls, where they may be).
        TypeError: Where they are not of one kind.
    """
    if _kind(left) is not _kind(right):
        raise TypeError(f"{what}: {type(left).__name__} and {type(right).__name__} cannot be compared")
    if left == right:
        raise Refuted(f"{what}:\n    {left}\nis, against the statement,\n    {right}")


def at_most(left: Any, right: Any, what: str) -> None:
    """Demand that one exact number is at most another: what bounds say.

    Args:
        left: The smaller one: an int or a rational, such as ``ball.abs_upper()`` of what is bounded.
        right: The larger one, such as the lower end of the bound.
        what: The comparison in words.

    Raises:
        Refuted: Where left > right.
        TypeError: For a float, which proves nothing.
    """
    for side in (left, right):
        if not isinstance(side, int | fmpq | fmpz):
            raise TypeError(f"{what}: a bound compares exact numbers, got {side!r} of type {type(side).__name__}")
    if left > right:
        raise Refuted(f"{what}:\n    {left}\nis more than\n    {right}")
