"""What the generated classes and tables consist of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, final


@final
class Clear:
    """An empty element of a request, which clears what is stored; None leaves the element out."""

    def __repr__(self) -> str:
        return "CLEAR"


#: ``Customer(tax_id=CLEAR)`` removes the tax id. Any field takes it, and no answer has it.
CLEAR: Final[Any] = Clear()


@dataclass(frozen=True, slots=True)
class Form:
    """How one part of an element is read and written."""

    #: A class of ``types``, or a kind of value: text, integer, boolean, decimal, date, instant.
    type: str
    #: Of a list in an element of its own: the element of an item.
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a class as the interface knows it."""

    key: str
    form: Form
    place: str
    #: Its items stand in place.
    repeated: bool


def part(
    key: str,
    type: str,
    *,
    item: str | None = None,
    place: str = "element",
    repeated: bool = False,
    secret: bool = False,
) -> Any:
    """A field that may be left out; one that is secret is not in the ``repr`` of its object."""
    described = Part(key, Form(type, item), place, repeated)
    return field(default=None, repr=not secret, metadata={"part": described})


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of the interface."""

    name: str
    method: str
    #: Below ``/rest``, without an id.
    path: str | None = None
    path_by_id: str | None = None
    #: The parameter that selects the action.
    selection: tuple[str, ...] = ()
    #: It takes an Idempotency-Key.
    is_write: bool
    #: The root element for each parameter that is a document.
    bodies: Mapping[str, str] = field(default_factory=dict)
    #: The element of a list whose items it returns.
    items: str | None = None
    #: How its pages follow each other: ``link``, ``offset``, or the field of the last object.
    paging: str | None = None
    #: Other than XML.
    formats: tuple[str, ...] = ()
    #: The root elements of its answers.
    answers: tuple[str, ...]

    @property
    def shown(self) -> str:
        """For errors: the pattern of the path, because parameters may be secret."""
        return f"{self.method} {self.path or self.path_by_id}"
