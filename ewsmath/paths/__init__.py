"""Paths in pieces: piecewise linear, and with pieces that are exponential polynomials."""

from ewsmath.paths.curve import Curve
from ewsmath.paths.exponential import ExpPolyPath
from ewsmath.paths.linear import PiecewiseLinearPath, check_any_path, check_path
from ewsmath.paths.path import AbstractPath
from ewsmath.paths.piece import Line, Piece
from ewsmath.paths.stamps import Portion

__all__ = [
    "AbstractPath",
    "Curve",
    "ExpPolyPath",
    "Line",
    "Piece",
    "PiecewiseLinearPath",
    "Portion",
    "check_any_path",
    "check_path",
]
