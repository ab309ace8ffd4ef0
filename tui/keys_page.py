"""The keys page of the docs, made from the action registry."""

from mnemoscope.tui.actions import DIALOGS, SCREENS, actions_of, key_label

__all__ = ["keys_page"]

_SCOPES = {
    "app": "Everywhere",
    "list": "In lists",
    "page": "In text and pictures",
    **{scope: f"{title} screen" for scope, title in SCREENS.items()},
    **DIALOGS,
}


def keys_page() -> str:
    """Every key of the app as a Markdown page."""
    parts = [
        "# Keys\n\nMade by `make docs` from `tui/actions.py`. `?` shows the keys of the screen you "
        "are on; enter runs the one under the cursor. Keys are off while you type.\n"
    ]
    for scope, title in _SCOPES.items():
        rows = [
            f"| {_code(key_label(action.keys))} | {action.help} | `{action.id}` |"
            for action in actions_of(scope)
        ]
        if rows:
            table = "\n".join(["| key | does | action |", "|---|---|---|", *rows])
            parts.append(f"## {title}\n\n{table}\n")
    return "\n".join(parts)


def _code(keys: str) -> str:
    return " ".join(f"`{key}`" for key in keys.split())
