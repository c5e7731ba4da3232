"""Results as pictures. They need matplotlib, the extra ``plot``."""

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ewsnn.benchmarks.cases import PEERS

Row = dict[str, Any]
Report = dict[str, Any]


def time_and_memory(group: str, report: Report) -> Figure | None:
    """Bars of a group: the time of a step and the memory, for each problem and method.

    Args:
        group: "deep", "uea" or "depth-one".
        report: A report of ``ewsnn bench engine``.

    Returns:
        The figure; None where the report has no row of the group.
    """
    rows = _rows(group, report)
    if not rows:
        return None
    figure = Figure(figsize=(9, 1 + 0.28 * len(rows)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    labels = [f"{row['problem']['name']}, {row['method']}" for row in rows]
    colours = [f"C{list(dict.fromkeys(r['method'] for r in rows)).index(row['method'])}" for row in rows]
    _bars(left, labels, [1000 * row["seconds"] for row in rows], colours, "step (ms)")
    memory = [(row.get("device_peak_bytes") or row["peak_bytes"] or 0) / 2**20 for row in rows]
    _bars(right, labels, memory, colours, "memory above the idle process (MiB)")
    left.invert_yaxis()
    return figure


def length_scaling(report: Report) -> Figure | None:
    """Time of a step over the number of steps, both logarithmic; None where it was not run."""
    rows = _rows("length", report)
    if not rows:
        return None
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for method in dict.fromkeys(row["method"] for row in rows):
        points = [(row["problem"]["steps"], row["seconds"]) for row in rows if row["method"] == method]
        axes.loglog(*zip(*points, strict=True), marker="o", label=method)
    axes.set_xlabel("steps of the path")
    axes.set_ylabel("step of training (s)")
    axes.legend()
    return figure


def signature_times(report: Report, *, mode: str, dtype: str, threads: int) -> Figure | None:
    """The plain signature: time by each library, relative to ours; None where it was not run."""
    rows = [
        row
        for row in _rows("signature", report)
        if row["mode"] == mode and row["dtype"] == dtype and row["threads"] == threads
    ]
    ours = {row["problem"]["name"]: row["seconds"] for row in rows if row["method"] == "auto"}
    if not ours:
        return None
    figure = Figure(figsize=(9, 4), layout="constrained")
    axes = figure.subplots()
    names = list(ours)
    methods = [method for method in PEERS if any(row["method"] == method for row in rows)]
    for place, method in enumerate(methods):
        points = [
            (names.index(row["problem"]["name"]), row["seconds"] / ours[row["problem"]["name"]])
            for row in rows
            if row["method"] == method and row["problem"]["name"] in ours
        ]
        width = 0.8 / len(methods)
        axes.bar([x + (place + 0.5) * width - 0.4 for x, _ in points], [y for _, y in points], width, label=method)
    axes.axhline(1, color="black", linewidth=1)
    axes.set_yscale("log")
    axes.set_xticks(range(len(names)), names)
    axes.set_xlabel("batch-length-channels-depth")
    axes.set_ylabel("time, ewsnn = 1")
    axes.set_title(f"{mode}, {dtype}, {threads} core{'s' if threads > 1 else ''}")
    axes.legend()
    return figure


def _rows(group: str, report: Report) -> list[Row]:
    return [row for row in report["rows"] if row["group"] == group and "failed" not in row]


def _bars(axes: Axes, labels: Sequence[str], values: Sequence[float], colours: Sequence[str], title: str) -> None:
    axes.barh(range(len(labels)), values, color=colours)
    axes.set_yticks(range(len(labels)), labels)
    axes.set_xscale("log")
    axes.set_xlabel(title)
