"""``ewsnn bench``: what the engine takes, in time and memory, beside its opponents."""

from pathlib import Path
from typing import Any

import click

from ewsnn.benchmarks import report
from ewsnn.benchmarks.accuracy import checks
from ewsnn.benchmarks.bars import bars
from ewsnn.benchmarks.cases import PEERS, cases, chosen, quick_cases
from ewsnn.benchmarks.tables import accuracy_table, bars_table, group_table, headline, line
from ewsnn.cli.place import PLACE

__all__ = ["bench"]


@click.group()
def bench() -> None:
    """Measure."""


@bench.command()
@click.option("--only", metavar="PATTERN", help="Cases by name (* and ? as in a shell) or by group; see --list.")
@click.option("--list", "listed", is_flag=True, help="Print the names of the cases and stop.")
@click.option("--repeats", default=9, show_default=True, type=click.IntRange(1), help="Times that a step is repeated.")
@click.option("--quick", is_flag=True, help="Small sizes: a check that all runs, no measurement.")
@click.option("--json", "file", type=PLACE, help="Also write the results to a file.")
@click.option("--allow-dirty", is_flag=True, help="Write results of code that is not committed; they are marked.")
@click.option("--data", type=PLACE, help="The folder that has MotorImagery, for its row of the paper's Table 8.")
@click.option(
    "--peers",
    default=".venv-peers",
    show_default=True,
    type=PLACE,
    help="Folder of the environments of other libraries; what is not there is installed.",
)
def engine(
    only: str | None,
    listed: bool,
    repeats: int,
    quick: bool,
    file: Path | None,
    allow_dirty: bool,
    data: Path | None,
    peers: Path,
) -> None:
    """Time, memory and accuracy of the engine, each case in a fresh process, beside its opponents.

    The exit code is not 0 if a case of ours fails or, unless --quick, a bar is missed.
    """
    if file is not None:
        report.check_clean(allow_dirty=allow_dirty)
    every = quick_cases() if quick else cases()
    judged = ("local/rotation",) if quick else checks()
    if only is None:
        wanted = every
    elif only == "accuracy" or only in checks():
        wanted, judged = (), tuple(check for check in checks() if only in ("accuracy", check))
    else:
        wanted, judged = chosen(every, only), ()
    if listed:
        for name in (*(case.name for case in wanted), *judged):
            click.echo(name)
        return
    found = report.run(
        wanted, judged, repeats=repeats, quick=quick, peers=peers, data=data, tell=lambda row: click.echo(line(row))
    )
    if file is not None:
        report.write(found, file)
    failed = _told(found)
    if failed:
        raise ValueError(f"Not all is as it should be: {failed}.")


def _told(found: dict[str, Any]) -> str:
    """Prints the tables; what failed or was missed, in a few words."""
    click.echo(headline(found))
    for group in dict.fromkeys(row["group"] for row in found["rows"]):
        click.echo(f"\n{group}\n\n{group_table(group, found)}")
    for kind in dict.fromkeys(row["kind"] for row in found["accuracy"] if "kind" in row):
        click.echo(f"\n{kind}\n\n{accuracy_table(kind, found['accuracy'])}")
    ours = [row for row in found["rows"] + found["accuracy"] if row.get("method") not in PEERS]
    failed = [row["name"] for row in ours if "failed" in row]
    if found["quick"]:
        return ", ".join(failed)
    judged = bars(found["rows"], found["accuracy"])
    click.echo(f"\n{bars_table(judged)}")
    # What was not measured was not asked for, or failed and is named.
    missed = sum("missed" in bar.verdict for bar in judged)
    return ", ".join(failed + ([f"{missed} of {len(judged)} bars are missed"] if missed else []))
