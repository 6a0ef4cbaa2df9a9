"""The server's limits, whatever a page asks for."""

from typing import Final

BODY_BYTES: Final = 1 << 16  #: of a request
HEADER_BYTES: Final = 1 << 14  #: of a request's line and headers
HEADER_SECONDS: Final = 5.0  #: between looks at whether a request's line and headers have arrived
BODY_SECONDS: Final = 10.0  #: for a body to arrive
POSITION_CHARS: Final = 8192  #: of a text of a position, or of several
MOVES: Final = 512  #: of a history
MOVE_CHARS: Final = 40
POINTS: Final = 1_000_000  #: of a side in the rounds of a match
TEXT_POSITIONS: Final = 20  #: read from one text
SECONDS: Final = 60.0  #: of an analysis
DEFAULT_SECONDS: Final = 5.0
CALL_SECONDS: Final = 10.0  #: of a call that searches: a computer's move, a refutation
TABLE_MB: Final = 256.0  #: of an analysis
DEFAULT_TABLE_MB: Final = 64.0
ANALYSES: Final = 8  #: searches at once, of all pages together
CALLS: Final = 2  #: calls that search, of one page
CONNECTIONS: Final = 256
LAN_SECONDS: Final = 3.0  #: of a search with ``--lan``
LAN_BUSY_SECONDS: Final = 0.2  #: of a search while others wait for their turn
LAN_WAITING: Final = 192  #: searches that wait, of all pages together
