"""Networks whose state-space layers are EWS: the same outputs at depth one, and more to learn above it."""

from typing import TypeVar

import equinox as eqx

from ewsnn.baselines.layer import AbstractLayer
from ewsnn.baselines.network import Classifier, Regressor
from ewsnn.convert import KINDS, LinearConverted, Selective, convert

Network = TypeVar("Network", Classifier, Regressor)


def converted(network: Network, depth: int = 1) -> Network:
    """A network with each state-space layer replaced by the EWS that it is.

    At depth one its outputs are those of the network, up to rounding. Above, the read-out of the higher levels starts
    at zero, so that they still are, until it is trained.

    Args:
        network: The network, trained or not.
        depth: The depth of the EWS.

    Returns:
        The network, all of it trainable. It is converted in float64, and its layers have JAX's default precision.

    Raises:
        ValueError: If a layer is of a kind that is no EWS, has no logarithm, or has been converted already.

    >>> import jax
    >>> from ewsnn.baselines import LRU, Classifier, read
    >>> network = Classifier.init(jax.random.key(0), lambda key: LRU.init(key, 4, 2), channels=3, classes=2, blocks=1)
    >>> series = read(jax.numpy.ones((1, 5, 3)))
    >>> bool(abs(converted(network, depth=2)(series) - network(series)).max() < 1e-5)
    True
    """
    layers = []
    for block in network.stack.blocks:
        if not isinstance(block.layer, AbstractLayer):
            raise ValueError(f"a layer is {type(block.layer).__name__}: it has been converted already.")
        if block.layer.kind not in KINDS:
            raise ValueError(f"a layer is of kind {block.layer.kind!r}, which is no EWS; known are {', '.join(KINDS)}.")
        found = convert(block.layer.kind, block.layer.parameters())
        if not isinstance(found, LinearConverted | Selective):
            raise ValueError(f"a layer of kind {found.kind} cannot be trained as an EWS.")
        layers.append(found.module(depth=depth))
    return eqx.tree_at(lambda it: it.stack, network, network.stack.with_layers(layers))
