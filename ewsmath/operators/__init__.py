"""Operators that a matrix induces: on tensors, on functionals, and as matrices on R^K."""

from ewsmath.operators.adjoints import adjoint_derivation, adjoint_flow, adjoint_homomorphism, adjoint_lift
from ewsmath.operators.matrices import flow_matrix, level_flow
from ewsmath.operators.tensors import Exponentiable, derivation, flow, homomorphism

__all__ = [
    "Exponentiable",
    "adjoint_derivation",
    "adjoint_flow",
    "adjoint_homomorphism",
    "adjoint_lift",
    "derivation",
    "flow",
    "flow_matrix",
    "homomorphism",
    "level_flow",
]
