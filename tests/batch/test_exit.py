"""The end of a process while batches are under way: it comes soon, and quietly."""

import os
import subprocess
import sys
import time

import pytest

SOON = 20  # seconds until a process that does not end counts as hung; it takes well under one

BEGIN = """
import asyncio, random, sys, threading, time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from gamecore import batch, duel, hearts, hexapawn

deck = [suit + rank for rank in "A23456789TJQK" for suit in "CDHS"]
cards = random.Random(5).sample(deck, 46)
hard = [duel.Position(cards[:23], cards[23:])] * 1000  # minutes each
easy = [duel.Position(deck[:5], deck[5:10])]
ended = []
"""

SCRIPTS = {
    "an unfinished iterator": """
        found = duel.solve_iter(easy + hard, workers=2)
        next(found)
    """,
    "an unfinished iterator of functions": """
        found = batch.imap(time.sleep, [0] + [60] * 9, workers=2)
        next(found)
    """,
    "an unfinished iterator on a pool": """
        pool = ThreadPoolExecutor(2)
        found = duel.solve_iter(easy + hard, executor=pool)
        next(found)
    """,
    "a daemon thread": """
        threading.Thread(target=duel.solve_many, args=(hard,), kwargs={"workers": 2}, daemon=True).start()
        time.sleep(0.2)
    """,
    "a daemon thread that works alone": """
        threading.Thread(target=duel.solve_many, args=(hard,), daemon=True).start()
        time.sleep(0.2)
    """,
    "a simulation in a daemon thread": """
        work = lambda: hearts.simulate(["pimc:50", "greedy", "greedy", "greedy"], 10**6, 1, workers=2)
        threading.Thread(target=work, daemon=True).start()
        time.sleep(0.3)
    """,
    "a pool's thread": """
        pool = ThreadPoolExecutor(1)
        pool.submit(duel.solve_many, hard, workers=2)
        time.sleep(0.2)
    """,
    "a pool's thread that works alone": """
        pool = ThreadPoolExecutor(1)
        pool.submit(duel.solve_many, hard)
        time.sleep(0.2)
    """,
    "a batch in a batch": """
        found = batch.imap(lambda one: duel.solve_many(one, workers=2), [easy] + [hard] * 5, workers=2)
        next(found)
    """,
    "a cancelled asyncio.to_thread": """
        async def main():
            task = asyncio.ensure_future(asyncio.to_thread(duel.solve_many, hard, workers=2))
            await asyncio.sleep(0.2)
            task.cancel()
        loop = asyncio.new_event_loop()
        loop.run_until_complete(main())
    """,
}


def code_of(script, last="print('end', flush=True)"):
    lines = [line.removeprefix("        ") for line in script.splitlines()]
    return "\n".join([BEGIN, *lines, last])


def run(script):
    command = [sys.executable, "-W", "ignore", "-c", code_of(script)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=SOON)


def seconds_to_end(script):
    """From the last statement to the end of the process: measured by tools/reliability.py, not by tests."""
    code = code_of(script, "print(time.clock_gettime(time.CLOCK_MONOTONIC), flush=True)")
    with subprocess.Popen([sys.executable, "-W", "ignore", "-c", code], stdout=subprocess.PIPE) as process:
        began = float(process.stdout.readline())
        process.wait(SOON)
        return time.clock_gettime(time.CLOCK_MONOTONIC) - began


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_process_ends_under_a_batch(name):
    result = run(SCRIPTS[name])
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")


def test_what_python_waits_for_goes_on():
    result = run("""
        def work():
            time.sleep(0.3)
            print(len(duel.solve_many(easy * 3000, workers=2)))
        threading.Thread(target=work).start()
    """)
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n3000\n", "")


def test_nobody_takes_what_a_stopped_search_found_for_an_answer():
    result = run("""
        def work():
            try:
                ended.append(duel.solve_many(hard, workers=2))
            finally:
                print("stopped", ended, flush=True)
        pool = ThreadPoolExecutor(1)
        future = pool.submit(work)
        time.sleep(0.3)
    """)
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\nstopped []\n", "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fork_in_the_middle_of_a_batch():
    result = run("""
        import os
        found = duel.solve_iter(easy * 20000, workers=2)
        next(found)
        child = os.fork()
        if not child:
            print(len(duel.solve_many(easy * 100, workers=2)), flush=True)
            found.close()
            sys.exit(0)
        os.waitpid(child, 0)
        print(len(list(found)))
    """)
    assert (result.returncode, result.stdout, result.stderr) == (0, "100\nend\n19999\nend\n", "") or (
        result.stdout == "100\n19999\nend\n"
    )


@pytest.mark.parametrize("workers", [1, 2])
def test_a_batch_that_begins_when_the_process_ends(workers):
    result = run(f"""
        def work():
            time.sleep(0.5)
            duel.solve_many(hard, workers={workers})
        ThreadPoolExecutor(1).submit(work)
    """)
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")
