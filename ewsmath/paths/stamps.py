"""Time stamps: rationals that may repeat, but not decrease, and the portions of pieces between two of them."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from flint import fmpq

from ewsmath.rings import QQ
from ewsmath.rings.door import entries


class Portion(NamedTuple):
    """The part of one piece of a path that an interval covers.

    Attributes:
        piece: Number of the piece, from 0.
        start: Fraction of the piece at which the part begins.
        end: Fraction of the piece at which the part ends.

    >>> portions([fmpq(0), fmpq(2)], 1)
    [Portion(piece=0, start=1/2, end=1)]
    """

    piece: int
    start: fmpq
    end: fmpq


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


def portions(times: Sequence[fmpq], s: Any = None, t: Any = None) -> list[Portion]:
    """The parts of the pieces between the stamps that lie between two times, in order.

    Only the pieces in the interval are looked at.

    Args:
        times: The time stamps.
        s: Start; None for the first time, or for t where that is earlier: nothing lies between.
        t: End; None for the last time.

    Returns:
        The parts of positive length, and the jumps: those in [s, t), and one at the last time in (s, t].

    Raises:
        ValueError: t < s.

    >>> [tuple(part) for part in portions([fmpq(0), fmpq(2), fmpq(2), fmpq(3)], 1, 3)]
    [(0, 1/2, 1), (1, 0, 1), (2, 0, 1)]
    """
    if s is None and t is None:
        return [Portion(j, fmpq(0), fmpq(1)) for j in range(len(times) - 1)]
    first, last = times[0], times[-1]
    t = max(QQ.coerce(s), last + 1) if t is None else QQ.coerce(t)
    s = min(first, t) if s is None else QQ.coerce(s)
    if t < s:
        raise ValueError(f"an interval runs forward: got s = {s} and t = {t}")
    found = []
    for j in range(max(bisect_left(times, s) - 1, 0), min(bisect_right(times, t), len(times) - 1)):
        before, after = times[j], times[j + 1]
        if before < after:
            low, high = max(s, before), min(t, after)
            if low < high:
                found.append(Portion(j, (low - before) / (after - before), (high - before) / (after - before)))
        elif (s < before <= t) if first < before == last else (s <= before < t):
            found.append(Portion(j, fmpq(0), fmpq(1)))
    return found


def _stamp(j: int, t: Any) -> fmpq:
    try:
        return QQ.coerce(t)
    except TypeError as error:
        raise TypeError(f"times[{j}]: {error}") from None
