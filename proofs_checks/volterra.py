"""The Volterra signature weights each letter to the next one, the EWS to the end: they agree at level one only."""

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from math import factorial
from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import (
    EE,
    EWS,
    SR,
    ExpPoly,
    ExpPolys,
    PiecewiseLinearPath,
    Tensor,
    TensorAlgebra,
    VolterraSignature,
    homomorphism,
)
from ewsmath.clocks import Given
from ewsmath.generators import AbstractGenerator, Diagonal
from ewsmath.strategies import rationals
from ewsmath.words import EMPTY, Word
from proofs_checks import formulas
from proofs_checks.agreement import agree, at_most, differ
from proofs_checks.draws import Piece, depths, each_depth, exact_generators, pieces
from proofs_checks.statement import Mutant, Statement

Rates = Sequence[Any]


def to_the_next(rates: Rates) -> list[Any]:
    """The rate at which a word fades between its k-th letter and the next: λ_{i_k}, for the Volterra signature."""
    return list(rates)


def to_the_end(rates: Rates) -> list[Any]:
    """The same for the EWS: λ_{i_1} + ⋯ + λ_{i_k}, all letters so far."""
    return list(accumulate(rates))


def chained(
    ring: Any, rates: Rates, path: Sequence[Piece], depth: int, fading: Callable[[Rates], list[Any]]
) -> Tensor[Any]:
    r"""The iterated integrals with weights c_k = fading(λ_{i_1}, …)_k between letters, for a diagonal generator.

    .. math:: \int_{s<t_1<⋯<t_n<t} \prod_k e^{-c_k(θ_{t_{k+1}}-θ_{t_k})} dX^{i_1}_{t_1} ⋯ dX^{i_n}_{t_n}, t_{n+1} = t
    """
    algebra = TensorAlgebra(ring, len(rates), depth)
    found: dict[Word, Any] = {EMPTY: ring.one}
    for n in range(1, depth + 1):
        for word in algebra.words(n):
            c = fading([rates[i - 1] for i in word])
            found[word] = chain(ring, word, c, path)
    return algebra.tensor(found)


def chain(ring: Any, word: Sequence[int], c: Rates, path: Sequence[Piece]) -> Any:
    """One such integral: what stands at time θ_k is e^{(c_k − c_{k−1})θ_k}, and e^{−c_n θ_t} before it all."""
    functions = ExpPolys(ring)
    powers = [c[0], *(after - before for before, after in pairwise(c))]
    reached, theta = [ring.zero] * len(word), ring.zero
    for piece in path:
        below: ExpPoly[Any] = functions.one
        ends = []
        for k, letter in enumerate(word):
            start, speed = powers[k] * theta, powers[k] * piece.elapsed
            grown = functions.exponential(speed).scaled(ring.exp(ring.coerce(start)) * piece.v[letter - 1])
            below = (below * grown).integral() + functions.coerce(reached[k])
            ends.append(below(1))
        reached, theta = ends, theta + piece.elapsed
    return reached[-1] * ring.exp(ring.coerce(-(c[-1] * theta)))


def both(generator: AbstractGenerator, path: Sequence[Piece], depth: int) -> tuple[Tensor[Any], Tensor[Any]]:
    """The Volterra signature and the EWS as the library computes them."""
    X = PiecewiseLinearPath.from_increments([piece.v for piece in path], ring=generator.ring)
    clock = Given([piece.elapsed for piece in path])
    ews = EWS(generator, clock=clock, depth=depth)
    return VolterraSignature(generator, clock=clock, depth=depth)(X), ews(X, route="iterated")


def compare(generator: AbstractGenerator, rates: Rates, path: Sequence[Piece], depth: int) -> None:
    """Hold both against the weights of their definitions."""
    volterra, ews = both(generator, path, depth)
    agree(volterra, chained(generator.ring, rates, path, depth, to_the_next), "the Volterra signature and its weights")
    agree(ews, chained(generator.ring, rates, path, depth, to_the_end), "the EWS and its weights")


def check_weights_for_all_rates() -> None:
    """A = diag(λ, μ), one piece: both signatures by the weights between letters, for all rates, r and v."""
    for depth in each_depth(2):
        compare(formulas.diagonal(), SR.symbols("lambda mu"), [formulas.piece(1)], depth)


@given(st.data())
def check_weights_on_paths(data: st.DataObject) -> None:
    """The same on drawn paths, whose clock may stop and run back."""
    rates = data.draw(st.lists(rationals(max_numerator=2, max_denominator=2), min_size=1, max_size=2))
    compare(Diagonal(rates, ring=EE), rates, data.draw(pieces(len(rates), max_size=2)), data.draw(depths()))


@given(st.data())
def check_level_one_agrees(data: st.DataObject) -> None:
    """Level one of both is the same for every generator, and all levels are where the clock stands still."""
    generator, depth = data.draw(exact_generators(EE)), data.draw(depths(2))
    path = data.draw(pieces(generator.dim, max_size=2))
    volterra, ews = both(generator, path, depth)
    agree(volterra.level(1), ews.level(1), "levels one")
    stopped = [Piece(0 * piece.elapsed, piece.v) for piece in path]
    agree(*both(generator, stopped, depth), "both where the clock stands still")


def check_example_for_all_rates() -> None:
    """X_t = t on [0, 1]: V^(n) = ∫ e^{−λ(1−u)} (1−u)^{n−1}/(n−1)! du against S^(n) = ((1 − e^{−λ})/λ)^n/n!."""
    lam = SR.symbol("lambda")
    functions = ExpPolys(SR)
    left = functions.one - functions.variable  # 1 − u
    for depth in each_depth(3):
        kernel = functions.exponential(lam).scaled(SR.exp(-lam))  # e^{−λ(1−u)}
        volterra, ews = both(Diagonal([lam]), [Piece(SR.one, [SR.one])], depth)
        for n in range(1, depth + 1):
            word = (1,) * n
            agree(volterra[word], kernel.integral()(1), f"V^({n}) and its integral")
            agree(ews[word], ((1 - SR.exp(-lam)) / lam) ** n * SR.ratio(1, factorial(n)), f"S^({n}) and its formula")
            if n > 1:
                differ(volterra[word], ews[word], f"V^({n}) and S^({n})")
            kernel = (kernel * left).scaled(SR.ratio(1, n))


def check_example_in_numbers() -> None:
    """At the rate 1.3 level two is 0.220815 of the Volterra signature and 0.156571 of the EWS, to six decimals."""
    rate = fmpq(13, 10)
    e = EE.exp(EE.coerce(-rate))
    for depth in each_depth(2):
        volterra, ews = both(Diagonal(rate), [Piece(fmpq(1), [fmpq(1)])], depth)
        agree(volterra[1], (1 - e) / rate, "level one of the Volterra signature and (1 − e^{−λ})/λ")
        if depth > 1:
            agree(volterra[1, 1], (1 - e - e * rate) / rate**2, "V^(2) and (1 − e^{−λ}(1 + λ))/λ²")
            for number, rounded in ((volterra[1, 1], fmpq(220815, 10**6)), (ews[1, 1], fmpq(156571, 10**6))):
                distance = (number - rounded).ball(64).abs_upper()
                at_most(distance, fmpq(1, 2 * 10**6), f"how far {rounded} is from the number, and half a millionth")


def check_not_group_like() -> None:
    """The EWS has S¹S¹ = 2S¹¹, the Volterra signature has not: it is not group-like, and no signature of any path."""
    for depth in each_depth(2):
        volterra, ews = both(Diagonal(1), [Piece(fmpq(1), [fmpq(1)])], depth)
        if depth > 1:
            agree(ews[1] * ews[1], 2 * ews[1, 1], "S¹S¹ and 2S¹¹")
            differ(volterra[1] * volterra[1], 2 * volterra[1, 1], "V¹V¹ and 2V¹¹")


def letters_before(rates: Rates) -> list[Any]:
    """λ_{i_1} + ⋯ + λ_{i_{k−1}}: the letter itself is left out, the first fades not at all."""
    return [total - rate for total, rate in zip(accumulate(rates), rates, strict=True)]


def of_the_first_letter(rates: Rates) -> list[Any]:
    """λ_{i_1} between all letters."""
    return [rates[0]] * len(rates)


def every_slot(self: VolterraSignature, levels: list[list[Any]], stretch: Any) -> list[list[Any]]:
    """All slots are transported, as by the modified Chen product: what the EWS does."""
    algebra = self.algebra
    piece = EWS(self.generator, depth=self.depth).local(stretch.elapsed, stretch.speed, "iterated")
    moved = homomorphism(self.generator.exponential(stretch.elapsed), algebra.from_levels(levels)) @ piece
    return [moved.level(n) for n in range(self.depth + 1)]


HERE = "proofs_checks.volterra"

STATEMENT = Statement(
    title="The Volterra signature and the EWS agree at level one only",
    claim=r"K = e^{-(t-s)A}: \qquad \text{weights } \prod_k e^{-\lambda_{i_k}(\theta_{k+1}-\theta_k)}"
    r" \text{ (Volterra) against } \prod_k e^{-(\lambda_{i_1}+\dots+\lambda_{i_k})(\theta_{k+1}-\theta_k)}"
    r" \text{ (EWS)}; \qquad V^{(1)} = S^{(1)},\ V^{(2)} \ne S^{(2)}",
    section="Appendix D",
    method="symbolic",
    leaves_out="The weights are compared for diagonal A: as formulas on one piece up to depth 2, else on draws. That "
    "levels above one part is shown for one channel with X_t = t, for all rates up to level 3. Kernels other than the "
    "exponential one.",
    covers=("Appendix D: EFM and Volterra signature",),
    code=("ewsmath.VolterraSignature", "ewsmath.EWS"),
    mutants=(
        Mutant("all slots are transported", "ewsmath.volterra:VolterraSignature._after", every_slot, True),
        Mutant("weights of the EWS for the Volterra signature", f"{HERE}:to_the_next", to_the_end, True),
        Mutant("the first rate between all letters", f"{HERE}:to_the_next", of_the_first_letter, keeps_depth_one=True),
        Mutant("the letter itself does not fade", f"{HERE}:to_the_end", letters_before, keeps_depth_one=False),
    ),
)
