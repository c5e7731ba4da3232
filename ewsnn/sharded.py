"""A layer on many devices."""

import equinox as eqx

from ewsnn.arrays import Levels
from ewsnn.engine.layout import Layout
from ewsnn.engine.sharded import sharded_states
from ewsnn.layers import EWSLayer
from ewsnn.paths import Increments


class Sharded(eqx.Module):
    """A layer whose paths are spread over a mesh of devices, in batch and in time; it is called as the layer is.

    Args:
        layer: The layer. Its parameters are copied to every device.
        layout: The devices, and how paths lie on them.

    Paper: Theorem 1(ii); Section 2.2.

    >>> import jax
    >>> layer = EWSLayer.init(jax.random.key(0), d=2, m=4, depth=2)
    >>> spread = Sharded(layer, Layout(jax.make_mesh((1, 1), ("batch", "time"))))
    >>> increments = Increments.from_values([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]])
    >>> level1, level2 = jax.eval_shape(spread, increments)
    >>> level1.shape, level2.shape
    ((1, 4), (1, 4, 4))
    """

    layer: EWSLayer
    layout: Layout = eqx.field(static=True)

    @property
    def size(self) -> int:
        """The number of entries of levels 1 to N."""
        return self.layer.size

    def __call__(self, increments: Increments, *, output: str = "terminal", engine: str = "auto") -> Levels:
        """The states of paths, on the devices.

        Args:
            increments: The steps of the paths; with a ``batch_axis``, their first axis is spread over it.
            output: "terminal", "mean" or "all", see :func:`ewsnn.engine.sharded_states`.
            engine: What each device runs over its span.

        Returns:
            Levels 1 to N as the layer gives them, to round-off.

        Raises:
            ValueError: If an option is unknown, the path does not fit the layer or the batch not the devices.
        """
        layer = self.layer
        layer.check(increments)
        return sharded_states(
            increments,
            layer.lift,
            layer.generator,
            layer.clock,
            depth=layer.depth,
            layout=self.layout,
            output=output,
            engine=engine,
        )
