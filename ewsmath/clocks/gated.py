"""Clocks that can stand still: sums of gates, each shut or open by an affine function of the increment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import fmpq

from ewsmath.clocks.clock import AbstractIncrementClock
from ewsmath.norms import ordered
from ewsmath.rings import Ring
from ewsmath.rings.door import entries, exact_number


@dataclass(frozen=True)
class Gated(AbstractIncrementClock):
    r"""The gated clock, which stands still where its gate is shut.

    .. math:: f(v) = \max(w·v + b\,Δt,\; 0)

    Args:
        weight: The d weights w.
        bias: The bias b; with b = 0 the clock is invariant.

    Raises:
        TypeError: The weights are no sequence, or a number is a float.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> Gated([1, -1])(PiecewiseLinearPath(None, [[0, 0], [2, 1], [2, 5]]))
    [0, 1, 1]
    """

    weight: Sequence[Any]
    bias: Any = 0
    invariant: bool | None = field(init=False, repr=False)
    can_stop = True
    additive = True

    def __post_init__(self) -> None:
        exact_number(self.bias, "Gated")
        self._set(weight=_numbers(self.weight, "Gated takes its weights"), invariant=not self.bias)

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        return ordered(ring, "the gated clock").maximum(_affine(ring, self.weight, v, self.bias, gap), ring.zero)


@dataclass(frozen=True)
class Clamped(AbstractIncrementClock):
    r"""The clamped clock, a sum of units each of which moves by at most one over a piece.

    .. math:: f(v) = \sum_{i ≤ k} \operatorname{clip}(w_i·v + b_i Δt,\; 0,\; 1)

    Args:
        weight: The k rows w_i of d weights.
        bias: The k biases b_i; None for zeros.

    Raises:
        ValueError: Rows and biases differ in number.
        TypeError: Rows, a row or the biases are no sequence, or a number is a float.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> from ewsmath.rings import QQ
    >>> Clamped([[1, 0], [0, 1]])(PiecewiseLinearPath(None, [[0, 0], [3, -4], [3, QQ.ratio(-7, 2)]]))
    [0, 1, 3/2]
    """

    weight: Sequence[Sequence[Any]]
    bias: Sequence[Any] | None = None
    invariant = False
    can_stop = True
    additive = False

    def __post_init__(self) -> None:
        given = enumerate(entries(self.weight, "Clamped takes its rows"))
        rows = tuple(_numbers(row, f"Clamped takes row {i}") for i, row in given)
        bias = (0,) * len(rows) if self.bias is None else _numbers(self.bias, "Clamped takes its biases")
        if len(bias) != len(rows):
            raise ValueError(
                f"Clamped: {len(rows)} rows of weights but {len(bias)} biases; give one bias for each unit"
            )
        self._set(weight=rows, bias=bias)

    def _step(self, ring: Ring[Any], v: tuple[Any, ...], gap: fmpq) -> Any:
        maximum = ordered(ring, "the clamped clock").maximum
        total = ring.zero
        for row, bias in zip(self.weight, self.bias or (), strict=True):
            shut = maximum(_affine(ring, row, v, bias, gap), ring.zero)
            total = total - maximum(-shut, -ring.one)  # min(x, 1) = -max(-x, -1)
        return total


def _numbers(given: Sequence[Any], what: str) -> tuple[Any, ...]:
    return tuple(exact_number(x, what.split()[0]) for x in entries(given, what))


def _affine(ring: Ring[Any], weight: Sequence[Any], v: Sequence[Any], bias: Any, gap: fmpq) -> Any:
    if len(weight) != len(v):
        raise ValueError(f"a clock with {len(weight)} weights does not read a path in R^{len(v)}")
    total = ring.coerce(bias) * ring.coerce(gap)
    for w, x in zip(weight, v, strict=True):
        total = total + ring.coerce(w) * x
    return total
