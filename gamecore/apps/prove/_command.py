"""``gamecore prove``: prove a hard position in a store on disk; its status, check and certificate."""

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

from gamecore.apps import prove
from gamecore.apps.prove._prover import provable, prover_of
from gamecore.apps.prove._run import in_words
from gamecore.batch.progress import Line
from gamecore.cli import common
from gamecore.contract import Bounds
from gamecore.errors import GamecoreError, OptionError
from gamecore.game import Words, game, names
from gamecore.text import counted, printable, whole_number, without_controls

ANSWERS_WITHIN = 10.0  # seconds for a Dask scheduler
EPILOG = """\
A proof is kept in the store, an SQLite file. Whatever ends the process (Ctrl-C,
kill -9, a power cut), the same command continues it; only running jobs are
repeated. Another position, question or game is refused. The exit status is 0 if
the value is known, 3 if only bounds are known.

  gamecore prove hexapawn 7x7 --store 7x7.proof --threads 2
  gamecore prove status 7x7.proof                        also while it runs
  gamecore prove verify 7x7.proof --recheck sample=20    check the proof
  gamecore prove export 7x7.proof 7x7.xz                 write a certificate

`gamecore prove hexapawn --help` shows the options.
"""


def add_parser(subparsers: "common.Subparsers", words: Sequence[str] = ()) -> None:
    """Add the subcommand; OptionError if ``words`` name a game that cannot be proved."""
    if words[1:2] and words[1] in names():
        prover_of(words[1])
    parser = subparsers.add_parser(
        "prove",
        help="prove a hard position over days, processes and machines; survives kill -9",
        description="Prove who wins a position, and its value, through a store on disk.",
        epilog=EPILOG,
    )
    parser.set_defaults(run=lambda _: print(parser.format_help(), end=""))
    parts = parser.add_subparsers(dest="part", metavar="PART", parser_class=type(parser))
    for name in provable():
        _add_game(parts, name)
    status = parts.add_parser("status", help="how a run stands, from its store", description="How a run stands.")
    status.add_argument("store", metavar="STORE")
    status.set_defaults(run=run_status)
    says = (
        "Check the proof that a store or a certificate holds: every step by plain-Python rules; with --recheck, claims "
        "of searches by other searches, each from an empty table of whole positions. It says what was checked, and "
        "what is proved by that."
    )
    verify = parts.add_parser("verify", help="check a proof", description=says)
    verify.add_argument("proof", metavar="FILE", help="a store, or a certificate that export wrote")
    verify.add_argument("--recheck", default="0", metavar="all|sample=N", help="claims to search again (default: none)")
    verify.add_argument("--seed", type=int, default=0, metavar="N", help="of the sample (default 0)")
    verify.add_argument("--table-mb", type=float, default=256, metavar="MB", help="of these searches (default 256)")
    verify.set_defaults(run=run_verify)
    for part in (status, verify):
        part.add_argument("--json", action="store_true", help="one JSON object instead")
    says = "Write what a result rests on, compressed."
    export = parts.add_parser("export", help="write a proof's certificate", description=says)
    export.add_argument("store", metavar="STORE")
    export.add_argument("output", type=common.output_file, metavar="CERTIFICATE")
    export.set_defaults(run=run_export)


def _add_game(parts: "common.Subparsers", name: str) -> None:
    says = f"Prove a position of {name}, or continue a proof."
    part = parts.add_parser(name, help=f"prove a position of {name}", description=says)
    says = f"a notation, or another text that `gamecore {name}` reads; or a file with one position (- for stdin)"
    part.add_argument("position", metavar="POSITION", help=says)
    says = "where the proof is kept; made if it is not there"
    part.add_argument("--store", type=common.output_file, required=True, metavar="FILE", help=says)
    part.add_argument("--question", default="value", metavar="WHAT", help="value (default), or wins: only who wins")
    part.add_argument("--threads", type=int, default=1, metavar="N", help="threads that share a table (default 1)")
    part.add_argument("--dask", metavar="ADDRESS", help="do the work on a Dask cluster: its scheduler's address")
    part.add_argument("--job-nodes", type=int, metavar="N", help="most nodes of a job (default: by what was searched)")
    part.add_argument("--json", action="store_true", help="JSON lines: progress as it goes, and the result")
    part.add_argument("--quiet", action="store_true", help="no progress")
    common.add_limit_options(part, 512, "each machine's table")
    part.set_defaults(run=run_game)


def run_game(args: argparse.Namespace) -> int:
    """Work on a position until it is proved or a limit is reached."""
    limits, played = common.limits_of(args), game(args.part)
    position = common.position_of(played, args.position)
    if args.dask is not None and args.threads != 1:
        raise OptionError("--threads or --dask, not both: a Dask worker has the threads that it was started with")
    begun = time.monotonic()
    cluster = nullcontext() if args.dask is None else _dask(args.dask)
    with cluster as executor, nullcontext() if args.json or args.quiet else Line() as line:

        def progress(status: prove.Status) -> None:
            if args.json and not args.quiet:
                _print("progress", status)
            elif line is not None and line.shown:
                line.show(progress_text(status, time.monotonic() - begun))

        outcome = prove.run(
            position, args.store, question=args.question, threads=args.threads, executor=executor,
            job_nodes=args.job_nodes, limits=limits, progress=progress,
        )  # fmt: skip
    if args.json:
        _print("result", outcome)
    else:
        common.say(as_text(outcome, played.words))
    return common.OK if outcome.answered else common.LIMIT_REACHED


def as_text(status: prove.Status, words: Words[Any, Any]) -> str:
    """Return the value on the first line; then the same in words, and the effort.

    The line has bounds and their side if there is no value, after ``?`` if the winner is unknown.
    """
    value = words.short(status)
    if status.exact:
        value = value.removeprefix("+")
    else:
        value = f"{'' if status.winner or value == '?' else '? '}{value} for {status.to_move}"
    return f"{value}\n{status}; {_effort(status)}"


def _effort(status: prove.Status) -> str:
    lost = f" ({status.lost} lost)" if status.lost else ""
    work = f"{counted(status.nodes, 'node')} in {counted(status.jobs, 'job')}{lost}"
    return f"{work}, {status.seconds:.1f} s of searching"


@contextmanager
def _dask(address: str) -> Iterator[Executor]:
    """Return the executor of a Dask cluster.

    Raises:
        GamecoreError: Dask is not installed, or nobody answers.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise OptionError('--dask needs Dask: pip install "gamecore[cluster]"') from None
    try:
        client = distributed.Client(address, timeout=ANSWERS_WITHIN)
    except (OSError, ValueError, TimeoutError) as error:
        raise GamecoreError(f"no Dask scheduler answers at {printable(address, 80)}: {type(error).__name__}") from None
    with client:
        yield client.get_executor(pure=False)


def _print(event: str, status: prove.Status) -> None:
    print(json.dumps({"event": event, **status.to_dict()}), flush=True)


def _leaves(status: prove.Status) -> str:
    return f"{status.test}: {status.proof} leaves to prove it, {status.disproof} to disprove it"


def progress_text(status: prove.Status, seconds: float) -> str:
    """Return the line of a run that began so long ago."""
    work = f"{status.positions} positions, {status.nodes / 1e6:.2f} M nodes in {counted(status.jobs, 'job')}"
    return f"{seconds:.0f} s | {work} | {'done' if status.answered else _leaves(status)}"


def run_status(args: argparse.Namespace) -> int:
    """Print the status of a run."""
    status = prove.status(args.store)
    common.say(json.dumps(status.to_dict()) if args.json else status_text(status))
    return common.OK if status.answered else common.LIMIT_REACHED


def status_text(status: prove.Status) -> str:
    """Return the lines of a status. Its names are the store's, which may come from anywhere."""
    lines = [
        f"position   {status.game} {status.position}",
        f"question   {status.question}: {'answered' if status.answered else 'open'}, {status}",
    ]
    if status.test is not None:
        lines.append(f"asked now  {_leaves(status)}")
        lines.append(f"line       {' '.join(status.line) or '-'}")
    lines.append(f"work       {_effort(status)}; {counted(status.positions, 'position')}")
    lines.append(f"store      {status.store_bytes} bytes, begun by gamecore {status.gamecore}")
    return "\n".join(map(without_controls, lines))


def run_verify(args: argparse.Namespace) -> int:
    """Check a proof; a fault gives exit status 2."""
    recheck: str | int = args.recheck
    if recheck != "all":
        recheck = whole_number(args.recheck.removeprefix("sample="), "--recheck (all, or sample=N)", 0, 10**12)
    verification = prove.verify(args.proof, recheck=recheck, seed=args.seed, table_mb=args.table_mb)
    common.say(json.dumps(verification.to_dict()) if args.json else verified_text(verification))
    if verification.faults:
        common.complain(f"gamecore: {counted(len(verification.faults), 'fault')}; the first: {verification.faults[0]}")
        return common.BAD_INPUT
    return common.OK


def verified_text(verification: prove.Verification) -> str:
    """Return the report of a check: the claim, the checked part, what follows from it, and faults.

    Only what was checked is called proved: a claim of a search counts where it was searched again.
    """
    done, faults = verification, verification.faults
    says = f"{done.lower} to {done.upper}, it says"
    if not faults:  # else its bounds, or its position, may be none
        says = in_words(done.game, done.position, Bounds(done.lower, done.upper))
    verdict = "the value is proved" if done.lower == done.upper else "these bounds are proved"
    if faults:
        verdict = f"{counted(len(faults), 'FAULT')}: nothing is proved"
    elif done.rechecked == done.claims:
        verdict += ": every step and every claim was checked"
    else:
        verdict += " if the claims that were not searched again are true (--recheck)"
    lines = [
        f"{done.position}: {says}",
        f"checked by plain rules: {counted(done.steps, 'step')} following from moves, "
        f"{counted(done.by_rules, 'bound')} from the rules alone",
        f"claims of searches: {done.claims}; searched again: {done.rechecked} ({counted(done.nodes, 'node')})",
        verdict,
        *(f"fault: {fault}" for fault in faults[:20]),
    ]
    return "\n".join(map(without_controls, lines))


def run_export(args: argparse.Namespace) -> int:
    """Write a certificate."""
    count = prove.export(args.store, args.output)
    print(f"{counted(count, 'position')} in {args.output!a}")
    return common.OK
