"""Statements on the engine of ``ewsnn``, asked of it in floats.

They stand apart because they need JAX, which the other statements do without: where it is not installed, the ledger
leaves these out and says so. A float proves nothing by itself, so each is taken for the binary number that it is, and
compared in exact arithmetic with what ``ewsmath`` finds for the same numbers; what may differ is round-off, a multiple
of eps that each statement explains. The shapes are few and small, since compilation is what these checks cost: a
function is compiled once, at depth three, and a check at a smaller depth reads its first levels.

``binary`` holds what they share.
"""
