"""Opponents: the paper's algorithm and the published recurrences, written as well as their authors would.

They are judged too, stand alone (nothing of the engine is imported) and stay as they are.
"""
