"""What a case is, how it is timed, and the row that comes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from statistics import median
from time import process_time
from typing import Any


@dataclass(frozen=True)
class Opponent:
    """Another implementation of a case.

    Attributes:
        name: What it is.
        run: Does the work; what is built beforehand is not timed.
        exact: Takes what ``run`` gave to what the case gives, to compare; not timed.
        bar: How many times faster this package is to be; None where the ratio is only told.

    >>> by_addition = Opponent("addition", lambda: "4", exact=int, bar=10)
    >>> by_addition.exact(by_addition.run())
    4
    """

    name: str
    run: Callable[[], Any]
    exact: Callable[[Any], Any]
    bar: int | None = None


@dataclass(frozen=True)
class Case:
    """Something to compute.

    Attributes:
        name: What is computed.
        run: Computes it, from the start: no result is kept from one call to the next.
        bar: The most seconds that it may take; None where only a ratio counts.
        opponents: Other implementations.

    >>> Case("two and two", lambda: 2 + 2, bar=1.0).run()
    4
    """

    name: str
    run: Callable[[], Any]
    bar: float | None = None
    opponents: tuple[Opponent, ...] = ()


@dataclass(frozen=True)
class Row:
    """A measurement.

    Attributes:
        case: Name of the case.
        seconds: Median of the seconds that this package took.
        bar: The most seconds that it may take, or None.
        opponent: Name of the opponent, or None.
        opponent_seconds: Median of the seconds that the opponent took, or None.
        ratio_bar: How many times faster this package is to be, or None.
        repeats: Number of times that each was run.

    >>> row = Row("two and two", 0.5, 1.0, "addition", 2.0, 3, repeats=5)
    >>> row.ratio, row.is_met
    (4.0, True)
    """

    case: str
    seconds: float
    bar: float | None
    opponent: str | None
    opponent_seconds: float | None
    ratio_bar: int | None
    repeats: int

    @property
    def ratio(self) -> float | None:
        """How many times longer the opponent took, or None."""
        return None if self.opponent_seconds is None else self.opponent_seconds / self.seconds

    @property
    def is_met(self) -> bool:
        """Whether the row keeps to its bars."""
        in_time = self.bar is None or self.seconds <= self.bar
        return in_time and (self.ratio is None or self.ratio_bar is None or self.ratio >= self.ratio_bar)

    def as_dict(self) -> dict[str, Any]:
        """The row for JSON, with the ratio and whether the bars are met.

        Returns:
            Names and values.

        >>> Row("two and two", 0.5, None, None, None, None, repeats=5).as_dict()["is_met"]
        True
        """
        return {**asdict(self), "ratio": self.ratio, "is_met": self.is_met}


def measured(case: Case, repeats: int) -> list[Row]:
    """Time a case and its opponents in turn.

    Args:
        case: The case.
        repeats: Number of times, at least 1.

    Returns:
        One row for each opponent; one in all where there is none.

    Raises:
        ArithmeticError: An opponent gives something else.

    >>> [row] = measured(Case("two and two", lambda: 2 + 2), repeats=3)
    >>> row.case, row.repeats
    ('two and two', 3)
    """
    result = case.run()
    for opponent in case.opponents:
        if opponent.exact(opponent.run()) != result:
            raise ArithmeticError(f"{case.name}: {opponent.name} gives another result")
    runs = [case.run, *(opponent.run for opponent in case.opponents)]
    rounds = [[_seconds(run) for run in runs] for _ in range(repeats)]
    own, *others = (median(column) for column in zip(*rounds, strict=True))
    if not others:
        return [Row(case.name, own, case.bar, None, None, None, repeats)]
    return [
        Row(case.name, own, case.bar, opponent.name, seconds, opponent.bar, repeats)
        for opponent, seconds in zip(case.opponents, others, strict=True)
    ]


def _seconds(run: Callable[[], Any]) -> float:
    start = process_time()
    run()
    return process_time() - start
