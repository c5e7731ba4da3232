"""Runs the checks of a statement, and its mutants through the very same checks."""

import contextlib
import dataclasses
import importlib
import operator
import pkgutil
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Literal, NamedTuple
from unittest import mock

import hypothesis
from hypothesis import strategies as st

import proofs_checks
from proofs_checks.agreement import Refuted
from proofs_checks.contents import HAS_JAX
from proofs_checks.draws import only_depth
from proofs_checks.statement import Mutant, Statement

Check = Callable[..., None]
"""A function of Hypothesis draws; or of nothing: a proof for all parameters at once, which runs once."""

Outcome = Literal["holds", "refuted", "broken"]

PROFILES = {"fast": 25, "ci": 100, "thorough": 2000}
"""Draws for each check."""

MUTANT_DRAWS = 200
"""A mutant that survives so many draws counts as alive."""


@dataclasses.dataclass(frozen=True)
class Trial:
    """What became of one run of a statement's checks.

    Args:
        outcome: "holds": every comparison agreed; "refuted": one failed; "broken": something else was raised.
        draws: How many examples were tried: by the check that ended the run, or by all where all held.
        check: The check that ended the run, or None where all held.
        message: What it said.
        seconds: Wall time.
    """

    outcome: Outcome
    draws: int
    check: str | None
    message: str
    seconds: float


@dataclasses.dataclass(frozen=True)
class MutantTrial:
    """A mutant's run, and what it did at depth one where it promises to change nothing there."""

    mutant: Mutant
    trial: Trial
    depth_one: Trial | None

    @property
    def fault(self) -> str | None:
        """Why this mutant does not do its work, or None."""
        if self.trial.outcome == "holds":
            return f"survived {self.trial.draws} draws"
        if self.trial.outcome == "broken":
            return f"was not refuted but broke {self.trial.check}: {self.trial.message}"
        if self.depth_one is not None and self.depth_one.outcome != "holds":
            return f"changes depth one, against its word: {self.depth_one.message}"
        return None


@dataclasses.dataclass(frozen=True)
class Record:
    """A statement's line in the ledger."""

    name: str
    statement: Statement
    trial: Trial
    mutants: tuple[MutantTrial, ...]

    @property
    def faults(self) -> list[str]:
        """Everything that keeps this statement from standing, as sentences; empty when it stands."""
        found = []
        if self.trial.outcome != "holds":
            found.append(f"{self.name}: {self.trial.check} {self.trial.outcome}: {self.trial.message}")
        for one in self.mutants:
            if one.fault is not None:
                found.append(f"{self.name}: mutant “{one.mutant.name}” {one.fault}")
        return found


def names() -> list[str]:
    """The modules of this package that declare a statement, those on floats only where JAX is installed."""
    found = []
    for info in pkgutil.walk_packages(proofs_checks.__path__, f"{proofs_checks.__name__}."):
        name = info.name.partition(".")[2]
        known = name != "__main__" and (HAS_JAX or not name.startswith("floats"))
        if known and hasattr(load(name), "STATEMENT"):
            found.append(name)
    return found


def load(name: str) -> ModuleType:
    """The module of one statement, named without the package."""
    return importlib.import_module(f"proofs_checks.{name}")


def checks(module: ModuleType) -> dict[str, Check]:
    """The checks of a module, in the order of the file; those of draws still wear their ``given``."""
    return {name: value for name, value in vars(module).items() if name.startswith("check_")}


def run_checks(tests: dict[str, Check], draws: int) -> Trial:
    """Run checks one after the other, on derandomised draws where they draw; stop at the first that does not hold.

    The draws depend on the check alone, so a mutant meets those that the true statement met.
    """
    settings = hypothesis.settings(
        max_examples=draws,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        # Neither shrinking nor explaining: a mutant need only die.
        phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
        suppress_health_check=[hypothesis.HealthCheck.too_slow, hypothesis.HealthCheck.data_too_large],
    )
    tried = 0

    def counted(check: Check) -> Check:
        def one(data: st.DataObject) -> None:
            nonlocal tried
            tried += 1
            check(data)

        # Hypothesis derives its seed from the function's source and name.
        one.__qualname__ = one.__name__ = check.__name__
        return settings(hypothesis.given(st.data())(one))

    start = time.perf_counter()
    outcome: Outcome = "holds"
    ended, message = None, ""
    for name, check in tests.items():
        before = tried
        try:
            given = getattr(check, "hypothesis", None)
            if given is not None:
                counted(given.inner_test)()
            else:
                tried += 1
                check()
        except Refuted as refutation:
            outcome, ended, message = "refuted", name, str(refutation)
        except Exception as error:  # whatever it is, it is reported, and it refutes nothing
            outcome, ended, message = "broken", name, f"{type(error).__name__}: {error}"
        if ended is not None:
            tried -= before
            break
    return Trial(outcome, tried, ended, message, time.perf_counter() - start)


@contextlib.contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    """Put the mutant's ingredient in its place, and the true one back at the end."""
    module, _, path = mutant.target.partition(":")
    owner: Any = importlib.import_module(module)
    *classes, attribute = path.split(".")
    if classes:
        owner = operator.attrgetter(".".join(classes))(owner)
    with mock.patch.object(owner, attribute, mutant.replacement), _compiled_anew(module):
        yield


@contextlib.contextmanager
def _compiled_anew(module: str) -> Iterator[None]:
    """What JAX has compiled holds the ingredients of a library as they were: it is forgotten before and after."""
    if not module.startswith("ewsnn."):
        yield
        return
    jax = importlib.import_module("jax")
    jax.clear_caches()
    try:
        yield
    finally:
        jax.clear_caches()


def run_mutant(module: ModuleType, mutant: Mutant) -> MutantTrial:
    """Run one mutant through the checks of its statement, and at depth one if it keeps that."""
    with planted(mutant):
        # Most die of a few draws of some check: all checks have a short turn before any has a long one.
        trial = run_checks(checks(module), PROFILES["fast"])
        if trial.outcome == "holds":
            trial = run_checks(checks(module), MUTANT_DRAWS)
        depth_one = None
        if mutant.keeps_depth_one:
            with only_depth(1):
                depth_one = run_checks(checks(module), PROFILES["fast"])
    return MutantTrial(mutant, trial, depth_one)


class Trials(NamedTuple):
    """What became of a statement and of its mutants, without their functions: it can be sent between processes."""

    statement: Trial
    mutants: tuple[tuple[Trial, Trial | None], ...]


def trials(name: str, draws: int) -> Trials:
    """Run the checks and all mutants of one statement."""
    module = load(name)
    trial = run_checks(checks(module), draws)
    ran = [run_mutant(module, mutant) for mutant in module.STATEMENT.mutants]
    return Trials(trial, tuple((one.trial, one.depth_one) for one in ran))


def record(name: str, found: Trials) -> Record:
    """The line of the ledger that belongs to the trials of a statement."""
    statement: Statement = load(name).STATEMENT
    pairs = zip(statement.mutants, found.mutants, strict=True)
    return Record(name, statement, found.statement, tuple(MutantTrial(mutant, *fate) for mutant, fate in pairs))


def run(name: str, draws: int) -> Record:
    """The line of the ledger for one statement, run here and now."""
    return record(name, trials(name, draws))
