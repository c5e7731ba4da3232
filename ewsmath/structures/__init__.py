"""SLiCE structures (DE, D, BD, D-DE, S, WH, DPLR) as exact matrices, and the linear CDEs made of them."""

from ewsmath.structures.blocks import AbstractBlocks, BlockDiagonal, Dense, Diagonal, DiagonalDense
from ewsmath.structures.hadamard import WalshHadamard, hadamard, walsh_transform
from ewsmath.structures.low_rank import DiagonalLowRank
from ewsmath.structures.slice import SLiCE
from ewsmath.structures.sparse import Sparse
from ewsmath.structures.structure import AbstractStructure

__all__ = [
    "AbstractBlocks",
    "AbstractStructure",
    "BlockDiagonal",
    "Dense",
    "Diagonal",
    "DiagonalDense",
    "DiagonalLowRank",
    "SLiCE",
    "Sparse",
    "WalshHadamard",
    "hadamard",
    "walsh_transform",
]
