"""The errors of the client.

No message has a parameter, a body or a credential: a service's text names the element at fault,
and repeats no secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


class SundialError(Exception):
    """The base of all of them."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake of a refused call."""

    code: str
    #: The element, parameter or header at fault: ``subscriptionOrder/startDate``.
    field: str | None
    #: What stood there, cut to 60 characters; never a secret.
    value: str | None
    #: For people; the wording may change.
    text: str

    @classmethod
    def of(cls, errors: Sequence[Any] | None) -> tuple[Mistake, ...]:
        return tuple(
            cls(each.code or "", each.path, each.value, each.text or "") for each in errors or ()
        )

    def __str__(self) -> str:
        place = "" if self.field is None else f" at {self.field}"
        return f"{self.code}{place} ({self.text})"


class Refusal(SundialError):
    """The service has answered, and did not do what the call asked for."""

    def __init__(
        self,
        call: str,
        status: int,
        mistakes: Sequence[Mistake],
        *,
        request_id: str | None = None,
        retry_after_seconds: int | None = None,
    ) -> None:
        words = "; ".join(map(str, mistakes))
        super().__init__(f"{call} answered {status}" + (f": {words}" if words else ""))
        self.status = status
        #: Every mistake of the call.
        self.mistakes = tuple(mistakes)
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds

    @property
    def code(self) -> str:
        """Of the first mistake."""
        return self.mistakes[0].code if self.mistakes else ""

    @property
    def field(self) -> str | None:
        """Of the first mistake."""
        return self.mistakes[0].field if self.mistakes else None

    def has(self, code: str) -> bool:
        """Whether one of the mistakes has the code."""
        return any(mistake.code == code for mistake in self.mistakes)


class InvalidRequest(Refusal):
    """400: the request is wrong."""


class AccessDenied(Refusal):
    """401 and 403: host, credentials, role or rights."""


class NotFound(Refusal):
    """404: the object that the call addresses does not exist."""


class Conflict(Refusal):
    """409: something in progress, or a change meanwhile."""


class ObjectChanged(Refusal):
    """412: the object has changed since the version of ``if_match``."""


class TooManyRequests(Refusal):
    """429, after the retries."""


class ServiceFailure(Refusal):
    """5xx, after the retries."""


class NoAnswer(SundialError):
    """No answer came, after the retries: a write may have been made."""

    def __init__(self, call: str, idempotency_key: str | None, reason: str) -> None:
        super().__init__(f"{call} got no answer: {reason}")
        #: With this key the same call can be sent again, and is made once; of a write.
        self.idempotency_key = idempotency_key


class SavedWithFaults(SundialError):
    """The customer is saved, and its address is invalid or was not validated."""

    def __init__(self, call: str, customer_id: int | None, mistakes: Sequence[Mistake]) -> None:
        words = "; ".join(mistake.text for mistake in mistakes)
        super().__init__(f"{call} has saved the customer: {words}")
        self.customer_id = customer_id
        self.mistakes = tuple(mistakes)


class UnexpectedAnswer(SundialError):
    """The answer is no document of the interface, as that of a proxy."""

    def __init__(self, call: str, status: int) -> None:
        super().__init__(f"{call} answered {status} with something other than a document of Sundial")
        self.status = status


_BY_STATUS: dict[int, type[Refusal]] = {
    401: AccessDenied,
    403: AccessDenied,
    404: NotFound,
    409: Conflict,
    412: ObjectChanged,
    429: TooManyRequests,
}


def refusal_class(status: int) -> type[Refusal]:
    """The class of the refusals with a status."""
    return ServiceFailure if status >= 500 else _BY_STATUS.get(status, InvalidRequest)
