"""Verifies callbacks: the signature, the age, and whether one came before."""

from __future__ import annotations

import base64
import hashlib
import hmac
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from .errors import SundialError
from .xml import read_document

_TOLERANCE_SECONDS = 300


class ForgedCallback(SundialError):
    """The callback did not come from Sundial, or not now: answer 401."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"the callback is refused for its {reason}")
        #: headers, age, signature or document
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Callback:
    """A genuine callback."""

    #: The same in each post of the event: process each once.
    id: str
    #: ``invoice.created``
    type: str
    #: The root element of the document.
    root: str
    document: Any
    #: Counts the events of the customer; None for events without one.
    customer_sequence: int | None
    object_version: str | None
    #: The document of the event is no longer stored: this is the object as it is now.
    is_of_today: bool


def verify_callback(
    headers: Mapping[str, str],
    body: bytes,
    *,
    secret: str | Sequence[str],
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: float | None = None,
) -> Callback:
    """Raises ForgedCallback unless the callback is genuine.

    :param headers: of the request, whatever the case of their names
    :param body: the bytes as they came, before any parsing
    :param secret: ``whsec_...``, or several while one is replaced
    """
    given = {name.lower(): value for name, value in headers.items()}
    webhook_id = given.get("webhook-id")
    timestamp = given.get("webhook-timestamp", "")
    signatures = given.get("webhook-signature")
    if not webhook_id or not signatures or not (timestamp.isascii() and timestamp.isdecimal()):
        raise ForgedCallback("headers")
    if abs((time.time() if now is None else now) - int(timestamp)) > tolerance_seconds:
        raise ForgedCallback("age")
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    secrets = [secret] if isinstance(secret, str) else secret
    expected = [_signature(each, signed) for each in secrets]
    is_genuine = any(
        hmac.compare_digest(each.encode(), one)
        for each in signatures.split(" ")
        for one in expected
    )
    if not is_genuine:
        raise ForgedCallback("signature")
    document = read_document(body)
    if document is None:
        raise ForgedCallback("document")
    sequence = given.get("x-customer-sequence")
    return Callback(
        id=webhook_id,
        type=given.get("x-event", ""),
        root=document[0],
        document=document[1],
        customer_sequence=None if sequence is None else int(sequence),
        object_version=given.get("x-object-version"),
        is_of_today=given.get("x-document") == "today",
    )


def _signature(secret: str, signed: bytes) -> bytes:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return b"v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256))


class SeenCallbacks:
    """Remembers the ids of the callbacks that a process has seen.

    A program that must not process an event twice keeps them in its database instead, written
    together with what the event causes.
    """

    def __init__(self, size_max: int = 10_000) -> None:
        self._ids: OrderedDict[str, None] = OrderedDict()
        self._size_max = size_max
        self._lock = Lock()

    def is_new(self, callback: Callback) -> bool:
        """Whether the callback is new; from now on it is not."""
        with self._lock:
            if callback.id in self._ids:
                return False
            self._ids[callback.id] = None
            if len(self._ids) > self._size_max:
                self._ids.popitem(last=False)
            return True

    def forget(self, callback: Callback) -> None:
        """After the processing of a callback has failed, so that its next post is processed."""
        with self._lock:
            self._ids.pop(callback.id, None)
