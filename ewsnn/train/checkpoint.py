"""Checkpoints: any tree of arrays in one ``.npz`` file that NumPy alone can read.

Each array is stored under its path in the tree; metadata is JSON, under ``__metadata__``. Nothing is pickled,
so nothing is run when a file is opened:

    with numpy.load("best.npz", allow_pickle=False) as file:
        print(json.loads(str(file["__metadata__"])), file.files)
"""

import io
import json
import os
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from ewsnn.train.document import Kind, check, parse

__all__ = ["leaf_names", "load", "read_metadata", "save", "write_atomically"]

Tree = TypeVar("Tree")
_METADATA = "__metadata__"


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Writes a file whole or not at all: whoever is killed on the way leaves the former file in place.

    Args:
        path: Where the content goes; what stands there is replaced.
        content: The whole content.
    """
    target = Path(path)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with temporary.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    # The rename itself lies in the folder, which has its own cache.
    folder = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def save(path: str | os.PathLike[str], tree: Any, metadata: dict[str, Any] | None = None) -> None:
    """Stores the arrays of a tree, with their names, atomically.

    Args:
        path: The file, as it is named.
        tree: Any tree; its arrays are stored, everything else belongs to whoever rebuilds the tree.
        metadata: Whatever JSON can hold; numbers must be finite, since JSON has no others.
    """
    arrays: dict[str, npt.NDArray[Any]] = {
        _METADATA: np.array(json.dumps(metadata or {}, sort_keys=True, allow_nan=False))
    }
    arrays |= {name: np.asarray(_data(leaf)) for name, leaf in _leaves(tree)}
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    write_atomically(path, buffer.getvalue())


def load(path: str | os.PathLike[str], like: Tree) -> Tree:
    """The tree that was saved, built on another one of the same structure.

    Args:
        path: The file.
        like: A tree with the structure, shapes and dtypes that are expected; its values do not matter.

    Returns:
        ``like`` with the arrays of the file in place of its own.

    Raises:
        ValueError: If the file cannot be read, or holds other leaves, shapes or dtypes.
    """
    stored = _read(path)
    del stored[_METADATA]
    wanted = dict(_leaves(like))
    if missing := wanted.keys() - stored.keys():
        raise ValueError(f"{path}: no leaf {min(missing)} in it. It was written by another kind of model.")
    if strange := stored.keys() - wanted.keys():
        raise ValueError(f"{path}: no place for its leaf {min(strange)}. Another kind of model wrote it.")
    found = {}
    for name, leaf in wanted.items():
        value, data = stored[name], _data(leaf)
        if value.shape != data.shape:
            raise ValueError(
                f"{path}, leaf {name}: shape {value.shape} in the file, {data.shape} in the model. "
                "They were built with different sizes."
            )
        if value.dtype != data.dtype:
            raise ValueError(
                f"{path}, leaf {name}: {value.dtype} in the file, {data.dtype} in the model. "
                "Was one of them made with x64 on?"
            )
        found[name] = _like(leaf, value)
    paths, structure = jax.tree_util.tree_flatten_with_path(like)
    return jax.tree_util.tree_unflatten(structure, [found.get(_name(path), leaf) for path, leaf in paths])


def read_metadata(path: str | os.PathLike[str], kinds: Mapping[str, Kind] | None = None) -> dict[str, Any]:
    """The metadata of a checkpoint; no device is touched.

    Args:
        path: The file.
        kinds: The keys that they must have, and of which kind their values are; None for any.

    Raises:
        ValueError: If the file cannot be read, or has other metadata; the message names the key.
    """
    where = f"{path}, metadata"
    return check(where, parse(where, str(_read(path)[_METADATA])), kinds or {})


def _read(path: str | os.PathLike[str]) -> dict[str, npt.NDArray[Any]]:
    try:
        with open(path, "rb") as handle:
            file = np.load(handle, allow_pickle=False)
            if isinstance(file, np.ndarray) or _METADATA not in file.files:
                raise ValueError("it has no metadata")
            return {name: file[name] for name in file.files}
    except FileNotFoundError:
        raise ValueError(f"{path}: no such checkpoint.") from None
    except (ValueError, EOFError, OSError, KeyError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: no whole checkpoint, but a file cut off or of another kind ({error}).") from error


def leaf_names(tree: Any) -> list[str]:
    """The names of the arrays of a tree, in its order.

    Args:
        tree: Any tree.

    >>> leaf_names({"layer": (np.ones(2), np.ones(3)), "bias": np.ones(1)})
    ['bias', 'layer.0', 'layer.1']
    """
    return [name for name, _ in _leaves(tree)]


def _leaves(tree: Any) -> Iterator[tuple[str, Any]]:
    """Name and value of each array of a tree."""
    for path, leaf in jax.tree_util.tree_flatten_with_path(tree)[0]:
        if isinstance(leaf, jax.Array | np.ndarray | np.generic):
            yield _name(path), leaf


def _name(path: tuple[Any, ...]) -> str:
    return jax.tree_util.keystr(path, simple=True, separator=".") or "array"


def _data(leaf: Any) -> Any:
    """What is stored of an array: a random key's words, else the array itself."""
    return jax.random.key_data(leaf) if _is_key(leaf) else leaf


def _like(leaf: Any, value: npt.NDArray[Any]) -> Any:
    """Stored numbers as the kind of array that ``leaf`` is."""
    if _is_key(leaf):
        return jax.random.wrap_key_data(jnp.asarray(value), impl=jax.random.key_impl(leaf))
    if isinstance(leaf, jax.Array):
        return jnp.asarray(value)
    return value[()] if isinstance(leaf, np.generic) else value


def _is_key(leaf: Any) -> bool:
    return isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
