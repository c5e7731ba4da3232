"""A trained model with the preprocessing it was trained with."""

import os
from collections.abc import Sequence
from typing import Any, Literal

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from ewsnn.arrays import default_float
from ewsnn.data import Dataset, Scaling, batches
from ewsnn.models import EWSClassifier
from ewsnn.paths import Increments
from ewsnn.train.architecture import read
from ewsnn.train.config import Config
from ewsnn.train.run import Run

__all__ = ["Predictor", "load"]

Array = npt.NDArray[Any]
Series = Dataset | Sequence[Array] | Array  # an array of three axes is so many series of one length
_BATCH = 32


class Predictor:
    """A trained classifier of series.

    What it says of a series does not depend on the series beside it: scaling comes from the training set,
    and padding does not count.

    Args:
        model: The trained model.
        scaling: The scaling of the training set.
        classes: The names of the classes.
        config: The choices of the run.
    """

    def __init__(self, model: EWSClassifier, scaling: Scaling, classes: tuple[str, ...], config: Config) -> None:
        self.model, self.scaling, self.classes, self.config = model, scaling, classes, config

    def read(self, data: Series) -> Increments:
        """The series as the model's layer reads them, one path a case.

        Args:
            data: A data set, or series (observations, channels).

        Raises:
            ValueError: If a value is missing, the channels are not those of the training set, or one series
                stands alone.
            TypeError: If a series does not hold real numbers.
        """
        if not isinstance(data, Dataset):
            data = Dataset("the series given", _series(data))
        data.complete()
        return read(self.model, self.scaling, data.series, data.times, self.config)

    def check_channels(self, data: Dataset, where: object) -> None:
        """Refuses data of other channels than the training set's.

        Args:
            data: A data set.
            where: What the message calls it, such as its file.

        Raises:
            ValueError: If the number of channels differs.
        """
        known = len(self.scaling.mean)
        if data.channels != known:
            raise ValueError(f"{where}: series of {data.channels} channels; the model was trained on {known}.")

    def logits(self, data: Series) -> Array:
        """The logits, one row a case, one column a class.

        Args:
            data: A data set, or series (observations, channels).

        Raises:
            ValueError: As :meth:`read`, and if a series is so far from the training set that its logits overflow.
        """
        increments = self.read(data)
        rows = []
        for places, count in batches(len(increments.dt), _BATCH):
            part = jax.tree.map(lambda x, places=places: x[jnp.asarray(places)], increments)
            rows.append(np.asarray(_apply(self.model, part))[:count])
        logits = np.concatenate(rows)
        if not np.isfinite(logits).all():
            case = int(np.flatnonzero(~np.isfinite(logits).all(axis=1))[0]) + 1
            raise ValueError(
                f"Case {case}: the logits are not finite in {logits.dtype}. "
                "Its values are too far from those of the training set, or the model's parameters are not finite."
            )
        return logits

    def predict_proba(self, data: Series) -> Array:
        """Probabilities, one row a case, one column a class.

        Args:
            data: A data set, or series (observations, channels).
        """
        logits = self.logits(data).astype(np.float64)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def predict(self, data: Series) -> Array:
        """The name of the likeliest class of each case.

        Args:
            data: A data set, or series (observations, channels).
        """
        return np.array(self.classes)[self.predict_labels(data)]

    def predict_labels(self, data: Series) -> npt.NDArray[np.int64]:
        """The place of the likeliest class of each case in :attr:`classes`.

        Args:
            data: A data set, or series (observations, channels).
        """
        return self.logits(data).argmax(axis=1)


def load(run: str | os.PathLike[str], *, which: Literal["best", "last"] = "best") -> Predictor:
    """The trained model in the folder of a run.

    Args:
        run: The folder.
        which: "best" for the checkpoint of the lowest loss, "last" for the latest.

    Raises:
        ValueError: If there is no such run or checkpoint, or it is of float64 and JAX's x64 flag is off.
    """
    if which not in ("best", "last"):
        raise ValueError(f"which={which!r}. Allowed are 'best' and 'last'.")
    opened = Run.open(run)
    if opened.config.x64 and default_float() != np.float64:
        raise ValueError(
            f"{opened.root} was trained in float64. Call jax.config.update('jax_enable_x64', True) before "
            "anything else, to load it with all its digits."
        )
    path = opened.best if which == "best" else opened.last
    metadata = opened.metadata(path)
    classes = tuple(metadata["classes"])
    trained = opened.restore(path, metadata["channels"], len(classes))
    return Predictor(trained.state.model, Scaling(**trained.scaling), classes, opened.config)


def _series(given: Sequence[Array] | Array) -> tuple[Array, ...]:
    """The series given, as arrays of real numbers."""
    if isinstance(given, np.ndarray | jax.Array) and given.ndim == 2:
        raise ValueError(f"One array of shape {given.shape}, wanted a list of series: wrap it in a list: [series].")
    arrays = tuple(np.asarray(x) for x in given)
    for case, x in enumerate(arrays, 1):
        # JAX's narrow floats (bfloat16) are of no NumPy kind, but they are real numbers.
        if not (x.dtype.kind in "biu" or jnp.issubdtype(x.dtype, jnp.floating)):
            raise TypeError(f"The series given, case {case}: values of type {x.dtype}. Wanted real numbers.")
    return arrays


@eqx.filter_jit
def _apply(model: EWSClassifier, increments: Increments) -> jax.Array:
    return model(increments)
