"""Results as tables of Markdown."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ewsnn.benchmarks.bars import Bar, exponent, value
from ewsnn.benchmarks.cases import PEERS
from ewsnn.benchmarks.limits import fraction

Row = dict[str, Any]
Report = dict[str, Any]

PAPER_UEA = {
    "EigenWorms": (19.7, 4788),
    "EthanolConcentration": (27.8, 5964),
    "Heartbeat": (14.6, 2764),
    "MotorImagery": (83.6, 34506),
    "SelfRegulationSCP1": (10.2, 2752),
    "SelfRegulationSCP2": (29.5, 9540),
}
"""Table 17 of the paper: seconds for a thousand training steps, and peak MB, on the authors' GPU."""


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """A table.

    >>> print(table(["a", "b"], [["1", "2"]]))
    | a | b |
    | --- | --- |
    | 1 | 2 |
    """
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [head, ["---"] * len(head), *lines])


def headline(report: Report) -> str:
    """One paragraph: where the numbers come from.

    Args:
        report: A report of ``ewsnn bench engine``.
    """
    device, versions = report["device"], report["versions"]
    commit = report["commit"] or "unknown"
    state = {True: ", with changes that are not committed", False: "", None: ", state unknown"}[report["dirty"]]
    named = ", ".join(f"{name} {number}" for name, number in versions.items() if number)
    quick = " **Quick run: small sizes, no measurement.**" if report["quick"] else ""
    limits = report["limits"]
    return (
        f"{device['platform']} ({device['kind']}), {device['processor']}, {device['cores']} cores, load "
        f"{device['load']} at the start; {named}; commit {commit[:12]}{state}. Limits of the machine, in this run: "
        f"{limits['flops'] / 1e9:.0f} GFLOP/s, {limits['bytes'] / 1e9:.1f} GB/s.{quick}"
    )


def group_table(group: str, report: Report) -> str:
    """The table of a group, "not run" where the report has none of its rows.

    Args:
        group: "deep", "uea", "length", "depth-one" or "signature".
        report: A report.
    """
    rows = [row for row in report["rows"] if row["group"] == group]
    if not rows:
        return "Not run."
    return signature_table(rows) if group == "signature" else _cases(group, rows, report["limits"])


def _cases(group: str, rows: list[Row], limits: dict[str, float]) -> str:
    head = [
        "problem",
        "method",
        "step",
        "against the plain one",
        "memory",
        "of steps alone",
        "buffers",
        "compile",
        "error",
        "of the limit",
    ]
    if group == "uea":
        head += ["1000 steps", "paper's GPU: 1000 steps, memory"]
    lines = []
    for row in rows:
        name, method = row["problem"]["name"], row["method"]
        if "failed" in row:
            lines.append([name, method, f"failed: {row['failed']}", *[""] * (len(head) - 3)])
            continue
        opponent = "diagonal_scan" if group == "depth-one" else "plain_scan"
        ratio = value(rows, "seconds", problem=name, method=opponent) / row["seconds"]
        line = [
            name,
            method,
            _time(row["seconds"]),
            "" if math.isnan(ratio) else f"{ratio:.2f} × as fast",
            _memory(row.get("device_peak_bytes") or row["peak_bytes"]),
            _memory(row.get("step_peak_bytes")),
            _memory(row.get("buffer_bytes")),
            _time(row["compile_seconds"]),
            f"{max(row['level_errors']):.1e}",
            f"{100 * fraction(row, limits):.1f} %",
        ]
        if group == "uea":
            seconds, megabytes = PAPER_UEA[name]
            line += [_time(1000 * row["seconds"]), f"{seconds} s, {megabytes} MB"]
        lines.append(line)
    told = table(head, lines)
    grows = exponent([row for row in rows if row["method"] == "auto"])
    return told if group != "length" or math.isnan(grows) else f"{told}\n\nTime grows like L^{grows:.3f}."


def signature_table(rows: list[Row]) -> str:
    """The plain signature: a line for each problem, precision, mode and number of cores, a column for each library."""
    methods = ("auto", *PEERS)
    lines = []
    settings = dict.fromkeys((row["mode"], row["threads"], row["dtype"], row["problem"]["name"]) for row in rows)
    for mode, threads, dtype, name in settings:
        of = {"mode": mode, "threads": threads, "dtype": dtype, "problem": name}
        seconds = {method: value(rows, "seconds", method=method, **of) for method in methods}
        others = [x for method, x in seconds.items() if method != "auto" and not math.isnan(x)]
        ratio = f"{min(others) / seconds['auto']:.2f} ×" if others and not math.isnan(seconds["auto"]) else ""
        lines.append([mode, str(threads), dtype, name, *(_time(seconds[method]) for method in methods), ratio])
    head = ["", "cores", "precision", "batch, length, channels, depth", "ewsnn", *PEERS, "against the fastest other"]
    reasons = dict.fromkeys(f"{row['method']}: {row['failed']}" for row in rows if "failed" in row)
    return table(head, lines) + "".join(f"\n\nFailed: {reason}." for reason in reasons)


def accuracy_table(kind: str, rows: Iterable[Row]) -> str:
    """The table of one kind of checks: "local", "sequence" or "table8"."""
    mine = [row for row in rows if row.get("kind") == kind]
    if not mine:
        return "Not run."
    columns = {
        "local": ["family", "engine", "dtype", "size"],
        "sequence": ["family", "engine", "dtype", "output", "steps"],
        "table8": ["dataset", "data", "parameters", "judged_steps"],
    }[kind]
    more = {"local": "condition", "table8": "paper"}.get(kind)
    lines = []
    for row in mine:
        line = [str(row[column]) for column in columns]
        line += [", ".join(f"{error:.1e}" for error in row["errors"]), f"{row['bar']:.1e}"]
        if more == "condition":
            line.append(f"{row['condition']:.1f}")
        elif more:
            line.append(", ".join(f"{error:.1e}" for error in row["paper"]))
        lines.append(line)
    names = {"size": "‖rA‖", "judged_steps": "steps judged"}
    return table(
        [*(names.get(c, c) for c in columns), "error of levels 1, 2, …", "bar", *([more] if more else [])], lines
    )


def bars_table(bars: Iterable[Bar]) -> str:
    """Bars, what was reached, and whether it is enough."""

    def wanted(bar: Bar) -> str:
        least = "" if bar.least is None else f"at least {bar.least:g}"
        return least if bar.most is None else f"at most {bar.most:g}"

    return table(
        ["", "what", "wanted", "reached", ""],
        [
            [bar.group, bar.claim, wanted(bar), "" if math.isnan(bar.reached) else f"{bar.reached:.3g}", bar.verdict]
            for bar in bars
        ],
    )


def line(row: Row) -> str:
    """One case in one line, as a run tells it."""
    if "failed" in row:
        return f"{row['name']}: failed: {row['failed']}"
    if "seconds" not in row:
        return f"{row['name']}: {', '.join(f'{error:.1e}' for error in row['errors'])} (bar {row['bar']:.1e})"
    compiled, held = _time(row["compile_seconds"]), _memory(row["peak_bytes"])
    return f"{row['name']}: {_time(row['seconds'])}, compile {compiled}, {held}"


def _time(seconds: float) -> str:
    if math.isnan(seconds):
        return "–"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{1000 * seconds:.3g} ms"


def _memory(held: int | None) -> str:
    return "unknown" if held is None else f"{held / 2**20:.0f} MiB"
