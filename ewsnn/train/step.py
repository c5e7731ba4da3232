"""One step of AdamW on a batch: loss, gradient, update, and what was not finite."""

from typing import Any, Generic, NamedTuple, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, Bool, Float, Int, Key

from ewsnn.models import AbstractClassifier
from ewsnn.paths import Increments

__all__ = ["Batch", "Rates", "Report", "State", "ascent", "loss", "moments_of", "schedule", "step"]

_ADAM = optax.scale_by_adam()

Model = TypeVar("Model", bound=AbstractClassifier)


class State(eqx.Module, Generic[Model]):
    """What training changes: the model, and the moments of its gradient."""

    model: Model
    moments: optax.OptState

    @classmethod
    def start(cls, model: Model) -> "State[Model]":
        """A model that no step has changed yet."""
        return State(model, moments_of(eqx.filter(model, eqx.is_inexact_array)))


class Batch(NamedTuple):
    """Cases that a step looks at. One that only fills the batch up has weight 0."""

    increments: Increments
    labels: Int[Array, " batch"]
    weights: Float[Array, " batch"]


class Rates(NamedTuple):
    """The numbers that govern a step, as arrays, so that one trace serves all their values.

    Args:
        learning: The learning rate η.
        decay: The weight decay λ of the read-out.
        smoothing: The share ε of the target that is spread over all classes.
        dropout: The share of the features that a step does not see.
    """

    learning: Float[Array, ""]
    decay: Float[Array, ""]
    smoothing: Float[Array, ""]
    dropout: Float[Array, ""]


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
    model: AbstractClassifier, batch: Batch, rates: Rates, key: Key[Array, ""] | None = None
) -> tuple[Float[Array, ""], tuple[Float[Array, ""], Float[Array, ""]]]:
    r"""The weighted mean of the smoothed cross-entropy; beside it the weighted sums of loss and hits.

    .. math:: -\sum_k \Bigl((1-ε)\,[k = y] + \frac{ε}{K}\Bigr) \log p_k

    Args:
        model: The classifier.
        batch: The cases.
        rates: What governs the step.
        key: Chooses the features that are dropped, anew for each case; None drops none.
    """
    value, (total, hits, _) = _seen(model, batch, rates, key)
    return value, (total, hits)


def _seen(
    model: AbstractClassifier, batch: Batch, rates: Rates, key: Key[Array, ""] | None
) -> tuple[Float[Array, ""], tuple[Float[Array, ""], Float[Array, ""], AbstractClassifier]]:
    """The loss, and the model with what it remembers of the batch."""
    if key is None:
        features = model.standardised(batch.increments)
    else:
        features, model = model.in_training(batch.increments, batch.weights, jax.random.fold_in(key, 1))
        # Kept features grow by as much as the dropped ones take away, on average.
        kept = jax.random.bernoulli(key, 1 - rates.dropout, features.shape)
        features = jnp.where(kept, features / (1 - rates.dropout), 0)
    logits = model.read_out(features)
    target = optax.smooth_labels(jax.nn.one_hot(batch.labels, logits.shape[-1], dtype=logits.dtype), rates.smoothing)
    losses = batch.weights * optax.softmax_cross_entropy(logits, target)
    hits = jnp.where(jnp.argmax(logits, axis=-1) == batch.labels, batch.weights, 0)
    return jnp.sum(losses) / jnp.sum(batch.weights), (jnp.sum(losses), jnp.sum(hits), model)


@eqx.filter_jit
def step(state: State[Model], batch: Batch, rates: Rates, key: Key[Array, ""]) -> tuple[State[Model], Report]:
    r"""One step of AdamW, the decay acting on the weights of the read-out alone.

    .. math:: p ← p - η\,(\hat m / (\sqrt{\hat v} + ε) + λ p)

    Args:
        state: Model and moments.
        batch: The cases.
        rates: What governs the step.
        key: Chooses the features that are dropped.

    Returns:
        The next state, and what was seen. A caller keeps the former state if something was not finite.
    """
    (_, (total, hits, seen)), gradient = eqx.filter_value_and_grad(_seen, has_aux=True)(state.model, batch, rates, key)
    update, moments = ascent(gradient, state.moments)
    update = eqx.tree_at(lambda m: m.weight, update, update.weight + rates.decay * state.model.weight)
    model = eqx.apply_updates(state.model, jax.tree.map(lambda u: -rates.learning * u, update))
    # What is not trained, such as statistics of batches, is as the loss left it.
    trained = model.trainable()
    model = eqx.combine(eqx.filter(model, trained), eqx.filter(seen, trained, inverse=True))
    finite = [
        jnp.all(jnp.isfinite(g)) & jnp.all(jnp.isfinite(p))
        for g, p in zip(_inexact(gradient), _inexact(model), strict=True)
    ]
    return State(model, moments), Report(total, hits, jnp.stack(finite))


def moments_of(parameters: Any) -> optax.OptState:
    """The moments before the first step: zeros.

    Args:
        parameters: A tree of arrays.
    """
    return _ADAM.init(parameters)


def ascent(gradient: Any, moments: optax.OptState) -> tuple[Any, optax.OptState]:
    r"""Adam's direction of ascent, :math:`\hat m / (\sqrt{\hat v} + ε)`, and the next moments.

    Args:
        gradient: The gradient of a real function, as JAX gives it.
        moments: The moments so far.
    """
    # JAX's gradient with respect to complex numbers is the conjugate of the direction of ascent.
    conjugate = jax.tree.map(jnp.conj, gradient)
    # optax mixes types (a float raised to a count), also where its user has forbidden that for all else.
    with jax.numpy_dtype_promotion("standard"):
        return _ADAM.update(conjugate, moments)


def _inexact(tree: Any) -> list[Array]:
    return jax.tree.leaves(eqx.filter(tree, eqx.is_inexact_array))
