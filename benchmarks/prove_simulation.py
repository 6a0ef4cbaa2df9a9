"""How a proof scales with machines: a discrete-event simulation in which every search is real.

    python benchmarks/prove_simulation.py 6x7 --machines 1,4,16,64 --threads 1,16 --latency 1,20

The master is the real one (tree, choice of leaves, budgets, log of entries, thresholds). Each simulated machine has one
real table. A job is searched when its machine would begin it, and takes its nodes divided by the rate of a thread; what
it finds comes back later by the latency and by what its bytes need on the master's wire, which carries one thing after
another. What is not simulated: a job's entries are seen by its machine's other threads from its beginning, not from
the time at which they would have been found; threads that share a table do not slow one another down; the master takes
no time (its own pace is measured apart, by --master).

A row: machines, threads of each, latency; the nodes of all jobs divided by those of one direct search; the time of
that search divided by that of the run (speed-up); jobs; entries sent back; the threshold at the end; megabytes sent.
"""

import argparse
import gc
import heapq
import itertools
import json
import os
import random
import resource
import sys
import tempfile
import time
from collections import deque
from typing import Any

from gamecore import hexapawn
from gamecore.prove import _master, _tree
from gamecore.prove._exchange import Log, Threshold, pack, unpack
from gamecore.prove._games import rules_of
from gamecore.prove._rules import Answer, Child
from gamecore.prove._store import Store, Work

RUN = b"simulated run..."


class Machine:
    """One table, some threads, and what waits for them."""

    def __init__(self, rules: Any, key: str, number: int, threads: int, table_bytes: int) -> None:
        self.engine = rules.engine(key, table_bytes, False)
        self.name = number.to_bytes(16, "little")
        self.read = 0
        self.idle = threads
        self.sent = 0  # jobs on their way to it, or waiting there
        self.queue: deque[Any] = deque()

    def search(
        self, node: Any, budget: int, least: int, first: int, parcels: tuple[bytes, ...]
    ) -> tuple[Answer, Any, bytes]:
        """Do a job: what it answers, the moves where it ran out, and entries for others."""
        for parcel in parcels[max(0, self.read - first) :]:
            sender, words = unpack(RUN, parcel)
            if sender != self.name:
                self.engine.put_entries(words)
        self.read = max(self.read, first + len(parcels))
        self.engine.export_from(least)
        answer = self.engine.test(node.place.key, node.test, -1.0, budget)
        children = () if answer.done else self.engine.children(node.place.key, node.test)
        records = self.engine.take_entries()
        return answer, children, pack(RUN, self.name, records) if records else b""


def simulate(
    rules: Any,
    key: str,
    question: str,
    machines: int,
    threads: int,
    latency: float,
    *,
    rate: float,
    wire: float,
    table_bytes: int,
    exchange: bool = True,
) -> dict[str, Any]:
    """One run; times in seconds of the simulated clock."""
    tree = _tree.Tree(rules)
    place = tree.place(key)
    log, threshold = Log(most_bytes=64 << 20), Threshold(machines * threads, machines, wire / 2)
    crew = [Machine(rules, key, number, threads, table_bytes) for number in range(machines)]
    width = machines * threads
    room = width + width // 4
    events: list[Any] = []
    order = itertools.count()
    now = wire_free = 0.0
    nodes = jobs = records = under_way = carried = 0

    def send(size: int, at: float) -> float:
        """When so many bytes have gone through the master's wire and reached the other end."""
        nonlocal wire_free
        wire_free = max(wire_free, at) + size / wire
        return wire_free + latency / 2

    def give_out() -> None:
        nonlocal under_way, carried
        while under_way < room and (path := tree.take()) is not None:
            under_way += 1
            machine = max(crew, key=lambda one: one.idle - one.sent)
            machine.sent += 1
            first, parcels = log.for_job(machines) if exchange and machines > 1 else (0, ())
            unread = parcels[max(0, machine.read - first) :]  # as with jobs that are pinned; see Log for others
            carried += (size := sum(map(len, unread)))
            arrival = send(500 + size, now)
            budget = _master.budget_of(nodes, width, 1 << 60, machines == 1)
            heapq.heappush(events, (arrival, next(order), "arrive", machine, (path, budget, first, parcels)))

    def begin(machine: Machine, path: list[Any], budget: int, first: int, parcels: tuple[bytes, ...]) -> None:
        machine.idle -= 1
        machine.sent -= 1
        least = threshold.least if exchange and machines > 1 else 1 << 60
        found = machine.search(path[-1], budget, least, first, parcels)
        ended = now + (found[0].nodes + 200) / rate
        heapq.heappush(events, (ended, next(order), "end", machine, (path, *found)))

    def put(machine: Machine, path: list[Any], answer: Answer, children: Any, parcel: bytes) -> None:
        nonlocal under_way, jobs, nodes, records
        under_way -= 1
        jobs += 1
        nodes += answer.nodes
        tree.put_back(path)
        tree.tighten(path[-1].place, answer.low, answer.high)
        if not answer.done:
            tree.expand(path[-1], children)
        log.note(machine.name, machine.read)
        if parcel:
            records += len(parcel) // 24
            log.add(parcel)
            threshold.note(len(parcel), machines - 1, now + 1e-9)

    while (test := rules.next_test(place.key, place.low, place.high, question)) is not None:
        tree.ask(key, test)
        while not tree.root.settled:
            give_out()
            now, _, what, machine, data = heapq.heappop(events)
            if what == "arrive":
                machine.queue.append(data)
            elif what == "end":
                machine.idle += 1
                arrival = send(500 + 60 * len(data[2]) + len(data[3]), now)
                heapq.heappush(events, (arrival, next(order), "result", machine, data))
            else:
                put(machine, *data)
            while machine.idle and machine.queue:
                begin(machine, *machine.queue.popleft())
    return {
        "machines": machines, "threads": threads, "latency_ms": latency * 1e3, "seconds": now, "nodes": nodes,
        "jobs": jobs, "records": records, "least": threshold.least, "sent_mb": carried / 1e6,
        "places": len(tree.places), "value": rules.value_of(key, place.low, place.high),
    }  # fmt: skip


def direct(rules: Any, key: str, question: str, table_bytes: int) -> int:
    """Nodes of one search without a tree."""
    engine = rules.engine(key, table_bytes, False)
    low, high = rules.bounds(key)
    nodes = 0
    while (test := rules.next_test(key, low, high, question)) is not None:
        answer = engine.test(key, test, -1.0, 0)
        nodes, low, high = nodes + answer.nodes, max(low, answer.low), min(high, answer.high)
    return nodes


def measure_master(results: int) -> dict[str, Any]:
    """How many results a second of processor time the master takes, and its memory: results are made up.

    Leaves at fewer than sixteen plies are split into eight moves, one in three of them; the others are answered, half
    of them with yes: about the shape of real trees.
    """
    rng = random.Random(1)
    rules = rules_of("hexapawn")
    key = rules.canonical(hexapawn.Position.start(8, 8))
    found: dict[str, Any] = {"results": results}
    for with_store in (False, True):
        gc.collect()
        tree, made, before = _tree.Tree(rules), itertools.count(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        tree.ask(key, 1)
        with tempfile.TemporaryDirectory() as folder:
            about = {"game": "hexapawn", "position": key, "root": key, "question": "wins"}
            store = Store.open_for(os.path.join(folder, "store"), about)
            store.begin_session("simulated", 1)
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
                if with_store and number % 50 == 49:  # what comes while the disk is busy goes together
                    store.write(tree, Work(50, 0, 50 * 50_000, 1.0), [node], number % 1000 == 999)
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
    parser.add_argument("--wire", type=float, default=125e6, help="bytes a second of the master's wire")
    parser.add_argument("--table-mb", type=float, default=64)
    parser.add_argument("--no-exchange", action="store_true")
    parser.add_argument("--least", type=int, help="nodes of the smallest job")
    parser.add_argument("--json", help="add the rows to this file, a JSON object a line")
    parser.add_argument("--master", type=int, metavar="RESULTS", help="measure the master instead")
    args = parser.parse_args()
    if args.master:
        print(json.dumps(measure_master(args.master), indent=1))
        return
    if args.least:
        _master._LEAST = _master._LEAST_AWAY = args.least
    rules = rules_of("hexapawn" if ":" not in args.board or "/" in args.board else "duel")
    if ":" in args.board:
        key = rules.canonical(rules.read(args.board))
    else:
        key = rules.canonical(hexapawn.Position.start(*map(int, args.board.split("x"))))
    nodes = direct(rules, key, args.question, 1 << 30)
    print(f"{args.board} {args.question}: {nodes:,} nodes of a direct search, {nodes / args.rate:.2f} s", flush=True)
    for latency, threads, machines in itertools.product(
        *(map(float, text.split(",")) for text in (args.latency, args.threads, args.machines))
    ):
        begun = time.process_time()
        row = simulate(
            rules, key, args.question, int(machines), int(threads), latency / 1e3, rate=args.rate, wire=args.wire,
            table_bytes=int(args.table_mb * (1 << 20)), exchange=not args.no_exchange,
        )  # fmt: skip
        row |= {"board": args.board, "question": args.question, "direct": nodes, "rate": args.rate, "wire": args.wire}
        row["speed_up"] = nodes / args.rate / row["seconds"]
        print(
            f"{row['machines']:3} x {row['threads']:2} {latency:3.0f} ms  nodes {row['nodes'] / nodes:5.2f}  speed-up "
            f"{row['speed_up']:6.2f}  jobs {row['jobs']:6}  records {row['records']:9,}  least {row['least']:4}  sent "
            f"{row['sent_mb']:7.0f} MB  ({time.process_time() - begun:.0f} s)",
            flush=True,
        )
        if args.json:
            with open(args.json, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    sys.exit(main())
