"""The ledger: every statement, checked, with its mutants.

    python -m proofs_checks [NAME…] [--profile fast|ci|thorough] [--json FILE] [--markdown FILE]

The exit code is 1 when a check fails or a mutant survives.
"""

import json
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from proofs_checks import runner
from proofs_checks.ledger import as_json, as_markdown


@click.command()
@click.argument("wanted", metavar="[NAME]...", nargs=-1)
@click.option("--profile", type=click.Choice(list(runner.PROFILES)), default="fast", show_default=True)
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write the ledger.")
@click.option("--markdown", type=click.Path(dir_okay=False, path_type=Path), help="Write the paper map.")
def main(wanted: tuple[str, ...], profile: str, json_file: Path | None, markdown: Path | None) -> None:
    """Check the statements NAME (all when none is given), and show that every mutant is refuted."""
    known = runner.names()
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise click.UsageError(f"no statement is called {', '.join(unknown)}; there are {', '.join(known)}")
    console = Console()
    chosen = wanted or known
    progress = track(chosen, "checking", console=console, transient=True)
    records = [runner.run(name, runner.PROFILES[profile]) for name in progress]

    table = Table(title=f"Ledger, {runner.PROFILES[profile]} draws a check")
    for heading in ("statement", "paper", "checks", "mutants refuted (draws)", "seconds"):
        table.add_column(heading, justify="right" if heading == "seconds" else "left")
    for record in records:
        killed = [one for one in record.mutants if one.fault is None]
        table.add_row(
            record.name,
            record.statement.label or record.statement.section,
            f"{record.trial.outcome} ({record.trial.draws} draws)",
            f"{len(killed)} of {len(record.mutants)} ({', '.join(str(one.trial.draws) for one in killed)})",
            f"{record.trial.seconds + sum(one.trial.seconds for one in record.mutants):.1f}",
        )
    console.print(table)

    if json_file is not None:
        json_file.write_text(json.dumps(as_json(records), indent=2) + "\n", encoding="utf-8")
    if markdown is not None:
        markdown.write_text(as_markdown(records), encoding="utf-8")
    faults = [fault for record in records for fault in record.faults]
    for fault in faults:
        console.print(f"[red]{fault}", highlight=False)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main(prog_name="python -m proofs_checks")
