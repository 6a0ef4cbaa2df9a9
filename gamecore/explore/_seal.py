"""Sealed texts: a page sends them back but cannot read them, such as a round of hearts of which it sees one hand."""

import base64
import hashlib
import hmac
import secrets
from typing import Final

from gamecore.errors import ParseError

PREFIX: Final = "sealed."
_KEY: Final = secrets.token_bytes(32)  # of this process: links with sealed texts do not outlive it
_TAG_BYTES: Final = 16


def seal(text: str, place: str = "") -> str:
    """Return a text encrypted, the same each time. It can be opened for the same ``place`` only."""
    tag = _tag(text, place)
    return PREFIX + base64.urlsafe_b64encode(tag + _mixed(text.encode(), tag)).decode().rstrip("=")


def opened(text: str, place: str = "") -> str:
    """Return the text that was sealed, or a text without a seal as it is.

    Raises:
        ParseError: it was sealed by another process or for another place, or changed since.
    """
    if not text.startswith(PREFIX):
        return text
    try:
        data = base64.urlsafe_b64decode(text[len(PREFIX) :] + "==")
        tag, plain = data[:_TAG_BYTES], _mixed(data[_TAG_BYTES:], data[:_TAG_BYTES]).decode()
    except ValueError:
        tag, plain = b"", ""
    if not hmac.compare_digest(tag, _tag(plain, place)):
        raise ParseError("this round was hidden by another run of the program, or it was changed")
    return plain


def _tag(text: str, place: str) -> bytes:
    return hashlib.blake2b(f"{place}\n{text}".encode(), key=_KEY, digest_size=_TAG_BYTES).digest()


def _mixed(data: bytes, tag: bytes) -> bytes:
    stream = hashlib.shake_256(_KEY + tag).digest(len(data))
    return bytes(one ^ other for one, other in zip(data, stream, strict=True))
