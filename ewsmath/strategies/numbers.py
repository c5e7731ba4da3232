"""Strategies for numbers: rationals, Gaussian rationals, elements of a ring, vectors of them."""

from typing import Any

from flint import fmpq
from hypothesis import strategies as st

from ewsmath.rings import EE, QQ_I, Gaussian, Ring, check_ring
from ewsmath.rings.door import whole
from ewsmath.strategies.built import built
from ewsmath.strategies.sizes import check_drawable


def rationals(*, max_numerator: int = 5, max_denominator: int = 3) -> st.SearchStrategy[fmpq]:
    """Small rationals of either sign.

    Args:
        max_numerator: The largest absolute value of the numerator.
        max_denominator: The largest denominator.

    Returns:
        The strategy. Shrinks to 0, then to small positive integers.

    Raises:
        ValueError: ``max_numerator`` is below 0, or ``max_denominator`` below 1.
        TypeError: A size is no whole number.

    >>> from hypothesis import find
    >>> print(find(rationals(), lambda x: 0 < x < 1))
    1/2
    """
    most = whole(max_numerator, "the largest numerator of rationals", at_least=0)
    denominators = st.integers(1, whole(max_denominator, "the largest denominator of rationals"))
    return st.builds(fmpq, st.integers(-most, most), denominators)


def gaussians(*, max_numerator: int = 3, max_denominator: int = 2) -> st.SearchStrategy[Gaussian]:
    """Small Gaussian rationals, some of them real.

    Args:
        max_numerator: The largest absolute value of the numerators of both parts.
        max_denominator: Their largest denominator.

    Returns:
        The strategy. Shrinks to 0, then to small positive integers.

    Raises:
        ValueError: ``max_numerator`` is below 0, or ``max_denominator`` below 1.
        TypeError: A size is no whole number.

    >>> from hypothesis import find
    >>> find(gaussians(), lambda z: z.real and z.imag)
    1+i
    """
    parts = rationals(max_numerator=max_numerator, max_denominator=max_denominator)
    return st.one_of(parts.map(QQ_I.coerce), st.builds(QQ_I.number, parts, parts))


def elements(ring: Ring[Any], *, max_terms: int = 3) -> st.SearchStrategy[Any]:
    """Elements of a ring: sums of a few c e^q in EE, Gaussian rationals in QQ_I, else rationals of the ring.

    Args:
        ring: The ring; any that takes rationals.
        max_terms: The largest number of exponentials in an element of EE.

    Returns:
        The strategy. Shrinks to 0, then to small positive integers.

    Raises:
        ValueError: ``max_terms`` is below 0.
        TypeError: A size is no whole number, or the ring is none.

    >>> from hypothesis import find
    >>> find(elements(EE), bool), find(elements(EE), lambda x: x.conjugate() != x)
    (1, i)
    """
    max_terms = whole(max_terms, "elements: max_terms", at_least=0)
    if check_ring(ring) == EE:
        exponents = gaussians(max_numerator=2)
        terms = st.dictionaries(exponents, gaussians(), max_size=max_terms)
        return st.one_of(gaussians(), built(_sum_of_exponentials, terms)).map(EE.coerce)
    return (gaussians() if ring == QQ_I else rationals()).map(ring.coerce)


def _sum_of_exponentials(terms: dict[Gaussian, Gaussian]) -> Any:
    total = EE.zero
    for q, c in terms.items():
        total = total + c * EE.exp(EE.coerce(q))
    return total


def vectors(ring: Ring[Any], dim: int) -> st.SearchStrategy[list[Any]]:
    """Vectors of ring elements.

    Args:
        ring: The ring of the entries, as in :func:`elements`.
        dim: Their number.

    Returns:
        The strategy. Shrinks to the zero vector.

    Raises:
        ValueError: ``dim`` is below 1, or above what Hypothesis can draw: 1000 rationals, 666 Gaussian rationals or
            500 elements of EE.
        TypeError: A size is no whole number, or the ring is none.

    >>> from hypothesis import find
    >>> find(vectors(QQ_I, 3), any)
    [0, 0, 1]
    """
    dim = whole(dim, "vectors: dim")
    check_drawable("vectors", dim, bytes_of(ring))
    return st.lists(elements(ring), min_size=dim, max_size=dim)


def bytes_of(ring: Ring[Any]) -> int:
    """The bytes that :func:`elements` of a ring take, rounded up.

    Args:
        ring: The ring.

    Returns:
        Their number.

    >>> bytes_of(QQ_I), bytes_of(EE)
    (6, 8)
    """
    return 8 if check_ring(ring) == EE else 6 if ring == QQ_I else 4


def rates() -> st.SearchStrategy[fmpq]:
    """The rates, frequencies and clock increments of this package: whole numbers and halves, at most 3 in size.

    Returns:
        The strategy. Shrinks to 0.

    >>> from hypothesis import find
    >>> print(find(rates(), lambda x: x < 0))
    -1
    """
    return rationals(max_numerator=3, max_denominator=2)
