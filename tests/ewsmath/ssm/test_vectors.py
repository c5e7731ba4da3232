"""Released models: our recurrences against their stored trajectories, and their conversions certified.

The stored states are float64 results of the releases' own code, some recomputed in 80 bits. Tolerances are those of
float64: a few times 1e-15 for a recurrence that adds up a few terms of the size of the state; more where stated.
"""

from pathlib import Path
from typing import Any

import pytest

from ewsmath import Balls, exact, to_numpy
from ewsmath.ssm import (
    LRU,
    S4,
    S4D,
    S5,
    S6,
    AbstractModel,
    Conversion,
    DLinOSS,
    LinOSS,
    Mamba1,
    Mamba2,
    MultiScaleRetention,
    Recurrence,
    distance,
)

np = pytest.importorskip("numpy")
VECTORS = Path(__file__).parents[4] / "shared" / "vectors"
pytestmark = pytest.mark.skipif(not VECTORS.is_dir(), reason="the stored trajectories are not at hand")

BITS = Balls(160)
STEPS = 2


def load(name: str) -> dict[str, Any]:
    with np.load(VECTORS / f"{name}_0.npz") as stored:
        return {key: value if value.ndim else value.item() for key, value in dict(stored).items()}


def of(z: dict[str, Any], *names: str) -> list[Any]:
    return [exact(z[name]) for name in names]


def transforms(z: dict[str, Any]) -> dict[str, str]:
    return {name: z[name] for name in ("dt_transform", "real_transform", "imag_transform")}


def s4d(z: dict[str, Any]) -> AbstractModel:
    return S4D.from_release(*of(z, "inv_dt", "A_real", "A_imag", "B", "C"), disc=z["disc"], **transforms(z))


def s5(z: dict[str, Any]) -> AbstractModel:
    options = {name: z[name] for name in ("conj_sym", "clip_eigs", "discretisation")}
    arrays = of(z, "Lambda_re", "Lambda_im", "B", "C", "D", "log_step")
    return S5.from_release(*arrays, step_rescale=exact(z["step_rescale"]), **options)


def s4(z: dict[str, Any]) -> AbstractModel:
    arrays = of(z, "inv_dt", "A_real", "A_imag", "B", "P", "C")
    return S4.from_release(*arrays, l_kernel=z["l_kernel"], **transforms(z))


S6_NAMES = ("A_log", "D", "x_proj__weight", "dt_proj__weight", "dt_proj__bias")


def mamba1(z: dict[str, Any]) -> AbstractModel:
    names = {"in_proj": "in_proj__weight", "conv1d_weight": "conv1d__weight"}
    names |= {"conv1d_bias": "conv1d__bias", "out_proj": "out_proj__weight"}
    return Mamba1(*of(z, *S6_NAMES), **{key: exact(z[name]) for key, name in names.items()})


def mamba2(z: dict[str, Any]) -> AbstractModel:
    names = ["A_log", "dt_bias", "D", "in_proj__weight", "conv1d__weight", "conv1d__bias"]
    arrays = of(z, *names, "norm__weight", "out_proj__weight")
    return Mamba2(*arrays, headdim=z["headdim"], ngroups=z["ngroups"])


MODELS = {
    "s4d": s4d,
    "s4d-legs": s4d,
    "s4d-bilinear": s4d,
    "s4dmin": lambda z: S4D.from_minimal_release(*of(z, "log_dt", "log_A_real", "A_imag", "C", "D")),
    "s5": s5,
    "s5-bilinear": s5,
    "lru": lambda z: LRU.from_release(*of(z, "nu_log", "theta_log", "gamma_log", "B_re", "B_im", "C_re", "C_im", "D")),
    "s4": s4,
    "s4-ctilde": s4,
    "s6": lambda z: S6(*of(z, *S6_NAMES)),
    "mamba1": mamba1,
    "mamba2": mamba2,
    "retention": lambda z: MultiScaleRetention(
        *of(z, "q_proj__weight", "k_proj__weight", "v_proj__weight", "angle", "decay")
    ),
}
OSCILLATORS = ["linoss-im", "linoss-imex", "linoss-im-edge", "linoss-imex-edge"]
DAMPED = ["dlinoss-ring", "dlinoss-uniform", "dlinoss-edge"]


def oscillators(name: str, z: dict[str, Any], form: str = "auto") -> AbstractModel:
    arrays = of(z, "A_diag", *(["G_diag", "dt"] if name in DAMPED else ["steps"]), "B", "C", "D")
    if name in DAMPED:
        return DLinOSS(*arrays, form=form)
    return LinOSS.from_release(*arrays, discretisation="IMEX" if "imex" in name else "IM", form=form)


def one_channel(z: dict[str, Any]) -> dict[str, Any]:
    """The first channel of an S4 model alone: wide logarithms take their time."""
    z |= {key: z[key][:1] for key in ("inv_dt", "A_real", "A_imag")}
    z |= {key: z[key][:, :1] for key in ("B", "P", "C", "input", "state", "output")}
    return z


def error(found: Any, stored: Any) -> float:
    stored = np.asarray(stored[:STEPS]).reshape(STEPS, -1)
    return np.abs(to_numpy(found) - stored).max() / np.abs(stored).max()


def check(model: AbstractModel, inputs: Any, states: Any, outputs: Any, tolerance: float) -> None:
    vectors = exact(inputs[:STEPS])
    own = Recurrence(model, BITS).run(vectors)
    assert error(own.states, states) < tolerance
    assert error(own.outputs, outputs) < tolerance
    found = distance(Conversion(model, BITS), vectors)
    assert not found.refuted
    assert found.holds(30)


@pytest.mark.parametrize("name", MODELS)
def test_recurrences_are_those_of_the_releases(name: str) -> None:
    z = load(name)
    if name.startswith("s4") and "P" in z:
        z = one_channel(z)
        z["state"] = np.concatenate([z["state"], z["state"].conj()], axis=-1)  # stored is the first half
    # Up to 16 products are summed in float64: 50 eps. For "ctilde" the release recovers C in float64 from its product
    # with I - Abar^128, which costs two digits: 1000 eps.
    eps = (1000 if name == "s4-ctilde" else 50) * 2.0**-52
    check(MODELS[name](z), z["input"], z["state"], z["output"], eps)


@pytest.mark.parametrize("name", OSCILLATORS + DAMPED)
def test_oscillators_are_those_of_the_releases(name: str) -> None:
    z = load(name)
    # The 80-bit states were rounded to float64; double eigenvalues cost a digit: 100 eps.
    check(oscillators(name, z), z["input"], z["state_hp"], z["output_hp"], 100 * 2.0**-52)


@pytest.mark.parametrize("name", OSCILLATORS + DAMPED)
def test_a_strict_converter_refuses_the_edges(name: str) -> None:
    reason = oscillators(name, load(name), form="real").obstacle()
    assert (reason is not None) == (name in ("linoss-imex-edge", "dlinoss-edge"))


def test_the_intermediates_of_the_mamba_releases() -> None:
    z = load("mamba2")
    gate = mamba2(z).gates(BITS, exact(z["input"][:2]))[1]  # type: ignore[attr-defined]
    parts = [(gate.x, "ssm_x"), (gate.delta, "ssm_dt"), (gate.B[0], "ssm_B"), (gate.C[0], "ssm_C")]
    for found, name in parts:
        stored = z[name][1]
        assert np.abs(to_numpy(found) - stored).max() < 50 * 2.0**-52 * np.abs(stored).max()
