"""Files that are written as a whole, or not at all."""

import os
import shutil
from collections.abc import Iterable
from pathlib import Path


def part_of(place: Path) -> Path:
    """The name beside a file under which this process writes what shall take its place."""
    return place.with_name(f"{place.name}.{os.getpid()}.part")


def write_whole(path: str | os.PathLike[str], chunks: Iterable[bytes]) -> None:
    """Put a file in the place of what is there; a write that fails, or is interrupted, leaves the old one as it was.

    A link stays one, permissions stay, and a device such as ``/dev/stdout`` is written to.

    Args:
        chunks: what shall be in the file, in pieces of any size.

    Raises:
        OSError: it cannot be written.
    """
    place = Path(path).resolve()
    if place.exists() and not place.is_file():
        with place.open("wb") as device:
            device.writelines(chunks)
        return
    part = part_of(place)
    try:
        with part.open("wb") as file:
            file.writelines(chunks)
            file.flush()
            if place.exists():
                shutil.copymode(place, part)
            os.fsync(file.fileno())  # or the new name could stand on the disk before what it names
        part.replace(place)
    finally:
        part.unlink(missing_ok=True)
