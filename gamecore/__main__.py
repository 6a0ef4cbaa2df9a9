"""The ``gamecore`` command, also as ``python -m gamecore``."""

import os
import signal
import sys


def _quit(*_: object) -> None:
    """End the process in one line: an exception could be raised where Python prints its stack and goes on."""
    os.write(2, b"gamecore: interrupted\n")
    os._exit(130)


def main() -> int:
    """Run the command and return its exit status; Ctrl-C before it begins its work, or after, ends it quietly, too."""
    watched = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if watched:
        signal.signal(signal.SIGINT, _quit)
    try:
        from gamecore.cli import main as run

        return run(ready=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) if watched else None)
    except KeyboardInterrupt:
        sys.stderr.write("gamecore: interrupted\n")
        return 130
    finally:
        if watched:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # what was answered stands


if __name__ == "__main__":
    sys.exit(main())
