"""Front ends: from what is observed to a signal of the width of the blocks, each step by itself."""

import abc
from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Int, Key

from ewsnn.affine import Affine
from ewsnn.arrays import Numbers, as_float, default_float, is_traced
from ewsnn.paths import Signal
from ewsnn.paths.observations import zero_unless


class AbstractFrontEnd(eqx.Module):
    """A map from observations to vectors, pointwise in the steps."""

    @property
    @abc.abstractmethod
    def width(self) -> int:
        """The size H of the vectors."""

    @abc.abstractmethod
    def features(self, inputs: Any) -> Float[Array, "*batch width"]:
        """The vectors of observations that have been checked, each by itself."""

    @abc.abstractmethod
    def __call__(
        self,
        inputs: Any,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
    ) -> Signal:
        """The signal of a series.

        Args:
            inputs: What is observed, (…, steps, …).
            times: Its time stamps, as for :meth:`ewsnn.Signal.of`.
            lengths: How many steps are valid, (…,). What comes after them is never read.
            start_time: The time at which observation began.

        Raises:
            TypeError: If an argument is of the wrong kind.
            ValueError: If shapes do not fit, or a value that is known is not allowed.
        """


class Embedding(AbstractFrontEnd):
    """One learned vector for each token.

    Args:
        weight: The vectors, (vocabulary, H).

    Raises:
        ValueError: If the weight is no matrix.

    >>> Embedding([[1.0, 0.0], [0.0, 2.0]])(np.array([1, 1, 0])).values.tolist()
    [[0.0, 2.0], [0.0, 2.0], [1.0, 0.0]]
    """

    weight: Float[Array, "vocabulary width"]

    def __init__(self, weight: Numbers) -> None:
        self.weight = as_float("weight", weight)
        if self.weight.ndim != 2:
            raise ValueError(f"weight must be (vocabulary, H), got shape {self.weight.shape}.")

    @classmethod
    def init(cls, key: Key[Array, ""], vocabulary: int, width: int) -> "Embedding":
        """Normal vectors.

        Args:
            key: A JAX random key.
            vocabulary: The number of tokens, which are 0, 1, ….
            width: The size H of the vectors.
        """
        return cls(jax.random.normal(key, (vocabulary, width), default_float()))

    @property
    def width(self) -> int:
        """The size H of the vectors."""
        return self.weight.shape[1]

    def features(self, inputs: Int[Array, "*batch"]) -> Float[Array, "*batch width"]:
        """The vectors of tokens; NaN for what is no token, where nobody could look at it before."""
        vocabulary = self.weight.shape[0]
        # A negative index would count from the end.
        places = jnp.where(inputs < 0, jnp.full_like(inputs, vocabulary), inputs)
        return jnp.take(self.weight, places, axis=0, mode="fill")

    def __call__(
        self,
        inputs: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
    ) -> Signal:
        """The signal of a series of tokens, (…, steps)."""
        tokens = inputs if isinstance(inputs, jax.Array) else np.asarray(inputs)
        if not jnp.issubdtype(tokens.dtype, jnp.integer) or tokens.ndim == 0:
            raise TypeError(
                f"tokens must be integers (…, steps), got an array of {tokens.dtype} of shape {tokens.shape}."
            )
        blank = np.zeros((*tokens.shape, 1))
        steps = Signal.of(blank, times, lengths, start_time=start_time, dtype=self.weight.dtype)
        if not is_traced(tokens, steps.valid):
            known = np.asarray(tokens)
            wrong = np.argwhere(np.asarray(steps.valid) & ((known < 0) | (known >= self.weight.shape[0])))
            if len(wrong):
                place = tuple(int(i) for i in wrong[0])
                raise ValueError(
                    f"tokens must lie from 0 to {self.weight.shape[0] - 1}, got {known[place]} at index {place}."
                )
        return steps.with_values(self.features(jnp.asarray(tokens)))


class Linear(AbstractFrontEnd):
    """An affine map of the channels.

    Args:
        map: The map to H outputs.

    >>> Linear(Affine([[1.0, 1.0]], [0.5]))([[1.0, 2.0], [3.0, 4.0]]).values.tolist()
    [[3.5], [7.5]]
    """

    map: Affine

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, width: int) -> "Linear":
        """A map drawn as :meth:`ewsnn.affine.Affine.init` does.

        Args:
            key: A JAX random key.
            channels: The number of channels of an observation.
            width: The size H of the vectors.
        """
        return cls(Affine.init(key, channels, width))

    @property
    def width(self) -> int:
        """The size H of the vectors."""
        return self.map.weight.shape[0]

    def features(self, inputs: Float[Array, "*batch channels"]) -> Float[Array, "*batch width"]:
        """The images of observations."""
        return self.map(inputs)

    def __call__(
        self,
        inputs: Numbers,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
    ) -> Signal:
        """The signal of a series of observations, (…, steps, channels)."""
        read = Signal.of(inputs, times, lengths, start_time=start_time, dtype=self.map.weight.dtype)
        return read.with_values(self.features(read.values))


class Window(NamedTuple):
    """A window of a series whose last part is to be forecast.

    Args:
        values: The channels, (…, steps, channels); what is hidden is never read.
        marks: What the calendar says of each step, known in advance, (…, steps, marks).
        hidden: Which steps are to be forecast, (…, steps).
    """

    values: Array | np.ndarray
    marks: Array | np.ndarray
    hidden: Array | np.ndarray


class Calendar(AbstractFrontEnd):
    """An affine map of channels, calendar marks and a mask channel, for forecasts.

    Hidden values enter as zeros, and the mask channel says so by a 1.

    Args:
        map: The map of channels + marks + 1 inputs to H outputs.

    >>> window = Window(np.array([[5.0], [np.nan]]), np.array([[1.0], [2.0]]), np.array([False, True]))
    >>> Calendar(Affine([[1.0, 1.0, 10.0]], [0.0]))(window).values.tolist()
    [[6.0], [12.0]]
    """

    map: Affine

    @classmethod
    def init(cls, key: Key[Array, ""], channels: int, marks: int, width: int) -> "Calendar":
        """A map drawn as :meth:`ewsnn.affine.Affine.init` does.

        Args:
            key: A JAX random key.
            channels: The number of channels of an observation.
            marks: The number of calendar marks.
            width: The size H of the vectors.
        """
        return cls(Affine.init(key, channels + marks + 1, width))

    @property
    def width(self) -> int:
        """The size H of the vectors."""
        return self.map.weight.shape[0]

    def features(self, inputs: Window) -> Float[Array, "*batch width"]:
        """The images of the steps of a window."""
        return self.map(self._joined(inputs))

    def __call__(
        self,
        inputs: Any,
        times: Numbers | None = None,
        lengths: Numbers | None = None,
        *,
        start_time: Numbers | None = None,
    ) -> Signal:
        """The signal of a window."""
        if not isinstance(inputs, Window):
            raise TypeError(f"this front end takes a Window(values, marks, hidden), got {type(inputs).__name__}.")
        read = Signal.of(self._joined(inputs), times, lengths, start_time=start_time, dtype=self.map.weight.dtype)
        return read.with_values(self.map(read.values))

    def _joined(self, window: Window) -> Float[Array, "*batch inputs"]:
        dtype = self.map.weight.dtype
        values, marks = as_float("values", window.values, dtype), as_float("marks", window.marks, dtype)
        hidden = jnp.asarray(window.hidden)
        if hidden.dtype != bool:
            raise TypeError(f"hidden must be booleans, got an array of {hidden.dtype}.")
        if values.ndim == 0 or marks.ndim == 0 or not values.shape[:-1] == marks.shape[:-1] == hidden.shape:
            raise ValueError(
                "a window has values (…, steps, channels), marks (…, steps, marks) and hidden (…, steps), got shapes "
                f"{values.shape}, {marks.shape} and {hidden.shape}."
            )
        seen = zero_unless(~hidden[..., None], values)
        return jnp.concatenate([seen, marks, hidden[..., None].astype(dtype)], axis=-1)
