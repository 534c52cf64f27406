"""A typed client of Sundial's REST interface, with nothing but the standard library."""

from .core.callbacks import Callback, ForgedCallback, SeenCallbacks, verify_callback
from .core.client import Sundial
from .core.errors import (
    AccessDenied,
    Conflict,
    InvalidRequest,
    Mistake,
    NoAnswer,
    NotFound,
    ObjectChanged,
    Refusal,
    SavedWithFaults,
    ServiceFailure,
    SundialError,
    TooManyRequests,
    UnexpectedAnswer,
)
from .core.options import Answer, CallOptions
from .core.parts import CLEAR
from .generated import types

__all__ = [
    "CLEAR",
    "AccessDenied",
    "Answer",
    "CallOptions",
    "Callback",
    "Conflict",
    "ForgedCallback",
    "InvalidRequest",
    "Mistake",
    "NoAnswer",
    "NotFound",
    "ObjectChanged",
    "Refusal",
    "SavedWithFaults",
    "SeenCallbacks",
    "ServiceFailure",
    "Sundial",
    "SundialError",
    "TooManyRequests",
    "UnexpectedAnswer",
    "types",
    "verify_callback",
]
