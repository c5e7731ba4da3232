"""At depth one the EWS restarts: what was there decays, and what comes is added. At depth two a product is left."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, EWS, Matrix, PiecewiseLinearPath
from ewsmath.generators import AbstractGenerator
from ewsmath.strategies import paths
from proofs_checks import definition, formulas
from proofs_checks.agreement import agree, differ
from proofs_checks.draws import depths, each_depth, exact_generators
from proofs_checks.statement import Mutant, Statement


def transported(generator: AbstractGenerator, r: Any, level: list[Any], n: int) -> list[Any]:
    """The Kronecker power of e^{−rA} applied to level n."""
    E = power = Matrix.over(generator.ring, generator.exponential(r))
    for _ in range(n - 1):
        power = power.kronecker(E)
    return power.apply(level)


def product(x: list[Any], y: list[Any]) -> list[Any]:
    """X ⊗ y of two vectors, in the order of the words."""
    return [a * b for a in x for b in y]


def total(*terms: list[Any]) -> list[Any]:
    """The sum of lists."""
    return [sum(rest, first) for first, *rest in zip(*terms, strict=True)]


def restart(generator: AbstractGenerator, r: Any, whole: Any, first: Any, second: Any) -> None:
    """Compare S_{0,t} with what S_{0,s} and S_{s,t} make, where r is the clock time from s to t."""
    decayed = transported(generator, r, first.level(1), 1)
    agree(whole.level(1), total(decayed, second.level(1)), "level 1 and e^{−(t−s)A}S_{0,s} + S_{s,t}")
    if whole.algebra.depth > 1:
        added = total(transported(generator, r, first.level(2), 2), second.level(2))
        rest = product(decayed, second.level(1))
        agree(whole.level(2), total(added, rest), "level 2 and the sum with the product of levels 1")


def check_restart_symbolically() -> None:
    """For all pieces and 2 x 2 matrices; without the product, level 2 differs."""
    first, second = formulas.piece(1), formulas.piece(2)
    for generator in formulas.families():
        for depth in each_depth(2):
            whole, before, after = (
                definition.ews(generator, path, depth) for path in ([first, second], [first], [second])
            )
            restart(generator, second.elapsed, whole, before, after)
            if depth > 1:
                added = total(transported(generator, second.elapsed, before.level(2), 2), after.level(2))
                differ(whole.level(2), added, "level 2 and the sum of what was there and what comes")


@given(st.data())
def check_restart_of_the_library(data: st.DataObject) -> None:
    """The same for the library's EWS under the time clock, at a time s at, or between, the knots of a drawn path."""
    generator = data.draw(exact_generators(EE)).over(EE)
    depth = data.draw(depths(max_depth=2))
    # A path that is one jump, or one point, has no times between which to cut it.
    lasting = paths(dim=generator.dim, max_steps=2).filter(lambda X: X.times[0] < X.times[-1])
    path: PiecewiseLinearPath[Any] = data.draw(lasting)
    start, end = path.times[0], path.times[-1]
    share = data.draw(st.sampled_from([0, 1, 2, 3]))
    s = start + (end - start) * share / 3
    ews = EWS(generator, depth=depth)
    restart(generator, EE.coerce(end - s), ews(path), ews(path, start, s), ews(path, s, end))


def without_decay(generator: AbstractGenerator, r: Any, level: list[Any], n: int) -> list[Any]:
    """What was there stays as it is."""
    return level


def growth(generator: AbstractGenerator, r: Any, level: list[Any], n: int) -> list[Any]:
    """e^{+rA}."""
    return decay(generator, -r, level, n)


def decay_of_one_slot(generator: AbstractGenerator, r: Any, level: list[Any], n: int) -> list[Any]:
    """e^{−rA} on the last slot alone."""
    ring = generator.ring
    E = Matrix.over(ring, generator.exponential(r))
    return Matrix.identity(ring, generator.dim ** (n - 1)).kronecker(E).apply(level)


def product_in_reverse(x: list[Any], y: list[Any]) -> list[Any]:
    """Y ⊗ x."""
    return [b * a for b in y for a in x]


decay = transported  # by this name the mutant has it, in whose place others stand

HERE = "proofs_checks.restart_at_depth_one"

STATEMENT = Statement(
    title="Restart at depth one",
    claim=r"S^{(1)}_{0,t} = e^{-(t-s)A}S^{(1)}_{0,s} + S^{(1)}_{s,t}, \qquad"
    r" S^{(2)}_{0,t} = (e^{-(t-s)A})^{\otimes 2}S^{(2)}_{0,s} + S^{(2)}_{s,t}"
    r" + e^{-(t-s)A}S^{(1)}_{0,s}\otimes S^{(1)}_{s,t}",
    section="Theorem 1(ii), at depths one and two",
    method="symbolic",
    leaves_out="As formulas in all parameters at width 2; the library's EWS under the time clock is drawn, with "
    "spectra in Q(i). Levels above 2, which the modified Chen identity has.",
    covers=("Restart at depth one",),
    code=("ewsmath.EWS",),
    mutants=(
        Mutant("what was there does not decay", f"{HERE}:transported", without_decay, keeps_depth_one=False),
        Mutant("wrong sign of the flow", f"{HERE}:transported", growth, keeps_depth_one=False),
        Mutant("the flow acts on the last slot alone", f"{HERE}:transported", decay_of_one_slot, True),
        Mutant("order of ⊗ reversed", f"{HERE}:product", product_in_reverse, keeps_depth_one=True),
    ),
)
