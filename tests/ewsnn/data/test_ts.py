"""The strict ``.ts`` reader: what it reads, and that it refuses what others fill, cut or re-space."""

from pathlib import Path
from typing import Literal

import numpy as np
import pytest

from ewsnn.data import bundled_folder, read_ts

HEADER = "# a comment\n@problemName toy\n@timeStamps {stamps}\n@classLabel true b a\n{more}@data\n"


def write(folder: Path, cases: str, *, stamps: str = "false", more: str = "", name: str = "toy.ts") -> Path:
    file = folder / name
    file.write_text(HEADER.format(stamps=stamps, more=more) + cases, encoding="utf-8")
    return file


def refusal(file: Path, trust: Literal["header", "data"] = "header") -> str:
    with pytest.raises(ValueError, match="wanted") as caught:
        read_ts(file, trust=trust)
    text = str(caught.value)
    assert str(file) in text
    assert "\n" not in text
    return text


def test_values_labels_and_layout_are_those_of_the_file(tmp_path: Path) -> None:
    data = read_ts(write(tmp_path, "1,2,3:4,5,-6e-1:a\n7,8:.5,9.:b\n"))
    assert [x.tolist() for x in data.series] == [[[1, 4], [2, 5], [3, -0.6]], [[7, 0.5], [8, 9]]]
    assert data.classes == ("b", "a")  # the header's order
    assert data.labels is not None
    assert data.labels.tolist() == [1, 0]
    assert data.times is None
    assert data.name == "toy"


def test_stamps_are_kept_with_signs_and_exponents(tmp_path: Path) -> None:
    cases = "(0.0,1.0),(0.5,2.0),(2.0,1.0):a\n(-1e1,-3E-2), (-.5 , ?),(+4e0,7):b\n"
    data = read_ts(write(tmp_path, cases, stamps="true"))
    assert data.times is not None
    assert [t.tolist() for t in data.times] == [[0, 0.5, 2], [-10, -0.5, 4]]
    np.testing.assert_array_equal(data.series[1], [[-0.03], [np.nan], [7]])
    assert data.series[0].tolist() == [[1], [2], [1]]


def test_missing_values_are_nan_and_complete_names_the_first(tmp_path: Path) -> None:
    data = read_ts(write(tmp_path, "1,2:3,4:a\n1,2:3,?:b\n", more="@missing true\n"))
    np.testing.assert_array_equal(data.series[1], [[1, 3], [2, np.nan]])
    with pytest.raises(ValueError, match=r"case 2, channel 2, observation 2"):
        data.complete()


def test_equal_stamps_are_kept(tmp_path: Path) -> None:
    data = read_ts(write(tmp_path, "(1,5),(1,6),(2,7):a\n", stamps="true"))
    assert data.times is not None
    assert data.times[0].tolist() == [1, 1, 2]


def test_a_length_binds_no_case_where_lengths_may_differ(tmp_path: Path) -> None:
    more = "@equalLength false\n@seriesLength 4\n"
    assert read_ts(write(tmp_path, "1,2,3,4:a\n1,2:b\n", more=more)).lengths.tolist() == [4, 2]
    assert "wanted 4 observations" in refusal(write(tmp_path, "1,2:b\n", more="@seriesLength 4\n"))


def test_tags_end_at_any_space_and_comments_may_be_indented(tmp_path: Path) -> None:
    file = tmp_path / "tabs.ts"
    file.write_text("  # one\n@problemName\tt\n@classLabel\ttrue\ta b\n@data\n  # hi\n\t% ho\n1:b\n")
    data = read_ts(file)
    assert (data.name, data.classes, data.targets.tolist()) == ("t", ("a", "b"), [1])


def test_files_without_labels_have_none(tmp_path: Path) -> None:
    file = tmp_path / "plain.txt"  # the name is taken as given
    file.write_text("@classLabel false\n@data\n1,2:3,4\n")
    data = read_ts(file)
    assert data.labels is None
    assert data.classes == ()
    assert data.series[0].tolist() == [[1, 3], [2, 4]]
    assert data.name == "plain"


@pytest.mark.parametrize(
    ("cases", "more", "said"),
    [
        (
            "1,2,3,4:a\n1,2,3:b\n",
            "@equalLength true\n@seriesLength 4\n",
            "line 9, case 2: wanted 4 observations",
        ),
        (
            "1,2,3,4:a\n1,2,3:b\n",
            "@equalLength true\n",
            "case 2: wanted 4 observations, as the header says, found 3",
        ),
        (
            "1,2,3:4,5:7,8,9:a\n",
            "",
            "wanted channels of one length, found 3 values in channel 1 and 2 in channel 2",
        ),
        ("1,2:3,4:a\n", "@dimensions 3\n", "case 1: wanted 3 channels, found 2"),
        ("1,2:3,4:a\n", "@univariate true\n", "wanted 1 channels, found 2"),
        ("1,2:3,4:a\n1,2:a\n", "", "case 2: wanted 2 channels, found 1"),
        ("1,?:a\n", "@missing false\n", "found a missing value in channel 1, observation 2"),
        ("1,2:c\n", "", "wanted a class name at the end of the line, one of b a; found 'c'"),
        ("1,2\n", "", "wanted a class name"),
        ("1,:a\n", "", "channel 1, value 2: wanted a number or ?, found ''"),
        ("1,two:a\n", "", "value 2: wanted a number or ?, found 'two'"),
        ("1_0,2:a\n", "", "value 1: wanted a number or ?, found '1_0'"),
        ("1,inf:a\n", "", "wanted a number or ?, found 'inf'"),
        ("1,1e999:a\n", "", "value 2: wanted a finite number"),
        ("(0,1),(1,2):a\n", "", "wanted a number or ?, found '\\(0'"),
        ("", "", "wanted cases after @data, found none"),
        ("1,2:a\n", "@equalLength perhaps\n", "@equallength: wanted true or false, found 'perhaps'"),
        ("1,2:a\n", "@seriesLength -2\n", "@serieslength: wanted a positive whole number"),
        ("1,2:a\n", "@seriesLength 0\n", "@serieslength: wanted a positive whole number"),
        ("1,2:a\n", "@seriesLength ٢\n", "@serieslength: wanted a positive whole number"),
        ("1,2:a\n", f"@dimensions {5000 * '9'}\n", "@dimensions: wanted a positive whole number, found '999"),
        ("1,2:a\n", "@missing\n", "@missing: wanted true or false, found ''"),
        ("1,٣:a\n", "", "value 2: wanted a number or ?, found '٣'"),
    ],
)
def test_a_contradiction_is_refused_with_its_place(tmp_path: Path, cases: str, more: str, said: str) -> None:
    assert said.replace("\\", "") in refusal(write(tmp_path, cases, more=more))


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ("1,2:a\n", "value 1: wanted a pair (number,number)"),
        ("(0,1),(2,1),(1,1):a\n", "value 3: wanted a stamp of at least 2.0, found 1.0"),
        ("(0,1),(1,2):(0,1),(1.5,2):a\n", "wanted the time stamps of channel 1, found others in channel 2"),
        ("(0,1),:a\n", "wanted another pair"),
        ("(0,1)(1,2):a\n", "wanted a pair"),
        ("(?,1):a\n", "wanted a pair"),
        ("(٣,1):a\n", "wanted a pair"),
        ("(0,1),(1e999,1):a\n", "line 6, case 1, channel 1, stamp 2: wanted a finite number, found one too large"),
        ("(2020-01-01 10:00:00,1):a\n", "wanted a pair"),
    ],
)
def test_bad_stamps_are_refused(tmp_path: Path, cases: str, said: str) -> None:
    assert said in refusal(write(tmp_path, cases, stamps="true"))


def test_trust_data_returns_what_is_there(tmp_path: Path) -> None:
    more = "@equalLength true\n@seriesLength 4\n@dimensions 2\n@missing false\n"
    data = read_ts(write(tmp_path, "1,2,3,4:a\n1,?,3:b\n", more=more), trust="data")
    assert data.lengths.tolist() == [4, 3]
    np.testing.assert_array_equal(data.series[1], [[1], [np.nan], [3]])
    file = write(tmp_path, "1,2,3:4,5:a\n")
    assert "wanted channels of one length" in refusal(file, trust="data")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<!DOCTYPE html>\n<html>", "line 1: wanted a header line that begins with @"),
        (b"PK\x03\x04\xff\xfe\x00\x00", "line 1: wanted UTF-8 text, found the byte 0xff"),
        (b"# caf\xe9\n@classLabel true caf\xe9\n", "line 2: wanted UTF-8 text, found the byte 0xe9"),
        (b"", "wanted the line @data, found the end of the file"),
        (b"@problemName half\n@classLa", "unknown tag @classla"),
        (b"@colour red\n@data\n", "line 1: unknown tag @colour"),
        (b"@missing true\n@missing false\n@data\n", "line 2: second @missing, 'false' after 'true'"),
        (b"@targetLabel true\n@data\n1:2\n", "Regression targets are not read"),
        (b"@classLabel true\n@data\n1:2\n", "wanted distinct class names"),
        (b"@univariate true\n@dimensions 2\n@data\n1:2\n", "contradicts @dimensions 2"),
    ],
)
def test_a_file_that_is_no_data_set_is_refused(tmp_path: Path, content: bytes, said: str) -> None:
    file = tmp_path / "broken.ts"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"broken\.ts") as caught:
        read_ts(file)
    assert said in str(caught.value)


def test_a_missing_file_is_not_looked_for_elsewhere(tmp_path: Path) -> None:
    write(tmp_path, "1,2:a\n", name="x.ts")
    with pytest.raises(FileNotFoundError, match=r"x'"):
        read_ts(tmp_path / "x")


@pytest.mark.parametrize("name", ["JapaneseVowels", "BasicMotions", "GunPoint", "UnitTest", "PickupGestureWiimoteZ"])
@pytest.mark.parametrize("split", ["TRAIN", "TEST"])
def test_packaged_files_agree_with_aeon(name: str, split: str) -> None:
    """Outside oracle: aeon's own reader, on the files it carries."""
    loading = pytest.importorskip("aeon.datasets", reason="aeon is not installed")
    file = bundled_folder(name) / f"{name}_{split}.ts"
    theirs, labels = loading.load_from_ts_file(str(file))
    ours = read_ts(file)
    assert ours.labels is not None
    assert len(ours) == len(theirs)
    for x, y in zip(ours.series, theirs, strict=True):
        np.testing.assert_array_equal(x, np.asarray(y).T)
    assert [ours.classes[k].lower() for k in ours.labels] == [str(label).lower() for label in labels]
