"""Word problems of finite groups and parity, solved exactly by linear CDEs."""

from ewsmath.word_problem.flow import WordProblem
from ewsmath.word_problem.logarithm import permutation_logarithm
from ewsmath.word_problem.parity import ParityModel, first_failure, rotation_parity, sign_parity, swap_parity
from ewsmath.word_problem.permutations import (
    alternating_group,
    compose,
    cycles,
    cyclic_group,
    generated,
    inverse,
    is_even,
    permutation,
    running_products,
)
from ewsmath.word_problem.representations import (
    cyclotomic_representation,
    permutation_matrix,
    standard_representation,
)

__all__ = [
    "ParityModel",
    "WordProblem",
    "alternating_group",
    "compose",
    "cycles",
    "cyclic_group",
    "cyclotomic_representation",
    "first_failure",
    "generated",
    "inverse",
    "is_even",
    "permutation",
    "permutation_logarithm",
    "permutation_matrix",
    "rotation_parity",
    "running_products",
    "sign_parity",
    "standard_representation",
    "swap_parity",
]
