"""The harness: what is gathered from processes, judged and shown. No time is asserted."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from ewsnn.benchmarks import collect as collecting
from ewsnn.benchmarks import environments, peer, provenance, report, stopwatch
from ewsnn.benchmarks.bars import Bar, bars, exponent
from ewsnn.benchmarks.case import Case
from ewsnn.benchmarks.cases import DEEP, DEPTH_ONE, LENGTH, PEERS, SIGNATURE, UEA, cases, chosen, quick_cases
from ewsnn.benchmarks.collect import answer, collect
from ewsnn.benchmarks.environments import REQUIREMENTS, NotInstalled, python_of
from ewsnn.benchmarks.tables import bars_table, group_table, headline, line
from ewsnn.cli.bench import bench

NOWHERE = Path("/nonexistent")


def row(case: Case, seconds: float, **more: Any) -> dict[str, Any]:
    measured = {
        "seconds": seconds,
        "compile_seconds": 1.0,
        "peak_bytes": 2**20,
        "step_peak_bytes": 2**20,
        "level_errors": [1e-7],
        "norm": 1.0,
    }
    return {**case.as_dict(), **measured, **more}


def test_names_are_unique_and_patterns_choose_among_them() -> None:
    every = cases()
    assert len({case.name for case in every}) == len(every)
    assert len(chosen(every, "signature")) == len(SIGNATURE) * (1 + len(PEERS)) * 8
    assert {case.method for case in chosen(every, "deep/fine/*")} >= {"auto", "chunked", "plain_scan"}
    with pytest.raises(ValueError, match=r"no case matches 'nothing'. Groups are deep, uea, "):
        chosen(every, "nothing")


def test_quick_cases_are_small_and_of_every_kind_but_lengths() -> None:
    small = quick_cases()
    assert {case.group for case in small} == {"deep", "uea", "depth-one", "signature"}
    assert all(case.problem.steps <= 12 and case.problem.features <= 84 for case in small)
    assert {case.method for case in small} >= {"chunked", "sequential", "plain_scan", "diagonal_scan", *PEERS}


@pytest.mark.parametrize("problem", [*DEEP, *UEA, LENGTH[0], DEPTH_ONE, SIGNATURE[0]], ids=lambda p: p.name)
def test_problems_are_what_they_say(problem: Any) -> None:
    small = problem.small()
    increments, lift, generator, clock = small.arguments(np.dtype(np.float32))
    assert increments.dx.shape == (small.batch, small.steps, small.channels)
    assert lift.shape == (small.letters, small.channels)
    assert generator.size == small.letters
    assert increments.dx.dtype == lift.dtype == generator.dtype or problem.generator == "zero"
    assert clock(increments).shape == (small.batch, small.steps)


def test_the_gated_clock_of_the_bar_stops_and_keeps_its_bound() -> None:
    (gated,) = (problem for problem in DEEP if problem.clock == "gated")
    increments, _, generator, clock = gated.arguments(np.dtype(np.float64))
    moved = np.asarray(clock(increments))
    assert 0.2 <= moved.max() * np.linalg.norm(np.asarray(generator.matrix()), np.inf) <= 0.3
    assert 0.1 < (moved == 0).mean() < 0.25


def test_one_case_is_measured_in_a_process_of_its_own() -> None:
    (case,) = (c for c in quick_cases() if c.method == "auto" and c.group == "depth-one")
    (found,) = collect([case], repeats=1, quick=True, peers=NOWHERE, tell=lambda _: None)
    assert "failed" not in found
    assert found["seconds"] > 0
    assert found["compile_seconds"] > 0
    assert found["repeats"] == 1
    assert max(found["level_errors"]) < 1e-5
    assert found["name"] == case.name
    assert found["problem"]["steps"] == 12
    if Path("/proc/self/status").exists():
        assert 0 < found["peak_bytes"] < 2**30 < found["base_bytes"] + 2**30


def test_whatever_goes_wrong_is_the_result_of_its_case() -> None:
    assert answer([sys.executable, "-c", "print('text'); print('{\"a\": 1}')"]) == {"a": 1}
    assert answer([sys.executable, "-c", "raise ValueError('no')"])["failed"] == "exit code 1: ValueError: no"
    assert answer([sys.executable, "-c", "pass"])["failed"] == "exit code 0: no word"
    assert "killed" in answer([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])["failed"]
    assert answer([sys.executable, "-c", "import time; time.sleep(60)"], 0.5)["failed"] == "stopped after 0 s"


def test_another_result_than_the_first_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    norms = iter([1.0, 1.0005, 1.5])
    monkeypatch.setattr(collecting, "answer", lambda command, limit: row(three[0], 1.0, norm=next(norms)))
    three = [Case("deep", DEEP[0], method) for method in ("auto", "scan", "plain_scan")]
    found = collect(three, repeats=1, quick=False, peers=NOWHERE, tell=lambda _: None)
    assert ["failed" in each for each in found] == [False, False, True]
    assert found[2]["failed"] == "another result: norm 1.5, auto has 1"


def test_no_case_is_begun_after_the_deadline() -> None:
    (found,) = collect([quick_cases()[0]], repeats=1, quick=True, peers=NOWHERE, tell=lambda _: None, deadline=0.0)
    assert found["failed"].startswith("not begun")


def test_libraries_have_environments_and_a_quick_run_makes_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(REQUIREMENTS) == set(PEERS) == set(peer.WAYS)
    with pytest.raises(NotInstalled, match="and this run makes none"):
        python_of("signax", tmp_path, install=False)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(
        environments.subprocess,
        "run",
        lambda command, **_: subprocess.CompletedProcess(command, "pip" in command, "", "log\nERROR: no such thing\n"),
    )
    with pytest.raises(NotInstalled, match="ERROR: no such thing"):
        python_of("signax", tmp_path)
    (tmp_path / "signax").mkdir()
    (tmp_path / "signax" / ".complete").touch()
    assert python_of("signax", tmp_path) == tmp_path / "signax" / "bin" / "python"


def test_the_script_of_peers_stands_alone(tmp_path: Path) -> None:
    # A stand-in that the script takes for iisignature: level one, and its gradient.
    (tmp_path / "iisignature.py").write_text(
        "import numpy as np\n"
        "def sig(x, depth): return x[:, -1] - x[:, 0]\n"
        "def sigbackprop(c, x, depth):\n"
        "    g = np.zeros_like(x); g[:, 0] = -c; g[:, -1] = c; return g\n"
    )
    (tmp_path / "iisignature-0.1.dist-info").mkdir()
    (tmp_path / "iisignature-0.1.dist-info" / "METADATA").write_text("Name: iisignature\nVersion: 0.1\n")
    np.savez(tmp_path / "data.npz", points=np.ones((2, 3, 2)), cotangents=np.full((2, 2), 3.0))
    words = ["iisignature", str(tmp_path / "data.npz"), "1", "float64", "gradient", "1", "1"]
    done = subprocess.run(
        [sys.executable, peer.__file__, *words],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    found = json.loads(done.stdout)
    assert found["norm"] == pytest.approx(math.sqrt(8 * 9))
    assert found["version"] == "0.1"
    assert {"seconds", "compile_seconds", "peak_bytes", "way"} <= set(found)


def test_bars_say_what_was_reached() -> None:
    fine = [row(Case("deep", DEEP[0], "auto"), 0.01), row(Case("deep", DEEP[0], "scan"), 0.5)]
    fine += [row(Case("deep", DEEP[0], "plain_scan"), 0.4, step_peak_bytes=2**24)]
    found = {bar.claim: bar for bar in bars(fine)}
    speed = found["fine: times faster than the plain scan"]
    assert speed.reached == pytest.approx(40)
    assert not speed.is_met
    assert found["fine: part of the plain scan's memory, in steps alone"].is_met
    assert found["fine: error"].is_met
    assert not found["fine: time of engine scan, of the plain scan's"].is_met
    assert math.isnan(found["coarse: error"].reached)
    assert not found["coarse: error"].is_met
    assert found["seconds to compile, the longest with engine auto"].is_met
    failed = [row(Case("deep", DEEP[0], "auto"), 0.01, failed="out of memory"), *fine[1:]]
    assert not any(bar.is_met for bar in bars(failed) if bar.claim.startswith("fine: ti") or "memory" in bar.claim)
    lengths = [row(Case("length", problem, "auto"), 1e-6 * problem.steps**1.2) for problem in LENGTH]
    assert exponent(lengths) == pytest.approx(1.2)
    assert "**missed**" in bars_table(bars(lengths))
    assert "at most 1.05" in bars_table(bars(lengths))


def test_signature_bars_are_against_the_fastest_of_all() -> None:
    problem = SIGNATURE[3]
    others = dict(zip(PEERS, (0.04, 0.09, 0.03, 0.5, 0.1), strict=True))
    rows = [
        row(Case("signature", problem, method, "float32", mode, 1), seconds)
        for mode in ("forward", "gradient")
        for method, seconds in {"auto": 0.02, **others}.items()
    ]
    found = {bar.claim: bar for bar in bars(rows) if bar.claim.startswith(f"{problem.name}, float32, 1 ")}
    reached = {claim.rpartition(": ")[2]: bar for claim, bar in found.items()}
    assert reached["gradient, times faster than the fastest other"] == Bar(
        "signature", f"{problem.name}, float32, 1 cores: gradient, times faster than the fastest other", 1.5, least=2.0
    )
    assert reached["forward, times faster than the fastest JAX library"].reached == pytest.approx(1.5)
    assert reached["forward, time over that of pysiglib"].reached == pytest.approx(0.5)


def test_results_are_written_and_read_and_quick_ones_never_shown(tmp_path: Path) -> None:
    whole = {
        "quick": False,
        "commit": "0" * 40,
        "dirty": True,
        "versions": provenance.versions(),
        "device": provenance.device(),
        "limits": {"flops": 1e11, "bytes": 1e10},
        "rows": [row(Case("uea", UEA[3], "auto"), 0.4), row(Case("uea", UEA[0], "auto"), 1.0, failed="no room")],
        "accuracy": [],
    }
    report.write(whole, tmp_path / "engine_uea.json")
    assert report.find(tmp_path, "uea") == json.loads(json.dumps(whole))
    assert report.find(tmp_path, "deep") is None
    assert report.read(tmp_path / "gpu.json") is None
    told = group_table("uea", whole)
    assert "| 400.00 s | 83.6 s, 34506 MB |" in told
    assert "failed: no room" in told
    assert "changes that are not committed" in headline(whole)
    assert "100 GFLOP/s" in headline(whole)
    assert group_table("deep", whole) == "Not run."
    report.write({**whole, "quick": True}, tmp_path / "engine_quick.json")
    assert report.find(tmp_path, "uea") is not None
    report.write(whole, tmp_path / "engine_again.json")
    with pytest.raises(ValueError, match=r"engine_again.json and engine_uea.json both have rows of 'uea'"):
        report.find(tmp_path, "uea")


def test_code_that_is_not_committed_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for dirty in (True, False, None):
        monkeypatch.setattr(provenance, "commit", lambda dirty=dirty: {"commit": "abc", "dirty": dirty})
        report.check_clean(allow_dirty=True)
        if dirty:
            with pytest.raises(ValueError, match="Commit first, or say --allow-dirty"):
                report.check_clean(allow_dirty=False)
        else:
            report.check_clean(allow_dirty=False)


def test_git_is_asked_for_the_code_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(provenance, "ROOT", tmp_path)
    assert provenance.commit() == {"commit": None, "dirty": None}
    for name in ("ewsnn", "docs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file.py").write_text("1\n")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.invalid"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Begin"]):
        subprocess.run([*git, *words], check=True, capture_output=True)
    (tmp_path / "docs" / "file.py").write_text("2\n")
    assert provenance.commit()["dirty"] is False
    (tmp_path / "ewsnn" / "new.py").write_text("2\n")
    assert provenance.commit()["dirty"] is True
    assert len(provenance.commit()["commit"]) == 40


def test_time_is_of_the_step_and_memory_of_the_process() -> None:
    calls: list[int] = []
    found = stopwatch.timed(lambda: calls.append(1), 5, budget=0.0)
    assert found["repeats"] == 3
    assert len(calls) == 3 + stopwatch.WARM_UP
    assert 0 <= found["fastest"] <= found["seconds"]
    held, most = stopwatch.resident(), stopwatch.peak()
    if held is not None and most is not None:
        assert 2**20 < held <= most + 2**20


def test_the_command_lists_chooses_and_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = CliRunner().invoke(bench, ["engine", "--list", "--only", "uea"])
    assert listed.output.splitlines() == [f"uea/{problem.name}/auto/float32/gradient" for problem in UEA]
    assert "sequence/skew" in CliRunner().invoke(bench, ["engine", "--list", "--only", "accuracy"]).output
    monkeypatch.setattr(
        report,
        "collect",
        lambda cases, **_: [
            row(cases[0], 0.1, failed="no room"),
            row(cases[-1], 0.1, compile_seconds=20.0, method="auto"),
        ],
    )
    monkeypatch.setattr(report, "collect_accuracy", lambda names, **_: [])
    monkeypatch.setattr(report, "answer", lambda command: {"flops": 1e11, "bytes": 1e10})
    for words in (["--quick"], []):
        done = CliRunner().invoke(bench, ["engine", "--only", "deep", *words])
        assert "failed: no room" in done.output
        assert isinstance(done.exception, ValueError)
        assert str(done.exception).startswith("Not all is as it should be")
        assert ("1 of 15 bars are missed" in str(done.exception)) == (not words)


def test_a_case_is_told_in_one_line() -> None:
    case = Case("deep", DEEP[0], "auto")
    assert line(row(case, 0.25)) == f"{case.name}: 250 ms, compile 1.00 s, 1 MiB"
    assert line(row(case, 2.5, failed="no")) == f"{case.name}: failed: no"
