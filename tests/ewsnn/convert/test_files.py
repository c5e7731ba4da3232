"""Readers of files of parameters: the stored numbers under their names, and nothing run. Kind: identity.

All comparisons are exact: a reader that changes one bit is wrong.
"""

import json
import pickle
import struct
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.convert.files import part, read

ARRAYS = {"A_log": np.linspace(0, 1, 6).reshape(2, 3), "n": np.array([3, -4]), "z": np.array([1 + 2j])}


class Inner(eqx.Module):
    A_diag: jax.Array
    name: str
    act: Any
    C: np.ndarray


class Model(eqx.Module):
    layers: tuple[Inner, ...]
    scale: float
    bias: jax.Array | None


def model() -> Model:
    inner = [Inner(jnp.arange(3.0) + k, "text", jax.nn.relu, np.full((2, 2), 0.1 + k)) for k in range(2)]
    return Model(tuple(inner), 0.25, None)


def same(found: dict[str, np.ndarray], wanted: dict[str, Any]) -> None:
    assert list(found) == list(wanted)
    for name, array in found.items():
        assert isinstance(array, np.ndarray)
        np.testing.assert_array_equal(array, wanted[name], strict=isinstance(wanted[name], np.ndarray))


def test_npz_gives_its_arrays(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", allow_pickle=False, **ARRAYS)
    same(read(tmp_path / "m.npz"), ARRAYS)
    same(read(str(tmp_path / "m.npz")), ARRAYS)


class Spoils:
    """An object whose unpickling leaves a trace."""

    ran = False

    def __reduce__(self) -> tuple[Any, ...]:
        return setattr, (Spoils, "ran", True)


def test_objects_are_not_unpickled(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", allow_pickle=True, A=np.array([Spoils()], dtype=object))
    with pytest.raises(ValueError, match=r"no \.npz file of plain arrays"):
        read(tmp_path / "m.npz")
    with (tmp_path / "m.eqx").open("wb") as file:
        np.save(file, np.array([Spoils()], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match=r"no \.eqx file of plain arrays"):
        read(tmp_path / "m.eqx")
    assert not Spoils.ran
    pickle.loads(pickle.dumps(Spoils()))  # the trap does work
    assert Spoils.ran


def test_eqx_has_an_order_and_a_model_gives_names(tmp_path: Path) -> None:
    file = tmp_path / "m.eqx"
    eqx.tree_serialise_leaves(file, model())
    values = [np.arange(3.0), np.full((2, 2), 0.1), np.arange(3.0) + 1, np.full((2, 2), 1.1), np.array(0.25)]
    names = ["layers.0.A_diag", "layers.0.C", "layers.1.A_diag", "layers.1.C", "scale"]
    same(read(file), {str(k): value for k, value in enumerate(values)})
    same(read(file, like=model()), dict(zip(names, values, strict=True)))
    same(read(file, like=eqx.filter_eval_shape(model)), dict(zip(names, values, strict=True)))


def test_eqx_keeps_float64_and_widens_bfloat16_behind_a_line_of_text(tmp_path: Path) -> None:
    exact = np.array([1.0, 1 + 2.0**-52])
    half = jnp.array([1.0, -2.5, 3e30], jnp.bfloat16)
    with (tmp_path / "m.eqx").open("wb") as file:
        file.write(json.dumps({"width": 2}).encode() + b"\n")
        eqx.tree_serialise_leaves(file, (exact, half))
    found = read(tmp_path / "m.eqx")
    assert found["0"].tolist() == exact.tolist()
    assert found["1"].dtype == np.float32
    assert found["1"].tolist() == np.asarray(half.astype(jnp.float32)).tolist()


def test_eqx_of_another_model_is_refused(tmp_path: Path) -> None:
    eqx.tree_serialise_leaves(tmp_path / "m.eqx", model())
    with pytest.raises(ValueError, match="5 arrays in the file, 1 in like"):
        read(tmp_path / "m.eqx", like=jnp.zeros(3))
    with pytest.raises(ValueError, match=r"layers\.1\.A_diag: shape \(3,\) in the file, \(4,\) in like"):
        read(tmp_path / "m.eqx", like=eqx.tree_at(lambda m: m.layers[1].A_diag, model(), jnp.zeros(4)))


def safetensors(header: dict[str, Any], data: bytes) -> bytes:
    """The format as it is published: the length of the header, the header, the data."""
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def test_safetensors_are_read_with_all_their_digits(tmp_path: Path) -> None:
    pytest.importorskip("safetensors")
    half = np.array([1.0, -2.5], np.float32)
    upper = (half.view(np.uint32) >> 16).astype("<u2").tobytes()
    header = {
        "b": {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]},
        "s": {"dtype": "F64", "shape": [], "data_offsets": [4, 12]},
        "n": {"dtype": "I32", "shape": [1, 2], "data_offsets": [12, 20]},
        "__metadata__": {"format": "pt"},
    }
    data = upper + struct.pack("<d", 1 + 2.0**-52) + struct.pack("<ii", 7, -8)
    (tmp_path / "m.safetensors").write_bytes(safetensors(header, data))
    found = read(tmp_path / "m.safetensors")
    same(
        dict(sorted(found.items())),
        {"b": half, "n": np.array([[7, -8]], np.int32), "s": np.array(1 + 2.0**-52)},
    )
    header = {"b": {"dtype": "F8_E4M3", "shape": [1], "data_offsets": [0, 1]}}
    (tmp_path / "m.safetensors").write_bytes(safetensors(header, b"0"))
    with pytest.raises(ValueError, match="b is of type F8_E4M3; read are F64"):
        read(tmp_path / "m.safetensors")
    (tmp_path / "m.safetensors").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match=r"is no \.safetensors file"):
        read(tmp_path / "m.safetensors")


@pytest.mark.parametrize(("library", "ending"), [("safetensors", "safetensors"), ("torch", "pt")])
def test_a_library_that_is_missing_is_named(
    library: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    (tmp_path / f"m.{ending}").write_bytes(b"")
    with pytest.raises(ImportError, match=f"read by the library {library}, which is not installed: pip install"):
        read(tmp_path / f"m.{ending}")


class Tensor:
    """What the reader asks a tensor of PyTorch."""

    def __init__(self, array: np.ndarray, dtype: str = "") -> None:
        self.array, self.dtype = array, dtype

    def detach(self) -> "Tensor":
        return self

    def float(self) -> "Tensor":
        return Tensor(self.array.astype(np.float32))

    def numpy(self) -> np.ndarray:
        return self.array


def test_torch_is_asked_for_weights_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stored: Any = {"model": {"a": Tensor(np.ones(2)), "b": Tensor(np.zeros(1), "bf16")}, "d": 3, "o": [1], "t": "zoh"}
    asked = {}

    def load(file: Path, **options: Any) -> Any:
        asked.update(options)
        if isinstance(stored, Exception):
            raise stored
        return stored

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(load=load, Tensor=Tensor, bfloat16="bf16"))
    found = read(tmp_path / "m.pt")
    assert asked == {"map_location": "cpu", "weights_only": True}
    wanted = {"model.a": np.ones(2), "model.b": np.zeros(1, np.float32), "d": np.array(3), "t": np.array("zoh")}
    same(found, wanted)
    stored = Tensor(np.ones(2))
    with pytest.raises(ValueError, match="no named tensor in it, but one Tensor"):
        read(tmp_path / "m.pth")
    stored = pickle.UnpicklingError("Weights only load failed")
    with pytest.raises(ValueError, match="PyTorch reads no weights from it: Weights only"):
        read(tmp_path / "m.bin")
    stored = FileNotFoundError("m.bin")
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "m.bin")


def test_torch_itself(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(2, 1).double()
    torch.save({"state": layer.state_dict(), "half": layer.weight.bfloat16()}, tmp_path / "m.pt")
    found = read(tmp_path / "m.pt")
    assert set(found) == {"state.weight", "state.bias", "half"}
    assert found["state.weight"].tolist() == layer.weight.tolist()
    assert found["half"].tolist() == layer.weight.bfloat16().float().tolist()
    torch.save(Spoils(), tmp_path / "m.pt")
    with pytest.raises(ValueError, match="PyTorch reads no weights"):
        read(tmp_path / "m.pt")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("m.msgpack", b"", "unknown kind of file '.msgpack'. Parameters are read from"),
        ("m", b"", "unknown kind of file ''"),
        ("m.npz", b"no archive", r"no \.npz file of plain arrays"),
        ("m.eqx", b"no arrays\nat all", r"no \.eqx file of plain arrays"),
    ],
)
def test_what_is_no_file_of_parameters_is_refused(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message):
        read(tmp_path / name)
    with pytest.raises(OSError, match=r"missing\.npz"):
        read(tmp_path / "missing.npz")


def test_a_single_array_and_a_template_for_names_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "one.npy", np.ones(2))
    (tmp_path / "one.npy").rename(tmp_path / "one.npz")
    with pytest.raises(ValueError, match="a single array without a name"):
        read(tmp_path / "one.npz")
    with pytest.raises(ValueError, match=r"like is for \.eqx files"):
        read(tmp_path / "one.npz", like={})


def test_part_takes_one_layer() -> None:
    names = {"layers__0__A_log": 1, "layers.10.A_log": 2, "layers.1.mixer.D": 3, "layers.1.A_log": 4}
    assert part(names, "layers.1") == {"mixer.D": 3, "A_log": 4}
    assert part(names, "layers__0.") == {"A_log": 1}
    with pytest.raises(
        ValueError, match=r"below 'layers\.2'; names are below: layers\.0, layers\.1, layers\.1\.mixer,"
    ):
        part(names, "layers.2")
    with pytest.raises(ValueError, match="they have no dots"):
        part({"A_log": 1}, "x")
