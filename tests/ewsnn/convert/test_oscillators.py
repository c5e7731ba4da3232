"""LinOSS and D-LinOSS: their EWS against plain recurrences in this file, and against released trajectories.

Kind: outside. The recurrences here run in NumPy's longdouble (80 bits on most machines) from the same binary
parameters. Tolerances: 1e-13 for oscillators that turn, as for every model of this size; 5e-12 for exceptional ones,
where eigenvalues (nearly) meet and one rounding of a step d is multiplied by the number of steps twice.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import scipy.linalg

from ewsnn.convert import LinearConverted, convert
from ewsnn.convert.blocks import Blocks, Exponents
from ewsnn.convert.oscillation import DAMPED, Oscillation, explicit, explicit_forces, implicit, implicit_damping
from ewsnn.convert.oscillators import blocks, rotations
from ewsnn.generators import Dense, Rotation

VECTORS = Path(__file__).parents[4] / "shared" / "vectors"
TURNING, EXCEPTIONAL, STEPS = 1e-13, 5e-12, 40
KINDS = ("linoss-im", "linoss-imex", "dlinoss")
Long = np.longdouble


def converted(kind: str, parameters: dict[str, Any], **options: Any) -> LinearConverted:
    found = convert(kind, parameters, **options)
    assert isinstance(found, LinearConverted)
    return found


def error(found: np.ndarray, wanted: np.ndarray) -> float:
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


# --- plain recurrences ------------------------------------------------------------------------------------------------


def matrices(name: str, A: Any, G: Any, d: Any) -> tuple[Any, Any]:
    """The transitions (2, 2, …) and drives (2, …), solved by hand from the equations of one step."""
    one = np.ones_like(d)
    if name == "DampedIM":  # z = z' + d(-A y - G z + v), y = y' + d z
        S = 1 + d * G + d * d * A
        return np.array([[1 / S, -d * A / S], [d / S, (1 + d * G) / S]]), np.array([d / S, d * d / S])
    if name == "DampedIMEX1":  # z = z' + d(-A y' - G z + v), y = y' + d z
        S = 1 + d * G
        return np.array([[1 / S, -d * A / S], [d / S, one - d * d * A / S]]), np.array([d / S, d * d / S])
    if name == "DampedIMEX2":  # z = z' + d(-A y' - G z' + v), y = y' + d z
        return np.array([[1 - d * G, -d * A], [d * (1 - d * G), 1 - d * d * A]]), np.array([d, d * d])
    return np.array([[1 - d * G, -d * A], [d, one]]), np.array([d, 0 * d])  # … y = y' + d z'


def projected(name: str, A: Any, G: Any, d: Any) -> tuple[Any, Any]:
    if name == "DampedIM":
        G = np.maximum(G, -d * A)
        return np.maximum(A, G * G / 4), G
    if name == "DampedEX":
        G = np.maximum(G, d * A)
        return np.maximum(A, G * G / 4), G
    G = np.maximum(G, 0)
    S = d * G if name == "DampedIMEX1" else -d * G
    least = np.maximum(d * d, Long(1e-6))
    return np.clip(A, (2 + S - 2 * np.sqrt(1 + S)) / least, (2 + S + 2 * np.sqrt(1 + S)) / least), G


def plain(kind: str, parameters: dict[str, Any], u: np.ndarray, name: str = "DampedIMEX1") -> tuple[Any, Any]:
    p = {key: np.asarray(value, Long) for key, value in parameters.items()}
    d = 1 / (1 + np.exp(-p["dt" if kind == "dlinoss" else "steps"]))
    if kind == "dlinoss":
        A, G = projected(name, p["A_diag"], p["G_diag"], d)
    else:
        name = {"linoss-im": "DampedIM", "linoss-imex": "DampedIMEX1"}[kind]
        A, G = np.maximum(p["A_diag"], 0), 0 * d
    M, F = matrices(name, A, G, d)
    B, C = (p[key][..., 0] + 1j * p[key][..., 1] for key in "BC")
    state, states, outputs = np.zeros((2, len(d)), np.clongdouble), [], []
    for u_j in u.astype(Long):
        state = np.einsum("ikp,kp->ip", M, state) + F * (B @ u_j)
        states.append(state.ravel())
        outputs.append((C @ state[1]).real + p["D"] * u_j)
    return np.array(states).astype(complex), np.array(outputs).astype(float)


def drawn(kind: str, P: int = 5, H: int = 2, seed: int = 0) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    shapes = {"B": (P, H, 2), "C": (H, P, 2), "D": (H,), "dt" if kind == "dlinoss" else "steps": (P,)}
    found: dict[str, Any] = {key: rng.normal(size=shape) for key, shape in shapes.items()} | {
        "A_diag": rng.uniform(0.1, 2, P)
    }
    return found | ({"G_diag": rng.uniform(0, 0.3, P)} if kind == "dlinoss" else {})


def inputs(H: int = 2) -> np.ndarray:
    return np.random.default_rng(9).normal(size=(STEPS, H))


def check(kind: str, parameters: dict[str, Any], tolerance: float, name: str = "DampedIMEX1") -> LinearConverted:
    options = {"discretisation": name} if kind == "dlinoss" else {}
    found, u = converted(kind, parameters, **options), inputs()
    states, outputs = plain(kind, parameters, u, name)
    assert error(found.states(u), states) <= tolerance
    assert error(found.outputs(u), outputs) <= tolerance
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_ews_is_the_plain_recurrence(kind: str) -> None:
    assert isinstance(check(kind, drawn(kind), TURNING).generator, Exponents)


# The step is exactly 1/2 where it is not drawn.
EXCEPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "no stiffness, little, and negative": ("linoss-im", {"A_diag": np.array([0.0, 1e-12, 1e-5, -1.0, 1e3])}),
    "the end of stability, before and behind it": (
        "linoss-imex",
        {"A_diag": np.array([16.0, 16 * (1 - 1e-5), 16 * (1 + 1e-4), 0.0, 1e-8]), "steps": np.zeros(5)},
    ),
    "stiffness clipped at both ends": (
        "dlinoss",
        {"A_diag": np.array([1e3, 30.0, 0.0, -1.0, 0.1]), "G_diag": np.array([0.5, 0.0, 0.5, 3.0, -1.0])},
    ),
    # (√1.5 - 1)²/d² is the lower end for G = 1 and d = 1/2: the sine is of the size 1e-6.
    "hardly turning": (
        "dlinoss",
        {
            "A_diag": np.append(np.full(4, 4 * (np.sqrt(1.5) - 1) ** 2 * (1 + 1e-12)), 1.0),
            "G_diag": np.ones(5),
            "dt": np.zeros(5),
        },
    ),
    "steps below a thousandth": (
        "dlinoss",
        {"dt": np.full(5, -9.0), "A_diag": np.array([0.0, 1.0, 1e6, 3e6, 1e9]), "G_diag": np.arange(5.0)},
    ),
}


@pytest.mark.parametrize("name", EXCEPTIONS)
def test_exceptional_blocks_convert(name: str) -> None:
    kind, changed = EXCEPTIONS[name]
    assert isinstance(check(kind, drawn(kind) | changed, EXCEPTIONAL).generator, Blocks)


@pytest.mark.parametrize("name", DAMPED)
def test_the_other_layers_of_the_repository_convert(name: str) -> None:
    check("dlinoss", drawn("dlinoss"), TURNING, name)
    # What is projected, and in the implicit layer negative damping that turns further than a right angle.
    wild = {"A_diag": np.array([0.1, 1e-3, 30.0, -1.0, 12.0]), "G_diag": np.array([1.0, 0.9, -9.0, 0.4, -5.0])}
    check("dlinoss", drawn("dlinoss") | wild | {"dt": np.zeros(5)}, EXCEPTIONAL, name)


def test_what_forgets_nearly_all_at_once_converts() -> None:
    """A determinant of 1e-6 and a cosine of one: -log ρ is not to be taken from 1 - dG."""
    stored = drawn("dlinoss", P=2) | {"A_diag": np.array([0.0, 1.0]), "G_diag": np.array([4 * (1 - 1e-3), 1.0])}
    check("dlinoss", stored | {"dt": np.zeros(2)}, EXCEPTIONAL, "DampedEX")


def test_the_step_may_have_the_name_that_the_later_repository_gives_it() -> None:
    stored = drawn("linoss-im")
    renamed = {"dt" if key == "steps" else key: value for key, value in stored.items()}
    found, u = converted("linoss-im", renamed), inputs()
    assert (found.states(u) == converted("linoss-im", stored).states(u)).all()


# --- identities of one step -------------------------------------------------------------------------------------------


def undone(part: np.ndarray, basis: np.ndarray) -> np.ndarray:
    """A function of the generators (P, 2, 2), in the coordinates (z, y)."""
    return basis @ part @ np.linalg.inv(basis)


def paired_matrix(part: np.ndarray) -> np.ndarray:
    """Real matrices (P, 4, 4) on pairs of letters as complex ones (P, 2, 2)."""
    return part[:, 0::2, 0::2] + 1j * part[:, 1::2, 0::2]


def judge(oscillation: Oscillation, name: str, q: Any, G: Any, d: Any, tolerance: float) -> None:
    parts = matrices(name, q.astype(Long) ** 2, G.astype(Long), d.astype(Long))
    M, F = (np.moveaxis(part, -1, 0).astype(float) for part in parts)
    turning = oscillation.squared_sine > 1e-2
    some = Oscillation(*(field[turning] for field in oscillation))
    for found, lift, basis in (blocks(oscillation, False), rotations(some)):
        these = slice(None) if len(lift) == len(q) else turning
        E, phi = paired_matrix(found.exponential()), paired_matrix(found.phi1())
        scale = np.abs(M[these]).max(axis=(1, 2), keepdims=True)
        assert (np.abs(undone(E, basis) - M[these]) / scale).max() <= tolerance
        driven = (basis @ phi @ lift[:, :, None])[..., 0]
        assert (np.abs(driven - F[these]) / np.abs(F[these]).max(axis=1, keepdims=True)).max() <= tolerance


UNPROJECTED: dict[str, Callable[..., Oscillation]] = {
    "DampedIM": implicit,
    "DampedIMEX1": implicit_damping,
    "DampedIMEX2": explicit_forces,
    "DampedEX": explicit,
}


@pytest.mark.parametrize("name", UNPROJECTED)
def test_one_step_is_the_transition(name: str) -> None:
    """e^{-A} = Abar and φ_1(-A) B = F, also where eigenvalues are real: positive, or negative and distinct."""
    rng = np.random.default_rng(3)
    d, q, G = rng.uniform(0.05, 0.95, 500), np.exp(rng.uniform(-6, 2.5, 500)), rng.uniform(0, 1, 500)
    # A block that is in the basis (z, y) far from its size in the shifted one costs digits: 1e-12 at worst.
    judge(UNPROJECTED[name](q, G, d), name, q, G, d, 1e-12)


def test_the_doubled_form_is_a_real_matrix_without_a_real_logarithm_of_its_block() -> None:
    stored = drawn("linoss-imex", P=1) | {"A_diag": np.array([16.0]), "steps": np.zeros(1)}
    found = converted("linoss-imex", stored)
    (A,) = found.generator.matrix()
    # Letters are (Re z', Im z', Re y, Im y); R = [[0, 0], [1/2, 0]], and a turn by π between real and imaginary parts.
    turn = np.array([[0, np.pi], [-np.pi, 0]])
    expected = np.block([[turn, np.zeros((2, 2))], [np.eye(2) / 2, turn]])
    assert np.abs(A - expected).max() <= 4 * np.finfo(float).eps
    assert np.abs(scipy.linalg.expm(-A) - found.generator.exponential()[0]).max() <= 1e-14


def test_a_block_that_turns_by_more_than_a_right_angle_doubles_only_beside_an_exceptional_one() -> None:
    quarter = {"A_diag": np.array([12.0, 1.0]), "steps": np.zeros(2)}
    alone = converted("linoss-imex", drawn("linoss-imex", P=2) | quarter)
    beside = converted("linoss-imex", drawn("linoss-imex", P=2) | quarter | {"A_diag": np.array([12.0, 0.0])})
    strict = converted("linoss-imex", drawn("linoss-imex", P=2) | quarter, logarithm="principal")
    turn = 2 * np.pi / 3
    for model, turns in ((alone, (-turn, turn)), (strict, (-turn, turn)), (beside, (turn - 2 * np.pi, -turn))):
        found = np.linalg.eigvals(model.generator.matrix()[0])
        both = [*turns, *(-w for w in turns)]
        assert np.abs(np.sort(found.imag) - np.sort(both)).max() <= 1e-14
        assert np.abs(found.real).max() <= 1e-14


# --- released trajectories --------------------------------------------------------------------------------------------


@pytest.mark.skipif(not VECTORS.is_dir(), reason="the trajectories of released models are not here")
@pytest.mark.parametrize(
    "name",
    [
        *(f"linoss-{rule}{size}" for rule in ("im", "imex") for size in ("", "-n128", "-edge")),
        *(f"dlinoss-{case}" for case in ("uniform", "uniform-n128", "ring", "ring-n128", "edge")),
    ],
)
def test_released_trajectories(name: str) -> None:
    with np.load(VECTORS / f"{name}_0.npz") as file:
        stored = dict(file)
    u = stored.pop("input")
    states, outputs = stored.pop("state"), stored.pop("output")
    # 80-bit trajectories where there are some: the released scan itself loses digits on defective blocks.
    precise = "state_hp" in stored
    states, outputs = stored.pop("state_hp", states), stored.pop("output_hp", outputs)
    exceptional = "edge" in name or "ring" in name
    tolerance = (EXCEPTIONAL if precise else 3e-11) if exceptional else TURNING
    kind = name if name in KINDS else name.rsplit("-", 1)[0] if name.startswith("linoss") else "dlinoss"
    found = converted(kind, stored)
    assert error(found.states(u), states) <= tolerance
    assert error(found.outputs(u), outputs) <= tolerance
    if name in ("linoss-imex-edge", "dlinoss-edge"):
        with pytest.raises(ValueError, match="no real logarithm; use the doubled form"):
            converted(kind, stored, logarithm="principal")
    else:
        strict = converted(kind, stored, logarithm="principal")
        assert error(strict.states(u), states) <= tolerance


# --- what there is no logarithm of ------------------------------------------------------------------------------------


def test_principal_refuses_negative_eigenvalues_alone() -> None:
    at = np.array([1.0, 16.0, 16 * (1 - 1e-4), 20.0, 0.0])
    stored = drawn("linoss-imex") | {"A_diag": at, "steps": np.zeros(5)}
    with pytest.raises(ValueError, match=r"no real logarithm; use the doubled form \(oscillator 1\)"):
        converted("linoss-imex", stored, logarithm="principal")
    stored["A_diag"] = np.where(at >= 16, 15.0, at)
    strict, u = converted("linoss-imex", stored, logarithm="principal"), inputs()
    assert error(strict.states(u), plain("linoss-imex", stored, u)[0]) <= EXCEPTIONAL


def changed(**arrays: Any) -> dict[str, Any]:
    return drawn("dlinoss", P=1) | {"dt": np.zeros(1)} | {key: np.array([value]) for key, value in arrays.items()}


@pytest.mark.parametrize(
    ("stored", "options", "message"),
    [
        (changed(G_diag=2.0), {"discretisation": "DampedIMEX2"}, "transition is singular: no logarithm"),
        (changed(G_diag=4.0, A_diag=0.0), {"discretisation": "DampedEX"}, "transition is singular: no logarithm"),
        (changed(G_diag=2.5), {"discretisation": "DampedIMEX2"}, "oscillator 0 .* damping times its step is 1.25"),
        (changed(dt=-1e3), {}, "the step of oscillator 0 is 0"),
        (changed(G_diag=np.nan), {}, "G_diag"),
        (changed(), {"discretisation": "IM"}, "discretisation must be one of 'DampedIMEX1', .* got 'IM'"),
        (changed(), {"logarithm": "real"}, "logarithm must be one of 'doubled', 'principal', got 'real'"),
        (changed() | {"D": np.zeros(3)}, {}, r"D must be \(H\) = \(2\), got \(3,\)"),
        ({"A_diag": np.ones(1)}, {}, "missing G_diag, dt, B, C, D"),
        (changed(A_diag=0.0, G_diag=1e60), {}, "oscillator 0 .* too large to convert"),
    ],
)
def test_errors_say_what_is_wrong(stored: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        converted("dlinoss", stored, **options)


# --- layers -----------------------------------------------------------------------------------------------------------


def test_modules_of_turning_oscillators_give_the_outputs_and_can_be_trained() -> None:
    model, u = converted("dlinoss", drawn("dlinoss", P=2)), inputs()[:9]
    module = model.module()
    assert isinstance(module.heads.layer.generator, Rotation)

    @eqx.filter_jit
    def run(module: Any, u: jax.Array) -> Any:
        loss = eqx.filter_grad(lambda module: jnp.sum(module(u, engine="sequential") ** 2))
        return module(u, engine="sequential"), loss(module)

    outputs, gradient = run(module, jnp.asarray(u))
    # A few roundings for each of nine steps.
    assert error(np.asarray(outputs), model.outputs(u)) <= 64 * np.finfo(float).eps
    leaves = jax.tree.leaves(gradient.heads)
    assert all(np.isfinite(leaf).all() and np.abs(leaf).max() > 0 for leaf in leaves)


def test_modules_of_exceptional_oscillators_have_their_matrices() -> None:
    """Not run here: general matrices take long to compile, and tests of Dense and of MultiHead do."""
    model = converted("dlinoss", drawn("dlinoss") | EXCEPTIONS["stiffness clipped at both ends"][1])
    layer = model.module().heads.layer
    assert isinstance(layer.generator, Dense)
    assert (np.asarray(layer.generator.dense) == model.generator.matrix()).all()
    assert (np.asarray(layer.lift) == model.lift).all()


def test_heads_may_be_dealt_out_otherwise() -> None:
    u = inputs()
    for stored in (drawn("dlinoss", P=4), drawn("dlinoss", P=4) | {"A_diag": np.array([1e3, 1.0, 0.5, 0.2])}):
        model = converted("dlinoss", stored)
        fewer = model.grouped(2)
        assert fewer.generator.matrix().shape == (2, 8, 8)
        assert error(fewer.states(u), model.states(u)) <= 16 * np.finfo(float).eps
        assert error(fewer.outputs(u), model.outputs(u)) <= 16 * np.finfo(float).eps
