"""How many steps a second of processor time does hearts.batch_env make?

    python examples/hearts_steps.py --n 1024 --seconds 3
Actions are the first legal card of each round, found by NumPy; "alone" leaves that out.
"""

import argparse
import time

from gamecore import hearts


def measure(n: int, seconds: float, opponents: str | None, passing: str) -> tuple[float, float]:
    """Steps a second of processor time: with choosing the actions, and alone."""
    env = hearts.batch_env(n, 7, opponents=opponents, passing=passing)
    steps, alone, begun = 0, 0.0, time.process_time()
    while (taken := time.process_time() - begun) < seconds:
        actions = env.state.legal.argmax(axis=1)
        start = time.process_time()
        env.step(actions)
        alone += time.process_time() - start
        steps += n
    return steps / taken, steps / alone


def main() -> None:
    """Print a line a kind of environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=1024)
    parser.add_argument("--seconds", type=float, default=3.0)
    args = parser.parse_args()
    print("opponents  passing  million steps a second, alone")
    kinds = [(None, "hold"), (None, "cycle"), *((name, "hold") for name in ("random", "greedy", "duck", "linear"))]
    for opponents, passing in kinds:
        whole, alone = measure(args.n, args.seconds, opponents, passing)
        print(f"{opponents!s:<10} {passing:<8} {whole / 1e6:.2f}  {alone / 1e6:.2f}")


if __name__ == "__main__":
    main()
