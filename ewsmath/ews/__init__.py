"""The exponentially weighted signature: three independent routes, a fast one in balls, ⋆ and certified digits."""

from ewsmath.ews.chen import Segment, chen, inverse, prefixes, unit
from ewsmath.ews.closed import closed_form, local_closed
from ewsmath.ews.front import EWS, ROUTES
from ewsmath.ews.group import local_group
from ewsmath.ews.iterated import local_iterated
from ewsmath.ews.recursion import local_recursion
from ewsmath.ews.structured import local_structured
from ewsmath.ews.value import EWSValue

__all__ = [
    "EWS",
    "ROUTES",
    "EWSValue",
    "Segment",
    "chen",
    "closed_form",
    "inverse",
    "local_closed",
    "local_group",
    "local_iterated",
    "local_recursion",
    "local_structured",
    "prefixes",
    "unit",
]
