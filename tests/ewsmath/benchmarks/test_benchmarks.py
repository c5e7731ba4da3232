"""The benchmarks, small: opponents agree exactly, rows say what was measured. No time is asserted."""

import json
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from flint import fmpq

from ewsmath import EE, QQ, Tensor, TensorAlgebra
from ewsmath.benchmarks import cases as cases_module
from ewsmath.benchmarks.__main__ import main, table
from ewsmath.benchmarks.cases import cases
from ewsmath.benchmarks.opponents import signature_opponents
from ewsmath.benchmarks.timing import Case, Opponent, Row, measured


def test_opponents_compute_the_signature_exactly() -> None:
    increments = [[fmpq(1, 2), fmpq(-3)], [fmpq(0), fmpq(2, 7)], [fmpq(-1, 3), fmpq(1)]]
    algebra = TensorAlgebra(QQ, 2, 3)
    S = algebra.one()
    for v in increments:
        S = S @ algebra.exp(algebra.vector(v))
    opponents = signature_opponents(increments, 3)
    assert len(opponents) >= 2
    for opponent in opponents:
        assert opponent.exact(opponent.run()) == S.coefficients


def test_the_door_to_roughpy_reads_its_keys_and_fractions(monkeypatch: pytest.MonkeyPatch) -> None:
    # A stand-in of the few names that are used; where RoughPy is installed, the benchmarks check the door themselves.
    class Item:
        def __init__(self, word: tuple[int, ...], value: fmpq) -> None:
            self.word, self.number = word, value

        def key(self) -> "Item":
            return self

        def to_letters(self) -> list[int]:
            return list(self.word)

        def value(self) -> fmpq:
            return self.number

    class FreeTensor:
        def __init__(self, entries: list[int], ctx: TensorAlgebra) -> None:
            self.tensor = ctx.scalar(entries[0])

        def of(self, tensor: Tensor) -> "FreeTensor":
            self.tensor = tensor
            return self

        def exp(self) -> "FreeTensor":
            return FreeTensor([1], self.tensor.algebra).of(self.tensor.algebra.exp(self.tensor))

        def fmexp(self, v: "FreeTensor") -> "FreeTensor":
            return self * v.exp()

        def __mul__(self, other: "FreeTensor") -> "FreeTensor":
            return FreeTensor([1], self.tensor.algebra).of(self.tensor @ other.tensor)

        def __iter__(self) -> Iterator[Item]:
            algebra = self.tensor.algebra
            yield from (Item(word, self.tensor[word]) for word in algebra.words())
            yield Item((1,) * (algebra.depth + 1), fmpq(7))  # the real one runs past the end as well

    class Context(TensorAlgebra):
        def lie_to_tensor(self, entries: list[fmpq]) -> FreeTensor:
            return FreeTensor([0], self).of(self.vector(entries))

    roughpy: Any = ModuleType("roughpy")
    roughpy.__spec__ = ModuleSpec("roughpy", None)
    roughpy.Rational = fmpq
    roughpy.FreeTensor = FreeTensor
    roughpy.get_context = lambda width, depth, kind: Context(QQ, width, depth)
    roughpy.Lie = lambda entries, ctx: entries
    monkeypatch.setitem(sys.modules, "roughpy", roughpy)
    test_opponents_compute_the_signature_exactly()
    names = [opponent.name for opponent in signature_opponents([[fmpq(1)]], 2)]
    assert names[:2] == ["RoughPy, rational, fmexp", "RoughPy, rational, exp and product"]


@pytest.mark.parametrize("case", cases(small=True), ids=lambda case: case.name)
def test_every_case_is_right_and_agrees_with_its_opponents(case: Case) -> None:
    rows = measured(case, 1)
    assert len(rows) == max(1, len(case.opponents))
    assert {row.case for row in rows} == {case.name}


def test_the_small_run_writes_rows_and_versions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "rows.json"
    assert main(["--small", "--profile", "--json", str(file)]) == 0
    written = json.loads(file.read_text(encoding="utf-8"))
    assert {"python", "flint", "python-flint", "sympy", "roughpy"} <= written["versions"].keys()
    assert written["versions"]["sympy"] is not None
    assert {row["case"] for row in written["rows"]} == {case.name for case in cases(small=True)}
    assert all(row["seconds"] >= 0 and row["repeats"] == 1 for row in written["rows"])
    printed = capsys.readouterr().out
    assert "bar" not in printed
    assert "integer_signature" in printed
    assert all(f"{case.name}: " in printed for case in cases(small=True))


def test_another_result_is_refused() -> None:
    wrong = Opponent("a wrong sum", lambda: 5, lambda x: x)
    with pytest.raises(ArithmeticError, match="two and two: a wrong sum gives another result"):
        measured(Case("two and two", lambda: 4, opponents=(wrong,)), 1)


@pytest.mark.parametrize(
    ("broken", "name"),
    [("shuffle", "shuffle of two words"), ("bch", "BCH of two letters"), ("chen", "Jordan")],
)
def test_a_case_that_computes_nonsense_is_refused(broken: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Shuffles:
        cache_clear = staticmethod(lambda: None)

        def __call__(self, *words: object) -> dict[object, int]:
            return {}

    nonsense = {
        "shuffle": Shuffles(),
        "bch": lambda *letters, basis: {(1,) * n + (2,): 7 for n in range(5)},
        "chen": lambda first, second: first,
    }
    monkeypatch.setattr(cases_module, broken, nonsense[broken])
    (case,) = (case for case in cases(small=True) if case.name.startswith(name))
    with pytest.raises(ArithmeticError, match=f"{name}.*: the result is wrong"):
        case.run()


def test_rows_are_judged_by_their_bars() -> None:
    def row(seconds: float, bar: float | None, opponent: float | None, ratio_bar: int | None) -> Row:
        return Row("a sum", seconds, bar, None if opponent is None else "another", opponent, ratio_bar, 1)

    assert row(1, 1, None, None).is_met
    assert not row(1.5, 1, None, None).is_met
    assert row(1, None, 4, 4).is_met
    assert not row(1, None, 3.9, 4).is_met
    assert row(1, None, 0.5, None).is_met
    assert row(2, None, 8, 4).as_dict()["ratio"] == 4
    assert "(bar 1000 ms: MISSED)" in table([row(1.5, 1, None, None)])
    assert "MISSED" not in table([row(1.5, 1, 3, 4)], judged=False)
    assert "bar" not in table([row(1, None, 0.5, None)])


def test_missed_bars_fail_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for bar, code in ((0.0, 1), (1000.0, 0)):
        monkeypatch.setattr(
            "ewsmath.benchmarks.__main__.cases", lambda small, bar=bar: (Case("a thousand", EE.one.conjugate, bar),)
        )
        assert main(["--repeats", "2"]) == code
        assert ("met" in capsys.readouterr().out) == (code == 0)
    with pytest.raises(SystemExit):
        main(["--repeats", "0"])
    assert "--repeats must be at least 1, got 0" in capsys.readouterr().err
