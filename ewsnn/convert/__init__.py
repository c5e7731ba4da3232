"""Trained state-space models as EWS of depth one."""

from collections.abc import Callable, Mapping
from typing import Any

from ewsnn.convert.arguments import Arguments
from ewsnn.convert.attention import LinearAttention, retention, rotary_attention, ssd
from ewsnn.convert.converted import AbstractConverted
from ewsnn.convert.diagonal import lru, s4d, s4dmin, s5
from ewsnn.convert.files import part, read
from ewsnn.convert.linear import LinearConverted
from ewsnn.convert.mamba1 import mamba1, s6
from ewsnn.convert.mamba2 import mamba2
from ewsnn.convert.oscillators import dlinoss, linoss_im, linoss_imex
from ewsnn.convert.read_layer import ReadLayer
from ewsnn.convert.retnet import multi_scale_retention
from ewsnn.convert.s4 import s4
from ewsnn.convert.selective import Selective
from ewsnn.convert.selective_layer import SelectiveLayer

__all__ = [
    "KINDS",
    "AbstractConverted",
    "Arguments",
    "LinearAttention",
    "LinearConverted",
    "ReadLayer",
    "Selective",
    "SelectiveLayer",
    "convert",
    "part",
    "read",
    "retention",
    "rotary_attention",
    "ssd",
]

# Every kind of model and what converts it.
KINDS: dict[str, Callable[[Arguments], AbstractConverted]] = {
    "dlinoss": dlinoss,
    "linoss-im": linoss_im,
    "linoss-imex": linoss_imex,
    "lru": lru,
    "mamba1": mamba1,
    "mamba2": mamba2,
    "retention": multi_scale_retention,
    "s4": s4,
    "s4d": s4d,
    "s4dmin": s4dmin,
    "s5": s5,
    "s6": s6,
}


def convert(kind: str, parameters: Mapping[str, Any], **options: Any) -> AbstractConverted:
    r"""A trained model as an EWS of depth one with the same states and outputs.

    Args:
        kind: One of :data:`KINDS`.
        parameters: The arrays of one layer by the names of the release, such as :func:`read` and :func:`part` give
            them; ``a__b`` counts as ``a.b``. Options may be among them as 0-d arrays.
        **options: Options of the release, such as ``disc`` or ``discretisation``, which win over those among the
            parameters; and ``logarithm``: "doubled" (default), for which every transition that is not singular has a
            logarithm, at times with twice the real letters; or "principal", which refuses those without a real one.

    Returns:
        The EWS.

    Raises:
        ValueError: If the kind is unknown, a parameter is missing, unknown, not finite or has another shape, an
            option has another value than those allowed, or the transition has no logarithm.
        TypeError: If a parameter is no array of numbers.

    Paper: Appendix E; Table 3.

    >>> import numpy as np
    >>> stored = {"nu_log": [np.log(0.5)], "theta_log": [np.log(2.0)], "gamma_log": [0.0], "D": [0.0]}
    >>> matrices = {"B_re": [[1.0]], "B_im": [[0.0]], "C_re": [[1.0]], "C_im": [[0.0]]}
    >>> model = convert("lru", stored | matrices)
    >>> model.generator.matrix().round(12).tolist()
    [[[0.5, 2.0], [-2.0, 0.5]]]
    >>> model.states([[1.0], [0.0]])[:, 0].round(3).tolist() == np.exp([0, -0.5 + 2j]).round(3).tolist()
    True
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}; known are {', '.join(sorted(KINDS))}.")
    return KINDS[kind](Arguments(kind, parameters, options))
