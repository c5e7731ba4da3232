"""Paths in pieces: piecewise linear, and with pieces that are exponential polynomials."""

from ewsmath.paths.exponential import ExpPolyPath
from ewsmath.paths.linear import PiecewiseLinearPath, check_any_path, check_path
from ewsmath.paths.path import AbstractPath, Portion
from ewsmath.paths.piece import Curve, Line, Piece

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
