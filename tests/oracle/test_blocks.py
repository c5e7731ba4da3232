"""The states inside a stack of blocks against the exact side, on the same binary numbers. Kind: bridge.

Each block is judged on the signal that reaches it, as floats; the tolerance is that of ``oracle.certify``.
"""

import equinox as eqx
import numpy as np
import pytest

from ewsnn import EWSBlock, EWSLayer, Signal, clocks, generators, oracle
from ewsnn.affine import Affine
from ewsnn.arrays import Levels
from ewsnn.blocks import FeedForward, LevelNorm, RMSNorm

WIDTH, M = 3, 4
U = np.random.default_rng(0).normal(size=(8, WIDTH))
TIMES = np.array([0.0, 0.5, 0.5, 1.25, 2.0, 3.5, 4.0, 4.5])
FAMILIES = {
    "rotation": generators.Rotation([0.3, 0.1], [2.0, -0.7]),
    "skew": generators.Skew([0.4, -1.0, 0.3, 2.0, 0.1, -0.6]),
}
CLOCKS = {
    "gated": clocks.Gated([0.7, -0.4, 0.2], 0.5),
    "clamped": clocks.Clamped(np.random.default_rng(1).normal(size=(4, WIDTH)), np.ones(4)),
}


def lift(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(M, WIDTH)) / 2


def drawn(seed: int, layer: EWSLayer, reading: str) -> EWSBlock:
    """A block around a layer, drawn in NumPy: nothing is compiled for it."""
    rng = np.random.default_rng(100 + seed)

    def affine(inputs: int) -> Affine:
        return Affine(rng.normal(size=(WIDTH, inputs)) / inputs, rng.normal(size=WIDTH))

    return EWSBlock(
        layer=layer,
        level_norm=LevelNorm(rng.normal(size=layer.depth)),
        read_out=affine(1 + layer.size),
        norm=RMSNorm(rng.normal(size=WIDTH)),
        feed_forward=FeedForward(affine(WIDTH), affine(WIDTH)),
        reading=reading,
    )


@eqx.filter_jit
def inside(block: EWSBlock, signal: Signal) -> tuple[Levels, Signal]:
    """The states in a block, and the signal behind it."""
    levels = block.layer(block.path(signal), output="all")
    return levels, signal.with_values(block.combine(signal.values, levels))


@pytest.mark.parametrize(
    ("family", "clock", "reading", "depth"),
    [
        ("rotation", "gated", "integral", 2),
        ("rotation", "clamped", "values", 2),
        ("skew", "gated", "values", 1),
        ("skew", "clamped", "integral", 2),
    ],
)
def test_the_states_inside_a_stack_are_exact(family: str, clock: str, reading: str, depth: int) -> None:
    signal = Signal.of(U, TIMES)
    for seed in range(2):
        block = drawn(seed, EWSLayer(lift(seed), FAMILIES[family], CLOCKS[clock], depth), reading)
        path = block.path(signal)
        levels, signal = inside(block, signal)
        errors, _ = oracle.level_errors(levels, oracle.exact_stream(block.layer, path)[1:])
        assert max(errors) <= oracle.EPS_PER_STEP * 2.0**-52 * len(U), errors
