"""A client of one tenant: its calls are methods, which return documents and raise errors of types."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import quote, urlencode

from ..generated import types
from ..generated.calls import CALLS, Calls
from .errors import Mistake, SavedWithFaults, UnexpectedAnswer, refusal_class
from .options import Answer, CallOptions
from .parts import Call
from .send import Received, Sender
from .xml import read_document, scalar_text, write_document

#: Pages of this size do not wait for heavy calls.
_PAGE_SIZE = 100
_CLOCK_LOOK_SECONDS = 0.5
_NO_OPTIONS = CallOptions()


class Sundial(Calls):
    """``Sundial("https://acme.billing.example.com", user="api@acme", password="...")``"""

    def __init__(
        self,
        address: str,
        *,
        user: str,
        password: str,
        host: str | None = None,
        retries: int = 3,
        wait_seconds_max: float = 30.0,
        timeout_seconds: float = 60.0,
    ) -> None:
        """
        :param address: the tenant's own host, without a path
        :param host: the tenant's host name, if the address is not that
        :param retries: how often a call is sent again that got no answer, or one that says so
        :param wait_seconds_max: the longest wait between two attempts
        :param timeout_seconds: how long one attempt may take; a payment waits for its gateway for 10 s
        """
        self._sender = Sender(
            address,
            host=host,
            user=user,
            password=password,
            retries=retries,
            wait_seconds_max=wait_seconds_max,
            timeout_seconds=timeout_seconds,
        )

    def answer_of(
        self, name: str, parameters: Mapping[str, Any], options: CallOptions | None = None
    ) -> Answer[Any]:
        """The answer of a call with what its headers say; name and parameters are the interface's.

        ``answer_of("getCustomer", {"id": 7}).etag``
        """
        return self._answer(CALLS[name], parameters, options or _NO_OPTIONS)

    def download(
        self,
        name: str,
        parameters: Mapping[str, Any],
        format: str,
        options: CallOptions | None = None,
    ) -> bytes:
        """An answer in another format: an invoice as ``pdf``, a list as ``csv``."""
        call = CALLS[name]
        if format not in call.formats:
            raise ValueError(f"{name} has no format {format}, only {', '.join(call.formats)}")
        path = _url(call, {**parameters, "format": format})
        return self._send(call, path, None, options or _NO_OPTIONS).body

    def advance_clock(self, advance_to: date, options: CallOptions | None = None) -> types.TestClock:
        """Advances the tenant's test clock to 00:00 of a day, and waits until everything due is done."""
        clock = self.advance_test_clock(advance_to=advance_to, wait=True, options=options)
        while clock.status != "Ready":
            time.sleep(_CLOCK_LOOK_SECONDS)
            clock = self.get_test_clock(options=options)
        return clock

    def close(self) -> None:
        """Ends the kept connection of this thread."""
        self._sender.close()

    def __enter__(self) -> Sundial:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _perform(
        self, call: Call, parameters: Mapping[str, Any], options: CallOptions | None
    ) -> Any:
        return self._answer(call, parameters, options or _NO_OPTIONS).value

    def _iterate(
        self, call: Call, parameters: Mapping[str, Any], options: CallOptions | None
    ) -> Iterator[Any]:
        given = {**parameters, "max": parameters.get("max") or _PAGE_SIZE}
        path: str | None = _url(call, given)
        count = 0
        while path is not None:
            received = self._send(call, path, None, options or _NO_OPTIONS)
            page = _value(call, received)
            yield from page
            count += len(page)
            path = _next(call, given, page, received, count)

    def _answer(
        self, call: Call, parameters: Mapping[str, Any], options: CallOptions
    ) -> Answer[Any]:
        received = self._send(call, _url(call, parameters), _body(call, parameters), options)
        headers = received.headers
        return Answer(
            _value(call, received),
            received.status,
            headers.get("ETag"),
            headers.get("Idempotency-Replayed") == "true",
            headers.get("X-Request-Id"),
        )

    def _send(self, call: Call, path: str, body: bytes | None, options: CallOptions) -> Received:
        """Raises a refusal unless the call succeeds."""
        headers: dict[str, str] = {}
        if body is not None:
            headers["Content-Type"] = "application/xml; charset=utf-8"
        if call.is_write:
            headers["Idempotency-Key"] = options.idempotency_key or str(uuid.uuid4())
        if options.if_match is not None:
            headers["If-Match"] = options.if_match
        received = self._sender.send(
            call.shown, call.method, path, headers, body, options.timeout_seconds
        )
        if not 200 <= received.status < 300:
            raise _refusal(call, received)
        return received


def _refusal(call: Call, received: Received) -> Exception:
    document = read_document(received.body)
    if document is None or document[0] != "status":
        return UnexpectedAnswer(call.shown, received.status)
    return refusal_class(received.status)(
        call.shown,
        received.status,
        Mistake.of(document[1].errors),
        request_id=received.headers.get("X-Request-Id"),
        retry_after_seconds=received.retry_after_seconds,
    )


def _value(call: Call, received: Received) -> Any:
    document = read_document(received.body)
    if document is None:
        raise UnexpectedAnswer(call.shown, received.status)
    root, value = document
    if root == "status" and "status" not in call.answers:
        customer = value.customer
        customer_id = None if customer is None else customer.id
        raise SavedWithFaults(call.shown, customer_id, Mistake.of(value.errors))
    if call.items is None:
        return value
    # A list call that names one object answers that object alone.
    return _listed(value, call.items) if root == "list" else [value]


def _listed(value: types.List, key: str) -> list[Any]:
    for each in fields(types.List):
        if each.metadata["part"].key == key:
            return getattr(value, each.name) or []
    raise AssertionError(f"no list has {key}")


# Addresses.


def _url(call: Call, parameters: Mapping[str, Any]) -> str:
    given = {name: value for name, value in parameters.items() if value is not None}
    is_by_id = call.path_by_id is not None and "id" in given
    pattern = (call.path_by_id if is_by_id else call.path) or call.path_by_id or ""
    in_path: set[str] = set()

    def filled(match: re.Match[str]) -> str:
        name = match[1]
        if name not in given:
            raise TypeError(f"{call.name} needs {name}")
        in_path.add(name)
        return quote(_text(name, given[name]), safe="")

    path = re.sub(r"\{(\w+)\}", filled, pattern)
    query: list[tuple[str, str]] = []
    if call.selection:
        query.append((call.selection[0], call.selection[1]))
    for name, value in given.items():
        if name in in_path or name in call.bodies:
            continue
        if name == "metadata":
            query += [(f"metadata.{key}", _text(key, text)) for key, text in value.items()]
        else:
            query.append((name, _text(name, value)))
    return f"/rest{path}" + (f"?{urlencode(query)}" if query else "")


def _text(name: str, value: Any) -> str:
    match value:
        case bool():
            return scalar_text("boolean", value, name)
        case int():
            return scalar_text("integer", value, name)
        case Decimal():
            return scalar_text("decimal", value, name)
        case date():
            return scalar_text("date", value, name)
        case _:
            return scalar_text("text", value, name)


def _body(call: Call, parameters: Mapping[str, Any]) -> bytes | None:
    if not call.bodies:
        return None
    given = [key for key in call.bodies if parameters.get(key) is not None]
    if len(given) != 1:
        raise TypeError(f"{call.name} needs {' or '.join(call.bodies)}")
    root = call.bodies[given[0]]
    content = parameters[given[0]]
    if root != "list":
        return write_document(root, content)
    names = {each.metadata["part"].key: each.name for each in fields(types.List)}
    item = re.sub(r"s$", "", re.sub(r"ies$", "y", given[0]))
    return write_document(root, types.List(**{names[item]: list(content)}))


def _next(
    call: Call, given: Mapping[str, Any], page: list[Any], received: Received, count: int
) -> str | None:
    if call.paging == "link":
        found = re.search(r'<([^>]+)>;\s*rel="next"', received.headers.get("Link", ""))
        return None if found is None else found[1]
    if not page or len(page) < given["max"]:
        return None
    if call.paging == "offset":
        return _url(call, {**given, "offset": (given.get("offset") or 0) + count})
    return _url(call, {**given, "after": getattr(page[-1], call.paging or "")})
