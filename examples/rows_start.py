"""Is it better to start? A million shuffled decks of the card game, solved against the greedy sister."""

import time

from gamecore import rows

COUNT = 1_000_000

decks = rows.decks(COUNT, rng=7)
begin = time.perf_counter()
first = rows.solve_many(decks, opponent="greedy").mine
second = rows.solve_many(decks, opponent="greedy", first="sister").mine
seconds = time.perf_counter() - begin
print(f"{2 * COUNT / seconds / 1e6:.1f} million decks a second")
print(f"starting is worth {first.mean():.2f} of 416 on average, going second {second.mean():.2f}")
print(f"going second is strictly better in {100 * (second > first).mean():.2f}% of the decks")
