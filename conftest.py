"""What every test runs under: Hypothesis profiles, and JAX at its strictest."""

import os
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import jax
import pytest

# No deadline: it would time JAX's compilation, not the property (a first example takes seconds, the rest
# microseconds). The explain phase is left out of all but the profile for work by hand: on a failing
# property it costs many times the search.
_PHASES = [phase for phase in hypothesis.Phase if phase is not hypothesis.Phase.explain]
hypothesis.settings.register_profile("fast", max_examples=25, deadline=None, phases=_PHASES)
hypothesis.settings.register_profile(
    "ci", max_examples=50, deadline=None, phases=_PHASES, derandomize=True, print_blob=True
)
hypothesis.settings.register_profile("thorough", max_examples=2000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "fast"))

# Products of different ranks or dtypes are errors here, so that no broadcast goes unseen; and tests compare
# with exact numbers, so they run in float64 unless they say otherwise.
jax.config.update("jax_enable_x64", True)
jax.config.update("jax_numpy_rank_promotion", "raise")
jax.config.update("jax_numpy_dtype_promotion", "strict")

# Compiled programs that a process keeps take memory maps; one that had compiled for a quarter of an hour broke down
# inside the compiler. So they are forgotten behind a file once there are more maps than this; a few files' worth.
_MAPS = 6000


@pytest.fixture(scope="module", autouse=True)
def forget_compiled() -> Iterator[None]:
    """What earlier files compiled, let go in time."""
    yield
    maps = Path("/proc/self/maps")
    if maps.exists() and maps.read_bytes().count(b"\n") > _MAPS:
        jax.clear_caches()
