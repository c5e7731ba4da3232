"""Streams against the exact side, on the same binary numbers. Kind: bridge."""

import jax.numpy as jnp
import numpy as np
import pytest

import ewsnn
from ewsnn import Increments, oracle
from ewsnn.layers import EWSLayer
from tests.conftest import CLOCKS, ROTATION, ClockCase

M, D, STEPS, CHUNK = 4, 3, 8, 4


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", [CLOCKS[0], CLOCKS[4]], ids=str)
def test_a_streamed_layer_is_exact_in_either_precision(case: ClockCase, dtype: type) -> None:
    """Unix times: in single precision a stamp alone would be off by a minute."""
    rng = np.random.default_rng(0)
    clock = case.fast(tuple(x.astype(dtype) for x in case.arguments(0, D)))
    generator = ROTATION.fast(tuple(x.astype(dtype) for x in ROTATION.arguments(0, M)))
    layer = EWSLayer((rng.normal(size=(M, D)) / 2).astype(dtype), generator, clock, 2)
    # Points and stamps whose differences float32 holds: then chunks and the whole see the same binary numbers.
    x = rng.integers(-9, 9, (STEPS, D)) / 8
    t = 1.7e9 + np.cumsum(rng.integers(0, 9, STEPS)) / 8
    state, found = layer.start(t0=1.7e9 - 0.5), []
    for start in range(0, STEPS, CHUNK):
        chunk = slice(start, start + CHUNK)
        state, levels = layer.observe(state, x[chunk], t[chunk], output="all")
        found.append(levels)
    every = [jnp.concatenate(parts) for parts in zip(*found, strict=True)]
    whole = Increments.from_values(x, t, start_time=1.7e9 - 0.5, dtype=dtype).with_base_point()
    along, last = oracle.level_errors(tuple(every), oracle.exact_stream(layer, whole)[1:])
    bound = oracle.EPS_PER_STEP * STEPS * float(np.finfo(dtype).eps)
    assert max(along) <= bound
    assert max(last) <= bound
    assert isinstance(state, ewsnn.engine.stream.State)
    # The last stamp to all digits that two floats hold, which here are all.
    assert float(state.knot.time.high) + float(state.knot.time.low) == t[-1]
