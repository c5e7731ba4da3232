"""The engine: local EWS of single steps, joined by the modified Chen identity."""

from ewsnn.engine import stream
from ewsnn.engine.layout import Layout
from ewsnn.engine.local import local_ews
from ewsnn.engine.scan import Segment, chen, reduce, reduce_sequential, scan, scan_sequential
from ewsnn.engine.sharded import sharded_states
from ewsnn.engine.states import states

__all__ = [
    "Layout",
    "Segment",
    "chen",
    "local_ews",
    "reduce",
    "reduce_sequential",
    "scan",
    "scan_sequential",
    "sharded_states",
    "states",
    "stream",
]
