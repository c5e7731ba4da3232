"""The band limit of the kernels of S4: modes that turn too fast for their step are not read out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.rings import QQ, Balls
from ewsmath.ssm.fractions import FRACTIONS, sign
from ewsmath.ssm.functions import pi
from ewsmath.ssm.working_ring import UndecidedError, imag_part

_DECIDING_BITS = (64, 256, 1024, 4096)


def in_band(eigenvalue: Any, step: Any, bandlimit: Any) -> bool:
    r"""Whether a mode turns slower than half the band limit, in turns for each step; decided.

    .. math:: \frac{Δ |\operatorname{Im} a|}{2π} < \frac b2

    Args:
        eigenvalue: The number a, exact.
        step: The step Δ, exact or enclosed by balls.
        bandlimit: The rational b.

    Returns:
        The answer.

    Raises:
        UndecidedError: 4096 bits do not tell the two sides from one another.

    >>> from ewsmath.rings import QQ_I
    >>> in_band(QQ_I.number(-1, 3), 1, 1), in_band(QQ_I.number(-1, 4), 1, 1)
    (True, False)
    """
    bandlimit = QQ.coerce(bandlimit)
    frequency = imag_part(FRACTIONS.coerce(eigenvalue))
    if not frequency or bandlimit <= 0:
        return bandlimit > 0
    frequency = frequency * sign(frequency)
    for prec in _DECIDING_BITS:
        ring = Balls(prec)
        room = pi(ring) * ring.coerce(bandlimit) - ring.coerce(frequency) * ring.coerce(step)
        if not room.overlaps(ring.zero):
            return bool(room.value > 0)
    raise UndecidedError(f"whether the eigenvalue {eigenvalue} at the step {step} is in the band {bandlimit}")


def limited(C: Any, eigenvalues: Sequence[Sequence[Any]], steps: Sequence[Sequence[Any]], bandlimit: Any) -> Any:
    """The read-out numbers with those of the modes outside the band set to 0.

    Args:
        C: The H x N read-out numbers.
        eigenvalues: The H x N eigenvalues.
        steps: The H x N steps, or H x 1.
        bandlimit: The rational b; None for no limit.

    Returns:
        The H x N read-out numbers.

    >>> from ewsmath.rings import QQ_I
    >>> limited([[5, 7]], [[QQ_I.number(-1, 3), QQ_I.number(-1, 4)]], [[1]], 1)
    [[5, 0]]
    """
    if bandlimit is None:
        return C
    return [
        [c if in_band(a, row[k % len(row)], bandlimit) else 0 for k, (c, a) in enumerate(zip(*modes, strict=True))]
        for row, *modes in zip(steps, C, eigenvalues, strict=True)
    ]
