"""Train LinOSS-IM and S5 on JapaneseVowels, convert them, and go on at depths one and two.

python docs/how_to/convert_measured.py [SEEDS]
"""

import sys
from collections.abc import Callable

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np

from ewsnn.baselines import S5, Classifier, LinOSSIM, converted, read
from ewsnn.baselines.layer import AbstractLayer
from ewsnn.data import Dataset, Scaling, bundled_folder, pad, read_pair
from ewsnn.train.config import Config
from ewsnn.train.fit import Cases, epochs
from ewsnn.train.step import State

LAYERS: dict[str, Callable[[jax.Array], AbstractLayer]] = {
    "linoss-im": lambda key: LinOSSIM.init(key, 16, 8),
    "s5": lambda key: S5.init(key, 16, 16, blocks=2),
}
FIRST, THEN = Config(epochs=30, rate=1e-2), Config(epochs=15, rate=1e-3)


def cases(data: Dataset, scaling: Scaling) -> Cases:
    """The series, scaled, as the networks read them."""
    values, lengths = pad([scaling(x) for x in data.series])
    return Cases(read(jnp.asarray(values), lengths), jnp.asarray(data.targets))


def trained(network: Classifier, train: Cases, config: Config, seed: int) -> Classifier:
    """The network after all epochs, in order and dropout that the seed chooses."""
    *_, last = epochs(State.start(network), train, None, Config(**{**vars(config), "seed": seed}))
    return last.state.model


def main(seeds: int) -> None:
    """One line for each kind and seed: the difference of the logits, and accuracies on the test set."""
    jax.config.update("jax_enable_x64", True)
    first, second = read_pair(bundled_folder())
    scaling = Scaling.of(first)
    train, test = cases(first, scaling), cases(second, scaling)
    logits = eqx.filter_jit(lambda network: network(test.increments))

    def accuracy(network: Classifier) -> float:
        return 100 * float(np.mean(np.argmax(logits(network), axis=-1) == np.asarray(test.labels)))

    sys.stdout.write("kind       seed  difference  trained  on at depth 1  on at depth 2\n")
    for kind, layer in LAYERS.items():
        for seed in range(seeds):
            drawn = Classifier.init(jax.random.key(seed), layer, first.channels, len(first.classes), blocks=1)
            network = trained(drawn.calibrated(train.increments), train, FIRST, seed)
            there = logits(network)
            same = converted(network)
            difference = float(jnp.max(jnp.abs(logits(same) - there)) / jnp.max(jnp.abs(there)))
            ends = [accuracy(trained(converted(network, depth), train, THEN, seed)) for depth in (1, 2)]
            sys.stdout.write(
                f"{kind:9}  {seed:4}  {difference:10.1e}  {accuracy(network):6.2f}  {ends[0]:13.2f}  {ends[1]:13.2f}\n"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
