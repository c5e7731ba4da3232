"""The how-to on testing signature code: its programs run, and fail where and as it says."""

import importlib.util
import re
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest

PAGE = Path(__file__).parents[3] / "docs/how_to/test_your_signature_code.md"
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
PROGRAMS = [text for language, text in BLOCKS if language == "python"]


def right(path: Any) -> Any:
    level1, level2 = np.zeros(2), np.zeros((2, 2))
    for v in np.diff(path, axis=0):
        level2 = level2 + np.outer(level1, v) + np.outer(v, v) / 2
        level1 = level1 + v
    return [level1, level2]


def test_the_five_lines_pass_right_code_and_refute_wrong_code() -> None:
    space: dict[str, Any] = {"my_signature": right}
    exec(PROGRAMS[0], space)
    space["test_chen"]()
    failing = next(text for language, text in BLOCKS if language == "text")
    with pytest.raises(AssertionError) as found:
        exec(PROGRAMS[1], space)
    assert str(found.value) == failing.rstrip()
    with pytest.raises(AssertionError, match="chen fails at word"):
        space["test_chen"]()


def test_the_other_programs_run() -> None:
    space: dict[str, Any] = {}
    exec(PROGRAMS[0], space)
    exec("import numpy as np\n" + PROGRAMS[2], space)
    space["test_my_ews"]()
    exec(PROGRAMS[3], space)


def test_the_profile_of_the_page_switches_the_deadline_off() -> None:
    before = hypothesis.settings.default
    name = hypothesis.settings.get_current_profile_name()
    try:
        exec(PROGRAMS[4], {})
        assert hypothesis.settings().deadline is None
    finally:
        hypothesis.settings.load_profile(name)
    assert hypothesis.settings.default == before
    assert len(PROGRAMS) == 5


def test_libraries_that_are_absent_are_skipped(capsys: pytest.CaptureFixture[str]) -> None:
    file = PAGE.with_name("laws_on_other_libraries.py")
    spec = importlib.util.spec_from_file_location("laws_on_other_libraries", file)
    assert spec is not None
    assert spec.loader is not None
    script: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)

    def absent() -> Any:
        raise ImportError("no such library")

    script.EXAMPLES, script.LIBRARIES = 20, {"absent": absent}
    assert script.main() == 1
    assert capsys.readouterr().out == "absent: not installed, skipped\n"

    # What it says of right code, of wrong code, and of code that stops.
    shuffle, one_point = script.LAWS["shuffle"], script.LAWS["one point gives 1"]
    assert script.outcome(shuffle, right, "float64") == "holds"
    report = script.outcome(shuffle, lambda path: [2 * level for level in right(path)], "float32")
    assert report.startswith("FAILS for path [[0.0, ")
    assert "S^u S^w" in report
    assert script.outcome(one_point, lambda path: path[1], "float64").startswith("RAISES IndexError for path")
