"""The ``gamecore`` command, also as ``python -m gamecore``."""

import sys


def main() -> int:
    """Run the command and return its exit status; Ctrl-C while it is still being imported ends it quietly, too."""
    try:
        from gamecore.cli import main as run
    except KeyboardInterrupt:
        sys.stderr.write("gamecore: interrupted\n")
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
