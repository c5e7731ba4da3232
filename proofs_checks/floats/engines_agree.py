"""All engines, and a stream in chunks and single steps, give the same states: those of the exact EWS, to round-off."""

from collections.abc import Iterator

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from jaxtyping import Array

from ewsmath import Tensor
from ewsmath.rings import Ball
from ewsnn import Increments
from ewsnn.arrays import Levels
from ewsnn.clocks import Given
from ewsnn.engine import states, stream
from ewsnn.generators import AbstractGenerator
from ewsnn.paths import Knot
from ewsnn.propagators import AbstractPropagator
from ewsnn.tensor import group_product
from proofs_checks.draws import depths
from proofs_checks.floats import binary
from proofs_checks.floats.binary import DEPTH, LETTERS, STEPS, in_double_precision, with_clock
from proofs_checks.statement import Mutant, Statement


@eqx.filter_jit
def run(path: Increments, generator: AbstractGenerator, output: str, engine: str) -> Levels:
    """What an engine gives for a path that has read its clock."""
    lift = jnp.eye(LETTERS, dtype=path.dx.dtype)
    return states(path, lift, generator, Given(), depth=DEPTH, output=output, engine=engine)


def sequential(path: Increments, generator: AbstractGenerator, output: str) -> Levels:
    """One step after the other."""
    return run(path, generator, output, "sequential")


def scanned(path: Increments, generator: AbstractGenerator, output: str) -> Levels:
    """The parallel scan."""
    return run(path, generator, output, "scan")


def chunked(path: Increments, generator: AbstractGenerator, output: str) -> Levels:
    """Matrix products over the re-weighted path."""
    return run(path, generator, output, "chunked")


@eqx.filter_jit
def feed(state: stream.State, path: Increments, generator: AbstractGenerator) -> tuple[stream.State, Levels]:
    """A chunk more of a stream, and the levels after each of its steps."""
    lift = jnp.eye(LETTERS, dtype=path.dx.dtype)
    return stream.feed(state, path, lift=lift, generator=generator, clock=Given(), output="all", engine="sequential")


@eqx.filter_jit
def step(state: stream.State, dx: Array, elapsed: Array, generator: AbstractGenerator) -> tuple[stream.State, Levels]:
    """A step more of a stream, and its levels."""
    return stream.step(state, dx, elapsed, lift=jnp.eye(LETTERS, dtype=dx.dtype), generator=generator)


def part(path: Increments, start: int, stop: int) -> Increments:
    """The steps from start to stop, filled up with padding: all chunks have one shape, so that they compile once."""
    within = np.arange(STEPS) < stop - start

    def cut(leaf: Array) -> Array:
        kept = within.reshape(-1, *(leaf.ndim - 1) * (1,))
        return jnp.where(kept, jnp.roll(leaf, -start, axis=0), jnp.zeros_like(leaf))

    return jax.tree.map(cut, path)


def streamed(path: Increments, generator: AbstractGenerator, size: int) -> Iterator[Levels]:
    """The levels after each step, fed in chunks of a size; what remains at the end goes step by step."""
    state = stream.start(LETTERS, DEPTH, Knot.start((), LETTERS, path.dx.dtype))
    whole = STEPS - STEPS % size
    for start in range(0, whole, size):
        state, levels = feed(state, part(path, start, start + size), generator)
        yield from (tuple(level[j] for level in levels) for j in range(size))
    for j in range(whole, STEPS):
        state, levels = step(state, path.dx[j], Given()(path)[j], generator)
        yield levels


@given(st.data())
@in_double_precision
def check_states_after_every_step(data: st.DataObject) -> None:
    """Step by step and by the parallel scan, the states are the exact EWS at every knot, for every clock."""
    generator, clock = data.draw(binary.generators()), data.draw(binary.clocks())
    path, depth = with_clock(binary.path(data), clock), data.draw(depths())
    exact = binary.exact_states(generator, path, clock)
    for name, engine in (("sequential", sequential), ("scan", scanned)):
        along(engine(path, generator, "all"), exact, depth, name)


def along(levels: Levels, exact: list[Tensor[Ball]], depth: int, name: str) -> None:
    """Compare the states after every step."""
    for j, state in enumerate(exact):
        found = tuple(np.asarray(level)[j] for level in levels)
        binary.close(found, state, exact[: j + 1], depth, f"after step {j + 1}, engine {name}")


@given(st.data())
@in_double_precision
def check_every_output_of_chunks(data: st.DataObject) -> None:
    """By matrix products: the last state, the mean and all states are the exact ones."""
    generator, clock = data.draw(binary.rotations()), data.draw(binary.clocks())
    path, depth = with_clock(binary.path(data), clock), data.draw(depths())
    exact = binary.exact_states(generator, path, clock)
    binary.close(chunked(path, generator, "terminal"), exact[-1], exact, depth, "at the end, engine chunked")
    total = sum(exact, exact[0].algebra.zero())
    mean = total.scaled(binary.RING.ratio(1, STEPS))
    binary.close(chunked(path, generator, "mean"), mean, exact, depth, "of the mean, engine chunked")
    along(chunked(path, generator, "all"), exact, depth, "chunked")


@given(st.data())
@in_double_precision
def check_streams(data: st.DataObject) -> None:
    """A stream in chunks of any size, whose remainder goes step by step, is the exact EWS at every knot."""
    generator, clock = data.draw(binary.diagonals()), data.draw(binary.clocks())
    path, depth = with_clock(binary.path(data), clock), data.draw(depths())
    exact = binary.exact_states(generator, path, clock)
    found = [*streamed(path, generator, data.draw(st.integers(1, STEPS)))]
    along(tuple(jnp.stack(level) for level in zip(*found, strict=True)), exact, depth, "of streams")


def late(path: Increments, generator: AbstractGenerator, output: str) -> Levels:
    """A scan that reads the clock a step too late."""
    return run(eqx.tree_at(lambda read: read.elapsed, path, jnp.roll(Given()(path), 1)), generator, output, "scan")


def only_whole_chunks(path: Increments, generator: AbstractGenerator, output: str) -> Levels:
    """Chunks of four steps; what remains counts as padding."""
    return run(whole_part(path, 0, STEPS - STEPS % 4), generator, output, "chunked")


def with_the_start(path: Increments, generator: AbstractGenerator, output: str) -> Levels:
    """A mean for which the start of the path counts as a state."""
    share = STEPS / (STEPS + 1) if output == "mean" else 1.0
    return tuple(level * share for level in run(path, generator, output, "chunked"))


def a_step_late(path: Increments, start: int, stop: int) -> Increments:
    """A chunk that starts a step too late: its first step is left out."""
    return whole_part(path, min(start + 1, stop), stop)


def extend_on_the_wrong_factor(before: Levels, propagator: AbstractPropagator, levels: Levels) -> Levels:
    """S_{0,s} ⊗ D(S_{s,t})."""
    return group_product(before, propagator.flow(levels))


def words_in_reverse(path: Increments, generator: AbstractGenerator, output: str) -> Levels:
    """A scan that joins from the right: every word in reverse."""
    return tuple(
        jnp.transpose(level, (0, *range(level.ndim - 1, 0, -1))) for level in run(path, generator, output, "scan")
    )


whole_part = part  # by this name the mutants have it, in whose place another stands

HERE = "proofs_checks.floats.engines_agree"

STATEMENT = Statement(
    title="All engines agree",
    claim=r"S_{0,t_j} = D_A^{\Delta\theta_j}(S_{0,t_{j-1}})\otimes\sigma(\Delta\theta_j, B\Delta X_j)"
    r" = \big((\Delta\theta_1,\sigma_1)\star\cdots\star(\Delta\theta_j,\sigma_j)\big)_2 = S(Z^{[t_j]})"
    r" \quad\text{to } 50\,\mathrm{eps}\,j",
    section="Theorem 1(ii); Section 2.2",
    method="experiment",
    leaves_out="Seven steps, two letters, float64, ‖A‖ ≤ 1; steps and scan for diagonal generators and rotations, "
    "chunks for rotations, streams for diagonal ones. All families, float32, batches, long spans and gradients are "
    "asked in the tests of `ewsnn` (`tests/oracle`, `tests/ewsnn/engine`).",
    covers=("The engine: all engines, outputs and streams give the same states",),
    code=("ewsnn.engine.states", "ewsnn.engine.stream.feed", "ewsnn.engine.stream.step"),
    mutants=(
        Mutant("the scan reads the clock a step late", f"{HERE}:scanned", late, keeps_depth_one=False),
        Mutant("the scan joins from the right", f"{HERE}:scanned", words_in_reverse, keeps_depth_one=True),
        Mutant("the remainder of the last chunk is dropped", f"{HERE}:chunked", only_whole_chunks, False),
        Mutant("the start counts in the mean", f"{HERE}:chunked", with_the_start, keeps_depth_one=False),
        Mutant("a chunk of a stream starts a step late", f"{HERE}:part", a_step_late, keeps_depth_one=False),
        Mutant(
            "in the library, the flow acts on the later factor",
            "ewsnn.engine.scan:extend",
            extend_on_the_wrong_factor,
            keeps_depth_one=False,
        ),
    ),
)
