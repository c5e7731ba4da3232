"""What the theory says, item by item: the ledger must cover each, or a reason must stand here."""

from importlib.util import find_spec

HAS_JAX = find_spec("jax") is not None
"""Whether the statements on floats can run."""

ITEMS = (
    # Definitions and the algebra of the flow
    "Definition 1: clocks are causal, and made of increments",
    "The clock table: which clocks are invariant, and which can stop",
    "Definition 2: the EWS by coordinates and by levels",
    "Lemma 1: the flow operators are a one-parameter group of automorphisms",
    "Appendix C.2: Λ is a derivation, and the flow's derivative",
    "Recursive form of the EWS",
    "Proposition 1 and Lemma 4: the EWS solves a linear CDE",
    "Appendix C.3: the matrices L and ρ, and the worked example",
    "Appendix C.3: the Lie algebra is solvable",
    "Example 2: the flow mixes the coordinates of a level",
    # Theorem 1
    "Proposition 3: the EWS is the signature of the re-weighted path",
    "Remark to Proposition 3: it is not the signature of the state",
    "Lemma 7: modified Chen, and the associativity of ⋆",
    "Classical Chen fails for t ↦ S_{s,t}",
    "Lemma 9: the shuffle identity of the EWS",
    "Lemma 11 and Theorem 1(iii): linear functionals separate points and form an algebra",
    "Theorem 1(iii): approximation, as an experiment",
    # Analysis
    "Factorial decay of the EWS",
    "Corollary 1: the uniform bound",
    "Growth of a free linear CDE against the uniform bound",
    "Corollary 2: continuity, with a rate",
    "The re-weighted path is of finite variation where the path is",
    # Reparametrisation and uniqueness
    "Proposition 4: reparametrisation, and its worked number",
    "Proposition 5: which increment clocks are invariant",
    "Time clock: the total flow depends on the length alone",
    "Lemma 10: the re-weighted path inherits a monotone channel",
    "Corollary 4: uniqueness, and each of its hypotheses",
    # Kernels
    "Proposition 2: Jordan blocks give gamma kernels at depth one",
    "Proposition 2: no diagonalisable generator of any size gives them",
    "Proposition 2: λ = 0 is depth ℓ + 1 of the signature, and no less; λ > 0 none; the EFM none",
    "Proposition 6: how many real exponentials a damped cosine needs",
    "Section 2.2: closure, parameter count and scale",
    "Table 1: the kernels of every family",
    "Appendix D: EFM and Volterra signature",
    "Appendix D: the EFM on the whole past (−∞, t]",
    "EFM kernels tend to gamma kernels as the rate of the time letter tends to zero",
    "Real diagonal generators have positive transition eigenvalues",
    "HiPPO-LagT is a Jordan block",
    # Section 6 of the specification: one linear piece
    "Local EWS: divided differences of exp in closed form",
    "Local EWS: scaling and squaring in the group, and collocation",
    "Middle letter: prefix weighted to the end, suffix plain",
    "Scan prefixes, and the inverse as the reversed piece",
    "Restart at depth one",
    "A polynomial of degree p in a coordinate is linear in the EWS at depth p",
    "Half-shuffles are time integrals for signatures, not along t for the EWS",
    "Synthetic targets: damped filters at depth one, their energy and their areas at depth two",
    # Appendix B: the plain signature
    "Appendix B: Chen's identity of the signature",
    "Theorem 3: the shuffle identity of the signature",
    "Appendix B: factorial decay of the signature",
    "Appendix B: the solution of a linear CDE is a series in the signature",
    # Appendix E: state-space models
    "Appendix E: the depth-one recurrence",
    "Table 3: S4D", "Table 3: S5", "Table 3: S4", "Table 3: LRU",
    "Table 3: LinOSS-IM and LinOSS-IMEX", "Table 3: D-LinOSS",
    "Table 3: Mamba and Mamba-2", "Table 3: retention and rotary keys",
    "Culver's condition: when a real logarithm exists",
    "The doubled block for two negative eigenvalues",
    "Jordan sections at the edges of LinOSS",
    # Structured linear CDEs
    "SLiCE: which structures are closed under composition",
    "SLiCE: parity under the exact and under the first-order flow",
    "SLiCE: the order of the Log-ODE, and what the first-order flow loses",
    "SLiCE: A5 by blocks, not by a solvable algebra",
    "SLiCE: maximal expressivity, as a statement of density",
    "SLiCE: Walsh–Hadamard matrices have spectral radius at most one, their Euler flow has not",
    # What the engine computes, in floats
    "The engine: all engines, outputs and streams give the same states",
    "The engine: a level may be split at each of its letters",
    "The engine: chunks join at every place by the modified Chen identity",
    "The engine: its error bound holds, and is no exaggeration",
)  # fmt: skip
"""The items of the theory, in the order of the paper; a statement says in ``covers`` which it stands for."""

UNCHECKED: dict[str, str] = {
    "Appendix D: the EFM on the whole past (−∞, t]": "paths here begin somewhere; on [s, t] the EFM is checked "
    "(`fading_memory`)",
    "SLiCE: maximal expressivity, as a statement of density": "a statement on limits of families of models; its "
    "ingredients are checked (`slice_closure`, `word_problem_a5`, `log_ode_order`, `solution_series`)",
}
"""Items that no statement covers, each with the reason."""

if not HAS_JAX:
    UNCHECKED |= {item: "needs JAX" for item in ITEMS if item.startswith("The engine")}
