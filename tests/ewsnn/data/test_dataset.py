"""Data sets, pairs of files, padding and scaling."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ewsnn.data.pairs
from ewsnn.data import Dataset, Scaling, batches, bundled_folder, find_pair, hold_out, pad, read_pair, read_ts

EPS = np.finfo(np.float64).eps


def toy(**changes: object) -> Dataset:
    parts: dict[str, object] = {
        "name": "toy",
        "series": (np.arange(6.0).reshape(3, 2), np.ones((1, 2))),
        "classes": ("b", "a"),
        "labels": np.array([1, 0]),
    }
    return Dataset(**(parts | changes))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"series": ()}, "no series"),
        ({"series": (np.ones((3, 2)), np.ones(3))}, r"case 2: shape \(3,\).*x\[:, None\]"),
        ({"series": (np.ones((3, 2)), np.ones((3, 1)))}, "case 2: 1 channels, where case 1 has 2"),
        ({"series": (np.ones((3, 2)), np.ones((0, 2)))}, "case 2: .* nothing observed"),
        ({"labels": np.array([0])}, r"labels of shape \(1,\) for 2 series"),
        ({"labels": np.array([0, 2])}, "labels from 0 to 2 for 2 classes"),
        ({"times": (np.arange(3.0),)}, "every observation needs one time stamp"),
        ({"times": (np.array([0.0, 2.0, 1.0]), np.zeros(1))}, "case 1: time stamp 1.0 at observation 3"),
        ({"times": (np.array([0.0, np.nan, 1.0]), np.zeros(1))}, "case 1: time stamp nan at observation 2"),
        ({"times": (np.array([0.0, 1.0, np.inf]), np.zeros(1))}, "case 1: time stamp inf at observation 3"),
        ({"times": (np.arange(3.0), np.array([np.nan]))}, "case 2: time stamp nan at observation 1"),
    ],
)
def test_parts_that_do_not_fit_are_refused(changes: dict[str, object], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        toy(**changes)


def test_a_data_set_cannot_be_changed() -> None:
    mine = np.zeros((2, 1))
    data = Dataset("d", (mine,))
    mine[0] = 7
    assert data.series[0].tolist() == [[0], [0]]
    with pytest.raises(ValueError, match="read-only"):
        data.series[0][0] = 1


def test_relabelling_counts_in_the_other_list_and_refuses_strangers() -> None:
    moved = toy().relabelled(("a", "c", "b"))
    assert moved.labels is not None
    assert moved.labels.tolist() == [0, 2]
    with pytest.raises(ValueError, match=r"case 1: unknown label 'a'\. Known are b, c"):
        toy().relabelled(("b", "c"))


def test_a_subset_keeps_cases_with_their_labels() -> None:
    part = toy().subset([1])
    assert part.labels is not None
    assert part.labels.tolist() == [0]
    assert part.series[0].tolist() == [[1, 1]]


def test_fingerprints_tell_data_apart() -> None:
    others = [
        toy(labels=np.array([0, 1])),
        toy(series=(np.ones((1, 2)), np.arange(6.0).reshape(3, 2))),
        toy(classes=("a", "b")),
        toy(times=(np.arange(3.0), np.zeros(1))),
        toy(series=(np.arange(2.0).reshape(1, 2), np.array([[2.0, 3], [4, 5], [1, 1]]))),  # the same numbers in a row
    ]
    prints = {data.fingerprint() for data in (toy(), *others)}
    assert len(prints) == 6
    assert toy().fingerprint() == toy(name="other").fingerprint()


def test_padding_repeats_the_last_observation() -> None:
    values, lengths = pad([np.array([[1.0, 2.0]]), np.array([[3.0, 4.0], [5.0, 6.0]])])
    assert values.tolist() == [[[1, 2], [1, 2]], [[3, 4], [5, 6]]]
    assert lengths.tolist() == [1, 2]


@given(st.integers(1, 100), st.integers(1, 40))
def test_batches_hold_each_case_once_in_order(cases: int, size: int) -> None:
    parts = list(batches(cases, size))
    assert all(len(places) == size for places, _ in parts)
    assert np.concatenate([places[:count] for places, count in parts]).tolist() == list(range(cases))


def test_scaling_uses_observations_and_spares_constant_channels() -> None:
    data = toy(series=(np.array([[0.0, 0.1], [4.0, 0.1]]), np.array([[2.0, 0.1]])))
    scaling = Scaling.of(data)
    # 0, 4, 2: mean 2, variance 8/3. Bound: one rounding of the square root.
    assert scaling.mean[0] == 2
    assert abs(scaling.width[0] - np.sqrt(8 / 3)) <= EPS * 2
    assert scaling.width[1] == 1
    assert np.abs(scaling(data.series[0])[:, 1]).max() <= EPS


def test_scaling_refuses_other_channels_and_missing_values() -> None:
    scaling = Scaling.of(toy())
    with pytest.raises(ValueError, match=r"shape \(4, 3\), where \(observations, 2\) is wanted"):
        scaling(np.ones((4, 3)))
    with pytest.raises(ValueError, match="case 2, channel 1"):
        Scaling.of(toy(series=(np.ones((1, 2)), np.array([[np.nan, 0.0]]))))


@pytest.mark.parametrize("size", [1e308, 1e-200, 5e-324])
def test_scaling_works_at_the_ends_of_the_range(size: float) -> None:
    wild = size * np.array([1.0, -1.0, 1.0])
    data = Dataset("d", (np.stack([wild, np.arange(3.0)], axis=1),))
    scaled = Scaling.of(data)(data.series[0])
    # 1, -1, 1 of mean 1/3 and variance 8/9; 0, 1, 2 of mean 1 and variance 2/3.
    expected = np.array([[2, -4, 2] / np.sqrt(8), np.array([-1, 0, 1]) / np.sqrt(2 / 3)]).T
    # The smallest number of all has no third of its own: its mean is 0, and its width 1.
    bound = 0.5 if size == 5e-324 else 8 * EPS
    assert np.abs(scaled - expected).max() <= bound


def test_scaling_keeps_the_digits_of_the_plain_formula() -> None:
    x = 100 + np.random.default_rng(0).normal(size=(50, 3)) * [1e-3, 1.0, 1e5]
    mean = x.mean(axis=0)
    plain = (x - mean) / (x - mean).std(axis=0)
    assert (Scaling.of(Dataset("d", (x,)))(x) == plain).all()


@pytest.mark.parametrize("ends", [(-1.0, 1.0), (0.0, 3.0)])
def test_scaling_to_a_range_takes_its_ends_from_the_training_set(ends: tuple[float, float]) -> None:
    low, high = ends
    train = toy(series=(np.array([[2.0, 0.1], [-6.0, 0.1]]), np.array([[0.0, 0.1]])))
    scaling = Scaling.to_range(train, low, high)
    found = np.concatenate(scaling.all(train.series))
    # An end is reached up to the rounding of the centre, of size up to |low| + |high|.
    bound = 4 * EPS * (abs(low) + abs(high))
    assert np.abs(found[:, 0] - [high, low, low + 0.75 * (high - low)]).max() <= bound
    assert np.abs(found[:, 1] - (low + high) / 2).max() <= bound
    # Beyond the training set the same map goes on, whatever stands beside.
    assert abs(scaling(np.array([[10.0, 0.1]]))[0, 0] - (low + 2 * (high - low))) <= 4 * bound


def test_scaling_to_a_range_works_at_the_ends_of_the_numbers() -> None:
    for size in (1e308, 1e-200):
        data = Dataset("d", (size * np.array([[1.0], [-1.0], [0.5]]),))
        assert np.abs(Scaling.to_range(data)(data.series[0]) - [[1], [-1], [0.5]]).max() <= 4 * EPS
    with pytest.raises(ValueError, match=r"d: the values are too large .* from 0\.0 to 0\.5"):
        Scaling.to_range(Dataset("d", (np.array([[1e308], [-1e308]]),)), 0.0, 0.5)
    with pytest.raises(ValueError, match=r"low < high, got 1\.0 and 1\.0"):
        Scaling.to_range(toy(), 1.0, 1.0)


def test_data_are_scaled_once() -> None:
    data = toy()
    scaled = Scaling.to_range(data).dataset(data)
    assert [x.tolist() for x in scaled.series] == [[[-1, -1], [0, 0], [1, 1]], [[-0.5, -1]]]
    assert (scaled.classes, scaled.targets.tolist()) == (data.classes, [1, 0])
    assert scaled.subset([1]).scaled
    for again in (Scaling.to_range(data).dataset, Scaling.of, Scaling.to_range):
        with pytest.raises(ValueError, match="toy: the series have been scaled already"):
            again(scaled)


def test_scaling_names_the_channel_of_a_value_that_overflows() -> None:
    scaling = Scaling.of(toy(series=(np.array([[0.0, 1.0], [1e-5, 2.0]]), np.ones((1, 2)) * [1e-5, 1.0])))
    with pytest.raises(ValueError, match=r"Channel 1, observation 2: the value 1e\+308 is not finite on the scale"):
        scaling(np.array([[0.0, 1.0], [1e308, 1.0]]))


@given(st.lists(st.integers(2, 9), min_size=1, max_size=4), st.floats(0, 1, exclude_max=True), st.integers(0, 5))
def test_every_class_keeps_a_case_on_both_sides(sizes: list[int], share: float, seed: int) -> None:
    labels = np.repeat(np.arange(len(sizes)), sizes)
    series = tuple(np.full((1, 1), float(case)) for case in range(len(labels)))
    train, held = hold_out(Dataset("d", series, tuple("abcd"), labels), share, seed)
    if share == 0:
        assert held is None
        return
    assert held is not None
    numbers = [x.item() for part in (train, held) for x in part.series]
    assert sorted(numbers) == list(range(len(labels)))
    for label, size in enumerate(sizes):
        assert np.sum(held.targets == label) == min(max(1, round(share * size)), size - 1)


def test_a_class_of_one_case_cannot_be_held_out() -> None:
    data = toy(series=(np.ones((1, 1)),) * 3, labels=np.array([0, 0, 1]))
    with pytest.raises(ValueError, match=r"toy: class 'a' has 1 case, .*\(holdout=0\.5\).*--holdout 0"):
        hold_out(data, 0.5, 0)


def put(folder: Path, name: str, *, header: str = "@classLabel true a b", case: str = "1,2:3,4:a") -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"{header}\n@data\n{case}\n")


def test_a_pair_is_found_and_counts_in_the_training_classes(tmp_path: Path) -> None:
    put(tmp_path, "X_TRAIN.ts")
    put(tmp_path, "X_TEST.ts", header="@classLabel true b a")
    assert [file.name for file in find_pair(tmp_path)] == ["X_TRAIN.ts", "X_TEST.ts"]
    train, test = read_pair(tmp_path)
    assert test.classes == train.classes == ("a", "b")
    assert test.labels is not None
    assert test.labels.tolist() == [0]


@pytest.mark.parametrize(
    ("test_file", "said"),
    [
        ({"header": "@classLabel true a b c", "case": "1,2:3,4:c"}, r"X_TEST\.ts, case 1: unknown label 'c'"),
        ({"case": "1,2:a"}, "1 channels, where X_TRAIN.ts has 2"),
        ({"case": "1,?:3,4:a"}, r"X_TEST\.ts: missing or infinite value \(nan\) in case 1, channel 1"),
        ({"header": "@classLabel false", "case": "1,2:3,4"}, "wanted class labels"),
        (
            {"header": "@timestamps true\n@classLabel true a b", "case": "(0,1):(0,1):a"},
            "one has time stamps",
        ),
    ],
)
def test_a_test_set_that_does_not_fit_is_refused(tmp_path: Path, test_file: dict[str, str], said: str) -> None:
    put(tmp_path, "X_TRAIN.ts")
    put(tmp_path, "X_TEST.ts", **test_file)
    with pytest.raises(ValueError, match=said):
        read_pair(tmp_path)


def test_a_folder_without_one_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such folder"):
        find_pair(tmp_path / "none")
    with pytest.raises(ValueError, match=r"wanted one file \*_TRAIN.ts, found none"):
        find_pair(tmp_path)
    put(tmp_path, "X_TRAIN.ts")
    with pytest.raises(ValueError, match=r"X_TRAIN.ts is a file; wanted the folder"):
        find_pair(tmp_path / "X_TRAIN.ts")
    with pytest.raises(ValueError, match=r"wanted a \.ts file, got a folder"):
        read_ts(tmp_path)
    with pytest.raises(ValueError, match=r"X_TRAIN.ts has no X_TEST.ts beside it"):
        find_pair(tmp_path)
    put(tmp_path, "Y_TRAIN.ts")
    with pytest.raises(ValueError, match=r"found X_TRAIN.ts, Y_TRAIN.ts"):
        find_pair(tmp_path)


def test_among_several_pairs_the_one_of_the_folders_name_is_taken(tmp_path: Path) -> None:
    for name in ("X_TRAIN.ts", "X_TEST.ts", "X_eq_TRAIN.ts"):
        put(tmp_path / "X", name)
    assert find_pair(tmp_path / "X")[0].name == "X_TRAIN.ts"


def test_a_missing_aeon_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ewsnn.data.pairs.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match="extra `data`"):
        bundled_folder()


def test_a_data_set_that_aeon_lacks_is_refused() -> None:
    pytest.importorskip("aeon", reason="aeon is not installed")
    with pytest.raises(ValueError, match="carries no Nothing"):
        bundled_folder("Nothing")
