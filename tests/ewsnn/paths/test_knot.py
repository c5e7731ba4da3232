"""Chunks of observations as increments. Oracle: the increments of the whole path."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn import Increments
from ewsnn.paths.knot import Knot

FLOAT32, FLOAT64 = np.dtype(np.float32), np.dtype(np.float64)
RNG = np.random.default_rng(0)
X, T = RNG.normal(size=(2, 6, 3)), np.cumsum(RNG.uniform(size=(2, 6)), axis=-1)


def joined(chunks: list[Increments]) -> Increments:
    return Increments(
        jnp.concatenate([chunk.dx for chunk in chunks], axis=1),
        jnp.concatenate([chunk.dt for chunk in chunks], axis=1),
        jnp.concatenate([chunk.valid for chunk in chunks], axis=1),
    )


def equal(one: Increments, other: Increments) -> bool:
    return all(jnp.array_equal(getattr(one, name), getattr(other, name)) for name in ("dx", "dt", "valid"))


@pytest.mark.parametrize("cut", [1, 3, 5])
@pytest.mark.parametrize("stamps", [True, False])
def test_chunks_are_the_whole_bit_for_bit(cut: int, stamps: bool) -> None:
    times = T if stamps else None
    for reading, whole in (
        (Knot.values, Increments.from_values(X, times, start_time=-1.0 if stamps else None).with_base_point()),
        (Knot.integral, Increments.integral(X, times, start_time=-1.0 if stamps else None)),
    ):
        knot = Knot.start((2,), 3, FLOAT64, -1.0)
        knot, first = reading(knot, X[:, :cut], T[:, :cut] if stamps else None)
        knot, second = reading(knot, X[:, cut:], T[:, cut:] if stamps else None)
        assert equal(joined([first, second]), whole)
        assert knot.time.value.tolist() == (T[:, -1].tolist() if stamps else [5, 5])


def test_large_offsets_keep_the_digits_of_increments_in_single_precision() -> None:
    # Unix times and a level far from zero, as float64 of NumPy: as exact in chunks as all at once.
    x, t = 1e6 + X, 1.7e9 + T
    whole = Increments.from_values(x, t, dtype=np.float32)
    knot = Knot.start((2,), 3, FLOAT32, t[:, 0], x[:, 0])
    chunks = []
    for k in range(1, 6):
        knot, one = knot.values(x[:, k : k + 1], t[:, k : k + 1])
        chunks.append(one)
    found = joined(chunks)
    for name in ("dx", "dt"):
        a, b = getattr(found, name), getattr(whole, name)
        # 48 bits of the offset, and the rounding of the result.
        offset = (1e6 if name == "dx" else 1.7e9) * 2.0**-48
        assert float(jnp.max(jnp.abs(a - b))) <= 2 * offset + 2.0**-23 * float(jnp.max(jnp.abs(b)))
        # A plain float32 would have lost every digit of the times.
        assert float(jnp.max(jnp.abs(a))) > 0.1


def test_lengths_end_where_they_say_and_padding_is_not_read() -> None:
    x, t = X.copy(), T.copy()
    x[0, 2:] = t[0, 2:] = np.nan
    x[1] = t[1] = np.nan
    start = Knot.start((2,), 3, FLOAT64, -1.0, X[:, 5])
    knot, read = start.values(x, t, np.array([2, 0]))
    assert read.valid.sum(axis=-1).tolist() == [2, 0]
    assert (read.dx[1] == 0).all()
    assert (read.dx[0, 2:] == 0).all()
    assert knot.time.value.tolist() == [T[0, 1], -1]
    assert knot.point.value.tolist() == [X[0, 1].tolist(), X[1, 5].tolist()]


def test_increments_move_the_knot_by_their_sum() -> None:
    whole = Increments.from_values(X, T, start_time=-1.0).with_base_point()
    knot = Knot.start((2,), 3, FLOAT64, -1.0).moved(whole)
    np.testing.assert_allclose(knot.point.value, X[:, -1], rtol=0, atol=1e-14)
    np.testing.assert_allclose(knot.time.value, T[:, -1], rtol=1e-15)


def test_a_traced_chunk_has_gradients_and_no_checks() -> None:
    def last(x):
        return jnp.sum(Knot.start((2,), 3, FLOAT64).values(x, jnp.zeros(6) - jnp.sum(x))[1].dx ** 2)

    gradient = jax.jit(jax.grad(last))(jnp.asarray(X))
    dx = np.diff(X, axis=1, prepend=0)
    expected = 2 * dx - 2 * np.concatenate([dx[:, 1:], np.zeros((2, 1, 3))], axis=1)
    np.testing.assert_allclose(gradient, expected, rtol=0, atol=1e-14)


def test_a_repeated_stamp_is_allowed_and_one_before_is_not() -> None:
    knot, _ = Knot.start((), 1, FLOAT32, 1.7e9).values([[1.0]], [1.7e9 + 0.1])
    again, read = knot.values([[2.0]], np.array([1.7e9 + 0.1]))
    assert read.dt.tolist() == [0]
    with pytest.raises(ValueError, match=r"the path is at 1700000000\.1\d*, the next time is 1700000000\.0"):
        again.values([[2.0]], np.array([1.7e9]))
    with pytest.raises(ValueError, match=r"Times are absolute: do not start again from zero"):
        again.values([[2.0]], [0.0])
