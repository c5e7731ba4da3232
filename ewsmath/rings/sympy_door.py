"""The door to SymPy, which is imported when a formula is first read or printed: it takes as long as all the rest."""

import sys
from types import ModuleType


def is_sympy(x: object) -> bool:
    """Whether x is an object of SymPy; without an import, since who has such an object has imported SymPy.

    >>> is_sympy(1)
    False
    """
    sympy = sys.modules.get("sympy.core.basic")
    return sympy is not None and isinstance(x, sympy.Basic)


def sympy_form() -> ModuleType:
    """The module :mod:`ewsmath.rings.sympy_form`, and with it SymPy.

    >>> sympy_form().sympy_latex.__name__
    'sympy_latex'
    """
    from ewsmath.rings import sympy_form  # here and not above, so that what needs no formula does not wait for SymPy

    return sympy_form
