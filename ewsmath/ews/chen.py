"""The group of pairs (elapsed clock time, EWS) with the modified Chen product ⋆, and its prefix products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ewsmath.generators import AbstractGenerator
from ewsmath.generators.generator import check_generator
from ewsmath.operators import flow
from ewsmath.rings.door import of_kind
from ewsmath.tensor import Tensor, TensorAlgebra, check_tensor


@dataclass(frozen=True, eq=False)
class Segment:
    """What an interval of time contributes: how far the clock moved, and the EWS of the path on it.

    Attributes:
        generator: The generator A, by which the product transports.
        elapsed: The clock time r that elapsed, of either sign.
        ews: The EWS S of the interval.

    Paper: Theorem 1(ii).
    """

    generator: AbstractGenerator
    elapsed: Any
    ews: Tensor[Any]

    def __post_init__(self) -> None:
        check_generator(self.generator, "a segment")
        check_tensor(self.ews, "a segment")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segment) or self.generator != other.generator:
            return NotImplemented
        return self.generator.ring.equal(self.elapsed, other.elapsed) and self.ews == other.ews

    __hash__ = None  # type: ignore[assignment]  # equality is the ring's, which for balls is overlap


def unit(generator: AbstractGenerator, depth: int) -> Segment:
    """The unit (0, 1) of ⋆: an interval in which nothing happens.

    Args:
        generator: The generator A.
        depth: Truncation depth N.

    Returns:
        The segment.

    Paper: Theorem 1(ii).
    """
    check_generator(generator, "the unit")
    algebra = TensorAlgebra(generator.ring, generator.dim, depth)
    return Segment(generator, generator.ring.zero, algebra.one())


def chen(first: Segment, second: Segment) -> Segment:
    r"""The modified Chen product.

    .. math:: (r_1, S_1) ⋆ (r_2, S_2) = \big(r_1 + r_2,\; D_A^{r_2}(S_1) ⊗ S_2\big)

    Args:
        first: The segment of the earlier interval.
        second: The segment of the interval after it.

    Returns:
        The segment of both together.

    Raises:
        ValueError: The generators differ.
        TypeError: One of the two is no segment.

    Paper: Theorem 1(ii); Lemma 7.

    >>> from ewsmath.ews import EWS
    >>> from ewsmath.generators import Jordan
    >>> ews = EWS(Jordan(1, 2), depth=2)
    >>> one = Segment(ews.generator, 1, ews.local(1, [1, 2]))
    >>> chen(one, one) == Segment(ews.generator, 2, ews.local(2, [2, 4]))
    True
    """
    generator, second = _segment(first).generator, _segment(second)
    if generator is not second.generator and generator != second.generator:
        raise ValueError(f"segments of {generator} and {second.generator} have no product: transport by one generator")
    return Segment(
        generator,
        first.elapsed + second.elapsed,
        flow(generator, second.elapsed, first.ews) @ second.ews,
    )


def inverse(segment: Segment) -> Segment:
    r"""The inverse under ⋆, which is the segment of the time-reversed interval.

    .. math:: (r, S)^{-1} = \big(-r,\; D_A^{-r}(S^{-1})\big)

    Args:
        segment: The segment.

    Returns:
        Its inverse.

    Paper: Theorem 1(ii).
    """
    back = _segment(segment).ews.algebra.inverse(segment.ews)
    return Segment(segment.generator, -segment.elapsed, flow(segment.generator, -segment.elapsed, back))


def _segment(x: object) -> Segment:
    return of_kind(x, Segment, "⋆ takes segments", "give Segment(generator, elapsed, ews)")


def prefixes(segments: Sequence[Segment], start: Segment) -> list[Segment]:
    """The prefix products start, start ⋆ g_1, start ⋆ g_1 ⋆ g_2, … in the order of the path.

    Args:
        segments: The segments g_1, …, g_J.
        start: What comes before them, mostly :func:`unit`.

    Returns:
        J + 1 segments.
    """
    return list(accumulate(segments, chen, initial=start))
