"""Linear CDEs: the EWS as one, any other, their solution series, Lie algebras, and the Log-ODE method."""

from ewsmath.linear_cde.affine import AffineMap, affine_cde, state_space
from ewsmath.linear_cde.cde import LinearCDE, clock_path
from ewsmath.linear_cde.ews import generator_matrix, level_generator, lift_matrix, matrices
from ewsmath.linear_cde.lie_algebra import MatrixLieAlgebra, commutator, nilpotency_index
from ewsmath.linear_cde.log_ode import log_ode, log_ode_flow, magnus, windows
from ewsmath.linear_cde.series import exponential_tail, series_remainder, solution_series

__all__ = [
    "AffineMap",
    "LinearCDE",
    "MatrixLieAlgebra",
    "affine_cde",
    "clock_path",
    "commutator",
    "exponential_tail",
    "generator_matrix",
    "level_generator",
    "lift_matrix",
    "log_ode",
    "log_ode_flow",
    "magnus",
    "matrices",
    "nilpotency_index",
    "series_remainder",
    "solution_series",
    "state_space",
    "windows",
]
