"""The record of a run's progress: one JSON object a line, whole lines only."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ewsnn.train.checkpoint import write_atomically
from ewsnn.train.document import NUMBER, TEXT, WHOLE, check, parse

__all__ = ["Journal"]


class Journal:
    """A file of JSON lines that grows, and that a resumed run takes up where its checkpoint stands.

    Args:
        path: The file; it comes into being with the first line.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    def append(self, line: dict[str, Any]) -> None:
        """Adds a line and has it on the disk before it returns: no checkpoint may be ahead of its journal.

        Args:
            line: What JSON can hold; numbers must be finite, since JSON has no others.
        """
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, allow_nan=False) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> list[dict[str, Any]]:
        """All whole lines; a last one that was cut off by a kill is left out.

        Raises:
            ValueError: If a line is none of a journal; the message names file and line.
        """
        if not self.path.exists():
            return []
        whole, _, _ = self.path.read_bytes().rpartition(b"\n")
        return [_line(f"{self.path}, line {number}", line) for number, line in enumerate(whole.splitlines(), 1)]

    def keep(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Drops the lines that are not wanted (those behind a checkpoint) and any half line.

        Args:
            wanted: Says of a line whether it stays.
        """
        lines = [json.dumps(line, allow_nan=False) + "\n" for line in self.read() if wanted(line)]
        write_atomically(self.path, "".join(lines).encode())


def _line(where: str, content: bytes) -> dict[str, Any]:
    line = check(where, parse(where, content), {"kind": TEXT, "epoch": WHOLE})
    scores = {"train_loss", "train_accuracy", "seconds", *line} - {"kind", "epoch"}
    return check(where, line, dict.fromkeys(sorted(scores), NUMBER)) if line["kind"] == "epoch" else line
