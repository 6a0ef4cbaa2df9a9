"""Ask pip-audit for known vulnerabilities in the packages that build and run gamecore.

    python tools/audit.py

tools/build-constraints.txt lists the packages. Exit status 1 only if a vulnerability is known. If no advisory service
answers (offline, a mirror without advisories), it says that the check was skipped, and why.
"""

import json
import subprocess
import sys
from pathlib import Path

PINS = Path(__file__).with_name("build-constraints.txt")


def main() -> int:
    """Ask pip-audit; print one line or the vulnerabilities."""
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
