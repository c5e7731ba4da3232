"""Objects in JSON files: what is no such object is refused by file and key."""

from pathlib import Path
from typing import Any

import pytest

from ewsnn.train.document import COUNT, NAMES, NUMBER, OBJECT, TEXT, WHOLE, Kind, check, parse, read


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (WHOLE, [0, 10**400], [-1, 1.0, True, "1", None]),
        (COUNT, [1], [0, True, 1.0]),
        (NUMBER, [0, -1.5, 10**400], [float("nan"), float("inf"), -float("inf"), True, "1", None]),
        (NUMBER.or_null(), [None, 1.0], [float("nan"), "1"]),
        (TEXT, ["a"], ["", "a\0b", 5, None]),
        (OBJECT, [{}], [[], None]),
        (NAMES, [["a"], ["a", "b"]], [[], ["a", "a"], ["a", 1], [["a"]], "ab", 3, None]),
    ],
)
def test_a_kind_holds_of_its_values_alone(kind: Kind, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        assert check("here", {"key": value}, {"key": kind}) == {"key": value}
    for value in bad:
        with pytest.raises(ValueError, match=f"^here, key 'key': wanted {kind.words}, found "):
            check("here", {"key": value}, {"key": kind})


def test_a_long_value_is_cut() -> None:
    with pytest.raises(ValueError, match=r'found "x{36}…\.$'):
        check("here", {"key": "x" * 100}, {"key": OBJECT})


@pytest.mark.parametrize(
    ("content", "said"),
    [("{", "no JSON"), (b"{\xe9}", "no JSON"), (10**5 * "[", "no JSON"), ("[]", "wanted an object, found list")],
)
def test_what_is_no_object_is_refused(content: str | bytes, said: str) -> None:
    with pytest.raises(ValueError, match=f"^here: {said}"):
        parse("here", content)


def test_a_file_is_read_with_its_keys(tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    with pytest.raises(ValueError, match=r"record\.json: no such file\. Is this the folder of a run"):
        read(file, {})
    file.write_text('{"seeds": 2}')
    assert read(file, {"seeds": COUNT}) == {"seeds": 2}
    with pytest.raises(ValueError, match=r"record\.json: its key 'certify' is missing"):
        read(file, {"certify": COUNT})
