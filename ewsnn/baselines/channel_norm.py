"""Batch normalisation of the channels of signals of unequal lengths, without an affine map."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

from ewsnn.arrays import default_float
from ewsnn.batch_norm import moments
from ewsnn.paths import Signal


class ChannelNorm(eqx.Module):
    r"""Every channel with mean 0 and deviation 1 over all valid steps of all cases, :math:`u ↦ (u - μ)/ς`.

    The statistics are no parameters: they follow the batches of training (:meth:`of_batch`), or are set from training
    data at once (:meth:`calibrated`). As for :class:`ewsnn.BatchNorm` there is no ε: a channel that does not vary
    beyond round-off is not divided.

    Args:
        mean: The means μ, (H,).
        deviation: The deviations ς, (H,).
        rate: The share of a batch in the running statistics.

    >>> signal = Signal.of([[[1.0], [3.0]], [[5.0], [7.0]]], lengths=[2, 1])
    >>> ChannelNorm.init(1).calibrated(signal).mean.tolist()
    [3.0]
    """

    mean: Float[Array, " width"]
    deviation: Float[Array, " width"]
    rate: float = eqx.field(static=True, default=0.1)

    def __check_init__(self) -> None:
        if not 0 < self.rate <= 1:
            raise ValueError(f"rate must be above 0 and at most 1, got {self.rate}.")

    @classmethod
    def init(cls, width: int, *, rate: float = 0.1) -> "ChannelNorm":
        """Statistics that change nothing until they are set.

        Args:
            width: The number H of channels.
            rate: The share of a batch in the running statistics.
        """
        return cls(jnp.zeros((width,), default_float()), jnp.ones((width,), default_float()), rate)

    def __call__(self, signal: Signal) -> Signal:
        """The signal by the stored statistics.

        Args:
            signal: Of H channels, with any leading axes.
        """
        return self._normalised(signal, *jax.lax.stop_gradient((self.mean, self.deviation)))

    def of_batch(self, signal: Signal) -> tuple[Signal, "ChannelNorm"]:
        """The signal by its own statistics, as in training: the gradient goes through these, too.

        Args:
            signal: The signals of a batch, with at least one valid step.

        Returns:
            The signal, and the norm whose stored statistics have moved towards those of the batch.
        """
        mean, deviation = _statistics(signal)
        seen = jax.lax.stop_gradient((mean, deviation))
        moved = [old + self.rate * (new - old) for old, new in zip((self.mean, self.deviation), seen, strict=True)]
        return self._normalised(signal, mean, deviation), ChannelNorm(moved[0], moved[1], self.rate)

    def calibrated(self, signal: Signal) -> "ChannelNorm":
        """The same with the statistics of these signals, which are those of the training set.

        Args:
            signal: The signals of all cases.
        """
        return ChannelNorm(*jax.lax.stop_gradient(_statistics(signal)), self.rate)

    def _normalised(self, signal: Signal, mean: Float[Array, " width"], deviation: Float[Array, " width"]) -> Signal:
        shape = signal.values.shape
        return signal.with_values((signal.values - jnp.broadcast_to(mean, shape)) / jnp.broadcast_to(deviation, shape))


def _statistics(signal: Signal) -> tuple[Float[Array, " width"], Float[Array, " width"]]:
    width = signal.values.shape[-1]
    mean, deviation, _ = moments(signal.values.reshape(-1, width), signal.valid.reshape(-1))
    return mean, deviation
