r"""Generators A: the families of Table 1, each with its matrix, its propagator and a bound on its norm.

The sign is that of :math:`e^{-rA}`: eigenvalues with positive real part forget. A constructor takes its arrays
exactly as they are; ``init`` draws parameters to be trained, wrapped (see :mod:`ewsnn.parameters`) so that no
step of an optimiser makes the generator grow.
"""

from ewsnn.generators.base import AbstractClosedForm, AbstractGenerator
from ewsnn.generators.dense import AbstractDense, Dense, Skew
from ewsnn.generators.diagonal import Diagonal, Zero
from ewsnn.generators.direct_sum import DirectSum
from ewsnn.generators.jordan import ComplexJordan, Jordan
from ewsnn.generators.rotation import Rotation

__all__ = [
    "AbstractClosedForm",
    "AbstractDense",
    "AbstractGenerator",
    "ComplexJordan",
    "Dense",
    "Diagonal",
    "DirectSum",
    "Jordan",
    "Rotation",
    "Skew",
    "Zero",
]
