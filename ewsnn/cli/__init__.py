"""The command line: ``ewsnn train | evaluate | predict | check | convert | bench``.

Whatever a user gets wrong is one line that begins with "Error:" and an exit code that is not 0.
"""

import sys
from collections.abc import Sequence

import click

from ewsnn.cli import bench, check, convert, evaluate, predict, train
from ewsnn.train.fit import NotFinite

__all__ = ["main"]


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--traceback", is_flag=True, help="Show where an error comes from, instead of one line.")
@click.pass_context
def commands(context: click.Context, traceback: bool) -> None:
    """Train, use and certify layers of the exponentially weighted signature."""
    del traceback  # read by main, before and whatever the command is
    if context.invoked_subcommand is None:
        click.echo(context.get_help(), err=True)
        context.exit(2)


for command in (train.train, evaluate.evaluate, predict.predict, check.check, convert.convert, bench.bench):
    commands.add_command(command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and leaves the process with its exit code.

    Args:
        arguments: The words behind the program's name; None for those of the process.

    Raises:
        SystemExit: Always.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = commands.main(words, prog_name="ewsnn", standalone_mode=False) or 0
    except (KeyboardInterrupt, click.Abort):
        _fail("stopped. A training run is taken up by: ewsnn train --out RUN --resume")
        code = 130
    except click.ClickException as error:
        _fail(error.format_message())
        code = error.exit_code
    except (ValueError, OSError, NotFinite) as error:
        if "--traceback" in words:
            raise
        _fail(f"{error.strerror}: {error.filename}" if isinstance(error, OSError) and error.filename else str(error))
        code = 1
    raise SystemExit(code)


def _fail(message: str) -> None:
    click.echo(f"Error: {' '.join(message.split())}", err=True)
