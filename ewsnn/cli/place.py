"""The name of a file or folder, as a word of the command line."""

from pathlib import Path
from typing import Any

import click

__all__ = ["PLACE"]


class _Place(click.ParamType):
    """A path; what can be none is refused under the name of its option."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path.

        Args:
            value: The word.
            param: The option that it was given for.
            ctx: The command.
        """
        if not str(value):  # it would be taken for the folder that one stands in
            self.fail("wanted the name of a file or folder, found nothing. The folder you are in is '.'", param, ctx)
        if "\0" in str(value):
            self.fail("wanted the name of a file or folder, found one with a null character in it.", param, ctx)
        return Path(value)


PLACE = _Place()
