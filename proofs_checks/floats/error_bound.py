"""``error_bound`` is an upper bound of the error of the chunked engine, and at most ten thousand times as large."""

import equinox as eqx
import jax.numpy as jnp
import numpy as np
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Array, Float, Int

import ewsmath
from ewsnn import engine
from ewsnn.arrays import Levels
from ewsnn.clocks import Given
from ewsnn.engine.bound import ladder, rung
from ewsnn.engine.quadrature import gauss_legendre
from ewsnn.generators import AbstractGenerator, Diagonal
from proofs_checks.agreement import at_most
from proofs_checks.draws import depths
from proofs_checks.floats import binary
from proofs_checks.floats.binary import LETTERS, STEPS, arrays, in_double_precision, tenths
from proofs_checks.statement import Mutant, Statement

SINGLE = np.dtype(np.float32)
"""The precision of the engine; the other statements ask it in double precision."""

SIZES = (1e-3, 0.3, 3.0, 15.0, 50.0)
"""The largest ‖ΔθA‖ of a path."""


@eqx.filter_jit
def chunked(generator: AbstractGenerator, elapsed: Array, v: Array, depth: int) -> Levels:
    """The engine that is judged."""
    return engine.chunked_terminal(generator, elapsed, v, depth)


@eqx.filter_jit
def bound(generator: AbstractGenerator, elapsed: Array, depth: int, dtype: np.dtype) -> Array:
    """The bound, with generator and clock traced."""
    return engine.error_bound(generator, elapsed, depth, dtype)


def sizes(depth: int) -> list[float]:
    """Sizes from tiny to huge, and those up to which two nodes would do for this depth, level one and a mean step."""
    this, one = (0.99 * ladder(n, SINGLE)[0][1] for n in (depth, 1))
    return [*SIZES, this, one, STEPS * one]


@given(st.data())
@in_double_precision
def check_the_bound(data: st.DataObject) -> None:
    """The error is at most the bound, the bound at most 10⁴ times the error, on even clocks and on one that jumps."""
    # One and three: each depth is compiled apart.
    depth = 2 * data.draw(depths(2)) - 1
    # A path that leaves both axes, so that every level has entries.
    dx = 1 + data.draw(arrays((STEPS, LETTERS), tenths(-5, 10)))
    rates = np.append(1.0, data.draw(tenths(2, 9)))
    shape = data.draw(st.one_of(st.just(np.eye(STEPS)[STEPS // 2] + 1e-3), arrays((STEPS,), tenths(5, 10))))
    size = data.draw(st.sampled_from(sizes(depth)))
    elapsed = np.asarray(size * shape / np.max(shape), SINGLE)
    generator, v = Diagonal(rates.astype(SINGLE)), dx.astype(SINGLE)
    path = binary.path_of(v, np.ones(STEPS, SINGLE), elapsed)

    exact = binary.exact_states(generator, path, Given())
    found = chunked(generator, Given()(path), path.dx, depth)
    error = fmpq(0)
    for n, level in enumerate(found, start=1):
        error = max(error, binary.distance(level, exact[-1].level(n)) / binary.largest(exact, n))
    most = ewsmath.exact(float(bound(generator, Given()(path), depth, SINGLE)))
    at_most(error, most, "the error and its bound")
    # Round-off may cancel: an error below half an ulp counts as that.
    ulp = ewsmath.exact(float(np.finfo(SINGLE).eps))
    at_most(most, 10**4 * max(error, ulp / 2), "the bound and ten thousand times the error")


def mean_size(generator: AbstractGenerator, elapsed: Array) -> tuple[Array, Array]:
    """‖ΔθA‖ of the mean step where the largest counts."""
    norm = jnp.max(jnp.sum(jnp.abs(generator.matrix()), axis=-1))
    moved = jnp.abs(elapsed)
    return norm * jnp.mean(moved), norm * jnp.sum(moved)


def round_off_of_double(generator: AbstractGenerator, elapsed: Array, depth: int, dtype: np.dtype) -> Array:
    """The bound without the round-off of single precision."""
    return whole_bound(generator, elapsed.astype(np.float64), depth, np.dtype(np.float64))


def one_node_fewer(q: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A quadrature with one node fewer than the bound counts on."""
    return gauss_legendre(q - 1)


def rung_of_level_one(generator: AbstractGenerator, elapsed: Float[Array, "..."], depth: int) -> Int[Array, ""]:
    """The number of nodes that level one needs, for all levels."""
    return rung(generator, elapsed, 1)


whole_bound = bound  # by this name the mutants have it, in whose place another stands

HERE = "proofs_checks.floats.error_bound"

STATEMENT = Statement(
    title="The error bound of the chunked engine",
    claim=r"\max_n \frac{|\hat S^{(n)} - S^{(n)}|_\infty}{\max_j |S^{(n)}_{0,t_j}|_\infty} \le \text{error\_bound}"
    r" \le 10^4 \max\Big(\max_n\frac{|\hat S^{(n)} - S^{(n)}|_\infty}{\max_j |S^{(n)}_{0,t_j}|_\infty},"
    r" \tfrac{\mathrm{eps}}{2}\Big)",
    section="On one linear piece; of this project, not of the paper",
    method="experiment",
    leaves_out="Seven steps, diagonal generators with two rates, depths one and three, float32; all families, float64 "
    "and longer paths are asked in `tests/oracle` and `tests/ewsnn/engine`. That the bound of truncation is rigorous "
    "is argued where it is computed, not checked; that of round-off is measured.",
    covers=("The engine: its error bound holds, and is no exaggeration",),
    code=("ewsnn.engine.error_bound", "ewsnn.engine.chunked_terminal"),
    mutants=(
        Mutant("the mean step counts, not the largest", "ewsnn.engine.bound:_sizes", mean_size, False),
        Mutant("without the round-off of single precision", f"{HERE}:bound", round_off_of_double, False),
        Mutant("one node fewer", "ewsnn.engine.chunked:gauss_legendre", one_node_fewer, keeps_depth_one=False),
        Mutant("nodes for level one alone", "ewsnn.engine.chunked:rung", rung_of_level_one, keeps_depth_one=True),
    ),
)
