"""S6 and Mamba-1: selective scans whose steps and weights are computed from the input."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import EE, Ring
from ewsmath.ssm.convolution import causal_convolution
from ewsmath.ssm.functions import silu, softplus
from ewsmath.ssm.model import input_vector
from ewsmath.ssm.numbers import array
from ewsmath.ssm.selective import AbstractSelective, Gate


class AbstractProjected(AbstractSelective):
    r"""A selective scan whose steps and weights are linear in what enters it.

    .. math:: (r, B, C) = W_x x, \qquad Δ = \operatorname{softplus}(W_Δ r + b_Δ), \qquad a = e^{A_{\log}}

    Args:
        A_log: E x N rationals.
        D: E rationals.
        x_proj: (R + 2N) x E rationals, the matrix W_x.
        dt_proj_weight: E x R rationals, the matrix W_Δ.
        dt_proj_bias: E rationals.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import S6
    >>> S6([[0, 1]], [1], [[1]] * 5, [[1]], [0]).rate  # e^0 and e^1
    ((1, e^(1)),)
    """

    x_proj: Any
    dt_weight: Any
    dt_bias: Any

    def __init__(self, A_log: Any, D: Any, x_proj: Any, dt_proj_weight: Any, dt_proj_bias: Any) -> None:
        name = type(self).__name__
        A_log = array(A_log, [None, None], f"{name}: A_log")
        super().__init__([[EE.exp(EE.coerce(x)) for x in row] for row in A_log], D)
        weight = array(dt_proj_weight, [self.channels, None], f"{name}: dt_proj_weight")
        rows = len(weight[0]) + 2 * self.width
        self._set(x_proj=array(x_proj, [rows, self.channels], f"{name}: x_proj"), dt_weight=weight)
        self._set(dt_bias=array(dt_proj_bias, [self.channels], f"{name}: dt_proj_bias"))

    def project(self, ring: Ring[Any], xs: Sequence[Sequence[Any]]) -> list[Gate]:
        """What the scan is given for the values that enter; in balls, since softplus leaves every exact ring.

        Args:
            ring: Balls.
            xs: The values, E numbers of the ring for each input.

        Returns:
            One gate for each.

        >>> from ewsmath.rings import Balls
        >>> from ewsmath.ssm import S6
        >>> (gate,) = S6([[0]], [1], [[0], [4], [1]], [[1]], [0]).project(Balls(64), [[Balls(64).coerce(3)]])
        >>> gate.B[0] == 12
        True
        """
        x_proj, weight = Matrix(ring, self.x_proj), Matrix(ring, self.dt_weight)
        bias = [ring.coerce(b) for b in self.dt_bias]
        rank, N = weight.shape[1], self.width
        found = []
        for x in xs:
            projected = x_proj.apply(x)
            steps = [softplus(ring, s + b) for s, b in zip(weight.apply(projected[:rank]), bias, strict=True)]
            found.append(Gate(x, steps, projected[rank : rank + N], projected[rank + N :]))
        return found


class S6(AbstractProjected):
    """S6: the inputs enter the scan as they are. Formulas are those of :class:`AbstractProjected`.

    Args:
        A_log: E x N rationals.
        D: E rationals.
        x_proj: (R + 2N) x E rationals, the matrix W_x.
        dt_proj_weight: E x R rationals, the matrix W_Δ.
        dt_proj_bias: E rationals.

    Raises:
        ValueError: Shapes differ.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.rings import Balls
    >>> model = S6([[0]], [1], [[0], [1], [1]], [[1]], [0])
    >>> (gate,) = model.gates(Balls(64), [[3]])
    >>> Balls(64).exp(gate.delta[0]) == 2, gate.B
    (True, [3.00000000000000000])
    """

    def gates(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Gate]:
        """Steps and weights computed from each input.

        Args:
            ring: Balls: softplus leaves every exact ring.
            inputs: The inputs, E numbers each.

        Returns:
            One gate for each input.

        >>> from ewsmath.rings import Balls
        >>> gate, _ = S6([[0]], [1], [[0], [1], [2]], [[1]], [0]).gates(Balls(64), [[3], [4]])
        >>> gate.B[0] == 3, gate.C[0] == 6
        (True, True)
        """
        return self.project(ring, [input_vector(ring, u, self.channels, j) for j, u in enumerate(inputs)])


class Mamba1(AbstractProjected):
    r"""Mamba-1: a projection, a causal convolution, the scan, a gate and a projection.

    .. math:: (x, z) = W_{\mathrm{in}} u, \quad x \gets \operatorname{silu}(\mathrm{conv}(x)), \quad
        \mathrm{out} = W_{\mathrm{out}} (y \operatorname{silu}(z))

    Args:
        A_log: E x N rationals.
        D: E rationals.
        x_proj: (R + 2N) x E rationals.
        dt_proj_weight: E x R rationals.
        dt_proj_bias: E rationals.
        in_proj: 2E x M rationals, rows of x first.
        conv1d_weight: E x 1 x K rationals; tap K-1 multiplies the current sample.
        conv1d_bias: E rationals.
        out_proj: M x E rationals.

    Raises:
        ValueError: Shapes differ.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import certify
    >>> mixer = dict(in_proj=[[1], [1]], conv1d_weight=[[[0, 1]]], conv1d_bias=[0], out_proj=[[1]])
    >>> model = Mamba1([[0]], [1], [[0], [1], [1]], [[1]], [0], **mixer)
    >>> certify(model, [[1], [2]], digits=30).holds(30)
    True
    """

    in_proj: Any
    conv_weight: Any
    conv_bias: Any
    out_proj: Any

    def __init__(
        self,
        A_log: Any,
        D: Any,
        x_proj: Any,
        dt_proj_weight: Any,
        dt_proj_bias: Any,
        *,
        in_proj: Any,
        conv1d_weight: Any,
        conv1d_bias: Any,
        out_proj: Any,
    ) -> None:
        super().__init__(A_log, D, x_proj, dt_proj_weight, dt_proj_bias)
        E = self.channels
        in_proj = array(in_proj, [2 * E, None], "Mamba1: in_proj")
        self._set(in_proj=in_proj, out_proj=array(out_proj, [None, E], "Mamba1: out_proj"))
        taps = array(conv1d_weight, [E, 1, None], "Mamba1: conv1d_weight")
        self._set(conv_weight=[row[0] for row in taps], conv_bias=array(conv1d_bias, [E], "Mamba1: conv1d_bias"))

    def gates(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[Gate]:
        """Steps and weights computed from the convolved inputs.

        Args:
            ring: Balls.
            inputs: The inputs, M numbers each.

        Returns:
            One gate for each input.

        >>> from ewsmath.rings import Balls
        >>> mixer = dict(in_proj=[[1], [1]], conv1d_weight=[[[1, 0]]], conv1d_bias=[0], out_proj=[[1]])
        >>> first, second = Mamba1([[0]], [1], [[0], [1], [1]], [[1]], [0], **mixer).gates(Balls(64), [[5], [2]])
        >>> first.x, second.x[0] == silu(Balls(64), Balls(64).coerce(5))  # this tap takes the sample before
        ([0], True)
        """
        xs = [row[: self.channels] for row in self._projected(ring, inputs)]
        return self.project(ring, causal_convolution(ring, self.conv_weight, self.conv_bias, xs))

    def finish(self, ring: Ring[Any], inputs: Sequence[Any], outputs: list[list[Any]]) -> list[list[Any]]:
        """The gate silu(z), and the projection out.

        Args:
            ring: Balls.
            inputs: The inputs, from which z comes.
            outputs: The outputs y of the scan.

        Returns:
            M numbers for each input.

        >>> from ewsmath.rings import Balls
        >>> mixer = dict(in_proj=[[1], [0]], conv1d_weight=[[[0, 1]]], conv1d_bias=[0], out_proj=[[1]])
        >>> model = Mamba1([[0]], [1], [[0], [1], [1]], [[1]], [0], **mixer)
        >>> model.finish(Balls(64), [[5]], [[Balls(64).one]])  # z = 0 closes the gate
        [[0]]
        """
        out_proj, found = Matrix(ring, self.out_proj), []
        for y, row in zip(outputs, self._projected(ring, inputs), strict=True):
            z = row[self.channels :]
            found.append(out_proj.apply([v * silu(ring, g) for v, g in zip(y, z, strict=True)]))
        return found

    def _projected(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Any]]:
        in_proj = Matrix(ring, self.in_proj)
        return [in_proj.apply(input_vector(ring, u, in_proj.shape[1], j)) for j, u in enumerate(inputs)]
