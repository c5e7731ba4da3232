"""The signature and the log-signature of paths: the front doors without forgetting."""

from typing import SupportsIndex

import equinox as eqx
from jaxtyping import Array, Float

from ewsnn.arrays import Levels, Numbers, real
from ewsnn.functional import ews
from ewsnn.generators import Zero
from ewsnn.signature.bases import basis_of
from ewsnn.signature.coordinates import coordinates
from ewsnn.signature.group import log


def signature(
    path: Numbers,
    depth: SupportsIndex,
    *,
    lengths: Numbers | None = None,
    output: str = "terminal",
    engine: str = "auto",
) -> Levels:
    r"""The signature of piecewise-linear paths: the EWS with A = 0 and B = 1.

    .. math:: S(X)^{(n)}_{s,t} = \int_{s<t_1<⋯<t_n<t} dX_{t_1} ⊗ ⋯ ⊗ dX_{t_n}

    It does not depend on time stamps, so there are none.

    Args:
        path: The points of the paths, (…, points, channels); leading axes are batch.
        depth: The truncation depth N.
        lengths: Number of valid points of each path, (…,). What comes after them adds nothing and is not read.
        output: "terminal", "mean" or "all", as for :func:`ewsnn.ews`.
        engine: As for :func:`ewsnn.ews`.

    Returns:
        A tuple of N arrays, level n with n axes of the size of the channels behind the batch, and with the axis of
        steps between them for "all". Level 0 is 1 and is not returned.

    Raises:
        ValueError: As :func:`ewsnn.ews`.
        TypeError: As :func:`ewsnn.ews`.

    Paper: Section 2; Appendix B.

    >>> [level.tolist() for level in signature([[1.0, 2.0], [2.0, 0.0], [3.0, 3.0]], 2)]
    [[2.0, 1.0], [[2.0, 3.5], [-1.5, 0.5]]]
    """
    shape = real("path", path).shape
    # A path without channels is refused behind this door.
    generator = Zero(max(1, shape[-1] if shape else 1))
    return ews(path, generator, depth=depth, lengths=lengths, output=output, engine=engine)


def log_signature(
    path: Numbers,
    depth: SupportsIndex,
    *,
    basis: str,
    lengths: Numbers | None = None,
    output: str = "terminal",
    engine: str = "auto",
) -> Float[Array, "*batch size"]:
    r"""The log-signature of piecewise-linear paths, in the basis named.

    .. math:: \log S(X)_{s,t}

    It is what the interval contributes, and is not divided by its length.

    Args:
        path: The points of the paths, (…, points, channels); leading axes are batch.
        depth: The truncation depth N.
        basis: "words", "lyndon words" or "lyndon brackets", see :func:`coordinates`; :func:`labels` names the entries.
        lengths: Number of valid points of each path, (…,).
        output: "terminal", or "all" for that of every prefix. (The mean of signatures is no signature, and has no
            log-signature.)
        engine: As for :func:`ewsnn.ews`.

    Returns:
        One row for each path (and each step, for "all"). ``exp(from_coordinates(…))`` gives the signature back.

    Raises:
        ValueError: If there is no such basis, or as :func:`ewsnn.ews`.
        TypeError: As :func:`ewsnn.ews`.

    Paper: Appendix B.

    >>> letters_in_turn = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0]]
    >>> log_signature(letters_in_turn, 2, basis="lyndon brackets").tolist()
    [1.0, 1.0, 1.0, 0.5, 0.5, 0.5]
    """
    if output not in ("terminal", "all"):
        raise ValueError(f"the output of a log-signature must be one of 'terminal', 'all', got {output!r}.")
    shape = real("path", path).shape
    basis_of(max(1, shape[-1] if shape else 1), depth, basis)
    return _log(signature(path, depth, lengths=lengths, output=output, engine=engine), basis=basis)


@eqx.filter_jit
def _log(levels: Levels, basis: str) -> Float[Array, "*batch size"]:
    return coordinates(log(levels), basis=basis)
