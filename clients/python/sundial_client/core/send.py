"""Sends calls over HTTP, again where that is safe.

Reads change nothing, and each write has an Idempotency-Key, so that the service makes it once
however often it comes.
"""

from __future__ import annotations

import base64
import http.client
import random
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from urllib.parse import urlsplit

from .errors import NoAnswer

_FIRST_WAIT_SECONDS = 0.2

#: Answers that say nothing of the request itself: the same request may get another one.
_PASSING = frozenset({429, 500, 502, 503, 504})


@dataclass(frozen=True, slots=True)
class Received:
    """The answer of one attempt."""

    status: int
    headers: Message
    body: bytes

    @property
    def retry_after_seconds(self) -> int | None:
        text = self.headers.get("Retry-After", "")
        return int(text) if text.isdecimal() else None

    @property
    def wait_seconds(self) -> float | None:
        """How long to wait before the call is sent again; None if the answer is final."""
        is_in_use = self.status == 409 and b' code="idempotency.inUse"' in self.body
        if not is_in_use and self.status not in _PASSING:
            return None
        return float(self.retry_after_seconds or 0)


class Sender:
    """Keeps a connection for each thread."""

    def __init__(
        self,
        address: str,
        *,
        host: str | None,
        user: str,
        password: str,
        retries: int,
        wait_seconds_max: float,
        timeout_seconds: float,
    ) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or parts.hostname is None:
            raise ValueError("address begins with https:// and the tenant's host")
        if parts.path not in ("", "/") or parts.query or parts.username:
            raise ValueError("address is the base of the tenant, as https://acme.billing.example.com")
        self._secure = parts.scheme == "https"
        self._place = (parts.hostname, parts.port)
        credentials = base64.b64encode(f"{user}:{password}".encode()).decode()
        self._headers = {"Host": host or parts.netloc, "Authorization": f"Basic {credentials}"}
        self._retries = retries
        self._wait_seconds_max = wait_seconds_max
        self._timeout_seconds = timeout_seconds
        self._local = threading.local()

    def send(
        self,
        call: str,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout_seconds: float | None,
    ) -> Received:
        """Raises NoAnswer if none of the attempts got one."""
        for attempt in range(self._retries + 1):
            is_last = attempt == self._retries
            asked: float | None = 0.0
            try:
                received = self._attempt(method, path, headers, body, timeout_seconds)
                asked = received.wait_seconds
                if is_last or asked is None or asked > self._wait_seconds_max:
                    return received
            except (OSError, http.client.HTTPException) as error:
                self.close()
                if is_last:
                    reason = error.__class__.__name__
                    raise NoAnswer(call, headers.get("Idempotency-Key"), reason) from error
            backoff = _FIRST_WAIT_SECONDS * 2**attempt * (0.5 + random.random())
            time.sleep(min(max(asked or 0.0, backoff), self._wait_seconds_max))
        raise AssertionError("the last attempt returns or raises")

    def _attempt(
        self,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: bytes | None,
        timeout_seconds: float | None,
    ) -> Received:
        connection = self._connection()
        is_kept = connection.sock is not None
        connection.timeout = timeout_seconds or self._timeout_seconds
        if connection.sock is not None:
            connection.sock.settimeout(connection.timeout)
        try:
            connection.request(method, path, body, {**headers, **self._headers})
            answer = connection.getresponse()
        except ConnectionError:
            if not is_kept:
                raise
            # The service had ended the kept connection meanwhile, which says nothing of this call.
            self.close()
            return self._attempt(method, path, headers, body, timeout_seconds)
        return Received(answer.status, answer.headers, answer.read())

    def _connection(self) -> http.client.HTTPConnection:
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is None:
            made = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
            kept = made(*self._place, timeout=self._timeout_seconds)
            self._local.connection = kept
        return kept

    def close(self) -> None:
        """Ends the connection of this thread."""
        kept: http.client.HTTPConnection | None = getattr(self._local, "connection", None)
        if kept is not None:
            kept.close()
            self._local.connection = None
