"""Ask pip-audit for known vulnerabilities in what gamecore is built with and runs with.

    python tools/audit.py

What is asked about stands in tools/build-constraints.txt. Exit status 1 only when a vulnerability is known; where no
advisory service answers (offline, a mirror without advisories) it says that this was left out, and why.
"""

import json
import subprocess
import sys
from pathlib import Path

PINS = Path(__file__).with_name("build-constraints.txt")


def main() -> int:
    """Ask, and print one line or the vulnerabilities."""
    command = [
        sys.executable, "-m", "pip_audit", "--requirement", str(PINS), "--no-deps", "--disable-pip",
        "--format", "json", "--progress-spinner", "off", "--timeout", "10",
    ]  # fmt: skip
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
        dependencies = json.loads(result.stdout)["dependencies"]
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        print("audit left out: pip-audit is not installed, or no advisory service answers here")
        return 0
    found = [(one["name"], one["version"], bad["id"]) for one in dependencies for bad in one.get("vulns", [])]
    for name, version, advisory in found:
        print(f"audit: {name} {version} has a known vulnerability: {advisory}")
    skipped = [one["name"] for one in dependencies if "skip_reason" in one]
    if skipped:
        print(f"audit left out for {', '.join(skipped)}: not known to the advisory service that answers here")
    elif not found:
        print(f"audit: no known vulnerabilities in {len(dependencies)} packages")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
