"""A loaded model: what it says of a series depends on that series and its training, and on nothing else."""

import dataclasses
from pathlib import Path

import jax
import numpy as np
import pytest

from ewsnn.data import Dataset
from ewsnn.train.config import Config
from ewsnn.train.predictor import Predictor, load
from ewsnn.train.run import Run
from ewsnn.train.scores import accuracy, confusion

CONFIG = Config(depth=2, letters=2, epochs=3, batch=8, every=1, x64=True)
RNG = np.random.default_rng(5)
TRAIN = Dataset("toy", tuple(RNG.normal(size=(4 + k % 3, 2)) for k in range(12)), ("a", "b", "c"), np.arange(12) % 3)
SERIES = [RNG.normal(size=(1 + k % 6, 2)) for k in range(33)]
# Logits of order 1 from sums of some ten products; another batch may be padded further, which moves the
# places where the scan joins neighbours.
BOUND = 1000 * np.finfo(np.float64).eps


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    made = Run.create(tmp_path_factory.mktemp("runs") / "run", CONFIG, {})
    made.fit(TRAIN)
    return made


@pytest.fixture(scope="module")
def model(run: Run) -> Predictor:
    return load(run.root)


def test_33_series_in_batches_of_32_give_33_rows(model: Predictor) -> None:
    assert model.logits(SERIES).shape == (33, 3)
    odds = model.predict_proba(SERIES)
    assert np.abs(odds.sum(axis=1) - 1).max() <= 4 * np.finfo(np.float64).eps
    names = model.predict(SERIES)
    assert [model.classes[k] for k in odds.argmax(axis=1)] == names.tolist()


def test_a_series_is_judged_alone(model: Predictor) -> None:
    beside = model.logits(SERIES[:8])
    for k in (0, 3, 5):
        alone = model.logits([SERIES[k]])
        louder = model.logits([x if i == k else 100 * x for i, x in enumerate(SERIES[:8])])
        assert alone.shape == (1, 3)
        assert np.abs(alone[0] - beside[k]).max() <= BOUND
        assert np.abs(louder[k] - beside[k]).max() <= BOUND


def test_a_data_set_and_its_series_are_judged_alike(model: Predictor) -> None:
    data = Dataset("d", tuple(SERIES[:4]))
    assert (model.logits(data) == model.logits(SERIES[:4])).all()


def test_even_stamps_change_nothing_and_uneven_ones_do(model: Predictor) -> None:
    x = RNG.normal(size=(4, 2))
    even = model.logits(Dataset("d", (x,), times=(np.array([3.0, 5.0, 7.0, 9.0]),)))
    uneven = model.logits(Dataset("d", (x,), times=(np.array([3.0, 3.5, 7.0, 9.0]),)))
    assert np.abs(even - model.logits([x])).max() <= BOUND
    assert np.abs(uneven - even).max() > 1e-3


def test_scaling_and_classes_come_from_the_checkpoint(run: Run, model: Predictor) -> None:
    observations = np.concatenate(TRAIN.series)
    assert np.abs(model.scaling.mean - observations.mean(axis=0)).max() <= 1e-15
    assert model.classes == TRAIN.classes
    last = load(run.root, which="last")
    again = run.restore(run.last, 2, 3).state.model
    for ours, stored in zip(jax.tree.leaves(last.model), jax.tree.leaves(again), strict=True):
        assert (ours == stored).all()


def test_what_does_not_fit_is_refused(model: Predictor) -> None:
    with pytest.raises(ValueError, match=r"shape \(4, 3\), where \(observations, 2\) is wanted"):
        model.predict([np.zeros((4, 3))])
    with pytest.raises(ValueError, match=r"missing or infinite value \(nan\) in case 2, channel 1, observation 1"):
        model.predict([np.zeros((4, 2)), np.full((1, 2), np.nan)])
    with pytest.raises(ValueError, match=r"x\[:, None\]"):
        model.predict([np.zeros(4)])
    with pytest.raises(ValueError, match=r"shape \(4, 2\), wanted a list of series: wrap it in a list: \[series\]"):
        model.predict(np.zeros((4, 2)))
    for strange in (np.zeros((4, 2), complex), np.full((4, 2), "1")):
        with pytest.raises(TypeError, match=r"case 2: values of type .*\. Wanted real numbers"):
            model.predict([np.zeros((4, 2)), strange])
    with pytest.raises(ValueError, match="no series"):
        model.predict([])


def test_a_series_whose_logits_overflow_is_named(model: Predictor) -> None:
    with pytest.raises(ValueError, match=r"^Case 3: the logits are not finite in float64"):
        model.predict([*SERIES[:2], 1e200 * SERIES[2], *SERIES[3:8]])


def test_a_folder_without_a_checkpoint_is_refused(tmp_path: Path) -> None:
    run = Run.create(tmp_path / "run", CONFIG, {})
    with pytest.raises(ValueError, match=r"best\.npz: no such checkpoint"):
        load(run.root)
    with pytest.raises(ValueError, match="no such folder"):
        load(tmp_path / "none")


def test_a_float64_model_is_not_cut_to_float32(run: Run) -> None:
    jax.config.update("jax_enable_x64", False)
    try:
        with pytest.raises(ValueError, match=r"trained in float64.*jax_enable_x64"):
            load(run.root)
    finally:
        jax.config.update("jax_enable_x64", True)


def test_one_channel_one_class_and_one_observation_keep_their_axes(tmp_path: Path) -> None:
    data = Dataset("d", (np.ones((1, 1)), np.zeros((1, 1))), ("only",), np.array([0, 0]))
    run = Run.create(tmp_path / "run", dataclasses.replace(CONFIG, depth=1), {})
    run.fit(data)
    model = load(run.root)
    assert model.predict_proba([np.ones((1, 1))]).tolist() == [[1.0]]
    assert model.predict([np.ones((3, 1)), np.ones((1, 1))]).tolist() == ["only", "only"]


def test_scores_count_each_case(model: Predictor) -> None:
    predicted, labels = np.array([0, 1, 2, 2]), np.array([0, 1, 1, 2])
    assert accuracy(predicted, labels) == 0.75
    assert confusion(predicted, labels, 3).tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 1]]
    with pytest.raises(ValueError, match=r"\(3,\) predictions for \(4,\) labels"):
        accuracy(predicted[:3], labels)
