r"""SLiCE: structured linear controlled differential equations, :math:`dh = \sum_i A^i h \, dω^i`."""

from ewsnn.slices.block import SLiCEBlock
from ewsnn.slices.classifier import SLiCEClassifier
from ewsnn.slices.ews import EWS, driven, slice_of
from ewsnn.slices.layer import SLiCELayer, State, normal_start
from ewsnn.slices.log_ode import LogODE
from ewsnn.slices.regularisation import penalty
from ewsnn.slices.structures import BD, DDE, DE, DPLR, WH, AbstractStructure, D, S

__all__ = [
    "BD",
    "DDE",
    "DE",
    "DPLR",
    "EWS",
    "WH",
    "AbstractStructure",
    "D",
    "LogODE",
    "S",
    "SLiCEBlock",
    "SLiCEClassifier",
    "SLiCELayer",
    "State",
    "driven",
    "normal_start",
    "penalty",
    "slice_of",
]
