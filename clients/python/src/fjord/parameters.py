"""Values of Python as the API binds them: what has to stay exact is sent in quotes, with its type."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

TYPES = ("text", "integer", "decimal", "number", "boolean", "date", "timestamp", "timestamptz")


@dataclass(frozen=True)
class Typed:
    """A value, or a list of them, that says its type. `typed` makes one."""

    type: str
    value: Any


def typed(type: str, value: Any) -> Typed:
    """A value of a type that Python's own would not say: `typed("date", "2026-01-31")`, `typed("text", [])`."""
    if type not in TYPES:
        raise ValueError(f"{type!r} is no type of a parameter: {', '.join(TYPES)}.")
    return Typed(type, value)


def encode_parameters(parameters: Mapping[str, Any]) -> Dict[str, Any]:
    """Raises TypeError or ValueError for a value that can't be bound exactly; its name is in the message."""
    encoded = {}
    for name, value in parameters.items():
        try:
            encoded[name] = _encode(value)
        except (TypeError, ValueError) as error:
            raise type(error)(f"The parameter {name}: {error}") from None
    return encoded


def _encode(value: Any) -> Any:
    if isinstance(value, Typed):
        isList = _is_list(value.value)
        values = value.value if isList else [value.value]
        texts = [None if one is None else one if isinstance(one, (bool, str)) else _scalar(one)[1] for one in values]
        return {"type": value.type, "value": texts if isList else texts[0]}
    if not _is_list(value):
        if value is None:
            return None
        kind, text = _scalar(value)
        return text if kind in ("text", "boolean") else {"type": kind, "value": text}
    return _encode_list(list(value))


def _encode_list(values: List[Any]) -> Any:
    pairs: List[Optional[Tuple[str, Any]]] = [None if value is None else _scalar(value) for value in values]
    kinds = {pair[0] for pair in pairs if pair is not None}
    if not kinds:
        raise ValueError('a list without a value needs a type: typed("text", []).')
    kind = kinds.pop() if len(kinds) == 1 else _common(kinds)
    texts = [None if pair is None else pair[1] for pair in pairs]
    if kind == "decimal":
        texts = _with_one_scale(texts)
    # Texts alone take their type from their place, as literals do; a NULL among them has none to give.
    return texts if kind in ("text", "boolean") and None not in texts else {"type": kind, "value": texts}


def _with_one_scale(texts: List[Optional[str]]) -> List[Optional[str]]:
    """A database gives all values of a list one scale, and it should be one that keeps each of them."""
    scale = max(len(text.partition(".")[2]) for text in texts if text is not None)
    return [None if text is None else f"{Decimal(text):.{scale}f}" for text in texts]


def _common(kinds: Iterable[str]) -> str:
    """Whole numbers among decimals are decimals; nothing else is mixed without a loss."""
    if set(kinds) == {"integer", "decimal"}:
        return "decimal"
    raise TypeError(f"a list has values of one type, and this one has {', '.join(sorted(kinds))}.")


def _is_list(value: Any) -> bool:
    # Arrays and columns of numpy, pandas and Arrow are lists as well.
    return not isinstance(value, (str, bytes, Mapping)) and hasattr(value, "__iter__") and getattr(value, "shape", 1) != ()


def _scalar(value: Any) -> Tuple[str, Any]:
    """The type, and the text that keeps all of the value."""
    if not isinstance(value, (str, int, float, Decimal, datetime.date)) and hasattr(value, "item"):
        # numpy's numbers, texts and truth values.
        value = value.item()
    if hasattr(value, "as_py"):
        value = value.as_py()
    if isinstance(value, bool):
        return "boolean", value
    if isinstance(value, str):
        return "text", str(value)
    if isinstance(value, int):
        return "integer", str(int(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} can't be bound; write it in the statement, as 'NaN'::DOUBLE.")
        return "number", repr(float(value))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} can't be bound.")
        return "decimal", format(value, "f")
    if isinstance(value, datetime.datetime):
        return _instant(value)
    if isinstance(value, datetime.date):
        return "date", value.isoformat()
    raise TypeError(f"a value of {type(value).__name__} can't be bound; send a text, or typed(…).")


def _instant(value: datetime.datetime) -> Tuple[str, str]:
    if value != value:
        raise ValueError("NaT is no time; send None.")
    if getattr(value, "nanosecond", 0):
        raise ValueError(f"{value} has nanoseconds, and times here end at microseconds.")
    # pandas' own times are of this class too, and spell more digits.
    plain = datetime.datetime(
        value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond
    )
    offset = value.utcoffset()
    if offset is None:
        return "timestamp", plain.isoformat(sep=" ")
    return "timestamptz", (plain - offset).isoformat() + "Z"
