"""The single-layer SLiCE of the UEA archive. Oracles: the published parameter counts, and the model written out."""

from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments
from ewsnn.affine import Affine
from ewsnn.slices import BD, DDE, DE, DPLR, WH, AbstractStructure, D, LogODE, S, SLiCEClassifier, SLiCELayer

EPS = float(np.finfo(np.float64).eps)
KEY = jax.random.key(0)
Draw = Callable[[int, int], AbstractStructure]

# Channels with the time, rows, classes.
DATA_SETS = {
    "EigenWorms": (7, 128, 5),
    "Ethanol": (4, 64, 4),
    "Heartbeat": (62, 16, 2),
    "Motor": (64, 16, 2),
    "SCP1": (6, 64, 2),
    "SCP2": (7, 128, 2),
}
STRUCTURES: dict[str, Draw] = {
    "DE": lambda d, h: DE.init(KEY, d, h),
    "D-DE": lambda d, h: DDE.init(KEY, d, h, block=16),
    "BD": lambda d, h: BD.init(KEY, d, h, block=4),
    "D": lambda d, h: D.init(KEY, d, h),
    "WH": lambda d, h: WH.init(KEY, d, h),
    "DPLR": lambda d, h: DPLR.init(KEY, d, h, rank=4),
}
# The first three rows are published; the others are derived in the same way.
COUNTS = {
    "DE": (116_357, 16_964, 16_914, 17_458, 25_154, 115_970),
    "D-DE": (4245, 1796, 16_914, 17_458, 2402, 3858),
    "BD": (5253, 1604, 5010, 5170, 2114, 4866),
    "D": (2565, 836, 2034, 2098, 962, 2178),
    "WH": (2565, 836, 2034, 2098, 962, 2178),
    "DPLR": (9733, 2884, 9970, 10_290, 4034, 9346),
}
SPARSE = {"Ethanol": 2218, "Heartbeat": 2629, "Motor": 2712, "SCP1": 3036, "EigenWorms": 13_138, "SCP2": 12_751}


def parameters(shapes: SLiCEClassifier) -> int:
    return sum(leaf.size for leaf in jax.tree.leaves(shapes) if jnp.issubdtype(leaf.dtype, jnp.floating))


@pytest.mark.parametrize("name", STRUCTURES)
def test_parameter_counts_are_the_published_ones(name: str) -> None:
    found = []
    for d, h, classes in DATA_SETS.values():

        def made(d: int = d, h: int = h, classes: int = classes) -> SLiCEClassifier:
            return SLiCEClassifier.init(KEY, LogODE(STRUCTURES[name](d, h), 2, 4), classes)

        found.append(parameters(eqx.filter_eval_shape(made)))
    assert tuple(found) == COUNTS[name]


@pytest.mark.parametrize("data_set", SPARSE)
def test_sparse_structures_count_their_values(data_set: str) -> None:
    d, h, classes = DATA_SETS[data_set]
    places = np.argwhere(np.ones((d, h, h), bool))[: round(d * h**2 * 0.1)]
    structure = S(np.ones(len(places)), places, channels=d, size=h)
    assert parameters(eqx.filter_eval_shape(SLiCEClassifier.init, KEY, structure, classes)) == SPARSE[data_set]


def model(samples: int) -> SLiCEClassifier:
    rng = np.random.default_rng(0)
    A, start = rng.normal(size=(3, 2, 2, 2)) / 4, Affine(rng.normal(size=(4, 3)), rng.normal(size=4))
    head = Affine(rng.normal(size=(5, 4)), rng.normal(size=5))
    return SLiCEClassifier(SLiCELayer(start, LogODE(BD(A), 1, samples), flow="first-order"), head)


@pytest.mark.parametrize("samples", [1, 4])
def test_logits_read_the_mean_of_all_states_and_the_start(samples: int) -> None:
    points, lengths, classifier = np.random.default_rng(1).normal(size=(2, 10, 3)), np.array([10, 6]), model(samples)
    found = eqx.filter_jit(classifier)(Increments.from_values(points, lengths=lengths))
    A, start, head = np.asarray(classifier.layer.structure.matrices()), classifier.layer.initial, classifier.head
    for logits, own, length in zip(found, points, lengths, strict=True):
        h = np.asarray(start.weight) @ own[0] + np.asarray(start.bias)
        states = [h]
        for k in range(0, length - 1, samples):
            omega = np.einsum("i,iab->ab", own[min(k + samples, length - 1)] - own[k], A)
            h = h + omega @ h
            states.append(h)
        expected = np.asarray(head.weight) @ np.mean(states, axis=0) + np.asarray(head.bias)
        assert np.max(np.abs(logits - expected)) <= 100 * EPS * np.max(np.abs(expected))


def test_the_first_point_has_the_time_where_that_is_a_channel() -> None:
    points, times = np.random.default_rng(1).normal(size=(10, 2)), np.linspace(2.0, 3.0, 10)
    joined = np.concatenate([points, times[:, None]], axis=1)
    run = eqx.filter_jit(model(4))
    by_data = run(Increments.from_values(joined))
    by_channel = run(Increments.from_values(points, times).with_time(), joined[0])
    assert np.max(np.abs(by_channel - by_data)) <= 100 * EPS * np.max(np.abs(by_data))


def test_a_head_of_another_size_is_refused() -> None:
    layer = model(1).layer
    with pytest.raises(ValueError, match="the layer has 4 states, the head reads 3"):
        SLiCEClassifier(layer, Affine(np.zeros((5, 3)), np.zeros(5)))
