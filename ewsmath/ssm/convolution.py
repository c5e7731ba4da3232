"""The causal convolution in front of a selective scan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.rings import Ring
from ewsmath.ssm.functions import silu


def causal_convolution(ring: Ring[Any], weight: Any, bias: Any, xs: Sequence[Sequence[Any]]) -> list[list[Any]]:
    r"""The activated depthwise convolution of Mamba.

    .. math:: \operatorname{silu}\Big(b_e + \sum_{k<K} w_{ek}\, x_{j-K+1+k,\,e}\Big)

    Args:
        ring: The working ring.
        weight: E x K exact numbers; tap K-1 multiplies the current sample.
        bias: E exact numbers.
        xs: The samples, each of E numbers of the ring; those before the first are 0.

    Returns:
        As many samples, each of E numbers of the ring.

    >>> from ewsmath.ssm import FRACTIONS
    >>> causal_convolution(FRACTIONS, [[1, 1]], [0], [[FRACTIONS.zero], [FRACTIONS.one], [FRACTIONS.zero]])
    [[0], [(1)/(e^(-1) + 1)], [(1)/(e^(-1) + 1)]]
    """
    taps = [[ring.coerce(w) for w in row] for row in weight]
    found = []
    for j in range(len(xs)):
        sample = []
        for e, row in enumerate(taps):
            total = ring.coerce(bias[e])
            for back, w in enumerate(reversed(row)):
                if j >= back:
                    total = total + w * xs[j - back][e]
            sample.append(silu(ring, total))
        found.append(sample)
    return found
