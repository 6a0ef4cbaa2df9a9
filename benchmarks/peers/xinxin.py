"""Our players against xinxin, in all 14 seatings of two players, with passing.

    python benchmarks/peers/xinxin.py FOLDER [--simulations 2000] [--worlds 50] [--players search:5ms ...]

FOLDER has the sources of github.com/nathansttt/hearts; xinxin is built in a temporary folder, one thread a decision.
--simulations are those of each world. C = 0.4, epsilon 0.1 and the model of opponents are those of xinxin's main.cpp.
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

from gamecore import hearts

ADAPTER = Path(__file__).with_suffix(".cpp")


def build(folder: Path, target: Path) -> None:
    """Compile xinxin with the adapter in place of its own main."""
    sources = [path for path in folder.resolve().glob("*.cpp") if path.name != "main.cpp"]
    if not sources:
        sys.exit(f"{folder} has no sources")
    flags = ["-std=c++11", "-O3", "-w", "-pthread", f"-I{folder.resolve()}"]
    subprocess.run(["g++", *flags, *map(str, [ADAPTER, *sources]), "-o", str(target)], check=True)


def main() -> None:
    """Build xinxin and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--simulations", type=int, default=2000)
    parser.add_argument("--worlds", type=int, default=50)
    parser.add_argument("--players", nargs="+", default=["search:1ms", "search:5ms", "search:20ms"])
    parser.add_argument("--protocol", default="seatings")
    parser.add_argument("--rounds", type=int, default=20, help="deals; each is played in every seating")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=33)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        program = Path(work) / "xinxin"
        build(args.folder, program)
        command = [str(program), str(args.simulations * args.worlds), str(args.worlds)]
        for name in args.players:
            with contextlib.chdir(work), hearts.Engine(command, seconds=600) as xinxin:  # it writes files
                found = hearts.compare(
                    [name, xinxin], protocol=args.protocol, rounds=args.rounds, rng=args.seed, first=args.first,
                    workers=args.workers, progress=True,
                )  # fmt: skip
            print(found, flush=True)


if __name__ == "__main__":
    main()
