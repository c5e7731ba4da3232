r"""Mamba-2: heads with one rate and one clock each, between projections, a convolution, a gate and a norm."""

import equinox as eqx

from ewsnn.convert.attention import ssd_gates
from ewsnn.convert.depth_one import Gates
from ewsnn.convert.mechanism import Either, causal_convolution, namespace, plus, product, silu, softplus
from ewsnn.convert.selection import AbstractSelection

# What the release adds to the mean square in its norm.
_EPSILON = 1e-5


class Mamba2(AbstractSelection):
    r"""Mamba-2: H heads of P values each, E = HP channels.

    .. math:: (z, x, B, C, Δ) = W_{\mathrm{in}} u, \quad (x, B, C) \gets \operatorname{silu}(\mathrm{conv}(x, B, C)),
        \quad Δ \gets \operatorname{softplus}(Δ + b_Δ)

    .. math:: H \gets e^{-aΔ} H + Δ\, x B^⊤, \qquad y = H C + D x, \qquad
        \mathrm{out} = W_{\mathrm{out}}\, \mathrm{norm}(y \operatorname{silu}(z))

    A head's generator aI on :math:`ℝ^{PN}` is P times aI on :math:`ℝ^N`: each value of each head is a head of the EWS,
    with lift I and

    .. math:: Δθ = Δ, \qquad ΔX = g(aΔ)\, Δ\, x B^⊤, \qquad g(z) = \frac{z}{1 - e^{-z}}.

    States before the first input are one increment more at the start, with Δθ = 0 and ΔX = H_0. The norm is the root
    mean square over the channels of each group.

    Args:
        A_log: The logarithms of the rates a, (H,).
        dt_bias: The bias b_Δ, (H,).
        D: The skip, (H, P).
        in_proj: The matrix W_in, rows of z first, (2E + 2GN + H, M).
        conv_weight: The taps, (E + 2GN, K).
        conv_bias: Their bias, (E + 2GN,), or None.
        norm_weight: The weight of the norm, (E,); None for no norm, only the gate.
        out_proj: The matrix W_out, (M, E).
        in_bias: The bias of W_in, or None.
        out_bias: The bias of W_out, or None.
        init_states: The states before the first input, (H, P, N); None for zeros.
        groups: The number G of groups of heads, which share B and C.
        norm_before_gate: Whether the norm is taken before the gate, norm(y) silu(z).
        dt_limit: Where the steps Δ are kept; None for no limits.

    Paper: Appendix E; Table 3.
    """

    A_log: Either
    dt_bias: Either
    D: Either
    in_proj: Either
    conv_weight: Either
    conv_bias: Either | None
    norm_weight: Either | None
    out_proj: Either
    in_bias: Either | None
    out_bias: Either | None
    init_states: Either | None
    groups: int = eqx.field(static=True)
    norm_before_gate: bool = eqx.field(static=True)
    dt_limit: tuple[float, float] | None = eqx.field(static=True)

    @property
    def width(self) -> int:
        """The width M of the inputs."""
        return self.in_proj.shape[1]

    @property
    def exponent(self) -> Either:
        """The rate of each value of each head, the same for all its letters, (HP, 1)."""
        xp = namespace(self.A_log)
        return xp.repeat(xp.exp(self.A_log), self.D.shape[1])[:, None]

    @property
    def _channels(self) -> int:
        return self.D.size

    def gates(self, inputs: Either) -> Gates:
        """Clock increments, drives, read-outs and skips; one head for each value of each head of the model."""
        (H, P), E = self.D.shape, self._channels
        projected = self._projected(inputs)
        batch = projected.shape[:-1]
        mixed = silu(causal_convolution(projected[..., E:-H], self.conv_weight, self.conv_bias))
        delta = softplus(plus(projected[..., -H:], self.dt_bias))
        xp = namespace(delta)
        if self.dt_limit is not None:
            delta = xp.clip(delta, *self.dt_limit)
        x = mixed[..., :E].reshape(*batch, H, P)
        B, C = (part.reshape(*batch, self.groups, -1) for part in xp.split(mixed[..., E:], 2, axis=-1))
        return ssd_gates(x, delta, B, C, self.D)

    @property
    def initial(self) -> Either | None:
        """The states before the first input, (HP, N); None for zeros."""
        return None if self.init_states is None else self.init_states.reshape(self._channels, -1)

    def arranged(self, states: Either) -> Either:
        """States as the release arranges them, (…, steps, H, P, N)."""
        return states.reshape(*states.shape[:-2], *self.D.shape, states.shape[-1])

    def finish(self, inputs: Either, outputs: Either) -> Either:
        """The gate, the norm, and the projection out."""
        gate = silu(self._projected(inputs)[..., : self._channels])
        gated = self._normed(outputs) * gate if self.norm_before_gate else self._normed(outputs * gate)
        return plus(product("...e,me->...m", gated, self.out_proj), self.out_bias)

    def _normed(self, values: Either) -> Either:
        if self.norm_weight is None:
            return values
        grouped = values.reshape(*values.shape[:-1], self.groups, -1)
        square = product("...e,...e->...", grouped, grouped) / grouped.shape[-1]
        scale = 1 / namespace(values).sqrt(square + _EPSILON)
        normed = product("...ge,...g->...ge", grouped, scale).reshape(values.shape)
        return product("...e,e->...e", normed, self.norm_weight)

    def _projected(self, inputs: Either) -> Either:
        return plus(product("...m,em->...e", inputs, self.in_proj), self.in_bias)
