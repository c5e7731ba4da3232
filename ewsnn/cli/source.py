"""The data of a run: a folder of the user's or the bundled set, known again by their fingerprints."""

from pathlib import Path
from typing import Any

from ewsnn.data import Dataset, bundled_folder, find_pair, read_pair
from ewsnn.train.document import OBJECT, TEXT, check
from ewsnn.train.run import Run

__all__ = ["described", "load_pair", "recorded_pair", "test_set"]


def load_pair(folder: Path | None) -> tuple[Dataset, Dataset]:
    """Training and test set.

    Args:
        folder: The user's folder, or None for the bundled JapaneseVowels.

    Raises:
        ValueError: If they cannot be used, or all training cases are of one class.
    """
    place = bundled_folder() if folder is None else folder
    train, test = read_pair(place)
    found = sorted({train.classes[label] for label in train.targets})
    if len(found) < 2:
        raise ValueError(f"{find_pair(place)[0]}: wanted cases of at least two classes, found only {found[0]!r}.")
    return train, test


def described(folder: Path | None, train: Dataset, test: Dataset) -> dict[str, Any]:
    """What a run's record says of its data, as JSON can hold it.

    Args:
        folder: The user's folder, or None for the bundled set.
        train: The training set.
        test: The test set.
    """
    return {
        "name": train.name,
        "folder": None if folder is None else str(folder.absolute()),
        "train_cases": len(train),
        "test_cases": len(test),
        "train_sha256": train.fingerprint(),
        "test_sha256": test.fingerprint(),
    }


def recorded_pair(run: Run) -> tuple[Dataset, Dataset]:
    """The training and test set that a run was begun with.

    Args:
        run: The run.

    Raises:
        ValueError: If the data are gone or are not the same any more.
    """
    kinds = {"folder": TEXT.or_null(), "train_sha256": TEXT, "test_sha256": TEXT}
    known = check(f"{run.root / 'record.json'}, 'data'", run.record({"data": OBJECT})["data"], kinds)
    folder = None if known["folder"] is None else Path(known["folder"])
    train, test = load_pair(folder)
    now = described(folder, train, test)
    for part, words in (("train", "training"), ("test", "test")):
        if now[f"{part}_sha256"] != known[f"{part}_sha256"]:
            raise ValueError(
                f"{folder or 'the bundled data'}: the {words} set is not the one that {run.root} was begun with."
            )
    return train, test


def test_set(run: Run) -> Dataset:
    """The test set of a run's own data."""
    return recorded_pair(run)[1]
