"""Where a training set and its test set lie: a folder of the user's, or the ``aeon`` wheel."""

import importlib.util
import os
from pathlib import Path

from ewsnn.data.dataset import Dataset
from ewsnn.data.ts import read_ts

__all__ = ["bundled_folder", "find_pair", "find_test", "read_pair"]


def bundled_folder(name: str = "JapaneseVowels") -> Path:
    """The folder of a data set that the ``aeon`` wheel carries; aeon itself is not imported, which is slow.

    Args:
        name: The data set.

    Raises:
        ValueError: If aeon is not installed or does not carry the data set.
    """
    spec = importlib.util.find_spec("aeon")
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(
            f"{name} comes inside the package aeon, which is not installed. Install the extra `data`, "
            "or name a folder of .ts files of your own with --data."
        )
    folder = Path(next(iter(spec.submodule_search_locations))) / "datasets" / "data" / name
    if not folder.is_dir():
        raise ValueError(f"The installed aeon carries no {name}: {folder} does not exist.")
    return folder


def find_pair(folder: str | os.PathLike[str]) -> tuple[Path, Path]:
    """The files ``*_TRAIN.ts`` and ``*_TEST.ts`` of a folder.

    Args:
        folder: A folder that holds one such pair, or among others the pair of its own name.

    Raises:
        ValueError: If there is no such folder, or not one pair in it.
    """
    train = _only(folder, "_TRAIN.ts")
    test = train.with_name(train.name.removesuffix("_TRAIN.ts") + "_TEST.ts")
    if not test.is_file():
        raise ValueError(f"{folder}: {train.name} has no {test.name} beside it.")
    return train, test


def find_test(folder: str | os.PathLike[str]) -> Path:
    """The file ``*_TEST.ts`` of a folder; a training set need not lie beside it.

    Args:
        folder: A folder that holds one such file, or among others the one of its own name.

    Raises:
        ValueError: If there is no such folder, or not one such file in it.
    """
    return _only(folder, "_TEST.ts")


def _only(folder: str | os.PathLike[str], ending: str) -> Path:
    """The one file of a folder with this ending; among several, the one of the folder's own name."""
    place = Path(folder)
    if place.is_file():
        raise ValueError(f"{place} is a file; wanted the folder that holds *{ending}.")
    if not place.is_dir():
        raise ValueError(f"{place}: no such folder. Wanted one that holds *{ending}.")
    files = sorted(place.glob(f"*{ending}"))
    own = place / f"{place.absolute().name}{ending}"
    files = [own] if own in files else files
    if len(files) != 1:
        found = ", ".join(file.name for file in files) or "none"
        raise ValueError(f"{place}: wanted one file *{ending}, found {found}.")
    return files[0]


def read_pair(folder: str | os.PathLike[str]) -> tuple[Dataset, Dataset]:
    """The training and the test set of a folder, with labels that count in the training set's classes.

    Args:
        folder: A folder that holds one pair of files ``*_TRAIN.ts`` and ``*_TEST.ts``.

    Raises:
        ValueError: If a file cannot be used, a value is missing, the channels differ, or the test set
            bears a label that the training set does not know.
    """
    files = find_pair(folder)
    train, test = (read_ts(file).complete(file) for file in files)
    for file, data in zip(files, (train, test), strict=True):
        if data.labels is None:
            raise ValueError(f"{file}: wanted class labels (@classLabel true with names), found none.")
    if test.channels != train.channels:
        raise ValueError(f"{files[1]}: {test.channels} channels, where {files[0].name} has {train.channels}.")
    if (test.times is None) != (train.times is None):
        raise ValueError(f"{files[0].name} and {files[1].name}: one has time stamps, the other has none.")
    return train, test.relabelled(train.classes, files[1])
