"""JSON objects in the files of a run: the one place where they are read and their keys and kinds are checked."""

import json
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["COUNT", "NAMES", "NUMBER", "OBJECT", "TEXT", "WHOLE", "Kind", "check", "parse", "read"]


class Kind(NamedTuple):
    """What a value must be.

    Args:
        words: In words, for the error.
        holds: Whether a value is of this kind.
    """

    words: str
    holds: Callable[[Any], bool]

    def or_null(self) -> "Kind":
        """This kind, or JSON's null."""
        return Kind(f"{self.words}, or null", lambda value: value is None or self.holds(value))


WHOLE = Kind("a whole number of at least 0", lambda value: type(value) is int and value >= 0)
COUNT = Kind("a whole number of at least 1", lambda value: type(value) is int and value >= 1)
# Python's reader of JSON lets NaN and infinities pass.
NUMBER = Kind("a finite number", lambda value: type(value) in (int, float) and abs(value) < math.inf)
TEXT = Kind("text", lambda value: isinstance(value, str) and value != "" and "\0" not in value)
OBJECT = Kind("an object", lambda value: isinstance(value, dict))
NAMES = Kind(
    "a list of distinct names",
    lambda value: isinstance(value, list) and all(map(TEXT.holds, value)) and 0 < len(value) == len(set(value)),
)


def read(path: str | os.PathLike[str], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The object in a file.

    Args:
        path: The file.
        kinds: The keys that it must have, and of which kind their values are.

    Raises:
        ValueError: If there is no such file, or it holds no such object; the message names file and key.
    """
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise ValueError(f"{path}: no such file. Is this the folder of a run?") from None
    return check(path, parse(path, content), kinds)


def parse(where: object, content: str | bytes) -> dict[str, Any]:
    """The object in a text.

    Args:
        where: What the message calls the text, such as its file.
        content: The text; bytes are read as UTF-8.

    Raises:
        ValueError: If it is no JSON, or no object.
    """
    try:
        found: Any = json.loads(content if isinstance(content, str) else content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: no JSON ({error}).") from error
    if not isinstance(found, dict):
        raise ValueError(f"{where}: wanted an object, found {type(found).__name__}.")
    return found


def check(where: object, found: dict[str, Any], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """The same object, once its keys and their kinds are known.

    Args:
        where: What the message calls the object, such as its file.
        found: The object; it may have more keys.
        kinds: The keys that it must have, and of which kind their values are.

    Raises:
        ValueError: If a key is missing or its value is of another kind; the message names it.

    >>> check("record.json", {"seeds": "x"}, {"seeds": COUNT})
    Traceback (most recent call last):
      ...
    ValueError: record.json, key 'seeds': wanted a whole number of at least 1, found "x".
    """
    for key, kind in kinds.items():
        if key not in found:
            raise ValueError(f"{where}: its key {key!r} is missing. Did ewsnn write it?")
        if not kind.holds(found[key]):
            shown = json.dumps(found[key])
            shown = shown if len(shown) <= 40 else shown[:37] + "…"
            raise ValueError(f"{where}, key {key!r}: wanted {kind.words}, found {shown}.")
    return found
