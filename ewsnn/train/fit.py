"""The epochs of a training run, in an order that depends on the seed alone."""

import dataclasses
import time
from collections.abc import Iterator
from typing import Any, Generic, NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

from ewsnn.data import batches
from ewsnn.paths import Increments
from ewsnn.train.checkpoint import leaf_names
from ewsnn.train.config import Config
from ewsnn.train.step import Batch, Model, Rates, State, loss, schedule, step

__all__ = ["Cases", "Epoch", "NotFinite", "epochs", "plan"]


class NotFinite(ArithmeticError):
    """Training met a number that is not finite, and stopped."""


class Cases(NamedTuple):
    """Labelled cases as the layer reads them, on the device."""

    increments: Increments
    labels: jax.Array

    def batch(self, places: npt.NDArray[Any], count: int) -> Batch:
        """Some of the cases, of which the first ``count`` count."""
        chosen = jnp.asarray(places)
        weights = jnp.asarray(np.arange(len(places)) < count, self.increments.dx.dtype)
        increments = jax.tree.map(lambda x: x[chosen], self.increments)
        return Batch(increments, self.labels[chosen], weights)


@dataclasses.dataclass(frozen=True)
class Epoch(Generic[Model]):
    """What stands at the end of a pass over the training set."""

    number: int
    state: State[Model]
    scores: dict[str, float]


def plan(cases: int, config: Config) -> tuple[int, int]:
    """How many cases a step looks at, and how many steps make an epoch.

    Args:
        cases: The number of cases to train on.
        config: The choices of the run.

    Raises:
        ValueError: If the run has more steps than the schedule of the rate can count.

    >>> plan(270, Config(batch=32))
    (32, 9)
    """
    size = min(config.batch, cases)
    steps = -(-cases // size)
    if steps * config.epochs >= 2**31:  # JAX counts them in 32 bits
        raise ValueError(
            f"epochs={config.epochs} of {steps} steps each are {steps * config.epochs} steps. Wanted less than 2**31: "
            "lower --epochs, or enlarge --batch."
        )
    return size, steps


def epochs(
    state: State[Model], train: Cases, held: Cases | None, config: Config, *, after: int = 0
) -> Iterator[Epoch[Model]]:
    """Trains, one epoch an item.

    The order of the cases in an epoch, and the features that a step drops, depend on the seed and the number of
    the epoch alone, so a run that is
    taken up ``after`` an epoch goes the way it would have gone.

    Args:
        state: Model and moments after that epoch.
        train: Cases to train on.
        held: Cases to measure the loss on, if any.
        config: The choices of the run.
        after: The number of epochs that the state has behind it.

    Yields:
        The epochs that remain. Scores are ``train_loss`` and ``train_accuracy`` (seen on the way), ``rate``,
        ``seconds`` (wall time of the epoch), and ``holdout_loss``, ``holdout_accuracy`` where cases are held.

    Raises:
        NotFinite: If a loss, a gradient or a parameter stops being finite; the message names step and leaf (a
            held-out loss has no leaf: the parameters are finite then).
            The last epoch yielded is untouched.
    """
    cases, dtype = len(train.labels), train.increments.dx.dtype
    size, steps = plan(cases, config)
    rates = schedule(steps * config.epochs, config.rate, config.warmup)
    constants = Rates(*(jnp.asarray(x, dtype) for x in (0, config.decay, config.smoothing, config.dropout)))
    for_order, for_dropout = jax.random.split(jax.random.key(config.seed))
    for number in range(after + 1, config.epochs + 1):
        began = time.perf_counter()
        order = np.asarray(jax.random.permutation(jax.random.fold_in(for_order, number), cases))
        total = hits = rate = 0.0
        for place, (chosen, count) in enumerate(batches(cases, size)):
            taken = (number - 1) * steps + place
            rate = float(np.asarray(rates(taken)))
            now = constants._replace(learning=jnp.asarray(rate, dtype))
            key = jax.random.fold_in(for_dropout, taken)
            following, report = step(state, train.batch(order[chosen], count), now, key)
            if not (np.isfinite(report.loss) and report.finite.all()):
                raise NotFinite(_complaint(state, report.loss, report.finite, taken + 1, number))
            state, total, hits = following, total + float(report.loss), hits + float(report.hits)
        scores = {"train_loss": total / cases, "train_accuracy": hits / cases, "rate": rate}
        if held is not None:
            scores |= _measure(state, held, constants, number, steps)
        yield Epoch(number, state, scores | {"seconds": time.perf_counter() - began})


def _measure(state: State, held: Cases, rates: Rates, number: int, steps: int) -> dict[str, float]:
    count = len(held.labels)
    _, (total, hits) = _loss(state.model, held.batch(np.arange(count), count), rates)
    if not np.isfinite(total):  # though every parameter is finite: what was not trained on may overflow
        raise NotFinite(
            f"Training stopped after step {number * steps} (epoch {number}): the loss of the held-out cases is "
            f"{float(total)}, with all parameters finite. A lower rate may help; or a held-out series is far outside "
            "the training set's range."
        )
    return {"holdout_loss": float(total) / count, "holdout_accuracy": float(hits) / count}


_loss = eqx.filter_jit(loss)


def _complaint(state: State, value: jax.Array, finite: jax.Array, taken: int, number: int) -> str:
    names = leaf_names(eqx.filter(state.model, eqx.is_inexact_array))
    bad = [name for name, good in zip(names, np.asarray(finite), strict=True) if not good]
    what = f"the loss is {float(value)}" if not np.isfinite(value) else "the gradient is not finite"
    where = f"; first leaf whose gradient is not finite: {bad[0]}" if bad else ""
    return f"Training stopped at step {taken} (epoch {number}): {what}{where}. A lower rate may help."
