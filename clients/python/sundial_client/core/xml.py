"""Reads and writes documents by the generated classes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import fields
from datetime import date, datetime, timezone
from decimal import Decimal
from functools import cache
from typing import Any

from ..generated import types
from .parts import CLEAR, Form, Part


def read_document(text: bytes | str) -> tuple[str, Any] | None:
    """The root element's name and the document; None if the text is no document of the interface."""
    try:
        root = ET.fromstring(text)
    except ET.ParseError:
        return None
    form = types.ROOTS.get(root.tag)
    return None if form is None else (root.tag, _read_content(form, root))


@cache
def _parts(type: str) -> tuple[tuple[str, Part], ...] | None:
    """The fields of a class with their parts; None for a kind of value."""
    if type in _EXPECTED:
        return None
    made = getattr(types, type)
    return tuple((each.name, each.metadata["part"]) for each in fields(made))


def _read_content(form: Form, node: ET.Element) -> Any:
    if form.item is not None:
        return [_read_value(form.type, item) for item in node.findall(form.item)]
    return _read_value(form.type, node)


def _read_value(type: str, node: ET.Element) -> Any:
    parts = _parts(type)
    if parts is None:
        return _read_scalar(type, node.text or "")
    values = {name: _read_part(part, node) for name, part in parts}
    return getattr(types, type)(**values)


def _read_part(part: Part, node: ET.Element) -> Any:
    if part.place == "text":
        return node.text or ""
    if part.place == "attribute":
        text = node.get(part.key)
        return None if text is None else _read_scalar(part.form.type, text)
    if part.repeated:
        items = node.findall(part.key)
        return [_read_value(part.form.type, item) for item in items] or None
    found = node.find(part.key)
    if found is None:
        return None
    is_empty = len(found) == 0 and not found.attrib and not found.text
    return None if is_empty and part.form.item is None else _read_content(part.form, found)


def _read_scalar(type: str, text: str) -> Any:
    match type:
        case "integer":
            return int(text)
        case "boolean":
            return text == "true"
        case "decimal":
            return Decimal(text)
        case "date":
            return date.fromisoformat(text)
        case "instant":
            return datetime.fromisoformat(text)
        case _:
            return text


def write_document(root: str, value: Any) -> bytes:
    """A list is given by its items."""
    node = _written(root, types.ROOTS[root], value, root)
    return ET.tostring(node, encoding="utf-8", xml_declaration=True)


def _written(element: str, form: Form, value: Any, place: str) -> ET.Element:
    if value is CLEAR:
        return ET.Element(element)
    if form.item is None:
        return _written_value(element, form.type, value, place)
    node = ET.Element(element)
    for at, each in enumerate(_items(value, place)):
        node.append(_written_value(form.item, form.type, each, f"{place}[{at}]"))
    return node


def _items(value: Any, place: str) -> Sequence[Any]:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return value
    raise TypeError(f"{place} must be a list")


def _written_value(element: str, type: str, value: Any, place: str) -> ET.Element:
    node = ET.Element(element)
    parts = _parts(type)
    if parts is None:
        node.text = scalar_text(type, value, place)
        return node
    if value.__class__ is not getattr(types, type):
        raise TypeError(f"{place} must be a {type}, not a {value.__class__.__name__}")
    for name, part in parts:
        content = getattr(value, name)
        if content is None:
            continue
        here = f"{place}.{name}"
        if part.place == "attribute":
            if content is not CLEAR:
                node.set(part.key, scalar_text(part.form.type, content, here))
        elif part.place == "text":
            node.text = scalar_text(part.form.type, content, here)
        elif part.repeated:
            for at, each in enumerate(_items(content, here)):
                node.append(_written_value(part.key, part.form.type, each, f"{here}[{at}]"))
        else:
            node.append(_written(part.key, part.form, content, here))
    return node


def scalar_text(type: str, value: Any, place: str) -> str:
    """The value itself is in no error, because it may be a secret."""
    match type, value:
        case "integer", bool():
            pass
        case "integer", int():
            return str(value)
        case "boolean", bool():
            return "true" if value else "false"
        case "decimal", Decimal() if value.is_finite():
            return format(value, "f")
        case "decimal", int() if not isinstance(value, bool):
            return str(value)
        case "date", date() if not isinstance(value, datetime):
            return value.isoformat()
        case "instant", datetime() if value.tzinfo is not None:
            instant = value.astimezone(timezone.utc)
            return instant.strftime("%Y-%m-%dT%H:%M:%SZ")
        case "text", str():
            return value
    raise TypeError(f"{place} must be {_EXPECTED[type]}, not a {value.__class__.__name__}")


_EXPECTED = {
    "integer": "an int",
    "boolean": "a bool",
    "decimal": "a Decimal",
    "date": "a date",
    "instant": "a datetime with a time zone",
    "text": "a str",
}
