"""The runner can fail: each way a statement or a mutant can go wrong is planted and must be reported."""

import dataclasses
import operator
import pkgutil
import subprocess
import sys
from collections.abc import Callable
from types import ModuleType

import jax
import jax.numpy as jnp
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, TensorAlgebra
from ewsnn import tensor
from proofs_checks import ledger, runner
from proofs_checks.__main__ import _run, main
from proofs_checks.agreement import Refuted, agree, at_most, differ
from proofs_checks.contents import ITEMS
from proofs_checks.draws import depths, each_depth, only_depth
from proofs_checks.ledger import as_json, as_markdown
from proofs_checks.statement import LABELS, Mutant, Statement

# A small statement of our own: a sum does not depend on its order. The ingredient is `plus`.
plus: Callable[[int, int], int] = operator.add
NAME = "sums_commute"


@given(st.data())
def check_sum(data: st.DataObject) -> None:
    depth = data.draw(depths())
    a, b = data.draw(st.integers(2, 99)), data.draw(st.integers(2, 99))
    for _ in range(depth - 1):
        a = plus(a, b)
    agree(plus(a, b) * (depth + 1), plus(b, a) * (depth + 1), "a + b and b + a")


TARGET = f"{__name__}:plus"
NOTHING = Mutant("does nothing", TARGET, operator.add, keeps_depth_one=True)
BREAKS = Mutant("raises", TARGET, lambda a, b: 1 // 0, keeps_depth_one=False)
SIGN = Mutant("wrong sign", TARGET, operator.sub, keeps_depth_one=False)
LIES = dataclasses.replace(SIGN, name="says that it keeps depth one", keeps_depth_one=True)


def statement(*mutants: Mutant) -> Statement:
    return Statement(
        title="Sums commute",
        claim="a + b = b + a",
        section="Section 1",
        method="exact on draws",
        leaves_out="Numbers above 99.",
        mutants=mutants,
    )


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Make this module stand where the runner looks for a statement."""
    this = sys.modules[__name__]

    def register(*mutants: Mutant) -> ModuleType:
        monkeypatch.setattr(this, "STATEMENT", statement(*mutants), raising=False)
        monkeypatch.setitem(sys.modules, f"proofs_checks.{NAME}", this)
        return this

    return register


def test_a_mutant_that_does_nothing_is_reported_as_survived(registered: Callable[..., ModuleType]) -> None:
    registered(SIGN, NOTHING)
    record = runner.run(NAME, draws=25)
    assert record.trial.outcome == "holds"
    assert [one.trial.outcome for one in record.mutants] == ["refuted", "holds"]
    assert record.faults == [f"{NAME}: mutant “does nothing” survived {runner.MUTANT_DRAWS} draws"]


def test_an_exception_refutes_nothing(registered: Callable[..., ModuleType]) -> None:
    registered(BREAKS, NOTHING)
    [fault, _] = runner.run(NAME, draws=25).faults
    assert "“raises” was not refuted but broke check_sum: ZeroDivisionError" in fault


def test_a_false_word_on_depth_one_is_reported(registered: Callable[..., ModuleType]) -> None:
    registered(SIGN, LIES)
    [fault] = runner.run(NAME, draws=25).faults
    assert "“says that it keeps depth one” changes depth one, against its word" in fault


def test_a_false_statement_is_reported(registered: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    this = registered(SIGN, NOTHING)
    monkeypatch.setattr(this, "plus", operator.sub)
    assert "check_sum refuted: a + b and b + a:" in runner.run(NAME, draws=25).faults[0]


def test_a_planted_ingredient_is_taken_back(registered: Callable[..., ModuleType]) -> None:
    this = registered(BREAKS, NOTHING)
    runner.run(NAME, draws=5)
    assert this.plus is operator.add


def test_what_was_compiled_is_forgotten_when_a_library_is_changed(
    registered: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    @jax.jit
    def product(a: jax.Array, b: jax.Array) -> jax.Array:
        return tensor.group_product((a,), (b,))[0]

    def check_product() -> None:
        agree(float(product(jnp.ones(1), jnp.ones(1))[0]), 2.0, "1 + 1 at level one and 2")

    this = registered(SIGN, NOTHING)
    monkeypatch.setattr(this, "check_sum", check_product)
    wrong = Mutant("nothing added", "ewsnn.tensor:group_product", lambda a, b: a, keeps_depth_one=False)
    assert runner.run_checks({"check_product": check_product}, draws=1).outcome == "holds"
    assert runner.run_mutant(this, wrong).trial.outcome == "refuted"
    assert runner.run_checks({"check_product": check_product}, draws=1).outcome == "holds"


def test_statements_on_floats_are_left_out_without_jax(monkeypatch: pytest.MonkeyPatch) -> None:
    floats = {name for name in runner.names() if name.startswith("floats.")}
    assert floats == {f"floats.{name}" for name in ("chunk_joins", "engines_agree", "error_bound", "split_at_a_letter")}
    monkeypatch.setattr(runner, "HAS_JAX", False)
    assert floats.isdisjoint(runner.names())
    # Then a reason stands in the contents, which are read once.
    program = (
        "import sys; sys.modules['jax'] = None; import importlib.util; importlib.util.find_spec = lambda name: None"
    )
    program += "; from proofs_checks import ledger, runner; print(ledger.UNCHECKED, runner.names())"
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "The engine: its error bound holds, and is no exaggeration': 'needs JAX'" in found
    assert "floats." not in found


def test_mutants_meet_the_draws_of_the_true_statement(registered: Callable[..., ModuleType]) -> None:
    this = registered(SIGN, NOTHING)
    met: list[list[tuple[int, int]]] = []

    def recording(a: int, b: int) -> int:
        met[-1].append((a, b))
        return a + b

    for name in ("one", "two"):
        met.append([])
        runner.run_mutant(this, Mutant(name, TARGET, recording, keeps_depth_one=False))
    assert met[0] == met[1]
    assert len(met[0]) > runner.MUTANT_DRAWS


def test_the_exit_code_is_1_when_a_mutant_survives(
    registered: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "names", lambda: [NAME])
    registered(SIGN, NOTHING)
    result = CliRunner().invoke(main, [NAME])
    assert result.exit_code == 1
    assert "survived" in result.output


def test_an_unknown_name_is_refused() -> None:
    result = CliRunner().invoke(main, ["riemann"])
    assert result.exit_code == 2
    assert "no statement is called riemann; there are" in result.output


def test_the_ledger_tells_the_fate_of_each_mutant(registered: Callable[..., ModuleType]) -> None:
    registered(SIGN, NOTHING)
    records = [runner.run(NAME, draws=25)]
    [entry] = as_json(records)
    assert [mutant["outcome"] for mutant in entry["mutants"]] == ["refuted", "holds"]
    page = as_markdown(records)
    assert "| wrong sign | no | refuted after" in page
    assert f"| does nothing | yes | survived {runner.MUTANT_DRAWS} draws |" in page


def test_agreement_compares_values_of_one_kind() -> None:
    algebra = TensorAlgebra(QQ, dim=1, depth=1)
    agree(algebra.one(), algebra.one(), "one and one")
    with pytest.raises(Refuted, match=r"one and zero:\n.*\nis not\n"):
        agree(algebra.one(), algebra.zero(), "one and zero")
    with pytest.raises(TypeError, match="int and str cannot be compared"):
        agree(1, "1", "a number and its name")
    with pytest.raises(TypeError, match=r"tensors of .* and of .* cannot be compared"):
        agree(algebra.one(), TensorAlgebra(QQ, dim=2, depth=1).one(), "two ones")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "Lemma 99"}, "'Lemma 99' is no label known for certain"),
        ({"mutants": (NOTHING,)}, "has 1 mutants; it needs at least two"),
        ({"mutants": (SIGN, BREAKS)}, "no mutant of 'Sums commute' leaves depth one unchanged"),
        ({"covers": ("Goldbach",)}, "'Goldbach' is no item of proofs_checks.contents.ITEMS"),
    ],
)
def test_a_statement_that_says_too_much_or_too_little_is_refused(change: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(statement(SIGN, NOTHING), **change)


def test_a_statement_without_depth_says_so_in_place_of_a_mutant() -> None:
    assert dataclasses.replace(statement(SIGN, NOTHING), mutants=(SIGN, BREAKS), no_depth="Sums have none.").no_depth


def test_bounds_and_differences_are_comparisons_that_show_both_values() -> None:
    at_most(1, QQ.ratio(3, 2), "one and more")
    with pytest.raises(Refuted, match=r"two and one:\n    2\nis more than\n    1"):
        at_most(2, 1, "two and one")
    with pytest.raises(TypeError, match=r"a bound compares exact numbers, got 0\.5 of type float"):
        at_most(0.5, 1, "a half and one")
    differ(1, 2, "one and two")
    with pytest.raises(Refuted, match=r"one and one:\n    1\nis, against the statement,\n    1"):
        differ(1, 1, "one and one")
    with pytest.raises(TypeError, match="int and str cannot be compared"):
        differ(1, "1", "a number and its name")


def test_a_check_without_draws_runs_once(
    registered: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    def check_once() -> None:
        agree(plus(20, 30), 50, "20 + 30 and 50")

    monkeypatch.setattr(registered(SIGN, NOTHING), "check_once", check_once, raising=False)
    tests = runner.checks(sys.modules[__name__])
    assert list(tests) == ["check_sum", "check_once"]
    del tests["check_sum"]
    trial = runner.run_checks(tests, draws=25)
    assert (trial.outcome, trial.draws) == ("holds", 1)
    with runner.planted(SIGN):
        trial = runner.run_checks(tests, draws=25)
    assert (trial.outcome, trial.draws, trial.check) == ("refuted", 1, "check_once")


def test_depths_without_draws_are_held_at_one_too() -> None:
    assert list(each_depth(3)) == [1, 2, 3]
    with only_depth(1):
        assert list(each_depth(3)) == [1]


def test_an_item_that_nobody_covers_is_named(
    registered: Callable[..., ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    item, *rest = ITEMS
    registered(SIGN, NOTHING)
    record = runner.run(NAME, draws=5)
    monkeypatch.setattr(ledger, "UNCHECKED", dict.fromkeys(rest, "because"))
    assert ledger.uncovered([record]) == [item]
    covering = dataclasses.replace(record, statement=dataclasses.replace(record.statement, covers=(item,)))
    assert ledger.uncovered([covering]) == []
    assert f"| {item} | `{NAME}` |" in as_markdown([covering])
    assert f"| {rest[0]} | not checked: because |" in as_markdown([covering])
    monkeypatch.setattr(runner, "names", lambda: [NAME])
    result = CliRunner().invoke(main, [])
    assert f"“{item}” is covered by no statement" in " ".join(result.output.split())


def test_statements_run_side_by_side_give_the_same_ledger() -> None:
    names = ["reweighted_path", "factorial_decay"]  # the second has mutants without a name, which do not pickle
    one, two = (
        [dataclasses.replace(record.trial, seconds=0) for record in sorted(_run(names, 2, jobs), key=lambda r: r.name)]
        for jobs in (1, 2)
    )
    assert one == two


def test_every_label_is_written_in_full() -> None:
    assert all(
        label.split()[0] in {"Definition", "Proposition", "Theorem", "Lemma", "Corollary", "Example"}
        for label in LABELS
    )


def test_every_statement_names_code_that_exists() -> None:
    for name in runner.names():
        statement = runner.load(name).STATEMENT
        assert statement.covers, f"{name} covers no item of the contents"
        assert statement.code, f"{name} names no code"
        for target in statement.code:
            pkgutil.resolve_name(target)
