"""Our Hearts players and other people's programs by ``hearts.compare``: the same deals, against the same others.

    python benchmarks/peers/hearts_peers.py xinxin FOLDER [--simulations 2000] [--worlds 50]
    python benchmarks/peers/hearts_peers.py heuristic FOLDER [--name claude]
    python benchmarks/peers/hearts_peers.py ismcts [--simulations 1000] [--uct 20]

``xinxin``: FOLDER has the sources of github.com/nathansttt/hearts; it needs g++. --simulations are those of each world;
C = 0.4, epsilon 0.1 and the model of opponents are those of its main.cpp.
``heuristic``: FOLDER is a checkout of github.com/brianberns/Hearts; --name is claude or gemini. Fable compiles its F#
to JavaScript; it needs Node and npm.
``ismcts``: OpenSpiel's ISMCTSBot.

Programs are built in a temporary folder.
"""

import argparse
import contextlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gamecore import hearts

HERE = Path(__file__).resolve().parent
FABLE = ("fable-compiler-js@3.3.0", "fable-standalone@3.8.0", "fable-metadata@2.2.0", "dirname-filename-esm@1.1.2")
FSHARP = ["Prelude", "Seat", "Trick", "Score", "ExchangeDirection", "ClosedDeal", "Pass", "InformationSet"]
PROJECT = '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>{}</ItemGroup></Project>'


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


def build_heuristics(folder: Path, target: Path) -> list[str]:
    """Compile the heuristics with the adapter and our own cards; return the command."""
    subprocess.run(["npm", "install", "--silent", *FABLE], cwd=target, check=True)
    package = target / "node_modules" / "fable-standalone"  # whose bundle is CommonJS, though its package.json says ESM
    shutil.copy(package / "dist" / "bundle.min.js", package / "dist" / "bundle.cjs")
    (package / "dist" / "bundle.min.js").write_text(
        'import { createRequire } from "node:module";\n'
        'export const { init } = createRequire(import.meta.url)("./bundle.cjs");\n'
    )
    shutil.copy(HERE / "heuristics_cards.fs", target / "Cards.fs")
    shutil.copy(HERE / "heuristics.fs", target / "App.fs")
    for path in [folder / "Hearts" / f"{name}.fs" for name in FSHARP] + sorted(
        (folder / "Hearts.Heuristic").glob("[CG]*.fs")
    ):
        text = path.read_text(encoding="utf-8-sig")
        (target / path.name).write_text(text.replace("snd >> _.Suit", "snd >> (fun (c : Card) -> c.Suit)"))  # F# 8
    files = "".join(f'<Compile Include="{name}.fs" />' for name in ("Cards", *FSHARP, "Claude", "Gemini", "App"))
    (target / "App.fsproj").write_text(PROJECT.format(files))
    subprocess.run(["node_modules/.bin/fable", "App.fsproj", "out"], cwd=target, check=True, stdout=subprocess.DEVNULL)
    shutil.copy(HERE / "heuristics.mjs", target / "out" / "engine.mjs")
    (target / "out" / "package.json").write_text('{"type": "module"}')
    return ["node", str(target / "out" / "engine.mjs")]


def engine_player(command: list[str], seconds: float) -> hearts.Player:
    """Return the player of ``examples/engine_player.py``, which worker processes can import."""
    sys.path.insert(0, str(HERE.parents[1] / "examples"))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [sys.path[0], os.environ.get("PYTHONPATH")]))
    player: hearts.Player = importlib.import_module("engine_player").EnginePlayer(command, seconds)
    return player


def main() -> None:
    """Build the program and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=("xinxin", "heuristic", "ismcts"))
    parser.add_argument("folder", type=Path, nargs="?", help="of its sources")
    parser.add_argument("--simulations", type=int, help="default: 2000 in each of xinxin's worlds, 1000 of ismcts")
    parser.add_argument("--worlds", type=int, default=50, help="of xinxin")
    parser.add_argument("--uct", type=float, default=20.0, help="exploration constant of ismcts, in points")
    parser.add_argument("--name", choices=("claude", "gemini"), default="claude", help="of the heuristic")
    parser.add_argument("--players", nargs="+", default=["search:1ms"], help="ours")
    parser.add_argument("--field", default="greedy", help="the three others at the table")
    parser.add_argument("--passing", default="cycle", help="as of hearts.compare")
    parser.add_argument("--rounds", type=int, default=20, help="deals; each player plays each in the four seats")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--seed", type=int, default=33)
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    if args.program != "ismcts" and args.folder is None:
        parser.error(f"{args.program} needs the folder of its sources")
    with contextlib.ExitStack() as stack:
        opponent: hearts.Player
        if args.program == "ismcts":
            from ismcts import OpenSpiel  # beside this file

            opponent = OpenSpiel(args.simulations or 1000, args.uct)
        else:
            work = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            if args.program == "xinxin":
                command = build_xinxin(args.folder.resolve(), work)
                command += [str((args.simulations or 2000) * args.worlds), str(args.worlds)]
            else:
                command = [*build_heuristics(args.folder.resolve(), work), args.name]
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
