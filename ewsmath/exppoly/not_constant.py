"""The error for a function that was to be a number."""


class NotConstant(ValueError):
    """A function was to be a number, and varies.

    >>> from ewsmath.exppoly import ExpPolys
    >>> from ewsmath.rings import QQ
    >>> ExpPolys(QQ).variable.constant()
    Traceback (most recent call last):
    ewsmath.exppoly.not_constant.NotConstant: u is no constant
    """
