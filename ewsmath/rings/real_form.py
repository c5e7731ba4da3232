"""The real form of a sum of exponentials, in which formulas are written."""

from collections.abc import Iterator, Mapping

from ewsmath.rings.rational_function import RationalFunction
from ewsmath.rings.rational_function_field import RF


def real_form(
    terms: Mapping[RationalFunction, RationalFunction],
) -> Iterator[tuple[RationalFunction, RationalFunction, RationalFunction, RationalFunction]]:
    r"""What the exponentials of conjugate exponents make together.

    .. math:: \sum_q c_q e^q = \sum e^x (A \cos y + B \sin y)

    Args:
        terms: The map q ↦ c.

    Returns:
        The quadruples (x, y, A, B).

    >>> w = RF.symbol("w")
    >>> list(real_form({RF.i * w: RF.one, -RF.i * w: RF.one}))
    [(0, w, 2, 0)]
    """
    left = dict(terms)
    while left:
        q, c = left.popitem()
        mirrored = left.pop(q.conjugate(), RF.zero)
        x, y = q.real, q.imag
        if y.p and y.p.leading_coefficient() < 0:  # the sign of y that is written
            y, c, mirrored = -y, mirrored, c
        yield x, y, c + mirrored, RF.i * (c - mirrored)
