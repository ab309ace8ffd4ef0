"""What looks wrong about runs, as JSON and for people."""

from collections.abc import Iterator

from mnemoscope.analyses.suspicion import Suspicion
from mnemoscope.core.text import clean
from mnemoscope.tui.verbs.tables import Json

__all__ = ["suspicion_info", "suspicion_lines"]

_SAID = 200


def suspicion_info(one: Suspicion) -> Json:
    """A suspicion as JSON."""
    return {
        "code": one.code,
        "run": one.run,
        "count": one.count,
        "of": one.of,
        "what": one.what,
        "says": one.says,
        "examples": [
            {"file": each.file, "path": each.path, "question": each.key, "said": each.said}
            for each in one.examples
        ],
        "repair": one.repair,
    }


def suspicion_lines(one: Json) -> Iterator[str]:
    """A suspicion in a line, its examples below it; never cut but for long texts of examples."""
    counts = f"{one['count']:,} of {one['of']:,} {one['what']}"
    yield _plain(f"suspicious: {one['run']}: {counts} {one['says']} ({one['code']})")
    if one["repair"]:
        yield f"  --repair {one['repair']} reads them repaired, and lists each"
    for each in one["examples"]:
        said = each["said"]
        said = said if len(said) <= _SAID else f"{said[:_SAID]}…"
        place = ": ".join(filter(None, (each["file"], each["path"])))
        question = f" ({each['question']})" if each["question"] else ""
        yield _plain(f"  for example {place}{question}: {said}")


def _plain(text: str) -> str:
    return clean(text, keep_newlines=False)
