"""The engine: the EWS of steps and spans, joined by the modified Chen identity."""

from ewsnn.engine import stream
from ewsnn.engine.bound import error_bound
from ewsnn.engine.chunked import chunked_all, chunked_terminal
from ewsnn.engine.layout import Layout
from ewsnn.engine.local import local_ews, local_segments
from ewsnn.engine.mean import chunked_mean
from ewsnn.engine.nodes import signature_at_nodes
from ewsnn.engine.scan import Segment, chen, reduce, reduce_sequential, scan, scan_sequential
from ewsnn.engine.sharded import sharded_states
from ewsnn.engine.states import states
from ewsnn.engine.straight import signature_of_steps

__all__ = [
    "Layout",
    "Segment",
    "chen",
    "chunked_all",
    "chunked_mean",
    "chunked_terminal",
    "error_bound",
    "local_ews",
    "local_segments",
    "reduce",
    "reduce_sequential",
    "scan",
    "scan_sequential",
    "sharded_states",
    "signature_at_nodes",
    "signature_of_steps",
    "states",
    "stream",
]
