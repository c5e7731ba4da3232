"""Coordinates of Lie elements in named bases: known values, conversions and refusals."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.signature import (
    BASES,
    convert,
    coordinates,
    exp,
    from_coordinates,
    inverse,
    labels,
    log,
    log_signature,
    lyndon_words,
    signature,
)

EPS = float(np.finfo(np.float64).eps)
LETTERS = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
CORNERS = [[0.0, 0.0], [1.0, 0.0], [1.0, 2.0], [3.0, 1.0]]


def test_words_and_brackets_of_three_letters_in_turn() -> None:
    # What libraries that do not name their basis have been confused about.
    found = {
        basis: dict(zip(labels(3, 3, basis=basis), log_signature(LETTERS, 3, basis=basis).tolist(), strict=True))
        for basis in BASES
    }
    for basis in ("words", "lyndon words"):
        assert found[basis]["1,2,3"] == pytest.approx(1 / 3, abs=EPS)
        assert found[basis]["1,3,2"] == pytest.approx(-1 / 6, abs=EPS)
    assert found["lyndon brackets"]["[1,[2,3]]"] == pytest.approx(1 / 3, abs=EPS)
    assert found["lyndon brackets"]["[[1,3],2]"] == pytest.approx(1 / 6, abs=EPS)


def test_labels_name_the_coordinates() -> None:
    assert labels(2, 2, basis="words") == ("1", "2", "1,1", "1,2", "2,1", "2,2")
    assert labels(12, 1, basis="lyndon words")[-1] == "12"
    assert labels(2, 5, basis="lyndon brackets")[-6:] == (
        "[1,[1,[1,[1,2]]]]",
        "[1,[1,[[1,2],2]]]",
        "[[1,[1,2]],[1,2]]",
        "[1,[[[1,2],2],2]]",
        "[[1,2],[[1,2],2]]",
        "[[[[1,2],2],2],2]",
    )
    for basis in BASES:
        assert len(labels(3, 4, basis=basis)) == log_signature(LETTERS, 4, basis=basis).shape[-1]
    # A label of one letter for each channel, and a word is a place in its level.
    level2 = log(signature(LETTERS, 2))[1]
    place = tuple(letter - 1 for letter in lyndon_words(3, 2)[3])
    assert level2[place] == log_signature(LETTERS, 2, basis="lyndon words")[3]


@pytest.mark.parametrize("basis", BASES)
def test_the_exponential_gives_the_signature_back(basis: str) -> None:
    S = signature(CORNERS, 5)
    back = exp(from_coordinates(log_signature(CORNERS, 5, basis=basis), 2, 5, basis=basis))
    for found, given in zip(back, S, strict=True):
        # Series of terms up to 6 times the level.
        assert float(jnp.max(jnp.abs(found - given))) <= 50 * EPS * float(jnp.max(jnp.abs(given)))


@pytest.mark.parametrize(("source", "target"), list(itertools.permutations(BASES, 2)))
def test_conversions_go_both_ways(source: str, target: str) -> None:
    path = jnp.asarray(np.random.default_rng(0).normal(size=(2, 3, 5, 2)))
    one, other = (log_signature(path, 5, basis=basis) for basis in (source, target))
    assert one.shape[:2] == other.shape[:2] == (2, 3)
    # The whole numbers of the tables are at most 4 at this depth.
    tolerance = 50 * EPS * float(jnp.max(jnp.abs(other)))
    assert float(jnp.max(jnp.abs(convert(one, 2, 5, source=source, target=target) - other))) <= tolerance


def test_every_row_of_coordinates_makes_a_group_like_element() -> None:
    x = jnp.asarray(np.random.default_rng(1).normal(size=(4, 14)))
    S = exp(from_coordinates(x, 3, 3, basis="lyndon words"))
    # Shuffle of letters with a word of two.
    product = jnp.einsum("bi,bjk->bijk", S[0], S[1])
    shuffles = S[2] + S[2].transpose(0, 2, 1, 3) + S[2].transpose(0, 3, 1, 2)
    assert float(jnp.max(jnp.abs(product - shuffles))) <= 50 * EPS * float(jnp.max(jnp.abs(product)))
    for found, given in zip(coordinates(log(S), basis="lyndon words").T, x.T, strict=True):
        assert float(jnp.max(jnp.abs(found - given))) <= 200 * EPS


def test_prefixes_have_log_signatures_and_means_have_none() -> None:
    every = log_signature(CORNERS, 3, basis="lyndon words", output="all")
    assert every.shape == (3, 5)
    for k in range(3):
        np.testing.assert_allclose(
            every[k], log_signature(CORNERS[: k + 2], 3, basis="lyndon words"), rtol=0, atol=20 * EPS
        )
    with pytest.raises(ValueError, match=r"one of 'terminal', 'all', got 'mean'"):
        log_signature(CORNERS, 3, basis="words", output="mean")


def test_padding_and_repeated_points_change_nothing() -> None:
    plain = log_signature(CORNERS, 3, basis="lyndon brackets")
    padded = np.concatenate([CORNERS, np.full((2, 2), np.nan)])
    repeated = np.repeat(CORNERS, 2, axis=0)
    assert (log_signature(padded, 3, basis="lyndon brackets", lengths=4) == plain).all()
    assert (log_signature(repeated, 3, basis="lyndon brackets") == plain).all()
    assert log_signature([[1.0, 2.0]], 2, basis="words").tolist() == 6 * [0.0]


def test_it_passes_through_jit_vmap_and_both_modes_of_differentiation() -> None:
    path, direction = jnp.asarray(np.random.default_rng(2).normal(size=(2, 5, 2)))

    def coordinate(path):
        return jnp.sum(log_signature(path, 3, basis="lyndon brackets") ** 2)

    (one,) = jax.jit(jax.vmap(coordinate))(path[None])
    assert float(one) == pytest.approx(float(coordinate(path)), rel=20 * EPS)
    gradient = jax.jit(jax.grad(coordinate))(path)
    _, slope = jax.jit(lambda x, v: jax.jvp(coordinate, (x,), (v,)))(path, direction)
    assert float(slope) == pytest.approx(float(jnp.sum(gradient * direction)), rel=100 * EPS)
    # A point that is repeated: no norm, no root, no NaN.
    assert jnp.isfinite(jax.jit(jax.grad(coordinate))(jnp.zeros((5, 2)))).all()


def test_what_is_wrong_is_refused_with_what_is_allowed() -> None:
    for call in (
        lambda: log_signature(CORNERS, 2, basis="hall"),
        lambda: labels(2, 2, basis="hall"),
        lambda: coordinates(log(signature(CORNERS, 2)), basis="hall"),
        lambda: convert(jnp.zeros(3), 2, 2, source="lyndon words", target="hall"),
    ):
        with pytest.raises(ValueError, match="one of 'words', 'lyndon words', 'lyndon brackets', got 'hall'"):
            call()
    with pytest.raises(ValueError, match=r"2 letters at depth 3 have 5 coordinates .*'lyndon words', got shape \(3,\)"):
        from_coordinates(jnp.zeros(3), 2, 3, basis="lyndon words")
    with pytest.raises(ValueError, match="depth must be an integer of at least 1, got 0"):
        lyndon_words(2, 0)
    with pytest.raises(ValueError, match="m must be an integer of at least 1, got 0"):
        labels(0, 2, basis="words")
    with pytest.raises(ValueError, match="3000 letters at depth 2"):
        log_signature(np.zeros((2, 3000), np.float32), 2, basis="lyndon words")
    with pytest.raises(ValueError, match="at least one point and one channel"):
        log_signature(np.zeros((2, 0), np.float32), 2, basis="lyndon words")


def test_the_signature_is_the_product_of_its_halves() -> None:
    whole, first = signature(CORNERS, 3), signature(CORNERS[:2], 3)
    rest = exp(from_coordinates(log_signature(CORNERS[1:], 3, basis="lyndon brackets"), 2, 3, basis="lyndon brackets"))
    back = inverse(first)
    level1 = whole[0] + back[0]
    level2 = whole[1] + jnp.tensordot(back[0], whole[0], axes=0) + back[1]
    np.testing.assert_allclose(level1, rest[0], rtol=0, atol=10 * EPS)
    np.testing.assert_allclose(level2, rest[1], rtol=0, atol=50 * EPS)
