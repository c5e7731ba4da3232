"""Mamba-2: heads with one rate, between projections, a convolution, a gate and a norm."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import EE, QQ, Ring
from ewsmath.rings.door import of_kind, whole
from ewsmath.ssm.convolution import causal_convolution
from ewsmath.ssm.functions import silu, softplus, square_root
from ewsmath.ssm.model import input_vector
from ewsmath.ssm.numbers import array
from ewsmath.ssm.ssd import AbstractHeads, HeadGate

NORM_EPSILON = QQ.ratio(1, 10**5)
"""What is added to the mean square in the norm."""


class Mamba2(AbstractHeads):
    r"""Mamba-2: H heads of P values each, E = HP channels.

    .. math:: (z, x, B, C, Δ) = W_{\mathrm{in}} u, \quad (x, B, C) \gets \operatorname{silu}(\mathrm{conv}(x, B, C)),
        \quad Δ \gets \operatorname{softplus}(Δ + b_Δ)

    .. math:: \mathrm{out} = W_{\mathrm{out}}\, \mathrm{norm}(y \operatorname{silu}(z)), \qquad
        \mathrm{norm}(v) = w\, v / \sqrt{\mathrm{mean}(v^2) + 10^{-5}} \text{ over the channels of each group}

    The heads, and what they become, are those of :class:`AbstractHeads`.

    Args:
        A_log: H rationals.
        dt_bias: H rationals.
        D: H rationals, or E of them.
        in_proj: (2E + 2GN + H) x M rationals.
        conv1d_weight: (E + 2GN) x 1 x K rationals.
        conv1d_bias: E + 2GN rationals.
        norm_weight: E rationals.
        out_proj: M x E rationals.
        headdim: The number P.
        ngroups: The number G.
        norm_before_gate: Whether the norm is taken before the gate, norm(y) silu(z).
        dt_limit: Two rationals between which steps are kept; None for no limits.
        init_states: H x P x N rationals, the state before the first input; None for zeros.

    Raises:
        ValueError: Shapes differ.
        TypeError: A number is not exact.

    Paper: Appendix E; Table 3.

    >>> from ewsmath.ssm import certify
    >>> model = Mamba2([0], [0], [1], [[1]] * 5, [[[0, 1]]] * 3, [0] * 3, [1], [[1]], headdim=1)
    >>> certify(model, [[1], [2]], digits=30).holds(30)
    True
    """

    dt_bias: Any
    in_proj: Any
    conv_weight: Any
    conv_bias: Any
    norm_weight: Any
    out_proj: Any
    norm_before_gate: bool
    dt_limit: Any

    def __init__(
        self,
        A_log: Any,
        dt_bias: Any,
        D: Any,
        in_proj: Any,
        conv1d_weight: Any,
        conv1d_bias: Any,
        norm_weight: Any,
        out_proj: Any,
        *,
        headdim: int,
        ngroups: int = 1,
        norm_before_gate: bool = False,
        dt_limit: Sequence[Any] | None = None,
        init_states: Any = None,
    ) -> None:
        A_log = array(A_log, [None], "Mamba2: A_log")
        H, P, G = len(A_log), whole(headdim, "Mamba2: headdim"), whole(ngroups, "Mamba2: ngroups")
        E = H * P
        taps = array(conv1d_weight, [None, 1, None], "Mamba2: conv1d_weight")
        N, rest = divmod(len(taps) - E, 2 * G)
        if rest or N < 1:
            raise ValueError(f"Mamba2: {len(taps)} convolved channels are no {E} + 2·{G}·N")
        skip = list(D)
        skip = [skip[P * h : P * (h + 1)] for h in range(H)] if len(skip) == E != H else skip
        super().__init__([EE.exp(EE.coerce(x)) for x in A_log], P, N, G, skip, init_states)
        self._set(dt_bias=array(dt_bias, [H], "Mamba2: dt_bias"), conv_weight=[row[0] for row in taps])
        self._set(in_proj=array(in_proj, [E + len(taps) + H, None], "Mamba2: in_proj"))
        self._set(conv_bias=array(conv1d_bias, [len(taps)], "Mamba2: conv1d_bias"))
        self._set(norm_weight=array(norm_weight, [E], "Mamba2: norm_weight"))
        self._set(out_proj=array(out_proj, [None, E], "Mamba2: out_proj"))
        before = of_kind(norm_before_gate, bool, "Mamba2: norm_before_gate is True or False", "give one of the two")
        self._set(norm_before_gate=before)
        self._set(dt_limit=None if dt_limit is None else array(dt_limit, [2], "Mamba2: dt_limit"))

    def gates(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[HeadGate]:
        """Values, steps and weights computed from the inputs.

        Args:
            ring: Balls: softplus leaves every exact ring.
            inputs: The inputs, M numbers each.

        Returns:
            One gate for each input.

        >>> from ewsmath.rings import Balls
        >>> model = Mamba2([0], [0], [1], [[1]] * 4 + [[0]], [[[0, 1]]] * 3, [0] * 3, [1], [[1]], headdim=1)
        >>> (gate,) = model.gates(Balls(64), [[1]])
        >>> Balls(64).exp(gate.delta[0]) == 2, gate.x[0][0] == silu(Balls(64), Balls(64).one)
        (True, True)
        """
        H, P, N, G = len(self.rate), self.values, self.weights, self.groups
        E = H * P
        projected = self._projected(ring, inputs)
        mixed = causal_convolution(ring, self.conv_weight, self.conv_bias, [row[E:-H] for row in projected])
        bias = [ring.coerce(b) for b in self.dt_bias]
        found = []
        for row, sample in zip(projected, mixed, strict=True):
            steps = [self._limited(ring, softplus(ring, s + b)) for s, b in zip(row[-H:], bias, strict=True)]
            x, B, C = sample[:E], sample[E : E + G * N], sample[E + G * N :]
            found.append(HeadGate(_rows(x, P), steps, _rows(B, N), _rows(C, N)))
        return found

    def finish(self, ring: Ring[Any], inputs: Sequence[Any], outputs: list[list[Any]]) -> list[list[Any]]:
        """The gate silu(z), the norm, and the projection out.

        Args:
            ring: Balls.
            inputs: The inputs, from which z comes.
            outputs: The outputs y of the heads.

        Returns:
            M numbers for each input.

        One channel is normed to its sign, up to what is added to the mean square:

        >>> from ewsmath.rings import Balls
        >>> model = Mamba2([0], [0], [1], [[1]] * 5, [[[0, 1]]] * 3, [0] * 3, [1], [[7]], headdim=1)
        >>> ((y,),) = model.finish(Balls(64), [[1]], [[Balls(64).coerce(-100)]])
        >>> y.value.str(6)
        '[-7.00000 +/- 6.8e-9]'
        """
        out_proj, found = Matrix(ring, self.out_proj), []
        for y, row in zip(outputs, self._projected(ring, inputs), strict=True):
            gate = [silu(ring, z) for z in row[: len(y)]]
            if self.norm_before_gate:
                gated = [v * g for v, g in zip(self._normed(ring, y), gate, strict=True)]
            else:
                gated = self._normed(ring, [v * g for v, g in zip(y, gate, strict=True)])
            found.append(out_proj.apply(gated))
        return found

    def _limited(self, ring: Any, step: Any) -> Any:
        if self.dt_limit is None:
            return step
        low, high = map(ring.coerce, self.dt_limit)
        return -ring.maximum(-ring.maximum(step, low), -high)

    def _normed(self, ring: Any, values: list[Any]) -> list[Any]:
        found = []
        for group in _rows(values, len(values) // self.groups):
            total = ring.zero
            for v in group:
                total = total + v * v
            scale = ring.inverse(square_root(ring, total * ring.ratio(1, len(group)) + ring.coerce(NORM_EPSILON)))
            found += [scale * v for v in group]
        return [ring.coerce(w) * v for w, v in zip(self.norm_weight, found, strict=True)]

    def _projected(self, ring: Ring[Any], inputs: Sequence[Any]) -> list[list[Any]]:
        in_proj = Matrix(ring, self.in_proj)
        return [in_proj.apply(input_vector(ring, u, in_proj.shape[1], j)) for j, u in enumerate(inputs)]


def _rows(values: list[Any], length: int) -> list[list[Any]]:
    return [values[i : i + length] for i in range(0, len(values), length)]
