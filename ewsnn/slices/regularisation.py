"""The regularisation of SLiCEs: one rule for every structure."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PyTree

from ewsnn.slices.structures import AbstractStructure


def penalty(model: PyTree) -> Float[Array, ""]:
    r"""The mean Frobenius norm of the matrices of each structure in a model, summed over its structures.

    .. math:: R = \sum_{\text{structures}} \frac{1}{d_ω} \sum_{i=1}^{d_ω} ‖A^i‖_F

    The norms are of the matrices as they act on the state: of WH behind the hyperbolic tangent, of D-DE with both
    parts, of DPLR with its factors multiplied. (Published codes leave out D-DE, and the factors of DPLR.) They are not
    squared, and their gradient at a matrix of zeros is 0. Training adds λR to its loss.

    Args:
        model: A layer, a model, or any tree of them.

    Returns:
        The number R; 0 for a model without structures.

    >>> from ewsnn.slices.structures import BD, D
    >>> penalty([D([[3.0, 4.0], [0.0, 1.0]]), BD([[[[0.0, 2.0], [0.0, 0.0]]]])]).item()
    5.0
    """
    nodes = jax.tree.leaves(model, is_leaf=lambda node: isinstance(node, AbstractStructure))
    means = [jnp.mean(node.norms()) for node in nodes if isinstance(node, AbstractStructure)]
    return sum(means[1:], means[0]) if means else jnp.zeros(())
