"""Planted mistakes: each is refuted by the laws within 200 examples, and the true code passes all of them."""

from collections.abc import Callable
from math import factorial
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from ewsmath import laws, strategies, words

Levels = list[Any]

DEPTH = 3
A = np.array([[0.5, -1.0], [1.0, 0.25]])


# A plain implementation in floating point, as anyone would write it: level n has n axes, level 0 is a number.


def one() -> Levels:
    return [np.array(1.0), *(np.zeros((2,) * n) for n in range(1, DEPTH + 1))]


def tensor_product(a: Levels, b: Levels) -> Levels:
    return [sum(np.multiply.outer(a[k], b[n - k]) for k in range(n + 1)) for n in range(DEPTH + 1)]


def exponential(v: Any, weight: Callable[[int], float] = factorial) -> Levels:
    powers = [np.array(1.0)]
    for _ in range(DEPTH):
        powers.append(np.multiply.outer(powers[-1], v))
    return [power / weight(n) for n, power in enumerate(powers)]


def signature(path: Any, piece: Callable[[Any], Levels] = exponential) -> Levels:
    S = one()
    for v in np.diff(path, axis=0):
        S = tensor_product(S, piece(v))
    return S


def derive(a: Levels, matrix: Any = A) -> Levels:
    return [np.zeros(())] + [
        sum(np.moveaxis(np.tensordot(matrix, a[n], (1, k)), 0, k) for k in range(n)) for n in range(1, DEPTH + 1)
    ]


def matrix_exponential(X: Any) -> Any:
    total = term = np.eye(len(X))
    for k in range(1, 20):
        term = term @ X / (16 * k)
        total = total + term
    for _ in range(4):
        total = total @ total
    return total


def flow(r: float, a: Levels) -> Levels:
    E = matrix_exponential(-r * A)
    return [
        a[0],
        E @ a[1],
        np.einsum("ai,bj,ij->ab", E, E, a[2]),
        np.einsum("ai,bj,ck,ijk->abc", E, E, E, a[3]),
    ]


def star(first: tuple[float, Levels], second: tuple[float, Levels]) -> tuple[float, Levels]:
    (r1, S1), (r2, S2) = first, second
    return r1 + r2, tensor_product(flow(r2, S1), S2)


def local(r: float, v: Any) -> Levels:
    """The local EWS: the first column of exp(-rL + ρ(v))."""
    ends = [0, *(2**n - 1 for n in range(1, DEPTH + 2))]
    X = np.zeros((ends[-1], ends[-1]))
    for n in range(1, DEPTH + 1):
        here, below = slice(ends[n], ends[n + 1]), slice(ends[n - 1], ends[n])
        X[here, here] = -r * sum(np.kron(np.kron(np.eye(2**k), A), np.eye(2 ** (n - 1 - k))) for k in range(n))
        X[here, below] = np.kron(np.eye(2 ** (n - 1)), v[:, None])
    column = matrix_exponential(X)[:, 0]
    return [column[ends[n] : ends[n + 1]].reshape((2,) * n) for n in range(DEPTH + 1)]


def ews(
    path: Any, dtheta: Any, piece: Callable[[float, Any], Levels] = local, join: Callable[..., Any] = star
) -> Levels:
    state = (0.0, one())
    for r, v in zip(dtheta, np.diff(path, axis=0), strict=True):
        state = join(state, (r, piece(r, v)))
    return state[1]


def inverse(pair: tuple[float, Levels]) -> tuple[float, Levels]:
    r, S = pair
    x = [np.array(0.0), *(-level for level in S[1:])]
    back = one()
    for _ in range(DEPTH):
        back = [p + q for p, q in zip(one(), tensor_product(x, back), strict=True)]
    return -r, flow(-r, back)


# The draws: short paths and clocks that stop and go back.


@st.composite
def driven(draw: Any) -> tuple[Any, Any]:
    path = draw(strategies.path_arrays(2, max_points=5, max_value=2))
    return path, np.array(
        draw(strategies.clock_increments(len(path) - 1).map(lambda x: [float(r.p) / float(r.q) for r in x]))
    )


GROUP_ELEMENTS = driven().map(lambda drive: (float(drive[1][0]), local(drive[1][0], drive[0][1] - drive[0][0])))


PATHS = strategies.path_arrays(2, max_points=5)
TENSORS = strategies.level_arrays(2, DEPTH)


def chen(f: Any = signature, **options: Any) -> Any:
    return given(PATHS, st.floats(0, 4))(lambda path, split: laws.chen(f, path, split, **options))


def shuffle(f: Any = signature, **options: Any) -> Any:
    return given(PATHS)(lambda path: laws.shuffle(f, path, **options))


def level_one(f: Any = signature) -> Any:
    return given(PATHS)(lambda path: laws.level_one(f, path))


def scaling(f: Any = signature) -> Any:
    return given(PATHS, st.sampled_from([2, -1, 0]))(lambda path, c: laws.scaling(f, path, c))


def reparametrisation(f: Any = signature) -> Any:
    return given(PATHS, strategies.reparametrisations())(lambda path, phi: laws.reparametrisation(f, path, phi))


def time_reversal(f: Any = signature) -> Any:
    return given(PATHS)(lambda path: laws.time_reversal(f, path))


# What the exponentials and squarings of `local` add is left to 4 units.


def modified_chen(f: Any = ews) -> Any:
    return given(driven(), st.floats(0, 4))(
        lambda drive, split: laws.modified_chen(f, drive[0], drive[1], A, split, ulps=4)
    )


def any_ews_law() -> Any:
    found = [laws.shuffle, laws.scaling, laws.reparametrisation, laws.time_reversal]
    return given(st.sampled_from(found), driven())(
        lambda law, drive: law(ews, drive[0], dtheta=drive[1], generator=A, ulps=4)
    )


def ews_shuffle(f: Any = ews) -> Any:
    return given(driven())(lambda drive: laws.shuffle(f, drive[0], dtheta=drive[1], generator=A, ulps=4))


def ews_level_one(f: Any = ews) -> Any:
    return given(driven())(lambda drive: laws.level_one(f, drive[0], dtheta=drive[1], generator=A, ulps=4))


def ews_scaling(f: Any = ews) -> Any:
    return given(driven())(lambda drive: laws.scaling(f, drive[0], dtheta=drive[1], generator=A, ulps=4))


def ews_reparametrisation(f: Any = ews) -> Any:
    return given(driven(), strategies.reparametrisations())(
        lambda drive, phi: laws.reparametrisation(f, drive[0], phi, dtheta=drive[1], generator=A, ulps=4)
    )


def ews_time_reversal(f: Any = ews) -> Any:
    return given(driven())(lambda drive: laws.time_reversal(f, drive[0], dtheta=drive[1], generator=A, ulps=4))


def group_law(product: Any = star, **options: Any) -> Any:
    return given(GROUP_ELEMENTS, GROUP_ELEMENTS, GROUP_ELEMENTS)(
        lambda a, b, c: laws.group_law(product, a, b, c, generator=A, **options)
    )


def derivation(f: Any = derive) -> Any:
    return given(TENSORS, TENSORS)(lambda a, b: laws.derivation(f, A, a, b))


@pytest.mark.parametrize(
    "law",
    [
        chen(),
        chen(product=tensor_product),
        shuffle(),
        level_one(),
        ews_level_one(),
        scaling(),
        reparametrisation(),
        time_reversal(),
        modified_chen(),
        any_ews_law(),
        ews_reparametrisation(),
        group_law(unit=(0.0, one()), inverse=inverse),
        derivation(),
    ],
    ids=lambda law: "",
)
def test_the_true_code_passes(law: Callable[[], None]) -> None:
    law()


# The mistakes.


def euler(path: Any, dtheta: Any) -> Levels:
    S = one()
    for r, v in zip(dtheta, np.diff(path, axis=0), strict=True):
        grown = [np.array(0.0), *(np.multiply.outer(level, v) for level in S[:-1])]
        S = [x - r * d + g for x, d, g in zip(S, derive(S), grown, strict=True)]
    return S


def late(path: Any, dtheta: Any) -> Levels:
    S, before = one(), 0.0
    for r, v in zip(dtheta, np.diff(path, axis=0), strict=True):
        S, before = tensor_product(flow(before, S), local(r, v)), r
    return S


def divided(r: float, v: Any) -> Levels:
    with np.errstate(all="ignore"):
        first = (np.eye(2) - matrix_exponential(-r * A)) @ np.linalg.inv(A) @ v / np.float64(r)
    return exponential(first)


def without_counts(u: Any, w: Any) -> Any:
    return dict.fromkeys(words.shuffle(u, w), 1)


def one_slot(a: Levels) -> Levels:
    return [np.zeros(()), *(np.tensordot(A, level, (1, 0)) for level in a[1:])]


PLANTED = {
    "1/n! missing": (chen, shuffle, reparametrisation, lambda x: signature(x, lambda v: exponential(v, lambda n: 1))),
    "letters reversed": (chen, lambda x: [level.transpose() for level in signature(x)]),
    "order of the product reversed": (chen, lambda x: signature(x[::-1] * -1)),
    "values taken for increments": (chen, lambda x: signature(np.cumsum(x, axis=0))),
    "sums for integrals": (
        shuffle,
        reparametrisation,
        lambda x: signature(x, lambda v: [np.array(1.0), v, *one()[2:]]),
    ),
    "zeros": (level_one, chen, shuffle, lambda x: one()),
    "path doubled": (level_one, chen, shuffle, lambda x: signature(2 * x)),
    "channels exchanged": (ews_level_one, modified_chen, ews_shuffle, lambda x, r: ews(x[:, ::-1], r)),
    "path divided by its size": (chen, scaling, lambda x: signature(x / max(1.0, np.abs(x).max()))),
    "first point forgotten": (chen, time_reversal, lambda x: signature(x[1:])),
    "repeated letters counted once": (lambda product: shuffle(product=product), without_counts),
    "product under test reversed": (lambda product: chen(product=product), lambda a, b: tensor_product(b, a)),
    "no flow: classical Chen": (
        modified_chen,
        lambda x, r: ews(x, r, join=lambda a, b: (a[0] + b[0], tensor_product(a[1], b[1]))),
    ),
    "flow on the wrong factor": (
        modified_chen,
        lambda x, r: ews(x, r, join=lambda a, b: (a[0] + b[0], tensor_product(a[1], flow(b[0], b[1])))),
    ),
    "flow with the wrong sign": (modified_chen, ews_time_reversal, lambda x, r: ews(x, -r)),
    "clock read too late": (modified_chen, ews_reparametrisation, late),
    "Euler step": (modified_chen, ews_shuffle, ews_reparametrisation, euler),
    "exponential of level one for the piece": (
        modified_chen,
        ews_reparametrisation,
        lambda x, r: ews(x, r, lambda r, v: exponential(local(r, v)[1])),
    ),
    "no fading inside a piece": (
        modified_chen,
        ews_reparametrisation,
        lambda x, r: ews(x, r, lambda r, v: exponential(v)),
    ),
    "divided by the clock": (ews_shuffle, lambda x, r: ews(x, r, divided)),
    "clock read from the path": (ews_scaling, lambda x, r: ews(x, np.abs(np.diff(x, axis=0)).sum(axis=1))),
    "clock that cannot go back": (modified_chen, ews_time_reversal, lambda x, r: ews(x, np.abs(r))),
    "product with the clock of the first": (
        group_law,
        lambda a, b: (a[0] + b[0], tensor_product(flow(a[0], a[1]), b[1])),
    ),
    "inverse without the flow": (
        lambda back: group_law(unit=(0.0, one()), inverse=back),
        lambda a: (-a[0], inverse((0.0, a[1]))[1]),
    ),
    "slots left out": (derivation, one_slot),
    "matrix transposed": (derivation, lambda a: derive(a, A.T)),
    "sign of the derivation": (derivation, lambda a: derive(a, -A)),
    "level 0 kept": (derivation, lambda a: [a[0], *derive(a)[1:]]),
}


@pytest.mark.parametrize(("name", "law"), [(name, law) for name, (*found, _) in PLANTED.items() for law in found])
def test_a_planted_mistake_is_refuted(name: str, law: Callable[[Any], Any]) -> None:
    *_, wrong = PLANTED[name]
    # No shrinking, and the same draws every time.
    trial = settings(max_examples=200, phases=[Phase.generate], derandomize=True, database=None, deadline=None)(
        law(wrong)
    )
    with pytest.raises(AssertionError) as refuted:
        trial()
    text = str(refuted.value)
    assert text.count(" = ") >= 2 or "not finite" in text
    assert "error" in text or "not finite" in text
