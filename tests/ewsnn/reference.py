"""The EWS from its linear CDE, in fixed-point integers: the slow and plain twin of the engine.

On a piece, with S^(0) = 1, the levels solve dS^(n)/du = -r Λ_A S^(n) + S^(n-1) ⊗ v for u from 0 to 1. Their power
series in u is summed with 600 bits behind the point, so that what a float array is compared with is exact to far
more digits than it has. It uses neither collocation nor Chen, and no floats but the exact ones it is given.
"""

import numpy as np

BITS = 600


def fixed(values) -> np.ndarray:
    """Floats, at their exact binary values, as integers with BITS bits behind the point."""

    def one(value: float) -> int:
        numerator, denominator = float(value).as_integer_ratio()
        return (numerator << BITS) // denominator

    return np.asarray(np.vectorize(one, otypes=[object])(np.asarray(values, float)), object)


def floats(levels) -> list[np.ndarray]:
    """Fixed-point levels, each entry rounded to the nearest float."""

    def one(value: int) -> float:
        return value / (1 << BITS)

    return [np.vectorize(one, otypes=[float])(level) for level in levels]


def _times(a, b) -> np.ndarray:
    return np.asarray(np.multiply(a, b), object) >> BITS


def _derivation(A: np.ndarray, level: np.ndarray) -> np.ndarray:
    total = np.zeros(level.shape, object)
    for slot in range(level.ndim):
        total = total + np.moveaxis(np.tensordot(A, level, axes=(1, slot)), 0, slot)
    return total >> BITS


def advance(levels: list[np.ndarray], A: np.ndarray, r, v: np.ndarray) -> list[np.ndarray]:
    """Levels 1 to N (fixed-point) after one more piece; all arguments fixed-point."""
    rA = _times(A, r)
    one = np.array(1 << BITS, object)
    term = [one, *levels]
    total = [one, *levels]
    k = 0
    while any(np.any(level != 0) for level in term):
        k += 1
        new = [np.array(0, object)]
        for n in range(1, len(term)):
            outer = np.multiply.outer(term[n - 1], v) >> BITS
            new.append((outer - _derivation(rA, term[n])) // k)
        # An integer that is rounded down settles at -1, never at 0.
        term = [np.where(np.abs(level) <= 2, 0, level) for level in new]
        total = [a + b for a, b in zip(total, term, strict=True)]
    return total[1:]


def exact_states(A, dtheta, v, depth: int) -> list[list[np.ndarray]]:
    """The levels after each piece, as floats: A (m, m), dtheta (steps,), v (steps, m)."""
    A, dtheta, v = fixed(A), fixed(dtheta), fixed(v)
    m = len(A)
    levels = [np.zeros(n * (m,), object) for n in range(1, depth + 1)]
    states = []
    for r, step in zip(dtheta, v, strict=True):
        levels = advance(levels, A, r, step)
        states.append(floats(levels))
    return states


def exact_local(A, r: float, v, depth: int) -> list[np.ndarray]:
    """The local EWS of one piece, as floats."""
    return exact_states(A, [r], [v], depth)[0]


def errors(found, exact) -> list[float]:
    """The largest error of each level, relative to its largest entry."""
    return [
        float(np.max(np.abs(np.asarray(a, float) - b)) / max(np.max(np.abs(b)), 1e-300))
        for a, b in zip(found, exact, strict=True)
    ]
