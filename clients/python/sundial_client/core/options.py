"""What a call is told, and what it answers besides its document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, kw_only=True)
class CallOptions:
    """Settings of one call."""

    #: Of a write; a random one by default. Store your own before you send, to survive a crash.
    idempotency_key: str | None = None
    #: The ``etag`` of an earlier answer: the call raises ObjectChanged if the object has changed since.
    if_match: str | None = None
    #: How long one attempt may take.
    timeout_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """A document with what the headers of its answer say."""

    value: Value
    status: int
    #: The version of the object, for ``if_match``.
    etag: str | None
    #: Of an earlier call under the same key.
    is_replayed: bool
    #: Names the call in the service's log.
    request_id: str | None
