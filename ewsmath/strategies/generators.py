"""Strategies for generators: each family by its name, with its spectrum in Q(i)."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from ewsmath import generators as _generators
from ewsmath.generators import AbstractGenerator
from ewsmath.matrix import Matrix
from ewsmath.rings import EE
from ewsmath.rings.door import whole
from ewsmath.strategies.built import built
from ewsmath.strategies.numbers import rates


def _zero(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.integers(1, max_dim).map(_generators.Zero)


def _diagonal(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.lists(rates(), min_size=1, max_size=max_dim).map(_generators.Diagonal)


def _rotation(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    blocks = st.lists(st.tuples(rates(), rates()), min_size=1, max_size=max(1, max_dim // 2))
    return built(lambda pairs: _generators.Rotation([a for a, _ in pairs], [w for _, w in pairs]), blocks)


def _jordan(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.builds(_generators.Jordan, rates(), st.integers(1, max_dim))


def _complex_jordan(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    return st.builds(_generators.ComplexJordan, rates(), rates(), st.integers(1, max(1, max_dim // 2)))


def _skew(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    # Size 2, or size 3 with a Pythagorean axis: the frequency, which is the length of the axis, is rational.
    axes = st.sampled_from([(1, 2, 2), (2, 3, 6), (0, 3, 4), (2, -1, 2)])
    flat = built(lambda w: _generators.Skew([w]), rates())
    return flat if max_dim < 3 else st.one_of(flat, axes.map(_generators.Skew))


def _changes_of_basis(size: int, max_moves: int) -> st.SearchStrategy[Matrix[Any]]:
    # Products of elementary matrices: P and its inverse have small integer entries.
    places = st.integers(0, size - 1)

    def product(moves: list[tuple[int, int, int]]) -> Matrix[Any]:
        rows = [[int(i == j) for j in range(size)] for i in range(size)]
        for i, j, c in moves:
            if i != j:
                rows[i] = [x + c * y for x, y in zip(rows[i], rows[j], strict=True)]
        return Matrix(EE, rows)

    return built(product, st.lists(st.tuples(places, places, st.integers(-1, 1)), max_size=max_moves))


def _conjugated(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    kinds = [_diagonal(max_dim), _jordan(max_dim)] + ([_rotation(max_dim)] if max_dim > 1 else [])

    def in_other_basis(J: AbstractGenerator) -> st.SearchStrategy[AbstractGenerator]:
        return built(lambda P: _generators.Conjugated(P, J), _changes_of_basis(J.dim, 3))

    return st.one_of(*kinds).flatmap(in_other_basis)


def _dense(max_dim: int) -> st.SearchStrategy[AbstractGenerator]:
    # The matrix P J P^{-1}, of which only the entries are known: the spectrum stays in Q(i), the entries stay small.
    return built(lambda A: _generators.Dense(A.matrix), _conjugated(max_dim))


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
    "Conjugated": _conjugated,
    "Dense": _dense,
    "DirectSum": _direct_sum,
}
"""The families of generators by name, each with the largest width that is drawn (at least 2 where it has to be)."""


def generators(family: str | None = None, *, max_dim: int = 3) -> st.SearchStrategy[AbstractGenerator]:
    """Exact generators with their spectrum in Q(i), so over QQ or EE.

    Args:
        family: A key of ``FAMILIES``, or None for all of them.
        max_dim: The largest width; rotations take 2 at least.

    Returns:
        The strategy. Shrinks to the first family, with rates 0 and the smallest width.

    Raises:
        ValueError: There is no such family, or ``max_dim`` is below 1.
        TypeError: ``max_dim`` is no whole number.

    >>> from hypothesis import find
    >>> find(generators("Rotation"), lambda A: A.matrix[0, 1] != 0)
    Rotation(matrix=Matrix(EE, [[0, -1], [1, 0]]))
    """
    max_dim = whole(max_dim, "generators: max_dim")
    if family is None:
        return st.one_of(*(draw(max_dim) for draw in FAMILIES.values()))
    if family not in FAMILIES:
        raise ValueError(f"unknown family {family!r}: choose one of {', '.join(FAMILIES)}")
    return FAMILIES[family](max_dim)
