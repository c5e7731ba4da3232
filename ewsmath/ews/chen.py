"""The group of pairs (elapsed clock time, EWS) with the modified Chen product ⋆, and its prefix products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from ewsmath.generators import AbstractGenerator
from ewsmath.generators.generator import check_generator
from ewsmath.operators import flow
from ewsmath.rings.door import integer, named, of_kind
from ewsmath.rings.power import repeated
from ewsmath.tensor import Tensor, TensorAlgebra, check_tensor


@dataclass(frozen=True, eq=False)
class Segment:
    r"""What an interval of time contributes: how far the clock moved, and the EWS of the path on it.

    The pairs (r, S) are a group, the semidirect product of the real line and the group-like tensors: ``a @ b`` is
    the product ⋆ of :func:`chen`, ``a.inverse()`` the inverse, ``a**n`` a power of either sign.

    Args:
        generator: The generator A, by which the product transports.
        elapsed: The clock time r that elapsed, of either sign.
        ews: The EWS S of the interval, over the ring and in the width of the generator.

    Attributes:
        generator: The generator A.
        elapsed: The clock time r, in the ring.
        ews: The EWS S.

    Raises:
        ValueError: The tensor is over another ring or in another width.
        TypeError: The generator is none, the tensor is none, or r is no number of the ring.

    Paper: Theorem 1(ii).

    >>> from ewsmath.ews import EWS
    >>> from ewsmath.generators import Rotation
    >>> ews = EWS(Rotation(1, 2), depth=2)
    >>> a = Segment(ews.generator, 3, ews.local(3, [1, 2]))
    >>> a @ a.inverse() == a**0, (a @ a).elapsed
    (True, 6)
    """

    generator: AbstractGenerator
    elapsed: Any
    ews: Tensor[Any]

    def __post_init__(self) -> None:
        ring, m = check_generator(self.generator, "a segment").ring, self.generator.dim
        algebra = check_tensor(self.ews, "a segment").algebra
        if algebra.ring != ring or algebra.dim != m:
            raise ValueError(
                f"a segment of a generator on R^{m} over {ring.name} takes a tensor over as many letters and the same "
                f"ring, got one of {algebra}"
            )
        object.__setattr__(self, "elapsed", ring.coerce(self.elapsed))

    def __matmul__(self, later: Segment) -> Segment:
        """The product ⋆ with the segment of the interval after this one."""
        return chen(self, later)

    def inverse(self) -> Segment:
        r"""The inverse under ⋆, which is the segment of the time-reversed interval.

        .. math:: (r, S)^{-1} = \big(-r,\; D_A^{-r}(S^{-1})\big)

        Returns:
            The inverse.

        Paper: Theorem 1(ii).

        >>> from ewsmath.ews import EWS
        >>> from ewsmath.generators import Diagonal
        >>> ews = EWS(Diagonal(1), depth=1)
        >>> Segment(ews.generator, 2, ews.local(2, [3])).inverse() == Segment(ews.generator, -2, ews.local(-2, [-3]))
        True
        """
        back = self.ews.algebra.inverse(self.ews)
        return Segment(self.generator, -self.elapsed, flow(self.generator, -self.elapsed, back))

    def __pow__(self, power: int) -> Segment:
        """The power under ⋆: the interval repeated, or, for negative powers, run backwards.

        Args:
            power: A whole number of either sign.

        Returns:
            The segment; the unit for 0.

        Raises:
            TypeError: The power is no whole number.
        """
        n = integer(power)
        if n is None:
            raise TypeError(f"a power of a segment is a whole number, got {named(power)}")
        one = unit(self.generator, self.ews.algebra.depth)
        return repeated(self if n >= 0 else self.inverse(), abs(n), one, chen)

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

    >>> from ewsmath.generators import Jordan
    >>> unit(Jordan(1, 2), depth=2).elapsed, unit(Jordan(1, 2), depth=2).ews
    (0, 1)
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
    """The inverse under ⋆, :meth:`Segment.inverse`.

    Args:
        segment: The segment.

    Returns:
        Its inverse.

    Raises:
        TypeError: It is no segment.

    Paper: Theorem 1(ii).

    >>> from ewsmath.ews import EWS
    >>> from ewsmath.generators import Jordan
    >>> ews = EWS(Jordan(0, 2), depth=2)
    >>> one = Segment(ews.generator, 1, ews.local(1, [1, 2]))
    >>> inverse(one).elapsed, chen(inverse(one), one) == unit(ews.generator, 2)
    (-1, True)
    """
    return _segment(segment).inverse()


def _segment(x: object) -> Segment:
    return of_kind(x, Segment, "⋆ takes segments", "give Segment(generator, elapsed, ews)")


def prefixes(segments: Sequence[Segment], start: Segment) -> list[Segment]:
    """The prefix products start, start ⋆ g_1, start ⋆ g_1 ⋆ g_2, … in the order of the path.

    Args:
        segments: The segments g_1, …, g_J.
        start: What comes before them, mostly :func:`unit`.

    Returns:
        J + 1 segments.

    >>> from ewsmath.ews import EWS
    >>> from ewsmath.generators import Jordan
    >>> ews = EWS(Jordan(0, 2), depth=2)
    >>> found = prefixes([Segment(ews.generator, r, ews.local(r, [1, 2])) for r in (1, 2)], unit(ews.generator, 2))
    >>> [segment.elapsed for segment in found]
    [0, 1, 3]
    """
    return list(accumulate(segments, chen, initial=start))
