"""What the flow of a generator adds to the errors of floats: how far it enlarges, and how far it turns."""

from collections.abc import Iterable
from typing import Any

from flint import fmpq

from ewsmath.generators import AbstractGenerator, Dense
from ewsmath.interop import exact
from ewsmath.matrix_norms import magnitude, row_norm
from ewsmath.rings import Balls

BALLS = Balls(prec=192)
"""Where flows of floats are computed: the numbers that come are exact, and 192 bits leave no error to speak of."""


def as_generator(A: Any) -> AbstractGenerator:
    """The generator that is meant by a generator, or by a matrix of floats or exact numbers.

    >>> as_generator([[0.5, 0.0], [1.0, 2.0]]).dim
    2
    """
    return A if isinstance(A, AbstractGenerator) else Dense(exact(A), ring=BALLS)


def growth(generator: AbstractGenerator, elapsed: Iterable[Any]) -> fmpq:
    r"""How much the flow over one of several clock times may enlarge a vector.

    .. math:: \max(1, \max_r ‖e^{-rA}‖_∞)

    Args:
        generator: The generator A.
        elapsed: The clock times r, of any sign.

    Returns:
        An upper bound.

    >>> from ewsmath.generators import Diagonal
    >>> float(growth(Diagonal([1, 2]), [3, 0])), float(growth(Diagonal([1, 2]), [3, -1]))
    (1.0, 7.38905609893065)
    """
    A = generator.over(BALLS)
    spans = {BALLS.coerce(r).mid for r in elapsed}
    return max([fmpq(1), *(row_norm(A.exponential(r)) for r in spans)])


def condition(generator: AbstractGenerator, elapsed: Iterable[Any]) -> fmpq:
    r"""How much the exponentials over several clock times add to a relative error.

    .. math:: κ = 1 + ‖A‖_∞ \sum_j |r_j|

    A relative error of r is ‖rA‖ times as large in e^{-rA}; an exponential that is computed by scaling and squaring
    has the same loss.

    Args:
        generator: The generator A.
        elapsed: The clock times r_j, of any sign.

    Returns:
        An upper bound.

    >>> from ewsmath.generators import Diagonal
    >>> float(condition(Diagonal([1, 2]), [3, -1]))
    9.0
    """
    total = sum((magnitude(BALLS.coerce(r)) for r in elapsed), fmpq(0))
    return 1 + row_norm(generator.over(BALLS).matrix) * total
