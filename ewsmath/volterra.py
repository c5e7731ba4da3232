"""The Volterra signature with an exponential kernel: a chain of weights, each to the time of the next letter."""

from __future__ import annotations

from typing import Any

from ewsmath.ews.weighted import AbstractWeightedSignature, Stretch
from ewsmath.exppoly import ExpPolys
from ewsmath.matrix import Matrix
from ewsmath.paths import AbstractPath
from ewsmath.tensor import Tensor


class VolterraSignature(AbstractWeightedSignature):
    r"""The Volterra signature of paths in pieces, with the kernel e^{-(θ_t - θ_u)A} B. Immutable.

    .. math:: V^{(n)}_{s,t} = \int_{s<t_1<⋯<t_n<t} e^{-(θ_{t_2}-θ_{t_1})A} B\, dX_{t_1} ⊗ e^{-(θ_{t_3}-θ_{t_2})A} B\,
        dX_{t_2} ⊗ ⋯ ⊗ e^{-(θ_t-θ_{t_n})A} B\, dX_{t_n}

    Its weights reach to the *next* time, those of the EWS to the end. Both agree at level one and, where A ≠ 0 and
    the clock moves, at no other in general; this one is not group-like. It solves

    .. math:: V^{(n)}_t = \int_s^t V^{(n-1)}_u ⊗ e^{-(θ_t-θ_u)A} B\, dX_u, \qquad V^{(0)} = 1,

    in which only the last slot is transported.

    Args:
        generator: The generator A, exact (QQ or EE).
        lift: The m x d lift B, or its rows; None for the identity.
        clock: The clock θ; the time clock unless said otherwise. It reads the path before the lift.
        depth: Truncation depth N.

    Attributes:
        generator: The generator A.
        lift: The lift B, a matrix over the ring of the generator.
        clock: The clock θ.
        algebra: The tensor algebra in which the values lie.

    Raises:
        ValueError: The lift has not m rows, the depth is below 1, or there are more than a million words.
        TypeError: The depth is no whole number; the generator or the clock is none.

    Paper: Appendix D.

    >>> from ewsmath.generators import Diagonal
    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> VolterraSignature(Diagonal(1), depth=2)(PiecewiseLinearPath([0, 1], [[0], [1]]))
    1 + (-e^(-1) + 1)*e1 + (-2*e^(-1) + 1)*e11
    """

    __slots__ = ()

    def __call__(self, path: AbstractPath[Any], s: Any = None, t: Any = None) -> Tensor[Any]:
        """The Volterra signature of a path between two times.

        Args:
            path: The path in R^d.
            s: Start; None for the first time.
            t: End; None for the last time.

        Returns:
            A tensor over R^m; 1 where nothing of the path lies between s and t.

        Raises:
            ValueError: The path has not d channels, t < s, or the generator is given in balls.
            TypeError: The path is none.
        """
        levels = [self.algebra.one().level(n) for n in range(self.depth + 1)]
        for stretch in self.stretches(path, s, t):
            levels = self._after(levels, stretch)
        return self.algebra.from_levels(levels)

    def _after(self, levels: list[list[Any]], stretch: Stretch) -> list[list[Any]]:
        # Level n is a matrix of shape (m^{n-1}, m): its rows are the last slots, which alone are transported.
        m, functions = self.generator.dim, ExpPolys(self.ring)
        kernel = self.generator.kernel()
        forward = kernel.map(functions, lambda f: f.substituted(0, stretch.elapsed)).transpose()  # e^{-ruA}
        back = kernel.map(functions, lambda f: f.substituted(0, -stretch.elapsed)).transpose()  # e^{+ruA}
        speed = Matrix.flat(functions, [functions.coerce(x) for x in stretch.speed], m)
        level = Matrix.identity(functions, 1)
        ends = levels[:1]
        for start in levels[1:]:
            attached = Matrix.flat(functions, level.entries, 1) @ speed
            integral = (attached @ back).map(functions, lambda f: f.integral())
            level = (Matrix.flat(functions, list(map(functions.coerce, start)), m) + integral) @ forward
            ends.append([f(1) for f in level.entries])
        return ends
