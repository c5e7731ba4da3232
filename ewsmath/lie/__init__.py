"""The free Lie algebra: Lyndon words, Hall bases, brackets, projections, the BCH series and Lie elements."""

from ewsmath.lie.bases import ORDERS, hall_basis, lyndon_basis, lyndon_bracket
from ewsmath.lie.bch import bch
from ewsmath.lie.bracket import Bracket
from ewsmath.lie.coordinates import COORDINATES
from ewsmath.lie.element import LieElement
from ewsmath.lie.lyndon import is_lyndon, lie_size, lyndon_factorisation, lyndon_words, standard_factorisation, witt
from ewsmath.lie.projections import dynkin, dynkin_idempotent, eulerian_idempotent
from ewsmath.lie.stream import LieStream

__all__ = [
    "COORDINATES",
    "ORDERS",
    "Bracket",
    "LieElement",
    "LieStream",
    "bch",
    "dynkin",
    "dynkin_idempotent",
    "eulerian_idempotent",
    "hall_basis",
    "is_lyndon",
    "lie_size",
    "lyndon_basis",
    "lyndon_bracket",
    "lyndon_factorisation",
    "lyndon_words",
    "standard_factorisation",
    "witt",
]
