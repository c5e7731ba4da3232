r"""Mamba-2: heads with one rate and one clock each, between projections, a convolution, a gate and a norm."""

import equinox as eqx
import numpy as np

from ewsnn.convert.arguments import Arguments
from ewsnn.convert.attention import ssd_gates
from ewsnn.convert.depth_one import Gates
from ewsnn.convert.mechanism import Either, causal_convolution, namespace, plus, product, silu, softplus
from ewsnn.convert.selection import AbstractSelection
from ewsnn.convert.selective import Selective

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
        """The rate of each value of each head, the same for all its letters, (HP, N)."""
        xp, E = namespace(self.A_log), self._channels
        N = (self.conv_weight.shape[0] - E) // (2 * self.groups)
        return xp.broadcast_to(xp.repeat(xp.exp(self.A_log), self.D.shape[1])[:, None], (E, N))

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


def mamba2(arguments: Arguments) -> Selective:
    """Mamba-2 as its release stores it.

    Args:
        arguments: ``A_log``, ``dt_bias`` (H,), ``D`` (H,) or (H P,), ``in_proj.weight`` (2HP + 2GN + H, M),
            ``conv1d.weight`` (HP + 2GN, 1, K), ``out_proj.weight`` (M, HP); where the model has them ``norm.weight``
            (HP,), ``conv1d.bias``, ``in_proj.bias``, ``out_proj.bias`` and ``init_states`` (H, P, N); the options
            ``headdim`` P, ``ngroups`` G (1), ``norm_before_gate`` (False) and ``dt_limit``, two numbers.
    """
    arguments.require("A_log", "dt_bias", "D", "in_proj.weight", "conv1d.weight", "out_proj.weight", "headdim")
    A_log = arguments.array("A_log", ("H",))
    H, P, G = len(A_log), arguments.integer("headdim", 1, least=1), arguments.integer("ngroups", 1, least=1)
    E = H * P
    taps = arguments.array("conv1d.weight", ("HP + 2GN", 1, "K"))[:, 0]
    N, rest = divmod(len(taps) - E, 2 * G)
    if H % G or rest or N < 1:
        raise ValueError(
            f"mamba2: {H} heads of headdim {P} in ngroups {G} do not go with conv1d.weight of {len(taps)} channels, "
            f"which must be {E} + 2·{G}·N with an ngroups that divides the heads."
        )
    rows = E + len(taps) + H

    def optional(name: str, *axes: str | int) -> np.ndarray | None:
        return arguments.array(name, axes) if arguments.has(name) else None

    skip = arguments.array("D", (E if arguments.shape("D") == (E,) else H,))
    model = Mamba2(
        A_log=A_log,
        dt_bias=arguments.array("dt_bias", ("H",)),
        D=np.array(np.broadcast_to(skip.reshape(H, -1), (H, P))),
        in_proj=arguments.array("in_proj.weight", (rows, "M")),
        conv_weight=taps,
        conv_bias=optional("conv1d.bias", len(taps)),
        norm_weight=optional("norm.weight", E),
        out_proj=arguments.array("out_proj.weight", ("M", E)),
        in_bias=optional("in_proj.bias", rows),
        out_bias=optional("out_proj.bias", "M"),
        init_states=optional("init_states", H, P, N),
        groups=G,
        norm_before_gate=arguments.flag("norm_before_gate", False),
        dt_limit=arguments.limits("dt_limit"),
    )
    return Selective.of(arguments, model)
