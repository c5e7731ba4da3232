"""The seven structures of SLiCE: the matrices of a linear CDE, by their parameters."""

from ewsnn.slices.structures.base import SIGMA, AbstractStructure
from ewsnn.slices.structures.closed import BD, DDE, DE, D
from ewsnn.slices.structures.open import DPLR, WH, S

__all__ = ["BD", "DDE", "DE", "DPLR", "SIGMA", "WH", "AbstractStructure", "D", "S"]
