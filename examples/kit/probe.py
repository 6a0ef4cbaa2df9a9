"""Read a table of ``gamecore kit solve-all`` with plain Python: ``python3 probe.py FILE KEY_A KEY_B``."""

import hashlib
import json
import mmap
import struct
import sys


class Table:
    """The values of a game's positions by their keys."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.header = json.loads(file.readline())
            self.first = file.tell()
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.count = self.header["positions"]
        if len(self.data) != self.first + 18 * self.count:
            raise ValueError(f"{path} is cut off")

    def verify(self):
        """Return True if the checksum is right."""
        return hashlib.sha256(memoryview(self.data)[self.first :]).hexdigest() == self.header["sha256"]

    def value(self, a, b):
        """Return the value of a position by its key, or None if play cannot reach it, or it is over."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            if struct.unpack_from("<QQ", self.data, self.first + 16 * middle) < (a, b):
                low = middle + 1
            else:
                high = middle
        if low == self.count or struct.unpack_from("<QQ", self.data, self.first + 16 * low) != (a, b):
            return None
        return struct.unpack_from("<h", self.data, self.first + 16 * self.count + 2 * low)[0]


if __name__ == "__main__":
    table = Table(sys.argv[1])
    print(table.header["game"], table.header["positions"], "checksum right" if table.verify() else "DAMAGED")
    if len(sys.argv) == 4:
        print(table.value(int(sys.argv[2]), int(sys.argv[3])))
