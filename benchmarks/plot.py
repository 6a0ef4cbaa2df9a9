"""Draw saved runs: bars of the versions at each release.

    python benchmarks/plot.py benchmarks/results/*.json -o docs/results/history.svg

Files are what ``make baseline ARGS=--release`` saves, or any run of these suites by pytest-benchmark, one a release. A
bar is how many times faster a version is than the slowest of its group; of older releases the native versions alone
are shown. (Time against size, for one run: ``pytest --benchmark --plot DIR``.)
"""

import argparse
import re
import sys
from pathlib import Path

from comparing import plot, records

from gamecore import GamecoreError


def version_key(version: str) -> tuple[tuple[int, ...], bool, str]:
    """Sorts 0.9 before 0.10, and 1.0rc1 before 1.0."""
    release = re.match(r"\d+(\.\d+)*", version)
    numbers = tuple(int(part[:9]) for part in release.group().split(".")) if release else ()
    return numbers, release is not None and release.end() == len(version), version


def main(argv: list[str] | None = None) -> int:
    """Read everything, draw, and only then write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="runs, one a release")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PICTURE",
        type=Path,
        help=f"where to write: {', '.join(plot.FILE_TYPES)}",
    )
    parser.add_argument(
        "--groups", type=int, default=3, help="how many of each game, those of most versions (default 3)"
    )
    args = parser.parse_args(argv)
    try:
        runs = sorted((records.read_session(path) for path in args.files), key=lambda run: version_key(run.version))
        versions = [run.version for run in runs]
        for version in versions:
            if versions.count(version) > 1:
                raise GamecoreError(f"two of the files are runs of version {version!a}")
        plot.save(plot.releases(runs, args.groups), args.output)
    except GamecoreError as error:
        print(f"plot: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
