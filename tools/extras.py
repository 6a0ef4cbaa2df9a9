"""Print the requirements of one extra of pyproject.toml, one a line: lint needs its tools, not a build of gamecore."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
print("\n".join(f'"{requirement}"' for requirement in project["optional-dependencies"][sys.argv[1]]))
