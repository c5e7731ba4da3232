"""Norms of vectors over a ring: ℓ1, which exact rings keep, and the Euclidean one."""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from ewsmath.rings import OrderedRing, Ring, RingElement

R = TypeVar("R", bound=RingElement)

Norm = Literal["l1", "l2"]
NORMS = ("l1", "l2")


def check_norm(norm: str) -> Norm:
    """The name of a norm, or ValueError with the names allowed.

    Args:
        norm: What came.

    Returns:
        The name.

    Raises:
        ValueError: There is no such norm.

    >>> check_norm("l1")
    'l1'
    """
    if norm not in NORMS:
        raise ValueError(f"unknown norm {norm!r}: choose 'l1' (sum of absolute values, exact) or 'l2' (Euclidean)")
    return norm  # type: ignore[return-value]


def ordered(ring: Ring[R], use: str) -> OrderedRing[R]:
    """The ring, if it orders its real elements; else TypeError that names the use.

    Args:
        ring: The ring.
        use: Who compares, for the message.

    Returns:
        The ring.

    Raises:
        TypeError: It does not order its elements.

    >>> from ewsmath.rings import QQ
    >>> ordered(QQ, "a clock")
    QQ
    """
    if not isinstance(ring, OrderedRing):
        raise TypeError(f"{use} compares numbers, and {ring.name} does not order its elements")
    return ring


def norm(ring: Ring[R], vector: Sequence[R], kind: Norm) -> R:
    """The norm of a vector.

    Args:
        ring: The ring of the entries.
        vector: The entries.
        kind: ``"l1"`` or ``"l2"``.

    Returns:
        An element of the same ring.

    Raises:
        ValueError: The ring does not contain the norm (an irrational root), or an entry is not real.

    >>> from ewsmath.rings import QQ
    >>> norm(QQ, [QQ.coerce(3), QQ.coerce(-4)], "l1"), norm(QQ, [QQ.coerce(3), QQ.coerce(-4)], "l2")
    (7, 5)
    """
    field = ordered(ring, f"the norm {kind}")
    total: Any = field.zero
    for x in vector:
        # maximum(x, x) refuses what is not real: squares of complex numbers may cancel.
        size: Any = field.maximum(x, -x) if kind == "l1" else field.maximum(x, x)
        total = total + (size if kind == "l1" else size * size)
    return total if kind == "l1" else field.square_root(total)
