"""Mean over time, then logistic regression: what is known of a series without its order."""

from typing import Any

import numpy as np
import numpy.typing as npt

from ewsnn.data import Dataset, Scaling

__all__ = ["MeanLogistic"]


class MeanLogistic:
    r"""Logistic regression on the mean observation of each series.

    .. math:: p(\text{class} \mid x) ∝ \exp(C \bar x + c), \qquad \bar x = \frac1L \sum_j x_j

    Channels are scaled by the training set's observations, then means by the training set's means. The ridge
    penalty is scikit-learn's default.

    Args:
        train: The training set, with labels.

    Raises:
        ValueError: If scikit-learn is not installed.
    """

    def __init__(self, train: Dataset) -> None:
        try:
            from sklearn.linear_model import LogisticRegression
            from sklearn.pipeline import make_pipeline
            from sklearn.preprocessing import StandardScaler
        except ImportError as error:
            raise ValueError(
                "The baseline needs scikit-learn, which is not installed. Install the extra `data`."
            ) from error
        self.scaling = Scaling.of(train)
        # Far more iterations than it takes, so that what is compared is the optimum.
        self._model: Any = make_pipeline(StandardScaler(), LogisticRegression(max_iter=10_000))
        self._model.fit(self._means(train), train.targets)

    def predict(self, data: Dataset) -> npt.NDArray[np.int64]:
        """The likeliest class of each series.

        Args:
            data: Series with the training set's channels.
        """
        return self._model.predict(self._means(data))

    @property
    def parameters(self) -> int:
        """The number of fitted numbers: weights and biases of the logistic regression."""
        regression = self._model[-1]
        return regression.coef_.size + regression.intercept_.size

    def _means(self, data: Dataset) -> npt.NDArray[np.float64]:
        return np.stack([x.mean(axis=0) for x in self.scaling.all(data.series)])
