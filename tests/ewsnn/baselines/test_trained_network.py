"""Trained networks as EWS. Oracle: the networks themselves."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from jaxtyping import Array

from ewsnn.baselines import LSTM, S5, Classifier, LinOSSIM, converted, read
from ewsnn.baselines.layer import AbstractLayer
from ewsnn.paths import Increments

KEY = jax.random.key(0)
LAYERS: dict[str, Callable[[Array], AbstractLayer]] = {
    "linoss-im": lambda key: LinOSSIM.init(key, 4, 3),
    "s5": lambda key: S5.init(key, 4, 4, blocks=2),
}


def series(cases: int) -> tuple[Increments, Array]:
    """Noise around a slow or a fast wave, of unequal lengths, and which of the two it is."""
    rng = np.random.default_rng(0)
    labels = np.arange(cases) % 2
    grid = np.arange(12)[None] * np.where(labels, 2.2, 0.4)[:, None] + rng.uniform(0, 6, (cases, 1))
    values = np.stack([np.sin(grid), np.cos(grid)], axis=-1) + 0.1 * rng.normal(size=(cases, 12, 2))
    return read(jnp.asarray(values), jnp.asarray(12 - np.arange(cases) % 4)), jnp.asarray(labels)


def trained(
    network: Classifier, increments: Increments, labels: Array, steps: int, rate: float
) -> tuple[Classifier, list[float]]:
    """The network after some steps of Adam on all cases, and the losses on the way."""
    optimiser = optax.adam(rate)
    moving, fixed = eqx.partition(network, network.trainable())
    state = optimiser.init(moving)

    def loss(moving: Classifier) -> Array:
        logits = eqx.combine(moving, fixed)(increments)
        return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(logits, labels))

    @jax.jit
    def step(moving: Classifier, state: optax.OptState) -> tuple[Classifier, optax.OptState, Array]:
        value, gradient = jax.value_and_grad(loss)(moving)
        updates, state = optimiser.update(gradient, state)
        return eqx.apply_updates(moving, updates), state, value

    losses = []
    # Optax counts its steps in integers.
    with jax.numpy_dtype_promotion("standard"):
        for _ in range(steps):
            moving, state, value = step(moving, state)
            losses.append(value.item())
    return eqx.combine(moving, fixed), losses


@pytest.mark.parametrize("kind", LAYERS)
def test_a_trained_network_converts_with_the_same_logits_and_learns_on_deeper(kind: str) -> None:
    increments, labels = series(16)
    network = Classifier.init(KEY, LAYERS[kind], channels=2, classes=2, blocks=1, dropout=0.0).calibrated(increments)
    network, losses = trained(network, increments, labels, 120, 1e-2)
    # It has learnt: a guess costs log 2 = 0.69.
    assert np.isfinite(losses).all()
    assert losses[-1] < 0.35 < losses[0]
    outputs = eqx.filter_jit(lambda network: network(increments))
    logits = outputs(network)
    np.testing.assert_allclose(outputs(converted(network)), logits, rtol=0, atol=1e-13 * np.abs(logits).max())
    # Level two is not read at first, so training goes on where it was.
    deeper = converted(network, depth=2)
    np.testing.assert_allclose(outputs(deeper), logits, rtol=0, atol=1e-13 * np.abs(logits).max())
    deeper, more = trained(deeper, increments, labels, 5, 1e-3)
    assert more[-1] < more[0]
    assert all(jnp.abs(block.layer.higher[0]).max() > 0 for block in deeper.stack.blocks)  # pyright: ignore


def test_what_is_no_ews_and_what_has_been_converted_is_refused() -> None:
    network = Classifier.init(KEY, lambda key: LSTM.init(key, 4), channels=2, classes=2, blocks=1)
    with pytest.raises(ValueError, match="is no EWS"):
        converted(network)
    once = converted(Classifier.init(KEY, LAYERS["linoss-im"], channels=2, classes=2, blocks=1))
    with pytest.raises(ValueError, match="has been converted already"):
        converted(once)
