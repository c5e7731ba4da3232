"""Paths as what the layer reads: increments, step by step."""

from ewsnn.paths.increments import Increments

__all__ = ["Increments"]
