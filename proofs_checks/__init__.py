"""An executable check for every statement of the theory, each shown to be able to fail.

A file that declares ``STATEMENT`` is a statement, named by its claim; ``contents`` lists what the theory says. The
other files serve them: ``statement``, ``agreement``, ``runner`` and ``ledger`` are the court. What several statements
share stands in ``definition``, ``draws``, ``formulas``, ``faults``, ``gauss``, ``euclidean``, ``annihilators`` and
``recurrences``. The folder ``floats`` holds the statements on the engine of ``ewsnn``, which need JAX.
"""
