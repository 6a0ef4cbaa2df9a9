"""Draw what ``prove_simulation.py --json`` has written: speed-up against machines.

    python benchmarks/prove_curves.py docs/results/prove-simulation.jsonl -o docs/results/prove.svg

Needs Matplotlib (``pip install "gamecore[plot]"``). A line for each board, road of the entries, number of threads and
latency (one machine exchanges nothing: its point is in all lines of as many threads); dashed: as many times faster as
there are threads.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROADS = {"none": "nothing exchanged", "master": "over the master", "relay": "from machine to machine"}


def name_of(row: dict[str, Any]) -> str:
    """What a line is called."""
    affinity = ", jobs near earlier ones" if row["affinity"] else ""
    lessons = ", learning together" if row.get("lessons") else ""
    threads = "1 thread" if row["threads"] == 1 else f"{row['threads']} threads"
    asked = "who wins" if row["question"] == "wins" else "value of"
    return f"{asked} {row['board']}: {threads}, {row['latency'] * 1e3:.0f} ms, {ROADS[row['road']]}{affinity}{lessons}"


def main(argv: list[str] | None = None) -> int:
    """Read everything, draw, and only then write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--output", required=True, type=Path, metavar="PICTURE")
    args = parser.parse_args(argv)
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "gamecore"  # the same file for the same figures
    mpl.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    same = ("threads", "board", "question")
    lines: dict[str, dict[int, float]] = {}
    rows = [json.loads(line) for line in args.file.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        if row["machines"] > 1:
            lines.setdefault(name_of(row), {})[row["machines"]] = row["speed_up"]
            alone = [
                one["speed_up"] for one in rows
                if (one["machines"], *(one[key] for key in same)) == (1, *(row[key] for key in same))
            ]  # fmt: skip
            lines[name_of(row)].update(dict(zip((1,), alone, strict=False)))
    figure, axes = pyplot.subplots(figsize=(7, 7), layout="constrained")
    shades = mpl.colormaps["tab20"].colors  # type: ignore[attr-defined]
    axes.set_prop_cycle(color=shades[::2] + shades[1::2])  # the dark ones first
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    for (name, points), mark in zip(sorted(lines.items()), "osD^v<>ph*" * 5, strict=False):
        machines = sorted(points)
        axes.plot(machines, [points[one] for one in machines], marker=mark, label=name)
    most = max(row["machines"] for row in rows)
    for threads in sorted({row["threads"] for row in rows}):
        axes.plot([1, most], [threads, threads * most], color="0.7", linestyle="--", linewidth=0.8)
    axes.set_ylim(0.5, 2 * max(row["speed_up"] for row in rows))
    axes.set_xlabel("machines")
    axes.set_ylabel("times faster than one search")
    axes.xaxis.set_major_formatter("{x:.0f}")
    axes.yaxis.set_major_formatter("{x:g}")
    axes.grid(alpha=0.3)
    figure.legend(fontsize="small", loc="outside lower center")
    figure.savefig(args.output, metadata={"Date": None} if args.output.suffix == ".svg" else None)
    return 0


if __name__ == "__main__":
    sys.exit(main())
