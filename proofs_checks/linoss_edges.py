"""At the edges of the oscillating range an oscillator of LinOSS is a Jordan block, and has a logarithm all the same."""

from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from ewsmath import QQ, QQ_I, SR, Matrix
from ewsmath.spectrum import exponential
from ewsmath.ssm import FRACTIONS, Conversion, LinOSS, oscillator
from ewsmath.ssm.oscillator import obstacle
from proofs_checks import recurrences
from proofs_checks.agreement import agree, differ
from proofs_checks.recurrences import C, R, follows, is_close, linear, read
from proofs_checks.statement import Mutant, Statement


def edge(s: Any, d: Any, sign: int) -> tuple[Any, Any]:
    """Damping G and stiffness A at an edge, for s = √(1 + dG): A = ((s ± 1)/d)², G = (s² - 1)/d."""
    return (s * s - 1) / d, ((s + sign) / d) * ((s + sign) / d)


def transition(ring: Any, A: Any, G: Any, d: Any) -> Matrix[Any]:
    """Abar of DampedIMEX1: (1 + dG) z₁ = z - dA y, y₁ = y + d z₁."""
    s = 1 / (1 + d * G)
    return Matrix(ring, [[s, -d * A * s], [d * s, 1 - d * d * A * s]])


def check_both_edges_are_jordan_blocks() -> None:
    """For all s and d: Abar ∓ 1/s is not 0 and its square is, with the upper sign at the lower edge."""
    s, d = SR.symbols("s d")
    for sign in (-1, 1):
        G, A = edge(s, d, sign)
        N = transition(SR, A, G, d) + Matrix.identity(SR, 2) * (sign / s)
        agree(N @ N, Matrix.zeros(SR, 2, 2), "the square of Abar less its eigenvalue, and 0")
        differ(N, Matrix.zeros(SR, 2, 2), "Abar less its eigenvalue, and 0")


def logarithm_of_a_jordan_block(a: Any, N: Matrix[Any]) -> Matrix[Any]:
    """-log(e^{-a} I + N) = aI - e^a N, for N² = 0."""
    return Matrix.identity(SR, 2) * a - N.scaled(SR.exp(a))


def check_logarithm_at_the_lower_edge() -> None:
    """For all a = log s and d: e^{-A} = Abar for A = aI - e^a (Abar - e^{-a} I), which is real; a section at A = A_low.

    At the upper edge the same matrix is that of -Abar, so that the doubled form takes it.
    """
    a, d = SR.symbols("a d")
    s, double = SR.exp(a), cast(Any, [-a, -a])  # Abar is not rational in its parameters: the spectrum is given
    for sign in (-1, 1):
        # 1 + dG = s², so that no sum of exponentials is divided by.
        A = ((s + sign) / d) * ((s + sign) / d)
        inverse = SR.exp(-2 * a)
        Abar = Matrix(SR, [[inverse, -d * A * inverse], [d * inverse, 1 - d * d * A * inverse]]) * -sign
        generator = logarithm_of_a_jordan_block(a, Abar - Matrix.identity(SR, 2) * SR.exp(-a))
        agree(exponential(-generator, double), Abar, "the exponential of -A, and ±Abar")


def check_no_stiffness() -> None:
    """A = 0 in IM and IMEX: Abar = [[1, 0], [d, 1]], generator [[0, 0], [-d, 0]], lift (d, d²/2); exactly."""
    for d in (QQ.one, QQ.ratio(1, 2)):
        for scheme in ("IM", "IMEX"):
            found = Conversion(LinOSS([0], [d], [[1]], [[1]], discretisation=scheme), R)
            block = Matrix(R, [row[:2] for row in found.generator.matrix.rows[:2]])
            is_close(block, Matrix(R, [[0, 0], [-d, 0]]), "the generator and [[0, 0], [-d, 0]]")
            lift = Matrix(R, found.lift.rows[:2])
            is_close(lift, Matrix(R, [[d], [d * d / 2]]), "the lift and (d, d²/2)")


POINTS = ((1, 1), (2, 1), (3, 2), (1, QQ.ratio(1, 2)), (QQ.ratio(3, 2), QQ.ratio(1, 2)))
"""Pairs (s, d) of rationals, for which the whole edge is rational."""


@given(st.data())
def check_models_at_and_beside_the_edges(data: st.DataObject) -> None:
    """Models at an edge and 10^-30 beside it follow their recurrences; from the upper edge on no logarithm is real."""
    s, d = (QQ.coerce(x) for x in data.draw(st.sampled_from(POINTS)))
    sign = data.draw(st.sampled_from([-1, 1]))
    G, A = edge(s, d, sign)
    A = max(QQ.zero, A + data.draw(st.sampled_from([0, 1, -1])) * QQ.ratio(1, 10**30))
    Abar = transition(QQ, A, G, d)
    drive = Matrix.column(C, [d / (1 + d * G), d * d / (1 + d * G)]).scaled(C.coerce(QQ_I.i))
    model = LinOSS([A], [d], [[QQ_I.i]], [[QQ_I.i]], damping=[G], discretisation="DampedIMEX1")
    inputs = [[1], [2]]
    states = linear(Matrix.over(C, Abar), drive, inputs)
    follows(model, inputs, read(Matrix(C, [[0, QQ_I.i]]), [0], inputs, states))
    beyond = sign == 1 and edge(s, d, sign)[1] <= A
    reason = "no real logarithm; use the doubled form" if beyond else None
    agree([obstacle(Matrix.over(FRACTIONS, Abar))[1]], [reason], "why there is no real logarithm")


def check_kernel_of_a_section() -> None:
    """At the lower edge the kernel is e^{-rA} = e^{-ar}(I + r e^a N) for all r, with the power r of a Jordan block."""
    a, d, r = SR.symbols("a d r")
    s, double = SR.exp(a), cast(Any, [-a * r, -a * r])
    inverse, q = SR.exp(-2 * a), (s - 1) * (s - 1)
    Abar = Matrix(SR, [[inverse, -q * inverse / d], [d * inverse, 1 - q * inverse]])
    N = Abar - Matrix.identity(SR, 2) * SR.exp(-a)
    generator = logarithm_of_a_jordan_block(a, N)
    kernel = (Matrix.identity(SR, 2) + N.scaled(r * SR.exp(a))).scaled(SR.exp(-a * r))
    agree(exponential(generator * -r, double), kernel, "e^(-rA), and its form with the power r")


def larger_edge(s: Any, d: Any, sign: int) -> tuple[Any, Any]:
    """A = (s² + 1)/d², midway between the edges, at right angles."""
    return (s * s - 1) / d, (s * s + 1) / (d * d)


def scalar_logarithm(a: Any, N: Matrix[Any]) -> Matrix[Any]:
    """aI: the logarithm of the eigenvalue alone."""
    return Matrix.identity(SR, 2) * a


def logarithm_without_factor(a: Any, N: Matrix[Any]) -> Matrix[Any]:
    """AI - N, where e^a N belongs."""
    return Matrix.identity(SR, 2) * a - N


def double_eigenvalues_admitted(block: Matrix[Any]) -> tuple[str | None, str | None]:
    """No refusal where the discriminant is 0: as if a double negative eigenvalue had always two blocks."""
    trace, determinant = block[0, 0] + block[1, 1], block[0, 0] * block[1, 1] - block[0, 1] * block[1, 0]
    return (None, None) if trace * trace == 4 * determinant else oscillator.obstacle(block)


HERE = "proofs_checks.linoss_edges"

STATEMENT = Statement(
    title="Jordan sections at the edges of LinOSS",
    claim=r"A = \Big(\frac{\sqrt{1+dG}\mp1}{d}\Big)^2: \quad \bar A = \pm\frac{1}{\sqrt{1+dG}} I + N, \; N \ne 0 = N^2;"
    r" \qquad -\log\bar A = aI - e^a N, \quad e^{-rA} = e^{-ar}(I + r e^a N), \quad a = \tfrac12\log(1+dG)"
    r" \text{ at the lower edge}",
    section="Appendix E",
    method="symbolic",
    leaves_out="The Jordan blocks, their logarithms and kernels are formulas for all d and G. Models at the edges, and "
    "10^-30 beside them, are certified in balls at five pairs (d, G), to 10^-25; the implicit scheme has its only edge "
    "at A = 0. The steps of D-LinOSS are not rational: its own upper edge is in the statement on D-LinOSS.",
    covers=("Jordan sections at the edges of LinOSS",),
    code=("ewsmath.ssm.LinOSS", "ewsmath.ssm.Conversion"),
    no_depth="It is about the generator of a recurrence, which is depth one.",
    mutants=(
        Mutant("stiffness midway between the edges", f"{HERE}:edge", larger_edge, False),
        Mutant("logarithm of the eigenvalue alone", f"{HERE}:logarithm_of_a_jordan_block", scalar_logarithm, False),
        Mutant(
            "N not divided by the eigenvalue", f"{HERE}:logarithm_of_a_jordan_block", logarithm_without_factor, False
        ),
        Mutant("double eigenvalues admitted", f"{HERE}:obstacle", double_eigenvalues_admitted, False),
        Mutant("shift of the basis forgotten", "ewsmath.ssm.linoss:shifted_logarithm", recurrences.not_shifted, False),
    ),
)
