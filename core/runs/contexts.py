"""The context that was sent to the backbone, read from the run's own files when asked for."""

import json
from typing import Any

from mnemoscope.core.model import Record, Run
from mnemoscope.core.raw import read_value
from mnemoscope.core.runs.native.reader import RECORDS, read_context

__all__ = ["context_text", "message_text", "sent_context"]


def sent_context(run: Run, record: Record) -> str | None:
    """The context as it was sent; None when the run does not store it.

    Contexts are most of a run's bytes, so they are not kept in memory.

    Raises:
        InputError: The file that holds it cannot be read.
        KeyError: The file has changed since it was read, and the context is not there any more.
    """
    if not record.context_place:
        return None
    path = run.root / record.file
    if path.name == RECORDS:
        return read_context(run.root, record)
    return context_text(read_value(path, record.context_place))


def context_text(value: Any) -> str:
    """A context for people: text as it is, chat messages under their roles, else as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(_is_message(one) for one in value):
        return "\n\n".join(f"[{one['role']}]\n{message_text(one['content'])}" for one in value)
    return _json(value)


def message_text(content: Any) -> str:
    """The text of a chat message whose content is text or a list of parts; others are named."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else _json(content)
    parts = []
    for part in content:
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            parts.append(part["text"])
        else:
            kind = part.get("type") if isinstance(part, dict) else None
            parts.append(f"[{kind}]" if isinstance(kind, str) else _json(part))
    return "\n".join(parts)


def _is_message(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("role"), str) and "content" in value


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
