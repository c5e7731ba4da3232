"""Benchmarks of the engine: ``ewsnn bench engine``.

A case is measured in a process of its own (:mod:`ewsnn.benchmarks.worker`), so that neither what was compiled before
nor memory that was freed tells on it. Opponents run in the same run; other libraries in environments of their own.
"""
