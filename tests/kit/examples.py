"""The examples of games in Cython."""

from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples" / "kit"


def source_of(name, **sizes):
    """Return an example's source with other numbers, such as ``W=4``."""
    text = (EXAMPLES / f"{name}.pyx").read_text()
    for constant, number in sizes.items():
        before = next(line for line in text.splitlines() if line.startswith(f"    {constant} = "))
        text = text.replace(before, f"    {constant} = {number}", 1)
    return text
