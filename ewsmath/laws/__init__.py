"""Laws that every implementation of signatures and exponentially weighted signatures obeys, as checks of anyone's code.

Each law takes a function and something to try it on, computes both sides in exact numbers, and raises an
``AssertionError`` that shows the word, the two values, the error and the tolerance where they differ. It draws
nothing itself: the draws come from :mod:`ewsmath.strategies`, or from anywhere::

    @given(strategies.path_arrays(dim=2, dtype="float64"))
    def test_chen(path):
        laws.chen(my_signature, path, depth=4)
"""

from ewsmath.laws.algebra import derivation, group_law
from ewsmath.laws.level_one import level_one
from ewsmath.laws.shuffle import shuffle
from ewsmath.laws.signatures import chen, modified_chen, reparametrisation, scaling, time_reversal
from ewsmath.laws.tolerance import Tolerance, assert_close

__all__ = [
    "Tolerance",
    "assert_close",
    "chen",
    "derivation",
    "group_law",
    "level_one",
    "modified_chen",
    "reparametrisation",
    "scaling",
    "shuffle",
    "time_reversal",
]
