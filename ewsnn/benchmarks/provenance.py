"""Where numbers come from: versions, device, cores, and the commit of the code."""

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import jax

PACKAGES = ("ews", "jax", "jaxlib", "equinox", "numpy")
CODE = ("ewsnn", "ewsmath", "pyproject.toml")
ROOT = Path(__file__).parents[2]


def versions() -> dict[str, str | None]:
    """The versions of Python and of the packages, None for what is not installed (such as a plain checkout)."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = None
    return found


def device() -> dict[str, Any]:
    """The device that JAX computes on, and the machine around it."""
    first = jax.devices()[0]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "platform": first.platform,
        "kind": first.device_kind,
        "count": jax.device_count(),
        "processor": _processor(),
        "cores": cores,
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
    }


def commit() -> dict[str, Any]:
    """The commit of the code, and whether files of the code differ from it; None where git cannot say."""
    head = _git("rev-parse", "HEAD")
    changed = _git("status", "--porcelain", "--", *CODE)
    return {"commit": head, "dirty": None if changed is None else bool(changed)}


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
