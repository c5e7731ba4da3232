"""The layers against the states and outputs that the released models computed. Outside oracle: their files."""

from pathlib import Path

import equinox as eqx
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.baselines import LRU, S5, S6, DLinOSS, LinOSSIM, LinOSSIMEX
from ewsnn.baselines.layer import AbstractLayer

VECTORS = Path(__file__).parents[4] / "shared" / "vectors"
KINDS: dict[str, type[AbstractLayer]] = {
    "s5": S5,
    "lru": LRU,
    "linoss-imex": LinOSSIMEX,
    "linoss-im": LinOSSIM,
    "dlinoss": DLinOSS,
    "s6": S6,
}
# Rounding of 128 steps: some 20 eps of the largest entry.
ROUNDING = 2e-14
# Powers of blocks with nearly a double eigenvalue grow with the step k, and the rounding of one entry with k²: 128² eps
# = 4e-12. So the double precision of the release itself is off by as much; where it computed in 80 bits, our own
# error is compared, else the sum of both.
NEARLY_DOUBLE = {
    "linoss-imex-edge": (4e-12, 2e-11),
    "dlinoss-edge": (1e-12, 4e-12),
    "dlinoss-ring": (1e-12, 1e-12),
    "dlinoss-ring-n128": (1e-12, 1.5e-11),
}
NAMES = [
    *("s5", "s5-n128", "s5-bilinear", "s5-bilinear-n128", "lru", "lru-n128", "s6"),
    *("linoss-im", "linoss-im-n128", "linoss-im-edge", "linoss-imex", "linoss-imex-n128", "linoss-imex-edge"),
    *("dlinoss-uniform", "dlinoss-uniform-n128", "dlinoss-ring", "dlinoss-ring-n128", "dlinoss-edge"),
]


@eqx.filter_jit
def run(layer: AbstractLayer, inputs: jnp.ndarray) -> tuple[jnp.ndarray, jnp.ndarray]:
    return layer.states(inputs), layer(inputs)


@pytest.mark.parametrize("name", NAMES)
def test_a_layer_has_the_states_and_outputs_of_the_released_model(name: str) -> None:
    file = VECTORS / f"{name}_0.npz"
    if not file.exists():
        pytest.skip("the shared vectors are not at hand")
    content = dict(np.load(file))
    known = {key: content.pop(key) for key in list(content) if key.split("_")[0] in ("input", "state", "output", "ssm")}
    kind = next(kind for kind in KINDS if name.startswith(kind))
    layer = KINDS[kind](**content)
    assert layer.kind == kind
    states, outputs = run(layer, jnp.asarray(known["input"]))
    exactly, roughly = NEARLY_DOUBLE.get(name, (ROUNDING, ROUNDING))
    for found, what in ((states, "state"), (outputs, "output")):
        for key, tolerance in ((what, roughly), (f"{what}_hp", exactly)):
            if key in known:
                assert np.abs(np.asarray(found) - known[key]).max() <= tolerance * np.abs(known[key]).max()
