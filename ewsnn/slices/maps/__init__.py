"""Linear maps of a state in structure: what one step of a SLiCE does, before and after it becomes a flow."""

from ewsnn.slices.maps.base import AbstractClosedMap, AbstractMap
from ewsnn.slices.maps.closed import Blocks, Dense, Diagonal, DiagonalDense
from ewsnn.slices.maps.open import AbstractOpenMap, LowRank, Sparse, WalshHadamard

__all__ = [
    "AbstractClosedMap",
    "AbstractMap",
    "AbstractOpenMap",
    "Blocks",
    "Dense",
    "Diagonal",
    "DiagonalDense",
    "LowRank",
    "Sparse",
    "WalshHadamard",
]
