"""What a function under test gives back, read as an exact tensor: no law rounds anything itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ewsmath.floats import FORMATS, FloatFormat, float_format
from ewsmath.interop import exact
from ewsmath.rings import QQ
from ewsmath.rings.door import named
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import size

_FORMS = "give a Tensor, a list of levels, or a flat vector of all levels, with or without level 0, for one path"


@dataclass(frozen=True)
class Reading:
    """A result as a tensor, and the format of the floats that it came in.

    Attributes:
        tensor: The tensor; floats by the exact binary numbers that they are.
        format: The format of the floats, None where the result was exact.
    """

    tensor: Tensor[Any]
    format: FloatFormat | None


def read(result: Any, dim: int, depth: int | None = None, dtype: Any = None) -> Reading:
    """The tensor that a result stands for.

    Args:
        result: A :class:`Tensor`; a sequence of levels, level n with n axes of size m or flat; or a flat vector of all
            levels, one after the other. Level 0 may be left out. Arrays may be those of any library with ``tolist``.
        dim: Number of letters m.
        depth: The depth N; None to tell it from the result, which one letter does not allow.
        dtype: The format in which the result was computed, where that is coarser than the one it comes in.

    Returns:
        The tensor and the format.

    Raises:
        AssertionError: The result holds NaN or an infinity.
        ValueError: The result has not the size of levels over m letters, or not the depth asked for.

    >>> read([[1.0, 2.0], [0.5, 1.0, 1.0, 2.0]], dim=2).tensor
    1 + e1 + 2*e2 + 1/2*e11 + e12 + e21 + 2*e22
    """
    if isinstance(result, Tensor):
        if depth not in (None, result.algebra.depth):
            raise ValueError(f"the result has depth {result.algebra.depth}, depth={depth} was asked for")
        return Reading(result, float_format(dtype) if dtype is not None else None)
    levels = _levels(result, dim, depth)
    for n, level in enumerate(levels):
        if len(level) != dim**n:
            raise ValueError(f"level {n} over {dim} letters has {dim**n} entries, got {len(level)}: {_FORMS}")
    if depth not in (None, len(levels) - 1):
        raise ValueError(f"the result has depth {len(levels) - 1}, depth={depth} was asked for")
    tensor = TensorAlgebra(QQ, dim, len(levels) - 1).tensor({})
    return Reading(
        tensor.algebra.from_levels([[QQ.coerce(x) for x in level] for level in levels]),
        float_format(dtype) if dtype is not None else format_of(result),
    )


def format_of(x: Any) -> FloatFormat | None:
    """The format of the floats in arrays and nested sequences: the coarsest that occurs, None where all is exact."""
    return min(_formats(x), key=lambda found: found.bits, default=None)


def coarser(format: FloatFormat | None, *others: FloatFormat | None) -> FloatFormat | None:
    """The coarsest of formats, that of a result first.

    Args:
        format: The format of a result; None where it is exact, and then so is what comes out.
        others: Those of what went in.

    Returns:
        The format with the fewest bits.

    >>> from ewsmath.floats import FORMATS
    >>> coarser(FORMATS["float64"], FORMATS["float32"], None).name, coarser(None, FORMATS["float32"])
    ('float32', None)
    """
    if format is None:
        return None
    return min([format, *(other for other in others if other is not None)], key=lambda found: found.bits)


def _formats(x: Any) -> Iterator[FloatFormat]:
    name = str(getattr(x, "dtype", "")).rpartition(".")[2]
    if name in FORMATS:
        yield FORMATS[name]
    elif isinstance(x, float):
        yield FORMATS["float64"]
    elif isinstance(x, list | tuple):
        for entry in x:
            yield from _formats(entry)


def leaves(x: Any) -> list[Any]:
    """The numbers in an array or a nested sequence, in row-major order, exact.

    Raises:
        AssertionError: One is NaN or infinite.
    """
    try:
        found = exact(x)
    except ValueError as error:
        raise AssertionError(
            f"the result is not finite: {error}. If the level is too large for its format, draw smaller values or "
            "fewer points"
        ) from None
    return _flat(found)


def _flat(x: Any) -> list[Any]:
    return [leaf for entry in x for leaf in _flat(entry)] if isinstance(x, list) else [x]


def _levels(result: Any, dim: int, depth: int | None) -> list[list[Any]]:
    axes = getattr(result, "ndim", None)
    if axes is not None and axes != 1:
        raise ValueError(f"an array with {axes} axes came back: {_FORMS}")
    if axes is None and not isinstance(result, list | tuple):
        raise ValueError(f"the function under test gave {named(result)}: {_FORMS}")
    if axes == 1 or all(_is_number(entry) for entry in result):
        return _cut(leaves(result), dim, depth)
    levels = [leaves(level) for level in result]
    if dim == 1:
        _check_depth_given(depth)
        with_constant = len(levels) != depth
    else:
        with_constant = len(levels[0]) == 1
    return levels if with_constant else [[1], *levels]


def _is_number(x: Any) -> bool:
    return not isinstance(x, list | tuple) and getattr(x, "ndim", 0) == 0


def _cut(vector: list[Any], dim: int, depth: int | None) -> list[list[Any]]:
    # All levels but level 0 have multiples of m entries.
    with_constant = len(vector) % dim == 1 if dim > 1 else len(vector) != _check_depth_given(depth)
    if not with_constant:
        vector = [1, *vector]
    ends = [0]
    while ends[-1] < len(vector):
        ends.append(size(dim, len(ends) - 1))
    if ends[-1] != len(vector) or len(ends) < 3:
        raise ValueError(f"{len(vector) - (not with_constant)} entries are no levels over {dim} letters: {_FORMS}")
    return [vector[start:end] for start, end in pairwise(ends)]


def _check_depth_given(depth: int | None) -> int:
    if depth is None:
        raise ValueError("over one letter the levels do not say whether level 0 is among them: give depth=")
    return depth
