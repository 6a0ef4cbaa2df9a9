"""How a proof scales with machines: a discrete-event simulation in which every search is real.

    python benchmarks/prove_simulation.py 8x6 --machines 1,4,16,64 --threads 1,16 --latency 1,20

The master is the real one (tree, choice of leaves, budgets, thresholds); ``prove_machines.py`` says what is simulated.
A row: machines, threads of each, latency; the nodes of all jobs divided by those of one direct search; the time of that
search divided by that of the run (speed-up); the part of the threads' time in which they did something; jobs; entries
that were sent; the threshold at the end; megabytes sent. ``--master`` measures the real master's own pace instead.
"""

import argparse
import gc
import itertools
import json
import os
import random
import resource
import sys
import tempfile
import time
from contextlib import ExitStack
from typing import Any

from prove_machines import Setting, Simulation

from gamecore import duel, hexapawn
from gamecore.game import Answer, Child
from gamecore.prove import _master, _tree
from gamecore.prove._collector import LongLived
from gamecore.prove._store import Store, Work


def direct(rules: Any, key: str, question: str, table_bytes: int) -> int:
    """Nodes of one search without a tree."""
    engine = rules.engine(key, table_bytes, False)
    low, high = rules.bounds(key)
    nodes = 0
    while (test := rules.next_test(key, low, high, question)) is not None:
        answer = engine.test(key, test, -1.0, 0)
        nodes, low, high = nodes + answer.nodes, max(low, answer.low), min(high, answer.high)
    return nodes


def measure_master(results: int, together: int = 50) -> dict[str, Any]:
    """How many results a second of processor time the master takes, and its memory: results are made up.

    Leaves at fewer than sixteen plies are split into eight moves, one in three of them; the others are answered, half
    of them with yes: about the shape of real trees.
    """
    rng = random.Random(1)
    rules = _tree.prover_of("hexapawn")
    key = rules.canonical(hexapawn.Position.start(8, 8))
    found: dict[str, Any] = {"results": results}
    for with_store in (False, True):
        gc.collect()
        tree, made, before = (
            _tree.Tree(rules, key),
            itertools.count(),
            resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
        )
        tree.ask(1)
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            about = {"game": "hexapawn", "position": key, "root": key, "question": "wins"}
            store = Store.open_for(os.path.join(folder, "store"), about)
            store.hold()
            store.begin_session("simulated", 1)
            worked: list[_tree.Node] = []
            long_lived = stack.enter_context(LongLived())
            begun = time.process_time()
            for number in range(results):
                path = tree.take()
                assert path is not None
                node = path[-1]
                tree.put_back(path)
                if len(path) < 7 or (len(path) < 16 and rng.random() < 0.35):
                    answer = Answer(False, -8189, 8190, 50_000)
                    children = [Child(f"m{i}", f"{next(made):040d}", -8189, 8190, -i) for i in range(8)]
                    tree.expand(node, children)
                else:
                    holds = rng.random() < 0.5
                    answer = Answer(True, 5000 if holds else -8189, 8190 if holds else -5001, 50_000)
                    tree.tighten(node.place, answer.low, answer.high)
                node.work += answer.nodes
                if tree.root is not None and tree.root.settled:
                    break
                worked.append(node)
                if number % together == together - 1:  # what comes while the disk is busy goes together
                    if with_store:
                        store.write(tree, Work(together, 0, 50_000 * together, 1.0), worked, number % 10_000 < together)
                    long_lived.set_aside()
                    worked.clear()
            seconds = time.process_time() - begun
            store.close()
        tests = tree.open + tree.held + tree.failed
        memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        name = "with its store" if with_store else "alone"
        found[name] = {"results_per_second": round((number + 1) / seconds), "tests": tests, "grown_bytes": memory}
    return found


def main() -> None:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description="Simulated machines that really search.")
    parser.add_argument("board", nargs="?", default="6x7", help="a start of Hexapawn, ROWSxCOLUMNS, or a notation")
    parser.add_argument("--question", default="wins")
    parser.add_argument("--machines", default="1,4,16,64")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--latency", default="1", help="milliseconds, there and back")
    parser.add_argument("--rate", type=float, default=2.5e6, help="nodes a second of a thread")
    parser.add_argument("--wire", type=float, default=1.25e9, help="bytes a second of the master's wire, and of each")
    parser.add_argument("--table-mb", type=float, default=32)
    parser.add_argument("--road", default="relay", choices=("none", "master", "relay"), help="of entries")
    parser.add_argument("--unpacked", action="store_true", help="entries of 24 bytes")
    parser.add_argument("--affinity", action="store_true", help="jobs go to who searched near them")
    parser.add_argument(
        "--ahead", type=float, default=0.25, help="jobs under way beyond the threads, as a part of them"
    )
    parser.add_argument("--taking", type=float, default=0.15, help="part of the time for taking entries in, at most")
    parser.add_argument("--fewest", type=int, default=10, help="least threshold of entries")
    parser.add_argument("--part", type=int, default=0, help="nodes between exchanges of entries in the midst of a job")
    parser.add_argument(
        "--lessons", type=float, default=0, help="milliseconds between those in which machines tell what they learnt"
    )
    parser.add_argument(
        "--take-in", type=float, default=60, help="nanoseconds of a machine for an entry of another one"
    )
    parser.add_argument("--direct", type=int, help="nodes of the direct search, where they are known")
    parser.add_argument("--master-seconds", type=float, default=1e-4, help="of the master for a result")
    parser.add_argument("--least", type=int, help="nodes of the smallest job")
    parser.add_argument("--share", type=float, help="of the work so far: the budgets of all jobs")
    parser.add_argument("--virtual-loss", type=int, help="of each job under way")
    parser.add_argument("--json", help="add the rows to this file, a JSON object a line")
    parser.add_argument("--master", type=int, metavar="RESULTS", help="measure the master instead")
    args = parser.parse_args()
    if args.master:
        print(json.dumps(measure_master(args.master), indent=1))
        return
    if args.least:
        _master._LEAST = _master._LEAST_AWAY = args.least
    if args.share:
        _master._SHARE = _master._SHARE_AWAY = args.share
    if args.virtual_loss:
        _tree._UNDER_WAY = args.virtual_loss
    game = hexapawn if ":" not in args.board or "/" in args.board else duel
    rules = _tree.prover_of(game.GAME.name)
    if ":" in args.board:
        key = rules.canonical(game.Position.from_text(args.board))
    else:
        key = rules.canonical(hexapawn.Position.start(*map(int, args.board.split("x"))))
    nodes = args.direct or direct(rules, key, args.question, 1 << 28)
    print(f"{args.board} {args.question}: {nodes:,} nodes of a direct search, {nodes / args.rate:.2f} s", flush=True)
    for latency, threads, machines in itertools.product(
        *(map(float, text.split(",")) for text in (args.latency, args.threads, args.machines))
    ):
        setting = Setting(
            int(machines), int(threads), latency / 1e3, args.rate, args.wire, int(args.table_mb * (1 << 20)), args.road,
            not args.unpacked, args.affinity, args.ahead, args.take_in / 1e9, args.master_seconds, args.taking,
            args.fewest, args.part, args.lessons / 1e3,
        )  # fmt: skip
        begun = time.process_time()
        row = Simulation(rules, key, setting).run(args.question)
        row |= {"board": args.board, "question": args.question, "direct": nodes}
        row["speed_up"] = nodes / args.rate / row["seconds"]
        show(row, time.process_time() - begun)
        if args.json:
            with open(args.json, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


def show(row: dict[str, Any], seconds: float) -> None:
    """A row as a line, and the processor time that it took."""
    name = f"{row['machines']:3} x {row['threads']:2} {row['latency'] * 1e3:3.0f} ms"
    work = f"nodes {row['nodes'] / row['direct']:5.2f}  speed-up {row['speed_up']:6.2f}  busy {row['busy']:4.2f}"
    entries = f"records {row['records']:9,} of {row['record_bytes']:4.1f} B  least {row['least']:4}"
    print(
        f"{name}  {work}  jobs {row['jobs']:6}  {entries}  sent {row['sent_mb']:6.0f} MB  ({seconds:.0f} s)", flush=True
    )


if __name__ == "__main__":
    sys.exit(main())
