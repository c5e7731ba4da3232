"""The seven structures: linear fields, maps that act as matrices, norms, and how they are drawn. Kind: identity."""

from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.slices import BD, DDE, DE, DPLR, WH, AbstractStructure, D, S
from ewsnn.slices.maps import AbstractClosedMap, Dense, Diagonal
from ewsnn.slices.structures import closed
from ewsnn.slices.structures import open as opened
from ewsnn.slices.structures.base import combined, drawn

EPS = float(np.finfo(np.float64).eps)
KEY = jax.random.key(0)
CHANNELS, SIZE = 3, 8


def numbers(*shape: int) -> np.ndarray:
    return np.random.default_rng(shape).normal(size=shape) / 2


STRUCTURES: dict[str, AbstractStructure] = {
    "DE": DE(numbers(CHANNELS, SIZE, SIZE)),
    "D": D(numbers(CHANNELS, SIZE)),
    "BD": BD(numbers(CHANNELS, 2, 4, 4)),
    "DDE": DDE(numbers(CHANNELS, 5), numbers(CHANNELS, 3, 3)),
    "DDE without a diagonal": DDE(numbers(CHANNELS, 0), numbers(CHANNELS, SIZE, SIZE)),
    "WH": WH(numbers(CHANNELS, SIZE)),
    "DPLR": DPLR(numbers(CHANNELS, SIZE), numbers(CHANNELS, SIZE, 2), numbers(CHANNELS, SIZE, 2)),
    "S": S(
        numbers(50),
        np.argwhere(np.random.default_rng(5).random((CHANNELS, SIZE, SIZE)) < 0.3)[:50],
        channels=CHANNELS,
        size=SIZE,
    ),
}
FIRST, SECOND = np.random.default_rng(0).normal(size=(2, 2, CHANNELS))
H = np.random.default_rng(1).normal(size=(2, SIZE))


@eqx.filter_jit
def parts(structure: AbstractStructure, dw: Any, h: Any) -> tuple[Any, ...]:
    field = structure.field(dw)
    flow = field.plus_identity().matrix()
    return structure.matrices(), field.matrix(), field.apply(h), field.norm(), flow, structure.norms()


@pytest.mark.parametrize("name", STRUCTURES)
def test_the_field_is_linear_in_the_increment_and_acts_as_its_matrix(name: str) -> None:
    structure = STRUCTURES[name]
    sums = {}
    for key, dw in {"first": FIRST, "second": SECOND, "both": FIRST + SECOND, "twice": 2 * FIRST}.items():
        A, M, Mh, bound, flow, norms = map(np.asarray, parts(structure, jnp.asarray(dw), jnp.asarray(H)))
        tolerance = 20 * EPS * np.abs(M).max()
        np.testing.assert_allclose(M, np.einsum("bc,cij->bij", dw, A), rtol=0, atol=tolerance)
        np.testing.assert_allclose(Mh, np.einsum("bij,bj->bi", M, H), rtol=0, atol=tolerance * np.abs(H).sum())
        np.testing.assert_allclose(flow, M + np.eye(SIZE), rtol=0, atol=tolerance)
        # An operator norm is no less than the spectral radius.
        assert (bound >= np.abs(np.linalg.eigvals(M)).max(axis=-1) - tolerance).all()
        np.testing.assert_allclose(norms, np.linalg.norm(A, axis=(1, 2)), rtol=20 * EPS)
        assert A.shape == (CHANNELS, SIZE, SIZE)
        sums[key] = M
    np.testing.assert_allclose(
        sums["both"], sums["first"] + sums["second"], rtol=0, atol=20 * EPS * np.abs(sums["twice"]).max()
    )
    np.testing.assert_allclose(sums["twice"], 2 * sums["first"], rtol=0, atol=20 * EPS * np.abs(sums["twice"]).max())


def test_closed_maps_compose_with_the_later_one_on_the_left() -> None:
    @eqx.filter_jit
    def both(structure: AbstractStructure, dw: Any) -> tuple[Any, ...]:
        first, second = (structure.field(one) for one in dw)
        assert isinstance(first, AbstractClosedMap)
        assert isinstance(second, AbstractClosedMap)
        return first.matrix(), second.matrix(), first.then(second).matrix()

    for name in ("DE", "D", "BD", "DDE"):
        assert STRUCTURES[name].is_closed
        first, second, together = map(np.asarray, both(STRUCTURES[name], jnp.asarray([FIRST, SECOND])))
        np.testing.assert_allclose(together, second @ first, rtol=0, atol=50 * EPS * np.abs(together).max())
    assert not any(STRUCTURES[name].is_closed for name in ("WH", "DPLR", "S"))
    with pytest.raises(TypeError, match="Diagonal is composed with Diagonal alone, got Dense"):
        Diagonal(jnp.ones(2)).then(Dense(jnp.ones((2, 2))))


def test_a_walsh_hadamard_structure_cannot_leave_the_unit_ball() -> None:
    A = WH(np.random.default_rng(2).normal(size=(2, 8)) * 100).matrices()
    assert (np.linalg.norm(np.asarray(A), 2, axis=(1, 2)) <= 1 + 8 * EPS).all()


@pytest.mark.parametrize("structure", [D(np.zeros((1, 2))), S([0.0], [[0, 0, 0]], channels=1, size=2)])
def test_norms_have_gradient_zero_at_zero(structure: AbstractStructure) -> None:
    gradient = eqx.filter_grad(lambda one: jnp.sum(one.norms()))(structure)
    for leaf in jax.tree.leaves(eqx.filter(gradient, eqx.is_inexact_array)):
        np.testing.assert_array_equal(leaf, np.zeros_like(leaf))


def test_parameters_are_drawn_with_the_published_deviations(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []

    def noted(key: Any, shape: tuple[int, ...], deviation: float) -> np.ndarray:
        found.append((shape, deviation))
        return np.zeros(shape)

    monkeypatch.setattr(closed, "drawn", noted)
    monkeypatch.setattr(opened, "drawn", noted)
    DE.init(KEY, 2, 64, sigma=0.5)
    D.init(KEY, 2, 64, sigma=0.5)
    BD.init(KEY, 2, 64, block=4, sigma=0.5)
    DDE.init(KEY, 2, 64, block=16, sigma=0.5)
    WH.init(KEY, 2, 64, sigma=0.5)
    DPLR.init(KEY, 2, 64, rank=4, sigma=0.5)
    S.init(KEY, 2, 64, keep=0.5, sigma=0.5)
    D.init(KEY, 1, 1)
    assert found == [
        ((2, 64, 64), 0.5 / 8),
        ((2, 64), 0.5),
        ((2, 16, 4, 4), 0.5 / 2),
        ((2, 48), 0.5),
        ((2, 16, 16), 0.5 / 4),
        ((2, 64), 0.5),
        ((2, 64), 0.5),
        ((2, 64, 4), 0.5 / 2),
        ((2, 64, 4), 0.5 / 2),
        ((4096,), 0.5 / 8),
        ((1, 1), 0.25),
    ]


def test_normal_numbers_have_their_deviation() -> None:
    # 4000 draws: 5 % are more than four standard errors.
    assert drawn(KEY, (4000,), 3.0).std() == pytest.approx(3.0, rel=0.05)


def test_sparse_structures_store_as_many_entries_as_they_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opened, "drawn", lambda key, shape, deviation: np.full(shape, deviation))
    assert S.init(KEY, 7, 16, keep=0.1).values.shape == (179,)  # 179.2
    each = S.init_each(KEY, 3, 16, epsilon=0.25)
    assert np.bincount(np.asarray(each.places)[:, 0]).tolist() == 3 * [32]
    full = S.init_each(KEY, 2, 4, epsilon=1.0)
    assert full.places.shape == (32, 3)


def test_the_order_in_which_places_are_given_does_not_matter() -> None:
    places, values = [[1, 3, 0], [0, 0, 1], [1, 0, 1]], [1.0, 2.0, 3.0]
    A = np.zeros((2, 4, 4))
    for (c, i, j), x in zip(places, values, strict=True):
        A[c, i, j] = x
    np.testing.assert_array_equal(S(values, places, channels=2, size=4).matrices(), A)


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: DE(np.ones((2, 3, 4))), ValueError, "square matrices"),
        (lambda: DE(np.ones((2, 3))), ValueError, r"\(channels, h, h\)"),
        (lambda: D(np.ones((0, 3))), ValueError, "no axis of length 0"),
        (lambda: BD.init(KEY, 2, 10, block=4), ValueError, "do not fill 10 rows"),
        (lambda: DDE.init(KEY, 2, 8, block=16), ValueError, "between 1 and 8 of 8 rows, got 16"),
        (lambda: DDE(np.ones((3, 1)), np.ones((2, 2, 2))), ValueError, "with 2 channels"),
        (lambda: WH(np.ones((2, 6))), ValueError, "power of two"),
        (lambda: DPLR.init(KEY, 2, 4, rank=0), ValueError, "of rank 0 is the structure D"),
        (lambda: DPLR(np.ones((2, 4)), np.ones((2, 4, 1)), np.ones((2, 4, 2))), ValueError, "got shapes"),
        (lambda: S.init(KEY, 1, 2, keep=0.01), ValueError, "that leaves one"),
        (lambda: S.init_each(KEY, 1, 2, epsilon=1.5), ValueError, "epsilon must be in"),
        (lambda: S([1.0], [[0.0, 1.0, 1.0]], channels=1, size=2), TypeError, "places must be integers"),
        (lambda: S([1.0], [[0, 2, 1]], channels=1, size=2), ValueError, "must lie within 1 channels"),
        (lambda: S([1.0, 2.0], [[0, 1, 1], [0, 1, 1]], channels=1, size=2), ValueError, "comes twice"),
        (lambda: S([1.0], [[0, 1]], channels=1, size=2), ValueError, r"\(1, 3\)"),
    ],
)
def test_bad_parameters_are_refused(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_parameters_are_combined_for_any_leading_axes() -> None:
    p, dw = np.arange(12.0).reshape(2, 3, 2), np.ones((4, 5, 2))
    np.testing.assert_array_equal(combined(jnp.asarray(dw), jnp.asarray(p)), np.broadcast_to(p.sum(0), (4, 5, 3, 2)))
