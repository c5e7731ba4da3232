"""Logarithms of signatures and of exponentially weighted signatures, in a named basis of the free Lie algebra."""

from typing import Any, TypeVar

from ewsmath.ews import EWS
from ewsmath.lie import LieElement
from ewsmath.paths import AbstractPath, check_any_path
from ewsmath.rings import RingElement
from ewsmath.rings.door import of_kind
from ewsmath.signature import signature

R = TypeVar("R", bound=RingElement)


def log_signature(path: AbstractPath[R], depth: int, s: Any = None, t: Any = None, *, basis: str) -> LieElement[R]:
    r"""The log-signature of a path between two times.

    .. math:: \log S(X)_{s,t}

    It is what the interval contributes, and is not divided by its length: it is the same however fast the path
    is run through.

    Args:
        path: The path in R^d.
        depth: Truncation depth N.
        s: Start; None for the first time.
        t: End; None for the last time.
        basis: The name of the basis, as in :class:`~ewsmath.lie.element.LieElement`.

    Returns:
        The Lie element; ``.to(basis)`` converts it, ``.exp()`` gives the signature back.

    Raises:
        ValueError: There is no such basis, t < s, or the depth is below 1.
        TypeError: The path is none.

    Paper: Appendix B.

    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath(None, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]])
    >>> x = log_signature(X, 3, basis="lyndon brackets")
    >>> x["[1,[2,3]]"], x["[[1,3],2]"], x.to("lyndon words")[1, 3, 2]
    (1/3, 1/6, -1/6)
    """
    check_any_path(path, "the log-signature")
    return LieElement.log(signature(path, depth, s, t), basis)


def log_ews(ews: EWS, path: AbstractPath[Any], s: Any = None, t: Any = None, *, basis: str) -> LieElement[Any]:
    r"""The logarithm of the EWS of a path between two times.

    .. math:: \log S_𝔸(X;θ)_{s,t}

    It exists since the EWS is group-like: it is the log-signature of the re-weighted path.

    Args:
        ews: The EWS: generator, lift, clock and depth.
        path: The path in R^d.
        s: Start; None for the first time.
        t: End; None for the last time.
        basis: The name of the basis, as in :class:`~ewsmath.lie.element.LieElement`.

    Returns:
        The Lie element over R^m, in the ring of the generator.

    Raises:
        ValueError: There is no such basis, the path has not d channels, or t < s.
        TypeError: ``ews`` or ``path`` is none.

    Paper: Theorem 1(i); Prop. 3.

    >>> from ewsmath.generators import Diagonal
    >>> from ewsmath.paths import PiecewiseLinearPath
    >>> X = PiecewiseLinearPath([0, 1], [[0, 0], [1, 1]])
    >>> log_ews(EWS(Diagonal([0, 1])), X, basis="lyndon brackets")
    e1 + (-e^(-1) + 1)*e2 + (3/2*e^(-1) - 1/2)*[1,2]
    """
    of_kind(ews, EWS, "log_ews takes an EWS", "build one, EWS(generator, lift, clock, depth)")
    return LieElement.log(ews(path, s, t), basis)
