"""Matrices of brackets. Oracle: the definition, bracket by bracket and word by word, in whole numbers."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import signature
from ewsnn.slices.brackets import brackets, factors

Word = tuple[int, ...]
run = jax.jit(brackets, static_argnums=1)


def drawn(*shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(-3, 4, shape).astype(float)


def by_definition(A: np.ndarray, word: Word) -> np.ndarray:
    """A^{[u,v]} = A^v A^u - A^u A^v, along the longest proper suffix that is smallest."""
    if len(word) == 1:
        return A[word[0] - 1]
    k = min(range(1, len(word)), key=lambda k: word[k:])
    u, v = by_definition(A, word[:k]), by_definition(A, word[k:])
    return v @ u - u @ v


@pytest.mark.parametrize(("m", "depth"), [(1, 3), (3, 3), (2, 5)])
def test_brackets_are_the_definition_in_the_order_of_the_coordinates(m: int, depth: int) -> None:
    A = drawn(m, 3, 3)
    found = run(jnp.asarray(A), depth)
    expected = [by_definition(A, word) for word in signature.lyndon_words(m, depth)]
    assert (np.asarray(found) == np.stack(expected)).all()


def test_a_lie_element_acts_as_its_words_do() -> None:
    m, depth, A = 3, 3, drawn(3, 2, 2)
    x = drawn(len(signature.lyndon_words(m, depth)))
    levels = signature.from_coordinates(jnp.asarray(x), m, depth, basis="lyndon brackets")
    # The first letter is integrated first, so its matrix acts first and stands on the right.
    words = [
        np.einsum("i,iab->ab", levels[0], A),
        np.einsum("ij,jab,ibc->ac", levels[1], A, A),
        np.einsum("ijk,kab,jbc,icd->ad", levels[2], A, A, A),
    ]
    found = np.einsum("w,wab->ab", x, run(jnp.asarray(A), depth))
    assert (found == sum(words)).all()


def test_blocks_are_bracketed_block_by_block() -> None:
    A = drawn(3, 2, 3, 3)
    found = np.asarray(run(jnp.asarray(A), 3))
    for k in range(2):
        assert (found[:, k] == np.asarray(run(jnp.asarray(A[:, k]), 3))).all()


def test_matrices_that_commute_have_no_brackets() -> None:
    found = np.asarray(run(jnp.asarray(drawn(3, 5, 1, 1)), 3))
    assert (found[3:] == 0).all()


def test_what_is_compiled_does_not_grow_with_the_channels() -> None:
    few, many = (
        jax.make_jaxpr(lambda A: brackets(A, 2))(jax.ShapeDtypeStruct((m, 4, 4, 4), np.float64)) for m in (3, 62)
    )
    assert len(many.jaxpr.eqns) == len(few.jaxpr.eqns)
    assert many.out_avals[0].shape == (1953, 4, 4, 4)


def test_factors_are_those_of_the_labels() -> None:
    names = signature.labels(4, 3, basis="lyndon brackets")
    both = [pair for level in factors(4, 3) for pair in zip(*level, strict=True)]
    assert [f"[{names[u]},{names[v]}]" for u, v in both] == list(names[4:])
