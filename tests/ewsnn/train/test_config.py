"""Configurations are checked values, and the journal holds whole lines only."""

import dataclasses
import json
from pathlib import Path

import pytest

from ewsnn.train.config import Config
from ewsnn.train.journal import Journal


def test_a_configuration_comes_back_from_its_file(tmp_path: Path) -> None:
    config = Config(seed=5, rate=1.0, holdout=0.25, x64=True)
    config.save(tmp_path / "config.json")
    assert Config.load(tmp_path / "config.json") == config


@pytest.mark.parametrize(
    ("name", "value", "error", "said"),
    [
        ("depth", 0, ValueError, "depth=0. Wanted a whole number of at least 1"),
        ("depth", -1, ValueError, "depth=-1"),
        ("depth", 2.5, TypeError, "depth"),
        ("seed", -1, ValueError, "seed=-1"),
        ("seed", 2**32, ValueError, "seed=4294967296"),
        ("seed", True, TypeError, "seed=True of type bool. Wanted int"),
        ("x64", 1, TypeError, "x64"),
        ("letters", 3, ValueError, "letters=3. Wanted an even number"),
        ("letters", 10**30, ValueError, "letters=1000000000000000000000000000000. Wanted an even number"),
        ("depth", 21, ValueError, "depth=21. Wanted a whole number of at least 1, at most 20"),
        ("epochs", 0, ValueError, "epochs=0. Wanted a whole number of at least 1"),
        ("warmup", -0.1, ValueError, "warmup=-0.1. Wanted a share"),
        ("rate", 0.0, ValueError, "rate=0.0. Wanted a positive number"),
        ("rate", float("nan"), ValueError, "rate=nan"),
        ("holdout", 1.0, ValueError, "holdout=1.0. Wanted a share"),
        ("decay", -0.5, ValueError, "decay=-0.5"),
    ],
)
def test_a_choice_that_is_not_allowed_is_named(
    tmp_path: Path, name: str, value: object, error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        Config(**{name: value})  # pyright: ignore[reportArgumentType]
    file = tmp_path / "config.json"
    file.write_text(json.dumps(dataclasses.asdict(Config()) | {name: value}))
    # The kind of value that JSON gave is refused like one given by hand.
    with pytest.raises(ValueError, match=rf"(?s)config\.json: .*{said}"):
        Config.load(file)


def test_unknown_and_missing_keys_are_named(tmp_path: Path) -> None:
    file = tmp_path / "config.json"
    asdict = dataclasses.asdict(Config())
    stored = asdict | {"colour": "red"}
    del stored["depth"]
    file.write_text(json.dumps(stored))
    with pytest.raises(ValueError, match=r"unknown keys \['colour'\], missing keys \['depth'\]"):
        Config.load(file)
    for keys, said in (
        (asdict | {"colour": "red"}, r"unknown keys \['colour'\], missing keys \[\]"),
        ({k: v for k, v in asdict.items() if k != "rate"}, r"unknown keys \[\], missing keys \['rate'\]"),
    ):
        file.write_text(json.dumps(keys))
        with pytest.raises(ValueError, match=said):
            Config.load(file)
    file.write_text("[]")
    with pytest.raises(ValueError, match=r"config\.json: wanted an object, found list"):
        Config.load(file)
    file.write_text("{")
    with pytest.raises(ValueError, match="no JSON"):
        Config.load(file)
    with pytest.raises(ValueError, match="Is this the folder of a run"):
        Config.load(tmp_path / "none.json")


def test_the_journal_drops_half_lines_and_what_a_checkpoint_has_not_seen(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "metrics.jsonl")
    assert journal.read() == []
    lines = [{"kind": "certificate", "epoch": epoch} for epoch in (1, 2, 3)]
    for line in lines:
        journal.append(line)
    with journal.path.open("a") as file:
        file.write('{"epoch": 4, "lo')
    assert journal.read() == lines
    journal.keep(lambda line: line["epoch"] <= 2)
    assert journal.path.read_text() == "".join(f'{{"kind": "certificate", "epoch": {epoch}}}\n' for epoch in (1, 2))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("garbage", "no JSON"),
        ("caf\xe9", "no JSON"),
        ("[]", "wanted an object, found list"),
        ('{"epoch": 2}', "its key 'kind' is missing"),
        ('{"kind": "epoch", "epoch": "2"}', "key 'epoch': wanted a whole number of at least 0, found \"2\""),
        ('{"kind": "epoch", "epoch": 2, "seconds": 1, "train_loss": 1}', "its key 'train_accuracy' is missing"),
        (
            '{"kind": "epoch", "epoch": 2, "seconds": 1, "train_loss": 1, "train_accuracy": 1, "holdout_loss": NaN}',
            "key 'holdout_loss': wanted a finite number, found NaN",
        ),
    ],
)
def test_a_line_that_is_none_of_a_journal_is_named(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "metrics.jsonl"
    good = b'{"kind": "epoch", "epoch": 1, "seconds": 1, "train_loss": 1, "train_accuracy": 1}\n'
    file.write_bytes(good + line.encode("latin-1") + b"\n")
    with pytest.raises(ValueError, match=r"metrics\.jsonl, line 2") as caught:
        Journal(file).read()
    assert said in str(caught.value)


def test_the_journal_takes_no_numbers_that_json_lacks(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON"):
        Journal(tmp_path / "metrics.jsonl").append({"loss": float("nan")})
