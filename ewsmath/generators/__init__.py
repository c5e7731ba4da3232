"""Generator families, with e^{-rA} in closed form."""

from ewsmath.generators.conjugated import Conjugated
from ewsmath.generators.dense import Dense, Skew
from ewsmath.generators.diagonal import Diagonal, Zero
from ewsmath.generators.direct_sum import DirectSum
from ewsmath.generators.forms import complex_form, interleaved, real_form
from ewsmath.generators.generator import AbstractGenerator
from ewsmath.generators.jordan import Jordan
from ewsmath.generators.rotation import ComplexJordan, Rotation

__all__ = [
    "AbstractGenerator",
    "ComplexJordan",
    "Conjugated",
    "Dense",
    "Diagonal",
    "DirectSum",
    "Jordan",
    "Rotation",
    "Skew",
    "Zero",
    "complex_form",
    "interleaved",
    "real_form",
]
