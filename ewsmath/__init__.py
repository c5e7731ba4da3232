"""Exact and arbitrary-precision mathematics of the exponentially weighted signature."""

from ewsmath import (
    bounds,
    clocks,
    generators,
    hopf,
    kernels,
    lie,
    linear_cde,
    operators,
    paths,
    rings,
    ssm,
    structures,
    word_problem,
)
from ewsmath.digits import Digits, digits
from ewsmath.ews import EWS, Segment, chen
from ewsmath.exppoly import ExpPoly, ExpPolys
from ewsmath.functional import Functional
from ewsmath.interop import exact, to_numpy
from ewsmath.latex import latex
from ewsmath.lie import Bracket, LieElement, LieStream, bch
from ewsmath.linear_cde import LinearCDE
from ewsmath.log_signature import log_ews, log_signature
from ewsmath.matrix import Matrix
from ewsmath.operators import (
    adjoint_derivation,
    adjoint_flow,
    adjoint_homomorphism,
    adjoint_lift,
    derivation,
    flow,
    flow_matrix,
    homomorphism,
    level_flow,
)
from ewsmath.paths import ExpPolyPath, PiecewiseLinearPath
from ewsmath.rings import EE, MP, QQ, QQ_I, SR, Balls, ComplexBalls
from ewsmath.signature import signature
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.volterra import VolterraSignature

__all__ = [
    "EE",
    "EWS",
    "MP",
    "QQ",
    "QQ_I",
    "SR",
    "Balls",
    "Bracket",
    "ComplexBalls",
    "Digits",
    "ExpPoly",
    "ExpPolyPath",
    "ExpPolys",
    "Functional",
    "LieElement",
    "LieStream",
    "LinearCDE",
    "Matrix",
    "PiecewiseLinearPath",
    "Segment",
    "Tensor",
    "TensorAlgebra",
    "VolterraSignature",
    "adjoint_derivation",
    "adjoint_flow",
    "adjoint_homomorphism",
    "adjoint_lift",
    "bch",
    "bounds",
    "chen",
    "clocks",
    "derivation",
    "digits",
    "exact",
    "flow",
    "flow_matrix",
    "generators",
    "homomorphism",
    "hopf",
    "kernels",
    "latex",
    "level_flow",
    "lie",
    "linear_cde",
    "log_ews",
    "log_signature",
    "operators",
    "paths",
    "rings",
    "signature",
    "ssm",
    "structures",
    "to_numpy",
    "word_problem",
]
