"""Route 2, the recursive form: each level is the flow of an integral of the level before it."""

from collections.abc import Sequence
from typing import Any

from ewsmath.exppoly import ExpPolys
from ewsmath.generators import AbstractGenerator
from ewsmath.operators import homomorphism
from ewsmath.tensor import Tensor, TensorAlgebra


def local_recursion(generator: AbstractGenerator, dtheta: Any, v: Sequence[Any], depth: int) -> Tensor[Any]:
    r"""The EWS of one piece, level by level as a function of the fraction u of the piece.

    .. math:: S^{(n)}_u = \int_0^u D_A^{r(u-x)}\big(S^{(n-1)}_x ⊗ v(x)\big)\, dx
        = D_A^{ru} \int_0^u D_A^{-rx}\big(S^{(n-1)}_x ⊗ v(x)\big)\, dx

    Args:
        generator: The generator A, exact (QQ or EE).
        dtheta: The elapsed clock time r over the piece, of either sign; a Gaussian rational.
        v: The increment BΔX of the lifted path, or its speed as m exponential polynomials of the fraction u of
            the piece.
        depth: Truncation depth N.

    Returns:
        The tensor σ over R^m.

    Raises:
        ValueError: The generator is given in balls.

    Paper: Prop. 1; Appendix C.3.

    >>> from ewsmath.generators import Diagonal
    >>> local_recursion(Diagonal(1), 1, [1], 2)[1]
    -e^(-1) + 1
    """
    functions = ExpPolys(generator.ring)
    algebra = TensorAlgebra(functions, generator.dim, depth)
    kernel = generator.kernel()
    forward = kernel.map(functions, lambda f: f.substituted(0, dtheta))  # e^{-ruA}
    back = kernel.map(functions, lambda f: f.substituted(0, -dtheta))  # e^{+ruA}
    speed = algebra.vector(v)
    level = total = algebra.one()
    for _ in range(depth):
        integrand = homomorphism(back, level @ speed)
        integral = Tensor._of(algebra, {word: f.integral() for word, f in integrand.coefficients.items()})
        level = homomorphism(forward, integral)
        total = total + level
    at_end = TensorAlgebra(generator.ring, generator.dim, depth)
    return at_end.tensor({word: f(1) for word, f in total.coefficients.items()})
