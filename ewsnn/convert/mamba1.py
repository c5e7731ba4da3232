r"""Mamba-1 and its core S6: a clock for each channel, and a rate for each entry of the state."""

from ewsnn.convert.depth_one import Gates
from ewsnn.convert.mechanism import Either, causal_convolution, namespace, plus, product, silu, softplus
from ewsnn.convert.selection import AbstractSelection


class S6(AbstractSelection):
    r"""S6: steps and weights are linear in what enters, channel by channel.

    .. math:: (r, B, C) = W_x x, \qquad Δ = \operatorname{softplus}(W_Δ r + b_Δ), \qquad a = e^{A_{\log}}

    .. math:: h_{en} \gets e^{-Δ_e a_{en}} h_{en} + Δ_e B_n x_e, \qquad y_e = \sum_n C_n h_{en} + D_e x_e

    Channel e is the head with generator diag(a_e1, …, a_eN), lift I and

    .. math:: Δθ = Δ_e, \qquad ΔX_n = g(Δ_e a_{en})\, Δ_e B_n x_e, \qquad g(z) = \frac{z}{1 - e^{-z}}.

    Where a step underflows, Δ = 0, neither the clock nor the path moves.

    Args:
        A_log: The logarithms of the rates a, (E, N).
        D: The skip, (E,).
        x_proj: The matrix W_x, (R + 2N, E).
        dt_weight: The matrix W_Δ, (E, R).
        dt_bias: The bias b_Δ, (E,).

    Paper: Appendix E; Table 3.
    """

    A_log: Either
    D: Either
    x_proj: Either
    dt_weight: Either
    dt_bias: Either

    @property
    def width(self) -> int:
        """The width of the inputs: the number E of channels."""
        return self.A_log.shape[0]

    @property
    def exponent(self) -> Either:
        """The rates of each channel, (E, N)."""
        return namespace(self.A_log).exp(self.A_log)

    def entering(self, inputs: Either) -> Either:
        """What enters the scan, (…, steps, E)."""
        return inputs

    def gates(self, inputs: Either) -> Gates:
        """Clock increments, drives, read-outs and skips; one head a channel."""
        x = self.entering(inputs)
        rank, N = self.dt_weight.shape[1], self.A_log.shape[1]
        projected = product("...e,re->...r", x, self.x_proj)
        r, B, C = projected[..., :rank], projected[..., rank : rank + N], projected[..., rank + N :]
        delta = softplus(plus(product("...r,er->...e", r, self.dt_weight), self.dt_bias))
        drive = product("...e,...n->...en", delta * x, B)
        weights = namespace(C).broadcast_to(C[..., None, :], drive.shape)
        return Gates(delta, drive, weights, product("e,...e->...e", self.D, x))

    def finish(self, inputs: Either, outputs: Either) -> Either:
        """The outputs as they are."""
        del inputs
        return outputs


class Mamba1(S6):
    r"""Mamba-1: a projection and a causal convolution before the scan, a gate and a projection behind it.

    .. math:: (x, z) = W_{\mathrm{in}} u, \quad x \gets \operatorname{silu}(\mathrm{conv}(x)), \quad
        \mathrm{out} = W_{\mathrm{out}} (y \operatorname{silu}(z))

    The scan is that of :class:`S6`.

    Args:
        in_proj: The matrix W_in, (2E, M).
        conv_weight: The taps, (E, K).
        out_proj: The matrix W_out, (M, E).
        conv_bias: Their bias, (E,), or None.
        in_bias: The bias of W_in, (2E,), or None.
        out_bias: The bias of W_out, (M,), or None.

    Paper: Appendix E; Table 3.
    """

    in_proj: Either
    conv_weight: Either
    out_proj: Either
    conv_bias: Either | None
    in_bias: Either | None
    out_bias: Either | None

    @property
    def width(self) -> int:
        """The width M of the inputs."""
        return self.in_proj.shape[1]

    def entering(self, inputs: Either) -> Either:
        """The convolved channels."""
        x = self._projected(inputs)[..., : self.D.shape[0]]
        return silu(causal_convolution(x, self.conv_weight, self.conv_bias))

    def finish(self, inputs: Either, outputs: Either) -> Either:
        """The gate, and the projection out."""
        z = self._projected(inputs)[..., self.D.shape[0] :]
        return plus(product("...e,me->...m", outputs * silu(z), self.out_proj), self.out_bias)

    def _projected(self, inputs: Either) -> Either:
        return plus(product("...m,em->...e", inputs, self.in_proj), self.in_bias)
