"""The truncated tensor algebra T^N(R^m): the parent, its elements, and the relations that some of them satisfy."""

from ewsmath.tensor.algebra import Tensor, TensorAlgebra, check_tensor
from ewsmath.tensor.relations import GroupLikeDefect, LieDefect

__all__ = ["GroupLikeDefect", "LieDefect", "Tensor", "TensorAlgebra", "check_tensor"]
