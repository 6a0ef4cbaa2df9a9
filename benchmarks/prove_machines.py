"""Simulated machines for :mod:`prove_simulation`: a master and machines on one clock; every search is real.

What is simulated: threads (a job takes its nodes divided by the rate of a thread), latency, the wires of the master
and of each machine (full duplex, one thing after another), the time that a machine needs to take entries in, and the
time that the master needs for a result. What is not: a job's entries are seen by its machine's other threads from its
beginning (or a part's, where jobs are done in parts), and threads that share a table do not slow one another down.
"""

import heapq
import itertools
import math
import random
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamecore.game import Answer
from gamecore.prove import _master, _tree
from gamecore.prove._exchange import PACKED_BYTES, Threshold, pack, unpack
from gamecore.prove._lessons import Learner, Merger

RUN = b"simulated run..."
JOB_BYTES = 500  # of a job or a result, without entries
CHILD_BYTES = 60


@dataclass(frozen=True)
class Setting:
    """What is simulated.

    Attributes:
        machines, threads: how many, and of each machine.
        latency: seconds there and back.
        rate: nodes a second of a thread.
        wire: bytes a second of the master's wire, and of each machine's.
        table_bytes: of each machine.
        road: of entries: ``none``; ``master``: with results and jobs; ``relay``: from machine to machine along a tree.
        packed: entries go as they are packed in parcels; else 24 bytes each.
        affinity: a job goes to the machine that searched the nearest node above it, if that is not busy.
        ahead: jobs under way beyond the number of threads, as a part of it.
        take_in: seconds that a thread needs for an entry of another machine.
        master_seconds: that the master needs for a result.
        taking: the part of a machine's time that may go into taking entries in; the threshold follows.
        fewest: the least threshold, in nodes, of entries that are sent.
        part: nodes after which a machine sends and takes in entries in the midst of a job; 0: between jobs only.
        lessons: seconds between those in which machines tell one another what they learnt; 0: they do not.
        look_seconds, change_seconds: that a machine needs to see whether a weight has changed, and for a change of one.
        merge_seconds: that the master needs for a change.
    """

    machines: int
    threads: int
    latency: float
    rate: float
    wire: float
    table_bytes: int
    road: str = "relay"
    packed: bool = True
    affinity: bool = False
    ahead: float = 0.25
    take_in: float = 60e-9
    master_seconds: float = 1e-4
    taking: float = 0.15
    fewest: int = 10
    part: int = 0
    lessons: float = 0.0
    look_seconds: float = 0.3e-9
    change_seconds: float = 8e-9
    merge_seconds: float = 40e-9


class Machine:
    """One table, some threads, what waits for them, and entries on their way to it."""

    def __init__(self, engine: Any, number: int, threads: int) -> None:
        self.engine = engine
        self.number = number
        self.idle = threads
        self.sent = 0  # jobs on their way to it, or waiting there
        self.queue: deque[Any] = deque()
        self.inbox: list[tuple[float, int, Any]] = []  # a heap: when entries are there, a number, the entries
        self.unread = 0  # of the log, by the road over the master
        self.learner = Learner(RUN, number.to_bytes(16, "little"), engine)
        self.learning = 0.0  # seconds that lessons have taken of its threads' time, and that no job has paid for
        self.wire_free = 0.0

    @property
    def room(self) -> int:
        """Threads that will have nothing to do."""
        return self.idle - self.sent

    def take_in(self, now: float) -> int:
        """Put the entries that have arrived into the table; how many they are."""
        count = 0
        while self.inbox and self.inbox[0][0] <= now:
            words = heapq.heappop(self.inbox)[2]
            self.engine.put_entries(words)
            count += len(words) // 3
        return count


class Simulation:
    """One run of the real tree, on a simulated clock."""

    def __init__(self, rules: Any, key: str, setting: Setting) -> None:
        self.rules, self.key, self.setting = rules, key, setting
        self.tree = _tree.Tree(rules, key)
        one = setting
        self.crew = [Machine(rules.engine(key, one.table_bytes, False), i, one.threads) for i in range(one.machines)]
        self.exchanges = one.machines > 1 and one.road != "none"
        copies = one.machines if one.road == "master" else 2
        self.width = one.machines * one.threads
        self.threshold = Threshold(self.width, copies, one.wire / 2, one.fewest)
        self.taking = Threshold(self.width, 1, one.taking * one.threads / one.take_in * PACKED_BYTES, one.fewest)
        self.log: list[tuple[int, Any, int]] = []  # sender, entries, bytes
        self.searched: dict[Any, Machine] = {}
        self.events: list[Any] = []
        self.order = itertools.count()
        self.rng = random.Random(1)
        self.now = self.wire_free = self.master_free = self.busy = 0.0
        self.merger = Merger(RUN)
        self.lessons_told = 0
        if one.lessons and one.machines > 1:
            self.at(one.lessons, self.lesson)
        self.nodes = self.jobs = self.records = self.under_way = self.carried = self.taken_in = self.packed_bytes = 0

    @property
    def least(self) -> int:
        """Nodes of an entry that is sent."""
        return max(self.threshold.least, self.taking.least)

    def at(self, when: float, what: Any, *data: Any) -> None:
        """Something happens then."""
        heapq.heappush(self.events, (when, next(self.order), what, data))

    def send(self, size: int) -> float:
        """Return when this many bytes have passed the master's network link."""
        self.wire_free = max(self.wire_free, self.now) + size / self.setting.wire
        return self.wire_free + self.setting.latency / 2

    # --- the master --------------------------------------------------------------------------------------------------

    def give_out(self) -> None:
        """As the real master does."""
        while self.under_way < int(self.width * (1 + self.setting.ahead)) and (path := self.tree.take()) is not None:
            self.under_way += 1
            machine = self.choose(path)
            machine.sent += 1
            size = JOB_BYTES
            upto = len(self.log)
            if self.setting.road == "master":
                for sender, words, weight in itertools.islice(self.log, machine.unread, upto):
                    if sender != machine.number:
                        heapq.heappush(machine.inbox, (0.0, next(self.order), words))
                        size += weight
                machine.unread = upto
            self.carried += size
            budget = _master.budget_of(self.nodes, self.width, self.under_way, 1 << 60, self.setting.machines == 1)
            self.at(self.send(size), self.arrive, machine, path, budget)

    def choose(self, path: list[Any]) -> Machine:
        """The machine of a job."""
        free = max(self.crew, key=lambda one: one.room)
        if self.setting.affinity:
            for node in reversed(path[-4:]):
                found = self.searched.get(node)
                if found is not None and (found.room > 0 or found.room >= free.room):
                    return found
        return free

    def arrived(self, machine: Machine, path: list[Any], answer: Answer, children: Any) -> None:
        """A result is there: the master takes it when it has time."""
        self.master_free = max(self.master_free, self.now) + self.setting.master_seconds
        self.at(self.master_free, self.put, machine, path, answer, children)

    def put(self, machine: Machine, path: list[Any], answer: Answer, children: Any) -> None:
        """A result goes into the tree."""
        self.under_way -= 1
        self.jobs += 1
        self.nodes += answer.nodes
        self.tree.put_back(path)
        self.searched[path[-1]] = machine
        self.tree.tighten(path[-1].place, answer.low, answer.high)
        if not answer.done:
            self.tree.expand(path[-1], children)

    # --- a machine ---------------------------------------------------------------------------------------------------

    def arrive(self, machine: Machine, path: list[Any], budget: int) -> None:
        """A job is there."""
        machine.queue.append((path, budget))
        self.begin(machine)

    def begin(self, machine: Machine) -> None:
        """Search what waits, where a thread is idle."""
        while machine.idle and machine.queue:
            path, budget = machine.queue.popleft()
            machine.idle -= 1
            machine.sent -= 1
            self.search(machine, path, budget, 0)

    def search(self, machine: Machine, path: list[Any], left: int, before: int) -> None:
        """A job, or a part of it. The search is done at once, its end comes in time.

        Args:
            left, before: nodes of the job, from here on and before.
        """
        engine, node = machine.engine, path[-1]
        taken_in = machine.take_in(self.now)
        self.taken_in += taken_in
        engine.export_from(self.least if self.exchanges else 1 << 60)
        budget = min(left, self.setting.part or left)
        answer = engine.test(node.place.key, node.test, -1.0, budget)
        took = (answer.nodes + 200) / self.setting.rate + taken_in * self.setting.take_in + machine.learning
        machine.learning = 0.0
        self.busy += took
        answer = answer._replace(nodes=answer.nodes + before)
        if answer.done or left <= budget:
            children = () if answer.done else engine.children(node.place.key, node.test)
            self.at(self.now + took, self.end, machine, path, answer, children, engine.take_entries())
        else:
            self.at(self.now + took, self.go_on, machine, path, left - budget, answer.nodes, engine.take_entries())

    def go_on(self, machine: Machine, path: list[Any], left: int, before: int, records: bytes) -> None:
        """A part of a job has ended."""
        words, weight = self.packed(records)
        if weight:
            self.relay(machine, words, weight)
        self.search(machine, path, left, before)

    def end(self, machine: Machine, path: list[Any], answer: Answer, children: Any, records: bytes) -> None:
        """A job has ended: its result goes to the master, its entries to whom they may concern."""
        machine.idle += 1
        size = JOB_BYTES + CHILD_BYTES * len(children)
        words, weight = self.packed(records)
        if weight and self.setting.road == "relay":
            self.relay(machine, words, weight)
        elif weight:
            size += weight
        when = self.send(size)
        if weight and self.setting.road == "master":
            self.at(when, self.keep, machine.number, words, weight)
        self.at(when, self.arrived, machine, path, answer, children)
        self.begin(machine)

    def packed(self, records: bytes) -> tuple[Any, int]:
        """Entries that go out, and how many bytes they are."""
        words = np.frombuffer(records, dtype=np.uint64)
        if not len(words):
            return words, 0
        count = len(words) // 3
        weight = len(pack(RUN, bytes(16), records)) if self.setting.packed else len(records)
        self.records += count
        self.packed_bytes += weight
        self.taking.note(count * PACKED_BYTES, 1, self.now + 1e-9)
        return words, weight

    def lesson(self) -> None:
        """All machines tell what they have learnt: to the master, or added up from machine to machine along a tree."""
        one = self.setting
        size = changes = 0
        for machine in self.crew:
            told = machine.learner.tell(0.0)
            size += len(told)
            mine = len(unpack(RUN, told).words) - 2 if told else 0
            changes += mine
            machine.learning += machine.engine.weights * one.look_seconds + mine * one.change_seconds
            if told:
                self.merger.add(told)
        self.merger.every = 0.0
        lesson = self.merger.merged(self.now)
        if one.road == "master":
            self.wire_free = max(self.wire_free, self.now) + (size + one.machines * len(lesson)) / one.wire
            self.master_free = max(self.master_free, self.now) + changes * one.merge_seconds
            when = max(self.wire_free, self.master_free) + one.latency
        else:
            hops = 2 * math.ceil(math.log2(one.machines))  # up the tree and down
            when = self.now + hops * (one.latency / 2 + len(lesson) / one.wire)
        self.carried += size + one.machines * len(lesson)
        self.lessons_told += 1
        self.at(when, self.learn, lesson)
        self.at(self.now + one.lessons, self.lesson)

    def learn(self, lesson: bytes) -> None:
        """What all have learnt has come to all."""
        if lesson:
            for machine in self.crew:
                machine.learning += machine.learner.take(unpack(RUN, lesson).words) * self.setting.change_seconds

    def keep(self, *entry: Any) -> None:
        """Entries are at the master."""
        self.log.append(entry)
        self.threshold.note(entry[2], self.setting.machines - 1, self.now + 1e-9)

    def relay(self, sender: Machine, words: Any, weight: int) -> None:
        """Entries go from machine to machine along a binary tree, in an order of their own."""
        others = [one for one in self.crew if one is not sender]
        self.rng.shuffle(others)
        here = [self.now]
        needs = 2 * weight / self.setting.wire  # each sends them on twice
        self.threshold.note(weight, 2, self.now + 1e-9)
        for place, machine in enumerate(others, 1):
            waits = max(0.0, machine.wire_free - self.now)
            machine.wire_free = self.now + waits + needs
            here.append(here[(place - 1) // 2] + self.setting.latency / 2 + waits + needs)
            heapq.heappush(machine.inbox, (here[-1], next(self.order), words))
            self.carried += weight

    def run(self, question: str) -> dict[str, Any]:
        """Until the question is answered."""
        place = self.tree.place(self.key)
        while (test := self.rules.next_test(self.key, place.low, place.high, question)) is not None:
            root = self.tree.ask(test)
            while not root.answered:
                self.give_out()
                self.now, _, what, data = heapq.heappop(self.events)
                what(*data)
        one = self.setting
        return {
            **vars(one), "seconds": self.now, "nodes": self.nodes, "jobs": self.jobs, "records": self.records,
            "least": self.least, "busy": self.busy / self.now / self.width, "sent_mb": self.carried / 1e6,
            "record_bytes": self.packed_bytes / max(1, self.records), "taken_in": self.taken_in,
            "places": len(self.tree.places), "told": self.lessons_told,
            "value": self.rules.value_of(self.key, place.low, place.high),
        }  # fmt: skip
