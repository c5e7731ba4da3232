"""Parameters from files: names and arrays, and nothing that a file could run."""

import importlib
import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import equinox as eqx
import jax
import numpy as np

__all__ = ["part", "read"]

_MAGIC = b"\x93NUMPY"
# The names that the safetensors format has for its types; BF16 is none of NumPy's and is widened.
_TYPES = {
    "F64": "<f8",
    "F32": "<f4",
    "F16": "<f2",
    "BF16": "<u2",
    "I64": "<i8",
    "I32": "<i4",
    "I16": "<i2",
    "I8": "<i1",
    "U64": "<u8",
    "U32": "<u4",
    "U16": "<u2",
    "U8": "<u1",
    "BOOL": "?",
}


def read(file: str | os.PathLike[str], like: Any = None) -> dict[str, np.ndarray]:
    """The arrays in a file by their names; what kind of file it is, its ending says.

    * ``.npz``: NumPy's archive.
    * ``.safetensors``: read by the library safetensors. bfloat16 becomes float32, which has all its values.
    * ``.pt``, ``.pth``, ``.bin``: read by PyTorch where it is installed, and then only weights. Nested dictionaries
      are joined by dots; what is no tensor, number or text is left out.
    * ``.eqx``: Equinox writes its arrays one behind the other and no names. With a model ``like`` the one that was
      written (its values do not matter) the names are the places in it, such as ``layers.0.A_diag``; without one they
      are the numbers "0", "1", … in the order in which they were written. A first line of text, in which many programs
      keep hyperparameters, is skipped.

    Nothing is unpickled here.

    Args:
        file: The file.
        like: For ``.eqx`` alone: a tree of the structure and shapes that were written, also one of
            ``jax.ShapeDtypeStruct``.

    Returns:
        The arrays as they were stored.

    Raises:
        ValueError: If the ending is unknown, or the file is damaged or holds objects.
        OSError: If it cannot be opened.
        ImportError: If the library that reads it is not installed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     np.savez(f"{folder}/model.npz", A_log=np.zeros(2))
    ...     read(f"{folder}/model.npz")
    {'A_log': array([0., 0.])}
    """
    path = Path(file)
    ending = path.suffix.lower()
    if like is not None and ending != ".eqx":
        raise ValueError(f"{path}: like is for .eqx files, which have no names of their own; leave it out.")
    if ending == ".eqx":
        return _eqx(path, like)
    if ending == ".npz":
        return _npz(path)
    if ending == ".safetensors":
        return _safetensors(path)
    if ending in (".pt", ".pth", ".bin"):
        return _torch(path)
    raise ValueError(
        f"{path}: unknown kind of file {ending!r}. Parameters are read from .npz, .safetensors, .eqx, and .pt, .pth or "
        ".bin where PyTorch is installed."
    )


def part(parameters: Mapping[str, Any], prefix: str) -> dict[str, Any]:
    """The parameters of one layer of a model, without the layer's name in front.

    Args:
        parameters: Those of the whole model, by names such as ``backbone.layers.0.mixer.A_log``; ``__`` counts as a
            dot.
        prefix: The layer, such as ``backbone.layers.0.mixer``.

    Raises:
        ValueError: If no name begins so.

    >>> part({"layers.0.A_log": 1, "layers.1.A_log": 2}, "layers.1")
    {'A_log': 2}
    """
    start = prefix.replace("__", ".").rstrip(".") + "."
    dotted = {name.replace("__", "."): value for name, value in parameters.items()}
    found = {name[len(start) :]: value for name, value in dotted.items() if name.startswith(start)}
    if not found:
        layers = sorted({name.rpartition(".")[0] for name in dotted} - {""})
        shown = ", ".join(layers[:12]) + (", …" if len(layers) > 12 else "")
        raise ValueError(f"no parameter is below {prefix!r}; names are below: {shown or 'nothing, they have no dots'}.")
    return found


def _npz(path: Path) -> dict[str, np.ndarray]:
    try:
        opened = np.load(path, allow_pickle=False)
        if not isinstance(opened, np.lib.npyio.NpzFile):
            raise ValueError("a single array without a name")
        with opened as file:
            return {name: file[name] for name in file.files}
    except (ValueError, EOFError, zipfile.BadZipFile, KeyError) as error:
        raise ValueError(f"{path} is no .npz file of plain arrays: {error}.") from error


def _safetensors(path: Path) -> dict[str, np.ndarray]:
    library = _optional("safetensors", path)
    content = path.read_bytes()
    try:
        stored = library.deserialize(content)
    except library.SafetensorError as error:
        raise ValueError(f"{path} is no .safetensors file: {error}.") from error
    found = {}
    for name, entry in stored:
        kind = entry["dtype"]
        if kind not in _TYPES:
            raise ValueError(f"{path}: {name} is of type {kind}; read are {', '.join(_TYPES)}.")
        array = np.frombuffer(bytes(entry["data"]), _TYPES[kind]).reshape(entry["shape"])
        # bfloat16 is the upper half of a float32.
        found[name] = (array.astype("<u4") << 16).view("<f4") if kind == "BF16" else array
    return found


def _torch(path: Path) -> dict[str, np.ndarray]:
    torch = _optional("torch", path)
    try:
        stored = torch.load(path, map_location="cpu", weights_only=True)
    except OSError:
        raise
    except Exception as error:  # whatever its unpickler meets, from damage to objects that it refuses
        raise ValueError(f"{path}: PyTorch reads no weights from it: {error}") from error
    found: dict[str, np.ndarray] = {}
    _flatten(torch, stored, "", found)
    if not found:
        raise ValueError(f"{path}: no named tensor in it, but one {type(stored).__name__}. Save a state_dict.")
    return found


def _flatten(torch: Any, value: Any, name: str, found: dict[str, np.ndarray]) -> None:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            _flatten(torch, inner, f"{name}.{key}" if name else str(key), found)
    elif name and isinstance(value, torch.Tensor):
        plain = value.detach()
        found[name] = (plain.float() if plain.dtype == torch.bfloat16 else plain).numpy()
    elif name and isinstance(value, bool | int | float | str):
        found[name] = np.asarray(value)


def _eqx(path: Path, like: Any) -> dict[str, np.ndarray]:
    with path.open("rb") as stream:
        try:
            arrays = _arrays(stream)
        except (ValueError, EOFError) as error:
            raise ValueError(f"{path} is no .eqx file of plain arrays: {error}.") from error
    if like is None:
        places: list[tuple[str, Any]] = [(str(k), array) for k, array in enumerate(arrays)]
    else:
        leaves = jax.tree_util.tree_flatten_with_path(like)[0]
        places = [
            (jax.tree_util.keystr(keys, simple=True, separator="."), leaf) for keys, leaf in leaves if _kept(leaf)
        ]
    if len(places) != len(arrays):
        raise ValueError(f"{path}: {len(arrays)} arrays in the file, {len(places)} in like: they are not of one model.")
    found = {}
    for (name, leaf), array in zip(places, arrays, strict=True):
        if array.shape != np.shape(leaf):
            raise ValueError(f"{path}, {name}: shape {array.shape} in the file, {np.shape(leaf)} in like.")
        if array.dtype.kind == "V":
            if array.dtype.itemsize != 2:
                raise ValueError(f"{path}, {name}: a type of {array.dtype.itemsize} bytes that NumPy does not know.")
            # Of the types that NumPy stores as two nameless bytes only bfloat16 is in use for parameters.
            array = (array.view("<u2").astype("<u4") << 16).view("<f4")
        found[name] = array
    return found


def _arrays(stream: BinaryIO) -> list[np.ndarray]:
    start = stream.read(len(_MAGIC))
    stream.seek(0)
    if start != _MAGIC:
        stream.readline()
    found = []
    while byte := stream.read(1):
        stream.seek(-len(byte), os.SEEK_CUR)
        found.append(np.lib.format.read_array(stream, allow_pickle=False))
    return found


def _kept(leaf: Any) -> bool:
    """Whether Equinox writes such a leaf."""
    return eqx.is_array_like(leaf) or isinstance(leaf, jax.ShapeDtypeStruct)


def _optional(library: str, path: Path) -> Any:
    try:
        return importlib.import_module(library)
    except ImportError as error:
        raise ImportError(
            f"{path} is read by the library {library}, which is not installed: pip install {library}, or save the "
            "parameters by numpy.savez."
        ) from error
