"""The only door for floats: in by the exact binary value that they are, out as the nearest float."""

from typing import Any

import flint

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ_I, Ball, Exponential, Gaussian
from ewsmath.tensor import Tensor

_OUT_BITS = 192


def exact(x: Any) -> Any:
    """The exact value of a float, or of all floats in an array.

    Args:
        x: A float or complex number of any width; a whole number; or an array or nested sequence of them.

    Returns:
        A ``fmpq`` (a Gaussian rational for a complex number), or nested lists of them in the shape of the
        array.

    Raises:
        ValueError: x holds NaN or an infinity.
        TypeError: x holds something that is no number.

    >>> exact(0.5), exact([0.1, 2])
    (1/2, [3602879701896397/36028797018963968, 2])
    """
    if hasattr(x, "tolist"):  # NumPy: Python numbers hold every value of half, single and double precision
        x = x.tolist()
    if isinstance(x, list | tuple):
        return [exact(entry) for entry in x]
    if isinstance(x, complex):
        return QQ_I.number(exact(x.real), exact(x.imag))
    if not hasattr(x, "as_integer_ratio"):
        raise TypeError(f"exact takes numbers and arrays of numbers, got {x!r} of type {type(x).__name__}")
    try:
        p, q = x.as_integer_ratio()
    except (ValueError, OverflowError):
        raise ValueError(f"{x!r} has no exact value: remove NaN and infinities first") from None
    return flint.fmpq(p, q)


def to_numpy(x: Any) -> Any:
    """The nearest floats, as NumPy arrays.

    Args:
        x: A tensor, a matrix, a ring element, or a nested sequence of ring elements.

    Returns:
        For a tensor a list of arrays, level n with n axes of size m; for a matrix an array of two axes;
        else an array of the shape of the sequence. Balls give their midpoints. Complex only where a number
        is.

    >>> from ewsmath.rings import QQ
    >>> to_numpy([QQ.ratio(1, 3), QQ.one]).tolist()
    [0.3333333333333333, 1.0]
    """
    import numpy as np  # optional: only who asks for arrays needs it

    if isinstance(x, Tensor):
        dim = x.algebra.dim
        return [to_numpy(x.level(n)).reshape((dim,) * n) for n in range(x.algebra.depth + 1)]
    if isinstance(x, Matrix):
        return to_numpy(list(x.entries)).reshape(x.shape)
    return np.array(_floats(x))


def _floats(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [_floats(entry) for entry in x]
    if isinstance(x, Exponential):
        x = x.ball(_OUT_BITS) if not x.is_real else x.ball(_OUT_BITS).real
    if isinstance(x, Ball):
        x = x.mid
    if isinstance(x, Gaussian):
        return complex(_floats(x.real), _floats(x.imag)) if not x.is_real else _floats(x.real)
    return int(x.p) / int(x.q)  # the division of two Python integers is correctly rounded
