"""What a file of this package declares: a statement, and mutants that its checks must refute."""

import dataclasses
from collections.abc import Callable
from typing import Any, Literal

from proofs_checks.contents import ITEMS

LABELS = (
    *("Definition 1", "Definition 2"),
    *("Proposition 1", "Proposition 2", "Proposition 3", "Proposition 4", "Proposition 5", "Proposition 6"),
    *("Theorem 1", "Theorem 3"),
    *("Lemma 1", "Lemma 4", "Lemma 7", "Lemma 9", "Lemma 10", "Lemma 11"),
    *("Corollary 1", "Corollary 2", "Corollary 4"),
    "Example 2",
)
"""The labels of the paper that are known for certain: our text of it has lost most headings."""

Method = Literal["symbolic", "exact on draws", "rigorous bound", "experiment"]


@dataclasses.dataclass(frozen=True)
class Mutant:
    """A false twin of a statement: exactly one ingredient is replaced.

    The runner puts ``replacement`` in the place of ``target`` and runs the statement's own checks, with the
    draws of the true run. The mutant is refuted only by a comparison that fails (``agree``); an exception of
    any other kind is a fault of the mutant.

    Args:
        name: What is wrong, in a few words.
        target: The ingredient, as ``package.module:attribute``; the attribute is replaced in that module's
            namespace, or on a class of it (``package.module:Class.method``).
        replacement: What stands there instead. If it calls the true ingredient, then by another name than the target's,
            which is its own by then.
        keeps_depth_one: Whether everything at depth one stays true. The runner makes sure of it: it runs the
            checks at depth one, where such a mutant must survive.
    """

    name: str
    target: str
    replacement: Callable[..., Any]
    keeps_depth_one: bool


@dataclasses.dataclass(frozen=True)
class Statement:
    """A claim of the paper, and how it is checked here.

    Args:
        title: The claim in a few words.
        claim: The claim as a formula, in LaTeX.
        section: Where the paper has it.
        method: What kind of evidence the checks give.
        leaves_out: What they do not show.
        mutants: At least two, one of which leaves depth one unchanged.
        label: The paper's label, one of ``LABELS``, or None where it is not known for certain.
        covers: Which of the ``ITEMS`` of the contents it stands for.
        code: Public names, dotted in full, of the code that the checks judge.
        no_depth: Why the statement knows no levels above the first, so that no mutant can leave depth one unchanged;
            empty for all others.

    Raises:
        ValueError: For a label that is not in ``LABELS``, an item that is not in ``ITEMS``, fewer than two mutants, or
            none that keeps depth one.
    """

    title: str
    claim: str
    section: str
    method: Method
    leaves_out: str
    mutants: tuple[Mutant, ...]
    label: str | None = None
    covers: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    no_depth: str = ""

    def __post_init__(self) -> None:
        if self.label is not None and self.label not in LABELS:
            raise ValueError(f"{self.label!r} is no label known for certain; known are {', '.join(LABELS)}")
        if strange := sorted(set(self.covers) - set(ITEMS)):
            raise ValueError(f"{strange[0]!r} is no item of proofs_checks.contents.ITEMS")
        if len(self.mutants) < 2:
            raise ValueError(f"{self.title!r} has {len(self.mutants)} mutants; it needs at least two")
        if not self.no_depth and not any(mutant.keeps_depth_one for mutant in self.mutants):
            raise ValueError(
                f"no mutant of {self.title!r} leaves depth one unchanged; it needs at least one, or a reason, no_depth"
            )
