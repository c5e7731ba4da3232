"""Other ways to the rational signature: RoughPy where it is installed, SymPy, and the plain way of this package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import sympy
from flint import fmpq

from ewsmath.benchmarks.timing import Opponent
from ewsmath.rings import QQ
from ewsmath.tensor import Tensor, TensorAlgebra
from ewsmath.tensor.exponentials import times_exponential
from ewsmath.words import EMPTY, Word

Vectors = Sequence[Sequence[fmpq]]
Coefficients = dict[Word, fmpq]


def signature_opponents(increments: Vectors, depth: int) -> tuple[Opponent, ...]:
    """All opponents that are at hand for the signature of a path with these increments.

    Args:
        increments: J rational vectors of R^d.
        depth: Truncation depth N.

    Returns:
        The opponents; their ``exact`` gives the map from words to coefficients, without zeros.
    """
    by_roughpy = _roughpy(increments, depth) if find_spec("roughpy") else ()
    return (*by_roughpy, _sympy_dictionary(increments, depth), _plain(increments, depth))


def _roughpy(increments: Vectors, depth: int) -> tuple[Opponent, ...]:
    roughpy: Any = import_module("roughpy")
    context = roughpy.get_context(len(increments[0]), depth, roughpy.Rational)
    vectors = [
        context.lie_to_tensor(roughpy.Lie([roughpy.Rational(int(x.p), int(x.q)) for x in v], ctx=context))
        for v in increments
    ]

    def product(times_exponential: Callable[[Any, Any], Any]) -> Any:
        S = roughpy.FreeTensor([1], ctx=context)
        for v in vectors:
            S = times_exponential(S, v)
        return S

    def exact(S: Any) -> Coefficients:
        found: Coefficients = {}
        for item in S:
            word = tuple(item.key().to_letters())
            if len(word) > depth:  # its iterator runs past the end
                break
            p, _, q = str(item.value()).partition("/")
            found[word] = fmpq(int(p), int(q or 1))
        return {word: c for word, c in found.items() if c}

    # Its fastest way, a fused product with an exponential, and the plain one.
    return (
        Opponent("RoughPy, rational, fmexp", lambda: product(lambda S, v: S.fmexp(v)), exact, bar=4),
        Opponent("RoughPy, rational, exp and product", lambda: product(lambda S, v: S * v.exp()), exact, bar=4),
    )


def _sympy_dictionary(increments: Vectors, depth: int) -> Opponent:
    vectors = [[sympy.Rational(int(x.p), int(x.q)) for x in v] for v in increments]

    def run() -> dict[Word, Any]:
        S: dict[Word, Any] = {EMPTY: sympy.Integer(1)}
        for v in vectors:
            # Horner's rule, as in the plain way of this package: S + (S + (S + ⋯) ⊗ v/2) ⊗ v.
            rest: dict[Word, Any] = {}
            for n in range(depth, 0, -1):
                total = _sum(S, rest)
                rest = {
                    (*word, letter): c * x / n
                    for word, c in total.items()
                    if len(word) < depth
                    for letter, x in enumerate(v, start=1)
                }
            S = _sum(S, rest)
        return S

    def exact(S: dict[Word, Any]) -> Coefficients:
        return {word: fmpq(int(c.p), int(c.q)) for word, c in S.items() if c}

    return Opponent("a dictionary over SymPy rationals", run, exact, bar=20)


def _plain(increments: Vectors, depth: int) -> Opponent:
    algebra = TensorAlgebra(QQ, len(increments[0]), depth)
    vectors = [algebra.vector(v) for v in increments]

    def run() -> Tensor[fmpq]:
        return reduce(times_exponential, vectors, algebra.one())

    return Opponent("a dictionary over flint rationals, the plain way here", run, lambda S: S.coefficients)


def _sum(a: dict[Word, Any], b: dict[Word, Any]) -> dict[Word, Any]:
    total = dict(a)
    for word, c in b.items():
        total[word] = total[word] + c if word in total else c
    return total
