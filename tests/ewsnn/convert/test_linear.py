"""Converted models as JAX layers: the layer, the module, and models dealt out to other heads. Kind: twin.

The NumPy side is the twin. In float64 both sum a dozen terms of size one for each of a few steps: 1e-13 of the largest.
"""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.clocks import Gated, Observation
from ewsnn.convert import LinearConverted, convert
from ewsnn.convert.readout import Coupled, Separate
from ewsnn.generators import Dense, Diagonal, Rotation

CLOSE, STEPS, H, P = 1e-13, 6, 2, 4
RNG = np.random.default_rng(0)
U = RNG.normal(size=(2, STEPS, H))


def draw(shapes: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    return {name: RNG.normal(size=shape) for name, shape in shapes.items()}


S5 = draw({"Lambda_re": (P,), "Lambda_im": (P,), "B": (P, H, 2), "C": (H, P, 2), "D": (H,), "log_step": (P, 1)})
S4 = draw({"inv_dt": (H, 1), "A_real": (H, 1), "A_imag": (H, 1), "B": (1, H, 1, 2), "C": (2, H, 1, 2)})
REAL = {name: S4[name] for name in ("inv_dt", "A_real")} | draw({"B": (1, H, 1), "C": (1, H, 1)}) | {"is_real": True}
WHOLE: Any = convert("s5", S5)
MODELS: dict[str, tuple[Any, type]] = {
    "s5": (WHOLE, Rotation),
    "s5 in two heads": (WHOLE.grouped(2), Rotation),
    "s4d": (convert("s4d", S4 | draw({"D": (2, H)})), Rotation),
    "s4d of real numbers": (convert("s4d", REAL), Diagonal),
    "s4": (convert("s4", S4 | draw({"P": (1, H, 1, 2)})), Dense),
}


def error(found: Any, wanted: np.ndarray) -> float:
    assert found.shape == wanted.shape
    return float(np.abs(np.asarray(found) - wanted).max() / np.abs(wanted).max())


@eqx.filter_jit
def value_and_gradient(module: Any, inputs: jax.Array) -> tuple[Any, Any]:
    @eqx.filter_value_and_grad(has_aux=True)
    def total(module: Any) -> tuple[jax.Array, jax.Array]:
        outputs = module(inputs)
        return jnp.sum(outputs**2), outputs

    (_, outputs), slope = total(module)
    return outputs, slope


@pytest.mark.parametrize("name", MODELS)
def test_the_layer_at_depth_one_is_the_model(name: str) -> None:
    model, family = MODELS[name]
    layer, path = model.layer(), model.increments(U)
    assert isinstance(layer.layer.generator, family)
    assert isinstance(layer.layer.clock, Observation)
    (states,) = eqx.filter_jit(layer)(path, output="all")
    assert error(states, model.ews(U)) <= CLOSE
    found = model.path(U)
    assert found.dx.shape == (2, STEPS, model.heads, model.d)
    assert (found.dtheta == np.ones((2, STEPS, model.heads))).all()


def test_a_module_starts_as_the_model_and_all_of_it_learns() -> None:
    model, _ = MODELS["s5 in two heads"]
    outputs, slope = value_and_gradient(model.module(2), jnp.asarray(U))
    assert error(outputs, model.outputs(U)) <= CLOSE
    for leaf in jax.tree.leaves(slope):
        assert bool(jnp.isfinite(leaf).all())
        # What reads the second level is zero at first, but it can be learned.
        assert bool((leaf != 0).any())


@pytest.mark.parametrize("depth", [1, 2])
def test_modules_of_separate_channels_are_the_model(depth: int) -> None:
    model, _ = MODELS["s4d"]
    outputs = eqx.filter_jit(model.module(depth))(jnp.asarray(U))
    assert error(outputs, model.outputs(U)) <= CLOSE
    assert [weight.shape[2] for weight in model.module(3).higher] == [model.m**2, model.m**3]


def test_other_clocks_change_the_states_and_each_head_has_its_own() -> None:
    model, _ = MODELS["s4d"]
    layer = model.layer(clock=Gated([0.5], 0.25))
    assert layer.layer.clock.weight.shape == (H, 1)
    (states,) = eqx.filter_jit(layer)(model.increments(U), output="all")
    head, wanted = 1, np.zeros(model.m)
    for u, found in zip(U[0, :, head], np.asarray(states)[0, :, head], strict=True):
        r = max(0.5 * u + 0.25, 0.0)
        z = r * model.generator.z[head, 0]
        decay, local = np.exp(-z), (1.0 if r == 0 else (1 - np.exp(-z)) / z)
        b = model.lift[head, 0, 0] + 1j * model.lift[head, 1, 0]
        state = decay * (wanted[0] + 1j * wanted[1]) + local * b * u
        wanted = np.array([state.real, state.imag])
        np.testing.assert_allclose(found, wanted, atol=CLOSE)


def test_models_are_dealt_out_to_heads_without_a_difference() -> None:
    whole = convert("s5", S5)
    assert isinstance(whole, LinearConverted)
    for heads in (2, 4):
        dealt = whole.grouped(heads)
        assert (dealt.heads, dealt.m, dealt.readout.matrix.shape) == (heads, 2 * P // heads, (H, heads, 2 * P // heads))
        assert error(dealt.states(U), whole.states(U)) <= CLOSE
        assert error(dealt.outputs(U), whole.outputs(U)) <= CLOSE
        assert error(dealt.grouped(1).states(U), whole.states(U)) <= CLOSE
    with pytest.raises(ValueError, match="4 blocks cannot be dealt out evenly to 3 heads"):
        whole.grouped(3)
    with pytest.raises(ValueError, match="each of the 2 channels has modes of its own and is one head; got 1 heads"):
        MODELS["s4d"][0].grouped(1)


@pytest.mark.parametrize("name", MODELS)
def test_the_read_out_in_full_reads_the_same(name: str) -> None:
    model, _ = MODELS[name]
    skip = model.readout.skip
    added = 0 if skip is None else (skip * U[..., None, :]).reshape(*U.shape[:-1], -1)
    full = np.einsum("ohm,...hm->...o", model.readout.matrix, model.ews(U)) + added
    assert error(full, model.outputs(U)) <= CLOSE
    assert isinstance(model.readout, Coupled if name.startswith("s5") else Separate)


@pytest.mark.parametrize("name", MODELS)
def test_generators_agree_with_their_exponentials(name: str) -> None:
    """The series, for matrices of a small multiple of the generator, is the oracle."""
    model, _ = MODELS[name]
    A, E, Phi = model.generator.matrix(), model.generator.exponential(), model.generator.phi1()
    fine = A / 2**10
    term, total = np.broadcast_to(np.eye(model.m), A.shape), np.zeros_like(A)
    for k in range(1, 12):
        total, term = total + term, term @ -fine / k
    # Ten squarings multiply round-off by up to a thousand.
    assert error(np.linalg.matrix_power(total, 2**10), E) <= 1e-12
    assert error(A @ Phi, np.eye(model.m) - E) <= CLOSE


def test_single_precision_where_it_is_asked_for() -> None:
    model, _ = MODELS["s5"]
    outputs = eqx.filter_jit(model.module(dtype=jnp.float32))(jnp.asarray(U, jnp.float32))
    assert outputs.dtype == jnp.float32
    assert error(outputs, model.outputs(U)) <= 1e-5  # a few dozen roundings of 6e-8, entries up to a few


WRONG = {
    "another width": (U[..., :1], r"inputs of this s5 must be \(…, steps, width\) with width 2, got \(2, 6, 1\)"),
    "no steps": (U[0, 0], "width 2, got"),
    "an infinite input": (U * np.inf, "inputs must be finite"),
}


@pytest.mark.parametrize("name", WRONG)
def test_inputs_that_do_not_fit_are_refused(name: str) -> None:
    inputs, message = WRONG[name]
    for call in (MODELS["s5"][0].states, MODELS["s5"][0].outputs, MODELS["s5"][0].path):
        with pytest.raises(ValueError, match=message):
            call(inputs)
    with pytest.raises(ValueError, match="reads 2 inputs at each step, got 1"):
        MODELS["s5"][0].module()(jnp.ones((3, 1)))
