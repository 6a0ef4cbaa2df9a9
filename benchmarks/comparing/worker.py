"""Runs cases of ``workloads`` in a process of its own, with the gamecore of one side, and prints what it found as JSON.

``python -m comparing.worker '{"tree": ..., "cases": [...], "seconds": 0.1}'``: ab.py calls it. 0 seconds:
every case is called a single time, for counting instructions.
"""

import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import workloads

FEWEST_CALLS, MOST_CALLS = 3, 200


def measure(name: str, seconds: float) -> dict[str, Any]:
    """Return the fastest processor seconds of as many calls of a case as fit, and what it returned."""
    call = workloads.prepared(name)
    exact, cpu, begun = call(), list[float](), time.perf_counter()
    gc.collect()
    gc.disable()
    while seconds and (len(cpu) < FEWEST_CALLS or time.perf_counter() < begun + seconds) and len(cpu) < MOST_CALLS:
        ran = time.process_time()
        again = call()
        cpu.append(time.process_time() - ran)
        if again != exact:
            exact = {"differs": "between calls"}
    gc.enable()
    return {"cpu": min(cpu, default=0.0), "exact": exact}


def main(order: dict[str, Any]) -> None:
    """Pin the process to a core, measure, print."""
    import gamecore

    where = Path(gamecore.__file__).resolve()
    if Path(order["tree"]).resolve() not in where.parents:
        sys.exit(f"gamecore was imported from {where}, not from {order['tree']}")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    print(json.dumps({name: measure(name, order["seconds"]) for name in order["cases"]}))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
