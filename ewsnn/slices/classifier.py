"""The single-layer SLiCE that classifies series, as published for the UEA archive."""

import equinox as eqx
import jax
from jaxtyping import Array, Float, Key

from ewsnn.affine import Affine
from ewsnn.arrays import Numbers
from ewsnn.paths import Increments
from ewsnn.slices.layer import SLiCELayer
from ewsnn.slices.structures import AbstractStructure


class SLiCEClassifier(eqx.Module):
    r"""One SLiCE layer and an affine map of the mean of its states: no activation, no norm, no skip.

    .. math:: h_0 = ξ(ω_0), \quad h_k = F_k h_{k-1}, \qquad y = W \frac{1}{1 + J} \sum_{k=0}^{J} h_k + c

    The start counts among the states. With a :class:`ewsnn.slices.LogODE` there is one state for each window, and no
    step of the first window is lost, as it is in the published code. Softmax is left to the loss.

    Args:
        layer: Start map, structure and flow.
        head: W, (classes, h), and c.

    Raises:
        ValueError: If the sizes differ.

    >>> from ewsnn.slices import D
    >>> layer = SLiCELayer(Affine([[1.0]], [0.0]), D([[1.0]]), flow="first-order")
    >>> SLiCEClassifier(layer, Affine([[1.0]], [0.5]))(Increments.from_values([[3.0], [4.0], [5.0]])).tolist()
    [7.5]
    """

    layer: SLiCELayer
    head: Affine

    def __check_init__(self) -> None:
        if self.head.weight.shape[1] != self.layer.size:
            raise ValueError(f"the layer has {self.layer.size} states, the head reads {self.head.weight.shape[1]}.")

    @classmethod
    def init(
        cls, key: Key[Array, ""], structure: AbstractStructure, classes: int, *, flow: str = "exact"
    ) -> "SLiCEClassifier":
        """A classifier to be trained: start map and head drawn as :meth:`ewsnn.affine.Affine.init` does.

        Args:
            key: A JAX random key.
            structure: The matrices, as their own ``init`` draws them, or a :class:`ewsnn.slices.LogODE` of them.
            classes: The number of classes.
            flow: "exact", or "first-order" as published.
        """
        for_layer, for_head = jax.random.split(key)
        layer = SLiCELayer.init(for_layer, structure, flow=flow)
        return cls(layer, Affine.init(for_head, layer.size, classes))

    def __call__(
        self, increments: Increments, point: Numbers | None = None, *, mode: str = "auto"
    ) -> Float[Array, "*batch classes"]:
        """The logits, (classes,) behind the batch.

        Args:
            increments: The steps of the driving path, with the time among its channels where it is wanted.
            point: Its first point, (d,) or (…, d), where the increments do not know it: with the time as a channel that
                was added by ``Increments.with_time``.
            mode: As for :class:`ewsnn.slices.SLiCELayer`.

        Raises:
            ValueError: If the path has other channels than the structure, or its first point is not known.
        """
        return self.head(self.layer(increments, point, output="mean", mode=mode))
