r"""The model that is trained by default, and how it reads a series.

A series is scaled by the training set's statistics and read as its integral over its own duration:

.. math:: X_τ = \Bigl(\int_0^τ x_u\,du,\; τ\Bigr), \qquad 0 ≤ τ ≤ 1

so level one of the layer holds exponentially weighted means of the series, level two its weighted
correlations, whatever the length and the sampling. The clock is the time τ; dampings and frequencies of the
generator are rates per duration.
"""

from collections.abc import Sequence
from typing import Any, TypeVar

import equinox as eqx
import jax
import numpy as np
import numpy.typing as npt

from ewsnn.data import Scaling, pad
from ewsnn.generators import Rotation
from ewsnn.models import AbstractClassifier, EWSClassifier
from ewsnn.paths import Increments, Reading
from ewsnn.train.config import Config

__all__ = ["build", "durations", "parameters", "read"]

Array = npt.NDArray[Any]
Tree = TypeVar("Tree")

# Units: 1/duration for dampings, radians/duration for frequencies. The slowest pair weighs the series almost
# evenly; the fastest turns twice over it and forgets all but its last third.
_DAMPING = (0.1, 3.0)
_FREQUENCY = (0.5, 12.0)


def build(config: Config, channels: int, classes: int) -> EWSClassifier:
    """The untrained classifier of a run; its read-out is zero and its features are not yet calibrated.

    Args:
        config: The choices of the run.
        channels: Channels of the series.
        classes: Number of classes.
    """
    for_model, for_generator = jax.random.split(jax.random.key(config.seed))
    generator = Rotation.init(for_generator, config.letters, damping=_DAMPING, frequency=_FREQUENCY)
    model = EWSClassifier.init(
        for_model,
        channels,
        config.letters,
        classes,
        config.depth,
        reading=Reading(("integral",), time=True),
        generator=generator,
    )
    return _cast(model, config.dtype)


def read(
    model: EWSClassifier,
    scaling: Scaling,
    series: Sequence[Array],
    times: Sequence[Array] | None,
    config: Config,
) -> Increments:
    """The series as the model reads them, one path a case.

    Args:
        model: The model, whose reading says how.
        scaling: The training set's scaling.
        series: Observations (observations, channels).
        times: Their stamps, or None for even spacing.
        config: The choices of the run, for the precision.
    """
    ends = [durations(len(x), None if times is None else times[case]) for case, x in enumerate(series)]
    signals = [scaling(x) * np.diff(end, prepend=0.0)[:, None] for x, end in zip(series, ends, strict=True)]
    observations, lengths = pad(signals)
    return model.reading(observations, pad(ends)[0], lengths, start_time=0.0, dtype=config.dtype)


def durations(length: int, times: Array | None) -> Array:
    """Where in its own duration each observation ends: increasing numbers of which the last is 1.

    An observation lasts from the one before it. The first one lasts as long as the others on average,
    since nothing says since when it held.

    Args:
        length: The number of observations.
        times: Their stamps, or None for even spacing.

    >>> durations(4, None).tolist()
    [0.25, 0.5, 0.75, 1.0]
    >>> durations(3, np.array([0.0, 0.5, 2.0])).tolist()  # spacing 1 on average
    [0.3333333333333333, 0.5, 1.0]
    """
    even = np.arange(1, length + 1) / length
    if times is None or times[-1] == times[0]:
        return even
    # A power of two changes no digit, and keeps the span of very large stamps in range.
    _, exponent = np.frexp(max(abs(times[0]), abs(times[-1])))
    times = np.ldexp(times, -exponent)
    span = times[-1] - times[0]
    first = span / (length - 1)
    return (times - times[0] + first) / (span + first)


def parameters(model: AbstractClassifier) -> int:
    """The number of trained numbers of a model.

    Args:
        model: The model.
    """
    return sum(leaf.size for leaf in jax.tree.leaves(eqx.filter(model, model.trainable())))


def _cast(tree: Tree, dtype: np.dtype) -> Tree:
    return jax.tree.map(lambda x: x.astype(dtype) if eqx.is_inexact_array(x) else x, tree)
