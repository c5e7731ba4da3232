r"""Mamba-1 and its core S6: a clock for each channel, and a rate for each entry of the state."""

import numpy as np

from ewsnn.convert.arguments import Arguments
from ewsnn.convert.depth_one import Gates
from ewsnn.convert.mechanism import Either, causal_convolution, namespace, plus, product, silu, softplus
from ewsnn.convert.selection import AbstractSelection
from ewsnn.convert.selective import Selective


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


def s6(arguments: Arguments) -> Selective:
    """S6 as its release stores it.

    Args:
        arguments: ``A_log`` (E, N), ``D`` (E,), ``x_proj.weight`` (R + 2N, E), ``dt_proj.weight`` (E, R) and
            ``dt_proj.bias`` (E,).
    """
    arguments.require(*_SCAN)
    return Selective.of(arguments, S6(**_scan(arguments)))


def mamba1(arguments: Arguments) -> Selective:
    """Mamba-1 as its release stores it.

    Args:
        arguments: Those of :func:`s6`, ``in_proj.weight`` (2E, M), ``conv1d.weight`` (E, 1, K), ``out_proj.weight``
            (M, E); where the model has them ``conv1d.bias`` (E,), ``in_proj.bias`` (2E,), ``out_proj.bias`` (M,).
    """
    arguments.require(*_SCAN, "in_proj.weight", "conv1d.weight", "out_proj.weight")
    scan = _scan(arguments)
    rows = 2 * arguments.size("E")
    mixer = {
        "in_proj": arguments.array("in_proj.weight", (rows, "M")),
        "conv_weight": arguments.array("conv1d.weight", ("E", 1, "K"))[:, 0],
        "out_proj": arguments.array("out_proj.weight", ("M", "E")),
    }
    biases = {"conv_bias": ("conv1d.bias", "E"), "in_bias": ("in_proj.bias", rows), "out_bias": ("out_proj.bias", "M")}
    given = {
        field: arguments.array(name, (axis,)) if arguments.has(name) else None for field, (name, axis) in biases.items()
    }
    return Selective.of(arguments, Mamba1(**scan, **mixer, **given))


_SCAN = ("A_log", "D", "x_proj.weight", "dt_proj.weight", "dt_proj.bias")


def _scan(arguments: Arguments) -> dict[str, np.ndarray]:
    A_log = arguments.array("A_log", ("E", "N"))
    weight = arguments.array("dt_proj.weight", ("E", "R"))
    return {
        "A_log": A_log,
        "D": arguments.array("D", ("E",)),
        "x_proj": arguments.array("x_proj.weight", (weight.shape[1] + 2 * A_log.shape[1], "E")),
        "dt_weight": weight,
        "dt_bias": arguments.array("dt_proj.bias", ("E",)),
    }
