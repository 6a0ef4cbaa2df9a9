"""Steps and episodes a second of the adapters, with random agents: ``python benchmarks/adapters.py``.

OpenSpiel's own Hearts plays in the same loop. Times are processor times.
"""

import sys
import time
from collections.abc import Callable

import numpy as np

from gamecore import adapters


def rate(play: Callable[[int], int], seconds: float) -> tuple[float, float]:
    """Return episodes and steps a second; ``play`` takes the number of an episode and returns its steps."""
    begun, episodes, steps = time.process_time(), 0, 0
    while (used := time.process_time() - begun) < seconds or not episodes:
        steps += play(episodes)
        episodes += 1
    return episodes / used, steps / used


def of_pettingzoo(game: str) -> Callable[[int], int]:
    """Return a function that plays an episode of PettingZoo."""
    env, rng = adapters.pettingzoo_env(game), np.random.default_rng(1)

    def play(number: int) -> int:
        env.reset(seed=number)
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, _, _ = env.last()
            actions = np.flatnonzero(observation["action_mask"])
            env.step(None if terminated else int(actions[rng.integers(len(actions))]))
            steps += 1
        return steps

    return play


def of_open_spiel(game: str) -> Callable[[int], int]:
    """Return a function that plays an episode of OpenSpiel's ``rl_environment``."""
    from open_spiel.python import rl_environment

    env, rng = rl_environment.Environment(game), np.random.default_rng(1)

    def play(number: int) -> int:
        env.seed(number)
        step, steps = env.reset(), 0
        while not step.last():
            actions = step.observations["legal_actions"][step.current_player()]
            step = env.step([actions[int(rng.integers(len(actions)))]])
            steps += 1
        return steps

    return play


def main() -> None:
    """Print a line for each adapter and game."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    adapters.register_open_spiel()
    rows = [("PettingZoo", game, of_pettingzoo(game)) for game in ("duel", "hexapawn", "rows", "hearts")]
    rows += [("OpenSpiel", game, of_open_spiel(game)) for game in ("hearts", "gamecore_hearts")]
    for framework, game, play in rows:
        episodes, steps = rate(play, seconds)
        print(f"{framework:<11}{game:<16}{episodes:>9.1f} episodes/s{steps:>9.0f} steps/s", flush=True)


if __name__ == "__main__":
    main()
