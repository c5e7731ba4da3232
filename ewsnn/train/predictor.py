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
from ewsnn.train import checkpoint
from ewsnn.train.architecture import read
from ewsnn.train.config import Config
from ewsnn.train.run import Run

__all__ = ["Predictor", "load"]

Array = npt.NDArray[Any]
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

    def read(self, data: Dataset | Sequence[Array]) -> Increments:
        """The series as the model's layer reads them, one path a case.

        Args:
            data: A data set, or series (observations, channels).

        Raises:
            ValueError: If a value is missing, or the channels are not those of the training set.
        """
        if not isinstance(data, Dataset):
            data = Dataset("the series given", tuple(np.asarray(x) for x in data))
        data.complete()
        return read(self.model, self.scaling, data.series, data.times, self.config)

    def logits(self, data: Dataset | Sequence[Array]) -> Array:
        """The logits, one row a case, one column a class.

        Args:
            data: A data set, or series (observations, channels).
        """
        increments = self.read(data)
        rows = []
        for places, count in batches(len(increments.dt), _BATCH):
            part = jax.tree.map(lambda x, places=places: x[jnp.asarray(places)], increments)
            rows.append(np.asarray(_apply(self.model, part))[:count])
        return np.concatenate(rows)

    def predict_proba(self, data: Dataset | Sequence[Array]) -> Array:
        """Probabilities, one row a case, one column a class.

        Args:
            data: A data set, or series (observations, channels).
        """
        logits = self.logits(data).astype(np.float64)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def predict(self, data: Dataset | Sequence[Array]) -> Array:
        """The name of the likeliest class of each case.

        Args:
            data: A data set, or series (observations, channels).
        """
        return np.array(self.classes)[self.predict_labels(data)]

    def predict_labels(self, data: Dataset | Sequence[Array]) -> npt.NDArray[np.int64]:
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
    metadata = checkpoint.read_metadata(path)
    classes = tuple(metadata["classes"])
    trained = opened.restore(path, metadata["channels"], len(classes))
    return Predictor(trained.state.model, Scaling(**trained.scaling), classes, opened.config)


@eqx.filter_jit
def _apply(model: EWSClassifier, increments: Increments) -> jax.Array:
    return model(increments)
