r"""Retention (RetNet): heads that forget at a fixed rate, with keys turned by their position."""

from ewsnn.convert.arguments import Arguments
from ewsnn.convert.attention import attention_gates
from ewsnn.convert.depth_one import Gates
from ewsnn.convert.functions import SINGULAR
from ewsnn.convert.mechanism import Either, namespace, product
from ewsnn.convert.rotary import exponents, reduced, turned
from ewsnn.convert.selection import AbstractSelection
from ewsnn.convert.selective import Selective


class Retention(AbstractSelection):
    r"""The retention of a RetNet up to its group norm: H heads with K keys and V values each.

    .. math:: q = W_q x, \quad k = K^{-1/2} W_k x, \quad v = W_v x, \qquad
        S_n = γ S_{n-1} + (R(nϑ) k_n) v_n^⊤, \quad y_n = \frac{(R(nϑ) q_n)^⊤ S_n}{\sqrt{1 + γ + ⋯ + γ^n}}

    with positions n = 0, 1, …. Each value of each head is a head of the EWS, with the unit clock, a letter for each
    key, lift I, for each pair of keys the block and increment

    .. math:: \begin{pmatrix} -\log γ & -ϑ \\ ϑ & -\log γ \end{pmatrix}, \qquad ΔX = g(A)\, k_n v_n, \qquad
        g(z) = \frac{z}{1 - e^{-z}},

    and :math:`S_n = R(nϑ) H_n` for its states H_n. The turns of keys and queries cancel in the outputs.

    Args:
        q_proj: The matrix W_q, (HK, M).
        k_proj: The matrix W_k, (HK, M).
        v_proj: The matrix W_v, (HV, M).
        angle: The angle ϑ of each pair of keys, (K/2,).
        decay: The decays γ, (H,).

    Paper: Appendix E; Table 3.
    """

    q_proj: Either
    k_proj: Either
    v_proj: Either
    angle: Either
    decay: Either

    @property
    def width(self) -> int:
        """The width M of the inputs."""
        return self.q_proj.shape[1]

    @property
    def _values(self) -> int:
        return self.v_proj.shape[0] // self.decay.shape[0]

    @property
    def exponent(self) -> Either:
        """The exponents -log γ + iϑ of each value of each head, (HV, K/2)."""
        xp = namespace(self.decay)
        return xp.repeat(exponents(self.decay, reduced(self.angle)), self._values, axis=0)

    def gates(self, inputs: Either) -> Gates:
        """Unit clock increments, drives k v, and the queries over the normaliser; a head for each value of each."""
        xp, batch, H = namespace(inputs, self.decay), inputs.shape[:-1], len(self.decay)
        q, k, v = (
            product("...m,em->...e", inputs, weight).reshape(*batch, H, -1)
            for weight in (self.q_proj, self.k_proj, self.v_proj)
        )
        powers = xp.cumprod(xp.broadcast_to(self.decay, (batch[-1], H)), axis=0) / self.decay[None]
        normaliser = xp.sqrt(xp.cumsum(powers, axis=0))
        return attention_gates(product("...nhk,nh->...nhk", q, 1 / normaliser), k * k.shape[-1] ** -0.5, v)

    def released(self, gates: Gates) -> tuple[Either, Either]:
        """The decays, and the drives with their keys turned."""
        xp = namespace(gates.drive)
        decay = xp.repeat(self.decay, self._values)[:, None]
        return xp.broadcast_to(decay, gates.drive.shape), self.framed(gates.drive)

    def framed(self, states: Either) -> Either:
        """The states turned by R(nϑ)."""
        xp = namespace(states)
        positions = xp.arange(states.shape[-3], dtype=states.dtype)
        return turned(states, positions, self.angle)

    def arranged(self, states: Either) -> Either:
        """States as the release arranges them, (…, steps, H, K, V), without its normaliser."""
        split = states.reshape(*states.shape[:-2], self.decay.shape[0], -1, states.shape[-1])
        return namespace(states).swapaxes(split, -1, -2)

    def finish(self, inputs: Either, outputs: Either) -> Either:
        """The outputs of each head, (…, steps, H, V), before the group norm."""
        del inputs
        return outputs.reshape(*outputs.shape[:-1], self.decay.shape[0], -1)


def multi_scale_retention(arguments: Arguments) -> Selective:
    """The retention of a RetNet, up to its group norm, as its release stores it.

    Args:
        arguments: ``q_proj.weight``, ``k_proj.weight`` (HK, M), ``v_proj.weight`` (HV, M), ``angle`` (K,), each one
            twice, ``decay`` (H,), the numbers γ themselves; the option ``num_heads`` says H once more.
    """
    arguments.require("q_proj.weight", "k_proj.weight", "v_proj.weight", "angle", "decay")
    decay, angle = arguments.array("decay", ("H",)), arguments.array("angle", ("K",))
    H, K = len(decay), len(angle)
    if arguments.integer("num_heads", H, least=1) != H:
        raise ValueError(f"retention: num_heads must be {H}, the number of decays.")
    if K % 2 or (angle[::2] != angle[1::2]).any():
        raise ValueError("retention: angle must hold the angle of each pair of keys twice, one behind the other.")
    if (decay == 0).any():
        raise ValueError(f"retention: {SINGULAR}. A decay is 0.")
    if (decay < 0).any():
        raise ValueError("retention: a decay is negative: make it positive, and add half a turn to the angles.")
    values = arguments.array("v_proj.weight", ("HV", "M"))
    if len(values) % H:
        raise ValueError(f"retention: v_proj.weight has {len(values)} rows, which do not go to {H} heads.")
    weights = {name: arguments.array(f"{name}.weight", (H * K, "M")) for name in ("q_proj", "k_proj")}
    return Selective.of(arguments, Retention(**weights, v_proj=values, angle=angle[::2], decay=decay))
