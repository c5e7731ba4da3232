"""Hypothesis strategies for the objects of this package. Needs ``hypothesis``; not imported by ``ewsmath``.

All draws are exact and small enough to be read by hand; every strategy says at its end how it shrinks.
"""

from collections.abc import Callable, Sequence
from typing import Any

from flint import fmpq
from hypothesis import strategies as st

from ewsmath import clocks as _clocks
from ewsmath import generators as _generators
from ewsmath.functional import Functional
from ewsmath.generators import AbstractGenerator
from ewsmath.matrix import Matrix
from ewsmath.paths import PiecewiseLinearPath
from ewsmath.rings import EE, QQ, QQ_I, Gaussian, Ring
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.words import Word

__all__ = [
    "FAMILIES",
    "algebras",
    "clocks",
    "elements",
    "functionals",
    "gaussians",
    "generators",
    "group_likes",
    "paths",
    "rationals",
    "square_matrices",
    "tensors",
    "vectors",
    "words",
]


def rationals(*, max_numerator: int = 5, max_denominator: int = 3) -> st.SearchStrategy[fmpq]:
    """Small rationals of either sign. Shrinks to 0, then to small positive integers."""
    numerators = st.integers(-max_numerator, max_numerator)
    return st.builds(fmpq, numerators, st.integers(1, max_denominator))


def gaussians(*, max_numerator: int = 3, max_denominator: int = 2) -> st.SearchStrategy[Gaussian]:
    """Small Gaussian rationals, some of them real. Shrinks to 0, then to small positive integers."""
    parts = rationals(max_numerator=max_numerator, max_denominator=max_denominator)
    return st.one_of(parts.map(QQ_I.coerce), st.builds(QQ_I.number, parts, parts))


def elements(ring: Ring[Any], *, max_terms: int = 3) -> st.SearchStrategy[Any]:
    """Elements of a ring: sums of a few c e^q in EE, Gaussian rationals in QQ_I, else rationals of the ring.

    Shrinks to 0, then to small positive integers.
    """
    if ring == EE:
        exponents = gaussians(max_numerator=2)
        terms = st.dictionaries(exponents, gaussians(), max_size=max_terms)
        return st.one_of(gaussians(), terms.map(_sum_of_exponentials)).map(EE.coerce)
    return (gaussians() if ring == QQ_I else rationals()).map(ring.coerce)


def _sum_of_exponentials(terms: dict[Gaussian, Gaussian]) -> Any:
    total = EE.zero
    for q, c in terms.items():
        total = total + c * EE.exp(EE.coerce(q))
    return total


def words(dim: int, *, min_length: int = 0, max_length: int = 4) -> st.SearchStrategy[Word]:
    """Words over the letters 1 … dim. Shrinks to the shortest word with letters 1."""
    letters = st.integers(1, dim)
    return st.lists(letters, min_size=min_length, max_size=max_length).map(tuple)


def algebras(ring: Ring[Any] = QQ, *, max_dim: int = 3, max_depth: int = 3) -> st.SearchStrategy[TensorAlgebra[Any]]:
    """Tensor algebras over a ring. Shrinks to dimension 1 and depth 1."""
    sizes = st.integers(1, max_dim), st.integers(1, max_depth)
    return st.builds(lambda dim, depth: TensorAlgebra(ring, dim, depth), *sizes)


def tensors(algebra: TensorAlgebra[Any], *, max_terms: int = 5) -> st.SearchStrategy[Tensor[Any]]:
    """Sparse tensors of an algebra. Shrinks to 0, then to one short word."""
    keys = words(algebra.dim, max_length=algebra.depth)
    return st.dictionaries(keys, elements(algebra.ring), max_size=max_terms).map(algebra.tensor)


def group_likes(algebra: TensorAlgebra[Any], *, max_factors: int = 3) -> st.SearchStrategy[Tensor[Any]]:
    """Group-like tensors: products of exponentials of vectors. Shrinks to 1, then to one exponential."""

    def product(factors: Sequence[Sequence[Any]]) -> Tensor[Any]:
        total = algebra.one()
        for v in factors:
            total = total @ algebra.exp(algebra.vector(v))
        return total

    return st.lists(vectors(algebra.ring, algebra.dim), max_size=max_factors).map(product)


def functionals(
    ring: Ring[Any] = QQ, *, dim: int = 2, min_length: int = 0, max_length: int = 3, max_terms: int = 3
) -> st.SearchStrategy[Functional[Any]]:
    """Functionals on words over 1 … dim. Shrinks to 0, then to one short word."""
    keys = words(dim, min_length=min_length, max_length=max_length)
    found = st.dictionaries(keys, elements(ring), max_size=max_terms)
    return found.map(lambda coefficients: Functional(ring, coefficients))


def vectors(ring: Ring[Any], dim: int) -> st.SearchStrategy[list[Any]]:
    """Vectors of ring elements. Shrinks to the zero vector."""
    return st.lists(elements(ring), min_size=dim, max_size=dim)


def square_matrices(dim: int, ring: Ring[Any] = QQ) -> st.SearchStrategy[Matrix[Any]]:
    """Matrices of size dim x dim. Shrinks to the zero matrix."""
    rows = st.lists(vectors(ring, dim), min_size=dim, max_size=dim)
    return rows.map(lambda entries: Matrix(ring, entries))


def _zero(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.integers(1, max_dim).map(_generators.Zero)


def _diagonal(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.lists(_rates(), min_size=1, max_size=max_dim).map(_generators.Diagonal)


def _rotation(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    blocks = st.lists(st.tuples(_rates(), _rates()), min_size=1, max_size=max(1, max_dim // 2))
    return blocks.map(lambda pairs: _generators.Rotation([a for a, _ in pairs], [w for _, w in pairs]))


def _jordan(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.builds(_generators.Jordan, _rates(), st.integers(1, max_dim))


def _complex_jordan(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.builds(_generators.ComplexJordan, _rates(), _rates(), st.integers(1, max(1, max_dim // 2)))


def _skew(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    # Size 2, or size 3 with a Pythagorean axis: the frequency, which is the length of the axis, is rational.
    axes = st.sampled_from([(1, 2, 2), (2, 3, 6), (0, 3, 4), (2, -1, 2)])
    flat = _rates().map(lambda w: _generators.Skew([w]))
    return flat if max_dim < 3 else st.one_of(flat, axes.map(_generators.Skew))


def _dense(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    # P J P^{-1} with P a product of elementary matrices: the spectrum stays in Q(i), the entries stay small.
    def conjugated(J: AbstractGenerator, moves: list[tuple[int, int, int]]) -> AbstractGenerator:
        matrix = Matrix.over(EE, J.matrix)
        for i, j, c in moves:
            if i % J.dim != j % J.dim:
                unit = [[int(k == n) for n in range(J.dim)] for k in range(J.dim)]
                there, back = [row[:] for row in unit], [row[:] for row in unit]
                there[i % J.dim][j % J.dim], back[i % J.dim][j % J.dim] = c, -c
                matrix = Matrix(EE, there) @ matrix @ Matrix(EE, back)
        return _generators.Dense(matrix)

    place = st.integers(0, max(0, max_dim - 1))
    moves = st.lists(st.tuples(place, place, st.integers(-1, 1)), max_size=3)
    kinds = [_diagonal(max_dim), _jordan(max_dim)] + ([_rotation(max_dim)] if max_dim > 1 else [])
    return st.builds(conjugated, st.one_of(*kinds), moves)


def _direct_sum(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    rest = max(1, max_dim - 1)
    return st.builds(_generators.DirectSum, _diagonal(1), st.one_of(_zero(rest), _jordan(rest)))


FAMILIES: dict[str, Callable[[int], st.SearchStrategy[AbstractGenerator]]] = {
    "Zero": _zero,
    "Diagonal": _diagonal,
    "Rotation": _rotation,
    "Jordan": _jordan,
    "ComplexJordan": _complex_jordan,
    "Skew": _skew,
    "Dense": _dense,
    "DirectSum": _direct_sum,
}
"""The families of generators by name, each with the largest width that is drawn (at least 2 where it has to be)."""


def _rates() -> st.SearchStrategy[fmpq]:
    return rationals(max_numerator=3, max_denominator=2)


def generators(family: str | None = None, *, max_dim: int = 3) -> st.SearchStrategy[AbstractGenerator]:
    """Exact generators with their spectrum in Q(i), so over QQ or EE.

    Args:
        family: A key of ``FAMILIES``, or None for all of them.
        max_dim: The largest width; rotations take 2 at least.

    Returns:
        The strategy. Shrinks to the first family, with rates 0 and the smallest width.

    Raises:
        ValueError: There is no such family.
    """
    if family is None:
        return st.one_of(*(draw(max_dim) for draw in FAMILIES.values()))
    if family not in FAMILIES:
        raise ValueError(f"unknown family {family!r}: choose one of {', '.join(FAMILIES)}")
    return FAMILIES[family](max_dim)


def clocks(dim: int, steps: int) -> st.SearchStrategy[_clocks.AbstractClock]:
    """Clocks for paths in R^dim with a number of pieces; norms are ℓ1, so that all stays exact.

    Some stop and some run backwards. Shrinks to the time clock.
    """
    numbers = _rates()
    weights = st.lists(numbers, min_size=dim, max_size=dim)
    units = st.lists(st.tuples(weights, numbers), min_size=1, max_size=2)
    return st.one_of(
        st.just(_clocks.Time()),
        st.just(_clocks.Observation()),
        st.just(_clocks.Variation("l1")),
        st.builds(_clocks.Blended, st.sampled_from([fmpq(1), fmpq(1, 2)]), st.just("l1")),
        st.builds(_clocks.Gated, weights, st.one_of(st.just(0), numbers)),
        units.map(lambda rows: _clocks.Clamped([w for w, _ in rows], [b for _, b in rows])),
        st.lists(numbers, min_size=steps, max_size=steps).map(_clocks.Given),
    )


def paths(
    dim: int, ring: Ring[Any] = QQ, *, min_steps: int = 0, max_steps: int = 3
) -> st.SearchStrategy[PiecewiseLinearPath[Any]]:
    """Piecewise-linear paths in R^dim with rational points.

    Among them are paths of one point (where ``min_steps`` is 0), repeated points, and repeated times with and without a
    jump. Shrinks to a short path that rests at 0.
    """
    gap = st.sampled_from([fmpq(1), fmpq(0), fmpq(1, 2), fmpq(2)])
    point = st.lists(rationals(max_numerator=3, max_denominator=2), min_size=dim, max_size=dim)
    moves = st.lists(st.tuples(gap, st.one_of(point, st.none())), min_size=min_steps, max_size=max_steps)

    def build(start: fmpq, first: list[fmpq], steps: list[tuple[fmpq, list[fmpq] | None]]) -> Any:
        times, points = [start], [first]
        for wait, following in steps:
            times.append(times[-1] + wait)
            points.append(points[-1] if following is None else following)
        return PiecewiseLinearPath(times, points, ring)

    return st.builds(build, st.sampled_from([fmpq(0), fmpq(3)]), point, moves)
