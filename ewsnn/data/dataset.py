"""A labelled set of time series of unequal length, as read from a file."""

import dataclasses
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Dataset"]

Array = npt.NDArray[Any]


@dataclasses.dataclass(frozen=True, eq=False)
class Dataset:
    """Series of shape (observations, channels), with their labels and, where given, their time stamps.

    The layout is time first, channels last, everywhere in this package. Arrays are read-only.

    Args:
        name: What the data are called.
        series: One float64 array (observations, channels) a case; lengths may differ, channels may not.
        classes: The names of the classes; label k means ``classes[k]``.
        labels: One index into ``classes`` a case, or None for data without labels.
        times: One weakly increasing float64 array (observations,) a case, or None where nothing is stamped.
        scaled: Whether the series have been brought to a common scale, which is done once.

    Raises:
        ValueError: If the parts do not fit together; the message names the case (counted from 1).

    >>> data = Dataset("two", (np.zeros((3, 2)), np.ones((5, 2))), ("no", "yes"), np.array([1, 0]))
    >>> len(data), data.channels, data.lengths.tolist(), [data.classes[k] for k in data.labels]
    (2, 2, [3, 5], ['yes', 'no'])
    """

    name: str
    series: tuple[Array, ...]
    classes: tuple[str, ...] = ()
    labels: Array | None = None
    times: tuple[Array, ...] | None = None
    scaled: bool = False

    def __post_init__(self) -> None:
        series = tuple(_frozen(x, np.float64) for x in self.series)
        if not series:
            raise ValueError(f"{self.name}: no series. At least one is needed.")
        for case, x in enumerate(series, 1):
            if x.ndim != 2:
                raise ValueError(
                    f"{self.name}, case {case}: shape {x.shape}. A series has two axes, "
                    "(observations, channels); one channel alone is written x[:, None]."
                )
            if 0 in x.shape:
                raise ValueError(f"{self.name}, case {case}: shape {x.shape}, nothing observed.")
            if x.shape[1] != series[0].shape[1]:
                raise ValueError(
                    f"{self.name}, case {case}: {x.shape[1]} channels, where case 1 has "
                    f"{series[0].shape[1]}. The layout is (observations, channels)."
                )
        object.__setattr__(self, "series", series)
        if self.labels is not None:
            labels = _frozen(self.labels, np.int64)
            if labels.shape != (len(series),):
                raise ValueError(f"{self.name}: labels of shape {labels.shape} for {len(series)} series.")
            if labels.min() < 0 or labels.max() >= len(self.classes):
                raise ValueError(
                    f"{self.name}: labels from {labels.min()} to {labels.max()} for {len(self.classes)} classes."
                )
            object.__setattr__(self, "labels", labels)
        if self.times is not None:
            times = tuple(_frozen(t, np.float64) for t in self.times)
            if [t.shape for t in times] != [x.shape[:1] for x in series]:
                raise ValueError(f"{self.name}: every observation needs one time stamp, in every case.")
            for case, t in enumerate(times, 1):
                wrong = ~np.isfinite(t)
                wrong[1:] |= t[1:] < t[:-1]
                if wrong.any():
                    k = int(np.flatnonzero(wrong)[0])
                    raise ValueError(
                        f"{self.name}, case {case}: time stamp {t[k]} at observation {k + 1}. "
                        "Stamps must be finite and must not decrease."
                    )
            object.__setattr__(self, "times", times)

    def __len__(self) -> int:
        return len(self.series)

    @property
    def channels(self) -> int:
        """The number of channels, the same in every series."""
        return self.series[0].shape[1]

    @property
    def lengths(self) -> Array:
        """The number of observations of each series."""
        return np.array([len(x) for x in self.series])

    @property
    def targets(self) -> Array:
        """The labels of data that must have some.

        Raises:
            ValueError: If there are none.
        """
        if self.labels is None:
            raise ValueError(f"{self.name} has no labels.")
        return self.labels

    def raw(self) -> "Dataset":
        """The same data, once they are known to be as they were read.

        Raises:
            ValueError: If they have been scaled already.
        """
        if self.scaled:
            raise ValueError(f"{self.name}: the series have been scaled already; a second time would distort them.")
        return self

    def complete(self, where: object = None) -> "Dataset":
        """The same data, once every value is known to be a finite number.

        Args:
            where: What the message calls the data, such as their file; None for their name.

        Raises:
            ValueError: If a value is missing (NaN) or infinite; the message says where (all counted from 1).
        """
        for case, x in enumerate(self.series, 1):
            if not np.isfinite(x).all():
                k, channel = np.argwhere(~np.isfinite(x))[0]
                raise ValueError(
                    f"{where or self.name}: missing or infinite value ({x[k, channel]}) in case {case}, "
                    f"channel {channel + 1}, observation {k + 1}. "
                    "Fill or remove it first: nothing is filled here."
                )
        return self

    def relabelled(self, classes: Sequence[str], where: object = None) -> "Dataset":
        """The same data, with labels that count in another list of classes.

        Args:
            classes: The names to count in, such as those a model was trained on.
            where: What the message calls the data, such as their file; None for their name.

        Raises:
            ValueError: If a case bears a label that is not in ``classes``, or the data have no labels.
        """
        place = {name: k for k, name in enumerate(classes)}
        for case, label in enumerate(self.targets, 1):
            if self.classes[label] not in place:
                raise ValueError(
                    f"{where or self.name}, case {case}: unknown label {self.classes[label]!r}. "
                    f"Known are {', '.join(classes)}."
                )
        labels = np.array([place[self.classes[label]] for label in self.targets])
        return dataclasses.replace(self, classes=tuple(classes), labels=labels)

    def subset(self, cases: Sequence[int] | Array) -> "Dataset":
        """Some of the cases, in the order given.

        Args:
            cases: Their places, counted from 0.
        """
        return dataclasses.replace(
            self,
            series=tuple(self.series[i] for i in cases),
            labels=None if self.labels is None else self.labels[np.asarray(cases)],
            times=None if self.times is None else tuple(self.times[i] for i in cases),
        )

    def fingerprint(self) -> str:
        """A SHA-256 of everything but the name: two sets share it only if they hold the same numbers."""
        digest = hashlib.sha256(repr((self.classes, len(self), self.channels)).encode())
        for part in (self.series, self.times or (), () if self.labels is None else (self.labels,)):
            digest.update(repr([x.shape for x in part]).encode())
            for x in part:
                digest.update(np.ascontiguousarray(x).tobytes())
        return digest.hexdigest()


def _frozen(values: Any, dtype: type[np.generic]) -> Array:
    array = np.array(values, dtype=dtype)  # a copy: the caller's array stays writable
    array.flags.writeable = False
    return array
