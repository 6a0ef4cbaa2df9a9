"""Runs cases of ``workloads`` in a process of its own, with the gamecore of one side, and prints what it found as JSON.

``python -m comparing.worker '{"tree": ..., "game": ..., "cases": [0, 2], "seconds": 0.1, "core": 1, "once": false}'``:
ab.py calls it. ``once``: every case is called a single time, for counting instructions.
"""

import gc
import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

import workloads

MOST_CALLS = 200


def measure(case: workloads.Case, seconds: float) -> dict[str, Any]:
    """Fastest wall and processor seconds of as many calls as fit, three at least, and what the case returned."""
    call = case.make()
    exact = call()
    wall, cpu, begun = [], [], time.perf_counter()
    gc.collect()
    gc.disable()
    while len(wall) < 3 or (time.perf_counter() - begun < seconds and len(wall) < MOST_CALLS):
        start, ran = time.perf_counter(), time.process_time()
        again = call()
        cpu.append(time.process_time() - ran)
        wall.append(time.perf_counter() - start)
        if again != exact:
            exact = {"differs": "between calls"}
    gc.enable()
    return {"wall": min(wall), "cpu": min(cpu), "calls": len(wall), "exact": exact}


def main(order: dict[str, Any]) -> None:
    """Pin the process to a core, measure, print."""
    import gamecore

    where = Path(gamecore.__file__).resolve()
    if Path(order["tree"]).resolve() not in where.parents:
        sys.exit(f"gamecore was imported from {where}, not from {order['tree']}")
    if hasattr(os, "sched_setaffinity") and order["core"] is not None:
        os.sched_setaffinity(0, {order["core"]})
    found = {}
    for number in order["cases"]:
        case = workloads.CASES[order["game"]][number]
        found[case.name] = {"exact": case.make()()} if order["once"] else measure(case, order["seconds"])
    switched = resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
    print(json.dumps({"cases": found, "version": gamecore.__version__, "preempted": switched}))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
