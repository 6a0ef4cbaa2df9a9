"""JSON Schema of what ``gamecore prove`` prints with ``--json``."""

from typing import Final

from gamecore.prove._master import Outcome
from gamecore.prove._status import Progress, Status
from gamecore.prove._verify import Verification
from gamecore.schema import fields_of, of, record

PROGRESS: Final = record({"event": {"const": "progress"}, **fields_of(Progress)})
RESULT: Final = record({"event": {"const": "result"}, **fields_of(Outcome)})
STATUS: Final = of(Status)
VERIFICATION: Final = of(Verification)
