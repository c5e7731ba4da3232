"""Linear CDEs: the EWS as one, and any other."""

from ewsmath.linear_cde.ews import generator_matrix, level_generator, lift_matrix, matrices

__all__ = [
    "generator_matrix",
    "level_generator",
    "lift_matrix",
    "matrices",
]
