"""How observations are read as a path: what a model keeps of it as one option."""

import equinox as eqx
import numpy as np

from ewsnn.arrays import Numbers
from ewsnn.paths.increments import Increments

_READINGS = {
    "values": Increments.from_values,
    "integral": Increments.integral,
    "derivative": Increments.derivative,
}


class Reading(eqx.Module):
    """How observations are read as a path.

    Args:
        channels: Which paths are put side by side: "values", "integral", "derivative". The integral has a step for the
            first observation, so beside it values need their base point; a derivative stands alone.
        base_point: Whether values or derivative start at a base point zero.
        time: Whether the time is a last channel.

    Raises:
        ValueError: If a reading is unknown, or some cannot be joined.

    >>> Reading(("values", "integral")).channels_of(3)
    6
    """

    channels: tuple[str, ...] = eqx.field(static=True)
    base_point: bool = eqx.field(static=True)
    time: bool = eqx.field(static=True)

    def __init__(self, channels: tuple[str, ...] = ("values",), *, base_point: bool = True, time: bool = False) -> None:
        unknown = [name for name in channels if name not in _READINGS]
        if unknown or not channels or len(set(channels)) < len(channels):
            raise ValueError(
                f"channels must be one or more, each once, of {', '.join(map(repr, _READINGS))}, got {channels!r}."
            )
        if "derivative" in channels and len(channels) > 1:
            raise ValueError("a derivative has fewer steps than values or integral: it cannot stand beside them.")
        if set(channels) == {"values", "integral"} and not base_point:
            raise ValueError("values beside their integral need base_point=True: else they have one step fewer.")
        self.channels, self.base_point, self.time = tuple(channels), base_point, time

    def channels_of(self, d: int) -> int:
        """The number of channels of the path read from observations of d channels."""
        return d * len(self.channels) + self.time

    def __call__(
        self,
        observations: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
        dtype: np.dtype | type | None = None,
    ) -> Increments:
        """The path, as increments.

        Args:
            observations: (…, points, channels).
            times: As for :meth:`ewsnn.paths.Increments.from_values`.
            lengths: As for :meth:`ewsnn.paths.Increments.from_values`.
            start_time: As for :meth:`ewsnn.paths.Increments.from_values`.
            dtype: As for :meth:`ewsnn.paths.Increments.from_values`.
        """
        joined = None
        for name in self.channels:
            read = _READINGS[name](observations, times, lengths, start_time=start_time, dtype=dtype)
            if self.base_point and name != "integral":
                read = read.with_base_point()
            joined = read if joined is None else joined.beside(read)
        if joined is None:
            raise ValueError("a reading without channels reads nothing.")
        return joined.with_time() if self.time else joined
