"""The command line: the whole way on small data, one clear line for each mistake, and kills survived."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

import ewsnn.cli.check
import ewsnn.cli.train
from ewsnn.cli import main
from ewsnn.cli.console import progress
from ewsnn.cli.source import described
from ewsnn.cli.train import Row
from ewsnn.cli.train import _print as print_table
from ewsnn.data import read_pair
from ewsnn.models import EWSClassifier
from ewsnn.oracle import Certificate
from ewsnn.train import Config, checkpoint
from ewsnn.train.fit import Epoch
from ewsnn.train.run import Run
from ewsnn.train.step import State

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(autouse=True)
def _keep_the_flags_of_jax() -> Iterator[None]:
    """Commands set JAX up for their own process, which here is that of the tests."""
    yield
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_device", None)


def write(file: Path, cases: int, seed: int, *, spoil: tuple[str, str] | None = None) -> None:
    """Two classes that differ in the order of up and down, of unequal lengths."""
    rng = np.random.default_rng(seed)
    lines = ["@problemName Swings", "@classLabel true up down", "@data"]
    for case in range(cases):
        half, sign = int(rng.integers(2, 4)), 1 - 2 * (case % 2)
        x = sign * np.repeat([1.0, -1.0], half) + 0.1 * rng.normal(size=2 * half)
        lines.append(",".join(f"{v:.4f}" for v in x) + (":up" if sign == 1 else ":down"))
    text = "\n".join(lines) + "\n"
    file.write_text(text.replace(*spoil, 1) if spoil else text)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("Swings")
    write(folder / "Swings_TRAIN.ts", 16, 1)
    write(folder / "Swings_TEST.ts", 9, 2)
    return folder


def call(*words: object) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    return ended.value.code


def mistake(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The one line that a mistake gives."""
    assert call(*words) not in (0, None)
    error = capsys.readouterr().err
    assert error.startswith("Error: ")
    assert error.count("\n") == 1
    return error


QUICK = ("--letters", 2, "--epochs", 8, "--batch", 8, "--rate", 0.05, "--every", 4, "--x64")


@pytest.fixture(scope="module")
def run(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("runs") / "run"
    assert call("train", "--data", data, "--out", root, "--certify", 2, *QUICK) == 0
    return root


def test_training_leaves_a_whole_run_folder(run: Path) -> None:
    assert sorted(path.name for path in run.iterdir()) == [
        "best.npz",
        "comparison.json",
        "config.json",
        "confusion_matrix.png",
        "depth_one",
        "last.npz",
        "learning_curve.png",
        "metrics.jsonl",
        "record.json",
        "results.json",
    ]
    for name in ("learning_curve.png", "confusion_matrix.png"):
        assert (run / name).read_bytes().startswith(PNG)
    lines = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines if line["kind"] == "epoch"] == list(range(1, 9))
    (certificate,) = [line for line in lines if line["kind"] == "certificate"]
    assert certificate["epoch"] == 8
    assert max(certificate["errors"]) <= certificate["bound"]
    rows = json.loads((run / "comparison.json").read_text())["rows"]
    assert [row["model"] for row in rows] == ["EWS depth 2", "EWS depth 1", "mean + logistic regression"]
    # lift 2×2, damping, frequency; 2 classes × (1 + 2 + 4 features) + 2, or × (1 + 2) + 2; weight and bias
    assert [row["parameters"] for row in rows] == [6 + 16, 6 + 8, 2]
    assert rows[0]["accuracies"] == [1.0]
    results = json.loads((run / "results.json").read_text())
    assert results["confusion"] == [[5, 0], [0, 4]]
    record = json.loads((run / "record.json").read_text())
    assert "--letters 2 --epochs 8 --batch 8 --rate 0.05" in record["command"]
    assert "--certify 2" in record["command"]
    assert record["device"] == "cpu"
    assert record["data"]["train_cases"] == 16


def test_evaluate_needs_no_training_set(
    run: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "wanted one file *_TEST.ts, found none" in mistake(capsys, "evaluate", run, tmp_path)
    shutil.copy(data / "Swings_TEST.ts", tmp_path)
    assert call("evaluate", run, tmp_path) == 0
    assert " of 9)" in capsys.readouterr().out


def test_evaluate_and_predict_agree(run: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("evaluate", run, data) == 0
    assert "Accuracy on Swings: 100.00 % (9 of 9)" in capsys.readouterr().out
    assert call("predict", run, data / "Swings_TEST.ts", "--out", tmp_path / "table.csv") == 0
    header, *rows = (tmp_path / "table.csv").read_text().splitlines()
    assert header == "case,predicted,p(up),p(down)"
    assert [row.split(",")[:2] for row in rows] == [[str(k + 1), ("up", "down")[k % 2]] for k in range(9)]
    for row in rows:
        assert abs(sum(map(float, row.split(",")[2:])) - 1) <= 2e-6  # printed with six places
    capsys.readouterr()
    assert call("predict", run, data / "Swings_TEST.ts") == 0
    assert capsys.readouterr().out == (tmp_path / "table.csv").read_text()
    # With one label of five turned into the other, one case of that other class is missed.
    (tmp_path / "turned.ts").write_text((data / "Swings_TEST.ts").read_text().replace(":up", ":down", 1))
    assert call("evaluate", run, tmp_path / "turned.ts") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == ["Accuracy on Swings: 88.89 % (8 of 9)", "  up: 4 of 4", "  down: 4 of 5"]


def test_several_seeds_are_runs_of_their_own_in_one_table(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("--depth", 1, "--seed", 3, "--seeds", 2, *QUICK)
    assert call("train", "--data", data, "--out", tmp_path / "run", *words) == 0
    assert [path.name for path in (tmp_path / "run").iterdir() if path.is_dir()] == ["seed_4"]
    roots = [tmp_path / "run", tmp_path / "run" / "seed_4"]
    assert [Config.load(root / "config.json").seed for root in roots] == [3, 4]
    each = [json.loads((root / "results.json").read_text())["accuracies"][0] for root in roots]
    rows = json.loads((tmp_path / "run" / "comparison.json").read_text())["rows"]
    assert [row["model"] for row in rows] == ["EWS depth 1", "mean + logistic regression"]
    assert rows[0]["accuracies"] == each
    out = capsys.readouterr().out
    assert "mean and standard deviation of 2 seeds" in out
    record = json.loads((tmp_path / "run" / "record.json").read_text())
    assert record["seeds"] == 2
    assert "--seeds 2 --seed 3" in record["command"]
    print_table([Row("EWS", (0.5, 1.0), 3, 1.0)])
    assert "75.00 % ± 35.36" in capsys.readouterr().out  # 50/√2


def test_progress_is_ten_lines_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    scores = {"train_loss": 0.5, "train_accuracy": 0.25}
    state = State.start(EWSClassifier.init(jax.random.key(0), d=1, m=2, classes=2, depth=1))
    with progress("Toy", 31) as on_epoch:
        for number in range(1, 32):
            on_epoch(Epoch(number, state, scores | ({"holdout_accuracy": 1.0} if number == 31 else {})))
    title, *lines, last = capsys.readouterr().out.splitlines()
    assert title == "Toy: 31 epochs (the first compiles)"
    assert lines == [f"  epoch {n}/31: loss 0.5000, accuracy 0.250" for n in range(3, 31, 3)]
    assert last == "  epoch 31/31: loss 0.5000, accuracy 0.250, held out 1.000"


def test_check_prints_certified_errors_by_level(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("check", run, "--series", 2) == 0
    out = capsys.readouterr().out
    assert out.count("within the bound") == 2
    assert "Largest errors over 2 series" in out
    assert "float64" in out
    assert "'--seconds': wanted a number, found nan" in mistake(capsys, "check", run, "--seconds", "nan")
    assert call("check", run, "--series", 2, "--seconds", 0) == 0
    assert "0 seconds have passed: 1 of 2 series were certified" in capsys.readouterr().out


def wrong(*arguments: Any) -> Certificate:
    return Certificate(
        errors=(1e-3, 1.0), terminal=(1e-3, 1.0), bound=1e-9, steps=4, letters=2, dtype="float64", prec=128, seconds=0.0
    )


def test_check_fails_on_an_error_over_the_bound(
    run: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ewsnn.cli.check, "certify", wrong)
    assert "over the bound" in mistake(capsys, "check", run, "--series", 1)


def test_training_stops_when_a_certificate_is_over_the_bound(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ewsnn.cli.train, "certify_case", wrong)
    text = mistake(capsys, "train", "--data", data, "--out", tmp_path / "run", "--depth", 1, "--certify", 1, *QUICK)
    assert "Stopped at epoch 4: on test series" in text
    assert "certified error 1.0e+00 is over the bound 1.0e-09" in text
    assert not (tmp_path / "run" / "last.npz").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--colour", "red"], "No such option '--colour'"),
        (["--depth", "0"], "depth=0. Wanted a whole number of at least 1"),
        (["--depth", "2.5"], "'2.5' is not a valid integer"),
        (["--letters", "5"], "letters=5. Wanted an even number"),
        (["--rate", "nan"], "rate=nan. Wanted a positive number"),
        (["--device", "tpu"], "'tpu' is not one of 'auto', 'cpu', 'gpu'"),
        (["--data", "no\nwhere"], "no where: no such folder"),
        (["--data", "nowhere"], "nowhere: no such folder"),
        (["--resume"], "no such folder"),
        (["--resume", "--depth", "3"], "--depth cannot be given with --resume"),
        (["--seeds", "0"], "0 is not in the range"),
        (["--depth", "9"], "features"),
        (["--epochs", 20 * "9"], "lower --epochs, or enlarge --batch"),
        (["--out", ""], "'--out': wanted the name of a file or folder, found nothing"),
        (["--data", ""], "'--data': wanted the name of a file or folder, found nothing"),
        (["--out", "a\0b"], "'--out': wanted the name of a file or folder, found one with a null character"),
    ],
)
def test_a_wrong_option_is_one_line_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert said in mistake(capsys, "train", "--out", tmp_path / "run", *words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        ((":up", ":sideways"), "Swings_TEST.ts, line 4, case 1: wanted a class name"),
        (("@classLabel true up down", "@classLabel true up down left\n#"), None),
        (
            ("@data", "@missing true\n@data\n?,1.0:up"),
            "Swings_TEST.ts: missing or infinite value (nan) in case 1, channel 1",
        ),
        (("@data", "@equalLength true\n@data"), "observations, as the header says, found"),
        (("@problemName Swings", "<html>"), "wanted a header line"),
        ((":", ":1,1,1,1:"), "wanted channels of one length"),
    ],
)
def test_a_bad_file_is_one_line_and_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: tuple[str, str], said: str | None
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    write(folder / "Swings_TRAIN.ts", 4, 1)
    write(folder / "Swings_TEST.ts", 4, 2, spoil=spoil)
    if said is None:  # a class that no test case bears does no harm
        ewsnn.cli.train.load_pair(folder)
        return
    assert said in mistake(capsys, "train", "--data", folder, "--out", tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_one_class_or_a_file_for_a_folder_is_refused_before_any_work(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("TRAIN", "TEST"):
        (tmp_path / f"Same_{part}.ts").write_text("@classLabel true up down\n@data\n1,2:up\n3,4:up\n")
    said = "Same_TRAIN.ts: wanted cases of at least two classes, found only 'up'"
    assert said in mistake(capsys, "train", "--data", tmp_path, "--out", tmp_path / "run")
    file = data / "Swings_TRAIN.ts"
    assert "is a file; wanted the folder" in mistake(capsys, "train", "--data", file, "--out", tmp_path / "run")
    assert "is a file; wanted a folder" in mistake(capsys, "train", "--data", data, "--out", file / "x")
    assert "Wanted a whole number of at least 0" in mistake(
        capsys, "train", "--data", data, "--out", tmp_path / "run", "--seed", 2**32 - 1, "--seeds", 2
    )
    assert not (tmp_path / "run").exists()


def test_a_record_that_lacks_its_keys_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Config().save(tmp_path / "config.json")
    data = '{"folder": 5, "train_sha256": "a", "test_sha256": "b"}'
    for text, said in (
        ("{}", "record.json: its key 'data' is missing"),
        ('{"data": 5}', "record.json, key 'data': wanted an object, found 5"),
        ('{"data": {}}', "record.json, 'data': its key 'folder' is missing"),
        (f'{{"data": {data}}}', "record.json, 'data', key 'folder': wanted text, or null, found 5"),
    ):
        (tmp_path / "record.json").write_text(text)
        assert said in mistake(capsys, "check", tmp_path)


@pytest.mark.parametrize("resumed", [False, True])
def test_a_class_too_small_to_hold_out_is_named_before_any_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], resumed: bool
) -> None:
    for part in ("TRAIN", "TEST"):
        (tmp_path / f"Rare_{part}.ts").write_text("@classLabel true up down\n@data\n1,2:up\n3,4:up\n5,6:down\n")
    words = ["--data", tmp_path, "--holdout", 0.2]
    if resumed:
        pair = read_pair(tmp_path)
        record = {"data": described(tmp_path, *pair), "seeds": 1, "certify": None}
        Run.create(tmp_path / "run", Config(holdout=0.2), record)
        words = ["--resume"]
    error = mistake(capsys, "train", "--out", tmp_path / "run", *words)
    assert "class 'down' has 1 case, too few to hold one out" in error
    assert "--holdout 0" in error
    found = sorted(path.name for path in (tmp_path / "run").iterdir()) if resumed else list(tmp_path.glob("[!R]*"))
    assert found == (["config.json", "record.json"] if resumed else [])


def spoil_metadata(file: Path, changes: dict[str, Any]) -> None:
    """The same checkpoint with other metadata; None drops a key."""
    with np.load(file, allow_pickle=False) as arrays:
        held = dict(arrays)
    metadata = json.loads(str(held.pop("__metadata__"))) | changes
    metadata = {key: value for key, value in metadata.items() if value is not None}
    np.savez(file, allow_pickle=False, **held, __metadata__=np.array(json.dumps(metadata)))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"channels": None}, "its key 'channels' is missing"),
        ({"classes": None}, "its key 'classes' is missing"),
        ({"classes": 3}, "key 'classes': wanted a list of distinct names, found 3"),
        ({"channels": "x"}, "key 'channels': wanted a whole number of at least 1, found \"x\""),
        ({"channels": -1}, "key 'channels': wanted a whole number of at least 1, found -1"),
    ],
)
def test_metadata_of_another_kind_are_named(
    run: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, Any], said: str
) -> None:
    copy = shutil.copytree(run, tmp_path / "run")
    spoil_metadata(copy / "best.npz", changes)
    assert f"best.npz, metadata{'' if None in changes.values() else ','}" in (
        error := mistake(capsys, "predict", copy, data / "Swings_TEST.ts")
    )
    assert said in error


def spoil_json(file: Path, changes: dict[str, Any]) -> None:
    file.write_text(json.dumps(json.loads(file.read_text()) | changes))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda run: spoil_metadata(run / "last.npz", {"epoch": None}), "last.npz, metadata: its key 'epoch' is"),
        (lambda run: spoil_metadata(run / "best.npz", {"lowest": "x"}), "best.npz, metadata, key 'lowest': wanted a"),
        (lambda run: (run / "best.npz").unlink(), "best.npz: no such checkpoint"),
        (lambda run: spoil_json(run / "record.json", {"seeds": "x"}), "record.json, key 'seeds': wanted a whole"),
        (lambda run: spoil_json(run / "record.json", {"seeds": 2**32 + 1}), "seed=4294967296"),
        (lambda run: spoil_json(run / "record.json", {"certify": 0}), "record.json, key 'certify': wanted a whole"),
        (lambda run: spoil_json(run / "depth_one" / "config.json", {"rate": 1.0}), "another configuration than that"),
        (
            lambda run: (run / "depth_one" / "metrics.jsonl").write_text("garbage\n{}\n"),
            "depth_one/metrics.jsonl, line 1: no JSON",
        ),
        (lambda run: (run / "metrics.jsonl").write_text('{"kind": "epoch"}\n'), "run/metrics.jsonl, line 1: its key"),
    ],
)
def test_a_refused_resumption_changes_nothing(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: Any, said: str
) -> None:
    copy = shutil.copytree(run, tmp_path / "run")
    spoil(copy)
    before = {path: path.stat().st_mtime_ns for path in copy.rglob("*")}
    assert said in mistake(capsys, "train", "--out", copy, "--resume")
    assert {path: path.stat().st_mtime_ns for path in copy.rglob("*")} == before


def test_a_run_at_its_end_is_resumed_to_the_same_table(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = shutil.copytree(run, tmp_path / "run")
    (copy / "results.json").unlink()
    assert call("train", "--out", copy, "--resume") == 0
    assert "Device: cpu, float64" in capsys.readouterr().out
    assert (copy / "results.json").read_bytes() == (run / "results.json").read_bytes()
    old, new = (json.loads((root / "comparison.json").read_text())["rows"] for root in (run, copy))
    for rows in (old, new):
        del rows[-1]["seconds"]  # that of the baseline, which is fitted again
    assert new == old


def test_a_gpu_that_is_not_there_is_said(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if any(device.platform == "gpu" for device in jax.devices()):
        pytest.skip("there is a GPU")
    text = mistake(capsys, "train", "--data", data, "--out", tmp_path / "run", "--device", "gpu")
    assert "--device gpu: JAX finds none" in text
    assert not (tmp_path / "run").exists()


def test_a_run_folder_that_exists_is_not_touched(run: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.stat().st_mtime_ns for path in run.rglob("*")}
    assert "exists. Choose another folder by --out" in mistake(capsys, "train", "--data", data, "--out", run)
    assert {path: path.stat().st_mtime_ns for path in run.rglob("*")} == before


def test_mistakes_with_a_trained_model_are_one_line(
    run: Path, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    test = data / "Swings_TEST.ts"
    assert "no such folder" in mistake(capsys, "evaluate", tmp_path / "none", test)
    assert "Is this the folder of a run?" in mistake(capsys, "evaluate", tmp_path, test)
    assert "No such file or directory" in mistake(capsys, "evaluate", run, tmp_path / "none.ts")
    assert "its folder does not exist" in mistake(capsys, "predict", run, test, "--out", tmp_path / "no" / "t.csv")
    strange = tmp_path / "strange.ts"
    strange.write_text("@classLabel true left\n@data\n1,2:left\n")
    assert "strange.ts, case 1: unknown label 'left'. Known are up, down" in mistake(capsys, "evaluate", run, strange)
    strange.write_text("@classLabel false\n@data\n1,2\n")
    assert "wanted class labels" in mistake(capsys, "evaluate", run, strange)
    strange.write_text("@classLabel false\n@data\n1,2:3,4\n")
    assert "strange.ts: series of 2 channels; the model was trained on 1" in mistake(capsys, "predict", run, strange)
    strange.write_text("@classLabel true up\n@data\n1,2:3,4:up\n")
    assert "strange.ts: series of 2 channels; the model was trained on 1" in mistake(capsys, "evaluate", run, strange)
    strange.write_text("@classLabel true up\n@data\n1,?:up\n")
    said = "strange.ts: missing or infinite value (nan) in case 1, channel 1, observation 2"
    assert said in mistake(capsys, "predict", run, strange)
    assert said in mistake(capsys, "evaluate", run, strange)
    assert "wanted a .ts file, got a folder" in mistake(capsys, "predict", run, data)
    assert "is a folder; wanted the name of a file" in mistake(capsys, "predict", run, test, "--out", tmp_path)
    (tmp_path / "run").mkdir()
    for name in ("config.json", "record.json"):
        (tmp_path / "run" / name).write_bytes((run / name).read_bytes())
    (tmp_path / "run" / "best.npz").write_bytes((run / "best.npz").read_bytes()[:-10])
    assert "no whole checkpoint" in mistake(capsys, "predict", tmp_path / "run", test)


@pytest.mark.parametrize(("part", "seeds"), [("training", (4, 2)), ("test", (1, 3))])
def test_changed_data_are_not_taken_for_the_run_s_own(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], part: str, seeds: tuple[int, int]
) -> None:
    record = json.loads((run / "record.json").read_text())
    write(tmp_path / "Swings_TRAIN.ts", 16, seeds[0])
    write(tmp_path / "Swings_TEST.ts", 9, seeds[1])
    record["data"]["folder"] = str(tmp_path)
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "config.json").write_bytes((run / "config.json").read_bytes())
    (tmp_path / "run" / "record.json").write_text(json.dumps(record))
    assert f"the {part} set is not the one" in mistake(capsys, "check", tmp_path / "run")


def test_help_is_quick_and_names_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--help") == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("train", "evaluate", "predict", "check"))
    assert call() == 2
    assert capsys.readouterr() == ("", out)


@pytest.mark.parametrize("words", [["--traceback"], []])
def test_a_traceback_is_shown_on_demand_only(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError if words else SystemExit):
        main([*words, "evaluate", "nowhere", "nothing.ts"])
    assert ("nowhere: no such folder" in capsys.readouterr().err) == (not words)


def test_an_interruption_says_how_to_go_on(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(folder: Path | None) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ewsnn.cli.train, "load_pair", interrupt)
    assert call("train", "--data", data, "--out", tmp_path / "run") == 130
    assert capsys.readouterr().err.endswith("ewsnn train --out RUN --resume\n")


# Kills itself while a checkpoint is half way: its content is written under another name, but not yet in place.
DIES_DURING_A_SAVE = """
import os, signal, sys
from ewsnn.train import checkpoint
replace, saves = os.replace, []
def die(source, target):
    if str(target).endswith("last.npz"):
        saves.append(target)
        if len(saves) == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    replace(source, target)
checkpoint.os.replace = die
from ewsnn.cli import main
main(sys.argv[1:])
"""


def start(words: list[str], cache: Path, program: list[str] | None = None) -> subprocess.Popen[bytes]:
    """The command in a process of its own; what one compiles the next one finds."""
    surroundings = os.environ | {
        "JAX_COMPILATION_CACHE_DIR": str(cache),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    }
    command = [sys.executable, *(program or ["-m", "ewsnn"]), *words]
    return subprocess.Popen(command, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def content(file: Path) -> dict[str, bytes]:
    with np.load(file, allow_pickle=False) as arrays:
        return {name: arrays[name].tobytes() for name in arrays.files if name != "__metadata__"}


def test_a_killed_run_resumes_to_the_same_bits(data: Path, tmp_path: Path) -> None:
    """Killed twice: at any moment between two epochs, and during a save."""
    cache = tmp_path / "cache"
    words = ["train", "--data", str(data), "--depth", "1", "--letters", "2", "--epochs", "200"]
    words += ["--batch", "8", "--every", "10", "--rate", "0.01"]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert start([*words, "--out", str(whole)], cache).wait(timeout=200) == 0

    process = start([*words, "--out", str(broken)], cache)
    journal, deadline = broken / "metrics.jsonl", time.monotonic() + 200
    while not journal.exists() or len(journal.read_bytes().splitlines()) < 37:
        assert time.monotonic() < deadline, "the run does not get on"
        assert process.poll() is None, "the run ended before it was killed"
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    assert process.wait(timeout=60) == -signal.SIGKILL
    resume = ["train", "--out", str(broken), "--resume"]
    during = start(resume, cache, program=["-c", DIES_DURING_A_SAVE])
    assert during.wait(timeout=200) == -signal.SIGKILL
    assert list(broken.glob(".last.npz.*.part")), "it was not killed during a save"
    assert start(resume, cache).wait(timeout=200) == 0

    for name in ("last.npz", "best.npz"):
        assert content(broken / name) == content(whole / name)
    assert list(broken.glob(".*")) == []
    epochs = [json.loads(line) for line in (broken / "metrics.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in epochs] == list(range(1, 201))
    expected = [json.loads(line) for line in (whole / "metrics.jsonl").read_text().splitlines()]
    for line in epochs + expected:
        del line["seconds"]
    assert epochs == expected
    results = [json.loads((root / "results.json").read_text())["confusion"] for root in (whole, broken)]
    assert results[0] == results[1]
    assert checkpoint.read_metadata(broken / "last.npz")["epoch"] == 200
