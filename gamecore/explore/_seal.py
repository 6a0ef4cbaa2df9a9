"""Sealed texts: what a page sends back and cannot read, such as a round of hearts of which it sees one hand."""

import base64
import hashlib
import hmac
import secrets
from typing import Final

from gamecore.errors import ParseError

PREFIX: Final = "sealed."
_KEY: Final = secrets.token_bytes(32)  # of this process: the links that hold sealed texts do not outlive it either
_TAG_BYTES: Final = 16


def seal(text: str, place: str = "") -> str:
    """A text encrypted, the same each time. ``place``: where it stands; it is opened in no other place."""
    tag = _tag(text, place)
    return PREFIX + base64.urlsafe_b64encode(tag + _mixed(text.encode(), tag)).decode().rstrip("=")


def opened(text: str, place: str = "") -> str:
    """The text that was sealed; a text that is not sealed as it is.

    Raises:
        ParseError: it was sealed by another process, for another place, or changed since.
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
