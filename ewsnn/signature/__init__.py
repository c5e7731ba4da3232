"""The plain signature and what can be asked of it: inverse, logarithm in a named basis, sub-intervals and windows."""

from ewsnn.signature.bases import BASES, labels, lyndon_words
from ewsnn.signature.coordinates import convert, coordinates, from_coordinates
from ewsnn.signature.front import log_signature, signature
from ewsnn.signature.group import antipode, exp, inverse, log
from ewsnn.signature.intervals import Intervals

__all__ = [
    "BASES",
    "Intervals",
    "antipode",
    "convert",
    "coordinates",
    "exp",
    "from_coordinates",
    "inverse",
    "labels",
    "log",
    "log_signature",
    "lyndon_words",
    "signature",
]
