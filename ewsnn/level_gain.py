"""One learned factor for each level."""

from typing import TypeVar

import equinox as eqx
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

from ewsnn.arrays import Levels, Numbers, as_float, default_float

Gain = TypeVar("Gain", bound="LevelGain")


class LevelGain(eqx.Module):
    r"""One learned factor for each level, :math:`g_n S^{(n)}`.

    Args:
        gain: The factors, (depth,).

    Paper: Appendix F.1.

    >>> levels = LevelGain([2.0, 3.0])((jnp.ones((1,)), jnp.ones((1, 1))))
    >>> [level.tolist() for level in levels]
    [[2.0], [[3.0]]]
    """

    gain: Float[Array, " depth"]

    def __init__(self, gain: Numbers) -> None:
        self.gain = as_float("gain", gain)
        if self.gain.ndim != 1:
            raise ValueError(f"gain must have one entry for each level, got shape {self.gain.shape}.")

    @classmethod
    def init(cls: type[Gain], key: Key[Array, ""], depth: int) -> Gain:
        """Gains of one."""
        del key
        return cls(jnp.ones((depth,), default_float()))

    def __call__(self, levels: Levels) -> Levels:
        """The levels, each times its gain.

        Raises:
            ValueError: If there are not as many levels as gains.
        """
        if len(levels) != self.gain.shape[0]:
            raise ValueError(f"there are {self.gain.shape[0]} gains for {len(levels)} levels.")
        return tuple(self.gain[n] * level for n, level in enumerate(levels))
