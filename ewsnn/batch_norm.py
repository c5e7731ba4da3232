"""Batch normalisation of the levels of states, with the statistics of a batch or of the training set."""

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Key

from ewsnn.arrays import Levels, Numbers, as_float, default_float


def moments(
    cases: Float[Array, "cases *entries"], valid: Bool[Array, " cases"] | None = None
) -> tuple[Float[Array, "*entries"], Float[Array, "*entries"], Bool[Array, "*entries"]]:
    """Mean and standard deviation of each entry over cases, with finite gradients where nothing varies.

    Args:
        cases: One array for each case.
        valid: Which cases count, at least one; None for all.

    Returns:
        The mean; the deviation, or 1 for an entry that does not vary; and whether it varies. Round-off alone does not
        count: it would be blown up to noise.
    """
    counts = None if valid is None else valid.reshape(-1, *(1,) * (cases.ndim - 1))
    mean, variance = jnp.mean(cases, axis=0, where=counts), jnp.var(cases, axis=0, where=counts)
    positive = variance > 0
    deviation = jnp.where(positive, jnp.sqrt(jnp.where(positive, variance, 1)), 0)
    largest = jnp.max(jnp.abs(cases), axis=0, where=counts, initial=0)
    varies = deviation > 100 * jnp.finfo(cases.dtype).eps * largest
    return mean, jnp.where(varies, deviation, 1), varies


class BatchNorm(eqx.Module):
    r"""Every entry with mean 0 and deviation 1 over cases; then one learned affine map for each level.

    .. math:: S^{(n)} ↦ g_n \frac{S^{(n)} - μ^{(n)}}{ς^{(n)}} + b_n

    The statistics μ, ς are no parameters: they are set from training data at once (:meth:`calibrated`), or follow the
    batches of training (:meth:`of_batch`). There is no ε: levels differ by orders of magnitude, so that a fixed number
    would wipe out the small ones; an entry that does not vary beyond round-off is not divided.

    Args:
        gain: The factors g, (depth,).
        bias: The numbers b, (depth,).
        mean: The means μ, levels 1 to N.
        deviation: The deviations ς, levels 1 to N.
        rate: The share of a batch in the running statistics.

    Raises:
        ValueError: If there are not as many gains, biases and levels, or the rate is not in (0, 1].

    Paper: Appendix F.4.

    >>> norm = BatchNorm([2.0], [1.0], (jnp.zeros(1),), (jnp.ones(1),))
    >>> norm.calibrated((jnp.array([[1.0], [3.0]]),))((jnp.array([5.0]),))[0].tolist()
    [7.0]
    """

    gain: Float[Array, " depth"]
    bias: Float[Array, " depth"]
    mean: Levels
    deviation: Levels
    rate: float = eqx.field(static=True)

    def __init__(self, gain: Numbers, bias: Numbers, mean: Levels, deviation: Levels, *, rate: float = 0.1) -> None:
        self.gain, self.bias = as_float("gain", gain), as_float("bias", bias)
        self.mean, self.deviation = tuple(mean), tuple(deviation)
        if not self.gain.shape == self.bias.shape == (len(self.mean),) == (len(self.deviation),):
            raise ValueError(
                "gain, bias, mean and deviation must have one entry for each level, got shapes "
                f"{self.gain.shape} and {self.bias.shape} for {len(self.mean)} and {len(self.deviation)} levels."
            )
        if not 0 < rate <= 1:
            raise ValueError(f"rate must be above 0 and at most 1, got {rate}.")
        self.rate = rate

    @classmethod
    def init(cls, key: Key[Array, ""], m: int, depth: int, *, rate: float = 0.1) -> "BatchNorm":
        """Gains of one, biases of zero, and statistics that change nothing until they are set.

        Args:
            key: A JAX random key.
            m: Number of letters.
            depth: The truncation depth.
            rate: The share of a batch in the running statistics.
        """
        del key
        shapes, dtype = [n * (m,) for n in range(1, depth + 1)], default_float()
        zeros, ones = (tuple(make(shape, dtype) for shape in shapes) for make in (jnp.zeros, jnp.ones))
        return cls(jnp.ones((depth,), dtype), jnp.zeros((depth,), dtype), zeros, ones, rate=rate)

    def __call__(self, levels: Levels) -> Levels:
        """The levels by the stored statistics, with any leading axes."""
        return self._affine(levels, *jax.lax.stop_gradient((self.mean, self.deviation)))

    def calibrated(self, levels: Levels) -> "BatchNorm":
        """The same with the statistics of these states, which are those of the training set.

        Args:
            levels: The states of all cases, level n (…, m, …, m) with at least one axis of cases.

        Raises:
            ValueError: If there is no axis of cases.
        """
        mean, deviation = jax.lax.stop_gradient(self._statistics(levels))
        return BatchNorm(self.gain, self.bias, mean, deviation, rate=self.rate)

    def of_batch(self, levels: Levels) -> tuple[Levels, "BatchNorm"]:
        """The levels by their own statistics, as in training: the gradient goes through these, too.

        Args:
            levels: As for :meth:`calibrated`, the states of a batch.

        Returns:
            The levels, and the norm whose stored statistics have moved towards those of the batch.

        Raises:
            ValueError: If there is no axis of cases.
        """
        mean, deviation = self._statistics(levels)

        def moved(stored: Array, seen: Array) -> Array:
            return (1 - self.rate) * stored + self.rate * jax.lax.stop_gradient(seen)

        running = (jax.tree.map(moved, *pair) for pair in ((self.mean, mean), (self.deviation, deviation)))
        return self._affine(levels, mean, deviation), BatchNorm(self.gain, self.bias, *running, rate=self.rate)

    def _affine(self, levels: Levels, mean: Levels, deviation: Levels) -> Levels:
        if len(levels) != len(mean):
            raise ValueError(f"there are statistics of {len(mean)} levels for {len(levels)} levels.")
        found = []
        for n, level in enumerate(levels):
            centred = level - jnp.broadcast_to(mean[n], level.shape)
            found.append(self.gain[n] * (centred / jnp.broadcast_to(deviation[n], level.shape)) + self.bias[n])
        return tuple(found)

    def _statistics(self, levels: Levels) -> tuple[Levels, Levels]:
        means, deviations = [], []
        for n, level in enumerate(levels, start=1):
            if level.ndim == n:
                raise ValueError(f"statistics are taken over cases, but level {n} has shape {level.shape}.")
            mean, deviation, _ = moments(level.reshape(-1, *level.shape[level.ndim - n :]))
            means.append(mean)
            deviations.append(deviation)
        return tuple(means), tuple(deviations)
