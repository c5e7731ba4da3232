"""Checkpoints keep every array bit for bit, and a bad file is refused by name."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from ewsnn.train import checkpoint
from ewsnn.train.document import COUNT


def tree(scale: float = 1.0, width: int = 3) -> dict[str, Any]:
    weights = {"w": scale * jnp.arange(float(width)), "one": scale * jnp.ones((1, 1))}
    return {
        "weights": weights,
        "optimiser": optax.adamw(1e-3).init(weights),
        "nothing": jnp.zeros((0, 3)),
        "scalar": scale * jnp.array(2.5),
        "count": np.int64(3),
        "flags": np.array([True, False]),
        "half": jnp.array([scale], jnp.float16),
        "complex": jnp.array([1 + 2j * scale]),
        "key": jax.random.key(int(scale)),
        "name": "no array: kept from the tree that is loaded into",
    }


def leaves(value: Any) -> list[Any]:
    arrays = [x for x in jax.tree.leaves(value) if not isinstance(x, str)]
    return [np.asarray(jax.random.key_data(x) if jnp.issubdtype(x.dtype, jax.dtypes.prng_key) else x) for x in arrays]


def test_every_leaf_comes_back_with_its_shape_dtype_and_bits(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    checkpoint.save(file, tree(2.0), {"epoch": 7})
    back = checkpoint.load(file, tree(1.0))
    assert jax.tree.structure(back) == jax.tree.structure(tree())
    for x, y in zip(leaves(back), leaves(tree(2.0)), strict=True):
        assert x.dtype == y.dtype
        assert x.shape == y.shape
        assert x.tobytes() == y.tobytes()
    assert type(back["count"]) is np.int64
    assert jax.random.uniform(back["key"]) == jax.random.uniform(jax.random.key(2))
    assert checkpoint.read_metadata(file) == {"epoch": 7}
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


def test_numpy_alone_reads_names_values_and_metadata(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a.npz", tree(), {"epoch": 7})
    program = (
        "import json, sys, numpy\n"
        f"file = numpy.load({str(tmp_path / 'a.npz')!r}, allow_pickle=False)\n"
        "metadata = json.loads(str(file['__metadata__']))\n"
        "print(json.dumps([metadata, file['weights.w'].tolist(), 'jax' in sys.modules]))"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert json.loads(output) == [{"epoch": 7}, [0.0, 1.0, 2.0], False]


def test_an_array_that_is_the_whole_tree_is_kept(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a.npz", jnp.array(4.0))
    assert checkpoint.load(tmp_path / "a.npz", jnp.array(0.0)) == 4


@pytest.mark.parametrize(
    ("like", "said"),
    [
        (tree(width=4), r"leaf optimiser\.0\.mu\.w: shape \(3,\) in the file, \(4,\) in the model"),
        (tree() | {"scalar": jnp.zeros((1,))}, r"leaf scalar: shape \(\) in the file, \(1,\) in the model"),
        (tree() | {"scalar": jnp.float32(1)}, "leaf scalar: float64 in the file, float32 in the model"),
        (tree() | {"more": jnp.zeros(1)}, "no leaf more"),
        ({"scalar": jnp.zeros(())}, "no place for its leaf complex"),
    ],
)
def test_another_structure_is_refused_by_leaf(tmp_path: Path, like: Any, said: str) -> None:
    checkpoint.save(tmp_path / "a.npz", tree())
    with pytest.raises(ValueError, match=said) as caught:
        checkpoint.load(tmp_path / "a.npz", like)
    assert "a.npz" in str(caught.value)


@pytest.mark.parametrize("cut", [1, 10, 200])
def test_a_file_that_was_cut_off_is_refused(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "a.npz"
    checkpoint.save(file, tree())
    file.write_bytes(file.read_bytes()[:-cut])
    with pytest.raises(ValueError, match=r"a\.npz: no whole checkpoint"):
        checkpoint.load(file, tree())


def test_a_flipped_bit_is_seen(tmp_path: Path) -> None:
    checkpoint.save(tmp_path / "a.npz", {"w": jnp.arange(1000.0)})
    content = bytearray((tmp_path / "a.npz").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "a.npz").write_bytes(content)
    with pytest.raises(ValueError, match="no whole checkpoint"):
        checkpoint.load(tmp_path / "a.npz", {"w": jnp.zeros(1000)})


def test_pickled_content_is_never_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(tmp_path / "sprung"),)

    np.savez(tmp_path / "a.npz", __metadata__=np.array("{}"), w=np.array([Trap()], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="no whole checkpoint"):
        checkpoint.load(tmp_path / "a.npz", {"w": jnp.zeros(1)})
    assert not (tmp_path / "sprung").exists()


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no such checkpoint"):
        checkpoint.read_metadata(tmp_path / "none.npz")
    np.save(tmp_path / "plain.npy", np.ones(3))
    np.savez(tmp_path / "plain.npz", np.ones(3))
    (tmp_path / "page.npz").write_text("<html>")
    for name in ("plain.npy", "plain.npz", "page.npz"):
        with pytest.raises(ValueError, match=f"{name}: no whole checkpoint"):
            checkpoint.read_metadata(tmp_path / name)


def test_metadata_of_another_kind_are_refused_by_file_and_key(tmp_path: Path) -> None:
    file = tmp_path / "a.npz"
    checkpoint.save(file, jnp.array(1.0), {"channels": "x"})
    assert checkpoint.read_metadata(file) == {"channels": "x"}
    with pytest.raises(ValueError, match=r"a\.npz, metadata, key 'channels': wanted a whole number .*, found \"x\""):
        checkpoint.read_metadata(file, {"channels": COUNT})
    with pytest.raises(ValueError, match=r"a\.npz, metadata: its key 'classes' is missing"):
        checkpoint.read_metadata(file, {"classes": COUNT})
    np.savez(file, __metadata__=np.array("[1"))
    with pytest.raises(ValueError, match=r"a\.npz, metadata: no JSON"):
        checkpoint.read_metadata(file)


def test_a_save_that_fails_leaves_the_former_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.npz"
    checkpoint.save(file, jnp.array(1.0))

    def full(descriptor: int) -> None:
        raise OSError("disk full")

    monkeypatch.setattr(checkpoint.os, "fsync", full)
    with pytest.raises(OSError, match="disk full"):
        checkpoint.save(file, jnp.array(2.0))
    assert checkpoint.load(file, jnp.array(0.0)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.npz"]


SAVE = """
import sys, jax, jax.numpy as jnp
from jax.sharding import Mesh, NamedSharding, PartitionSpec
from ewsnn.train import checkpoint
mesh = Mesh(jax.devices(), "all")
w = jax.device_put(jnp.arange(16.0), NamedSharding(mesh, PartitionSpec("all")))
if sys.argv[2] == "save":
    checkpoint.save(sys.argv[1], {"w": w})
else:
    print(checkpoint.load(sys.argv[1], {"w": w})["w"].tolist())
"""


@pytest.mark.parametrize(("first", "second"), [(8, 1), (1, 8)])
def test_the_number_of_devices_may_change(tmp_path: Path, first: int, second: int) -> None:
    file = str(tmp_path / "a.npz")

    def run(devices: int, what: str) -> str:
        flags = {"XLA_FLAGS": f"--xla_force_host_platform_device_count={devices}", "JAX_PLATFORMS": "cpu"}
        program = [sys.executable, "-c", SAVE, file, what]
        return subprocess.run(program, env=os.environ | flags, capture_output=True, text=True, check=True).stdout

    run(first, "save")
    assert json.loads(run(second, "load")) == list(range(16))
