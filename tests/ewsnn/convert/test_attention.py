"""Retention, rotary attention and SSD as EWS: against sums over all pairs of tokens. Kind: outside.

The sums are the parallel form of attention, which shares no state with the EWS. Both add a few dozen terms of size one:
the tolerance is 1e-14 of the largest entry, except where it is said.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from ewsnn.convert import depth_one, rotary
from ewsnn.convert.attention import LinearAttention, retention, rotary_attention, ssd

H, K, V, STEPS = 2, 4, 3, 8
RNG = np.random.default_rng(0)
Q, KEYS, VALUES = RNG.normal(size=(STEPS, H, K)), RNG.normal(size=(STEPS, H, K)), RNG.normal(size=(STEPS, H, V))
DECAY, ANGLE = np.array([0.9, 0.5]), np.array([0.7, 4.0])
UNEVEN = np.array([3.0, 3.0, 3.25, 5.0, 5.5, 9.0, 9.125, 12.0])


def error(found: np.ndarray, wanted: np.ndarray) -> float:
    assert found.shape == wanted.shape
    return float(np.abs(found - wanted).max() / np.abs(wanted).max())


def turn(vector: np.ndarray, position: float, angle: np.ndarray) -> np.ndarray:
    out = np.empty_like(vector)
    for p, theta in enumerate(angle):
        c, s = np.cos(position * theta), np.sin(position * theta)
        x, y = vector[..., 2 * p].copy(), vector[..., 2 * p + 1].copy()
        out[..., 2 * p], out[..., 2 * p + 1] = c * x - s * y, s * x + c * y
    return out


def attended(decay: np.ndarray, angle: np.ndarray, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """States and outputs as sums over all former tokens."""
    states, outputs = [], []
    for p in positions:
        S = np.zeros((H, K, V))
        for j, p_j in enumerate(positions):
            if j <= len(states):
                S += decay[:, None, None] ** (p - p_j) * np.einsum("hk,hv->hkv", turn(KEYS[j], p_j, angle), VALUES[j])
        states.append(S)
        outputs.append(np.einsum("hk,hkv->hv", turn(Q[len(states) - 1], p, angle), S))
    return np.array(states), np.array(outputs)


def check(found: LinearAttention, wanted: tuple[np.ndarray, np.ndarray], tolerance: float = 1e-14) -> None:
    assert error(found.states(), wanted[0]) <= tolerance
    assert error(found.outputs(), wanted[1]) <= tolerance


def test_retention_without_turns() -> None:
    found = retention(Q, KEYS, VALUES, DECAY)
    check(found, attended(DECAY, np.zeros(2), np.arange(STEPS)))
    assert not np.imag(found.exponent).any()


def test_retention_with_rotary_keys() -> None:
    found = retention(Q, KEYS, VALUES, DECAY, ANGLE)
    check(found, attended(DECAY, ANGLE, np.arange(STEPS)))
    # A head for each value, with a block for each pair of keys.
    rate = -np.log(0.9)
    block = [[rate, -0.7], [0.7, rate]]
    assert found.generator.matrix().shape == (H * V, K, K)
    np.testing.assert_array_equal(found.generator.matrix()[V - 1, :2, :2], block)


def test_rotary_attention_does_not_decay() -> None:
    found = rotary_attention(Q, KEYS, VALUES, ANGLE)
    check(found, attended(np.ones(2), ANGLE, np.arange(STEPS)))
    # The second angle is beyond half a turn: the generator has it less a turn.
    assert np.real(found.exponent[0]).tolist() == [0.0, 0.0]
    assert np.imag(found.exponent[0]).tolist() == pytest.approx([0.7, 4.0 - 2 * np.pi], rel=1e-15)


@pytest.mark.parametrize("decay", [DECAY, np.ones(2)], ids=["decay", "none"])
def test_positions_are_the_clock(decay: np.ndarray) -> None:
    found = retention(Q, KEYS, VALUES, decay, ANGLE, UNEVEN)
    check(found, attended(decay, ANGLE, UNEVEN))
    np.testing.assert_array_equal(found.path.dtheta, np.repeat(np.diff(UNEVEN, prepend=3.0)[:, None], H * V, axis=1))
    # Between places that are not whole the angle counts in full.
    assert np.imag(found.exponent[0]).tolist() == ANGLE.tolist()


def test_whole_positions_are_the_unit_clock() -> None:
    given, default = (retention(Q, KEYS, VALUES, DECAY, ANGLE, p) for p in (np.arange(STEPS), None))
    check(given, (default.states(), default.outputs()))


def test_a_whole_turn_is_refused_only_where_nothing_decays() -> None:
    whole = rotary_attention(Q, KEYS, VALUES, [2 * np.pi, 0])
    assert error(whole.outputs(), attended(np.ones(2), np.zeros(2), np.arange(STEPS))[1]) <= 1e-14
    gaps = np.array([0.0, 1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])
    with pytest.raises(ValueError, match=r"token 2 turns pair 0 of the keys by 6\.28319, a whole turn"):
        rotary_attention(Q, KEYS, VALUES, [np.pi, 0], gaps)
    angle = np.array([np.pi, 0.0])
    check(retention(Q, KEYS, VALUES, DECAY, angle, gaps), attended(DECAY, angle, gaps))


def test_batches_are_paths_of_their_own() -> None:
    whole = retention(Q, KEYS, VALUES, DECAY, ANGLE)
    q, k, v = (np.stack([x, -x])[None] for x in (Q, KEYS, VALUES))
    many = retention(q, k, v, DECAY, ANGLE)
    assert error(many.states()[0, 1], whole.states()) <= 1e-15  # two signs that cancel
    assert error(many.outputs()[0, 1], -whole.outputs()) <= 1e-15


STEP, RATE = RNG.uniform(0, 2, (STEPS, H)), np.array([0.5, 1.5])
GROUPED = RNG.normal(size=(2, STEPS, 1, K))


@pytest.mark.parametrize("groups", [1, 2])
def test_ssd_is_attention_with_a_clock_for_each_head(groups: int) -> None:
    rng = np.random.default_rng(1)
    B, C = rng.normal(size=(2, STEPS, groups, K))
    D, start = rng.normal(size=H), rng.normal(size=(H, K, V))
    elapsed = np.cumsum(STEP, axis=0)
    states, outputs = [], []
    for t in range(STEPS):
        S = np.exp(-RATE * elapsed[t])[:, None, None] * start
        for j in range(t + 1):
            for h in range(H):
                weight = np.exp(-RATE[h] * (elapsed[t, h] - elapsed[j, h])) * STEP[j, h]
                S[h] += weight * np.outer(B[j, h * groups // H], VALUES[j, h])
        states.append(S)
        outputs.append([C[t, h * groups // H] @ S[h] + D[h] * VALUES[t, h] for h in range(H)])
    found = ssd(VALUES, STEP, RATE, B, C, D, start)
    check(found, (np.array(states), np.array(outputs)))
    assert found.path.dx.shape == (STEPS + 1, H * V, K)
    assert (found.path.dtheta[0] == 0).all()
    each = ssd(VALUES, STEP, RATE, B, C, np.repeat(D[:, None], V, axis=1), start)
    np.testing.assert_array_equal(each.outputs(), found.outputs())


def test_ssd_is_retention_where_steps_are_equal() -> None:
    ones = np.ones((STEPS, H))
    found = ssd(VALUES, ones, -np.log(DECAY), KEYS, Q)
    check(retention(Q, KEYS, VALUES, DECAY), (found.states(), found.outputs()))


def test_a_step_of_zero_adds_nothing() -> None:
    step = np.where(np.arange(STEPS)[:, None] == 4, 0.0, STEP)
    states = ssd(VALUES, step, RATE, *GROUPED).states()
    np.testing.assert_array_equal(states[4], states[3])


def test_the_increments_have_gradients_in_jax() -> None:
    """Also where a clock stands, in single precision and with strict types."""

    @jax.jit
    def total(exponent: Any, dtheta: Any) -> Any:
        return jnp.sum(depth_one.increments(exponent, dtheta, jnp.ones((2, 1, 4), dtheta.dtype)))

    @jax.jit
    def turning(decay: Any, angle: Any) -> Any:
        return total(rotary.exponents(decay, rotary.reduced(angle)), jnp.array([[0.0], [1.0]], decay.dtype))

    real = np.array([[0.3, 1.0, 2.0, 0.0]])
    for dtype in (jnp.float32, jnp.float64):
        moved = jnp.array([[0.0], [0.5]], dtype)
        slopes = jax.grad(total, argnums=(0, 1))(jnp.asarray(real, dtype), moved)
        # g'(0) = 1/2 for each letter, times its rate.
        assert float(slopes[1][0, 0]) == pytest.approx(real.sum() / 2, rel=1e-6)
        assert all(bool(jnp.isfinite(slope).all()) for slope in slopes)
        both = jax.grad(turning, argnums=(0, 1))(jnp.array([0.5], dtype), jnp.asarray(ANGLE, dtype))
        assert all(bool(jnp.isfinite(slope).all()) and slope.dtype == dtype for slope in both)
    exponent = rotary.exponents(DECAY, ANGLE)
    np.testing.assert_allclose(np.asarray(rotary.exponents(jnp.array(DECAY), jnp.array(ANGLE))), exponent, rtol=1e-15)


WRONG: dict[str, tuple[Any, str]] = {
    "an odd number of keys": (lambda: retention(Q[..., :3], KEYS[..., :3], VALUES, DECAY), "even K"),
    "no heads": (lambda: retention(Q[:, 0], KEYS[:, 0], VALUES[:, 0], DECAY), r"\(…, steps, H, K\)"),
    "a decay of zero": (lambda: retention(Q, KEYS, VALUES, [0.0, 0.5]), r"above 0, got 0\.0"),
    "decays of other heads": (lambda: retention(Q, KEYS, VALUES, [0.5]), r"decay must have shape \(2,\), got \(1,\)"),
    "an infinite key": (lambda: retention(Q, KEYS * np.inf, VALUES, DECAY), "keys must be finite"),
    "a step back in time": (lambda: ssd(VALUES, -STEP, RATE, *GROUPED), "steps at least 0"),
    "a clock of other heads": (lambda: ssd(VALUES, STEP[:, :1], RATE, *GROUPED), r"delta \(…, steps, H\)"),
    "groups that do not divide": (lambda: ssd(VALUES, STEP, RATE, *np.ones((2, STEPS, 3, K))), "divides H = 2"),
    "a skip of another shape": (lambda: ssd(VALUES, STEP, RATE, *GROUPED, D=[1.0, 2.0, 3.0]), "D must be"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_attention_is_refused(name: str) -> None:
    call, message = WRONG[name]
    with pytest.raises(ValueError, match=message):
        call()
