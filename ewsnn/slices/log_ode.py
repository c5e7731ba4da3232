r"""The Log-ODE method for linear CDEs: one flow for each window, from the log-signature of the path over it."""

from typing import SupportsIndex

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float

from ewsnn import tensor
from ewsnn.paths import Increments
from ewsnn.slices.brackets import brackets
from ewsnn.slices.maps import AbstractMap
from ewsnn.slices.structures import BD, DDE, DE, AbstractStructure, D
from ewsnn.slices.windows import log_signatures


class LogODE(AbstractStructure):
    r"""A structure that reads its path in windows of s steps, each by its log-signature of depth N.

    .. math:: Ω = \sum_i λ_i A^i + \sum_{i<j} λ_{ij} (A^j A^i - A^i A^j) + ⋯, \qquad F = e^{Ω}
        \;\text{(exact)}, \quad F = I + Ω \;\text{(first order)}

    λ are the coordinates of the log-signature in Lyndon brackets, a bracket [u, v] acts by
    :math:`A^v A^u - A^u A^v`. The exact flow leaves an error of order N + 1 in the length of a window. The first-order
    flow, which published models take, leaves one of order 2 whatever the depth: it drops Ω²/2, which is as large as the
    brackets of level 2. Which one is taken is for the layer to say.

    Brackets are block-diagonal for block-diagonal matrices; those of a diagonal part vanish, so D reads windows at
    depth one. DE, S, WH and DPLR have dense brackets; at depth one they keep their structure.

    A layer gives one state for each window. Each chunk of a stream begins with a window of its own: fed by multiples of
    s steps, the stream is the path.

    Args:
        structure: The matrices of the path's channels; their parameters are the only ones.
        depth: The depth N of the log-signatures.
        samples: The steps s in a window; the last window of a path takes what is left.

    Raises:
        TypeError: If the structure is none, or reads windows itself.
        ValueError: If depth or samples is no integer of at least 1.

    >>> turns = DE([[[0.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [1.0, 0.0]]])
    >>> corner = Increments.from_values([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]])
    >>> structure, windows = LogODE(turns, depth=2, samples=2).drive(corner)
    >>> structure.field(windows.dx[0]).matrix().tolist()
    [[-0.5, 1.0], [1.0, 0.5]]
    """

    structure: AbstractStructure
    depth: int = eqx.field(static=True)
    samples: int = eqx.field(static=True)

    def __init__(self, structure: AbstractStructure, depth: SupportsIndex, samples: SupportsIndex) -> None:
        if not isinstance(structure, AbstractStructure) or isinstance(structure, LogODE):
            raise TypeError(
                f"LogODE takes a structure that reads single steps, such as BD or DE, got {type(structure).__name__}."
            )
        self.structure = structure
        self.depth = tensor.check_depth(depth)
        self.samples = tensor.check_depth(samples, name="samples")

    @property
    def channels(self) -> int:
        """The number of channels of the path."""
        return self.structure.channels

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.structure.size

    @property
    def dtype(self) -> np.dtype:
        """The floating-point type."""
        return self.structure.dtype

    @property
    def levels(self) -> int:
        """How many levels of the log-signature act: one where matrices commute, or a window is one straight step."""
        return 1 if self.samples == 1 or isinstance(self.structure, D) else self.depth

    def field(self, dw: Float[Array, "*batch channels"]) -> AbstractMap:
        """Maps of single steps: of a straight line the log-signature is the increment."""
        return self.structure.field(dw)

    def norms(self) -> Float[Array, " channels"]:
        """The Frobenius norms of the matrices of the channels; brackets have no parameters of their own."""
        return self.structure.norms()

    def bracketed(self) -> AbstractStructure:
        """The structure with a matrix for each coordinate of a log-signature."""
        if self.levels == 1:
            return self.structure
        match self.structure:
            case BD(blocks=blocks):
                return BD(brackets(blocks, self.depth))
            case DDE(diagonal=diagonal, dense=dense):
                found = brackets(dense, self.depth)
                return DDE(jnp.pad(diagonal, [(0, len(found) - len(dense)), (0, 0)]), found)
            case structure:
                return DE(brackets(structure.matrices(), self.depth))

    def drive(self, increments: Increments) -> tuple[AbstractStructure, Increments]:
        """The structure of the brackets, and the windows of the path as its steps.

        Args:
            increments: The steps of the path.
        """
        return self.bracketed(), log_signatures(increments, self.samples, self.levels)
