"""Streams that are given by a Lie element on each interval of time, rather than by the points of a path."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Generic, TypeVar

from flint import fmpq

from ewsmath.lie.element import LieElement
from ewsmath.rings import QQ, RingElement
from ewsmath.rings.door import entries, of_kind
from ewsmath.rings.immutable import Immutable
from ewsmath.tensor import Tensor, TensorAlgebra

R = TypeVar("R", bound=RingElement)


class LieStream(Immutable, Generic[R]):
    r"""A rough path that is log-linear on each interval: given by its log-signatures there. Immutable.

    .. math:: S_{s,t} = \exp(c_1 x_1) ⊗ ⋯ ⊗ \exp(c_J x_J)

    Here c_j is the part of interval j that lies between s and t. An element is what its interval contributes
    as a whole: it is not divided by the length, so moving the times changes no signature over whole intervals.

    Args:
        times: The J+1 ends of the intervals, increasing rationals.
        elements: The J ≥ 1 Lie elements, in any bases, of one algebra.

    Attributes:
        times: The ends of the intervals.
        elements: The Lie elements.
        algebra: Their tensor algebra.

    Raises:
        ValueError: The times do not increase, there is not one element for each interval, or two elements
            differ in ring, letters or depth.
        TypeError: A time is no rational, or an element is no Lie element.

    >>> T = TensorAlgebra(QQ, dim=2, depth=2)
    >>> x, y = (LieElement(T, "lyndon brackets", {b: 1}) for b in ("1", "[1,2]"))
    >>> LieStream([0, 1, 2], [x, y]).signature(0, 2)
    1 + e1 + 1/2*e11 + e12 - e21
    """

    __slots__ = ("algebra", "elements", "times")
    times: tuple[fmpq, ...]
    elements: tuple[LieElement[R], ...]
    algebra: TensorAlgebra[R]

    def __init__(self, times: Sequence[Any], elements: Sequence[LieElement[R]]) -> None:
        stamps = [QQ.coerce(t) for t in entries(times, "a Lie stream takes times")]
        found = [
            of_kind(x, LieElement, "a Lie stream takes Lie elements", "a tensor becomes one by LieElement.from_tensor")
            for x in entries(elements, "a Lie stream takes Lie elements")
        ]
        if not found or len(stamps) != len(found) + 1:
            raise ValueError(
                f"{len(stamps)} times for {len(found)} Lie elements: give the two ends of each interval, one more "
                "time than elements"
            )
        for j, (before, after) in enumerate(pairwise(stamps), start=1):
            if after <= before:
                raise ValueError(f"times[{j}] = {after} is not above times[{j - 1}] = {before}: times have to increase")
        for j, x in enumerate(found):
            if x.algebra != found[0].algebra:
                raise ValueError(
                    f"element {j} lies in {x.algebra}, element 0 in {found[0].algebra}: bring them to one algebra"
                )
        self._set(times=tuple(stamps), elements=tuple(found), algebra=found[0].algebra)

    def signature(self, s: Any = None, t: Any = None) -> Tensor[R]:
        """The signature between two times: the product of the exponentials of what lies there.

        Args:
            s: Start, a rational; None for the first time.
            t: End; None for the last time.

        Returns:
            A group-like tensor; 1 where nothing lies between s and t.

        Raises:
            ValueError: t < s.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> x, y = (LieElement(T, "lyndon brackets", {j: 1}) for j in (1, 2))
        >>> stream = LieStream([0, 1, 2], [x, y])
        >>> stream.signature(QQ.ratio(1, 2), 2)
        1 + 1/2*e1 + e2 + 1/8*e11 + 1/2*e12 + 1/2*e22
        """
        s = self.times[0] if s is None else QQ.coerce(s)
        t = max(s, self.times[-1]) if t is None else QQ.coerce(t)
        if t < s:
            raise ValueError(f"an interval runs forward: got s = {s} and t = {t}")
        S = self.algebra.one()
        for x, (before, after) in zip(self.elements, pairwise(self.times), strict=True):
            low, high = max(s, before), min(t, after)
            if low < high:
                S = S @ (x * ((high - low) / (after - before))).exp()
        return S

    def log_signature(self, s: Any = None, t: Any = None, *, basis: str) -> LieElement[R]:
        """The log-signature between two times, in a named basis; it is not divided by the length of the interval.

        Args:
            s: Start, a rational; None for the first time.
            t: End; None for the last time.
            basis: The name of the basis.

        Returns:
            The logarithm of :meth:`signature`.

        Raises:
            ValueError: t < s, or there is no such basis.

        >>> from ewsmath.rings import QQ
        >>> T = TensorAlgebra(QQ, dim=2, depth=2)
        >>> x, y = (LieElement(T, "lyndon brackets", {j: 1}) for j in (1, 2))
        >>> stream = LieStream([0, 1, 2], [x, y])
        >>> stream.log_signature(basis="lyndon brackets")
        e1 + e2 + 1/2*[1,2]
        """
        return LieElement.log(self.signature(s, t), basis)

    def __repr__(self) -> str:
        return f"LieStream({list(self.times)}, {list(self.elements)})"
