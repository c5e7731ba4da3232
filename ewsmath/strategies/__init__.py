"""Hypothesis strategies for the objects of this package, and for arrays of floats of other libraries.

Needs ``hypothesis``, and ``numpy`` for the arrays; not imported by ``ewsmath``. All exact draws are small enough to be
read by hand; every strategy says at its end how it shrinks. Importing this changes no setting of Hypothesis. A library
that compiles at its first call, such as JAX, needs ``settings(deadline=None)`` in its tests: a deadline would time the
compilation.
"""

from ewsmath.strategies.arrays import level_arrays, path_arrays
from ewsmath.strategies.generators import FAMILIES, generators
from ewsmath.strategies.numbers import elements, gaussians, rationals, vectors
from ewsmath.strategies.paths import clock_increments, clocks, curves, paths, reparametrisations
from ewsmath.strategies.tensors import (
    algebras,
    functionals,
    group_likes,
    lie_elements,
    square_matrices,
    tensors,
    words,
)

__all__ = [
    "FAMILIES",
    "algebras",
    "clock_increments",
    "clocks",
    "curves",
    "elements",
    "functionals",
    "gaussians",
    "generators",
    "group_likes",
    "level_arrays",
    "lie_elements",
    "path_arrays",
    "paths",
    "rationals",
    "reparametrisations",
    "square_matrices",
    "tensors",
    "vectors",
    "words",
]
