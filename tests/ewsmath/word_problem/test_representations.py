"""Representations: homomorphisms on all pairs, faithful, and logarithms against the exponential in balls."""

from collections.abc import Callable
from typing import Any

import pytest

from ewsmath import QQ, Balls, Matrix, spectrum
from ewsmath.word_problem import (
    alternating_group,
    compose,
    cyclic_group,
    cyclotomic_representation,
    permutation_logarithm,
    permutation_matrix,
    standard_representation,
)

A5 = alternating_group(5)


@pytest.mark.parametrize(("represent", "size"), [(permutation_matrix, 5), (standard_representation, 4)])
def test_a5_has_faithful_rational_representations(represent: Callable[..., Matrix[Any]], size: int) -> None:
    images = {p: represent(p) for p in A5}
    assert all(images[p] @ images[q] == images[compose(p, q)] for p in A5 for q in A5)
    assert len({M.entries for M in images.values()}) == 60
    assert images[A5[0]] == Matrix.identity(QQ, size)


def test_the_standard_representation_is_irreducible() -> None:
    # The mean of the squared character is the number of irreducible parts, each squared; traces are those of S5 less 1.
    traces = [sum((standard_representation(p)[i, i] for i in range(4)), QQ.zero) for p in A5]
    assert traces == [sum(p[i] == i for i in range(5)) - 1 for p in A5]
    assert sum((t * t for t in traces), QQ.zero) == 60


@pytest.mark.parametrize(("n", "size"), [(1, 1), (2, 1), (3, 2), (4, 2), (5, 4), (6, 2), (12, 4)])
def test_cyclotomic_representations_have_the_order_of_the_group(n: int, size: int) -> None:
    represent, group = cyclotomic_representation(n), cyclic_group(n)
    images = [represent(p) for p in group]
    assert images[0].shape == (size, size)
    for j, p in enumerate(group):
        for k, q in enumerate(group):
            assert images[j] @ images[k] == represent(compose(p, q)) == images[(j + k) % n]
    assert len({M.entries for M in images}) == n


@pytest.mark.parametrize(
    "p", [A5[0], (1, 2, 0, 3, 4), (1, 0, 3, 2, 4), (1, 2, 3, 4, 0), (1, 0, 3, 4, 5, 2), (1, 0, 2, 4, 3)]
)
def test_even_permutations_have_a_real_logarithm(p: tuple[int, ...]) -> None:
    R = Balls(128)
    L = permutation_logarithm(p, R)
    assert L.transpose() == -L
    assert max(x.radius for x in L.entries) < QQ.ratio(1, 2**100)
    assert spectrum.exponential(L) == permutation_matrix(p, R)
    assert spectrum.exponential(-L) == permutation_matrix(p, R).transpose()


def test_odd_ones_have_none() -> None:
    with pytest.raises(ValueError, match="determinant -1"):
        permutation_logarithm((1, 0), Balls(64))
