"""Powers by repeated squaring, in whatever has an associative product."""

import operator
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


def repeated(base: T, n: int, one: T, product: Callable[[Any, Any], Any] = operator.mul) -> T:
    """The n-th power for n ≥ 0, by about log n squarings.

    Args:
        base: A number, a tensor, a segment.
        n: The exponent, at least 0.
        one: The unit of the product, which is the 0-th power.
        product: The associative product.

    Returns:
        base · … · base, n times.

    >>> repeated(3, 5, 1), repeated("ab", 3, "", operator.add)
    (243, 'ababab')
    """
    if n == 0:
        return one
    result = base
    for bit in bin(n)[3:]:  # behind the leading 1
        result = product(result, result)
        result = product(result, base) if bit == "1" else result
    return result
