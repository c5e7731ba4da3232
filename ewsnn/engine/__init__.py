"""The engine: local EWS of single steps, joined by the modified Chen identity."""

from ewsnn.engine import stream
from ewsnn.engine.local import local_ews
from ewsnn.engine.scan import Segment, chen, reduce, reduce_sequential, scan, scan_sequential
from ewsnn.engine.states import states

__all__ = [
    "Segment",
    "chen",
    "local_ews",
    "reduce",
    "reduce_sequential",
    "scan",
    "scan_sequential",
    "states",
    "stream",
]
