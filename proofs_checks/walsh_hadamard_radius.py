"""Walsh–Hadamard matrices with entries in [-1, 1] have spectral radius at most one; their Euler flows have not."""

from typing import Any

from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from ewsmath import EE, QQ, Matrix, PiecewiseLinearPath
from ewsmath.linear_cde import LinearCDE
from ewsmath.spectrum import eigenvalues
from ewsmath.structures import SLiCE, WalshHadamard, hadamard
from proofs_checks.agreement import agree, at_most, differ
from proofs_checks.recurrences import arrays, small
from proofs_checks.statement import Mutant, Statement

entries = st.builds(QQ.ratio, st.integers(-4, 4), st.just(4))
"""Diagonal entries in [-1, 1]."""


def drawn_diagonal(data: st.DataObject, size: int) -> list[fmpq]:
    """The entries of a diagonal, in [-1, 1]."""
    return data.draw(arrays(entries, size))


def squared_norm(x: list[Any]) -> fmpq:
    """The sum of the squares."""
    return sum((v * v for v in x), QQ.zero)


@given(st.data())
def check_contraction(data: st.DataObject) -> None:
    """AᵀA = D², so that ‖Ax‖ ≤ ‖x‖ for every x, and no eigenvalue is above 1 in absolute value; nor of products."""
    size = data.draw(st.sampled_from([1, 4]))
    a, b, x = drawn_diagonal(data, size), drawn_diagonal(data, size), data.draw(arrays(small, size))
    A, B = WalshHadamard(QQ, a), WalshHadamard(QQ, b)
    squares = Matrix.diagonal(QQ, [v * v for v in a])
    agree(A.matrix.transpose() @ A.matrix, squares, "AᵀA and D²")
    agree(A.apply(x), hadamard(QQ, size).apply([v * w for v, w in zip(a, x, strict=True)]), "Ax and H(a ∘ x)")
    at_most(squared_norm(A.apply(x)), squared_norm(x), "‖Ax‖² and ‖x‖²")
    at_most(squared_norm(A.apply(B.apply(x))), squared_norm(x), "‖ABx‖² and ‖x‖²")


def check_eigenvalues() -> None:
    """With D = I the eigenvalues are 1 and -1, exactly: the bound is attained."""
    found = [z.real for z in eigenvalues(WalshHadamard(QQ, [1, 1, 1, 1]).matrix)]
    agree(found, [QQ.coerce(x) for x in (-1, -1, 1, 1)], "the eigenvalues of H, and ±1")


FIXED = [QQ.coerce(x) for x in (3, 1, 1, 1)]
"""A vector with H x = x, for the normalised H of size 4."""


def euler(model: SLiCE, dx: list[Any]) -> Matrix[Any]:
    """I + Σ A^i Δω^i."""
    return model.euler(dx).matrix


def check_euler_flow_grows() -> None:
    """A = H, Δω = 1: (I + A) x = 2x for a fixed vector x of H, so that n steps multiply it by 2^n; e^A makes it e^n."""
    model = SLiCE([WalshHadamard(QQ, [1, 1, 1, 1])])
    agree(model.structures[0].apply(FIXED), FIXED, "Hx and x")
    agree(euler(model, [1]).apply(FIXED), [2 * x for x in FIXED], "(I + A)x and 2x")
    states = model.solve(PiecewiseLinearPath.from_increments([[1]] * 5), FIXED)
    agree(list(states[-1]), [2**5 * x for x in FIXED], "the state after five steps, and 2⁵x")
    exact = LinearCDE([Matrix.over(EE, model.structures[0].matrix)]).flow([1]).apply([EE.coerce(x) for x in FIXED])
    agree(exact, [EE.exp(EE.one) * x for x in FIXED], "e^A x and e x")


def check_two_channels_and_a_negative_step() -> None:
    """Nor do several channels, or Δω < 0, help: (I - A/2 - B/2) x is 2x for A = B = -H."""
    A = WalshHadamard(QQ, [-1, -1, -1, -1])
    flow = euler(SLiCE([A, A]), [QQ.ratio(-1, 2)] * 2)
    agree(flow.apply(FIXED), [2 * x for x in FIXED], "(I - A/2 - B/2)x and 2x")
    differ(flow.transpose() @ flow, Matrix.identity(QQ, 4), "FᵀF and I")


@given(st.data())
def check_growth_is_bounded(data: st.DataObject) -> None:
    """What there is instead: ‖(I + Σ A^i Δω^i) x‖ ≤ (1 + Σ |Δω^i|) ‖x‖."""
    model = SLiCE([WalshHadamard(QQ, drawn_diagonal(data, 4)) for _ in range(2)])
    dx, x = data.draw(arrays(small, 2)), data.draw(arrays(small, 4))
    factor = growth(dx)
    at_most(squared_norm(euler(model, dx).apply(x)), factor * factor * squared_norm(x), "‖Fx‖² and its bound")
    sharp = SLiCE([WalshHadamard(QQ, [1, 1, 1, 1])] * 2)
    size = [abs(v) for v in dx]
    agree(euler(sharp, size).apply(FIXED), [(1 + sum(size)) * v for v in FIXED], "Fx for A = B = H, and (1 + Σ|Δω|)x")
    at_most((1 + sum(size)) ** 2, factor * factor, "(1 + Σ|Δω|)² and the square of the bound")


def growth(dx: list[Any]) -> fmpq:
    """1 + Σ |Δω^i|."""
    return 1 + sum((abs(x) for x in dx), QQ.zero)


def no_growth(dx: list[Any]) -> fmpq:
    """1: as if the spectral radius of the flow were that of the A^i."""
    return QQ.one


def unbounded_entries(data: st.DataObject, size: int) -> list[fmpq]:
    """Entries in [-2, 2]."""
    return [2 * x for x in data.draw(arrays(entries, size))]


def diagonal_after(A: WalshHadamard, x: list[Any]) -> list[Any]:
    """A ∘ (Hx): the diagonal acts last."""
    return [a * y for a, y in zip(A.diagonal, hadamard(QQ, A.size).apply(list(x)), strict=True)]


def not_normalised(A: WalshHadamard, x: list[Any]) -> list[Any]:
    """The transform with entries ±1."""
    return hadamard(QQ, A.size, normalised=False).apply([a * v for a, v in zip(A.diagonal, x, strict=True)])


def field_without_identity(model: SLiCE, dx: list[Any]) -> Matrix[Any]:
    """Σ A^i Δω^i."""
    return model.field(dx).matrix


HERE = "proofs_checks.walsh_hadamard_radius"
APPLY = "ewsmath.structures:WalshHadamard.apply"

STATEMENT = Statement(
    title="Walsh–Hadamard matrices contract, their first-order flows do not",
    claim=r"A = HD,\ |d_j| \le 1: \quad A^\top A = D^2, \quad \rho(A) \le 1; \qquad"
    r" \rho\Big(I + \sum_i A^i \Delta\omega^i\Big) \le 1 + \sum_i |\Delta\omega^i|, \text{ attained by } A^i = H",
    section="SLiCE (NeurIPS 2025)",
    method="exact on draws",
    leaves_out="Sizes 1 and 4, where the normalised H is rational. The spectral radius is bounded by ‖A‖ ≤ 1, "
    "which AᵀA = D² shows; eigenvalues are computed for D = I only.",
    covers=("SLiCE: Walsh–Hadamard matrices have spectral radius at most one, their Euler flow has not",),
    code=("ewsmath.structures.WalshHadamard", "ewsmath.structures.SLiCE", "ewsmath.structures.hadamard"),
    no_depth="It is about matrices and their flows; there are no levels.",
    mutants=(
        Mutant("entries up to 2", f"{HERE}:drawn_diagonal", unbounded_entries, False),
        Mutant("the flow contracts too", f"{HERE}:growth", no_growth, False),
        Mutant("the diagonal acts last", APPLY, diagonal_after, False),
        Mutant("H not normalised", APPLY, not_normalised, False),
        Mutant("the flow without I", f"{HERE}:euler", field_without_identity, False),
    ),
)
