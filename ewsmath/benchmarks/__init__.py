"""Benchmarks of the exact side: ``python -m ewsmath.benchmarks``.

Each case is computed by this package and, where there is one, by an opponent, in turn and in one run; both must give
the same, exactly. Times are CPU times of the process, which a busy machine lengthens less than those on the wall.
"""
