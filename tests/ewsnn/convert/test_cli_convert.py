"""``ewsnn convert``: from a file to generator, lift and read-out, and one clear line for each mistake."""

from pathlib import Path
from typing import Any

import equinox as eqx
import numpy as np
import pytest

from ewsnn.cli import main
from ewsnn.convert import convert

RNG = np.random.default_rng(0)
LRU = {name: RNG.uniform(size=3) - 2 for name in ("nu_log", "theta_log", "gamma_log")}
LRU |= {"B_re": RNG.normal(size=(3, 2)), "B_im": RNG.normal(size=(3, 2)), "D": RNG.normal(size=2)}
LRU |= {"C_re": RNG.normal(size=(2, 3)), "C_im": RNG.normal(size=(2, 3))}
# Two heads of two values, one weight: 4 channels, 4 + 2 convolved, 4 + 6 + 2 projected.
MAMBA2 = {"A_log": RNG.normal(size=2), "dt_bias": RNG.normal(size=2), "D": RNG.normal(size=2)}
MAMBA2 |= {"in_proj.weight": RNG.normal(size=(12, 3)), "conv1d.weight": RNG.normal(size=(6, 1, 2))}
MAMBA2 |= {"out_proj.weight": RNG.normal(size=(3, 4)), "norm.weight": np.ones(4)}


def call(*words: object) -> int | str | None:
    with pytest.raises(SystemExit) as ended:
        main(["convert", *map(str, words)])
    return ended.value.code


def mistake(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The one line that a mistake gives."""
    assert call(*words) not in (0, None)
    error = capsys.readouterr().err
    assert error.startswith("Error: ")
    assert error.count("\n") == 1
    return error


def store(file: Path, parameters: dict[str, Any]) -> Path:
    np.savez(file, allow_pickle=False, **parameters)
    return file


def test_a_time_invariant_model_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = store(tmp_path / "m.npz", LRU | {"input": np.ones((4, 2))})
    out = tmp_path / "out.npz"
    assert call(file, "--kind", "lru", "--leave-out", "input", "--out", out) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "lru: 1 heads of 6 letters, paths of 2 channels"
    nu, theta = np.exp(LRU["nu_log"]), np.exp(LRU["theta_log"])
    wanted = f"rates {nu.min():.4g} to {nu.max():.4g}, frequencies {theta.min():.4g} to {theta.max():.4g} "
    assert lines[1] == f"Spectrum of the generators: {wanted}for one unit of the clock"
    assert lines[2] == f"Written: {out}"
    found = convert("lru", LRU)
    with np.load(out, allow_pickle=False) as stored:
        assert set(stored.files) == {"kind", "generator", "lift", "readout.matrix", "readout.skip"}
        assert str(stored["kind"]) == "lru"
        np.testing.assert_array_equal(stored["generator"], found.generator.matrix())
        np.testing.assert_array_equal(stored["lift"], found.lift)
        # What was written is the model: its recurrence gives its outputs.
        u = np.random.default_rng(1).normal(size=(5, 2))
        states = found.generator.states(u[:, None] @ np.swapaxes(stored["lift"], 1, 2))
        outputs = np.einsum("ohm,lhm->lo", stored["readout.matrix"], states) + stored["readout.skip"][0] * u
        np.testing.assert_allclose(outputs, found.outputs(u), rtol=1e-13, atol=1e-14)


def test_a_selective_layer_of_a_whole_model_is_held_against_its_recurrence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = {f"layers.1.mixer.{name}": value for name, value in MAMBA2.items()} | {"layers.0.norm": np.ones(3)}
    file, out = store(tmp_path / "m.npz", whole), tmp_path / "out.npz"
    options = ("--option", "headdim=2", "--option", "norm_before_gate=true", "--option", "dt_limit=[0.1, 2]")
    assert call(file, "--kind", "mamba2", "--prefix", "layers.1.mixer", *options, "--out", out) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mamba2: 4 heads of 1 letters, paths of 1 channels"
    start, end = "Largest difference from the model's own recurrence: ", " of its largest state"
    assert lines[2].startswith(start)
    assert lines[2].endswith(end)
    assert float(lines[2][len(start) : -len(end)]) <= 1e-14
    with np.load(out, allow_pickle=False) as stored:
        assert stored["generator"][::2, 0, 0].tolist() == np.exp(MAMBA2["A_log"]).tolist()
        np.testing.assert_array_equal(stored["readout.out_proj"], MAMBA2["out_proj.weight"])
        assert stored["readout.dt_limit"].tolist() == [0.1, 2.0]
        assert "readout.conv_bias" not in stored.files


def test_arrays_without_names_are_given_theirs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "m.eqx"
    eqx.tree_serialise_leaves(file, tuple(LRU.values()))
    names = [word for k, name in enumerate(LRU) for word in ("--rename", f"{name}={k}")]
    assert call(file, "--kind", "lru", *names) == 0
    assert "lru: 1 heads of 6 letters" in capsys.readouterr().out


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = store(tmp_path / "m.npz", LRU)
    assert "Invalid value for '--kind': 'lstm' is not one of" in mistake(capsys, file, "--kind", "lstm")
    assert "m.npz: No such file" in mistake(capsys, tmp_path / "no" / "m.npz", "--kind", "lru").replace(
        f"No such file or directory: {tmp_path / 'no' / 'm.npz'}", "m.npz: No such file"
    )
    assert "no parameter is below 'layers.0'" in mistake(capsys, file, "--kind", "lru", "--prefix", "layers.0")
    assert "no 'input' in it, but B_im, B_re" in mistake(capsys, file, "--kind", "lru", "--leave-out", "input")
    assert "no '7' in it" in mistake(capsys, file, "--kind", "lru", "--rename", "D=7")
    assert "'--rename': wanted name=value, got 'D'" in mistake(capsys, file, "--kind", "lru", "--rename", "D")
    assert "'--option': wanted name=value" in mistake(capsys, file, "--kind", "lru", "--option", "=3")
    assert "lru has no 'disc'" in mistake(capsys, file, "--kind", "lru", "--option", "disc=zoh")
    assert "missing Lambda_re" in mistake(capsys, file, "--kind", "s5")
    assert "in a folder that exists" in mistake(capsys, file, "--kind", "lru", "--out", tmp_path / "no" / "out.npz")
    assert "in a folder that exists" in mistake(capsys, file, "--kind", "lru", "--out", tmp_path)
    store(file, LRU | {"D": np.array(["a", "b"])})
    assert "D must be numbers" in mistake(capsys, file, "--kind", "lru")


def test_a_missing_library_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "safetensors", None)
    (tmp_path / "m.safetensors").write_bytes(b"")
    assert "pip install safetensors" in mistake(capsys, tmp_path / "m.safetensors", "--kind", "lru")
