"""Any linear recurrence as a model, given by its matrices."""

from __future__ import annotations

from typing import Any

from ewsmath.matrix import Matrix
from ewsmath.rings import QQ, Ring
from ewsmath.ssm import culver
from ewsmath.ssm.culver import SINGULAR
from ewsmath.ssm.determinant import determinant
from ewsmath.ssm.fractions import FRACTIONS
from ewsmath.ssm.match import check_form, match
from ewsmath.ssm.model import AbstractLinear, skip_matrix
from ewsmath.ssm.numbers import array
from ewsmath.ssm.parts import Converted, Reading
from ewsmath.ssm.working_ring import complexified, working_balls


class LinearSSM(AbstractLinear):
    r"""Any linear recurrence, given by its matrices.

    .. math:: h_j = \bar A h_{j-1} + \bar B x_j, \qquad y_j = \operatorname{Re}(C h_j) + D x_j

    Args:
        Abar: The n x n transition, rows over QQ, QQ_I, EE or Frac(EE).
        Bbar: The n x d input map.
        C: The p x n read-out; None for the identity.
        D: The skip: None, p numbers of a diagonal, or p rows of d numbers.
        form: ``"auto"``, ``"real"`` or ``"doubled"``, as in :func:`match`.

    Raises:
        ValueError: Shapes differ, or the form is unknown.
        TypeError: A number is not exact.

    Paper: Appendix E.

    >>> LinearSSM([[-1, 1], [0, -1]], [[1], [0]], form="real").obstacle()
    'no real logarithm; use the doubled form'
    """

    Abar: Any
    Bbar: Any
    C: Any
    D: Any
    form: str

    def __init__(self, Abar: Any, Bbar: Any, C: Any = None, D: Any = None, *, form: str = "auto") -> None:
        check_form(form)
        Abar = array(_rows(Abar), [None, None], "LinearSSM: Abar")
        n = len(Abar)
        Abar, Bbar = array(Abar, [n, n], "LinearSSM: Abar"), array(_rows(Bbar), [n, None], "LinearSSM: Bbar")
        identity = [[int(i == j) for j in range(n)] for i in range(n)]
        C = array(identity if C is None else _rows(C), [None, n], "LinearSSM: C")
        inputs = len(Bbar[0])
        self._set(Abar=Abar, Bbar=Bbar, C=C, inputs=inputs, form=form)
        self._set(D=skip_matrix(D, len(C), inputs, "LinearSSM"))

    def obstacle(self) -> str | None:
        """Regularity, decided; and for ``form="real"`` Culver's condition, where the transition is rational.

        Whether a transition that is not rational has a real logarithm is left to the balls.

        Returns:
            The reason; None where there is a conversion.

        >>> LinearSSM([[-1]], [[1]]).obstacle(), LinearSSM([[-1]], [[1]], form="real").obstacle()
        (None, 'no real logarithm; use the doubled form')
        """
        exact = self._exact()
        if exact is None:
            return None if determinant(Matrix(FRACTIONS, self.Abar)) else SINGULAR
        reason = culver.obstacle(exact)
        return reason if reason == SINGULAR or self.form == "real" else None

    def transition(self, ring: Ring[Any]) -> list[Matrix[Any]]:
        """The matrix Abar, as one block.

        Args:
            ring: The ring to work in.

        Returns:
            A list of one n x n matrix over the complex ring.

        >>> LinearSSM([[0, -1], [1, 0]], [[1], [0]]).transition(FRACTIONS)
        [Matrix(Frac(EE), [[0, -1], [1, 0]])]
        """
        return [Matrix(complexified(ring), self.Abar)]

    def input_map(self, ring: Ring[Any]) -> Matrix[Any]:
        """The matrix Bbar.

        Args:
            ring: The ring to work in.

        Returns:
            An n x d matrix over the complex ring.

        >>> LinearSSM([[0, -1], [1, 0]], [[1], [0]]).input_map(FRACTIONS)
        Matrix(Frac(EE), [[1], [0]])
        """
        return Matrix(complexified(ring), self.Bbar)

    def readout(self, ring: Ring[Any]) -> Reading:
        """The matrices C and D.

        Args:
            ring: The ring to work in.

        Returns:
            The p x n matrix over the complex ring, and p rows of d numbers.

        >>> LinearSSM([[0, -1], [1, 0]], [[1], [0]]).readout(FRACTIONS).matrix  # the identity where none is given
        Matrix(Frac(EE), [[1, 0], [0, 1]])
        """
        return Reading(Matrix(complexified(ring), self.C), self.D)

    def convert(self, ring: Ring[Any]) -> Converted:
        """What :func:`match` finds.

        Args:
            ring: Balls: a logarithm is taken.

        Returns:
            One layer; coordinates where it is doubled.

        >>> from ewsmath.rings import Balls
        >>> found = LinearSSM([[1, 1], [0, 1]], [[0], [1]]).convert(Balls(64))
        >>> found.layers[0].generator.matrix == Matrix(Balls(64), [[0, -1], [0, 0]]), found.coordinates
        (True, None)
        """
        balls = working_balls(ring)
        exact = self._exact()
        return match(self.transition(ring)[0] if exact is None else exact, self.input_map(ring), balls, self.form)

    def _exact(self) -> Matrix[Any] | None:
        try:
            return Matrix(QQ, self.Abar)
        except (TypeError, ValueError):
            return None


def _rows(matrix: Any) -> Any:
    return matrix.rows if isinstance(matrix, Matrix) else matrix
