"""Training end to end on small data: it learns, repeats, stops at what is not finite, and is traced once."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

import ewsnn.train.fit
import ewsnn.train.run
import ewsnn.train.step
from ewsnn.baselines import MeanLogistic
from ewsnn.data import Dataset, Scaling, bundled_folder, hold_out, read_pair
from ewsnn.train import checkpoint
from ewsnn.train.architecture import build, read
from ewsnn.train.config import Config
from ewsnn.train.document import OBJECT
from ewsnn.train.fit import Cases, Epoch, NotFinite, epochs, plan
from ewsnn.train.predictor import load
from ewsnn.train.run import Run
from ewsnn.train.scores import accuracy
from ewsnn.train.step import Batch, Rates, Report, State, schedule


def swings(cases: int, seed: int, *, name: str = "swings") -> Dataset:
    """Two classes with the same mean over time: up before down, and down before up; lengths 4 to 7."""
    rng = np.random.default_rng(seed)
    labels = np.arange(cases) % 2
    series = []
    for label in labels:
        half = int(rng.integers(2, 4))
        x = np.concatenate([np.ones(half), np.zeros(int(rng.integers(0, 2))), -np.ones(half)])
        series.append(((1 - 2 * label) * x + 0.1 * rng.normal(size=len(x)))[:, None])
    return Dataset(name, tuple(series), ("up", "down"), labels)


CONFIG = Config(depth=1, letters=2, epochs=12, batch=8, rate=0.05, dropout=0.0, every=3, x64=True)


def started(data: Dataset, config: Config) -> tuple[State, Cases]:
    model = build(config, data.channels, len(data.classes))
    cases = Cases(read(model, Scaling.of(data), data.series, data.times, config), jnp.asarray(data.targets))
    return State.start(model.calibrated(cases.increments)), cases


def arrays(tree: Any) -> list[bytes]:
    return [np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(tree) if eqx.is_array(leaf)]


def content(path: Path) -> dict[str, bytes]:
    """The arrays of a checkpoint, and of its metadata all but wall time."""
    with np.load(path, allow_pickle=False) as file:
        found = {name: file[name].tobytes() for name in file.files if name != "__metadata__"}
    metadata = checkpoint.read_metadata(path)
    del metadata["scores"]["seconds"]
    return found | {"metadata": repr(metadata).encode()}


def journal(run: Run) -> list[dict[str, Any]]:
    return [{k: v for k, v in line.items() if k != "seconds"} for line in run.journal.read()]


def test_depth_two_learns_an_order_that_the_mean_does_not_show(tmp_path: Path) -> None:
    train, test = swings(40, 1), swings(30, 2)
    run = Run.create(tmp_path / "run", dataclasses.replace(CONFIG, depth=2), {})
    run.fit(train)
    model = load(run.root)
    assert accuracy(model.predict_labels(test), test.targets) == 1
    baseline = MeanLogistic(train)
    assert accuracy(baseline.predict(test), test.targets) <= 0.7  # a coin's odds, up to three deviations
    assert baseline.parameters == 2  # one weight and one bias for two classes
    losses = [line["train_loss"] for line in journal(run)]
    assert losses[-1] < 0.7 * losses[0]


def test_the_same_seed_repeats_bit_for_bit_and_another_one_does_not() -> None:
    data = swings(20, 1)

    def last(config: Config) -> list[bytes]:
        state, cases = started(data, config)
        *_, epoch = epochs(state, cases, None, config)
        return arrays(epoch.state)

    assert last(CONFIG) == last(CONFIG)
    assert last(CONFIG) != last(dataclasses.replace(CONFIG, seed=1))


def test_the_order_of_an_epoch_does_not_depend_on_where_a_run_is_taken_up() -> None:
    state, cases = started(swings(20, 1), CONFIG)
    whole = list(epochs(state, cases, None, CONFIG))
    for after in (1, 7):
        *_, end = epochs(whole[after - 1].state, cases, None, CONFIG, after=after)
        assert arrays(end.state) == arrays(whole[-1].state)
        assert end.number == 12
    assert list(epochs(whole[-1].state, cases, None, CONFIG, after=12)) == []


def test_a_step_is_traced_once_for_two_runs_with_a_smaller_last_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    traces = []

    def counted(*arguments: Any) -> Any:
        traces.append(1)
        return seen(*arguments)

    seen = ewsnn.train.step._seen
    monkeypatch.setattr(ewsnn.train.step, "_seen", counted)
    data = swings(7, 3)  # batches of 5 and 2 cases; no other test has their shape
    for rate in (0.05, 0.01):
        config = dataclasses.replace(CONFIG, epochs=5, batch=5, rate=rate)
        state, cases = started(data, config)
        assert len(list(epochs(state, cases, None, config))) == 5
    assert len(traces) == 1


def test_the_rate_follows_the_schedule_over_all_steps() -> None:
    state, cases = started(swings(20, 1), CONFIG)
    expected = schedule(3 * 12, CONFIG.rate, CONFIG.warmup)
    for epoch in epochs(state, cases, None, CONFIG):
        last = 3 * epoch.number - 1  # the third of the steps of an epoch: 8, 8 and 4 cases
        assert epoch.scores["rate"] == float(np.asarray(expected(last)))


def test_each_epoch_has_an_order_and_each_step_has_dropped_features_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    state, cases = started(swings(20, 1), CONFIG)
    cases = cases._replace(labels=jnp.arange(20))  # which case is which
    orders, keys = [], []

    def note(state: State, batch: Batch, rates: Rates, key: Any) -> tuple[State, Report]:
        orders.append(batch.labels.tolist())
        keys.append(tuple(jax.random.key_data(key).tolist()))
        return state, Report(jnp.zeros(()), jnp.zeros(()), jnp.ones(1, bool))

    monkeypatch.setattr(ewsnn.train.fit, "step", note)
    assert len(list(epochs(state, cases, None, dataclasses.replace(CONFIG, epochs=2)))) == 2
    first, second = orders[0] + orders[1] + orders[2][:4], orders[3] + orders[4] + orders[5][:4]
    assert sorted(first) == sorted(second) == list(range(20))
    assert first != second
    assert len(set(keys)) == len(keys) == 6


def test_every_case_counts_once_an_epoch() -> None:
    state, cases = started(swings(11, 3), CONFIG)
    weight = jnp.sin(jnp.arange(6.0)).reshape(2, 3)  # no ties: zeros would be decided by round-off
    state = eqx.tree_at(lambda s: s.model.weight, state, weight)
    config = dataclasses.replace(CONFIG, rate=1e-300)  # nothing moves: the loss is that of the start
    first = next(epochs(state, cases, None, config))
    rates = Rates(*map(jnp.asarray, (0.0, 0.0, config.smoothing, 0.0)))
    _, (total, hits) = eqx.filter_jit(ewsnn.train.step.loss)(state.model, cases.batch(np.arange(11), 11), rates)
    assert abs(first.scores["train_loss"] - total / 11) <= 20 * np.finfo(np.float64).eps
    assert first.scores["train_accuracy"] == float(hits) / 11


def test_held_out_cases_are_measured_and_choose_the_best(tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIG, holdout=0.25)
    run = Run.create(tmp_path / "run", config, {})
    data = swings(20, 1)
    # Labels without sense: what is learnt of the training set makes the held-out loss worse.
    run.fit(dataclasses.replace(data, labels=np.random.default_rng(0).permutation(data.targets)))
    lines = journal(run)
    saved = [line for line in lines if line["epoch"] % 3 == 0]
    best = min(saved, key=lambda line: line["holdout_loss"])
    assert checkpoint.read_metadata(run.best)["epoch"] == best["epoch"]
    assert best["epoch"] < 12
    assert lines[-1]["train_loss"] == min(line["train_loss"] for line in lines)


def test_a_class_too_small_to_hold_out_is_named(tmp_path: Path) -> None:
    data = swings(20, 1)
    small = Dataset("d", data.series[:3], ("up", "down"), np.array([0, 0, 1]))
    run = Run.create(tmp_path / "run", dataclasses.replace(CONFIG, holdout=0.5), {})
    for refuse in (run.check, run.fit):
        with pytest.raises(ValueError, match="class 'down' has 1 case, too few"):
            refuse(small)
    assert not run.last.exists()


def test_more_steps_than_the_schedule_counts_are_refused() -> None:
    config = dataclasses.replace(CONFIG, epochs=2**31 - 1, batch=8)
    assert plan(8, config) == (8, 1)
    assert plan(3, config) == (3, 1)
    with pytest.raises(ValueError, match=r"epochs=2147483647 of 2 steps each .*lower --epochs, or enlarge --batch"):
        plan(9, config)
    with pytest.raises(ValueError, match="epochs=2147483648 of 1 steps each"):
        plan(8, dataclasses.replace(config, epochs=2**31))


def test_a_parameter_that_is_not_finite_stops_training_by_name() -> None:
    state, cases = started(swings(20, 1), CONFIG)
    lift = state.model.layer.lift.at[0, 0].set(jnp.inf)
    broken = eqx.tree_at(lambda s: s.model.layer.lift, state, lift)
    with pytest.raises(NotFinite, match=r"step 1 \(epoch 1\): the loss is nan.*layer\.lift"):
        next(epochs(broken, cases, None, CONFIG))


def test_a_rate_that_blows_up_leaves_the_last_good_checkpoint(tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIG, rate=1e200, warmup=0.9, every=1, epochs=30)
    data = swings(20, 1)
    run = Run.create(tmp_path / "run", config, {})
    state, cases = started(data, config)
    good = [state]
    with pytest.raises(NotFinite, match=r"stopped at step \d+ \(epoch \d+\): the (loss is|gradient is not)"):
        good.extend(epoch.state for epoch in epochs(state, cases, None, config))
    with pytest.raises(NotFinite):
        run.fit(data)
    assert arrays(run.restore(run.last, 1, 2).state) == arrays(good[-1])
    assert checkpoint.read_metadata(run.last)["epoch"] == len(journal(run)) == len(good) - 1


def test_a_held_out_loss_that_overflows_stops_training_and_says_so(tmp_path: Path) -> None:
    config = dataclasses.replace(CONFIG, depth=2, holdout=0.25, epochs=4, every=1, x64=False)
    data = swings(20, 1)
    run = Run.create(tmp_path / "run", config, {})
    _, held = hold_out(data, config.holdout, config.seed)
    assert held is not None
    wild = next(case for case in range(20) if any(np.array_equal(data.series[case], x) for x in held.series))
    series = list(data.series)
    series[wild] = 1e30 * series[wild]  # finite in float32, and so is level one: level two is not
    with pytest.raises(NotFinite, match=r"after step 2 \(epoch 1\): the loss of the held-out cases is (nan|inf)"):
        run.fit(dataclasses.replace(data, series=tuple(series)))
    assert checkpoint.read_metadata(run.last)["lowest"] is None
    assert journal(run) == []


@pytest.mark.parametrize("whole", [0, 2])
def test_numbers_not_finite_before_the_first_checkpoint_leave_the_last_good_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: int
) -> None:
    run, good = Run.create(tmp_path / "run", CONFIG, {}), []

    def blow_up(state: State, *rest: Any, after: int) -> Iterator[Epoch]:
        good.append(state)
        for number in range(after + 1, whole + 1):
            good.append(eqx.tree_at(lambda s: s.model.bias, state, state.model.bias + number))
            yield Epoch(number, good[-1], {"train_loss": 1.0, "train_accuracy": 0.5, "seconds": 0.0})
        raise NotFinite("stopped")

    monkeypatch.setattr(ewsnn.train.run, "epochs", blow_up)
    for _ in range(2):  # taken up, it ends the same way
        with pytest.raises(NotFinite):
            run.fit(swings(20, 1))
        for path in (run.last, run.best):
            assert checkpoint.read_metadata(path)["epoch"] == whole
            assert checkpoint.read_metadata(path)["lowest"] == (1.0 if whole else None)
            assert arrays(run.restore(path, 1, 2).state) == arrays(good[-1])


class Stop(Exception):
    """Ends a run from inside."""


# At the rate 30 the loss grows without bound, so the best checkpoint is the one of epoch 3, before the stop.
@pytest.mark.parametrize(("stop", "rate", "best"), [(1, 0.05, 12), (4, 30.0, 3), (11, 0.05, 12)])
def test_a_run_that_was_stopped_is_taken_up_to_the_same_end(tmp_path: Path, stop: int, rate: float, best: int) -> None:
    data, config = swings(20, 1), dataclasses.replace(CONFIG, rate=rate)
    whole = Run.create(tmp_path / "whole", config, {})
    whole.fit(data)
    assert checkpoint.read_metadata(whole.best)["epoch"] == best
    broken = Run.create(tmp_path / "broken", config, {})

    def leave(epoch: Epoch) -> None:
        if epoch.number == stop:
            raise Stop

    with pytest.raises(Stop):
        broken.fit(data, on_epoch=leave)
    with broken.journal.path.open("a") as file:
        file.write('{"kind": "epoch", "epo')  # as a kill leaves it
    again = Run.open(broken.root)
    again.fit(data)
    assert journal(again) == journal(whole)
    assert [line["epoch"] for line in journal(again)] == list(range(1, 13))
    assert content(again.last) == content(whole.last)
    assert content(again.best) == content(whole.best)
    again.fit(data)  # a run at its end is left as it is
    assert content(again.last) == content(whole.last)


def test_certificates_go_into_the_metrics_at_every_kth_checkpoint(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", CONFIG, {})
    seen = []

    def certify(model: Any, scaling: Scaling, epoch: int) -> dict[str, Any]:
        seen.append(epoch)
        return {"errors": [1e-16]}

    run.fit(swings(20, 1), certify=certify, certify_every=2)
    assert seen == [6, 12]
    found = [line for line in journal(run) if line["kind"] == "certificate"]
    assert found == [{"kind": "certificate", "epoch": epoch, "errors": [1e-16]} for epoch in seen]


def test_a_run_folder_is_made_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run.create(tmp_path / "deep" / "run", CONFIG, {"data": {"name": "d"}})
    assert Run.open(run.root).config == CONFIG
    record = run.record()
    assert record["data"] == {"name": "d"}
    assert record["device"] == "cpu"
    assert record["versions"]["jax"] == jax.__version__
    with pytest.raises(ValueError, match=r"run exists\. Choose another folder"):
        Run.create(run.root, CONFIG, {})
    with pytest.raises(ValueError, match="no such folder"):
        Run.open(tmp_path / "none")
    with pytest.raises(ValueError, match="Is this the folder of a run"):
        Run.open(tmp_path)

    for text, said in (("[]", "wanted an object, found list"), ("{}", "key 'data' is missing"), ("{", "no JSON")):
        (run.root / "record.json").write_text(text)
        with pytest.raises(ValueError, match=rf"record\.json: .*{said}"):
            run.record({"data": OBJECT})
    (run.root / "record.json").unlink()
    with pytest.raises(ValueError, match=r"record\.json: no such file\. Is this the folder of a run"):
        run.record()

    stale = tmp_path / ".other.123.part"  # as a kill leaves it
    stale.mkdir()
    (stale / "config.json").touch()
    kept = tmp_path / ".another.123.part"
    kept.mkdir()

    def fail(self: Config, path: Path) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(Config, "save", fail)
    with pytest.raises(OSError, match="disk full"):
        Run.create(tmp_path / "other", CONFIG, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == [".another.123.part", "deep"]


def test_japanese_vowels_beats_95_percent_in_a_few_epochs(tmp_path: Path) -> None:
    pytest.importorskip("aeon", reason="the data set comes inside aeon")
    train, test = read_pair(bundled_folder())
    assert accuracy(MeanLogistic(train).predict(test), test.targets) == 358 / 370
    run = Run.create(tmp_path / "run", Config(epochs=12, every=12, batch=32), {})
    run.fit(train)
    assert accuracy(load(run.root).predict_labels(test), test.targets) > 0.95
