"""Time stamps at the door: rationals that may repeat, but not decrease."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from flint import fmpq

from ewsmath.rings import QQ
from ewsmath.rings.door import entries


def time_stamps(times: Sequence[Any] | None, count: int | None) -> tuple[fmpq, ...]:
    """The time stamps of a path.

    Args:
        times: What came; None for 0, 1, 2, ….
        count: How many there are to be, one for each point; None for as many as came.

    Returns:
        The rationals.

    Raises:
        ValueError: They are not as many as asked for, or one is less than the one before.
        TypeError: One is no rational; it is named by its place.

    >>> time_stamps([0, 1, 1], 3)
    (0, 1, 1)
    """
    given = range(count or 0) if times is None else entries(times, "a path takes times")
    stamps = tuple(_stamp(j, t) for j, t in enumerate(given))
    if count is not None and len(stamps) != count:
        raise ValueError(f"{len(stamps)} times for {count} points: give one time for each point")
    for j, (earlier, later) in enumerate(pairwise(stamps), start=1):
        if later < earlier:
            raise ValueError(
                f"times[{j}] = {later} is less than times[{j - 1}] = {earlier}: times may repeat, not decrease"
            )
    return stamps


def _stamp(j: int, t: Any) -> fmpq:
    try:
        return QQ.coerce(t)
    except TypeError as error:
        raise TypeError(f"times[{j}]: {error}") from None
