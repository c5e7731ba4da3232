"""The ledger: every statement, checked, with its mutants.

    python -m proofs_checks [NAME…] [--profile fast|ci|thorough] [--jobs N] [--json FILE] [--markdown FILE]

The exit code is 1 when a check fails, a mutant survives, or (without NAME) an item of the theory is not covered.
"""

import json
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from proofs_checks import runner
from proofs_checks.ledger import as_json, as_markdown, uncovered


@click.command()
@click.argument("wanted", metavar="[NAME]...", nargs=-1)
@click.option("--profile", type=click.Choice(list(runner.PROFILES)), default="fast", show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=os.cpu_count(), help="Statements at a time. [default: cores]")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the ledger.")
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write the paper map.")
def main(wanted: tuple[str, ...], profile: str, jobs: int, json_file: Path | None, markdown: Path | None) -> None:
    """Check the statements NAME (all when none is given), and show that every mutant is refuted."""
    known = runner.names()
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise click.UsageError(f"no statement is called {', '.join(unknown)}; there are {', '.join(known)}")
    console = Console()
    chosen = wanted or known
    ran = _run(chosen, runner.PROFILES[profile], min(jobs, len(chosen)))
    found = track(ran, "checking", total=len(chosen), console=console, transient=True)
    records = sorted(found, key=lambda record: chosen.index(record.name))

    table = Table(title=f"Ledger, {runner.PROFILES[profile]} draws a check")
    for heading in ("statement", "paper", "checks (draws)", "mutants refuted (draws)", "seconds"):
        table.add_column(heading, justify="right" if heading == "seconds" else "left")
    for record in records:
        killed = [one for one in record.mutants if one.fault is None]
        table.add_row(
            record.name,
            record.statement.label or record.statement.section,
            f"{record.trial.outcome} ({record.trial.draws})",
            f"{len(killed)} of {len(record.mutants)} ({', '.join(str(one.trial.draws) for one in killed)})",
            f"{record.trial.seconds + sum(one.trial.seconds for one in record.mutants):.1f}",
        )
    console.print(table)

    if json_file is not None:
        json_file.write_text(json.dumps(as_json(records), indent=2) + "\n", encoding="utf-8")
    if markdown is not None:
        markdown.write_text(as_markdown(records), encoding="utf-8")
    faults = [fault for record in records for fault in record.faults]
    if not wanted:
        faults += [f"“{item}” is covered by no statement, and no reason is given" for item in uncovered(records)]
    for fault in faults:
        console.print(f"[red]{fault}", highlight=False)
    sys.exit(1 if faults else 0)


def _run(names: Sequence[str], draws: int, jobs: int) -> Iterator[runner.Record]:
    """The records of statements as they are ready; with several jobs, each in a process of its own kind."""
    if jobs == 1:
        for name in names:
            yield runner.run(name, draws)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        running = {pool.submit(runner.trials, name, draws): name for name in names}
        for ready in as_completed(running):
            yield runner.record(running[ready], ready.result())


if __name__ == "__main__":
    main(prog_name="python -m proofs_checks")
