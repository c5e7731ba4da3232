"""Jordan blocks give gamma kernels at depth one: the coordinates of the EWS are integrals against r^k e^{-λr}/k!."""

from collections.abc import Sequence
from math import factorial
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, SR, PiecewiseLinearPath
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Jordan
from ewsmath.kernels import gamma_kernel, kernels
from ewsmath.rings import Symbolic
from ewsmath.strategies import rationals
from proofs_checks.agreement import agree
from proofs_checks.definition import remaining
from proofs_checks.draws import Piece, depths
from proofs_checks.statement import Mutant, Statement

SIZES = (1, 2, 3, 4)

HALVES = rationals(max_numerator=3, max_denominator=2)


def fed_last(size: int) -> list[list[int]]:
    """The lift of one channel into the last coordinate of a block."""
    return [[0]] * (size - 1) + [[1]]


def block(rate: Any, size: int) -> AbstractGenerator:
    """The generator λI + N."""
    return Jordan(rate, size)


def gamma(k: int, rate: Any, r: Any) -> Any:
    """r^k e^{-λr}/k!, in SR or for numbers in EE."""
    ring: Any = SR if isinstance(r, Symbolic) else EE
    power = ring.one
    for _ in range(k):
        power = power * r
    return power * ring.exp(ring.coerce(-rate * r)) * ring.ratio(1, factorial(k))


def sign(k: int) -> int:
    """The sign (−1)^k of coordinate k."""
    return (-1) ** k


def erlang(k: int, rate: fmpq, r: fmpq) -> Any:
    """∫_0^r q^k e^{-λq}/k! dq = λ^{-k-1}(1 − e^{-λr} Σ_{j ≤ k} (λr)^j/j!): the textbook's Erlang distribution."""
    if not rate:
        return EE.coerce(r ** (k + 1) / factorial(k + 1))
    series = sum(((rate * r) ** j / factorial(j) for j in range(k + 1)), fmpq(0))
    return (EE.one - EE.exp(EE.coerce(-rate * r)) * series) * EE.coerce(1 / rate ** (k + 1))


def gamma_integral(k: int, rate: fmpq, pieces: Sequence[Piece]) -> Any:
    """∫ (R^k/k!) e^{-λR} dX over the pieces, R the clock time that remains."""
    total = EE.zero
    for piece, after in zip(pieces, remaining(pieces), strict=True):
        if piece.elapsed:
            part = (erlang(k, rate, after + piece.elapsed) - erlang(k, rate, after)) * EE.coerce(1 / piece.elapsed)
        else:
            part = gamma(k, rate, after)
        total = total + part * piece.v[0]
    return total


def check_for_all_rates_and_clock_times() -> None:
    """For all λ, r at once: on dX = dθ coordinate k has the derivative (−1)^k r^k e^{-λr}/k! in r, from 0 on."""
    rate, r = SR.symbols("lambda r")
    for size in SIZES:
        ews = EWS(block(rate, size), fed_last(size), depth=1)
        level = ews.local(r, [r]).level(1)
        for k in range(size):
            found = level[size - 1 - k]
            agree(found.derivative("r"), sign(k) * gamma(k, rate, r), f"the derivative of coordinate {k} of {size}")
            agree(found.at({"r": 0}), SR.zero, f"coordinate {k} over no clock time")


def check_kernels() -> None:
    """The kernels of a block, and `gamma_kernel`, are these functions of r, for all λ."""
    rate, r = SR.symbols("lambda r")
    for size in SIZES:
        found = [f(r) for f in kernels(block(rate, size))]
        agree(found, [sign(k) * gamma(k, rate, r) for k in range(size)], f"the kernels of a block of size {size}")
        agree(gamma_kernel(size - 1, rate)(r), gamma(size - 1, rate, r), f"gamma_kernel of power {size - 1}")


@given(st.data())
def check_paths_of_several_pieces(data: st.DataObject) -> None:
    """Coordinate k is (−1)^k ∫ (R^k/k!) e^{-λR} dX on paths whose clock stops and goes back, by Erlang's formula."""
    size, rate = data.draw(st.integers(1, 3)), data.draw(HALVES)
    depth = data.draw(depths(2))
    steps = data.draw(st.lists(st.tuples(HALVES, rationals()), min_size=1, max_size=3))
    pieces = [Piece(r, [x]) for r, x in steps]
    ews = EWS(block(rate, size).over(EE), fed_last(size), Given([r for r, _ in steps]), depth)
    S = ews(PiecewiseLinearPath.from_increments([[x] for _, x in steps]))
    for k in range(size):
        integral = gamma_integral(k, rate, pieces)
        agree(S[size - k], sign(k) * integral, f"coordinate {k} and the integral")
        for n in range(2, depth + 1):
            word = (size - k,) * n
            power = EE.one
            for _ in range(n):
                power = power * sign(k) * integral
            agree(S[word] * repetitions(n), power, f"{n}! times coordinate {k} repeated and the power of the integral")


def repetitions(n: int) -> int:
    """The number of times that a letter, n times by itself, occurs in its shuffle power: n!."""
    return factorial(n)


def no_sign(k: int) -> int:
    """1, as if N stood with a minus."""
    return 1


def growing_gamma(k: int, rate: Any, r: Any) -> Any:
    """r^k e^{+λr}/k!."""
    return gamma_as_it_is(k, -rate, r)


gamma_as_it_is = gamma


def diagonal_block(rate: Any, size: int) -> AbstractGenerator:
    """The generator λI, in blocks of size one."""
    return Jordan([rate] * size, 1)


def one(n: int) -> int:
    """1: the shuffle power without its count."""
    return 1


HERE = "proofs_checks.gamma_kernels"

STATEMENT = Statement(
    title="Jordan blocks give gamma kernels",
    claim=r"A = \lambda I + N,\ B = e_{K+1}:\quad S^{(1)}_{K+1-\ell} = (-1)^\ell \int"
    r" \frac{(\theta_t-\theta_u)^\ell}{\ell!}\, e^{-\lambda(\theta_t-\theta_u)}\, dX_u",
    section="Section 2; Table 1",
    label="Proposition 2",
    method="symbolic",
    leaves_out="Blocks of size above 4, and above 3 on drawn paths, which are piecewise linear; several channels, "
    "each of which has a block of its own. For λ and r as parameters the path moves with the clock; other paths are "
    "drawn.",
    covers=("Proposition 2: Jordan blocks give gamma kernels at depth one",),
    code=("ewsmath.EWS", "ewsmath.kernels.gamma_kernel", "ewsmath.kernels.kernels", "ewsmath.generators.Jordan"),
    mutants=(
        Mutant("no alternating sign", f"{HERE}:sign", no_sign, keeps_depth_one=False),
        Mutant("wrong sign of the rate", f"{HERE}:gamma", growing_gamma, keeps_depth_one=False),
        Mutant("λI in place of λI + N", f"{HERE}:block", diagonal_block, keeps_depth_one=False),
        Mutant("powers without the count of the shuffle", f"{HERE}:repetitions", one, keeps_depth_one=True),
    ),
)
