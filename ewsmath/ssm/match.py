"""Generator and lift of any linear recurrence: real where a real logarithm exists, doubled otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ewsmath.generators import Dense
from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, QQ_I, Ball, Balls, ComplexBalls
from ewsmath.rings.door import named
from ewsmath.ssm import culver
from ewsmath.ssm.culver import NOT_REAL, SINGULAR
from ewsmath.ssm.eigenvalues import enclosed_eigenvalues, is_certainly_real
from ewsmath.ssm.lift import check_input_map, lift
from ewsmath.ssm.logarithm import free_turn, principal_logarithm, small_turn, turned_logarithm
from ewsmath.ssm.parts import Converted, Layer
from ewsmath.ssm.realification import joined, realified, stacked
from ewsmath.ssm.working_ring import UndecidedError, imag_part, real_part

FORMS = ("auto", "real", "doubled")


def match(Abar: Any, Bbar: Any, ring: Balls, form: str = "auto") -> Converted:
    r"""The EWS of depth one that is a linear recurrence, with the unit clock.

    .. math:: e^{-A} = \bar A, \qquad φ_1(-A)\, B = \bar B

    For a rational matrix it is decided whether a real generator exists (Culver's condition). The doubled form
    is a complex logarithm in real coordinates Re, Im: it exists for every regular matrix, real or complex.

    Args:
        Abar: The square transition: a matrix or rows over QQ or QQ_I, or a matrix over real or complex balls.
        Bbar: The input map, with as many rows.
        ring: The real balls to work in.
        form: ``"real"``, ``"doubled"``, or ``"auto"``, which is real where that is possible.

    Returns:
        One layer, a dense generator and its lift, and the coordinates T with h = T S; a real generator stands
        twice where the input map is complex.

    Raises:
        ValueError: The transition is not square, or the input map has not as many rows; the transition is singular;
            ``form="real"`` and there is no real logarithm; or the form is unknown.
        UndecidedError: The entries are balls, too wide to decide.
        TypeError: ``ring`` is not one of real balls, or an entry is no number.

    Paper: Appendix E.

    >>> found = match([[0, -1], [1, 0]], [[1], [0]], Balls(64))
    >>> from ewsmath.ssm.functions import pi
    >>> found.layers[0].generator.matrix[0, 1] == pi(Balls(64)) / 2
    True
    """
    if not isinstance(ring, Balls):
        raise TypeError(f"match works in real balls, got {named(ring)}: give Balls(prec=128)")
    check_form(form)
    field = ComplexBalls(ring.prec)
    exact = _rational(Abar)
    M, Bbar = Matrix.over(field, Abar if exact is None else exact), Matrix.over(field, Bbar)
    check_input_map(M, Bbar, "match")
    eigenvalues = enclosed_eigenvalues(M) if exact is None else culver.roots(exact, field)
    is_real = exact is not None or all(z.value.imag.is_zero() for z in M.entries)
    reason = culver.obstacle(exact) if exact is not None else _ball_obstacle(eigenvalues, is_real, form)
    if reason == SINGULAR or (reason is not None and form == "real"):
        raise ValueError(reason)
    doubled = form == "doubled" or reason is not None
    if not doubled:
        A = _real_generator(M, eigenvalues, exact, ring)
        if all(z.value.imag.is_zero() for z in Bbar.entries):
            return Converted([Layer(Dense(A), lift(A, Bbar.map(ring, real_part)))], None)
        A = Matrix.over(field, A)  # two copies, one for the real and one for the imaginary part of the state
    else:
        A = -turned_logarithm(M, eigenvalues, free_turn(eigenvalues))
    layer = Layer(Dense(realified(A, ring)), stacked(lift(A, Bbar), ring))
    return Converted([layer], joined(ring, M.shape[0]))


def check_form(form: str) -> None:
    """Refuse a form that there is not.

    Args:
        form: What came.

    Raises:
        ValueError: It is none of ``FORMS``.

    >>> check_form("complex")
    Traceback (most recent call last):
        ...
    ValueError: unknown form 'complex': choose 'auto', 'real' or 'doubled'
    """
    if form not in FORMS:
        raise ValueError(f"unknown form {form!r}: choose 'auto', 'real' or 'doubled'")


def _rational(matrix: Any) -> Matrix[Any] | None:
    """The matrix over QQ, when all its entries are exact rationals."""
    entries = matrix if isinstance(matrix, Matrix) else None
    if entries is not None and isinstance(entries.ring, Balls | ComplexBalls):
        return None
    over = Matrix.over(QQ_I, matrix)
    return Matrix.over(QQ, over) if all(z.is_real for z in over.entries) else None


def _ball_obstacle(eigenvalues: Sequence[Ball], is_real: bool, form: str) -> str | None:
    """Why the principal logarithm of a matrix of balls is not taken, or not proven real; None where it is both.

    A simple negative eigenvalue proves that there is no real logarithm. One in a cluster may be one of a pair,
    and then ``form="real"`` is undecided, while the doubled form is there in any case.
    """
    reason = None if is_real else NOT_REAL
    for k, z in enumerate(eigenvalues):
        value = z.value
        if value.real.contains(0) and value.imag.contains(0):
            raise UndecidedError(f"whether the transition is singular: the eigenvalue {z}")
        if is_real and value.imag.contains(0) and value.real < 0:
            reason = NOT_REAL
            if form == "real" and not is_certainly_real(eigenvalues, k):
                raise UndecidedError(f"whether there is a real logarithm: the eigenvalue {z}")
    return reason


def _real_generator(M: Matrix[Any], eigenvalues: Sequence[Ball], exact: Matrix[Any] | None, ring: Balls) -> Matrix[Any]:
    if not any(z.value.real < 0 and z.value.imag.is_zero() for z in eigenvalues):
        return -principal_logarithm(M, eigenvalues).map(ring, real_part)
    # Negative eigenvalues in pairs: log M = g + iπP with real g and P, and J² = -I where P = I: take g + πJP.
    L = turned_logarithm(M, eigenvalues, small_turn(eigenvalues))
    J = Matrix.over(ring, culver.complex_structure(exact))  # type: ignore[arg-type]
    return -(L.map(ring, real_part) + J @ L.map(ring, imag_part))
