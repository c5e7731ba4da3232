"""The working precision of flint, one global of the process, as a block that leaves it as it was."""

from types import TracebackType

from flint import ctx


class WorkingPrecision:
    """A ``with`` block in which flint works at ``prec`` bits; what was set before comes back at its end.

    Args:
        prec: The number of bits.

    >>> from flint import ctx
    >>> with WorkingPrecision(200):
    ...     ctx.prec
    200
    """

    __slots__ = ("_outside", "_prec")

    def __init__(self, prec: int) -> None:
        self._prec = prec

    def __enter__(self) -> None:
        self._outside = ctx.prec
        ctx.prec = self._prec

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ctx.prec = self._outside
