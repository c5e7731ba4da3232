"""One step of AdamW on a batch: loss, gradient, update, and what was not finite."""

from typing import Any, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, Bool, Float, Int

from ewsnn.models import EWSClassifier
from ewsnn.paths import Increments

__all__ = ["Batch", "Report", "State", "loss", "schedule", "step"]

_ADAM = optax.scale_by_adam()


class State(NamedTuple):
    """What training changes: the model, and the moments of its gradient."""

    model: EWSClassifier
    moments: optax.OptState

    @classmethod
    def start(cls, model: EWSClassifier) -> "State":
        """A model that no step has changed yet."""
        return cls(model, _ADAM.init(eqx.filter(model, eqx.is_inexact_array)))


class Batch(NamedTuple):
    """Cases, and the places of those that a step looks at. A place that only fills up has weight 0."""

    increments: Increments
    labels: Int[Array, " cases"]
    places: Int[Array, " batch"]
    weights: Float[Array, " batch"]


class Report(NamedTuple):
    """What a step saw: summed loss and hits, and for each leaf whether gradient and new value are finite."""

    loss: Float[Array, ""]
    hits: Float[Array, ""]
    finite: Bool[Array, " leaves"]


def schedule(steps: int, rate: float, warmup: float) -> optax.Schedule:
    r"""The learning rate of each step: linear from 0 to ``rate``, then a cosine back to 0.

    Args:
        steps: All steps of the run.
        rate: The highest rate.
        warmup: The share of the steps in which the rate grows.
    """
    rising = round(warmup * steps)
    # The first step is number 0; its rate must not be 0, or a run of one step would learn nothing.
    falling = optax.cosine_decay_schedule(rate, max(steps - rising, 1))
    rise = optax.linear_schedule(rate / (rising + 1), rate, max(rising, 1))
    return optax.join_schedules([rise, falling], [rising])


def loss(
    model: EWSClassifier, batch: Batch, smoothing: Float[Array, ""]
) -> tuple[Float[Array, ""], tuple[Float[Array, ""], Float[Array, ""]]]:
    r"""The weighted mean of the smoothed cross-entropy; beside it the weighted sums of loss and hits.

    .. math:: -\sum_k \Bigl((1-ε)\,[k = y] + \frac{ε}{K}\Bigr) \log p_k

    Args:
        model: The classifier.
        batch: The cases.
        smoothing: ε, the share of the target that is spread over all K classes.
    """
    increments: Increments = jax.tree.map(lambda x: x[batch.places], batch.increments)
    labels = batch.labels[batch.places]
    logits = model(increments)
    target = optax.smooth_labels(jax.nn.one_hot(labels, logits.shape[-1], dtype=logits.dtype), smoothing)
    losses = batch.weights * optax.softmax_cross_entropy(logits, target)
    hits = batch.weights * (jnp.argmax(logits, axis=-1) == labels)
    return jnp.sum(losses) / jnp.sum(batch.weights), (jnp.sum(losses), jnp.sum(hits))


@eqx.filter_jit
def step(
    state: State, batch: Batch, rate: Float[Array, ""], decay: Float[Array, ""], smoothing: Float[Array, ""]
) -> tuple[State, Report]:
    r"""One step of AdamW, the decay acting on the weights of the read-out alone.

    .. math:: p ← p - η\,(\hat m / (\sqrt{\hat v} + ε) + λ p)

    Rates come as arrays, so that one trace serves all steps.

    Args:
        state: Model and moments.
        batch: The cases.
        rate: η.
        decay: λ.
        smoothing: The share of the target that is spread over all classes.

    Returns:
        The next state, and what was seen. A caller keeps the former state if something was not finite.
    """
    (_, (total, hits)), gradient = eqx.filter_value_and_grad(loss, has_aux=True)(
        state.model, batch, smoothing
    )
    # JAX's gradient of a real function of complex numbers is the conjugate of the direction of ascent.
    gradient = jax.tree.map(jnp.conj, gradient)
    update, moments = _ADAM.update(gradient, state.moments)
    update = eqx.tree_at(readout, update, replace_fn=lambda u: u + decay * readout(state.model))
    model = eqx.apply_updates(state.model, jax.tree.map(lambda u: -rate * u, update))
    finite = [
        jnp.all(jnp.isfinite(g)) & jnp.all(jnp.isfinite(p))
        for g, p in zip(_inexact(gradient), _inexact(model), strict=True)
    ]
    return State(model, moments), Report(total, hits, jnp.stack(finite))


def readout(model: EWSClassifier) -> Float[Array, "..."]:
    """The weights that decay: those of the linear read-out."""
    return model.weight


def _inexact(tree: Any) -> list[Array]:
    return jax.tree.leaves(eqx.filter(tree, eqx.is_inexact_array))
