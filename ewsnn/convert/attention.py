r"""Linear attention as an EWS of depth one: retention, rotary embedding, and SSD.

States gather keys and values, :math:`S_n = Σ_{j ≤ n} (\text{decay}) k_j v_j^⊤`, and queries read them. Each value of
each head is a head of the EWS, whose letters are the keys and whose lift is the identity.
"""

import dataclasses

import numpy as np

from ewsnn.arrays import Numbers, check_finite, real
from ewsnn.convert import depth_one, rotary
from ewsnn.convert.blocks import Exponents
from ewsnn.convert.depth_one import Gates, Path
from ewsnn.convert.mechanism import Either, namespace, product

__all__ = ["LinearAttention", "retention", "rotary_attention", "ssd"]


@dataclasses.dataclass(frozen=True)
class LinearAttention:
    """Given keys, values and queries, and the EWS that attends to them.

    Args:
        exponent: The generator of each head of the EWS, as :mod:`ewsnn.convert.depth_one` has it.
        path: The increments of the paths and clocks.
        gates: What reads the states.
        turns: The positions (steps,) and angles (K/2,) that lead back from the turning frame; None where it rests.
        shape: The numbers of heads and of values of each.
    """

    exponent: np.ndarray
    path: Path
    gates: Gates
    turns: tuple[np.ndarray, np.ndarray] | None
    shape: tuple[int, int]

    @property
    def generator(self) -> Exponents:
        """The generators of the heads, as every converted model has them; the lift is the identity, the clock given."""
        return Exponents(self.exponent)

    def ews(self) -> np.ndarray:
        """The states of the EWS, (…, steps, H V, K)."""
        found = depth_one.states(self.exponent, self.path.dtheta, self.path.dx)
        return found[..., -self.gates.drive.shape[-3] :, :, :]

    def states(self) -> np.ndarray:
        """The states S_n, (…, steps, H, K, V)."""
        found = self.ews() if self.turns is None else rotary.turned(self.ews(), *self.turns)
        return np.swapaxes(found.reshape(*found.shape[:-2], *self.shape, -1), -1, -2)

    def outputs(self) -> np.ndarray:
        """What the queries read, (…, steps, H, V)."""
        read = self.gates.read(self.ews())
        return read.reshape(*read.shape[:-1], *self.shape)


def retention(
    queries: Numbers,
    keys: Numbers,
    values: Numbers,
    decay: Numbers,
    angle: Numbers | None = None,
    positions: Numbers | None = None,
) -> LinearAttention:
    r"""Retention (RetNet) with turned keys and queries, as an EWS.

    .. math:: S_n = γ^{p_n - p_{n-1}} S_{n-1} + (R(p_n ϑ) k_n) v_n^⊤, \qquad y_n = (R(p_n ϑ) q_n)^⊤ S_n

    In the frame that turns with the position, the generator has for each pair of keys the block

    .. math:: \begin{pmatrix} -\log γ & -ϑ \\ ϑ & -\log γ \end{pmatrix}

    and the clock is the position. Turns of keys and queries cancel in the outputs.

    Args:
        queries: The queries q, (…, steps, H, K) with K even.
        keys: The keys k, of the same shape.
        values: The values v, (…, steps, H, V).
        decay: The decays γ of the heads above 0, (H,).
        angle: The angles ϑ of the pairs of keys 2p and 2p + 1, (K/2,); None for zeros.
        positions: Where the tokens are, (steps,); None for 0, 1, 2, …, for which all clock increments are 1. With
            positions the clock starts at the first one.

    Returns:
        The EWS, with its states and outputs.

    Raises:
        TypeError: If something is not real numbers.
        ValueError: If shapes do not fit, a number is not finite, a decay is not above 0, or a step without decay is a
            whole turn.

    Paper: Appendix E; Table 3.

    >>> head = retention([[[1.0, 0.0]]] * 2, [[[1.0, 0.0]]] * 2, [[[1.0]]] * 2, [0.5], [np.pi / 2])
    >>> head.outputs().round(12).ravel().tolist()
    [1.0, 1.0]
    """
    q, k, v = (_array(n, x) for n, x in (("queries", queries), ("keys", keys), ("values", values)))
    if k.ndim < 3 or q.shape != k.shape or v.shape[:-1] != k.shape[:-1] or k.shape[-1] % 2:
        raise ValueError(
            "queries and keys must be (…, steps, H, K) with an even K, values (…, steps, H, V); got "
            f"{q.shape}, {k.shape} and {v.shape}. Append a key that is 0 to make pairs."
        )
    steps, H, K = k.shape[-3:]
    gamma = _array("decay", decay, (H,))
    if not (gamma > 0).all():
        raise ValueError(f"decay must be above 0, got {gamma.min()}.")
    theta = np.zeros(K // 2) if angle is None else _array("angle", angle, (K // 2,))
    where = np.arange(float(steps)) if positions is None else _array("positions", positions, (steps,))
    moved = np.ones(steps) if positions is None else np.diff(where, prepend=where[:1])
    # Between whole positions a turn more makes no difference.
    turn = rotary.reduced(theta) if (where == np.rint(where)).all() else theta
    exponent = np.repeat(rotary.exponents(gamma, turn), v.shape[-1], axis=0)
    gates = attention_gates(q, k, v)
    gates = gates._replace(dtheta=np.broadcast_to(moved[:, None], gates.dtheta.shape))
    _refuse_whole_turns(exponent, moved)
    dx = depth_one.increments(exponent, gates.dtheta, gates.drive)
    return LinearAttention(exponent, Path(dx, gates.dtheta), gates, (where, theta), (H, v.shape[-1]))


def rotary_attention(
    queries: Numbers, keys: Numbers, values: Numbers, angle: Numbers, positions: Numbers | None = None
) -> LinearAttention:
    r"""Linear attention with rotary embedding and without decay, as an EWS: :func:`retention` with γ = 1.

    Args:
        queries: As for :func:`retention`.
        keys: As for :func:`retention`.
        values: As for :func:`retention`.
        angle: As for :func:`retention`.
        positions: As for :func:`retention`.

    Returns:
        The EWS, with its states and outputs.

    Raises:
        TypeError: As for :func:`retention`.
        ValueError: As for :func:`retention`.

    Paper: Appendix E; Table 3.

    >>> token = [[[1.0, 0.0]]]
    >>> attention = rotary_attention(token * 2, token * 2, [[[1.0]]] * 2, [np.pi / 2])
    >>> attention.states()[-1, 0].round(12).tolist()
    [[1.0], [1.0]]
    """
    return retention(queries, keys, values, np.ones(np.shape(keys)[-2]), angle, positions)


def ssd(
    x: Numbers,
    delta: Numbers,
    rate: Numbers,
    B: Numbers,
    C: Numbers,
    D: Numbers | None = None,
    initial: Numbers | None = None,
) -> LinearAttention:
    r"""The scan of Mamba-2 (SSD) as an EWS: attention with keys B, values x, queries C and a clock for each head.

    .. math:: H_t = e^{-aΔ_t} H_{t-1} + Δ_t\, B_t x_t^⊤, \qquad y_t = H_t^⊤ C_t + D x_t

    Args:
        x: The values, (…, steps, H, P).
        delta: The steps Δ ≥ 0, (…, steps, H).
        rate: The rates a > 0, (H,).
        B: The keys, (…, steps, G, N): the H heads come in G groups that share them.
        C: The queries, of the same shape.
        D: The skip, (H,) or (H, P); None for zeros.
        initial: The state before the first step, (H, N, P): one increment more at the start, while the clock stands.

    Returns:
        The EWS, with its states H, (…, steps, H, N, P), and outputs.

    Raises:
        TypeError: If something is not real numbers.
        ValueError: If shapes do not fit, a number is not finite, or a rate or step is negative.

    Paper: Appendix E; Table 3.

    >>> ssd([[[1.0]], [[0.0]]], [[1.0], [np.log(2)]], [1.0], [[[1.0]]] * 2, [[[1.0]]] * 2).outputs().ravel().tolist()
    [1.0, 0.5]
    """
    values, step = _array("x", x), _array("delta", delta)
    if values.ndim < 3 or step.shape != values.shape[:-1]:
        raise ValueError(f"x must be (…, steps, H, P) and delta (…, steps, H), got {values.shape} and {step.shape}.")
    H, P = values.shape[-2:]
    a = _array("rate", rate, (H,))
    if not (a > 0).all() or not (step >= 0).all():
        raise ValueError(f"rates must be above 0 and steps at least 0, got {a.min()} and {step.min()}.")
    keys, queries = _array("B", B), _array("C", C)
    if keys.shape != queries.shape or keys.shape[:-2] != step.shape[:-1] or H % keys.shape[-2]:
        raise ValueError(
            f"B and C must be (…, steps, G, N) with steps as in x and a G that divides H = {H}, got {keys.shape} and "
            f"{queries.shape}."
        )
    skip = np.zeros((H, P)) if D is None else _array("D", D)
    if skip.shape not in ((H,), (H, P)):
        raise ValueError(f"D must be {(H,)} or {(H, P)}, got {skip.shape}.")
    skip = np.broadcast_to(skip.reshape(H, -1), (H, P))
    exponent = np.broadcast_to(np.repeat(a, P)[:, None], (H * P, keys.shape[-1]))
    gates = ssd_gates(values, step, keys, queries, skip)
    path = Path(depth_one.increments(exponent, gates.dtheta, gates.drive), gates.dtheta)
    if initial is not None:
        start = _array("initial", initial, (H, keys.shape[-1], P))
        path = path.after(np.swapaxes(start, -1, -2).reshape(H * P, -1))
    return LinearAttention(exponent, path, gates, None, (H, P))


def attention_gates(queries: Either, keys: Either, values: Either) -> Gates:
    """Attention with the unit clock: drives k v, and the queries as weights; a head for each value of each head.

    Args:
        queries: The queries, (…, steps, H, K).
        keys: The keys, of the same shape.
        values: The values, (…, steps, H, V).
    """
    xp = namespace(keys)
    drive = product("...hv,...hk->...hvk", values, keys)
    every = (*drive.shape[:-3], -1, drive.shape[-1])
    weights = xp.broadcast_to(queries[..., None, :], drive.shape).reshape(every)
    ones = xp.ones_like(weights[..., 0])
    return Gates(ones, drive.reshape(every), weights, xp.zeros_like(ones))


def ssd_gates(x: Either, delta: Either, B: Either, C: Either, D: Either) -> Gates:
    """Attention of keys B, values Δx and queries C with the clock Δ and the skip D x.

    Args:
        x: The values, (…, steps, H, P).
        delta: The steps, (…, steps, H).
        B: The keys of each group, (…, steps, G, N).
        C: The queries of each group, of the same shape.
        D: The skip, (H, P).
    """
    (H, P), xp = x.shape[-2:], namespace(x)
    # The heads of a group follow each other.
    keys, queries = (xp.repeat(part, H // part.shape[-2], axis=-2) for part in (B, C))
    gates = attention_gates(queries, keys, product("...h,...hp->...hp", delta, x))
    skip = product("hp,...hp->...hp", D, x).reshape(gates.skip.shape)
    return gates._replace(dtheta=xp.repeat(delta, P, axis=-1), skip=skip)


def _array(name: str, given: Numbers, shape: tuple[int, ...] | None = None) -> np.ndarray:
    array = np.asarray(real(name, given, np.dtype(np.float64)))
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}.")
    check_finite(name, array)
    return array


def _refuse_whole_turns(exponent: np.ndarray, moved: np.ndarray) -> None:
    """φ_1 is singular where a step without decay is a whole turn, and loses digits close to it."""
    z = moved[:, None, None] * exponent
    size = np.abs(np.expm1(-z)) / np.where(z == 0, 1, np.abs(z))
    wrong = (z != 0) & (size < 1e-8)
    if wrong.any():
        step, _, pair = (int(i) for i in np.argwhere(wrong)[0])
        raise ValueError(
            f"the step to token {step} turns pair {pair} of the keys by {np.imag(z[wrong][0]):.6g}, a whole turn, and "
            "nothing decays: no increment of a path gives its key. Put a token with a key of 0 between the two."
        )
