"""A training run and its folder.

::

    RUN/config.json         the choices of the run
    RUN/record.json         data with their fingerprints, the command, versions, device
    RUN/metrics.jsonl       one line an epoch, one line a certificate
    RUN/last.npz, best.npz  checkpoints: model, moments of the optimiser, scaling; metadata
    RUN/results.json        scores on the test set; comparison.json: the table beside the baselines
    RUN/*.png               learning curve and confusion matrix

A run that was killed at any moment is taken up at its last checkpoint and ends as it would have ended, bit
for bit on a CPU: the learning rate and the order of the cases depend on the seed and the epoch alone, and all
else is in the checkpoint.
"""

import dataclasses
import glob
import json
import os
import platform
import shutil
from collections.abc import Callable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from ewsnn.data import Dataset, Scaling, hold_out
from ewsnn.models import EWSClassifier
from ewsnn.train import checkpoint, document
from ewsnn.train.architecture import build, read
from ewsnn.train.config import Config
from ewsnn.train.fit import Cases, Epoch, NotFinite, epochs, plan
from ewsnn.train.journal import Journal
from ewsnn.train.step import State

__all__ = ["Run", "Trained", "check_trainable", "device"]

_PACKAGES = ("ews", "jax", "jaxlib", "equinox", "optax", "numpy")
_METADATA = {
    "epoch": document.WHOLE,
    "lowest": document.NUMBER.or_null(),
    "channels": document.COUNT,
    "classes": document.NAMES,
}


class Trained(NamedTuple):
    """What a checkpoint holds: the state of training, and the scaling that the model was trained with."""

    state: State[EWSClassifier]
    scaling: dict[str, np.ndarray]


@dataclasses.dataclass(frozen=True)
class Run:
    """The folder of a run.

    Args:
        root: The folder.
        config: The choices of the run.
    """

    root: Path
    config: Config

    @property
    def journal(self) -> Journal:
        """The metrics, as JSON lines."""
        return Journal(self.root / "metrics.jsonl")

    @property
    def last(self) -> Path:
        """The latest checkpoint."""
        return self.root / "last.npz"

    @property
    def best(self) -> Path:
        """The checkpoint of the lowest loss: that of held-out cases, or of all where none are held."""
        return self.root / "best.npz"

    @classmethod
    def create(cls, root: str | os.PathLike[str], config: Config, record: dict[str, Any]) -> "Run":
        """Makes the folder of a new run, whole or not at all.

        Args:
            root: The folder; it must not exist.
            config: The choices of the run.
            record: What is to be known of the run later, such as its data; device and versions are added.

        Raises:
            ValueError: If the folder exists.
        """
        place = Path(root)
        if place.exists():
            raise ValueError(f"{place} exists. Choose another folder, or take up the run in it by --resume.")
        place.parent.mkdir(parents=True, exist_ok=True)
        for stale in place.parent.glob(f".{glob.escape(place.name)}.*.part"):  # left by a kill just here
            shutil.rmtree(stale, ignore_errors=True)
        draft = place.with_name(f".{place.name}.{os.getpid()}.part")
        draft.mkdir()
        try:
            config.save(draft / "config.json")
            known = record | {"device": device(), "versions": _versions()}
            checkpoint.write_atomically(draft / "record.json", _json(known))
            draft.rename(place)
        finally:
            shutil.rmtree(draft, ignore_errors=True)
        return cls(place, config)

    @classmethod
    def open(cls, root: str | os.PathLike[str]) -> "Run":
        """The run in a folder.

        Args:
            root: The folder.

        Raises:
            ValueError: If the folder holds no run.
        """
        place = Path(root)
        if not place.is_dir():
            raise ValueError(f"{place}: no such folder.")
        return cls(place, Config.load(place / "config.json"))

    def record(self, kinds: Mapping[str, document.Kind] | None = None) -> dict[str, Any]:
        """What was recorded of data, device and versions when the run began.

        Args:
            kinds: The keys that it must have, and of which kind their values are; None for any.

        Raises:
            ValueError: If there is no record, or it is no JSON object with these keys.
        """
        return document.read(self.root / "record.json", kinds or {})

    def write(self, name: str, content: dict[str, Any]) -> None:
        """Writes a JSON file into the folder, atomically.

        Args:
            name: Its name.
            content: What JSON can hold.
        """
        checkpoint.write_atomically(self.root / name, _json(content))

    def metadata(self, path: Path) -> dict[str, Any]:
        """What is told of a checkpoint of this run beside its arrays.

        Args:
            path: The file.

        Raises:
            ValueError: If there is no whole checkpoint, or its metadata are those of something else.
        """
        return checkpoint.read_metadata(path, _METADATA)

    def restore(self, path: Path, channels: int, classes: int) -> Trained:
        """The content of a checkpoint of this run.

        Args:
            path: The file.
            channels: Channels of the series.
            classes: Number of classes.
        """
        model = build(self.config, channels, classes)
        empty = {"mean": np.zeros(channels), "width": np.zeros(channels)}
        return checkpoint.load(path, Trained(State.start(model), empty))

    def check(self, data: Dataset) -> None:
        """Refuses what :meth:`fit` would refuse; nothing is written.

        Args:
            data: The training set.

        Raises:
            ValueError: If the data cannot be trained on, or what the folder holds cannot be taken up.
        """
        check_trainable(data, self.config)
        self.journal.read()
        if self.last.exists():
            for path in (self.last, self.best):
                self.metadata(path)
                self.restore(path, data.channels, len(data.classes))

    def fit(
        self,
        data: Dataset,
        *,
        on_epoch: Callable[[Epoch[EWSClassifier]], None] = lambda epoch: None,
        certify: Callable[[EWSClassifier, Scaling, int], dict[str, Any]] | None = None,
        certify_every: int = 1,
    ) -> EWSClassifier:
        """Trains to the end, from the last checkpoint if there is one.

        Args:
            data: The training set.
            on_epoch: Called after each epoch.
            certify: Called at checkpoints with model, scaling and epoch: what it returns goes into the
                metrics; it raises if the run must not go on.
            certify_every: Every how many checkpoints it is called.

        Returns:
            The model of the best checkpoint.

        Raises:
            ValueError: If the data cannot be trained on, or what the folder holds cannot be taken up.
            NotFinite: If a number stops being finite; what stood after the last whole epoch, or at the start
                if there is none, is kept as a checkpoint.
        """
        for part in self.root.glob(".*.part"):  # left by a kill during a save
            part.unlink()
        train, held = hold_out(data, self.config.holdout, self.config.seed)
        scaling = Scaling.of(train)
        after, lowest = 0, None
        if self.last.exists():
            metadata = self.metadata(self.last)
            after, lowest = metadata["epoch"], metadata["lowest"]
            state = self.restore(self.last, data.channels, len(data.classes)).state
            known = _cases(state.model, scaling, train, self.config)
        else:
            model = build(self.config, data.channels, len(data.classes))
            known = _cases(model, scaling, train, self.config)
            state = State.start(model.calibrated(known.increments))
        unseen = None if held is None else _cases(state.model, scaling, held, self.config)
        self.journal.keep(lambda line: line["epoch"] <= after)
        good = Epoch(after, state, {})
        try:
            for epoch in epochs(state, known, unseen, self.config, after=after):
                good = epoch
                self.journal.append({"kind": "epoch", "epoch": epoch.number, **epoch.scores})
                on_epoch(epoch)
                saved, rest = divmod(epoch.number, self.config.every)
                if rest and epoch.number < self.config.epochs:
                    continue
                if certify is not None and (rest or saved % certify_every == 0):
                    found = certify(epoch.state.model, scaling, epoch.number)
                    self.journal.append({"kind": "certificate", "epoch": epoch.number, **found})
                lowest = self._save(epoch, scaling, data, lowest)
        except NotFinite:
            if good.number > after or not self.last.exists():
                self._save(good, scaling, data, lowest)
            raise
        return self.restore(self.best, data.channels, len(data.classes)).state.model

    def _save(self, epoch: Epoch[EWSClassifier], scaling: Scaling, data: Dataset, lowest: float | None) -> float | None:
        """Writes the checkpoints of an epoch; returns the lowest loss so far, None where there is none yet."""
        value = epoch.scores.get("holdout_loss", epoch.scores.get("train_loss"))  # none at the start
        best = lowest is None or (value is not None and value <= lowest)
        lowest = value if best else lowest
        content = Trained(epoch.state, {"mean": scaling.mean, "width": scaling.width})
        metadata = {
            "epoch": epoch.number,
            "lowest": lowest,
            "scores": epoch.scores,
            "channels": data.channels,
            "classes": data.classes,
            "config": dataclasses.asdict(self.config),
        }
        # The best one first: a kill in between makes the last one, and this one after it, again.
        if best:
            checkpoint.save(self.best, content, metadata)
        checkpoint.save(self.last, content, metadata)
        return lowest


def check_trainable(data: Dataset, config: Config) -> None:
    """Refuses what cannot be trained, before there is a folder.

    Args:
        data: The training set.
        config: The choices of the run.

    Raises:
        ValueError: If a class is too small to hold cases out, or there are too many steps or features.
    """
    train, _ = hold_out(data, config.holdout, config.seed)
    plan(len(train), config)
    build(config, data.channels, len(data.classes))


def device() -> str:
    """What the computation runs on, in words."""
    (first,) = jnp.zeros(()).devices()
    return first.platform if first.platform == "cpu" else f"{first.platform} ({first.device_kind})"


def _cases(model: EWSClassifier, scaling: Scaling, data: Dataset, config: Config) -> Cases:
    return Cases(read(model, scaling, data.series, data.times, config), jnp.asarray(data.targets))


def _versions() -> dict[str, str]:
    return {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}


def _json(value: dict[str, Any]) -> bytes:
    return (json.dumps(value, indent=2, allow_nan=False) + "\n").encode()
