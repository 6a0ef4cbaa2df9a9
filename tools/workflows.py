"""Read the workflows under .github/ and run what a job runs, here: a workflow that has never run anywhere is a guess.

    python tools/workflows.py                    every job, what starts it, and its steps
    python tools/workflows.py lint/lint          the `run:` steps of one job, in order, in a fresh copy of the tree
    python tools/workflows.py test/quick python=3.13     with these values of its matrix (default: the first of each)
    python tools/workflows.py --check            every file against its schema and by zizmor, where they are installed

Steps that `uses:` an action are named and passed over: the tree is copied in place of a checkout, and the Python is the
one that the job's matrix names, where `pythonX.Y` is on the PATH, else this one. A step with `sudo` is passed over too.
The copy stays in build/workflows with its build/cache, so that a second run compiles less. The exit status is that of
the first step that fails, 2 for what is not there.
"""

import argparse
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".github" / "workflows"
COPY = ROOT / "build" / "workflows"
SKIPPED = (".git", ".venv", "build", "dist", "site", "__pycache__", "*.so", ".stamp-*", ".*_cache", ".hypothesis")
# On Linux, with the shells that a public host uses.
SHELLS = {"ubuntu": ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]}


def jobs() -> dict[str, dict[str, Any]]:
    """Every job as WORKFLOW/JOB."""
    found = {}
    for path in sorted(FOLDER.glob("*.yml")):
        workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
        found |= {f"{path.stem}/{name}": job for name, job in workflow["jobs"].items()}
    return found


def filled(text: str, values: dict[str, str]) -> str:
    """The text with ${{ matrix.NAME }} filled in; ValueError for an expression that is known only on a host."""

    def value(match: re.Match[str]) -> str:
        name = match[1].strip()
        if name.removeprefix("matrix.") not in values or not name.startswith("matrix."):
            raise ValueError(f"${{{{ {name} }}}} is known only on a host")
        return values[name.removeprefix("matrix.")]

    return re.sub(r"\$\{\{(.*?)\}\}", value, text)


def matrix(job: dict[str, Any], chosen: dict[str, str]) -> dict[str, str]:
    """A value for each name of the job's matrix: the chosen ones, otherwise the first."""
    offered = job.get("strategy", {}).get("matrix", {})
    for name, value in chosen.items():
        if value not in map(str, offered.get(name, [])):
            raise ValueError(
                f"{name}={value}: the matrix offers {', '.join(map(str, offered.get(name, []))) or 'nothing'}"
            )
    return {name: chosen.get(name, str(values[0])) for name, values in offered.items()}


def steps(job: dict[str, Any], values: dict[str, str]) -> Iterator[tuple[str, str | None, str]]:
    """What each step is called, the script that it runs (None: passed over), and why it is."""
    for step in job.get("steps", []):
        if "uses" in step:
            yield f"uses {step['uses']}", None, "an action"
            continue
        script = filled(step["run"], values)
        first = script.strip().splitlines()[0]
        if re.search(r"^\s*sudo ", script, re.MULTILINE):
            yield first, None, "installs system packages"
        else:
            yield first, script, ""


def interpreter(job: dict[str, Any], values: dict[str, str]) -> str:
    """The Python that the job asks for, where it is here."""
    for step in job.get("steps", []):
        if "setup-python" in step.get("uses", ""):
            name = "python" + filled(str(step["with"]["python-version"]), values)
            if shutil.which(name) and subprocess.run([name, "-V"], capture_output=True, check=False).returncode == 0:
                return name
            print(f"workflows: there is no {name} here: {sys.executable} instead")
    return sys.executable


def can_be_had(host: str) -> bool:
    """Whether this machine stands for the host that a job runs on: a Linux of the same processor."""
    return host.startswith("ubuntu") and ("-arm" in host) == (platform.machine() in ("aarch64", "arm64"))


def prepare(python: str) -> None:
    """A fresh copy of the tree, with a `python` of its own for the job."""
    for old in COPY.glob("*") if COPY.exists() else ():
        if old.name not in (".venv", "build", "path"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(ROOT, COPY, ignore=shutil.ignore_patterns(*SKIPPED), dirs_exist_ok=True, symlinks=True)
    tools = COPY / "path"  # `python` of the job
    shutil.rmtree(tools, ignore_errors=True)
    subprocess.run([python, "-m", "venv", str(tools)], check=True)
    shutil.rmtree(COPY / ".venv", ignore_errors=True)


def run(name: str, job: dict[str, Any], values: dict[str, str]) -> int:
    """Run a job's scripts in the copy."""
    prepare(interpreter(job, values))
    environment = {
        "PATH": f"{COPY / 'path' / 'bin'}:/usr/local/bin:/usr/bin:/bin",
        "HOME": str(Path.home()),
        "CI": "true",
    }
    for what, script, why in steps(job, values):
        if script is None:
            print(f"--- {name}: {what}: passed over ({why})", flush=True)
            continue
        print(f"--- {name}: {what}", flush=True)
        status = subprocess.run([*SHELLS["ubuntu"], script], cwd=COPY, env=environment, check=False).returncode
        if status:
            print(f"workflows: {name}: this step ended with status {status}", file=sys.stderr)
            return status
    return 0


def check() -> int:
    """Schemas and zizmor; what is not installed is named."""
    files = [str(path) for path in sorted(FOLDER.glob("*.yml"))]
    zizmor = ["zizmor", "--offline", "--no-progress", "--quiet", f"--config={ROOT / '.github' / 'zizmor.yml'}"]
    commands = [
        ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files],
        ["check-jsonschema", "--builtin-schema", "vendor.dependabot", str(ROOT / ".github" / "dependabot.yml")],
        [*zizmor, str(ROOT / ".github")],
    ]  # fmt: skip
    status = 0
    for command in commands:
        program = shutil.which(command[0], path=str(Path(sys.executable).parent)) or shutil.which(command[0])
        if program is None:
            print(f"workflows: {command[0]} is not installed: pip install 'gamecore[lint]'", file=sys.stderr)
            return 2
        status = subprocess.run([program, *command[1:]], check=False).returncode or status
    return 1 if status else 0


def main() -> int:
    """The command; see the top of the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", nargs="?", metavar="WORKFLOW/JOB", help="run this one")
    parser.add_argument("values", nargs="*", metavar="NAME=VALUE", help="of the job's matrix")
    parser.add_argument("--check", action="store_true", help="lint all files instead")
    args = parser.parse_args()
    if args.check:
        return check()
    known = jobs()
    if args.job is None:
        for name, job in known.items():
            print(f"{name} ({job['runs-on']})")
            for step in job["steps"]:
                print(f"    {'uses ' + step['uses'] if 'uses' in step else step['run'].strip().splitlines()[0]}")
        return 0
    if args.job not in known:
        parser.error(f"{args.job!r} is none of {', '.join(known)}")
    job = known[args.job]
    try:
        values = matrix(job, dict(value.split("=", 1) for value in args.values))
        host = filled(str(job["runs-on"]), values)
    except ValueError as error:
        parser.error(str(error))
    if not can_be_had(host):
        parser.error(f"{args.job} runs on {host}, which cannot be had here")
    return run(args.job, job, values)


if __name__ == "__main__":
    sys.exit(main())
