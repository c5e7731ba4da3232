"""Environments of other libraries, one for each, so that none forces its versions on another."""

import subprocess
import sys
from pathlib import Path

# Each entry is one call of pip. What a library needs but does not ask for is installed beside it, or before it.
REQUIREMENTS = {
    "pysiglib": (("pysiglib",),),
    "signax": (("signax",),),
    "tensordev": (("tensordev",),),
    "keras-sig": (("keras-sig", "jax"),),
    "iisignature": (("numpy", "setuptools", "wheel"), ("--no-build-isolation", "iisignature")),
}
_DONE = ".complete"


class NotInstalled(Exception):
    """A library that could not be installed; the text is the reason."""


def python_of(library: str, folder: Path, *, install: bool = True) -> Path:
    """The interpreter of the environment of a library, made by pip from the index that it is set up for.

    Args:
        library: One of ``REQUIREMENTS``.
        folder: Where the environments are, a folder for each.
        install: Whether to make the environment where there is none.

    Returns:
        The path of its interpreter.

    Raises:
        NotInstalled: With the last words of pip, or if it is not there and is not to be made.
    """
    place = folder / library
    python = place / "bin" / "python"
    if (place / _DONE).exists():
        return python
    if not install:
        raise NotInstalled(f"no environment {place}, and this run makes none")
    _run([sys.executable, "-m", "venv", "--clear", str(place)])
    for arguments in REQUIREMENTS[library]:
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments])
    (place / _DONE).touch()
    return python


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if "error" in line.lower()] or [
            f"exit code {done.returncode}"
        ]
        raise NotInstalled(" ".join(lines[-1].split()))
