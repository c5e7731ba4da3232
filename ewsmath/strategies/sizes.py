"""Sizes that strategies are given: refused when the strategy is made, not when it draws."""

from ewsmath.capacity import shown
from ewsmath.rings.door import whole

LARGEST_EXAMPLE = 4000
"""The most bytes of an example: Hypothesis stops at 8192, and its health check refuses what needs half of them."""


def limits(what: str, unit: str, least: object, most: object, at_least: int = 0) -> tuple[int, int]:
    """The smallest and the largest size of what is drawn.

    Args:
        what: The strategy, for the message.
        unit: What is counted, as in its arguments ``min_unit`` and ``max_unit``.
        least: What came for the smallest.
        most: What came for the largest.
        at_least: The smallest size that there is.

    Returns:
        Both.

    Raises:
        TypeError: One is no whole number.
        ValueError: One is below ``at_least``, or the smallest is above the largest.

    >>> limits("words", "length", 0, 3)
    (0, 3)
    """
    low = whole(least, f"{what}: min_{unit}", at_least)
    high = whole(most, f"{what}: max_{unit}", at_least)
    if low > high:
        raise ValueError(f"{what}: min_{unit} is {low}, more than max_{unit}, {high}")
    return low, high


def check_drawable(what: str, numbers: int, size: int = 1) -> None:
    """Nothing, if Hypothesis can draw so many numbers in one example.

    Args:
        what: The strategy, for the message.
        numbers: How many there are at least.
        size: The bytes that each of them takes.

    Raises:
        ValueError: They are more than 4000 bytes.

    >>> check_drawable("vectors", 1000, size=4)
    """
    most = LARGEST_EXAMPLE // size
    if numbers > most:
        raise ValueError(
            f"{what}: {shown(numbers)} numbers in an example, more than {most:,}, which is what Hypothesis can draw. "
            "Take a smaller size"
        )
