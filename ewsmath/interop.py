"""The only door for floats: in by the exact binary value that they are, out as the nearest float."""

import math
import numbers
from typing import Any

import flint

from ewsmath.matrix import Matrix
from ewsmath.rings import (
    QQ,
    QQ_I,
    Ball,
    Exponential,
    Gaussian,
    MPNumber,
    RationalFunction,
    Symbolic,
    WorkingPrecision,
)
from ewsmath.rings.door import named, refusal
from ewsmath.tensor import Tensor

_FIRST_BITS = 96


def exact(x: Any) -> Any:
    """The exact value of a float, or of all floats in an array.

    Args:
        x: A float or complex number of any width; a rational of any kind; or an array or nested sequence of
            them.

    Returns:
        A ``fmpq`` (a Gaussian rational for a complex number), or nested lists of them in the shape of the
        array.

    Raises:
        ValueError: x holds NaN or an infinity.
        TypeError: x holds something that is no number, such as True.

    >>> exact(0.5), exact([0.1, 2])
    (1/2, [3602879701896397/36028797018963968, 2])
    """
    if hasattr(x, "tolist"):  # NumPy: Python numbers hold every value of half, single and double precision
        x = x.tolist()
    if isinstance(x, list | tuple):
        return [exact(entry) for entry in x]
    if isinstance(x, bool):
        raise refusal("exact", "numbers and arrays of numbers", x)
    if issubclass(type(x), numbers.Complex) and not issubclass(type(x), numbers.Real):
        return QQ_I.number(exact(x.real), exact(x.imag))
    if isinstance(x, flint.fmpq | flint.fmpz):
        return QQ.coerce(x)
    if not hasattr(x, "as_integer_ratio"):
        raise TypeError(f"exact takes numbers and arrays of numbers, got {named(x)}")
    try:
        p, q = x.as_integer_ratio()
    except (ValueError, OverflowError):
        raise ValueError(f"{x!r} has no exact value: remove NaN and infinities first") from None
    return flint.fmpq(p, q)


def to_numpy(x: Any) -> Any:
    """The nearest floats, as NumPy arrays; infinities where a number is too large for any.

    Args:
        x: A tensor, a matrix, a number of QQ, QQ_I, EE, balls or MP, one of SR or RF without parameters, or a
            nested sequence of numbers.

    Returns:
        For a tensor a list of arrays, level n with n axes of size m; for a matrix an array of two axes;
        else an array of the shape of the sequence. Balls give their midpoints. Complex only where a number
        is.

    Raises:
        ValueError: A ball is unbounded, or a parameter is left in a number.
        TypeError: x holds something else.

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


def to_array(values: Any, dtype: Any, shape: tuple[int, ...] | None = None) -> Any:
    """A NumPy array of one dtype, of floats or of the nearest floats to exact numbers.

    Args:
        values: A nested sequence of Python floats, or of elements of a ring.
        dtype: The dtype, as NumPy takes it.
        shape: The shape; None for that of the values.

    Returns:
        The array.

    >>> from ewsmath.rings import QQ
    >>> to_array([[0.5], [QQ.ratio(1, 4)]], "float32").tolist()
    [[0.5], [0.25]]
    """
    import numpy as np  # optional, as above

    found = np.array(_nested_floats(values), dtype=dtype)
    return found if shape is None else found.reshape(shape)


def _nested_floats(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [_nested_floats(entry) for entry in x]
    return x if isinstance(x, float) else _floats(x)


def _floats(x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [_floats(entry) for entry in x]
    if isinstance(x, Symbolic | RationalFunction):
        if x.symbols:
            raise ValueError(f"{x} depends on {', '.join(x.symbols)} and has no nearest float: give values, at({{…}})")
        x = x.as_exponential() if isinstance(x, Symbolic) else x.as_gaussian()
    if isinstance(x, Ball):
        if not x.value.is_finite():
            raise ValueError(f"the ball {x} is unbounded and has no nearest float: raise the precision of its ring")
        real, imag = float(x.value.real.mid()), float(x.value.imag.mid())
    elif isinstance(x, Exponential) and not x.is_real:
        real, imag = _nearest((x + x.conjugate()) / 2), _nearest((x - x.conjugate()) / (2 * QQ_I.i))
    elif isinstance(x, Exponential):
        real, imag = _nearest(x), 0.0
    elif isinstance(x, Gaussian):
        real, imag = _quotient(x.real), _quotient(x.imag)
    elif isinstance(x, MPNumber):
        real, imag = float(x.value.real), float(x.value.imag)
    elif isinstance(x, flint.fmpq):
        real, imag = _quotient(x), 0.0
    else:
        raise TypeError(
            "to_numpy takes tensors, matrices and numbers of QQ, QQ_I, EE, balls, MP, or SR without parameters, "
            f"got {named(x)}"
        )
    return complex(real, imag) if imag else real


def _nearest(x: Exponential) -> float:
    # An irrational number is no border between two floats, so that both ends of a small ball round alike.
    # No precision fixed beforehand would do: kernels of slow rates cancel without limit.
    if not any(x.terms):
        return _quotient(x.as_rational())
    prec = _FIRST_BITS
    while True:
        with WorkingPrecision(prec):
            ball = x.ball(prec).real.value
            low, high = float(ball.lower()), float(ball.upper())
        if low == high:
            return low
        prec *= 2


def _quotient(x: flint.fmpq) -> float:
    try:
        return int(x.p) / int(x.q)  # the division of two Python integers is correctly rounded
    except OverflowError:
        return math.inf if x > 0 else -math.inf
