"""Our Hearts players and other people's programs by ``hearts.compare``: the same deals, against the same others.

    python benchmarks/peers/hearts_peers.py xinxin FOLDER [--simulations 2000] [--worlds 50]
    python benchmarks/peers/hearts_peers.py ismcts [--simulations 1000] [--uct 20]

``xinxin``: FOLDER has the sources of github.com/nathansttt/hearts; it needs g++. --simulations are those of each world;
C = 0.4, epsilon 0.1 and the model of opponents are those of its main.cpp.
``ismcts``: OpenSpiel's ISMCTSBot.

Programs are built in a temporary folder.
"""

import argparse
import contextlib
import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from gamecore import hearts

HERE = Path(__file__).resolve().parent


def build_xinxin(folder: Path, target: Path) -> list[str]:
    """Compile xinxin with the adapter in place of its own main; return the command."""
    sources = [path for path in folder.glob("*.cpp") if path.name != "main.cpp"]
    if not sources:
        sys.exit(f"{folder} has no sources")
    flags = ["-std=c++11", "-O3", "-w", "-pthread", f"-I{folder}"]
    subprocess.run(
        ["g++", *flags, *map(str, [HERE / "xinxin.cpp", *sources]), "-o", str(target / "xinxin")], check=True
    )
    return [str(target / "xinxin")]


def engine_player(command: list[str], seconds: float) -> hearts.Player:
    """Return the player of ``examples/engine_player.py``, which worker processes can import."""
    sys.path.insert(0, str(HERE.parents[1] / "examples"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [sys.path[0], os.environ.get("PYTHONPATH")]))
    player: hearts.Player = importlib.import_module("engine_player").EnginePlayer(command, seconds)
    return player


def main() -> None:
    """Build the program and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=("xinxin", "ismcts"))
    parser.add_argument("folder", type=Path, nargs="?", help="of its sources")
    parser.add_argument("--simulations", type=int, help="default: 2000 in each of xinxin's worlds, 1000 of ismcts")
    parser.add_argument("--worlds", type=int, default=50, help="of xinxin")
    parser.add_argument("--uct", type=float, default=20.0, help="exploration constant of ismcts, in points")
    parser.add_argument("--players", nargs="+", default=["search:1ms"], help="ours")
    parser.add_argument("--field", default="greedy", help="the three others at the table")
    parser.add_argument("--passing", default="cycle", help="as of hearts.compare")
    parser.add_argument("--rounds", type=int, default=20, help="deals; each player plays each in the four seats")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--seed", type=int, default=33)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    if args.program == "xinxin" and args.folder is None:
        parser.error("xinxin needs the folder of its sources")
    with contextlib.ExitStack() as stack:
        opponent: hearts.Player
        if args.program == "ismcts":
            from ismcts import OpenSpiel  # beside this file

            opponent = OpenSpiel(args.simulations or 1000, args.uct)
        else:
            work = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            command = build_xinxin(args.folder.resolve(), work)
            command += [str((args.simulations or 2000) * args.worlds), str(args.worlds)]
            stack.callback(os.chdir, Path.cwd())
            os.chdir(work)  # xinxin writes files
            opponent = engine_player(command, seconds=600.0)
        comparison = hearts.compare(
            [*args.players, opponent], args.field, args.rounds, args.seed, passing=args.passing, first=args.first,
            workers=args.workers, progress=True,
        )  # fmt: skip
        print(comparison)


if __name__ == "__main__":
    main()
